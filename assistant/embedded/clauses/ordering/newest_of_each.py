"""What is newest: "the latest balance", "the most recent price of each product", "the current stock per shop".

The rows that have the number are ranked by their day, within each group if one is named; of a row the number is shown.
The newest is not the highest: "latest balance" asks for no maximum.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.linking.options import ToColumn, ToTable
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity

_NEWEST = frozenset(("recent", "recently", "latest", "newest", "earliest"))


def newest_of_each(draft: Draft) -> None:
    """Rank the rows of a table by their day, within each of what follows "each", or all of them."""
    for i in _newest(draft):
        place, column = _column_at(draft, i)
        if place is None or column is None or column.is_time:
            continue
        each = next((at for at, cue in draft.cues("group") if at > place and cue.argument in ("each", "by")), None)
        groups, used = _each(draft, each, column)
        date = likeliest_date(draft.entity_of(column))
        if date is None or not (groups or _stands_alone(draft, i, place, each, column)):
            continue
        for at in (i, *range(i + 1, place + 1), *([each] if groups and each is not None else []), *used):
            draft.pieces[at].used = draft.pieces[at].aside = True
        draft.within += groups
        draft.shown.append(column)
        draft.order.append((date, "earliest" not in draft.pieces[i].span.text.lower()))
        draft.keep_extreme()
        draft.mention(column.table, *(g.name if isinstance(g, Entity) else g.table for g in groups))
        draft.assumptions.append(f"“{draft.pieces[i].span.text}” goes by {date.words}")
        return


def _newest(draft: Draft) -> list[int]:
    """The places of the words that may ask for what is newest; "last" and "current" do where nothing takes them."""
    found = [i for i, _ in draft.cues("best") if _NEWEST & set(draft.word(i).split())]
    return found + [i for i, p in enumerate(draft.pieces) if p.option is None and draft.word(i) in _NOW]


_NOW = frozenset(("last", "current"))


def _stands_alone(draft: Draft, at: int, place: int, each: int | None, column: Attribute) -> bool:
    """Whether no other rows are asked for that have the number: "the customer with the latest balance"."""
    others = [p.option for p in draft.pieces[:at] if isinstance(p.option, ToTable | ToColumn)]
    dated = draft.entity_of(column).attributes.values()
    return each is None and place == at + 1 and not others and any(a.role == "date" for a in dated)


def _column_at(draft: Draft, at: int) -> tuple[int | None, Attribute | None]:
    """The number that is asked for, with or without its table before it: "the latest review rating"."""
    place = draft.after(at, plain_max=1)
    option = draft.open(place)
    if isinstance(option, ToTable) and place is not None:
        following = draft.after(place, plain_max=0)
        beside = draft.open(following)
        if not (isinstance(beside, ToColumn) and beside.attribute.table == option.entity.name):
            return None, None
        place, option = following, beside
    if not isinstance(option, ToColumn) or not option.attribute.is_number:
        return None, None
    return place, option.attribute


def _each(draft: Draft, each: int | None, column: Attribute) -> tuple[list[Group], list[int]]:
    """What the newest is wanted for each of: a table, or a column that is no number."""
    place = draft.after(each, plain_max=1) if each is not None else None
    option = draft.open(place)
    if place is None or not isinstance(option, ToTable | ToColumn):
        return [], []
    following = draft.after(place, plain_max=0)
    beside = draft.open(following)
    own = isinstance(option, ToTable) and isinstance(beside, ToColumn) and beside.attribute.table == option.entity.name
    if own and following is not None and draft.touches(place, following) and isinstance(beside, ToColumn):
        return ([beside.attribute], [place, following]) if _names(beside.attribute) else ([], [])
    if isinstance(option, ToTable):
        return ([option.entity], [place]) if option.entity.name != column.table else ([], [])
    return ([option.attribute], [place]) if _names(option.attribute) else ([], [])


def _names(attribute: Attribute) -> bool:
    return not attribute.is_number and not attribute.is_time
