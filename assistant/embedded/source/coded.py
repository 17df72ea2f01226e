"""States that a value holds in part or as a code: "won" of `4-Closed Won`, "open" of `OPN`, "paid" of `P`.

Looked for only in columns that tell how far a row has come, and where one value of the column alone can be meant.
"""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field
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


@dataclass(frozen=True, slots=True)
class Told:
    """The columns that tell by a few texts how far a row has come, and at which places of them a word may be told.

    `parts` holds the places of columns of which a value holds a word, by the word's root; those of `codes` have a code.
    """

    columns: tuple[Attribute, ...] = ()
    parts: dict[str, frozenset[int]] = field(default_factory=dict[str, frozenset[int]], repr=False)
    codes: frozenset[int] = frozenset()


def told_in(schema: Schema) -> Told:
    """The columns that tell by a few texts how far a row has come."""
    columns = tuple(attribute for attribute in schema.attributes if _tells(schema, attribute))
    parts: dict[str, set[int]] = defaultdict(set)
    for place, attribute in enumerate(columns):
        for word in {word for value in attribute.known_values for word in _words_of(value)}:
            parts[root(stem(word))].add(place)
    codes = (place for place, a in enumerate(columns) if any(_looks_coded(value) for value in a.known_values))
    return Told(columns, {word: frozenset(places) for word, places in parts.items()}, frozenset(codes))


def _tells(schema: Schema, attribute: Attribute) -> bool:
    if attribute.role != "text" or not _TELLING & set(attribute.own):
        return False
    beside = {word for other in schema.entities[attribute.table].attributes.values() for word in other.own}
    placed = bool(_PLACED & beside) and attribute.own == (stem("state"),)
    return not placed and 1 < len(attribute.known_values) <= _VALUES_MAX


def meant_by(words: Sequence[str], told: Told) -> Iterator[tuple[Attribute, str]]:
    """For each column, the one value of it that the words tell, if there is one."""
    said = told.parts.get(root(stem(words[0])), frozenset()) if len(words) == 1 else frozenset[int]()
    for attribute in (told.columns[place] for place in sorted(said | told.codes)):
        for fits in (_is_part, _is_code):
            found = [value for value in attribute.known_values if fits(words, value)]
            if len(found) == 1:
                yield attribute, found[0]
            if found:
                break


def _is_part(words: Sequence[str], value: str) -> bool:
    """ "won" of "4-Closed Won", "cancelled" or "cancellation" of "cancelled by patient"."""
    held = _words_of(value)
    if len(words) != 1 or len(held) + bool(re.search(r"\d", value)) < _PART_OF:
        return False
    said = root(stem(words[0]))
    return any(said == root(stem(word)) and (_is_state(word) or _is_state(words[0])) for word in held)


def _words_of(value: str) -> list[str]:
    return re.findall(r"[a-z]+", fold(value).replace("_", " "))


_PART_OF = 2
"""Of how many parts a value must be made for one of them to be but a part."""


def _is_code(words: Sequence[str], value: str) -> bool:
    """ "open" of OPN, "cancelled" of CXL, "out of order" of OOO, "paid" of P."""
    if not _looks_coded(value):
        return False
    if len(words) >= _INITIALS_MIN:
        return "".join(word[:1] for word in words).upper() == value
    word = words[0].upper()
    return len(words) == 1 and len(word) > len(value) and _is_state(words[0]) and _is_short_for(value, word)


def _looks_coded(value: str) -> bool:
    return value.isalpha() and value.isupper() and len(value) <= _CODE_MAX


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
