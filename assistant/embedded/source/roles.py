"""What a column is for: its role, guessed from its name, its kind and what its values are like."""

from __future__ import annotations

import re
from typing import TYPE_CHECKING

from assistant.embedded.source.notation import YEARS
from assistant.embedded.source.schema import ADDS_UP, DOES_NOT_ADD, Role, known_of
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import word_set

if TYPE_CHECKING:
    from assistant.data.catalog import Column

_FLAGS = tuple(frozenset(pair) for pair in (("0", "1"), ("y", "n"), ("yes", "no"), ("true", "false"), ("t", "f")))
_TRUE = frozenset(("1", "y", "yes", "true", "t"))
_SAID: dict[str, Role] = {
    **dict.fromkeys(("identifier", "name", "category", "text"), "text"),
    **dict.fromkeys(("measure", "stock", "rate", "duration"), "number"),
    "date": "date",
    "other": "other",
}
"""What a person's correction (`assistant.analyst.roles.Role`) is here; a key or a flag is known by its values."""


def role_of(
    column: Column, stems: tuple[str, ...], reference: bool, primary: bool, alone: bool
) -> tuple[Role, str | int | bool | None]:
    """A column's role, and for a flag the value that says yes.

    `reference` is whether it refers to another table, `primary` whether the key holds it, and `alone` whether that key
    is one column.
    """
    if column.role in _SAID:  # a person said what it is
        return _SAID[column.role], None
    says_year = stems[-1] == "year" or (stems[0] == "year" and column.profile is not None)  # `year_published`
    if says_year and column.kind in ("integer", "number") and _years(column):
        return "year", None  # also where it is the key, or a part of it: "courses of the autumn of 2024"
    if reference and not (primary and alone):
        return "reference", None
    if column.kind == "boolean":
        return "flag", True
    profile = column.profile
    sexes = {"sex", "gender"} & set(stems)
    if profile and profile.values and len(profile.values) <= 2 and not sexes:
        values = {v.lower() for v in profile.values}
        if any(len(values & flag) == len(values) and values & _TRUE for flag in _FLAGS):
            return "flag", next(v for v in profile.values if v.lower() in _TRUE)
    if (
        not sexes
        and profile
        and column.kind == "integer"
        and profile.distinct <= 2
        and (profile.low, profile.high) == (0, 1)
    ):
        return "flag", 1
    if column.kind in ("date", "datetime"):
        return "date", None
    if primary and (stems[-1] == "id" or column.kind in ("integer", "number")):
        return "key", None
    if column.kind in ("integer", "number"):
        if stems[-1] in ("id", "code", "zip", "phone", "number") and stems[-1] != "number":
            return "text" if stems[-1] != "id" else "key", None
        return ("text" if len(stems) > 1 and stems[-1] in _RUNNING and _runs_on(column) else "number"), None
    if column.kind == "text" and _numeric_text(column, stems):
        return "number", None
    if column.kind == "text":
        return ("year" if stems[-1] == "year" and _years(column) else "text"), None
    return "other", None


_RUNNING = frozenset(("no", "nr", "number"))
_RUNS_FROM = 100
"""From which number on one that is given to things in turn is no count of anything."""


def _runs_on(column: Column) -> bool:
    """Whether numbers are given in turn, as to orders: whole ones, each about once or in every line of an order."""
    profile = column.profile
    if column.kind != "integer" or profile is None or profile.distinct < _RUNS_FOR:
        return False
    low, high = profile.low, profile.high
    return (
        isinstance(low, int) and isinstance(high, int) and low >= _RUNS_FROM and high - low < _GAPS * profile.distinct
    )


_RUNS_FOR = 20
"""From how many numbers on it tells that they run."""
_GAPS = 2


def _numeric_text(column: Column, stems: tuple[str, ...]) -> bool:
    """Whether a text column holds measurements: numbers or nothing by all that is known of it, and by its name."""
    profile = column.profile
    if profile is None or set(stems) & _CODES:
        return False
    if profile.distinct < _DISTINCT_MIN and not set(stems) & (ADDS_UP | DOES_NOT_ADD):
        return False
    texts = [text for value in known_of(column) if (text := str(value).strip())]
    return bool(texts) and all(_PLAIN_NUMBER.fullmatch(text) for text in texts)


_DISTINCT_MIN = 3
_PLAIN_NUMBER = re.compile(r"-?[$€£]? ?-?(?:0|[1-9]\d{0,8}|[1-9]\d{0,2}(?:,\d{3})+)(?:\.\d+)? ?[%€]?")
_CODES = frozenset(
    stem(word)
    for word in word_set(
        """id code zip postcode phone number no year date month day key version ref isbn fax mobile name title detail
        description address label"""
    )
)


def _years(column: Column) -> bool:
    if column.profile is None or column.profile.low is None or column.profile.high is None:
        return True
    try:
        return YEARS[0] <= float(str(column.profile.low)) <= float(str(column.profile.high)) <= YEARS[1]
    except ValueError:
        return False
