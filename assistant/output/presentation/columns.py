"""Roles of result columns: time, category, figure with its unit, identifier, text.

Inferred from the values and names of the result alone, and from the known properties of its figures
(`FigureProperties`), which take precedence. No source is consulted.
"""

from __future__ import annotations

import math
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime
from decimal import Decimal
from functools import cache
from pathlib import Path
from typing import Literal, Protocol

import yaml

Role = Literal["time", "category", "measure", "identifier", "text", "flag"]
Unit = Literal["", "currency", "percent", "share", "count", "money"]
"""`percent` figures are percentages already (42.5); a `share` is a part of one (0.425). `money` names no currency."""
Grain = Literal["", "day", "month", "quarter", "year"]
Scalar = str | int | float | bool | date | datetime | None

NUMBERS_SHARE_MIN = 0.9
"""Where so many of a column's values are numbers it is a figure, and the others are left out of charts and said."""
TEXT_CHARS = 60
YEAR_MIN, YEAR_MAX = 1500, 2200
"""Whole numbers between these are years where a column is named for years."""
SMALLEST, SMALL = 1e-6, 0.01
"""Between these a number is small and not merely what is left of a sum."""
CATEGORIES_SHARE_MAX = 0.98

_WORD = re.compile(r"[A-Za-zÀ-ÿ]+|%")
_DAY = re.compile(r"\d{4}-\d{2}-\d{2}([ T]\d{2}:\d{2}(:\d{2}(\.\d+)?)?)?")
_MONTH = re.compile(r"\d{4}-(0[1-9]|1[0-2])")
_QUARTER = re.compile(r"(\d{4})[- ]?Q([1-4])")


class TableRows(Protocol):
    """A table, or the first rows of one."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns' names."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[object]]:
        """The values, row by row."""
        ...

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureProperties:
    """What is known of a figure from elsewhere: its unit, its currency or mark, whether it may be added up; or that it
    is none, as it identifies a row or the rows are grouped by it."""

    unit: Unit = ""
    symbol: str = ""
    additive: bool | None = None
    identifies: bool = False
    is_group: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Column:
    """A column of a result.

    Attributes:
        name: As it came.
        label: As it is read.
        role: What it is for.
        unit: What its figures are.
        symbol: The currency's code; of other figures the mark behind them (`days`).
        additive: Whether its figures may be added up.
        is_integer: Whether its figures are whole numbers.
        largest: The largest figure without its sign; 0 where there is none.
        grain: Of a time, how fine it is.
        distinct: How many different values there are.
        odd: How many values of a figure are no numbers.
        mixed: Whether counts and small parts stand in it side by side, so that each takes the decimals it needs.
    """

    name: str
    label: str
    role: Role
    unit: Unit = ""
    symbol: str = ""
    additive: bool = False
    is_integer: bool = False
    largest: float = 0.0
    grain: Grain = ""
    distinct: int = 0
    odd: int = 0
    mixed: bool = False


def columns_of(
    table: TableRows, properties: Mapping[str, FigureProperties] | None = None, names: Mapping[str, str] | None = None
) -> tuple[Column, ...]:
    """The columns of a table.

    Args:
        table: the table; its rows are looked at, so give a thousand or so.
        properties: what is known of figures, by column.
        names: what the person calls columns, by column.
    """
    columns: list[Column] = []
    for place, name in enumerate(table.columns):
        values = [row[place] for row in table.rows]
        label = (names or {}).get(name) or heading(name)
        columns.append(_column(name, label, values, (properties or {}).get(name)))
    labels = [_label_without_unit(column) for column in columns]
    return tuple(
        replace(column, label=label) if labels.count(label) == 1 else column
        for column, label in zip(columns, labels, strict=True)
    )


def _label_without_unit(column: Column) -> str:
    """A heading without the unit that it ends with, as the figures carry it: of "Total sales eur" the first two."""
    words = column.label.split()
    is_unit = len(words) > 1 and bool(column.symbol) and words[-1].strip("()").casefold() == column.symbol.casefold()
    return " ".join(words[:-1]) if is_unit else column.label


def heading(name: str) -> str:
    """A column's name as a heading: `net_revenue` becomes `Net revenue`; what holds capitals stays."""
    spaced = name.replace("_", " ").strip()
    return spaced[:1].upper() + spaced[1:] if spaced and spaced == spaced.lower() else (spaced or name)


def number(value: object) -> float | None:
    """A value as a finite number; a text that is one counts. None where it is none."""
    match value:
        case bool() | None:
            return None
        case int() | float() | Decimal():
            converted = float(value)
        case str():
            try:
                converted = float(value.strip())
            except ValueError:
                return None
        case _:
            return None
    return converted if math.isfinite(converted) else None


def parse_time(value: object) -> str | None:
    """A time as ISO text that sorts and that a chart reads; None where the value is none."""
    match value:
        case datetime():
            return value.replace(tzinfo=None).isoformat()
        case date():
            return value.isoformat()
        case str() if _DAY.fullmatch(value):
            return value.replace(" ", "T")
        case str() if _MONTH.fullmatch(value):
            return f"{value}-01"
        case str() if match := _QUARTER.fullmatch(value):
            return f"{match[1]}-{int(match[2]) * 3 - 2:02d}-01"
        case _:
            return None


def words_of(name: str) -> tuple[str, ...]:
    """The words of a column's name, in lower case."""
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])", " ", name)
    return tuple(word.lower() for word in _WORD.findall(spaced))


def is_change(name: str) -> bool:
    """Whether a figure says by how much others differ, so that it is not of their kind."""
    return not _words("changes").isdisjoint(words_of(name))


