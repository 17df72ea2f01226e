"""Who is at risk of leaving: those who have been silent for much longer than is usual for them.

The rule is each one's own rhythm, not one number of days for all: whoever buys every week is late after a month, whoever
buys once a year is not. The answer states the rule; nothing is predicted.
"""

# ruff: noqa: E501  # a pattern is easier to check on one line
from __future__ import annotations

import re
from dataclasses import replace
from datetime import date

from assistant.embedded.meaning import ColumnRef, Dimension, JoinStep, Meaning
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity, Schema
from assistant.embedded.sql.headings import column_names
from assistant.embedded.studies.asking import Asked, titled
from assistant.embedded.studies.drawing import filled, literal
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.study import Risk
from assistant.embedded.studies.telling import Result, Told, bold, number
from assistant.embedded.wording.answers import as_day, period_name
from assistant.embedded.words.lexicon import plural, singular, stem
from assistant.embedded.words.vocabulary import word_set

EVENTS_MIN = 4
FACTOR = 3.0
GONE_DAYS = 365
STALE_DAYS = 45
_LEAVING = (
    r"(?:at risk(?: of (?:leaving|churn(?:ing)?|being lost|going))?|about to (?:leave|churn|go)|(?:likely|going|about) to "
    r"(?:leave|churn|lapse|stop buying|be lost)|slipping away|drifting away|churn risks?|overdue|going quiet)"
)
_PATTERNS = tuple(
    re.compile(pattern, re.IGNORECASE)
    for pattern in (
        r"^who (?:might|may|could|will(?: likely| probably)?) (?:leave|churn|lapse|stop buying|go)(?: us)?(?: soon| next)?$",
        rf"^(?:which|what|who among|list|find|show)(?: of)?(?: the| our| my)? (?P<who>.+?) (?:are|is|might be|may be|could be|who are|that are)"
        rf" (?:most )?{_LEAVING}$",
        rf"^who (?:is|are|might be|may be) (?:most )?{_LEAVING}$",
        r"^(?:which|what|who among)(?: of)?(?: the| our| my)? (?P<who>.+?) (?:might|may|could|will(?: likely| probably)?)"
        r" (?:leave|churn|lapse|stop buying|be lost|go)(?: us)?(?: soon| next)?$",
        r"^(?:which|what|list|find|show)?(?: of)?(?: the| our| my| all)?\s*(?P<who>.+?) (?:who |that )?(?:have |has )?(?:stopped|quit)"
        r" (?:buying|ordering|purchasing)(?: from us)?$",
        r"^(?:list|find|show)?(?: the| our| my| all)?\s*(?:dormant|lapsed) (?P<who>[a-z]+)$",
        r"^(?:list|find|show)?(?: the| our| my| all)?\s*(?:at[ -]risk|endangered) (?P<who>.+)$",
        r"^(?:are|do) (?:there |we have )?(?:any |some )?(?P<who>.+?) (?:at risk|about to leave|likely to leave|at risk of leaving)$",
    )
)
_PERSONS = frozenset(
    stem(w)
    for w in word_set(
        """customer client member user subscriber donor patient guest account buyer shopper visitor student passenger
        contact company person partner supplier tenant reader player borrower policyholder employee"""
    )
)
_ANYBODY = frozenset(stem(w) for w in word_set("customer client buyer shopper account member user people person"))
"""Words for those who come back that may be used for a table of another name."""


def recognise(asked: Asked) -> tuple[Recognised, ...] | Refused | None:
    """Read a question for who is at risk; None where it asks for something else."""
    match = next((m for pattern in _PATTERNS if (m := pattern.match(asked.text))), None)
    if match is None:
        return None
    who = (match.groupdict().get("who") or "").strip().lower()
    if who and not any(stem(singular(w)) in _PERSONS for w in who.split()):
        return Refused(
            reason=f"I can say who has been silent for longer than usual, but “{who}” are not people or companies that "
            "come back.",
            hint="Ask it of those who buy, book or write: “which customers are at risk?”.",
        )
    for schema in asked.schemas.values():
        found = _by_table(asked, schema, who) or _by_column(asked, schema, who)
        if found is not None:
            return (found,)
    return Refused(
        reason=f"To say which {who or 'customers'} are at risk I need their dated orders, visits or the like, and found "
        "none.",
        hint="It takes a table of events that has a date and says whose they are.",
    )


