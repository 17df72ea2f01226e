"""The data of a chart: labelled rows, the order of groups and series, and what is omitted. Pure."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from assistant.core.events import Appearance
from assistant.output.presentation.columns import Column, number, parse_time
from assistant.output.presentation.formats import locale_of, shown
from assistant.output.presentation.kinds import SERIES_MAX, Axes
from assistant.output.presentation.shaping import Shaped

NO_VALUE = "(none)"
REMAINING_GROUPS = "Other"
FAR = 100
"""Figures that differ so many times are offered a logarithmic scale."""

Specification = dict[str, Any]
DrawnChart = tuple[Specification, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What is drawn: the table, the columns, the person's wishes and the locale."""

    shaped: Shaped
    axes: Axes
    look: Appearance
    code: str
    figures: tuple[float, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        places = [place for _, place in self._figures()]
        numbers = (number(row[place]) for row in self.shaped.rows for place in places)
        object.__setattr__(self, "figures", tuple(figure for figure in numbers if figure is not None))

    @property
    def spans_orders(self) -> bool:
        """Whether a logarithmic scale would show what a linear one hides."""
        return len(self.figures) > 1 and min(self.figures) > 0 and max(self.figures) >= FAR * min(self.figures)

    @property
    def is_log(self) -> bool:
        """Whether the figures are drawn on a logarithmic scale: as wished, where they can be."""
        return self.look.log and bool(self.figures) and min(self.figures) > 0

    def values(self) -> list[dict[str, Any]]:
        """The rows: what is drawn, and the words that the pointer is shown."""
        records: list[dict[str, Any]] = []
        x, c = self._place(self.axes.x), self._place(self.axes.colour)
        for row in self.shaped.rows:
            for rank, (column, y) in enumerate(self._figures()):
                figure = number(row[y])
                if figure is None:
                    continue
                values: dict[str, Any] = {"y": figure, "ty": self.said(row[y], column)}
                if x is not None and self.axes.x is not None:
                    values |= {"x": _drawn(row[x], self.axes.x), "tx": self.said(row[x], self.axes.x)}
                if c is not None and self.axes.colour is not None:
                    values["c"] = self.said(row[c], self.axes.colour)
                elif self.axes.together:
                    values |= {"c": column.label, "rank": rank}
                records.append(values)
        return records

    def _figures(self) -> list[tuple[Column, int]]:
        """The figures that are drawn, each with its place in a row."""
        columns = self.axes.together or (self.axes.y,)
        return [(column, self.shaped.place(column.name) or 0) for column in columns]

    def said(self, value: object, column: Column) -> str:
        """A value as text."""
        if value is None:
            return NO_VALUE
        return shown(value, column, code=self.code, scale=self.look.scale, decimals=self.look.decimals)

    def _place(self, column: Column | None) -> int | None:
        return None if column is None else self.shaped.place(column.name)


def largest_series(values: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The rows of the largest series, with a note where some are left out; each row knows its series' rank."""
    order = series_of(values)
    series = order[:SERIES_MAX]
    rank = {name: place for place, name in enumerate(series)}
    rows = [{**row, "rank": rank[row["c"]]} for row in values if row["c"] in rank]
    omitted = len(order) - len(series)
    return rows, (f"The {SERIES_MAX} largest of {len(order):,} are drawn; the table has them all.",) if omitted else ()


def all_series(drawing: Drawing) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The rows of the largest series and, where figures add up, one more series of all others: what is stacked is true.

    Each row knows its series' rank, as in `largest_series`.
    """
    values = drawing.values()
    order, y = series_of(values), drawing.axes.y
    if len(order) <= SERIES_MAX or not y.additive:
        return largest_series(values)
    series = [name for name in order if name != REMAINING_GROUPS][: SERIES_MAX - 1]
    rank = {name: place for place, name in enumerate(series)}
    rows = [{**row, "rank": rank[row["c"]]} for row in values if row["c"] in rank]
    summed: dict[str, dict[str, Any]] = {}
    for row in values:
        if row["c"] not in rank:
            total_row = summed.setdefault(row["tx"], {**row, "y": 0.0, "c": REMAINING_GROUPS, "rank": len(series)})
            total_row["y"] += row["y"]
    rows += [{**row, "ty": drawing.said(row["y"], y)} for row in summed.values()]
    return rows, (f"The {len(series)} largest of {len(order):,} are drawn by themselves, the others together.",)


def order_of_groups(drawing: Drawing, values: Sequence[dict[str, Any]]) -> list[str]:
    """The groups in the order in which they are read: as the person sorted, as they are counted, else by size."""
    groups = list(dict.fromkeys(row["tx"] for row in values))
    if drawing.look.sort is not None:
        return groups
    if ordered := order_naturally(groups, drawing.code):
        return ordered
    sums = sums_of(values, "tx")
    return sorted(groups, key=lambda name: -sums[name])


def order_naturally(names: Sequence[str], code: str) -> list[str]:
    """Names that have an order of their own: weekdays, months, `18-24`, `25-34`; else empty."""
    for places in (*_of_the_calendar(code), *_of_the_calendar("en")):
        if all(name.casefold() in places for name in names):
            return sorted(names, key=lambda name: places[name.casefold()])
    starts = [number(name.lstrip("<>=≥≤ ").split("-")[0].split("–")[0].split(" ")[0]) for name in names]
    if any(start is None for start in starts):
        return []
    return [name for _, name in sorted(zip(starts, names, strict=True), key=lambda pair: pair[0] or 0.0)]


def _of_the_calendar(code: str) -> Iterator[Mapping[str, int]]:
    """The names of weekdays and of months in a language, in full and short, each with its place.

    Source:
        The Unicode CLDR, as Babel gives it.
    """
    from babel.dates import get_day_names, get_month_names

    locale = locale_of(code)
    for names_of in (get_day_names, get_month_names):
        for width in ("wide", "abbreviated"):
            names = names_of(width, context="stand-alone", locale=locale)
            yield {name.casefold(): place for place, name in names.items()}


def series_of(values: Sequence[dict[str, Any]]) -> list[str]:
    """The series, the largest first, or by their ranks."""
    sums = sums_of(values, "c")
    rank = {row["c"]: row.get("rank", 0) for row in values}
    return sorted(sums, key=lambda name: (rank[name], -abs(sums[name])))


def sums_of(values: Sequence[dict[str, Any]], key: str) -> dict[str, float]:
    sums: dict[str, float] = {}
    for row in values:
        sums[row[key]] = sums.get(row[key], 0.0) + row["y"]
    return sums


def in_time(values: Sequence[dict[str, Any]]) -> list[str]:
    return [name for _, name in sorted({(str(row["x"]), row["tx"]) for row in values})]


def _drawn(value: object, column: Column) -> object:
    if column.role == "time" and column.grain != "year":
        return parse_time(value)
    return NO_VALUE if value is None else str(value)