def _column(name: str, label: str, values: Sequence[object], properties: FigureProperties | None) -> Column:
    present = [value for value in values if value is not None and value != ""]
    distinct = len({str(value) for value in present})
    if present and all(isinstance(value, bool) for value in present):
        return Column(name=name, label=label, role="flag", distinct=distinct)
    times = [parse_time(value) for value in present]
    if present and all(times):
        return Column(name=name, label=label, role="time", grain=_grain(times), distinct=distinct)
    figures = [number(value) for value in present]
    numbers = [figure for figure in figures if figure is not None]
    if present and len(numbers) >= NUMBERS_SHARE_MIN * len(present):
        return _figure(name, label, numbers, properties, distinct=distinct, odd=len(present) - len(numbers))
    long = any(isinstance(value, str) and len(value) > TEXT_CHARS for value in present)
    return Column(name=name, label=label, role="text" if long else "category", distinct=distinct)


def _figure(
    name: str, label: str, numbers: Sequence[float], properties: FigureProperties | None, *, distinct: int, odd: int
) -> Column:
    words, are_integers = words_of(name), all(figure.is_integer() for figure in numbers)
    names = what_is_named(words, numbers, properties) if are_integers else ""
    is_group = properties is not None and properties.is_group
    if names and not (is_group and names == "identifier"):
        return Column(
            name=name,
            label=label,
            role=names,
            grain="year" if names == "time" else "",
            distinct=distinct,
            is_integer=True,
        )
    if is_group:
        return Column(name=name, label=label, role="category", distinct=distinct, is_integer=are_integers, odd=odd)
    small = sum(SMALLEST < abs(figure) < SMALL for figure in numbers)
    unit, symbol, additive = _meaning(words, numbers, properties)
    if what_is_named(words, numbers, properties) == "time":
        additive = False  # an average of years
    return Column(
        name=name,
        label=label,
        role="measure",
        unit=unit,
        symbol=symbol,
        additive=additive,
        is_integer=are_integers,
        largest=max((abs(figure) for figure in numbers), default=0.0),
        distinct=distinct,
        odd=odd,
        mixed=not unit and max(map(abs, numbers)) >= 10 and small * 5 >= len(numbers),
    )


def what_is_named(
    words: Sequence[str], numbers: Sequence[float], properties: FigureProperties | None
) -> Literal["time", "identifier", ""]:
    """What numbers name, where they are no figures: a year, or a thing. They are never added up or written "1,930"."""
    if properties is not None and (properties.unit or properties.symbol or properties.additive):
        return ""  # counted, or computed
    if words and _is_of_a_time(words):
        return "identifier" if properties is not None and properties.identifies else ""
    years = all(YEAR_MIN <= figure <= YEAR_MAX for figure in numbers)
    if years and any(word in _words("year") or word.endswith(tuple(_words("year_ends"))) for word in words):
        return "time" if not set(words) & (_words("money") | _words("counted")) else ""
    if properties is not None and properties.identifies:
        return "identifier"
    if words and all(word in _words("numbering") or word.isdigit() for word in words):
        return "identifier"  # the places that rows once had
    if not words:
        return ""
    last = words[-1]
    is_identifier = last in _words("identifier") | _words("calendar") | _words("year") or words[0] == "id"
    return "identifier" if is_identifier or last.endswith(tuple(_words("identifier_ends"))) else ""


def _is_of_a_time(words: Sequence[str]) -> bool:
    """Whether a figure is that of a time ("orders last year"), and no year or month itself ("last year")."""
    if set(words[1:]) & _words("per"):
        return True
    times = set(words) & (_words("year") | _words("calendar"))
    return bool(times and set(words) & _words("of_a_time") and set(words) - _words("of_a_time") - times)


def _meaning(
    words: Sequence[str], numbers: Sequence[float], properties: FigureProperties | None
) -> tuple[Unit, str, bool]:
    word_set = set(words)
    parts = bool(word_set & _words("parts")) and all(0 <= figure <= 1 for figure in numbers)
    additive = not parts and not word_set & _words("not_additive")
    unit, symbol = _unit(words)
    if properties is not None:
        unit, symbol = properties.unit or unit, properties.symbol or symbol
        additive = additive and unit not in ("percent", "share") if properties.additive is None else properties.additive
    if unit == "share" and any(abs(figure) > 1.0001 for figure in numbers):
        unit = "percent"
    return unit, symbol, additive and unit not in ("percent", "share")


def _unit(words: Sequence[str]) -> tuple[Unit, str]:
    currencies: Mapping[str, str] = _vocabulary()["currencies"]
    for word in words:
        if word in currencies:
            return "currency", currencies[word]
    if words and words[-1] in (*_words("percent"), "%"):
        return "percent", "%"
    if words and words[0] in ("share",):
        return "share", "%"
    return ("money", "") if set(words) & _words("money") and "count" not in words else ("", "")


def _grain(times: Sequence[str | None]) -> Grain:
    days = [time[:10] for time in times if time]
    if any(len(time) > 10 and not time.endswith("T00:00:00") for time in times if time):
        return "day"
    if not all(day.endswith("-01") for day in days):
        return "day"
    months = {day[5:7] for day in days}
    if months == {"01"} and len(days) > 1:
        return "year"
    return "quarter" if months <= {"01", "04", "07", "10"} and len(days) > 1 else "month"


@cache
def _vocabulary() -> dict[str, dict[str, str]]:
    return yaml.safe_load((Path(__file__).parent / "words.yaml").read_text(encoding="utf-8"))


@cache
def _words(of: str) -> frozenset[str]:
    return frozenset(_vocabulary()[of])
