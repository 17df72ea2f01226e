"""Axes, colours and tooltips of charts, as Vega-Lite encodings. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from assistant.output.presentation.chart_data import Drawing, Specification, series_of
from assistant.output.presentation.columns import Column

NOUGHT = "datum.value === 0 && indexof(datum.label, '%') < 0 ? '0' : datum.label"
"""Nought without the prefix that the other marks of a scale have: 0, 20k, 40k."""


def names_axis(title: str | None, order: Sequence[str]) -> Specification:
    """The axis of names beside bars: every bar has its own."""
    axis = {"labelOverlap": False}
    return {"field": "tx", "type": "nominal", "title": title, "sort": list(order), "axis": axis}


def figure_axis(drawing: Drawing, *, zero: bool | None = None, title: str | None = "") -> Specification:
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
    return f"{figure.label}{unit}".strip()


def form_of(figure: Column) -> str:
    """How the ticks of a scale of figures are written, in the notation of d3-format."""
    return ".0%" if figure.unit == "share" else "~s" if figure.largest >= 1000 else ",~f"


def time_axis(x: Column, *, band: bool = False) -> Specification:
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


def colour_of(drawing: Drawing, values: Sequence[dict[str, Any]]) -> Specification:
    colour = drawing.axes.colour
    return {
        "field": "c",
        "type": "nominal",
        "title": colour.label if colour is not None else "",
        "sort": series_of(values),
        "legend": {"orient": "top", "columns": 4},
    }


def tips_of(drawing: Drawing) -> list[Specification]:
    axes = drawing.axes
    tips: list[Specification] = []
    if axes.x is not None:
        tips.append({"field": "tx", "title": axes.x.label})
    if axes.colour is not None:
        tips.append({"field": "c", "title": axes.colour.label or "Figure"})
    return [*tips, {"field": "ty", "title": axes.y.label or "Value"}]
