"""Clauses about what the source does not know: "whose email is missing", "with an empty note", "is not null"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn
from assistant.embedded.meaning import Operator

_PREDICATES = frozenset(("is", "are", "was", "were"))
_BETWEEN = frozenset(
    (*_PREDICATES, "has", "have", "had", "been", "a", "an", "the", "value", "values", "for", "of", "in")
)


def missing(draft: Draft) -> None:
    """A column of which a row has no value, or must have one."""
    for i, cue in draft.cues("missing"):
        denied = i - 1 if draft.cue_at(i - 1, "without", "not") else None  # "that is not null"
        place = _column(draft, i, first=i if denied is None else denied)
        option = draft.open(place)
        if place is None or not isinstance(option, ToColumn):
            continue
        if denied is None and place < i:
            denied = next((n for n in range(max(place - 4, 0), place) if draft.cue_at(n, "not")), None)
        draft.use(i, place, *([denied] if denied is not None else []))
        there = cue.argument == "present" or denied is not None
        operator: Operator = "present" if there else "missing"
        draft.filters.append(FilterWanted(option.attribute, operator, (), piece=place, some=True))


def _column(draft: Draft, at: int, *, first: int) -> int | None:
    """The column before "is missing", else the one behind "missing", else the one before."""
    before, after = draft.before(first, plain_max=3), draft.after(at, plain_max=3)
    said = first < at or draft.pieces[at].span.text.lower().split()[0] in _PREDICATES
    said = said or (at > 0 and draft.pieces[at - 1].span.text.lower() in _PREDICATES)
    for place in (before, after) if said else (after, before):
        option = draft.open(place)
        if place is None or not isinstance(option, ToColumn):
            continue
        inside = draft.pieces[place + 1 : first] if place < at else draft.pieces[at + 1 : place]
        if {p.span.text.lower() for p in inside} <= _BETWEEN:
            return place
    return None
