"""What a column is: its role, unit and missing markers, found from its name, its kind, its keys and its values.

The role decides what may be computed: identifiers, rates and dates are never summed, stocks never over time. This
module looks at one column at a time; `schema` tells it what the keys are.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable
from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal, get_args

from assistant.analyst.lexicon.files import listed, section
from assistant.analyst.names import words_of
from assistant.sources.reading.missing import missing_in

if TYPE_CHECKING:
    from assistant.core.catalog import Column
    from assistant.core.values import Scalar

Role = Literal[
    "key",  # identifies a row, or refers to one
    "identifier",  # a code, number or address that stands for something; never computed with
    "name",  # what things are called
    "category",  # one of a few words
    "flag",  # one of two values
    "text",  # prose
    "date",  # a day or an instant
    "part",  # a part of a date, as a number: year, month, ...
    "measure",  # adds up, over rows and over time
    "stock",  # a level at a time: adds up over things, not over time
    "rate",  # a ratio, a price, a score: never adds up
    "duration",  # a length of time
    "other",  # nothing that can be computed with
]
MEASURED: frozenset[Role] = frozenset(("measure", "stock", "rate", "duration"))
"""Roles whose values are quantities."""

_FEW = 30
_SHARE_OF_ROWS = 0.3
_MOST = 0.9
_NAME_CHARS_MAX = 60
_CODES_MAX = 12
_NUMBER = re.compile(r"[-+]?[\d,]*\.?\d+")
_DAY = re.compile(r"\d{4}-\d\d(-\d\d)?([ T].*)?")


@dataclass(frozen=True, slots=True, kw_only=True)
class Typed:
    """What was found out about a column.

    Attributes:
        role: What the column is.
        words: The words of its name, in base form.
        part: For the role `part`, which part of a date: `year`, `month`, ...; else empty.
        unit: The unit its name tells, such as `percent` or `day`; else empty.
        missing: Values that stand for "no value", such as `NA`; NULL always does.
        numeric: Whether its values are numbers.
        open_until: For an end of validity, the value that means "still valid": a far day, or None for NULL; else "".
        counts_rows: Whether it is the number of the row in its file, which says nothing of what the row is about.
        running: Whether it is a running total.
    """

    role: Role
    words: tuple[str, ...]
    part: str = ""
    unit: str = ""
    missing: tuple[str, ...] = ()
    numeric: bool = False
    open_until: Scalar = ""
    counts_rows: bool = False
    running: bool = False

    @property
    def adds_over_things(self) -> bool:
        """Whether it is a level that adds up over things at one time: a population, but no age."""
        return self.role == "stock" and not listed("columns", "adds over things").isdisjoint(self.words)

    @property
    def is_measured(self) -> bool:
        """Whether its values are quantities."""
        return self.role in MEASURED


@dataclass(frozen=True, slots=True, kw_only=True)
class _Seen:
    """One column as the rules see it."""

    column: Column
    words: tuple[str, ...]
    values: tuple[Scalar, ...]
    missing: tuple[str, ...]
    rows: int
    is_key: bool

    @property
    def numeric(self) -> bool:
        return self.column.kind in ("integer", "number", "duration")

    @property
    def distinct(self) -> int:
        profile = self.column.profile
        return (profile.distinct if profile else 0) - len(self.missing)

    def bounds(self) -> tuple[float, float] | None:
        """The least and the greatest number."""
        profile = self.column.profile
        low, high = (profile.low, profile.high) if profile else (None, None)
        if isinstance(low, int | float) and isinstance(high, int | float):
            return float(low), float(high)
        return None

    def says(self, key: str) -> bool:
        """Whether a word of the name speaks for a role."""
        return not listed("columns", "roles", key).isdisjoint(_telling(self.words))


def typed(column: Column, *, rows: int, is_key: bool, table: str = "", said: str = "") -> Typed:
    """Type a column.

    Args:
        column: The column with its profile.
        rows: How many rows its table has.
        is_key: Whether it is, by itself, the table's key, or refers to another table's.
        table: The table's name.
        said: The column's name as it is said, where it is not as written.
    """
    values = _known_values(column)
    has_empty = column.profile is not None and column.profile.nulls > 0
    missing = missing_in((value for value in values if isinstance(value, str)), has_empty=has_empty)
    kept = tuple(v for v in values if v not in missing)
    seen = _Seen(
        column=column, words=words_of(said or column.name), values=kept, missing=missing, rows=rows, is_key=is_key
    )
    part = _part(seen)
    role = _said(column) or ("part" if part else _of_rows(_role(seen), column, table))
    part = part if role == "part" else ""
    return Typed(
        role=role,
        words=seen.words,
        part=part,
        unit="hour" if column.kind == "duration" else _unit(_telling(seen.words)),
        missing=missing,
        numeric=seen.numeric,
        counts_rows=_counts_rows(seen),
        running=_is_running(seen),
        open_until=_open_until(seen) if role == "date" else "",
    )


def _telling(name: tuple[str, ...]) -> list[str]:
    """The words of a name that tell what it is: not the hours of "trips over the past 24 hours"."""
    spans = listed("columns", "roles", "duration")
    return [word for i, word in enumerate(name) if not (i and name[i - 1].isdigit() and word in spans)]


def _counts_rows(seen: _Seen) -> bool:
    """Whether a column holds 1, 2, 3, ... and has no name of its own."""
    first, last = seen.bounds() or (0.0, 0.0)
    is_full = seen.column.kind == "integer" and 1 < seen.rows == seen.distinct == last - first + 1
    return is_full and first in (0, 1) and " ".join(seen.words) in listed("columns", "row numbers")


def _is_running(seen: _Seen) -> bool:
    """Whether it is a running total, by its values or its name."""
    is_said = any(f" {said} " in f" {' '.join(seen.words)} " for said in listed("columns", "running totals"))
    return seen.numeric and (is_said or (seen.column.profile is not None and seen.column.profile.running))


def _of_rows(role: Role, column: Column, table: str) -> Role:
    """The role in its table: a number called what a row is, `flight` of `flights`, tells rows apart; no plural does."""
    name = column.name
    is_one = name.casefold() != table.casefold() and words_of(name) == words_of(table) and name[-1:] not in "sS"
    return "identifier" if is_one and role == "measure" and column.kind == "integer" else role


def _said(column: Column) -> Role | None:
    """The role that a person gave the column; None where nobody did, or where it is no role."""
    return next((role for role in get_args(Role) if role == column.role), None)


def _known_values(column: Column) -> tuple[Scalar, ...]:
    profile = column.profile
    if profile is None:
        return ()
    return profile.values if profile.values is not None else tuple(value for value, _ in profile.top)


def _texts(seen: _Seen) -> list[str]:
    return [value for value in seen.values if isinstance(value, str)]


def _part(seen: _Seen) -> str:
    """Which part of a date a number is; empty if none."""
    bounds = seen.bounds()
    if seen.column.type == "YEAR":
        return "year"
    if not seen.numeric or bounds is None or seen.is_key:
        return ""
    low, high = bounds
    is_plural = seen.column.name[-1] in "sS"  # "hours" are a quantity, as years of two digits are
    for part, limits in section("columns", "parts").items():
        if is_plural and part not in ("year", "weekday"):
            continue
        if part in (seen.words[-1], seen.words[0]) and isinstance(limits, list):
            least, most = (float(str(limit)) for limit in limits)
            if least <= low and high <= most and float(low).is_integer() and not seen.says("identifier"):
                return part
    first, last = section("columns", "years of two digits").values()
    is_short = seen.words[-1] == "year" and not is_plural and seen.column.kind == "integer"
    return "year" if is_short and float(str(first)) <= low < high <= float(str(last)) else ""


def _is_date(seen: _Seen) -> bool:
    if seen.column.kind in ("date", "datetime"):
        return True
    texts = _texts(seen)
    return seen.column.kind == "text" and bool(texts) and all(_DAY.fullmatch(text) for text in texts)


def _is_flag(seen: _Seen) -> bool:
    if seen.column.kind == "boolean":
        return True
    if seen.numeric:
        return seen.bounds() == (0.0, 1.0) and seen.distinct <= 2 and seen.column.kind == "integer"
    truths = listed("columns", "affirmative") | listed("columns", "negative")
    return seen.distinct == 2 and {str(v).strip().casefold() for v in seen.values} <= truths


def _is_identifier(seen: _Seen) -> bool:
    ends = seen.words[-1] in listed("columns", "roles", "identifier")
    if not ends or (seen.words[0] in ("number", "total", "count") and seen.numeric):
        return False
    counted = seen.words[-1] == "number" and len(seen.words) == 1 and seen.numeric and seen.distinct < seen.rows
    return not counted


def _is_text_number(seen: _Seen) -> bool:
    texts = _texts(seen)
    return seen.column.kind == "text" and bool(texts) and all(_NUMBER.fullmatch(text.strip()) for text in texts)


def _is_name(seen: _Seen) -> bool:
    if seen.column.kind != "text":
        return False
    if seen.words[-1] in listed("columns", "roles", "name") and seen.distinct > min(_FEW, _MOST * seen.rows):
        return True
    return seen.distinct > max(_FEW, _SHARE_OF_ROWS * seen.rows) and _longest(seen) <= _NAME_CHARS_MAX


def _is_category(seen: _Seen) -> bool:
    if seen.numeric:
        return seen.says("category") and seen.distinct <= _CODES_MAX and seen.column.kind == "integer"
    return seen.column.kind == "text" and _longest(seen) <= _NAME_CHARS_MAX


def _longest(seen: _Seen) -> int:
    return max((len(text) for text in _texts(seen)), default=0)


def _is_rate(seen: _Seen) -> bool:
    return seen.numeric and seen.says("rate") and not {"total", "count", "number"} & set(seen.words)


_RULES: tuple[tuple[Role, Callable[[_Seen], bool]], ...] = (
    # From what is certain to what is guessed: keys and types are facts, words of a name are evidence.
    ("key", lambda seen: seen.is_key),
    ("date", _is_date),
    ("other", lambda seen: seen.column.kind in ("binary", "other", "time")),
    ("duration", lambda seen: seen.column.kind == "duration"),
    ("flag", _is_flag),
    ("identifier", lambda seen: _is_identifier(seen) or _counts_rows(seen)),
    ("stock", _is_running),
    ("category", lambda seen: seen.numeric and _is_category(seen)),
    ("rate", _is_rate),
    ("measure", lambda seen: seen.numeric and seen.says("measure")),
    ("duration", lambda seen: seen.numeric and seen.says("duration")),
    ("stock", lambda seen: seen.numeric and seen.says("stock")),
    ("measure", lambda seen: seen.numeric),
    ("identifier", lambda seen: _is_text_number(seen) and seen.distinct > _FEW),
    ("name", _is_name),
    ("category", _is_category),
    ("text", lambda seen: seen.column.kind == "text"),
)


def _role(seen: _Seen) -> Role:
    for role, fits in _RULES:
        if fits(seen):
            return role
    return "other"


def _unit(name: Iterable[str]) -> str:
    return next(iter(units_in(name)), "")


def units_in(name: Iterable[str]) -> list[str]:
    """The units that words tell."""
    said = set(name)
    return [unit for unit in section("columns", "units") if listed("columns", "units", unit) & said]


def _open_until(seen: _Seen) -> Scalar:
    profile = seen.column.profile
    if profile is None or not listed("columns", "until") & set(seen.words):
        return ""
    if isinstance(profile.high, str) and profile.high.startswith("9999"):
        return profile.high
    return None if profile.nulls else ""
