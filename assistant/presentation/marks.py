"""Bars, lines, areas, parts of a whole, heat maps and small multiples, as Vega-Lite. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from math import cos, pi, sin
from statistics import median
from typing import Any

from assistant.events import Appearance
from assistant.presentation.columns import Column, moment, number
from assistant.presentation.formats import shown
from assistant.presentation.kinds import SERIES_MAX, Axes
from assistant.presentation.shaping import Shaped

HEIGHT_PX = 320
BAR_PX = 24
FIGURE_PX = 7
"""The width of a character of the figure beside a bar."""
BARS_MAX = 40
AROUND_PX = 84
"""Room for the axis below a chart, with its title."""
PIE_PX, NAME_PX, NAME_PX_MAX, LINE_PX = 110, 120, 195, 15
"""The radius of a pie, and how far from its middle names stand; two of them are a line apart."""
LABELLED_CELLS_MAX = 80
PANEL_PX = 200
NONE = "(none)"
OTHER = "Other"
FAR = 100
"""Figures that differ so many times are offered a logarithmic scale."""

NOUGHT = "datum.value === 0 && indexof(datum.label, '%') < 0 ? '0' : datum.label"
"""Nought without the prefix that the other marks of a scale have: 0, 20k, 40k."""

_ORDERED = ("mon tue wed thu fri sat sun", "jan feb mar apr may jun jul aug sep oct nov dec")

Specification = dict[str, Any]
Drawn = tuple[Specification, tuple[str, ...]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Drawing:
    """What is drawn: the table, the columns, the person's wishes and the locale."""

    shaped: Shaped
    axes: Axes
    look: Appearance
    code: str
    figures: tuple[float, ...] = field(init=False, repr=False)

    def __post_init__(self) -> None:
        place = self.shaped.place(self.axes.y.name) or 0
        found = (number(row[place]) for row in self.shaped.rows)
        object.__setattr__(self, "figures", tuple(figure for figure in found if figure is not None))

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
        made: list[dict[str, Any]] = []
        x, c = self._place(self.axes.x), self._place(self.axes.colour)
        y = self.shaped.place(self.axes.y.name) or 0
        for row in self.shaped.rows:
            figure = number(row[y])
            if figure is None:
                continue
            values: dict[str, Any] = {"y": figure, "ty": self.said(row[y], self.axes.y)}
            if x is not None and self.axes.x is not None:
                values |= {"x": _drawn(row[x], self.axes.x), "tx": self.said(row[x], self.axes.x)}
            if c is not None and self.axes.colour is not None:
                values["c"] = self.said(row[c], self.axes.colour)
            made.append(values)
        return made

    def said(self, value: object, column: Column) -> str:
        """A value in words."""
        if value is None:
            return NONE
        return shown(value, column, code=self.code, scale=self.look.scale, decimals=self.look.decimals)

    def _place(self, column: Column | None) -> int | None:
        return None if column is None else self.shaped.place(column.name)


def bars(drawing: Drawing) -> Drawn:
    """A bar for each group, the largest first; upright along time."""
    values, notes = drawing.values(), list[str]()
    x, colour = drawing.axes.x, drawing.axes.colour
    assert x is not None
    if colour is not None:
        values, cut = largest_series(values)
        notes += cut
    if x.role == "time":
        spec = _based(drawing, values, {"type": "bar"})
        spec["encoding"]["x"] = _time(x, band=True)
        spec["encoding"]["y"] = _figure(drawing)
        if colour is not None:
            spec["encoding"] |= {"color": _colour(drawing, values), "xOffset": {"field": "c", "sort": _series(values)}}
        return spec, tuple(notes)
    order = order_of_groups(drawing, values)
    if len(order) > BARS_MAX:
        notes.append(f"The first {BARS_MAX} of {len(order):,} are drawn; the table has them all.")
        order = order[:BARS_MAX]
        values = [row for row in values if row["tx"] in set(order)]
    if not drawing.is_log and len(drawing.figures) > 2 and 0 < median(drawing.figures) * FAR < max(drawing.figures):
        notes.append("One figure is so large that the others look like nothing; a logarithmic scale shows them all.")
    rows = len(order) * (min(len(_series(values)), 4) if colour is not None else 1)
    spec = _based(drawing, values, {"type": "bar", "cornerRadiusEnd": 2}, height=rows * BAR_PX + AROUND_PX)
    spec["encoding"]["y"] = _names(x.label, order)
    spec["encoding"]["x"] = _figure(drawing)
    if colour is not None:
        spec["encoding"] |= {"color": _colour(drawing, values), "yOffset": {"field": "c", "sort": _series(values)}}
    elif len(order) <= BARS_MAX and not drawing.is_log:
        spec = _labelled(spec, values)
    return spec, tuple(notes)


