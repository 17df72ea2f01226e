"""Charts of distributions: histograms, box plots and scatter plots, as Vega-Lite. Pure.

A histogram and a box plot count every row; values so far out that they would flatten the rest are omitted from the
picture and counted in a note. A scatter plot of very many points draws a sample, and says so.

Source: fences at three times the interquartile range, and whiskers at 1.5 (Tukey, Exploratory Data Analysis, 1977);
bins by Freedman and Diaconis (1981).
"""

from __future__ import annotations

import math
import random
from collections.abc import Sequence
from typing import Any

from assistant.output.presentation.chart_data import Drawing, DrawnChart, Specification, order_naturally
from assistant.output.presentation.columns import Column, number
from assistant.output.presentation.marks import AROUND_PX, BAR_PX, HEIGHT_PX

POINTS_MAX = 2_000
BINS_MIN, BINS_MAX = 5, 40
FENCE, WHISKER = 3.0, 1.5
OUTLIERS_MAX = 200
TICKS = 6
"""About how many figures stand along the axis of a box plot."""
GROUPS_MAX = 20
GROUP_ROWS_MIN = 3


def histogram(drawing: Drawing) -> DrawnChart:
    """How often figures of each size occur, over all rows."""
    y, figures = drawing.axes.y, sorted(drawing.figures)
    if drawing.is_log:
        figures = [math.log10(figure) for figure in figures]
    low, high, notes = _fenced(drawing, figures)
    inside = [figure for figure in figures if low <= figure <= high]
    step = _step(inside)
    start = math.floor(inside[0] / step) * step
    counts = [0] * (int((inside[-1] - start) / step) + 1)
    for figure in inside:
        counts[min(int((figure - start) / step + 1e-9), len(counts) - 1)] += 1
    values: list[dict[str, Any]] = []
    for place, count in enumerate(counts):
        low_end, high_end = start + place * step, start + (place + 1) * step
        ends = [10**end if drawing.is_log else end for end in (low_end, high_end)]
        range_text = " to ".join(drawing.said(end, y) for end in ends)
        values.append({"low": ends[0], "high": ends[1], "count": count, "said": range_text})
    scale = {"scale": {"type": "log"}} if drawing.is_log else {"scale": {"zero": False}}
    encoding = {
        "x": {
            "field": "low",
            "type": "quantitative",
            "bin": "binned",  # without it each bar is a thin line at its height
            "title": y.label,
            "axis": {"format": "~s"},
            **scale,
        },
        "x2": {"field": "high"},
        "y": {"field": "count", "type": "quantitative", "stack": None, "title": "Rows", "axis": {"tickMinStep": 1}},
        "tooltip": [{"field": "said", "title": y.label}, {"field": "count", "title": "Rows", "format": ","}],
    }
    spec = {
        "data": {"values": values},
        "height": HEIGHT_PX,
        "mark": {"type": "bar", "binSpacing": 1},
        "encoding": encoding,
    }
    return spec, (f"{len(figures):,} rows are counted.", *notes)


def box(drawing: Drawing) -> DrawnChart:
    """Median, quartiles and whiskers of each group, with what lies beyond as points."""
    y, x = drawing.axes.y, _groups_of(drawing)
    grouped: dict[str, list[float]] = {}
    came: dict[str, str] = {}
    place, group = drawing.shaped.place(y.name) or 0, None
    if x is not None:
        group = drawing.shaped.place(x.name)
    for row in drawing.shaped.rows:
        figure = number(row[place])
        if figure is not None:
            name = y.label if group is None or x is None else drawing.said(row[group], x)
            grouped.setdefault(name, []).append(figure)
            came.setdefault(name, "" if group is None else str(row[group]))
    low, high, notes = _fenced(drawing, sorted(drawing.figures))
    boxes: list[dict[str, Any]] = []
    points: list[dict[str, Any]] = []
    for name, members in grouped.items():
        statistics, beyond = _box(name, sorted(members))
        boxes.append(statistics | {f"t{key}": drawing.said(statistics[key], y) for key in ("q1", "median", "q3")})
        points += [
            {"name": name, "y": figure, "ty": drawing.said(figure, y)} for figure in beyond if low <= figure <= high
        ]
    order = [box_entry["name"] for box_entry in sorted(boxes, key=lambda box_entry: -box_entry["median"])]
    if x is not None and x.role == "time":
        order.sort(key=lambda name: came[name])
    else:
        order = order_naturally(order, drawing.code) or order
    if len(points) > OUTLIERS_MAX:
        notes = (*notes, f"{OUTLIERS_MAX} of {len(points):,} points beyond the whiskers are drawn, chosen at random.")
        points = random.Random(0).sample(points, OUTLIERS_MAX)
    spec = _boxes(boxes, points, y, title=x.label if group is not None and x is not None else None, order=order)
    if drawing.is_log:
        for layer in spec["layer"]:
            layer["encoding"]["x"]["scale"] = {"type": "log"}
    return spec, ("The line is the median, the box holds the middle half.", *notes)


