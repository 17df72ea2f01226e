"""Chart kinds that suit a table, best first, with the channel of each column. Pure.

A kind suits where it represents the rows truthfully: bars and lines need one row for each position on the axis, parts
of a whole must add up and have no negative, a distribution needs enough rows.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from itertools import takewhile

from assistant.core.events import Appearance, ChartKind
from assistant.output.presentation.columns import Column, is_change, number, words_of
from assistant.output.presentation.shaping import Shaped

PARTS_MAX = 6
SERIES_MAX = 8
DISTRIBUTION_MIN = 12
CELLS_MAX = 2_000
ROWS_MIN = 2
POINTS_MIN = 3
PANELS_MAX = 12
PIE_ROWS_MAX = 40
"""Of so many groups the largest are drawn and the others together."""
SIZES_MAX = 50
"""Figures that are so many times larger than others are not drawn beside them."""

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
    "map": "Map",
    "none": "No chart",
}


@dataclass(frozen=True, slots=True, kw_only=True)
class Axes:
    """Which columns are drawn. `x` is a time, a category, or for a scatter a figure; `raw` rows have no key.

    `together` are the figures that are drawn side by side, each a series; `y` then tells what they have in common.
    """

    x: Column | None
    y: Column
    colour: Column | None = None
    second: Column | None = None
    raw: bool = False
    together: tuple[Column, ...] = ()


def axes_of(shaped: Shaped, look: Appearance | None = None) -> Axes | None:
    """The columns to draw: those the look names, else the ones that the rows suggest. None without a figure."""
    requested = look or Appearance()
    by_name = {column.name: column for column in shaped.columns}
    measures = [column for column in shaped.columns if column.role == "measure"]
    if not measures or len(shaped.rows) < ROWS_MIN:
        return None
    y = next((column for column in measures if column.name == requested.y), measures[0])
    alternatives = [column for column in measures if column.name != y.name]
    second = next((column for column in alternatives if column.name == requested.x), next(iter(alternatives), None))
    groups = _groups(shaped)
    x = by_name.get(requested.x or "") or next(iter(groups), None)
    x = x if x in groups else next(iter(groups), None)
    colour = by_name.get(requested.colour or "")
    if x is None:
        return Axes(x=None, y=y, second=second, raw=True)
    if colour is None or colour == x or colour not in groups:
        alternatives = [column for column in groups if column != x]
        unique = _is_key(shaped, [x])
        colour = (
            None if unique else next((candidate for candidate in alternatives if _is_key(shaped, [x, candidate])), None)
        )
        if not unique and colour is None:
            return Axes(x=x, y=y, second=second, raw=True)
    elif not _is_key(shaped, [x, colour]):
        return Axes(x=x, y=y, second=second, raw=True)
    return Axes(x=x, y=y, colour=colour, second=second)


def axes_together(shaped: Shaped, axes: Axes, look: Appearance) -> Axes | None:
    """The axes with all the figures that belong beside the first, as those of two periods do; None where none does."""
    if axes.x is None or axes.raw or axes.colour is not None or look.y is not None:
        return None
    measures = [c for c in shaped.columns if c.role == "measure" and not is_change(c.name)]
    together = [c for c in measures if c.name == axes.y.name or _is_comparable(c, axes.y)][:SERIES_MAX]
    if len(together) < 2 or axes.y not in together:
        return None
    alike = takewhile(lambda words: len(set(words)) == 1, zip(*(c.label.split() for c in together), strict=False))
    label = " ".join(words[0] for words in alike).removesuffix(" in").removesuffix(" for")
    y = replace(axes.y, label=label, additive=False, largest=max(column.largest for column in together))
    series = Column(name="", label="", role="category", distinct=len(together))
    return replace(axes, y=y, colour=series, together=tuple(together))


def _is_comparable(figure: Column, base: Column) -> bool:
    """Whether two figures are read on one scale: of one unit, or of one name, and not too far apart in size."""
    small, large = sorted((figure.largest, base.largest))
    words, other_words = words_of(figure.name), words_of(base.name)
    named_alike = bool(words and other_words) and words[0] == other_words[0] and len(words) == len(other_words)
    same_unit = (figure.unit, figure.symbol) == (base.unit, base.symbol)
    return same_unit and (bool(figure.unit) or named_alike) and 0 < large <= SIZES_MAX * small


def suggest_kinds(shaped: Shaped, axes: Axes | None) -> tuple[ChartKind, ...]:
    """The kinds that suit, best first; empty where none does."""
    if axes is None:
        return ()
    if axes.raw or axes.x is None:
        return _of_rows(shaped, axes)
    positive = all((number(row[shaped.place(axes.y.name) or 0]) or 0.0) >= 0 for row in shaped.rows)
    parts = (axes.y.additive or axes.y.unit == "share") and positive
    timed = axes.x.role == "time" and axes.x.distinct > 1
    first = _over_time(axes, parts) if timed else _over_groups(shaped, axes, parts)
    return tuple(dict.fromkeys((*first, *_of_pairs(axes), *_of_rows(shaped, axes))))


def _over_time(axes: Axes, parts: bool) -> tuple[ChartKind, ...]:
    kinds: tuple[ChartKind, ...] = ("line", "bar")
    if not parts:
        return kinds
    return (*kinds, "area") if axes.colour is None else (*kinds, "area", "stacked")


def _over_groups(shaped: Shaped, axes: Axes, parts: bool) -> tuple[ChartKind, ...]:
    if axes.colour is not None:
        return ("bar", "stacked") if parts else ("bar",)
    rows_max = PIE_ROWS_MAX if axes.y.additive else PARTS_MAX
    return ("bar", "pie") if parts and len(shaped.rows) <= rows_max else ("bar",)


def _of_pairs(axes: Axes) -> tuple[ChartKind, ...]:
    if axes.x is None or axes.colour is None:
        return ()
    few = axes.colour.distinct <= PANELS_MAX
    fits = axes.x.distinct * axes.colour.distinct <= CELLS_MAX
    kinds: dict[ChartKind, bool] = {"heatmap": fits, "multiples": few}
    return tuple(kind for kind, suits in kinds.items() if suits)


def _of_rows(shaped: Shaped, axes: Axes) -> tuple[ChartKind, ...]:
    """What draws each row by itself, or how they are spread."""
    many = len(shaped.rows) >= DISTRIBUTION_MIN
    two = axes.second is not None and len(shaped.rows) >= POINTS_MIN
    kinds: dict[ChartKind, bool] = {"histogram": many, "box": many, "scatter": two}
    return tuple(kind for kind, suits in kinds.items() if suits)


def _groups(shaped: Shaped) -> list[Column]:
    """The columns that rows may be drawn along, the most telling first: a time, then the finest category."""
    times = [column for column in shaped.columns if column.role == "time" and column.distinct > 1]
    categories = [column for column in shaped.columns if column.role in ("category", "flag") and column.distinct > 0]
    categories = sorted(categories, key=lambda column: -column.distinct)
    if not times and not categories:
        categories = [
            column for column in shaped.columns if column.role in ("identifier", "text") and column.distinct > 1
        ]
    return [*times, *categories]


def _is_key(shaped: Shaped, columns: Sequence[Column]) -> bool:
    """Whether no two rows have the same values in these columns."""
    places = [place for column in columns if (place := shaped.place(column.name)) is not None]
    keys = {tuple(str(row[place]) for place in places) for row in shaped.rows}
    return len(keys) == len(shaped.rows)
