"""Clauses that compare a row with its like: "longer than the average of their album", "above their team's average".
The figure is that of the rows which share a value with it.
"""

from __future__ import annotations

from assistant.embedded.clauses.choosing.standards import comparisons
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.ends import keys_to
from assistant.embedded.clauses.wanted import ComparedWanted, FilterWanted
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.meaning import Aggregate, Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue

_WHOSE = frozenset(("their", "its", "his", "her", "same", "the same", "own"))


def peers(draft: Draft) -> None:
    """A number against the average, the highest or the lowest of the rows of the same kind, place or owner."""
    for first, last, operator, attribute, said in comparisons(draft):
        whose = _whose(draft, last + 1)
        place = draft.after(whose, plain_max=1) if whose else None
        if place is not None and said is None and _against_superior(draft, (first, last, place), operator, attribute):
            return
        shared = _shared(draft, draft.open(place), attribute)
        if place is None or shared is None or shared == attribute:
            continue
        tail = [n for n in range(last + 1, place) if draft.pieces[n].option is not None and n != whose]
        behind = draft.after(place, plain_max=1)
        if not tail and said is None and draft.cue_at(behind, "average", "maximum", "minimum") and behind is not None:
            tail.append(behind)  # "above their department average"
        aggregate: Aggregate | None = said
        for n in reversed(tail):
            aggregate = _figure(draft, n) or aggregate
        if aggregate is None or not all(_says_it(draft, n, attribute) for n in tail):
            continue
        before, after = draft.before(first, plain_max=3), draft.after(max([place, *tail]), plain_max=0)
        again = [n for n in (before, after) if n is not None and _is_column(draft.open(n), attribute)]
        draft.use(*range(first, last + 1), whose, place, *tail, *again)
        draft.compared.append(ComparedWanted(attribute, operator, aggregate, shared=shared))
        return


def _whose(draft: Draft, start: int) -> int:
    """The place of the "their" that says whose figure it is, or 0; "below average, list their names" asks for names."""
    for n in range(start, len(draft.pieces)):
        if draft.pieces[n].span.parted:
            return 0
        if draft.pieces[n].span.text.lower() in _WHOSE:
            return n
    return 0


def _against_superior(draft: Draft, places: tuple[int, int, int], operator: Operator, attribute: Attribute) -> bool:
    """ "earns more than their boss": the same number of the row that a row refers to in its own table."""
    first, last, place = places
    option = draft.open(place)
    key = option.attribute if isinstance(option, ToColumn) else None
    if key is None or key.table != attribute.table or not any(column == key for column, _ in draft.schema.superiors):
        return False
    before = draft.before(first, plain_max=2)
    again = [before] if before is not None and _is_column(draft.open(before), attribute) else []
    draft.use(*range(first, last + 1), place, *again)
    draft.filters.append(FilterWanted(attribute, operator, (), piece=place, other=attribute, above=key))
    return True


def _shared(draft: Draft, option: Option | None, attribute: Attribute) -> Attribute | None:
    """The column that rows of the number's table have in common: one of their own, or their key to what is named."""
    if isinstance(option, ToColumn) and option.attribute.table == attribute.table:
        names = option.attribute.name in draft.entity_of(attribute).label  # "and their names": nothing that they share
        return option.attribute if not option.attribute.is_number and not names else None
    table = option.entity.name if isinstance(option, ToTable) else ""
    if isinstance(option, ToColumn):
        table = option.attribute.table if option.attribute.name in draft.entity_of(option.attribute).label else ""
    keys = keys_to(draft, draft.entity_of(attribute), table) if table else []
    return keys[0] if len(keys) == 1 else None


def _figure(draft: Draft, at: int) -> Aggregate | None:
    """The figure that a word names."""
    cue = draft.cue_at(at, "average", "maximum", "minimum", "best")
    if cue is None or cue.hints:
        return None
    if cue.kind == "average":
        return "average"
    return "maximum" if cue.kind == "maximum" or cue.argument == "desc" else "minimum"


def _says_it(draft: Draft, at: int, attribute: Attribute) -> bool:
    """Whether a word in between speaks of nothing but the number, its table and the figure of it."""
    option = draft.open(at)
    if isinstance(option, ToTable):
        return option.entity.name == attribute.table
    if isinstance(option, Cue):
        return _figure(draft, at) is not None or option.kind == "with"
    return _is_column(option, attribute)


def _is_column(option: Option | None, attribute: Attribute) -> bool:
    return isinstance(option, ToColumn) and option.attribute == attribute
