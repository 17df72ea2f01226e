"""States that a value holds in part or as a code: "won" of `4-Closed Won`, "open" of `OPN`, "paid" of `P`.

Looked for only in columns that tell how far a row has come, and where one value of the column alone can be meant.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

from assistant.embedded.source.schema import Attribute, Schema
from assistant.embedded.words.lexicon import fold, is_past, root, stem
from assistant.embedded.words.synonyms.states import STATES

_TELLING = frozenset(
    stem(word) for word in ("status", "state", "stage", "phase", "outcome", "result", "condition", "situation")
)
_PLACED = frozenset(stem(word) for word in ("city", "town", "country", "zip", "postcode", "street", "county"))
"""Columns beside which a state is one that lies in a country."""
_VALUES_MAX = 20
_CODE_MAX = 4
_INITIALS_MIN = 3
_MORE = ("won", "lost", "draft", "active", "inactive", "confirmed", "booked", "closed", "paid", "new", "no show")


def told_in(schema: Schema) -> tuple[Attribute, ...]:
    """The columns that tell by a few texts how far a row has come."""
    return tuple(attribute for attribute in schema.attributes if _tells(schema, attribute))


def _tells(schema: Schema, attribute: Attribute) -> bool:
    if attribute.role != "text" or not _TELLING & set(attribute.own):
        return False
    beside = {word for other in schema.entities[attribute.table].attributes.values() for word in other.own}
    placed = bool(_PLACED & beside) and attribute.own == (stem("state"),)
    return not placed and 1 < len(attribute.known_values) <= _VALUES_MAX


def meant_by(words: Sequence[str], columns: Sequence[Attribute]) -> Iterator[tuple[Attribute, str]]:
    """For each column, the one value of it that the words tell, if there is one."""
    for attribute in columns:
        for fits in (_is_part, _is_code):
            found = [value for value in attribute.known_values if fits(words, value)]
            if len(found) == 1:
                yield attribute, found[0]
            if found:
                break


def _is_part(words: Sequence[str], value: str) -> bool:
    """ "won" of "4-Closed Won", "cancelled" or "cancellation" of "cancelled by patient"."""
    held = re.findall(r"[a-z]+", fold(value).replace("_", " "))
    if len(words) != 1 or len(held) + bool(re.search(r"\d", value)) < _PART_OF:
        return False
    said = root(stem(words[0]))
    return any(said == root(stem(word)) and (_is_state(word) or _is_state(words[0])) for word in held)


_PART_OF = 2
"""Of how many parts a value must be made for one of them to be but a part."""


def _is_code(words: Sequence[str], value: str) -> bool:
    """ "open" of OPN, "cancelled" of CXL, "out of order" of OOO, "paid" of P."""
    if not value.isalpha() or not value.isupper() or len(value) > _CODE_MAX:
        return False
    if len(words) >= _INITIALS_MIN:
        return "".join(word[:1] for word in words).upper() == value
    word = words[0].upper()
    return len(words) == 1 and len(word) > len(value) and _is_state(words[0]) and _is_short_for(value, word)


def _is_short_for(code: str, word: str) -> bool:
    """Whether a word holds the letters of a code in their order, beginning with the same; an X may be any."""
    place = 0
    for at, letter in enumerate(code):
        place = place if letter == "X" and at else word.find(letter, place) + 1
        if place == 0 or (at == 0 and place != 1):
            return False
    return True


@lru_cache(maxsize=1024)
def _is_state(word: str) -> bool:
    """Whether a word says how far something has come: a participle, or one of the common words for it."""
    return is_past(word) or root(stem(word)) in _STATES


_STATES = frozenset(
    root(stem(word)) for word in (*_MORE, *(word for group in STATES for word in group)) if " " not in word
)
