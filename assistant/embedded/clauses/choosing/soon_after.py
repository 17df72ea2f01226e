"""One date within so many days of another: "users who paid within 7 days of joining", "reported within a week of it".

Whole days are counted, and what lies before the first date does not count.
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import fold, stem
from assistant.embedded.words.vocabulary import DAYS, word_set

_DAYS = {**DAYS, "quarter": 91}
_NO_VALUE = -1000
"""A place that is near none, so that the condition stays by itself."""
_ROOT = 4
"""How many first letters a verb and the name of a date must share to belong together: "joining", `joined_on`."""
_BEGINNING = frozenset(
    stem(word)
    for word in word_set("joining signing signup registering registration enrolling enrolment hiring creating created")
)
"""What people do once, at the beginning: the day is that of their own table, whatever it is called."""
_WORDS_MAX = 6


def soon_after(draft: Draft) -> None:
    """Compare two dates of what the question speaks of."""
    for i, cue in draft.cues("soon_after"):
        if "soon" in cue.hints:
            _done_soon(draft, i, (cue.number or 1) * _DAYS[cue.argument])
            continue
        anchor = _anchor(draft, i)
        later = _event(draft, i, anchor) if anchor else None
        if anchor is None or later is None or later == anchor:
            continue
        if draft.cues("without", "not", "nothing"):
            raise Misfit("That something did not follow so soon is more than I can read.", weight=5)
        days = (cue.number or 1) * _DAYS[cue.argument]
        draft.use(i)
        draft.mention(anchor.table, later.table)
        operator = cast(Operator, cue.hints[0]) if cue.hints else "<="
        if operator in ("<", "<="):
            draft.assumptions.append(f"{later.words} is not before {anchor.words}")
        draft.filters.append(FilterWanted(later, operator, (), piece=_NO_VALUE, other=anchor, days=days))


def _done_soon(draft: Draft, at: int, days: int) -> None:
    """ "tickets closed within 3 days": so many days after they came, by the date that the verb names."""
    verb = draft.before(at, plain_max=1)
    if verb is None:
        return
    options = draft.pieces[verb].span.options
    dates = [o.attribute for o in options if isinstance(o, ToColumn) and o.attribute.role == "date"]
    pairs = [(later, begun) for later in dates if (begun := _begun(draft, later)) is not None]
    if not pairs:
        raise Misfit("I do not know from which day on these days count.", weight=4)
    later, begun = pairs[0]
    draft.use(at, verb)
    draft.pieces[verb].option = None
    draft.mention(later.table)
    draft.assumptions.append(f"the days count from {begun.words} to {later.words}")
    draft.filters.append(FilterWanted(later, "<=", (), piece=_NO_VALUE, other=begun, days=days))


def _begun(draft: Draft, later: Attribute) -> Attribute | None:
    """The day on which the rows came that something was later done to; a day foreseen is none."""
    found = likeliest_date(draft.entity_of(later))
    return found if found is not None and found.role == "date" and found != later else None


def _anchor(draft: Draft, at: int) -> Attribute | None:
    """The date that is counted from, and its words as used."""
    places = range(at + 1, min(at + 1 + _WORDS_MAX, len(draft.pieces)))
    for place in places:
        option = draft.open(place)
        if isinstance(option, ToColumn) and option.attribute.role == "date":
            draft.use(*(n for n in range(at + 1, place + 1) if not isinstance(draft.pieces[n].option, ToTable)))
            return option.attribute
    for place in places[:2]:
        found = _by_verb(draft, draft.pieces[place].span.text)
        if found is not None:
            draft.use(place)
            draft.pieces[place].aside = True
            return found
    option = draft.open(draft.after(at, plain_max=1))
    return likeliest_date(option.entity) if isinstance(option, ToTable) else None


def _by_verb(draft: Draft, text: str) -> Attribute | None:
    """ "of joining", "of being created": a date that is named like the verb, else the one of what begins so."""
    words = fold(text).split()
    tables = [draft.schema.entities[name] for name in draft.mentioned]
    dates = [a for e in tables for a in e.dates if a.role == "date"]
    for word in words:
        root = stem(word)[:_ROOT]
        named = [a for a in dates if any(len(root) == _ROOT and s.startswith(root) for s in a.stems)]
        if len(named) == 1:
            return named[0]
    if not any(stem(word) in _BEGINNING for word in words):
        return None
    return next((date for e in tables if (date := likeliest_date(e)) is not None), None)


def _event(draft: Draft, at: int, anchor: Attribute) -> Attribute | None:
    """The date of what happened: one that is named before, else that of the nearest rows that are spoken of."""
    for place in range(at - 1, -1, -1):
        option = draft.pieces[place].option
        if isinstance(option, ToColumn) and option.attribute.role == "date" and option.attribute != anchor:
            draft.use(place)
            return option.attribute
        if isinstance(option, ToTable) and (date := _date_of(option.entity, anchor)) is not None:
            return date
    return None


def _date_of(entity: Entity, anchor: Attribute) -> Attribute | None:
    date = likeliest_date(entity)
    return date if date is not None and date.role == "date" and entity.name != anchor.table else None