def _by_table(asked: Asked, schema: Schema, who: str) -> Recognised | None:
    """People with a table of their own, and the table of their dated events."""
    people = [e for e in schema.entities.values() if set(e.stems) & _PERSONS]
    named = [e for e in people if not who or _called(e.one, who)]
    if not named and stem(singular(who)) in _ANYBODY:
        named = people
    for person in sorted(named, key=lambda e: (not _called(e.one, who), -(e.table.rows or 0))):
        events: list[tuple[float, Entity, Attribute, JoinStep]] = []
        for edge in schema.edges.get(person.name, ()):
            event = schema.entities[edge.right]
            day = likeliest_date(event)
            if not edge.many or day is None or day.role != "date" or len(edge.left_columns) != 1:
                continue
            weight = 2.0 * bool(set(event.stems) & _BUYING) + (event.table.rows or 0) / 1e9
            step = JoinStep(
                left=event.name,
                left_columns=edge.right_columns,
                right=person.name,
                right_columns=edge.left_columns,
                inferred=edge.inferred,
            )
            events.append((weight, event, day, step))
        if not events:
            continue
        _, event, day, step = max(events, key=lambda e: e[0])
        found = _study(asked, schema, person, event=event, day=day, step=step)
        other = (f"“{who}” is read as {person.many}",) if who and not _called(person.one, who) else ()
        return replace(found, assumptions=(*other, *found.assumptions))
    return None


_BUYING = frozenset(stem(w) for w in word_set("order sale purchase invoice booking transaction visit payment rental"))


def _called(one: str, who: str) -> bool:
    return singular(who).lower() in (one.lower(), one.lower().split()[-1])


def _study(
    asked: Asked, schema: Schema, person: Entity, *, event: Entity, day: Attribute, step: JoinStep
) -> Recognised:
    base = Meaning(source=schema.source, base=event.name, base_label=event.many)
    counted = asked.read(f"number of {event.many}")
    conditions = () if isinstance(counted, Refused) else counted[0].meaning.conditions
    if not isinstance(counted, Refused) and counted[0].meaning.base != event.name:
        conditions = ()
    key = person.attributes[step.right_columns[0]]
    labels = [person.attributes[n] for n in person.label if n != key.name]
    columns = [_column(key, step), *(_column(a, step) for a in labels), Dimension(column=_own(day), label=day.words)]
    meaning = base.model_copy(update={"columns": tuple(columns), "conditions": conditions})
    names = column_names(meaning)
    study = _risk(asked, meaning, one=person.one, many=person.many, event=(event.one, event.many), names=names)
    assumptions = () if isinstance(counted, Refused) or not conditions else counted[0].assumptions
    return Recognised(study=study, assumptions=assumptions, cited=tuple(c.document for c in conditions if c.document))


def _by_column(asked: Asked, schema: Schema, who: str) -> Recognised | None:
    """People who are only named in the rows of their events: one table with a name or a number of theirs, and a date."""
    for event in sorted(schema.entities.values(), key=lambda e: -(e.table.rows or 0)):
        day = likeliest_date(event)
        people = [a for a in event.attributes.values() if _names_person(a, who)]
        if day is None or day.role != "date" or not people:
            continue
        key = people[0]
        names = [Dimension(column=_own(key), label=key.words), Dimension(column=_own(day), label=day.words)]
        meaning = Meaning(source=schema.source, base=event.name, base_label=event.many, columns=tuple(names))
        one = (who and singular(who)) or key.words.removesuffix(" id").removesuffix(" name")
        study = _risk(
            asked,
            meaning,
            one=one,
            many=plural(one),
            event=(event.one, event.many),
            names=column_names(meaning),
        )
        return Recognised(study=study)
    return None


def _names_person(attribute: Attribute, who: str) -> bool:
    wanted = {stem(singular(w)) for w in who.split()[-1:]} if who else _PERSONS
    profile = attribute.column.profile
    several = profile is None or profile.distinct > 1
    return attribute.role in ("text", "key", "reference") and bool(set(attribute.stems) & wanted) and several