def lines(drawing: Drawing) -> Drawn:
    """A line along time for each series."""
    values, notes = largest_series(drawing.values()) if drawing.axes.colour is not None else (drawing.values(), ())
    spec = _based(drawing, values, {"type": "line", "point": len(values) <= 200, "strokeWidth": 2})
    return _along_time(spec, drawing, values, zero=False), tuple(notes)


def areas(drawing: Drawing) -> Drawn:
    """Areas along time, stacked where there are several."""
    values, notes = largest_series(drawing.values()) if drawing.axes.colour is not None else (drawing.values(), ())
    spec = _based(drawing, values, {"type": "area", "opacity": 0.75, "line": drawing.axes.colour is None})
    return _along_time(spec, drawing, values, zero=True), tuple(notes)


def stacked(drawing: Drawing) -> Drawn:
    """Bars whose parts are the series."""
    values, notes = largest_series(drawing.values())
    x = drawing.axes.x
    assert x is not None
    if x.role == "time":
        spec = _based(drawing, values, {"type": "bar"})
        return _along_time(spec, drawing, values, zero=True, band=True), notes
    order = order_of_groups(drawing, values)[:BARS_MAX]
    kept = [row for row in values if row["tx"] in set(order)]
    spec = _based(drawing, kept, {"type": "bar"}, height=len(order) * BAR_PX + AROUND_PX)
    spec["encoding"] |= {
        "y": _names(x.label, order),
        "x": {**_figure(drawing), "stack": "zero"},
        "color": _colour(drawing, kept),
        "order": {"field": "rank", "type": "quantitative"},
    }
    return spec, notes


def pie(drawing: Drawing) -> Drawn:
    """Parts of a whole, the largest first from the top, each with its name and share beside it."""
    values = sorted(drawing.values(), key=lambda row: -row["y"])
    whole = sum(row["y"] for row in values) or 1.0
    share = Column(name="share", label="Share", role="measure", unit="share")
    for rank, row in enumerate(values):
        row["rank"] = rank
        row["ts"] = shown(row["y"] / whole, share, code=drawing.code)
        row["name"] = f"{row['tx']}  {row['ts']}"
    _names_placed(values, whole)
    order = [row["tx"] for row in values]
    x = drawing.axes.x
    assert x is not None
    round_ = {"type": "quantitative", "scale": {"domain": [0, whole]}}
    wedge = {
        "theta": {"field": "y", "stack": True, **round_},
        "order": {"field": "rank", "type": "quantitative"},
        "color": {"field": "tx", "type": "nominal", "sort": order, "scale": {"domain": order}, "legend": None},
        "tooltip": [*_tips(drawing), {"field": "ts", "title": "Share"}],
    }
    name = {
        "theta": {"field": "middle", "stack": None, **round_},
        "radius": {"field": "radius", "type": "quantitative", "scale": None},
        "text": {"field": "name", "type": "nominal"},
        "tooltip": wedge["tooltip"],
        "color": {"value": "gray"},
    }
    arc = {"type": "arc", "outerRadius": PIE_PX, "stroke": "white", "strokeWidth": 1}
    names = [
        {
            "transform": [{"filter": f"datum.align === '{align}'"}],
            "mark": {"type": "text", "fontSize": 12, "align": align},
            "encoding": name,
        }
        for align in ("left", "center", "right")
    ]
    return {
        "data": {"values": values},
        "height": max([HEIGHT_PX, *(2 * (row["radius"] + LINE_PX) for row in values)]),
        "layer": [{"mark": arc, "encoding": wedge}, *names],
    }, ()


