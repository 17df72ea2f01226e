"""A chart of a table as a Vega-Lite specification that contains its data. Pure.

Every kind is sorted, labelled and drawn from all the rows it is given; where it cannot show them all (too many bars, an
outlier, a cloud of points) a note beside the chart says so. Colours come from the page's theme.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.core.events import Appearance, ChartKind
from assistant.output.presentation import distributions, maps, marks, styling
from assistant.output.presentation.chart_data import Drawing
from assistant.output.presentation.formats import DEFAULT, vega_locale
from assistant.output.presentation.kinds import (
    DISTRIBUTION_MIN,
    NAMES,
    Axes,
    axes_of,
    axes_together,
    suggest_kinds,
)
from assistant.output.presentation.shaping import Shaped

Specification = dict[str, Any]


@dataclass(frozen=True, slots=True, kw_only=True)
class Chart:
    """A chart: its specification, what it leaves out or changes, and in words what it shows."""

    kind: ChartKind
    specification: Specification = field(repr=False)
    notes: tuple[str, ...] = ()
    alt: str = ""
    can_be_log: bool = False


_WHY: Mapping[ChartKind, str] = {
    "pie": ", as its slices must add up to a whole, none below zero",
    "histogram": f", of which a histogram takes {DISTRIBUTION_MIN} or more",
    "box": f", of which a box plot takes {DISTRIBUTION_MIN} or more",
    "scatter": ", as a scatter plot takes two figures for each row",
    "heatmap": ", as a heat map takes two groups",
    "stacked": ", as stacked bars take two groups and figures that add up",
    "multiples": ", as small multiples take two groups",
    "map": ", as a map takes one group, of countries, and one figure for each",
}


def kinds_for(shaped: Shaped, look: Appearance) -> tuple[ChartKind, ...]:
    """The kinds that suit the table, best first."""
    return tuple(_axes_of_kinds(shaped, look))


FIGURE_MAX = 1e100
"""The largest figure that is drawn: the ends of bins, sums and powers of larger ones may be no numbers any more."""


def _axes_of_kinds(shaped: Shaped, look: Appearance) -> dict[ChartKind, Axes]:
    """The kinds that suit, best first, each with what it draws; a map, where there are countries, is the last.

    Figures that belong together are drawn so by the kinds that can, and the first of them alone by the others.
    """
    axes = axes_of(shaped, look)
    kinds = suggest_kinds(shaped, axes)
    if axes is None or not kinds:
        return {}
    together = axes_together(shaped, axes, look)
    side_by_side = suggest_kinds(shaped, together) if together is not None else ()
    axes_of_kinds: dict[ChartKind, Axes] = {
        kind: together for kind in side_by_side if together is not None and kind in _SIDE_BY_SIDE
    }
    mapped: tuple[ChartKind, ...] = ("map",) if not axes.raw and maps.is_mappable(shaped, axes) else ()
    for kind in (*kinds, *mapped):
        axes_of_kinds.setdefault(kind, axes)
    return axes_of_kinds


_SIDE_BY_SIDE: frozenset[ChartKind] = frozenset(("bar", "line", "heatmap", "multiples"))


def draw(shaped: Shaped, look: Appearance, *, code: str = DEFAULT) -> Chart | None:
    """The chart of a table; None where none suits, none is wanted, or a figure is beyond what can be drawn.

    Args:
        shaped: the table as it is shown.
        look: what the person chose; a kind that does not suit gives the best that does.
        code: the locale of its numbers and dates.
    """
    kinds = _axes_of_kinds(shaped, look)
    if not kinds or look.chart == "none":
        return None
    kind = look.chart if look.chart in kinds else next(iter(kinds))
    axes = kinds[kind]
    drawing = Drawing(shaped=shaped, axes=axes, look=look, code=code)
    if any(abs(figure) > FIGURE_MAX for figure in drawing.figures):
        return None
    specification, notes = _PAINTERS[kind](drawing)
    if look.chart is not None and look.chart != kind:
        why = f"These rows do not suit a {NAMES[look.chart].lower()}{_WHY.get(look.chart, '')}."
        notes = (why, *notes)
    if axes.y.odd:
        notes = (*notes, f"{axes.y.odd:,} values of {axes.y.label} are no numbers and are left out.")
    config = {"locale": vega_locale(code), "axisY": {"labelLimit": 200}, "legend": {"labelLimit": 260}}
    specification, more_notes = styling.style({**specification, "config": config}, look)
    notes = (*notes, *more_notes)
    return Chart(
        kind=kind,
        specification=specification,
        notes=notes,
        alt=_words(kind, axes, len(shaped.rows)),
        can_be_log=kind in ("bar", "line", "scatter", "histogram", "box", "map") and drawing.spans_orders,
    )


def _words(kind: ChartKind, axes: Axes, rows: int) -> str:
    title = {"histogram": "Distribution", "box": "Box plot", "scatter": "Scatter plot"}.get(kind, kind.capitalize())
    along = f" by {axes.x.label}" if axes.x is not None and kind not in ("histogram", "scatter") else ""
    split = f" and {axes.colour.label}" if axes.colour is not None and not axes.together else ""
    against = f" against {axes.second.label}" if kind == "scatter" and axes.second is not None else ""
    figures = ", ".join(column.label for column in axes.together) or axes.y.label
    return f"{title}: {figures}{against}{along}{split}, {rows:,} rows"


_DrawnChart = tuple[Specification, tuple[str, ...]]
_PAINTERS: Mapping[ChartKind, Callable[[Drawing], _DrawnChart]] = {
    "bar": marks.bars,
    "line": marks.lines,
    "area": marks.areas,
    "stacked": marks.stacked,
    "pie": marks.pie,
    "heatmap": marks.heatmap,
    "multiples": marks.multiples,
    "scatter": distributions.scatter,
    "histogram": distributions.histogram,
    "box": distributions.box,
    "map": maps.choropleth,
}
