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
class _Evidence:
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


def typed(column: Column, *, rows: int, is_key: bool, table: str = "", spoken_name: str = "") -> Typed:
    """Type a column.

    Args:
        column: The column with its profile.
        rows: How many rows its table has.
        is_key: Whether it is, by itself, the table's key, or refers to another table's.
        table: The table's name.
        spoken_name: The column's name as it is said, where it is not as written.
    """
    values = _known_values(column)
    has_empty = column.profile is not None and column.profile.nulls > 0
    counts = dict(column.profile.top) if column.profile else {}
    missing = missing_in(
        {value: counts.get(value, 0) for value in values if isinstance(value, str)}, has_empty=has_empty
    )
    values_present = tuple(v for v in values if v not in missing)
    evidence = _Evidence(
        column=column,
        words=words_of(spoken_name or column.name),
        values=values_present,
        missing=missing,
        rows=rows,
        is_key=is_key,
    )
    part = _part(evidence)
    role = _said(column) or ("part" if part else _of_rows(_role(evidence), column, table))
    part = part if role == "part" else ""
    return Typed(
        role=role,
        words=evidence.words,
        part=part,
        unit="hour" if column.kind == "duration" else _unit(_telling(evidence.words)),
        missing=missing,
        numeric=evidence.numeric,
        counts_rows=_counts_rows(evidence),
        running=_is_running(evidence),
        open_until=_open_until(evidence) if role == "date" else "",
    )


def _telling(name: tuple[str, ...]) -> list[str]:
    """The words of a name that tell what it is: not the hours of "trips over the past 24 hours"."""
    spans = listed("columns", "roles", "duration")
    return [word for i, word in enumerate(name) if not (i and name[i - 1].isdigit() and word in spans)]


def _counts_rows(evidence: _Evidence) -> bool:
    """Whether a column holds 1, 2, 3, ... and has no name of its own."""
    first, last = evidence.bounds() or (0.0, 0.0)
    is_full = evidence.column.kind == "integer" and 1 < evidence.rows == evidence.distinct == last - first + 1
    return is_full and first in (0, 1) and " ".join(evidence.words) in listed("columns", "row numbers")


def _is_running(evidence: _Evidence) -> bool:
    """Whether it is a running total, by its values or its name."""
    is_said = any(f" {phrase} " in f" {' '.join(evidence.words)} " for phrase in listed("columns", "running totals"))
    return evidence.numeric and (is_said or (evidence.column.profile is not None and evidence.column.profile.running))


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


def _texts(evidence: _Evidence) -> list[str]:
    return [value for value in evidence.values if isinstance(value, str)]


def _part(evidence: _Evidence) -> str:
    """Which part of a date a number is; empty if none."""
    bounds = evidence.bounds()
    if evidence.column.type == "YEAR":
        return "year"
    if not evidence.numeric or bounds is None or evidence.is_key:
        return ""
    low, high = bounds
    is_plural = evidence.column.name[-1] in "sS"  # "hours" are a quantity, as years of two digits are
    for part, limits in section("columns", "parts").items():
        if is_plural and part not in ("year", "weekday"):
            continue
        if part in (evidence.words[-1], evidence.words[0]) and isinstance(limits, list):
            least, most = (float(str(limit)) for limit in limits)
            if least <= low and high <= most and float(low).is_integer() and not evidence.says("identifier"):
                return part
    first, last = section("columns", "years of two digits").values()
    is_short = evidence.words[-1] == "year" and not is_plural and evidence.column.kind == "integer"
    return "year" if is_short and float(str(first)) <= low < high <= float(str(last)) else ""


def _is_date(evidence: _Evidence) -> bool:
    if evidence.column.kind in ("date", "datetime"):
        return True
    texts = _texts(evidence)
    return evidence.column.kind == "text" and bool(texts) and all(_DAY.fullmatch(text) for text in texts)


def _is_flag(evidence: _Evidence) -> bool:
    if evidence.column.kind == "boolean":
        return True
    if evidence.numeric:
        return evidence.bounds() == (0.0, 1.0) and evidence.distinct <= 2 and evidence.column.kind == "integer"
    truths = listed("columns", "affirmative") | listed("columns", "negative")
    return evidence.distinct == 2 and {str(v).strip().casefold() for v in evidence.values} <= truths