def _names_placed(values: Sequence[dict[str, Any]], whole: float) -> None:
    """Where the name of each wedge stands: outside, beginning or ending at the rim, a line above the one before it."""
    before, top = 0.0, float("inf")
    for row in values:
        row["middle"] = before + row["y"] / 2
        before += row["y"]
        angle = 2 * pi * row["middle"] / whole
        row["align"] = "center" if abs(sin(angle)) < 0.2 else "left" if angle < pi else "right"
        row["radius"] = NAME_PX
        if angle > 1.5 * pi:  # small wedges, the last ones, lie close together there
            while row["radius"] < NAME_PX_MAX and row["radius"] * cos(angle) < -top + LINE_PX:
                row["radius"] += 2
            top = -row["radius"] * cos(angle)


def heatmap(drawing: Drawing) -> Drawn:
    """A field for each pair, darker where the figure is larger; with the figures written in where there is room."""
    values, x, colour = drawing.values(), drawing.axes.x, drawing.axes.colour
    assert x is not None
    assert colour is not None
    sideways = x.role == "time" or len({row["tx"] for row in values}) >= len(_series(values))
    across, down = ("tx", "c") if sideways else ("c", "tx")
    named = {"tx": x, "c": colour}
    order = {
        "tx": _in_time(values) if x.role == "time" else order_of_groups(drawing, values),
        "c": _series(values),
    }
    base = {
        "x": {"field": across, "type": "nominal", "title": named[across].label, "sort": order[across]},
        "y": {"field": down, "type": "nominal", "title": named[down].label, "sort": order[down]},
        "tooltip": _tips(drawing),
    }
    fill = {"field": "y", "type": "quantitative", "title": drawing.axes.y.label, "legend": {"format": "~s"}}
    layers: list[Specification] = [{"mark": {"type": "rect"}, "encoding": {**base, "color": fill}}]
    notes: tuple[str, ...] = ()
    if len(values) <= LABELLED_CELLS_MAX and len(order[across]) <= 12:
        middle = (min(drawing.figures) + max(drawing.figures)) / 2
        ink = {"condition": {"test": f"datum.y > {middle!r}", "value": "white"}, "value": "black"}
        layers.append(
            {
                "mark": {"type": "text", "fontSize": 11},
                "encoding": {**base, "text": {"field": "ty", "type": "nominal"}, "color": ink},
            }
        )
    missing = len(order["tx"]) * len(order["c"]) - len(values)
    if missing > 0:
        notes = (f"{missing:,} pairs have no row and stay empty.",)
    height = max(120, len(order[down]) * 28 + AROUND_PX)
    return {"data": {"values": values}, "height": height, "layer": layers}, notes


def multiples(drawing: Drawing) -> Drawn:
    """A small chart for each series, all on one scale."""
    values, x = drawing.values(), drawing.axes.x
    assert x is not None
    timed = x.role == "time"
    mark = {"type": "line", "point": True} if timed else {"type": "bar"}
    inner = _based(drawing, [], mark)
    del inner["data"]
    inner |= {"width": PANEL_PX, "height": 110}
    if timed:
        inner["encoding"] |= {"x": {**_time(x), "title": None}, "y": _figure(drawing, title=None)}
    else:
        order = order_of_groups(drawing, values)[:BARS_MAX]
        values = [row for row in values if row["tx"] in set(order)]
        inner["height"] = max(80, len(order) * 18)
        inner["encoding"] |= {
            "y": _names(None, order),
            "x": _figure(drawing, title=None),
        }
    facet = {"field": "c", "type": "nominal", "title": None, "sort": _series(values), "header": {"labelFontSize": 12}}
    return {"data": {"values": values}, "facet": facet, "columns": 3, "spec": inner}, ()