def scatter(drawing: Drawing) -> DrawnChart:
    """A point for each row: one figure against another."""
    y, x, colour = drawing.axes.y, drawing.axes.second, drawing.axes.colour
    assert x is not None
    down, across = drawing.shaped.place(y.name) or 0, drawing.shaped.place(x.name) or 0
    name = drawing.axes.x if drawing.axes.x is not None else None
    name_place = None if name is None else drawing.shaped.place(name.name)
    values: list[dict[str, Any]] = []
    omitted = 0
    for row in drawing.shaped.rows:
        pair = number(row[across]), number(row[down])
        if pair[0] is None or pair[1] is None or (drawing.is_log and pair[0] <= 0):
            omitted += 1
            continue
        values.append(
            {"x": pair[0], "y": pair[1], "tx": drawing.said(row[across], x), "ty": drawing.said(row[down], y)}
        )
        if name_place is not None and name is not None:
            values[-1]["n"] = drawing.said(row[name_place], name)
    notes: list[str] = [f"{omitted:,} rows without both figures are left out."] if omitted else []
    if len(values) > POINTS_MAX:
        notes.append(f"A random sample of {POINTS_MAX:,} of {len(values):,} rows is drawn.")
        values = random.Random(0).sample(values, POINTS_MAX)
    scale = {"type": "log"} if drawing.is_log else {"zero": False}
    tips = [{"field": "n", "title": name.label}] if name is not None else []
    encoding: Specification = {
        "x": {"field": "x", "type": "quantitative", "title": x.label, "axis": {"format": "~s"}, "scale": scale},
        "y": {"field": "y", "type": "quantitative", "title": y.label, "axis": {"format": "~s"}, "scale": scale},
        "tooltip": [*tips, {"field": "tx", "title": x.label}, {"field": "ty", "title": y.label}],
    }
    if name is not None and 2 <= len({row.get("n") for row in values}) <= 8 and colour is None:
        encoding["color"] = {"field": "n", "type": "nominal", "title": name.label, "legend": {"orient": "top"}}
        encoding["shape"] = {"field": "n", "type": "nominal", "title": name.label}
    mark = {"type": "point", "filled": True, "opacity": 0.6, "size": 45}
    return {"data": {"values": values}, "height": HEIGHT_PX, "mark": mark, "encoding": encoding}, tuple(notes)


def quantile(ordered: Sequence[float], share: float) -> float:
    """The value below which a share of the ordered figures lies, between two of them where need be."""
    place = (len(ordered) - 1) * share
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def _groups_of(drawing: Drawing) -> Column | None:
    """The column that parts the rows into a few groups of several rows: the one that was named, else the first."""
    rows = len(drawing.shaped.rows)
    groups = [
        column
        for column in drawing.shaped.columns
        if column.role in ("category", "flag", "time")
        and 1 < column.distinct <= GROUPS_MAX
        and rows >= GROUP_ROWS_MIN * column.distinct
    ]
    return next((column for column in groups if column.name == drawing.look.x), next(iter(groups), None))


