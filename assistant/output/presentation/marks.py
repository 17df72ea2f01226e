"""Vega-Lite marks: bars, lines, areas, parts of a whole, heat maps and small multiples. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from math import cos, pi, sin
from statistics import median
from typing import Any

from assistant.output.presentation.chart_data import (
    FAR,
    REMAINING_GROUPS,
    Drawing,
    DrawnChart,
    Specification,
    all_series,
    in_time,
    largest_series,
    order_of_groups,
    series_of,
)
from assistant.output.presentation.columns import Column
from assistant.output.presentation.encodings import colour_of, figure_axis, names_axis, time_axis, tips_of
from assistant.output.presentation.formats import shown
from assistant.output.presentation.kinds import PARTS_MAX

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
COLUMNS_PX = 270
"""How wide all columns of a heat map are together, on a narrow page."""


def bars(drawing: Drawing) -> DrawnChart:
    """A bar for each group, the largest first; upright along time."""
    values, notes = drawing.values(), list[str]()
    x, colour = drawing.axes.x, drawing.axes.colour
    assert x is not None
    if colour is not None:
        values, cut = largest_series(values)
        notes += cut
    if x.role == "time" and drawing.look.upright is not False:
        spec = _based(drawing, values, {"type": "bar"})
        spec["encoding"]["x"] = {**time_axis(x, band=True), "sort": in_time(values)}
        spec["encoding"]["y"] = figure_axis(drawing)
        if colour is not None:
            spec["encoding"] |= {
                "color": colour_of(drawing, values),
                "xOffset": {"field": "c", "sort": series_of(values)},
            }
        return _labelled_above(spec, drawing), tuple(notes)
    order = in_time(values) if x.role == "time" else order_of_groups(drawing, values)
    if len(order) > BARS_MAX:
        notes.append(f"The first {BARS_MAX} of {len(order):,} are drawn; the table has them all.")
        order = order[:BARS_MAX]
        values = [row for row in values if row["tx"] in set(order)]
    if not drawing.is_log and len(drawing.figures) > 2 and 0 < median(drawing.figures) * FAR < max(drawing.figures):
        notes.append("One figure is so large that the others look like nothing; a logarithmic scale shows them all.")
    rows = len(order) * (min(len(series_of(values)), 4) if colour is not None else 1)
    is_upright = drawing.look.upright is True
    height = 0 if is_upright else rows * BAR_PX + AROUND_PX
    spec = _based(drawing, values, {"type": "bar", "cornerRadiusEnd": 2}, height=height)
    along, figures, offset = ("x", "y", "xOffset") if is_upright else ("y", "x", "yOffset")
    names = names_axis(x.label, order)
    if is_upright:
        names["axis"] |= _names_below(order)
    spec["encoding"] |= {along: names, figures: figure_axis(drawing)}
    if colour is not None:
        spec["encoding"] |= {"color": colour_of(drawing, values), offset: {"field": "c", "sort": series_of(values)}}
    if is_upright:
        return _labelled_above(spec, drawing), tuple(notes)
    if (colour is None or drawing.look.figures) and not drawing.is_log and drawing.look.figures is not False:
        spec = _labelled(spec, values)
    return spec, tuple(notes)


def lines(drawing: Drawing) -> DrawnChart:
    """A line along time for each series."""
    values, notes = largest_series(drawing.values()) if drawing.axes.colour is not None else (drawing.values(), ())
    spec = _based(drawing, values, {"type": "line", "point": len(values) <= 200, "strokeWidth": 2})
    return _labelled_above(_along_time(spec, drawing, values, zero=False), drawing), tuple(notes)


def areas(drawing: Drawing) -> DrawnChart:
    """Areas along time, stacked where there are several."""
    values, notes = all_series(drawing) if drawing.axes.colour is not None else (drawing.values(), ())
    spec = _based(drawing, values, {"type": "area", "opacity": 0.75, "line": drawing.axes.colour is None})
    return _along_time(spec, drawing, values, zero=True), tuple(notes)


def stacked(drawing: Drawing) -> DrawnChart:
    """Bars whose parts are the series."""
    values, notes = all_series(drawing)
    x = drawing.axes.x
    assert x is not None
    if x.role == "time":
        spec = _based(drawing, values, {"type": "bar"})
        return _along_time(spec, drawing, values, zero=True, band=True), notes
    order = order_of_groups(drawing, values)[:BARS_MAX]
    bars = [row for row in values if row["tx"] in set(order)]
    spec = _based(drawing, bars, {"type": "bar"}, height=len(order) * BAR_PX + AROUND_PX)
    spec["encoding"] |= {
        "y": names_axis(x.label, order),
        "x": {**figure_axis(drawing), "stack": "zero"},
        "color": colour_of(drawing, bars),
        "order": {"field": "rank", "type": "quantitative"},
    }
    return spec, notes


def pie(drawing: Drawing) -> DrawnChart:
    """Parts of a whole, the largest first from the top, each with its name and share beside it."""
    values, notes = _largest_parts(drawing)
    total = sum(row["y"] for row in values) or 1.0
    share = Column(name="share", label="Share", role="measure", unit="share")
    for rank, row in enumerate(values):
        row["rank"] = rank
        row["ts"] = shown(row["y"] / total, share, code=drawing.code)
        row["name"] = f"{row['tx']}  {row['ts']}"
    _names_placed(values, total)
    order = [row["tx"] for row in values]
    x = drawing.axes.x
    assert x is not None
    round_ = {"type": "quantitative", "scale": {"domain": [0, total]}}
    wedge = {
        "theta": {"field": "y", "stack": True, **round_},
        "order": {"field": "rank", "type": "quantitative"},
        "color": {"field": "tx", "type": "nominal", "sort": order, "scale": {"domain": order}, "legend": None},
        "tooltip": [*tips_of(drawing), {"field": "ts", "title": "Share"}],
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
    }, notes


def _largest_parts(drawing: Drawing) -> tuple[list[dict[str, Any]], tuple[str, ...]]:
    """The parts of a whole, the largest first; where there are many, the smallest of them together."""
    values = sorted(drawing.values(), key=lambda row: -row["y"])
    if len(values) <= PARTS_MAX:
        return values, ()
    first, smaller = values[: PARTS_MAX - 1], values[PARTS_MAX - 1 :]
    y = sum(row["y"] for row in smaller)
    first.append({"y": y, "ty": drawing.said(y, drawing.axes.y), "x": REMAINING_GROUPS, "tx": REMAINING_GROUPS})
    return first, (f"The {PARTS_MAX - 1} largest of {len(values):,} are drawn by themselves, the others together.",)


def _names_placed(values: Sequence[dict[str, Any]], total: float) -> None:
    """Where the name of each wedge stands: outside, beginning or ending at the rim, a line above the one before it."""
    before, top = 0.0, float("inf")
    for row in values:
        row["middle"] = before + row["y"] / 2
        before += row["y"]
        angle = 2 * pi * row["middle"] / total
        row["align"] = "center" if abs(sin(angle)) < 0.2 else "left" if angle < pi else "right"
        row["radius"] = NAME_PX
        if angle > 1.5 * pi:  # small wedges, the last ones, lie close together there
            while row["radius"] < NAME_PX_MAX and row["radius"] * cos(angle) < -top + LINE_PX:
                row["radius"] += 2
            top = -row["radius"] * cos(angle)


def heatmap(drawing: Drawing) -> DrawnChart:
    """A field for each pair, darker where the figure is larger; with the figures written in where there is room."""
    values, x, colour = drawing.values(), drawing.axes.x, drawing.axes.colour
    assert x is not None
    assert colour is not None
    sideways = x.role == "time" or len({row["tx"] for row in values}) >= len(series_of(values))
    across, down = ("tx", "c") if sideways else ("c", "tx")
    columns_of_fields = {"tx": x, "c": colour}
    order = {
        "tx": in_time(values) if x.role == "time" else order_of_groups(drawing, values),
        "c": series_of(values),
    }
    base = {
        "x": {
            "field": across,
            "type": "nominal",
            "title": columns_of_fields[across].label,
            "sort": order[across],
            "axis": _names_below(order[across]),
        },
        "y": {"field": down, "type": "nominal", "title": columns_of_fields[down].label, "sort": order[down]},
        "tooltip": tips_of(drawing),
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
    empty_cells = len(order["tx"]) * len(order["c"]) - len(values)
    if empty_cells > 0:
        notes = (f"{empty_cells:,} pairs have no row and stay empty.",)
    height = max(120, len(order[down]) * 28 + AROUND_PX)
    return {"data": {"values": values}, "height": height, "layer": layers}, notes


def _names_below(names: Sequence[str]) -> Specification:
    """The axis of columns: their names stand upright where there is room for them."""
    room_px = COLUMNS_PX / max(1, len(names))
    return {"labelAngle": 0} if max(map(len, names), default=0) * FIGURE_PX < room_px else {}


def multiples(drawing: Drawing) -> DrawnChart:
    """A small chart for each series, all on one scale."""
    values, x = drawing.values(), drawing.axes.x
    assert x is not None
    timed = x.role == "time"
    mark = {"type": "line", "point": True} if timed else {"type": "bar"}
    inner = _based(drawing, [], mark)
    del inner["data"]
    inner |= {"width": PANEL_PX, "height": 110}
    if timed:
        inner["encoding"] |= {"x": {**time_axis(x), "title": None}, "y": figure_axis(drawing, title=None)}
    else:
        order = order_of_groups(drawing, values)[:BARS_MAX]
        values = [row for row in values if row["tx"] in set(order)]
        inner["height"] = max(80, len(order) * 18)
        inner["encoding"] |= {
            "y": names_axis(None, order),
            "x": figure_axis(drawing, title=None),
        }
    facet = {"field": "c", "type": "nominal", "title": None, "sort": series_of(values), "header": {"labelFontSize": 12}}
    return {"data": {"values": values}, "facet": facet, "columns": 3, "spec": inner}, ()


def _along_time(
    spec: Specification, drawing: Drawing, values: Sequence[dict[str, Any]], *, zero: bool, band: bool = False
) -> Specification:
    x = drawing.axes.x
    assert x is not None
    encoding = spec["encoding"]
    encoding["x"] = (
        time_axis(x, band=band) if x.role == "time" else {"field": "tx", "type": "ordinal", "title": x.label}
    )
    encoding["y"] = figure_axis(drawing, zero=zero or None)
    if drawing.axes.colour is not None:
        encoding["color"] = colour_of(drawing, values)
        if spec["mark"]["type"] == "line":
            encoding["strokeDash"] = {"field": "c", "type": "nominal", "legend": None, "sort": series_of(values)}
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
        "encoding": {"tooltip": tips_of(drawing)},
    }


def _labelled_above(spec: Specification, drawing: Drawing) -> Specification:
    """Marks with their figures above them, where the person wants them."""
    if not drawing.look.figures:
        return spec
    return _with_figures(
        spec, {"baseline": "bottom", "dy": -5, "fontSize": 11}, without=frozenset(("color", "strokeDash"))
    )


def _labelled(spec: Specification, values: Sequence[dict[str, Any]]) -> Specification:
    """Bars with their figures beside them, and room for the longest however narrow the page is."""
    longest = max((len(row["ty"]) for row in values), default=0)
    padding = {"left": 5, "top": 5, "bottom": 5, "right": 5 + FIGURE_PX * longest}
    return {**_with_figures(spec, {"align": "left", "dx": 5, "fontSize": 12}), "padding": padding}


def _with_figures(spec: Specification, text: Specification, *, without: frozenset[str] = frozenset()) -> Specification:
    """A second layer with the figures of the marks, written so; without these channels of theirs."""
    encoding = {name: part for name, part in spec["encoding"].items() if name not in without}
    figures = {
        "mark": {"type": "text", "color": "gray", **text},
        "encoding": {**encoding, "text": {"field": "ty", "type": "nominal"}},
    }
    return {
        **{key: part for key, part in spec.items() if key not in ("mark", "encoding")},
        "layer": [{"mark": spec["mark"], "encoding": spec["encoding"]}, figures],
    }
