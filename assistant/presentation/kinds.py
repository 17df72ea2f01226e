"""Which charts suit a table, best first, and which columns stand where. Pure.

A kind suits where it tells the truth about the rows: what is drawn as bars or lines must have one row for each place
on the axis, parts of a whole must add up and have no negative, a distribution needs enough rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.events import ChartKind, Look
from assistant.presentation.columns import Column, number
from assistant.presentation.shaping import Shaped

PARTS_MAX = 6
SERIES_MAX = 8
DISTRIBUTION_MIN = 12
CELLS_MAX = 2_000
ROWS_MIN = 2

NAMES: dict[ChartKind, str] = {
    "bar": "Bars",
    "line": "Line",
    "area": "Area",
    "stacked": "Stacked bars",
    "scatter": "Scatter",
    "histogram": "Histogram",
    "box": "Box plot",
    "heatmap": "Heat map",
    "pie": "Pie",
    "multiples": "Small multiples",
    "none": "No chart",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Which columns are drawn. `x` is a time, a category, or for a scatter a figure; `raw` rows have no key."""

    x: Column | None
    y: Column
    colour: Column | None = None
    second: Column | None = None
    raw: bool = False


def axes_of(shaped: Shaped, look: Look | None = None) -> Axes | None:
    """The columns to draw: those the look names, else the ones that the rows suggest. None without a figure."""
    wanted = look or Look()
    by_name = {column.name: column for column in shaped.columns}
    measures = [column for column in shaped.columns if column.role == "measure"]
    if not measures or len(shaped.rows) < ROWS_MIN:
        return None
    named = by_name.get(wanted.y or "")
    y = named if named in measures and named is not None else measures[0]
    second = next((column for column in measures if column.name != y.name), None)
    if (chosen := by_name.get(wanted.x or "")) in measures and chosen is not None and chosen.name != y.name:
        second = chosen
    groups = _groups(shaped)
    x = by_name.get(wanted.x or "") or next(iter(groups), None)
    x = x if x in groups else next(iter(groups), None)
    colour = by_name.get(wanted.colour or "")
    if x is None:
        return Axes(x=None, y=y, second=second, raw=True)
    if colour is None or colour == x or colour not in groups:
        others = [column for column in groups if column != x]
        unique = _is_key(shaped, [x])
        colour = None if unique else next((one for one in others if _is_key(shaped, [x, one])), None)
        if not unique and colour is None:
            return Axes(x=x, y=y, second=second, raw=True)
    elif not _is_key(shaped, [x, colour]):
        return Axes(x=x, y=y, second=second, raw=True)
    return Axes(x=x, y=y, colour=colour, second=second)


def suitable(shaped: Shaped, axes: Axes | None) -> tuple[ChartKind, ...]:
    """The kinds that suit, best first; empty where none does."""
    if axes is None:
        return ()
    if axes.raw or axes.x is None:
        return _of_rows(shaped, axes)
    many = axes.colour is not None
    adds = axes.y.additive or axes.y.unit == "share"
    positive = all((number(row[shaped.place(axes.y.name) or 0]) or 0.0) >= 0 for row in shaped.rows)
    kinds: list[ChartKind] = []
    if axes.x.role == "time" and axes.x.distinct > 1:
        kinds += ["line", "bar"]
        kinds += ["area"] if adds and positive else []
        kinds += ["stacked"] if many and adds and positive else []
    else:
        kinds += ["bar"]
        kinds += ["stacked"] if many and adds and positive else []
        kinds += ["pie"] if not many and adds and positive and ROWS_MIN <= len(shaped.rows) <= PARTS_MAX else []
    if axes.colour is not None:
        kinds += ["heatmap"] if axes.x.distinct * axes.colour.distinct <= CELLS_MAX else []
        kinds += ["multiples"] if axes.colour.distinct <= 12 else []
    return tuple(dict.fromkeys([*kinds, *_of_rows(shaped, axes)]))


def _of_rows(shaped: Shaped, axes: Axes) -> list[ChartKind]:
    """What draws each row by itself, or how they are spread."""
    kinds: list[ChartKind] = []
    if len(shaped.rows) >= DISTRIBUTION_MIN:
        kinds += ["histogram", "box"]
    if axes.second is not None and len(shaped.rows) >= 3:
        kinds += ["scatter"]
    return kinds


def _groups(shaped: Shaped) -> list[Column]:
    """The columns that rows may be drawn along, the most telling first: a time, then the finest category."""
    times = [column for column in shaped.columns if column.role == "time" and column.distinct > 1]
    rest = [column for column in shaped.columns if column.role in ("category", "flag") and column.distinct > 0]
    rest = sorted(rest, key=lambda column: -column.distinct)
    if not times and not rest:
        rest = [column for column in shaped.columns if column.role in ("identifier", "text") and column.distinct > 1]
    return [*times, *rest]


def _is_key(shaped: Shaped, columns: Sequence[Column]) -> bool:
    """Whether no two rows have the same values in these columns."""
    places = [place for column in columns if (place := shaped.place(column.name)) is not None]
    keys = {tuple(str(row[place]) for place in places) for row in shaped.rows}
    return len(keys) == len(shaped.rows)
