"""GeoJSON files as one table: the properties of a feature are its columns, and its geometry is a text.

The notebook contains this code, so nothing of Tandem is imported.
"""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any, cast

import pyarrow as pa

Values = dict[str, Any]


def read_tables(file: str) -> list[tuple[str, Any]]:
    """The table of a file; its name is empty, or that of the collection.

    Raises:
        ValueError: It holds no features, or is damaged.
    """
    try:
        with open(file, encoding="utf-8-sig") as opened:
            text = opened.read()
        whole = json.loads(text) if text.lstrip()[:1] != "\x1e" and text.count('"Feature"') else None
        if whole is None:
            raise ValueError("it has no features")
    except (ValueError, RecursionError) as problem:
        lines = _features_by_line(file)
        if lines is None:
            raise ValueError(f"cannot be read as GeoJSON: {problem}. Check that the file is whole") from None
        whole = {"features": lines}
    features = whole.get("features", [whole]) if isinstance(whole, dict) else whole
    rows = [_row(feature) for feature in features if isinstance(feature, dict)]
    names = list(dict.fromkeys(name for row in rows for name in row))
    if not names:
        raise ValueError("cannot be read as GeoJSON: it has no features. Check that the file is whole")
    columns = {name: _column([row.get(name) for row in rows]) for name in sorted(names, key=_is_geometry)}
    return [(str(whole.get("name") or "") if isinstance(whole, dict) else "", pa.table(columns))]


def _features_by_line(file: str) -> list[Any] | None:
    """The features of a file with one on each line; None where it is none."""
    try:
        with open(file, encoding="utf-8-sig") as opened:
            return [json.loads(line.lstrip("\x1e")) for line in opened if line.strip("\x1e \r\n")]
    except (ValueError, RecursionError):
        return None


def _row(feature: Mapping[str, Any]) -> Values:
    properties = cast("Values", feature.get("properties") or {})
    row: Values = {"id": feature["id"]} if "id" in feature and "id" not in properties else {}
    row |= properties
    geometry = feature.get("geometry")
    if isinstance(geometry, dict):
        row["geometry_type"] = geometry.get("type")
        coordinates = geometry.get("coordinates")
        if geometry.get("type") == "Point" and isinstance(coordinates, list) and len(coordinates) >= 2:
            row["longitude"], row["latitude"] = coordinates[0], coordinates[1]
        row["geometry"] = json.dumps(geometry, separators=(",", ":"))
    return row


def _is_geometry(name: str) -> int:
    """Geometry comes last, its text at the end."""
    return ("geometry_type", "longitude", "latitude", "geometry").index(name) + 1 if name in _GEOMETRY else 0


_GEOMETRY = frozenset({"geometry_type", "longitude", "latitude", "geometry"})


def _column(values: list[Any]) -> Any:
    plain = [json.dumps(value, ensure_ascii=False) if isinstance(value, dict | list) else value for value in values]
    try:
        column = pa.array(plain)
    except (pa.ArrowInvalid, pa.ArrowTypeError, OverflowError):
        return pa.array([None if value is None else str(value) for value in plain], pa.string())
    return pa.nulls(len(plain), pa.string()) if pa.types.is_null(column.type) else column
