"""The style of a chart: title, colours, grid lines, highlights, and the look outside of the page. Pure."""

from __future__ import annotations

import json
from collections.abc import Iterator, Mapping, Sequence
from typing import Any

from assistant.core.events import Appearance
from assistant.output.presentation.chart_data import Specification
from assistant.output.presentation.columns import Column
from assistant.output.presentation.formats import shown

PALETTE = ("#0B7A69", "#D9590A", "#4B2A86", "#8C8CD9", "#6D1212", "#B9784A", "#133239", "#B82BC4")
"""The light theme's colours, so that a picture looks like the page; `tests/ui/views/test_colours.py` says why these."""
_WIDTH_PX = 640

HUES: Mapping[str, str] = {
    "blue": "#4C84C4",
    "green": "#2E9E6B",
    "red": "#D9483B",
    "orange": "#D97706",
    "purple": "#8B6FC9",
    "teal": "#0B9A88",
    "grey": "#8A8F98",
    "brown": "#B0754B",
    "pink": "#D25C9B",
}
"""Colours by name, each told from a light background and from a dark one."""
FADED = 0.3
"""The opacity of what does not stand out."""
_FILLED = ("bar", "line", "area", "point", "circle", "rect", "boxplot")


def style(specification: Specification, look: Appearance) -> tuple[Specification, tuple[str, ...]]:
    """The specification as the person wants it to look, and what could not be done, in words."""
    notes: list[str] = []
    units = list(_units(specification))
    if look.title:
        specification["title"] = {"text": look.title, "anchor": "start"}
    if look.grid is not None:
        specification["config"] = {**specification.get("config", {}), "axis": {"grid": look.grid}}
    if look.hue in HUES:
        plain = [unit for unit in units if "color" not in unit["encoding"] and unit["mark"]["type"] in _FILLED]
        for unit in plain:
            unit["mark"] = {**unit["mark"], "color": HUES[look.hue]}
        if not plain:
            notes.append("The colours tell the series apart here, so they stay.")
    if look.highlight:
        notes += _highlight(specification, units, look.highlight)
    return specification, tuple(notes)


def _highlight(specification: Specification, units: list[Specification], name: str) -> list[str]:
    """Fade all marks but those of a group or a series."""
    values: list[dict[str, Any]] = specification.get("data", {}).get("values", [])
    matches = {key for key in ("tx", "c") for row in values if str(row.get(key, "")).casefold() == name.casefold()}
    if not matches:
        return [f"Nothing here is called “{name}”, so nothing stands out."]
    tests = [f"lower(datum[{key!r}]) === {json.dumps(name.lower())}" for key in sorted(matches)]
    for unit in units:
        if unit["mark"]["type"] == "text":
            continue
        unit["encoding"] = {
            **unit["encoding"],
            "opacity": {"condition": {"test": " || ".join(tests), "value": 1}, "value": FADED},
        }
    return []


def _units(specification: Specification) -> Iterator[Specification]:
    """The parts of a specification that each draw one kind of mark, made anew so that they may be changed."""
    if "layer" in specification:
        specification["layer"] = [dict(part) for part in specification["layer"]]
        for part in specification["layer"]:
            yield from _units(part)
    elif "spec" in specification:
        specification["spec"] = dict(specification["spec"])
        yield from _units(specification["spec"])
    elif isinstance(specification.get("mark"), dict) and "encoding" in specification:
        yield specification


def make_standalone(specification: dict[str, Any]) -> dict[str, Any]:
    """A chart's specification as a file of its own: with a schema, a width, a white ground and the page's colours."""
    wide = {} if "facet" in specification else {"width": _WIDTH_PX}
    schema = {"$schema": "https://vega.github.io/schema/vega-lite/v6.json"}
    config = {**specification.get("config", {}), "range": {"category": list(PALETTE)}, "mark": {"color": PALETTE[0]}}
    return {**schema, "background": "white", **wide, **specification, "config": config}


def in_words(columns: Sequence[Column], rows: Sequence[Sequence[object]]) -> tuple[tuple[str, ...], ...]:
    """The rows as a reader sees them: figures with their units, days as days; empty where there is no value."""
    return tuple(
        tuple("" if value is None else shown(value, column) for value, column in zip(row, columns, strict=True))
        for row in rows
    )


def find_right_aligned(columns: Sequence[Column]) -> frozenset[int]:
    """The places of the columns that stand at the right, as figures do."""
    return frozenset(n for n, column in enumerate(columns) if column.role == "measure")
