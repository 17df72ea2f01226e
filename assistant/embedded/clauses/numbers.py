"""Clauses about a number that a column equals: "store 5", "customer id 12", "courses with 3 credits"."""

from __future__ import annotations

from assistant.embedded.clauses.comparing import whole
from assistant.embedded.clauses.draft import Draft, FilterWanted
from assistant.embedded.linking.links import ToColumn, ToNumber, ToTable
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.vocabulary import HAVING


def equal_numbers(draft: Draft) -> None:
    """ "store 5", "customer id 12", "with rating 4": a number right after a column or a table with such a key."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToNumber):
            continue
        place = draft.before(i, plain_max=2)
        beside = draft.open(place)
        if _number_of(draft, i):
            continue
        if place is None:
            continue
        between = " ".join(p.span.text.lower() for p in draft.pieces[place + 1 : i])
        following = draft.pieces[i + 1].option if i + 1 < len(draft.pieces) else None
        if between not in _EQUAL or (between and isinstance(following, ToTable | ToColumn)):
            continue
        attribute: Attribute | None = None
        if isinstance(beside, ToColumn) and (
            beside.attribute.is_number or beside.attribute.role in ("key", "reference", "year", "text")
        ):
            attribute = beside.attribute
            draft.use(place)
        elif isinstance(beside, ToTable) and place == i - 1 and len(beside.entity.key) == 1:
            key = draft.schema.attribute(beside.entity.name, beside.entity.key[0])
            if key.column.kind == "integer":
                attribute = key
                draft.mention(beside.entity.name)
        at = i
        while attribute is not None and isinstance(option := draft.open(at), ToNumber):
            value = draft.pieces[at].span.text if attribute.column.kind == "text" else whole(option.number)
            draft.use(at)
            draft.filters.append(FilterWanted(attribute, "=", (value,), piece=at))
            at += 2 if draft.cue_at(at + 1, "or") else 0  # "aged 35 or 36"


def _number_of(draft: Draft, at: int) -> bool:
    """ "courses with 3 credits", "and 3 credits": a number before the column that holds such numbers."""
    following = draft.open(at + 1)
    verb = draft.pieces[at - 1].span.text.lower().split()[-1:] if at else []
    if not isinstance(following, ToColumn) or not following.attribute.is_number:
        return False
    if not _HOLDING & set(verb) and not (verb == ["and"] and any(0 <= f.piece < at for f in draft.filters)):
        return False
    number = draft.pieces[at].option
    assert isinstance(number, ToNumber), "asked of numbers alone"
    draft.use(at, at + 1)
    draft.filters.append(FilterWanted(following.attribute, "=", (whole(number.number),), piece=at))
    return True


_HOLDING = HAVING | {
    "of", "get", "gets", "got", "give", "gives", "gave", "given", "receive", "receives", "received", "earn", "earns",
    "earned", "hold", "holds", "worth", "scored",
}  # fmt: skip
"""What may stand before a number of something."""
_EQUAL = frozenset(("", "is", "was", "of", "equal to", "is equal to", "as", "either", "is either", "numbered"))
"""What may stand between a column and the number that it equals."""