# --- parts of charts ------------------------------------------------------------------------------------------


def largest_series(values: Sequence[dict[str, Any]]) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The rows of the largest series, with a note where some are left out; each row knows its series' rank."""
    sums = _sums(values, "c")
    order = sorted(sums, key=lambda name: -abs(sums[name]))
    kept = order[:SERIES_MAX]
    rank = {name: place for place, name in enumerate(kept)}
    rows = [{**row, "rank": rank[row["c"]]} for row in values if row["c"] in rank]
    left = len(order) - len(kept)
    return rows, (f"The {SERIES_MAX} largest of {len(order):,} are drawn; the table has them all.",) if left else ()


def order_of_groups(drawing: Drawing, values: Sequence[dict[str, Any]]) -> list[str]:
    """The groups in the order in which they are read: as the person sorted, as they are counted, else by size."""
    seen = list(dict.fromkeys(row["tx"] for row in values))
    if drawing.look.sort is not None:
        return seen
    if natural := _natural(seen):
        return natural
    sums = _sums(values, "tx")
    return sorted(seen, key=lambda name: -sums[name])


def _natural(names: Sequence[str]) -> list[str]:
    """Names that have an order of their own: weekdays, months, `18-24`, `25-34`; else empty."""
    for line in _ORDERED:
        places = {word: n for n, word in enumerate(line.split())}
        if all(name[:3].lower() in places for name in names):
            return sorted(names, key=lambda name: places[name[:3].lower()])
    starts = [number(name.lstrip("<>=≥≤ ").split("-")[0].split("–")[0].split(" ")[0]) for name in names]
    if any(start is None for start in starts):
        return []
    return [name for _, name in sorted(zip(starts, names, strict=True), key=lambda pair: pair[0] or 0.0)]


def _along_time(
    spec: Specification, drawing: Drawing, values: Sequence[dict[str, Any]], *, zero: bool, band: bool = False
) -> Specification:
    x = drawing.axes.x
    assert x is not None
    encoding = spec["encoding"]
    encoding["x"] = _time(x, band=band) if x.role == "time" else {"field": "tx", "type": "ordinal", "title": x.label}
    encoding["y"] = _figure(drawing, zero=zero or None)
    if drawing.axes.colour is not None:
        encoding["color"] = _colour(drawing, values)
        if spec["mark"]["type"] == "line":
            encoding["strokeDash"] = {"field": "c", "type": "nominal", "legend": None, "sort": _series(values)}
        else:
            encoding["order"] = {"field": "rank", "type": "quantitative"}
    return spec


def _based(
    drawing: Drawing, values: Sequence[dict[str, Any]], mark: Specification, *, height: int = 0
) -> Specification:
    return {
        "data": {"values": list(values)},
        "height": max(HEIGHT_PX, height) if height == 0 else max(120, height),
        "mark": mark,
        "encoding": {"tooltip": _tips(drawing)},
    }


def _labelled(spec: Specification, values: Sequence[dict[str, Any]]) -> Specification:
    """Bars with their figures beside them, and room for the longest however narrow the page is."""
    encoding = dict(spec["encoding"])
    text = {
        "mark": {"type": "text", "align": "left", "dx": 5, "fontSize": 12, "color": "gray"},
        "encoding": {**encoding, "text": {"field": "ty", "type": "nominal"}},
    }
    return {
        **{key: part for key, part in spec.items() if key not in ("mark", "encoding")},
        "layer": [{"mark": spec["mark"], "encoding": encoding}, text],
        "padding": {
            "left": 5,
            "top": 5,
            "bottom": 5,
            "right": 5 + FIGURE_PX * max((len(row["ty"]) for row in values), default=0),
        },
    }


