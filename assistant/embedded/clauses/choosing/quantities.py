"""Clauses about how many related rows there are: "between 2 and 4 tours", "with two tours", "over 3 night tours"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Entity
from assistant.embedded.words.vocabulary import HAVING

_KINDS = frozenset(("kind", "kinds", "sort", "sorts", "type", "types", "of"))
_JUST = frozenset(("just", "only", "exactly"))
_LINKS = frozenset(("and", "to"))


def past_counting(draft: Draft, places: list[int], after: int | None) -> int | None:
    """ "at least two different customers", "over 500 total horses": what is counted stands behind the word.

    Behind a comma another figure begins: "for cities with a size over 500, the sum of horses".
    """
    while after is not None and draft.cue_at(after, "distinct", "sum", "count") and after == max(places) + 1:
        if draft.pieces[after].span.parted:
            return after
        beyond = draft.after(after, plain_max=2)
        option = draft.open(beyond)
        column = isinstance(option, ToColumn) and (option.attribute.is_number or bool(draft.cue_at(after, "distinct")))
        counts = isinstance(option, ToTable) or column
        if not counts and not draft.cue_at(beyond, "sum", "count"):
            return after
        places.append(after)
        after = beyond
    return after


def stands_near(draft: Draft, at: int, after: int) -> bool:
    """Whether at most one word stands between, beside those that only say "kinds of"."""
    between = [p for p in draft.pieces[at + 1 : after] if p.span.text.lower() not in _KINDS]
    return len(between) <= 1


def quantities(draft: Draft) -> None:
    """ "drivers with two tours", "depots that have only one night tour": exactly so many."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToNumber) or not draft.content_before(i) or not _is_had(draft, i):
            continue
        found = counted_behind(draft, i)
        if found is not None:
            draft.use(i, found[0])
            draft.related.append(RelatedWanted(found[1], "=", int(piece.option.number), found[0]))


def between(draft: Draft, at: int) -> bool:
    """ "between 2 and 4 tours": at least so many and at most so many rows."""
    low, high = at + 1, at + 3
    if high >= len(draft.pieces) or draft.pieces[at + 2].span.text.lower() not in _LINKS:
        return False
    least, most, found = draft.open(low), draft.open(high), counted_behind(draft, high)
    if not isinstance(least, ToNumber) or not isinstance(most, ToNumber) or found is None:
        return False
    if not draft.content_before(at):
        return False
    draft.use(at, low, at + 2, high, found[0])
    bounds: tuple[tuple[Operator, float], ...] = ((">=", least.number), ("<=", most.number))
    draft.related += [RelatedWanted(found[1], operator, int(number), found[0]) for operator, number in bounds]
    return True


def counted_behind(draft: Draft, at: int) -> tuple[int, Entity] | None:
    """The rows that a number counts: a table right behind it, over a value that says which of them."""
    place = at + 1
    while place < len(draft.pieces) and (isinstance(draft.open(place), ToValue) or _is_modifier(draft, place)):
        place += 1
    option = draft.open(place)
    return (place, option.entity) if isinstance(option, ToTable) else None


def _is_modifier(draft: Draft, at: int) -> bool:
    """The first noun of "student enrolment" has said all it says."""
    return draft.pieces[at].used and draft.pieces[at].option is None


def _is_had(draft: Draft, at: int) -> bool:
    """Whether the number is one of what something has: "with two", "have held two", "has only one"."""
    place = at - 1
    while place >= 0 and draft.pieces[place].span.text.lower() in _JUST:
        place -= 1
    said = [piece.span.text.lower().split()[-1] for piece in draft.pieces[max(place - 1, 0) : place + 1]]
    if said and draft.pieces[place].option is None and said[-1].endswith(_DEEDS):
        before = {p.span.text.lower().split()[0] for p in draft.pieces[max(place - 2, 0) : place]}
        if before & {"who", "that", "which"}:
            return True  # "who made one film"
    return bool(HAVING & set(said[-1:])) or (len(said) > 1 and said[0] in HAVING and draft.pieces[place].option is None)


_DEEDS = ("ed", "de", "ve", "ht", "ld", "ok")
"""How verbs of the past end: opened, made, gave, bought, sold, took."""