def _is_identifier(evidence: _Evidence) -> bool:
    ends = evidence.words[-1] in listed("columns", "roles", "identifier")
    if not ends or (evidence.words[0] in ("number", "total", "count") and evidence.numeric):
        return False
    counted = (
        evidence.words[-1] == "number"
        and len(evidence.words) == 1
        and evidence.numeric
        and evidence.distinct < evidence.rows
    )
    return not counted


def _is_text_number(evidence: _Evidence) -> bool:
    texts = _texts(evidence)
    return evidence.column.kind == "text" and bool(texts) and all(_NUMBER.fullmatch(text.strip()) for text in texts)


def _is_name(evidence: _Evidence) -> bool:
    if evidence.column.kind != "text":
        return False
    if evidence.words[-1] in listed("columns", "roles", "name") and evidence.distinct > min(
        _FEW, _MOST * evidence.rows
    ):
        return True
    return evidence.distinct > max(_FEW, _SHARE_OF_ROWS * evidence.rows) and _longest(evidence) <= _NAME_CHARS_MAX


def _is_category(evidence: _Evidence) -> bool:
    if evidence.numeric:
        return evidence.says("category") and evidence.distinct <= _CODES_MAX and evidence.column.kind == "integer"
    return evidence.column.kind == "text" and _longest(evidence) <= _NAME_CHARS_MAX


def _longest(evidence: _Evidence) -> int:
    return max((len(text) for text in _texts(evidence)), default=0)


def _counts_people(evidence: _Evidence) -> bool:
    """Whether it is a number of people at a time: `staff`, `employee_count`, but no `new_members`."""
    words = [word for word in evidence.words if word not in ("count", "number", "total", "active")]
    is_flow = not listed("columns", "flows").isdisjoint(words)
    return bool(words) and not is_flow and words[-1] in listed("columns", "people counted")


def _is_rate(evidence: _Evidence) -> bool:
    return evidence.numeric and evidence.says("rate") and not {"total", "count", "number"} & set(evidence.words)


_RULES: tuple[tuple[Role, Callable[[_Evidence], bool]], ...] = (
    # From what is certain to what is guessed: keys and types are facts, words of a name are evidence.
    ("key", lambda evidence: evidence.is_key),
    ("date", _is_date),
    ("other", lambda evidence: evidence.column.kind in ("binary", "other", "time")),
    ("duration", lambda evidence: evidence.column.kind == "duration"),
    ("flag", _is_flag),
    ("identifier", lambda evidence: _is_identifier(evidence) or _counts_rows(evidence)),
    ("stock", _is_running),
    ("category", lambda evidence: evidence.numeric and _is_category(evidence)),
    ("rate", _is_rate),
    ("measure", lambda evidence: evidence.numeric and evidence.says("measure")),
    ("duration", lambda evidence: evidence.numeric and evidence.says("duration")),
    ("stock", lambda evidence: evidence.numeric and (evidence.says("stock") or _counts_people(evidence))),
    ("measure", lambda evidence: evidence.numeric),
    ("identifier", lambda evidence: _is_text_number(evidence) and evidence.distinct > _FEW),
    ("name", _is_name),
    ("category", _is_category),
    ("text", lambda evidence: evidence.column.kind == "text"),
)


def _role(evidence: _Evidence) -> Role:
    for role, fits in _RULES:
        if fits(evidence):
            return role
    return "other"


def _unit(name: Iterable[str]) -> str:
    return next(iter(units_in(name)), "")


def units_in(name: Iterable[str]) -> list[str]:
    """The units that words tell."""
    words = set(name)
    return [unit for unit in section("columns", "units") if listed("columns", "units", unit) & words]


def _open_until(evidence: _Evidence) -> Scalar:
    profile = evidence.column.profile
    if profile is None or not listed("columns", "until") & set(evidence.words):
        return ""
    if isinstance(profile.high, str) and profile.high.startswith("9999"):
        return profile.high
    return None if profile.nulls else ""