def _names(title: str | None, order: Sequence[str]) -> Specification:
    """The axis of names beside bars: every bar has its own."""
    axis = {"labelOverlap": False}
    return {"field": "tx", "type": "nominal", "title": title, "sort": list(order), "axis": axis}


def _figure(drawing: Drawing, *, zero: bool | None = None, title: str | None = "") -> Specification:
    """The axis of figures."""
    y = drawing.axes.y
    scale: Specification = {"type": "log"} if drawing.is_log else {}
    if zero is not None and not drawing.is_log:
        scale["zero"] = zero
    return {
        "field": "y",
        "type": "quantitative",
        "title": title_of(y) if title == "" else title,
        "axis": {"format": form_of(y), "tickCount": 6, "labelExpr": NOUGHT},
        **({"scale": scale} if scale else {}),
    }


def title_of(figure: Column) -> str:
    """The heading of a scale of figures, with their unit."""
    unit = {"currency": f" ({figure.symbol})", "percent": " (%)", "share": ""}.get(
        figure.unit, f" ({figure.symbol})" if figure.symbol else ""
    )
    return f"{figure.label}{unit}"


def form_of(figure: Column) -> str:
    """How the ticks of a scale of figures are written, in the notation of d3-format."""
    return ".0%" if figure.unit == "share" else "~s" if figure.largest >= 1000 else ",~f"


def _time(x: Column, *, band: bool = False) -> Specification:
    """The axis of time, with marks as fine as the rows."""
    if x.grain == "year":
        return {"field": "tx", "type": "ordinal", "title": x.label, "axis": {"labelAngle": 0}}
    if band:
        return {
            "field": "tx",
            "type": "ordinal",
            "title": x.label,
            "sort": {"field": "x"},
            "axis": {"labelOverlap": True},
        }
    axis: Specification = {"labelOverlap": True}
    if x.grain == "month":
        axis |= {"format": "%b %Y", "tickCount": {"interval": "month", "step": max(1, -(-x.distinct // 10))}}
    elif x.grain == "quarter":
        axis |= {
            "labelExpr": "'Q' + quarter(datum.value) + ' ' + year(datum.value)",
            "tickCount": {"interval": "month", "step": 3},
        }
    return {"field": "x", "type": "temporal", "title": x.label, "axis": axis}


def _colour(drawing: Drawing, values: Sequence[dict[str, Any]]) -> Specification:
    colour = drawing.axes.colour
    return {
        "field": "c",
        "type": "nominal",
        "title": colour.label if colour is not None else "",
        "sort": _series(values),
        "legend": {"orient": "top", "columns": 4},
    }


def _tips(drawing: Drawing) -> list[Specification]:
    axes = drawing.axes
    tips: list[Specification] = []
    if axes.x is not None:
        tips.append({"field": "tx", "title": axes.x.label})
    if axes.colour is not None:
        tips.append({"field": "c", "title": axes.colour.label})
    return [*tips, {"field": "ty", "title": axes.y.label}]


def _series(values: Sequence[dict[str, Any]]) -> list[str]:
    """The series, the largest first."""
    sums = _sums(values, "c")
    return sorted(sums, key=lambda name: -abs(sums[name]))


def _sums(values: Sequence[dict[str, Any]], key: str) -> dict[str, float]:
    sums: dict[str, float] = {}
    for row in values:
        sums[row[key]] = sums.get(row[key], 0.0) + row["y"]
    return sums


def _in_time(values: Sequence[dict[str, Any]]) -> list[str]:
    return [name for _, name in sorted({(str(row["x"]), row["tx"]) for row in values})]


def _drawn(value: object, column: Column) -> object:
    if column.role == "time" and column.grain != "year":
        return moment(value)
    return NONE if value is None else str(value)
