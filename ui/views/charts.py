"""A chart, interactive, from the specification that an execution gave."""

from __future__ import annotations

from typing import Any

import streamlit as st

from ui.ports import Session

HEIGHT_PX = 320
WIDTH_PX = 600
CHARACTER_PX = 8
ROWS_LOOKED_AT = 500


def draw(session: Session, execution: str, *, name: str, key: str) -> bool:
    """Draw the chart of an execution. False where it gave none that is safe to draw."""
    specification = session.chart(execution)
    if specification is None:
        return False
    st.vega_lite_chart(
        None, styled(specification), key=f"chart-{key}", alt=f"Chart: {name}", width="stretch", theme="streamlit"
    )
    return True


def styled(specification: dict[str, Any]) -> dict[str, Any]:
    """The specification with the page's size and calm where it says nothing of its own."""
    spec = dict(specification)
    for fixed in ("$schema", "usermeta", "background"):
        spec.pop(fixed, None)
    if not {"hconcat", "vconcat", "concat", "facet", "repeat"} & spec.keys():
        spec["width"] = "container"
        spec["height"] = spec["height"] if isinstance(spec.get("height"), int) else HEIGHT_PX
        spec["autosize"] = {"type": "fit", "contains": "padding"}
        if _labels_fit(spec):
            config = spec.get("config")
            spec["config"] = {"axisX": {"labelAngle": 0}, **(config if isinstance(config, dict) else {})}
    return spec


def _labels_fit(spec: dict[str, Any]) -> bool:
    """Whether the names along the x axis can be written side by side, so that nobody has to tilt the head."""
    encoding, data = spec.get("encoding"), spec.get("data")
    x = encoding.get("x") if isinstance(encoding, dict) else None
    values = data.get("values") if isinstance(data, dict) else None
    if values is None and isinstance(data, dict):
        datasets = spec.get("datasets")
        values = datasets.get(data.get("name")) if isinstance(datasets, dict) else None
    if not isinstance(x, dict) or x.get("type") not in ("nominal", "ordinal") or not isinstance(values, list):
        return False
    names = {str(row.get(x.get("field"))) for row in values[:ROWS_LOOKED_AT] if isinstance(row, dict)}
    widest = max((len(name) for name in names), default=0)
    return widest * len(names) * CHARACTER_PX < WIDTH_PX
