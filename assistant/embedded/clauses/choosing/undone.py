"""What was not done: "clients who have not shipped anything this year", where parcels have a day of shipping."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.clauses.naming.moments import alike
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToPeriod, ToTable, ToTerm, ToValue
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import is_past, stem

_SURE = 0.9
"""From how sure a link on a word is the column's own name, and no verb for it."""


def undone(draft: Draft) -> None:
    """The verb names a date of rows that belong to what is asked for: there is no such row."""
    for i, _ in draft.cues("without"):
        verb = draft.after(i, plain_max=1)
        option = draft.open(verb)
        if verb is None or not draft.pieces[verb].span.text.lower().endswith("ed"):
            continue
        if isinstance(option, ToValue) and _anything(draft, verb):
            raise Misfit("The word says what was not done rather than a state.")
        subject = draft.first_table(before=i)
        if not isinstance(option, ToColumn) or option.attribute.role != "date" or option.strength > _SURE:
            continue
        rows = draft.entity_of(option.attribute)
        if subject is not None and rows != subject and ancestor_of(draft, {rows.name}, subject):
            draft.use(i, verb)
            draft.mention(rows.name)
            draft.related.append(RelatedWanted(rows, "=", 0, verb, dated=option.attribute))


def not_yet(draft: Draft) -> None:
    """ "which drugs have not been approved yet", "never climbed": the day on which it was done is not known."""
    for i, _ in draft.cues("without", "not"):
        verb = i + 1
        while verb + 1 < len(draft.pieces) and draft.pieces[verb].span.text.lower() in ("been", "yet", "ever"):
            verb += 1
        subject = draft.first_table(before=i)
        day = _day_of(draft, verb, subject) if subject is not None and verb < len(draft.pieces) else None
        if day is not None:
            draft.use(i, verb, *_by_whom(draft, verb, day))
            draft.pieces[verb].option = None
            draft.filters.append(FilterWanted(day, "missing", (), piece=verb))


def done_by_now(draft: Draft) -> None:
    """ "what share of the mails was opened", "how many were delivered?": the day on which it was done is known."""
    for verb in range(2, len(draft.pieces)):
        before, behind = draft.pieces[verb - 1].span.text.lower(), draft.word(verb + 1)
        far = draft.pieces[verb - 2].span.text.lower() if before in _SO_FAR else before
        day = _day_of(draft, verb, subject) if (subject := draft.first_table(before=verb)) is not None else None
        when = any(isinstance(p.option, ToPeriod | ToNumber) for p in draft.pieces[verb + 1 :])
        told = behind in _WHEN or any(True for _ in draft.cues("grain", "not", "without", "compare", "best"))
        if day is None or far not in _BEING or when or told or not draft.cues("count", "share"):
            continue
        draft.use(verb)
        draft.pieces[verb].option = None
        draft.filters.append(FilterWanted(day, "present", (), piece=verb))


_BEING = frozenset(("was", "were", "is", "are", "been", "got", "get"))
_SO_FAR = frozenset(("already", "actually", "ever", "since", "finally"))
_WHEN = frozenset(("on", "in", "at", "after", "before", "since", "within", "between", "during"))


def _day_of(draft: Draft, verb: int, subject: Entity) -> Attribute | None:
    """The one date of the rows that is called like the verb, and that some of them do not have."""
    text, option = draft.pieces[verb].span.text.lower(), draft.pieces[verb].option
    if draft.pieces[verb].used or not is_past(text) or isinstance(option, ToTable | ToMetric | ToTerm):
        return None
    if isinstance(option, ToValue) and option.attribute.table == subject.name:
        return None  # one of the states that rows are in
    found = [a for a in subject.attributes.values() if (a.is_time or a.holds_years) and not a.always_known]
    named = [a for a in found if any(alike(stem(text), word) for word in a.own)]
    return named[0] if len(named) == 1 else None


def _by_whom(draft: Draft, verb: int, day: Attribute) -> list[int]:
    """ "by the FDA", which the name of the date says as well, and "yet"."""
    said = [n for n in range(verb + 1, min(verb + 4, len(draft.pieces))) if draft.open(n) is not None]
    own = [n for n in said if isinstance(o := draft.pieces[n].option, ToColumn) and o.attribute == day]
    return [*(n for n in said if draft.pieces[n].span.text.lower() == "by" and own), *own]


def _anything(draft: Draft, at: int) -> bool:
    """ "have not delivered anything": what was done, where a date tells when."""
    behind = draft.word(at + 1)
    dates = [o for o in draft.pieces[at].span.options if isinstance(o, ToColumn) and o.attribute.role == "date"]
    return bool(dates) and behind == "anything"


def unmet(draft: Draft) -> None:
    """ "invoices still unpaid", "unbilled orders": no row of the table that is called like what was not done."""
    for i, piece in enumerate(draft.pieces):
        word = piece.span.text.lower()
        if piece.used or piece.option is not None or not word.startswith("un") or len(word) < _WORD_MIN:
            continue
        root = stem(word[2:])[:_ROOT]
        for entity in (p.option.entity for p in draft.pieces if isinstance(p.option, ToTable)):
            edges = draft.schema.edges.get(entity.name, ())
            rows = [draft.schema.entities[e.right] for e in edges if e.many and e.right != entity.name]
            rows = [other for other in rows if len(root) >= _ROOT_MIN and other.stems[-1].startswith(root)]
            if len(rows) == 1:
                draft.use(i)
                draft.assumptions.append(f"“{piece.span.text}” means: no {rows[0].many}")
                draft.related.append(RelatedWanted(rows[0], "=", 0, i))
                break


_WORD_MIN = 6
_ROOT, _ROOT_MIN = 5, 3
