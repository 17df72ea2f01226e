"""Clauses about a number that a column equals: "store 5", "customer id 12", "courses with 3 credits"."""

from __future__ import annotations

from assistant.embedded.clauses.choosing.comparable import whole
from assistant.embedded.clauses.choosing.comparing import deny
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.vocabulary import HAVING, STOP_WORDS


def equal_numbers(draft: Draft) -> None:
    """ "store 5", "customer id 12", "with rating 4": a number right after a column or a table with such a key."""
    for i, piece in enumerate(draft.pieces):
        if piece.used or not isinstance(piece.option, ToNumber) or _says_how_often(draft, i):
            continue
        place = draft.before(i, plain_max=2)
        beside = draft.open(place)
        if _numbers_of(draft, i):
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
                attribute = _named_by_number(beside.entity, piece.option.number) or key
                draft.mention(beside.entity.name)
        at = i
        while attribute is not None and isinstance(option := draft.open(at), ToNumber):
            value = draft.pieces[at].span.text if attribute.column.kind == "text" else whole(option.number)
            draft.use(at)
            draft.filters.append(FilterWanted(attribute, "=", (value,), piece=at))
            at = _next_number(draft, at, several=draft.word(place).endswith("s"))  # "aged 35 or 36", "rooms 7 and 9"


def _named_by_number(entity: Entity, number: float) -> Attribute | None:
    """ "account 338", where no key is that high, and accounts are called by numbers: the name."""
    key, name = entity.attributes[entity.key[0]], entity.attributes[entity.label[0]]
    profile = key.column.profile
    high = profile.high if profile is not None else None
    beyond = isinstance(high, int | float) and number > high
    named = len(entity.label) == 1 and name.column.kind == "text" and str(whole(number)) in name.known_values
    return name if beyond and named else None


def _next_number(draft: Draft, at: int, *, several: bool) -> int:
    """The place of the next number of a list; the same place where none follows."""
    if draft.cue_at(at + 1, "or") or (several and draft.cue_at(at + 1, "and")):
        return at + 2 if isinstance(draft.open(at + 2), ToNumber) else at
    beside = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    return at + 1 if several and beside is not None and beside.span.parted else at


def _says_how_often(draft: Draft, at: int) -> bool:
    """ "who were visited once", "in charge of tours 3 times": no number that anything has."""
    behind = draft.word(at + 1)
    return draft.pieces[at].span.text.lower() in ("once", "twice", "thrice") or behind == "times"


def _numbers_of(draft: Draft, at: int) -> bool:
    """ "with 3 credits", "got 3 or 4 stars", "a 5 star rating": numbers before the column that holds such numbers."""
    places = [at]
    while draft.cue_at(places[-1] + 1, "or") and isinstance(draft.open(places[-1] + 2), ToNumber):
        places.append(places[-1] + 2)
    named = draft.open(places[-1] + 1)
    if not isinstance(named, ToColumn) or not named.attribute.is_number or not _is_held(draft, at):
        return False
    known = len(draft.filters)
    for place in places:
        number = draft.pieces[place].option
        assert isinstance(number, ToNumber), "chosen above"
        draft.filters.append(FilterWanted(named.attribute, "=", (whole(number.number),), piece=place))
    draft.use(*range(at, places[-1] + 2))
    deny(draft, at, draft.filters[known:], [])
    return True


def _is_held(draft: Draft, at: int) -> bool:
    """Whether the number before a place is what something has or gets, rather than how many or until when."""
    before = draft.pieces[at - 1] if at else None
    if before is None or not draft.content_before(at):
        return False
    verb = before.span.text.lower().split()[-1]
    again = verb == "and" and any(0 <= f.piece < at for f in draft.filters)
    said = before.option is None or isinstance(before.option, ToTable)
    return again or verb in _HOLDING or (said and verb not in STOP_WORDS - _ARTICLES)


_ARTICLES = frozenset(("a", "an"))
_HOLDING = HAVING | {
    "of", "get", "gets", "got", "give", "gives", "gave", "given", "receive", "receives", "received", "earn", "earns",
    "earned", "hold", "holds", "worth", "scored",
}  # fmt: skip
"""What may stand before a number of something."""
_EQUAL = frozenset(("", "is", "was", "of", "equal to", "is equal to", "as", "either", "is either", "numbered"))
"""What may stand between a column and the number that it equals."""
