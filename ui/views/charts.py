"""Interactive charts from the Vega-Lite specifications of an execution."""

from __future__ import annotations

import re
from collections.abc import Iterable
from typing import Any

import streamlit as st

from assistant.api.charts import HUES, Chart
from assistant.api.session import Session
from ui.views.text import line

HEIGHT_PX = 320
BAR_PX = 21
"""How high a bar must be for its name to stand beside it."""
BARS_MAX = 40
"""With more bars names are left out rather than the chart made any higher."""
AROUND_BARS_PX = 60
"""What the axis below the bars takes."""
WIDTH_PX = 600
CHARACTER_PX = 8
ROWS_LOOKED_AT = 500
TICKS = 6
"""About how many figures stand along an axis."""
LABEL_PX_MAX = 200
"""How wide a name beside a bar may be before it is cut."""
LEGEND_PX_MAX = 320
"""How wide a name in a legend may be: two periods are often told apart by their last word alone."""
COLOURS = {
    "firebrick": HUES["red"],
    "darkred": HUES["red"],
    "red": HUES["red"],
    "darkorange": HUES["orange"],
    "orange": HUES["orange"],
    "seagreen": HUES["green"],
    "green": HUES["green"],
    "steelblue": HUES["blue"],
    "blue": HUES["blue"],
}
"""Colours by name, as ones that can be told from the light background and from the dark one."""
LABEL_EXPRESSION = "isValid(datum.value) ? datum.label : '(none)'"
"""What stands beside a bar: its name, and for rows without one a word rather than `null`."""
_DECIMALS = re.compile(r"(\.\d+)f$")
_FIRST = re.compile(r"\d{4}-\d{2}-01([T ]00:00:00(\.0+)?)?")


def draw_cell_chart(session: Session, execution: str, *, name: str, key: str) -> bool:
    """Draw the chart of an execution. False where it gave none that is safe to draw."""
    specification = session.chart(execution)
    if specification is None:
        return False
    spec = style(specification)
    notes = take_notes(spec)
    st.vega_lite_chart(None, spec, key=f"chart-{key}", alt=f"Chart: {name}", width="stretch", theme="streamlit")
    _say(notes)
    return True


def draw(chart: Chart, *, key: str) -> None:
    """Draw a chart that was made here from a result, with what it leaves out said below it."""
    specification = dict(chart.specification)
    if "facet" not in specification:
        specification["width"] = "container"
        specification["autosize"] = {"type": "fit", "contains": "padding"}
    st.vega_lite_chart(
        None,
        specification,
        key=f"drawn-{key}-{chart.kind}",
        alt=f"Chart: {chart.alt}",
        width="stretch",
        theme="streamlit",
    )
    _say(chart.notes)


def take_notes(spec: dict[str, Any]) -> list[str]:
    """Take the lines of the subtitle out of a specification: they stand below the chart, as its notes do.

    The theme has no colour for subtitles; they would be black on black.
    """
    title = spec.get("title")
    subtitle = title.pop("subtitle", None) if isinstance(title, dict) else None
    return [str(text) for text in (subtitle if isinstance(subtitle, list) else [subtitle]) if text]


def _say(notes: Iterable[str]) -> None:
    """Say below a chart what it leaves out."""
    for note in notes:
        st.markdown(f":gray[:small[:material/info: {line(note)}]]")


def style(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification with the page's size and calm where it says nothing of its own."""
    spec: dict[str, Any] = _calm(specification)
    for fixed in ("$schema", "usermeta", "background"):
        spec.pop(fixed, None)
    calm: dict[str, Any] = {
        "axisBand": {"labelFlush": False, "labelExpr": LABEL_EXPRESSION},
        "axisY": {"labelLimit": LABEL_PX_MAX},
        "legend": {"labelLimit": LEGEND_PX_MAX},
    }
    if not {"hconcat", "vconcat", "concat", "facet", "repeat"} & spec.keys():
        spec["width"] = "container"
        spec["height"] = spec["height"] if isinstance(spec.get("height"), int) else _compute_height(spec)
        spec["autosize"] = {"type": "fit", "contains": "padding"}
        calm["axisQuantitative"] = {"tickCount": TICKS}
        if _has_short_labels(spec):
            calm["axisX"] = {"labelAngle": 0}
        calm.update(_set_month_ticks(spec))
    config = spec.get("config")
    spec["config"] = {**calm, **(config if isinstance(config, dict) else {})}
    return spec


def _calm(node: Any, key: str = "") -> Any:
    """A part of a specification, with colours for both themes and axes without needless decimals; its data as it is."""
    if isinstance(node, dict):
        calm = {name: part if name in ("values", "datasets") else _calm(part, name) for name, part in node.items()}
        if key in ("axis", "legend") and isinstance(calm.get("format"), str):
            calm["format"] = _DECIMALS.sub(r"\1~f", calm["format"])
        if key == "mark" and calm.get("point") is True and isinstance(calm.get("color"), str):
            calm["point"] = {"color": calm["color"]}  # the theme would give them its own
        return calm
    if isinstance(node, list):
        return [_calm(part, key) for part in node]
    is_colour = isinstance(node, str) and key in ("color", "fill", "stroke", "value", "range")
    return COLOURS.get(node, node) if is_colour else node


def _compute_height(spec: dict[str, Any]) -> int:
    """High enough for every name on the y axis, where it holds names."""
    encoding = spec.get("encoding")
    y = encoding.get("y") if isinstance(encoding, dict) else None
    if not isinstance(y, dict) or y.get("type") not in ("nominal", "ordinal"):
        return HEIGHT_PX
    names = {str(row.get(str(y.get("field")))) for row in _list_values(spec)}
    return max(HEIGHT_PX, min(len(names), BARS_MAX) * BAR_PX + AROUND_BARS_PX)


def _set_month_ticks(spec: dict[str, Any]) -> dict[str, Any]:
    """Ticks of whole months where every point stands on the first of one: not days and weeks between them."""
    encoding = spec.get("encoding")
    x = encoding.get("x") if isinstance(encoding, dict) else None
    if not isinstance(x, dict) or x.get("type") != "temporal" or x.get("timeUnit") is not None:
        return {}
    points = {str(row.get(str(x.get("field")))) for row in _list_values(spec)}
    if not points or not all(_FIRST.fullmatch(point) for point in points):
        return {}
    step = next(step for step in (1, 3, 6, 12, len(points)) if len(points) / step <= TICKS * 2)
    return {"axisTemporal": {"format": "%b %Y", "tickCount": {"interval": "month", "step": step}, "labelOverlap": True}}


def _list_values(spec: dict[str, Any]) -> list[dict[str, Any]]:
    """The rows that a chart draws, where it holds them itself."""
    data = spec.get("data")
    values = data.get("values") if isinstance(data, dict) else None
    if values is None and isinstance(data, dict):
        datasets = spec.get("datasets")
        values = datasets.get(data.get("name")) if isinstance(datasets, dict) else None
    return [row for row in values[:ROWS_LOOKED_AT] if isinstance(row, dict)] if isinstance(values, list) else []


def _has_short_labels(spec: dict[str, Any]) -> bool:
    """Whether the names along the x axis can be written side by side, so that nobody has to tilt the head."""
    encoding, values = spec.get("encoding"), _list_values(spec)
    x = encoding.get("x") if isinstance(encoding, dict) else None
    if not isinstance(x, dict) or x.get("type") not in ("nominal", "ordinal") or not values:
        return False
    names = {str(row.get(str(x.get("field")))) for row in values}
    widest = max((len(name) for name in names), default=0)
    return widest * len(names) * CHARACTER_PX < WIDTH_PX
