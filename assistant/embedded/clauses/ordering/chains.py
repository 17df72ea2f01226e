"""Rows sorted by several columns, each order within the one before: "by floor and then by rent"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.linking.options import ToColumn


def one_by_one(draft: Draft) -> None:
    """ "list the flats by floor and then by rent": one order within the other, and nothing is broken down."""
    if draft.wanted or draft.cues("count", "sum", "average", "minimum", "maximum", "how_much"):
        return
    for i, cue in draft.cues("group"):
        then = any(draft.word(n) in _THEN for n in range(i, len(draft.pieces)))
        if cue.argument == "by" and then and chain(draft, draft.after(i, plain_max=1), first_down=False):
            draft.use(i)


def chain(draft: Draft, first: int | None, *, first_down: bool) -> bool:
    """ "by price in descending order, and then by name", "first by price, then weight": each in its own order."""
    if first is None or not isinstance(draft.open(first), ToColumn):
        return False
    places = [first]
    while (following := next_in_chain(draft, places[-1])) is not None:
        places.append(following)
    if len(places) == 1:
        return False
    for place, following in zip(places, [*places[1:], len(draft.pieces)], strict=True):
        said = [(i, cue) for i, cue in draft.cues("direction", "sort") if place < i < following]
        descending = any(cue.argument == "desc" for _, cue in said) or (first_down and not said and place == first)
        option = draft.open(place)
        if isinstance(option, ToColumn):
            draft.use(place, *(i for i, _ in said))
            draft.order.append((option.attribute, descending))
    return True


def next_in_chain(draft: Draft, at: int) -> int | None:
    """The next column that rows are sorted by, and the words that lead to it are used."""
    leading: list[int] = []
    goes_on = False
    for i in range(at + 1, len(draft.pieces)):
        text, option = draft.pieces[i].span.text.lower(), draft.open(i)
        if isinstance(option, ToColumn):
            if goes_on or (draft.pieces[i].span.parted and i == at + 1):
                draft.use(*leading)
                return i
            return None
        goes_on = goes_on or text in _THEN
        cue = draft.cue_at(i, "group", "sort", "and", "direction", "count")
        if draft.pieces[i].used and draft.pieces[i].option is None:
            continue  # a word that says nothing more: "by director name"
        if (option is not None and cue is None) or (option is None and text not in (*_THEN, "the", "by")):
            return None
        if cue is not None and cue.kind == "count" and not goes_on:
            return None
        if cue is not None and cue.argument not in ("asc", "desc"):
            leading.append(i)
    return None


_THEN = frozenset(("then", "lastly", "finally", "afterwards"))
