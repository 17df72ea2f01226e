"""The values that columns hold, by the words that they are said with."""

from __future__ import annotations

import re
from collections.abc import Iterable, Mapping, Sequence

from assistant.analyst.algebra import Column, Scalar
from assistant.analyst.linking.tokens import operators
from assistant.analyst.schema import Schema

Places = tuple[tuple[Column, Scalar], ...]
"""Columns, each with one of its values."""
SAID_MAX = 6
"""How many words a value is said with."""
_CHARS_MIN = 3
_CLASSES_MAX = 70
"""How many values a column has whose values are compared by meaning: as many as there are countries in a usual file."""


def values_held(schema: Schema) -> dict[str, Places]:
    """All values that profiles list, by their words in lower case: those of categories before those of texts."""
    places_of: dict[str, list[tuple[Column, Scalar]]] = {}
    roles = ("category", "flag", "name", "identifier", "text", "key")
    order = {role: i for i, role in enumerate(roles)}
    columns: Iterable[Column] = (c for c in schema.typed if schema.typed[c].role in order)
    for column in sorted(columns, key=lambda c: order[schema.typed[c].role]):
        profile = schema.profiled[column].profile
        absent = schema.typed[column].missing
        for value in (profile.values or ()) if profile else ():
            text = plain(value)
            if text and value not in absent and len(text) <= 60:
                places_of.setdefault(text, []).append((column, value))
    return {text: tuple(places) for text, places in places_of.items()}


def beginnings(values: Mapping[str, Places]) -> dict[str, Places]:
    """The first words of values of several words to the one value of each column that begins so: "United"."""
    columns_of: dict[str, dict[Column, list[Scalar]]] = {}
    for text, places in values.items():
        tokens = text.split()
        for size in range(1, min(len(tokens), SAID_MAX)):
            for column, value in places:
                columns_of.setdefault(" ".join(tokens[:size]), {}).setdefault(column, []).append(value)
    return {
        text: places
        for text, columns in columns_of.items()
        if (places := tuple((column, of[0]) for column, of in columns.items() if len(of) == 1))
    }


def classes(schema: Schema) -> dict[Column, tuple[str, ...]]:
    """The values of columns that put rows in few classes."""
    values_of: dict[Column, tuple[str, ...]] = {}
    for column, typed in schema.typed.items():
        profile = schema.profiled[column].profile
        values = tuple(v for v in (profile.values or ()) if v not in typed.missing and _is_word(v)) if profile else ()
        if typed.role in ("category", "flag", "name") and 0 < len(values) <= _CLASSES_MAX:
            values_of[column] = values
    return values_of


def _is_word(value: str) -> bool:
    return len(value) >= _CHARS_MIN and any(map(str.isalpha, value))


def plain(text: str) -> str:
    """The words of a text; "25 to 34" is the class that is written "25-34"."""
    tokens = re.findall(r"\w+", text.lower())
    return " ".join(word for at, word in enumerate(tokens) if not _joins_numbers(tokens, at))


def _joins_numbers(tokens: Sequence[str], at: int) -> bool:
    around = (*tokens[max(0, at - 1) : at], *tokens[at + 1 : at + 2])
    is_joint = any(category == "and" for category, _ in operators().get(tokens[at], ()))
    return is_joint and len(around) == 2 and all(map(str.isdigit, around))