def _fenced(drawing: Drawing, ordered: Sequence[float]) -> tuple[float, float, tuple[str, ...]]:
    """The range that is drawn: all, or without what lies far out, which is counted."""
    low, high = ordered[0], ordered[-1]
    first, third = quantile(ordered, 0.25), quantile(ordered, 0.75)
    reach = FENCE * (third - first)
    if reach <= 0 or drawing.look.log:
        return low, high, ()
    low_end, high_end = max(low, first - reach), min(high, third + reach)
    out = [figure for figure in ordered if not low_end <= figure <= high_end]
    if not out:
        return low, high, ()
    y = drawing.axes.y
    many = f"{len(out):,} rows lie" if len(out) > 1 else "1 row lies"
    far = max(out, key=lambda figure: abs(figure - (first + third) / 2))
    note = f"{many} far out and outside the picture (the farthest is {drawing.said(far, y)}); the table has them all."
    return low_end, high_end, (note,)


def _step(ordered: Sequence[float]) -> float:
    """The width of a bin: about Freedman and Diaconis', rounded to 1, 2 or 5 times a power of ten."""
    spread = ordered[-1] - ordered[0]
    if spread <= 0:
        return max(abs(ordered[0]), 1.0)
    wide = 2 * (quantile(ordered, 0.75) - quantile(ordered, 0.25)) / len(ordered) ** (1 / 3)
    bins = min(BINS_MAX, max(BINS_MIN, spread / wide if wide > 0 else BINS_MAX / 2))
    rough = spread / bins
    power = 10 ** math.floor(math.log10(rough))
    return next((power * size for size in (1, 2, 5) if power * size >= rough), power * 10)


def _box(name: str, ordered: Sequence[float]) -> tuple[dict[str, Any], list[float]]:
    first, third = quantile(ordered, 0.25), quantile(ordered, 0.75)
    reach = WHISKER * (third - first)
    inside = [figure for figure in ordered if first - reach <= figure <= third + reach]
    statistics = {
        "name": name,
        "low": inside[0],
        "q1": first,
        "median": quantile(ordered, 0.5),
        "q3": third,
        "high": inside[-1],
        "rows": len(ordered),
    }
    return statistics, [figure for figure in ordered if figure < inside[0] or figure > inside[-1]]


def _boxes(
    boxes: Sequence[dict[str, Any]],
    points: Sequence[dict[str, Any]],
    y: Column,
    *,
    title: str | None,
    order: Sequence[str],
) -> Specification:
    down = {"field": "name", "type": "nominal", "title": title, "sort": list(order)}
    tips = [
        {"field": "name", "title": title or y.label},
        {"field": "tmedian", "title": "Median"},
        {"field": "tq1", "title": "First quarter below"},
        {"field": "tq3", "title": "Last quarter above"},
        {"field": "rows", "title": "Rows", "format": ","},
    ]

    def along(start_field: str, end_field: str | None = None) -> Specification:
        scale = {"scale": {"zero": False}}
        encoding = {
            "x": {
                "field": start_field,
                "type": "quantitative",
                "title": y.label,
                "axis": {"format": "~s", "tickCount": TICKS},
                **scale,
            },
            "y": down,
        }
        return encoding if end_field is None else {**encoding, "x2": {"field": end_field}}

    data = {"values": list(boxes)}
    return {
        "height": max(110, len(boxes) * (BAR_PX + 10) + AROUND_PX),
        "layer": [
            {
                "data": data,
                "mark": {"type": "rule", "color": "gray"},
                "encoding": {**along("low", "high"), "tooltip": tips},
            },
            {
                "data": data,
                "mark": {"type": "bar", "size": 18, "opacity": 0.8},
                "encoding": {**along("q1", "q3"), "tooltip": tips},
            },
            {
                "data": data,
                "mark": {"type": "tick", "color": "white", "thickness": 2, "size": 18},
                "encoding": {**along("median"), "tooltip": tips},
            },
            {
                "data": {"values": list(points)},
                "mark": {"type": "point", "size": 20, "opacity": 0.7},
                "encoding": {**along("y"), "tooltip": [{"field": "ty", "title": y.label}]},
            },
        ],
    }
