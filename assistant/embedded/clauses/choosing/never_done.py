"""Clauses about what was never done: "who bought nothing", "products never sold", "in 2024 but not in 2025".

No word need name the rows of what was done: they are those that belong to what was named and tell what happened to it.
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.naming.verbs import traded
from assistant.embedded.clauses.wanted import RelatedWanted
from assistant.embedded.linking.options import ToPeriod, ToTable
from assistant.embedded.linking.persons import is_person
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import day_for, happens
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import TRADE, word_set

_GUESSED = 0.06
"""What it costs that a verb which nothing is called by is taken for the one thing that happens to the rows."""
VERBS_MAX = 4
"""How many words may stand between a "not" and what is not to be: "did not pay with cash"."""


def never_traded(draft: Draft, at: int) -> None:
    """ "products that were never sold", "never used", "customers who never bought anything": no name is like the verb.

    What was done may be a word of the denial itself ("never bought") or the one behind it ("never gave").
    """
    if not draft.content_before(at):
        return
    said = draft.pieces[at].span.text.lower().split()
    behind = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    word = behind.span.text.lower() if behind is not None and not isinstance(behind.option, ToPeriod) else ""
    entity = traded(draft.schema, word) or traded(draft.schema, said[-1])
    done = word in CONCERNED or any(text in CONCERNED for text in said)
    unknown = behind is not None and behind.option is None and is_past(word) and bool(_NEVER & set(said))
    guessed = entity is None and unknown and not done
    if entity is None and (done or unknown):
        entity = _only_child(draft, at, word)
    if entity is None and _NOBODY & set(said):
        entity = _only_people(draft, at)
    if entity is None:
        return
    further = [p.span.text.lower() for p in draft.pieces[at + 1 : at + 4]]
    draft.use(at, *(at + 1 + n for n, text in enumerate(further) if text in _ANYTHING))
    draft.penalty += _GUESSED if guessed else 0.0
    if not guessed:  # a verb that nothing is called by is still said not to be understood
        draft.use(*(at + 1 + n for n, text in enumerate(further) if text == word))
    draft.related.append(RelatedWanted(entity=entity, operator="=", count=0, at=at + 1))


CONCERNED = word_set(
    """used involved assigned included chosen selected taken needed linked bought buy sold made make placed had received
    gave given give done got helped help attended attend visited visit came come been here participated performed
    produced contacted touched worked held booked offered taught scheduled rented hired"""
)
"""What is said of a thing that rows of another table speak of, whatever these are called."""
_NEVER = frozenset(("never", "have", "has", "had", "did"))
_NOBODY = frozenset(("nobody", "noone", "one"))
_ANYTHING = frozenset(("anything", "anyone", "at", "all", "before", "yet", "ever", "here", "back", "something"))


def _only_child(draft: Draft, at: int, word: str) -> Entity | None:
    """The one table whose rows belong to those that were named, or the one of them whose rows are events or ties."""
    subject = draft.first_table(before=at)
    children = draft.schema.children(subject) if subject is not None else []
    if len(children) > 1:
        children = [child for child in children if child.bridge or happens(child)]
    behind = draft.after(at + (1 if word else 0), plain_max=VERBS_MAX)
    timed = behind is not None and isinstance(draft.pieces[behind].option, ToPeriod)
    if len(children) != 1 or not (behind is None or timed):
        return None
    child = children[0]
    draft.assumptions.append(f"“{draft.pieces[at].span.text} {word}”".replace(" ”", "”") + f" means: no {child.many}")
    return child


def _only_people(draft: Draft, at: int) -> Entity | None:
    """ "halls in which nobody works": the one kind of people that belong to what was named."""
    subject = draft.first_table(before=at)
    people = [child for child in draft.schema.children(subject) if is_person(child)] if subject is not None else []
    if len(people) != 1 or draft.after(at, plain_max=VERBS_MAX) is not None:
        return None
    draft.assumptions.append(f"“{draft.pieces[at].span.text}” means: none of the {people[0].many}")
    return people[0]


def _only_event(draft: Draft, entity: Entity) -> Entity | None:
    """The one kind of rows of a table that have a day and say what its rows did; what was traded first."""
    events = [e for e in draft.schema.children(entity) if day_for(draft.schema, e) is not None]
    traded_ = [e for e in events if _SALES & set(e.stems)]
    found = traded_ if len(traded_) == 1 else events
    if len(found) == 1:
        draft.assumptions.append(f"what {entity.many} did goes by {found[0].many}")
        return found[0]
    return None


def other_periods(draft: Draft) -> None:
    """ "customers who ordered in 2024 but not in 2025", "ordered in both 2024 and 2025": one period each."""
    if (found := two_periods(draft)) is None:
        return
    first, second = found
    tables = [(i, p.option.entity) for i, p in enumerate(draft.pieces[:first]) if isinstance(p.option, ToTable)]
    absent = denied_between(draft, first, second)
    if len(tables) == 1 and absent is not None and (done := _only_event(draft, tables[0][1])) is not None:
        tables.append((tables[0][0] + 1, done))  # "donors who gave last year but not this year"
    if len(tables) < 2 or tables[-1][1] == tables[0][1]:
        return
    place, events = tables[-1]
    both = next((i for i, _ in draft.cues("both") if place < i < first), None)
    if absent is None and both is None:
        return
    draft.use(place, first, second, *(i for i in (absent, both) if i is not None))
    draft.use(*(i for i, _ in draft.cues("and", "with", "which") if place < i < second))
    for at, missing in ((first, False), (second, absent is not None)):
        option = draft.pieces[at].option
        assert isinstance(option, ToPeriod), "chosen above"
        operator, count = ("=", 0) if missing else (">=", 1)
        draft.related.append(RelatedWanted(events, cast(Operator, operator), count, at, period=option.period))


def two_periods(draft: Draft) -> tuple[int, int] | None:
    """Where the two periods of a question stand; None where there are not just two."""
    periods = [i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToPeriod) and not p.used]
    return (periods[0], periods[1]) if len(periods) == 2 else None


def denied_between(draft: Draft, first: int, second: int) -> int | None:
    """Where the second of two things is denied: "in 2024 but not in 2025"."""
    return next((i for i, _ in draft.cues("not", "without") if first < i < second), None)


_SALES = frozenset(stem(word) for word in TRADE) | {"rental", "booking", "payment"}


def nothing(draft: Draft) -> None:
    """ "customers who bought nothing this year": no row of the one table that holds what people do."""
    for i, _ in draft.cues("nothing"):
        subject = draft.first_table(before=i)
        edges = draft.schema.edges.get(subject.name, ()) if subject is not None else ()
        events = [draft.schema.entities[e.right] for e in edges if e.many]
        bought = [e for e in events if _SALES & set(e.stems)]
        bought = bought or [e for e in events if happens(e)] or events
        verb = draft.open(i - 1) if i else None
        named = verb.entity if isinstance(verb, ToTable) and verb.entity in events else None
        if named is None and len(bought) != 1:
            raise Misfit("“nothing” of what? Please name it, as in “without orders”.", weight=6)
        entity = named or bought[0]
        draft.use(i, *([i - 1] if named else []))
        draft.assumptions.append(f"“nothing” means no {entity.many}")
        draft.related.append(RelatedWanted(entity, "=", 0, i))
