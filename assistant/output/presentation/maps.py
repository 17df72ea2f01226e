"""A choropleth map of countries, as Vega-Lite with the shapes inside. Pure.

The shapes are a file of the package (`shapes/`), so that nothing is fetched. Where all countries with a figure are near
each other the map shows that part of the world alone.
"""

from __future__ import annotations

import copy
import json
from collections.abc import Mapping, Sequence
from functools import cache
from pathlib import Path
from typing import Any

from assistant.output.presentation.chart_data import Drawing, DrawnChart, Specification
from assistant.output.presentation.columns import number
from assistant.output.presentation.countries import Named, countries_of, find_by_number, load_vocabulary
from assistant.output.presentation.encodings import form_of, title_of
from assistant.output.presentation.formats import EMPTY_TEXT, locale_of
from assistant.output.presentation.kinds import Axes
from assistant.output.presentation.shaping import Shaped

HEIGHT_PX = 420
SHARE_MIN = 0.8
"""Where so many of the distinct values are countries, a map is offered."""
COUNTRIES_MIN = 2
TOLD_MAX = 5
"""So many values that are not on the map are named; the others are counted."""
SPAN_MAX = (120.0, 75.0)
"""Up to so many degrees of longitude and latitude the part with figures is shown alone."""
SPAN_MIN = 14.0
AROUND = 0.08
"""How much of the width and height stands around the countries with figures."""

Box = tuple[float, float, float, float]
"""West, south, east, north, in degrees."""


def is_mappable(shaped: Shaped, axes: Axes) -> bool:
    """Whether the rows are one figure for each country."""
    if axes.x is None or axes.colour is not None or axes.x.role not in ("category", "identifier", "text"):
        return False
    countries = _named(shaped, axes)
    has_single_values = countries.is_one_to_one or axes.y.additive
    return countries.share >= SHARE_MIN and len(set(countries.codes.values())) >= COUNTRIES_MIN and has_single_values


def choropleth(drawing: Drawing) -> DrawnChart:
    """Countries in the colour of their figure; those that are too small for a shape are a spot."""
    countries = _named(drawing.shaped, drawing.axes)
    figures, notes = _figures(drawing, countries)
    names = locale_of(drawing.code).territories
    facts: dict[str, dict[str, object]] = {}
    for code, figure in figures.items():
        name, figure_text = str(names.get(code, code)), drawing.said(figure, drawing.axes.y)
        facts[code] = {"name": name, "y": figure, "ty": figure_text, "said": f"{name}: {figure_text}"}
    spots: Mapping[str, tuple[float, float]] = load_vocabulary()["spots"]
    small = [{**facts[code], "lon": spots[code][0], "lat": spots[code][1]} for code in facts if code in spots]
    shared = {"projection": _projection(_around([box for code in facts if (box := _box_of(code)) is not None]))}
    layers: list[Specification] = [{**shared, **_shapes(drawing, facts, names)}]
    if small:
        layers.append({**shared, **_spots(drawing, small)})
    return {"height": HEIGHT_PX, "layer": layers}, notes


def _named(shaped: Shaped, axes: Axes) -> Named:
    assert axes.x is not None
    place = shaped.place(axes.x.name) or 0
    return countries_of((row[place] for row in shaped.rows), axes.x.name)


def _figures(drawing: Drawing, countries: Named) -> tuple[dict[str, float], tuple[str, ...]]:
    """The figure of each country by code, and what is not drawn or added up, in words."""
    shaped, axes = drawing.shaped, drawing.axes
    x, y = shaped.place(axes.x.name if axes.x is not None else None) or 0, shaped.place(axes.y.name) or 0
    figures: dict[str, float] = {}
    twice: dict[str, None] = {}
    unplaced: dict[str, None] = {}
    for row in shaped.rows:
        code, figure = countries.codes.get(str(row[x])), number(row[y])
        if code is None:
            unplaced["(none)" if row[x] is None or row[x] == "" else str(row[x])] = None
        elif figure is not None:
            if code in figures:
                twice[str(row[x])] = None
            figures[code] = figures.get(code, 0.0) + figure
    notes: list[str] = []
    if unplaced:
        quantity = "1 value is" if len(unplaced) == 1 else f"{len(unplaced):,} values are"
        notes.append(f"{quantity} not on the map: {_listed(list(unplaced))}.")
    if twice:
        notes.append(f"Values that name the same country are added up: {_listed(list(twice))}.")
    return figures, tuple(notes)


def _listed(values: Sequence[str]) -> str:
    more = len(values) - TOLD_MAX
    return ", ".join(values[:TOLD_MAX]) + (f" and {more:,} more" if more > 0 else "")


def _shapes(drawing: Drawing, facts: Mapping[str, Mapping[str, object]], names: Mapping[str, str]) -> Specification:
    """The layers of shapes, which carry their name and figure: all in a neutral colour, over them those with one."""
    shapes = {**_world(), "objects": copy.deepcopy(_world()["objects"])}
    for shape in shapes["objects"]["countries"]["geometries"]:
        code = shape["properties"]["code"]
        without = {"name": names.get(code, shape["properties"]["name"]), "y": None, "ty": EMPTY_TEXT}
        shape["properties"] = dict(facts.get(code, without))
    line = {"stroke": "#808080", "strokeWidth": 0.5, "clip": True}
    return {
        "data": {"values": shapes, "format": {"type": "topojson", "feature": "countries"}},
        "encoding": {"tooltip": _tips(drawing, "properties.")},
        "layer": [
            {"mark": {"type": "geoshape", "fill": "#808080", "fillOpacity": 0.18, "aria": False, **line}},
            {
                "transform": [{"filter": "isValid(datum.properties.y)"}],
                "mark": {"type": "geoshape", **line},
                "encoding": {"color": _colour(drawing, "properties.y"), "description": _words("properties.")},
            },
        ],
    }