def _column(attribute: Attribute, step: JoinStep) -> Dimension:
    steps = (step,)
    return Dimension(column=ColumnRef(table=attribute.table, column=attribute.name, steps=steps), label=attribute.words)


def _own(attribute: Attribute) -> ColumnRef:
    return ColumnRef(table=attribute.table, column=attribute.name)


def _risk(
    asked: Asked, meaning: Meaning, *, one: str, many: str, event: tuple[str, str], names: tuple[str, ...]
) -> Risk:
    return Risk(
        asked=asked.question,
        title=titled(f"{many} who have been silent for much longer than usual"),
        source=meaning.source,
        rows=(meaning,),
        one=one,
        many=many,
        event=event[0],
        events=event[1],
        key=names[0],
        names=names[1:-1],
        day=names[-1],
        today=_as_of(asked, meaning),
    )


def _as_of(asked: Asked, meaning: Meaning) -> date:
    """The day from which silence is counted: that of the clock, or the last of the data where it ends long before."""
    column = meaning.columns[-1].column
    profile = asked.schema(meaning.source).attribute(column.table, column.column).column.profile
    last = as_day(profile.high) if profile is not None and profile.high is not None else None
    return last if last is not None and (asked.today - last).days > STALE_DAYS else asked.today


def cell(study: Risk, frames: tuple[str, ...]) -> str:
    """The Python step."""
    return filled(
        "risk",
        frame=frames[0],
        key=literal(study.key),
        names=literal(list(study.names)),
        day=literal(study.day),
        today=literal(study.today.isoformat()),
        minimum=EVENTS_MIN,
        factor=FACTOR,
        gone=GONE_DAYS,
        events=study.events,
        many=study.many,
        title=literal(study.title),
    )


def word(study: Risk, result: Result) -> Told:
    """The answer: who, by which rule, and how many others were looked at."""
    first = result.records[0]
    looked, gone, few = (int(number(first[k])) for k in ("looked at", "long gone", "too few"))
    rule = (
        f"The rule: at least {EVENTS_MIN} {study.events}, and now silent for more than {FACTOR:g} times their own median "
        f"interval and longer than ever before, but for less than a year."
    )
    notes = [
        rule,
        f"Silence is counted up to {period_name(study.today, 'day')}.",
        "It goes by silence alone; who complained, or who has a contract, is not known to it.",
    ]
    if gone:
        notes.append(f"{gone:,} {study.many} have been silent for over a year and are taken as gone already.")
    if few:
        notes.append(f"{few:,} have fewer than {EVENTS_MIN} {study.events}, too few to have a rhythm of their own.")
    if first["silent for days"] is None:
        return Told(
            text=f"None of the {looked:,} {study.many} with a rhythm of their own is at risk.", notes=tuple(notes)
        )
    if result.total > 0.3 * looked:
        notes.insert(
            1,
            "So many are late at once that the data may be incomplete at its end; look at that first, before at them.",
        )
    names = [_named(study, r) for r in result.records[:5]]
    shown = (
        f"{bold(names)}"
        if result.total <= 5
        else f"{', '.join(f'**{n}**' for n in names)} and {result.total - 5:,} more"
    )
    top = first
    text = (
        f"**{result.total:,}** of {looked:,} {study.many} with a rhythm of their own are at risk: {shown}. "
        f"{_named(study, top)}, with {int(number(top[study.events])):,} {study.events} so far, usually comes back after "
        f"{_days(top['usual interval'])} and has now been silent for {int(number(top['silent for days'])):,}."
    )
    return Told(text=text, notes=tuple(notes))


def _days(value: object) -> str:
    days = round(number(value))
    return "1 day" if days == 1 else f"{days:,} days"


def _named(study: Risk, row: object) -> str:
    record = row if isinstance(row, dict) else {}
    shown = [str(record[n]) for n in study.names if record.get(n) is not None]
    key = record.get(study.key)
    return " ".join(shown) or (key if isinstance(key, str) else f"{study.one} {key}")