def _spots(drawing: Drawing, small: Sequence[Mapping[str, object]]) -> Specification:
    return {
        "data": {"values": list(small)},
        "mark": {"type": "circle", "size": 70, "opacity": 1, "stroke": "#808080", "strokeWidth": 1, "clip": True},
        "encoding": {
            "longitude": {"field": "lon", "type": "quantitative"},
            "latitude": {"field": "lat", "type": "quantitative"},
            "color": _colour(drawing, "y"),
            "description": _words(""),
            "tooltip": _tips(drawing, ""),
        },
    }


def _colour(drawing: Drawing, name: str) -> Specification:
    """The scale of colours: from light to dark, or around zero where there are gains and losses."""
    figures, y = drawing.figures, drawing.axes.y
    scale: Specification = {}
    if drawing.is_log:
        scale = {"type": "log"}
    elif min(figures, default=0.0) < 0 < max(figures, default=0.0):
        scale = {"domainMid": 0, "scheme": "blueorange", "reverse": True}
    legend = {
        "orient": "bottom",
        "direction": "horizontal",
        "gradientLength": 220,
        "format": form_of(y),
        "tickCount": 5,
    }
    spec = {"field": name, "type": "quantitative", "title": title_of(y), "legend": legend}
    return {**spec, "scale": scale} if scale else spec


def _words(under: str) -> Specification:
    """What a screen reader says of a shape or spot."""
    return {"field": f"{under}said", "type": "nominal"}


def _tips(drawing: Drawing, under: str) -> list[Specification]:
    axes = drawing.axes
    country = axes.x.label if axes.x is not None else "Country"
    return [
        {"field": f"{under}name", "title": country},
        {"field": f"{under}ty", "title": axes.y.label, "type": "nominal"},
    ]


# --- where things stand ---------------------------------------------------------------------------------------


def _projection(around: Box | None) -> Specification:
    """The whole world, or the part in a box around its middle; both keep areas in proportion."""
    if around is None:
        return {"type": "equalEarth"}
    west, south, east, north = around
    lon, lat = (west + east) / 2, (south + north) / 2
    edge = [[x, y] for x in (west, lon, east) for y in (south, lat, north)]
    frame = {"type": "Feature", "properties": {}, "geometry": {"type": "MultiPoint", "coordinates": edge}}
    return {"type": "azimuthalEqualArea", "rotate": [-lon, -lat, 0], "fit": frame}


def _around(boxes: Sequence[Box]) -> Box | None:
    """The part of the world that holds all boxes, with some room; None where it is most of the world."""
    if not boxes:
        return None
    west, south = min(box[0] for box in boxes), min(box[1] for box in boxes)
    east, north = max(box[2] for box in boxes), max(box[3] for box in boxes)
    if east - west > SPAN_MAX[0] or north - south > SPAN_MAX[1]:
        return None
    wide, high = (max(0.0, SPAN_MIN - span) / 2 + span * AROUND for span in (east - west, north - south))
    return west - wide, max(-89.0, south - high), east + wide, min(89.0, north + high)


@cache
def _world() -> dict[str, Any]:
    """The shapes as TopoJSON, each with the code of its country; without Antarctica, which would take a fifth of it."""
    file = Path(__file__).parent / "shapes" / "countries-110m.json"
    topology = json.loads(file.read_text(encoding="utf-8"))
    shapes: list[dict[str, Any]] = []
    for shape in topology["objects"]["countries"]["geometries"]:
        name = shape["properties"]["name"]
        code = find_by_number(shape["id"]) if "id" in shape else load_vocabulary()["shapes"].get(name)
        if code is not None or "id" not in shape:
            shapes.append({**shape, "properties": {"name": name, "code": code or name}})
    return {**topology, "objects": {"countries": {**topology["objects"]["countries"], "geometries": shapes}}}


@cache
def _boxes() -> dict[str, Box]:
    """The box around the largest part of each country: French Guiana does not make France an ocean wide."""
    arcs, boxes = _arcs(), dict[str, Box]()
    for shape in _world()["objects"]["countries"]["geometries"]:
        polygons = [shape["arcs"]] if shape["type"] == "Polygon" else shape["arcs"]
        parts = [
            _box([point for arc in polygon[0] for point in arcs[arc if arc >= 0 else ~arc]]) for polygon in polygons
        ]
        boxes[shape["properties"]["code"]] = max(parts, key=lambda box: (box[2] - box[0]) * (box[3] - box[1]))
    return boxes


def _box_of(code: str) -> Box | None:
    """The box around a country, or its spot."""
    spot: tuple[float, float] | None = load_vocabulary()["spots"].get(code)
    return _boxes().get(code) if spot is None else (spot[0], spot[1], spot[0], spot[1])


def _box(points: Sequence[tuple[float, float]]) -> Box:
    across, up = [x for x, _ in points], [y for _, y in points]
    return min(across), min(up), max(across), max(up)


def _arcs() -> list[list[tuple[float, float]]]:
    """The lines of the shapes in degrees. Source: the TopoJSON specification, 2.1.2 and 2.1.4 (delta-encoded arcs)."""
    world = _world()
    (by_x, by_y), (from_x, from_y) = world["transform"]["scale"], world["transform"]["translate"]
    lines: list[list[tuple[float, float]]] = []
    for arc in world["arcs"]:
        x = y = 0
        line: list[tuple[float, float]] = []
        for step_x, step_y in arc:
            x, y = x + step_x, y + step_y
            line.append((x * by_x + from_x, y * by_y + from_y))
        lines.append(line)
    return lines
