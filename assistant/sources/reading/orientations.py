"""Tables in JSON that are no list of records: by column, by key, as rows of values. No engine is asked.

`pandas.DataFrame.to_json` writes a table by column unless told otherwise. DuckDB reads such a file as one row.
"""

from __future__ import annotations

import json
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, TypeAlias, cast

from assistant.query.quoting import literal, quoted
from assistant.sources.arrow import unique_names
from assistant.sources.reading.grids import Grid
from assistant.sources.reading.regions import find_regions

_BYTES_MAX = 16 << 20
_NAMES_MAX = 5_000
_BESIDE_MAX = 4
_Json: TypeAlias = dict[str, "_Json"] | list["_Json"] | str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Orientation:
    """How the rows of a table stand in a JSON value.

    Attributes:
        title: What it is called.
        select: The query over `$whole`, the value as one cell called `json`, that gives the rows.
    """

    title: str
    select: str


def whole_sql(path: Path) -> str:
    """The call that reads a file as one JSON value, as `$whole` stands for."""
    options = "format='unstructured', records='false', columns={'json': 'JSON'}, maximum_object_size=67108864"
    return f"read_json({literal(str(path))}, {options})"


def orientation_of(path: Path) -> Orientation | None:
    """How the rows of a JSON file stand in it; None of records, which the engine reads in a stream.

    Raises:
        OSError: The file cannot be read.
    """
    if path.stat().st_size > _BYTES_MAX:
        return None
    try:
        value = cast("_Json", json.loads(path.read_bytes()))
    except (ValueError, RecursionError):  # lines of records, or a damaged file: the engine tells
        return None
    if isinstance(value, list):
        return _of_rows(value, "json") if _are_rows(value) else _of_page(value)
    return _of_object(value) if isinstance(value, dict) and value else None


def _of_object(value: dict[str, _Json]) -> Orientation | None:
    data, names = value.get("data"), _column_names(value)
    if isinstance(data, list) and _are_rows(data) and names and len(names) == len(cast("list[_Json]", data[0])):
        return _of_rows(data, _member("json", "data"), names)
    columns = list(value.values())
    if len(value) > 1 and all(isinstance(of, list) and of and all(map(_is_scalar, of)) for of in columns):
        lists = cast("list[list[_Json]]", columns)
        return _of_lists(list(value)) if len({len(of) for of in lists}) == 1 and len(lists[0]) > 1 else None
    if len(value) > 1 and all(isinstance(of, dict) and of for of in columns):
        objects = cast("list[dict[str, _Json]]", columns)
        if all(_is_scalar(cell) for of in objects for cell in of.values()):
            return _of_objects(value, objects)
    return None


def _of_page(value: Sequence[_Json]) -> Orientation | None:
    """The one list of records in a list that says something about it beside, as `[{"page": 1}, [{...}, {...}]]`."""
    places = [n for n, member in enumerate(value) if isinstance(member, list) and member]
    if len(value) > _BESIDE_MAX or len(places) != 1 or len(value) < 2:
        return None
    records = cast("list[_Json]", value[places[0]])
    if not all(isinstance(record, dict) for record in records):
        return None
    paths = list(dict.fromkeys(path for record in records for path in _paths(cast("dict[str, _Json]", record))))
    if not paths or len(paths) > _NAMES_MAX:
        return None
    names = unique_names("_".join(path) for path in paths)
    cells = [f"{_text('record', *path)} AS {quoted(name)}" for path, name in zip(paths, names, strict=True)]
    inner = f"SELECT unnest(CAST(json -> {places[0]} AS JSON[])) AS record FROM $whole"
    return Orientation(title="list of records", select=f"SELECT {', '.join(cells)} FROM ({inner})")


def _paths(record: dict[str, _Json]) -> Iterator[tuple[str, ...]]:
    """Where the values of a record stand, those of records inside it included."""
    for name, value in record.items():
        if isinstance(value, dict) and value:
            yield from ((name, *path) for path in _paths(value))
        else:
            yield (name,)


def _of_objects(value: dict[str, _Json], objects: Sequence[dict[str, _Json]]) -> Orientation | None:
    """By column where its keys are the rows', by key where each is a record: whichever has columns of one type."""
    keys = list(objects[0])
    has_equal_keys = all(list(of) == keys for of in objects)
    if len(value) > _NAMES_MAX and has_equal_keys is False:
        return None
    by_column = sum(_is_mixed(of.values()) for of in objects)
    names = list(dict.fromkeys(key for of in objects for key in of))
    by_key = sum(_is_mixed(of.get(name) for of in objects) for name in names)
    is_numbered = keys == [str(n) for n in range(len(keys))]
    if has_equal_keys and len(keys) > 1 and (is_numbered or (by_column / len(objects) < by_key / len(names))):
        listed = [
            f"unnest(map_values(CAST({_member('json', name)} AS MAP(VARCHAR, VARCHAR)))) AS {quoted(unique)}"
            for name, unique in zip(value, unique_names(value), strict=True)
        ]
        if not is_numbered:
            first = f"CAST({_member('json', next(iter(value)))} AS MAP(VARCHAR, VARCHAR))"
            listed.insert(0, f"unnest(map_keys({first})) AS key")
        return Orientation(title="by column", select=f"SELECT {', '.join(listed)} FROM $whole")
    if len(names) > 0.5 * len(value) * len(names) or len(names) > _NAMES_MAX:
        return None
    cells = [
        f"{_text('record', name)} AS {quoted(unique)}" for name, unique in zip(names, unique_names(names), strict=True)
    ]
    entries = "CAST(json AS MAP(VARCHAR, JSON))"
    inner = f"SELECT unnest(map_keys({entries})) AS key, unnest(map_values({entries})) AS record FROM $whole"
    key_column = [] if any(name.casefold() == "key" for name in names) else ["key"]
    return Orientation(title="by key", select=f"SELECT {', '.join([*key_column, *cells])} FROM ({inner})")


def _of_lists(names: Sequence[str]) -> Orientation:
    listed = [
        f"unnest(CAST({_member('json', name)} AS VARCHAR[])) AS {quoted(unique)}"
        for name, unique in zip(names, unique_names(names), strict=True)
    ]
    return Orientation(title="lists by column", select=f"SELECT {', '.join(listed)} FROM $whole")


def _of_rows(rows: Sequence[_Json], place: str, names: Sequence[str] = ()) -> Orientation | None:
    """Rows of values, with names that are told elsewhere or stand in the first of them."""
    first = 0
    if not names:
        lists = cast("list[list[Any]]", rows[:400])
        regions = find_regions(Grid(rows=lists, places=range(len(lists))))
        if not regions:
            return None
        width = max(map(len, lists))
        column_names = dict(zip(regions[0].columns, regions[0].names, strict=True))
        names = [column_names.get(n, "") for n in range(width)]
        first = regions[0].header[-1] + 1 if regions[0].header else 0
    cells = [f"row ->> {n} AS {quoted(name)}" for n, name in enumerate(unique_names(names))]
    inner = f"SELECT unnest(CAST({place} AS JSON[])[{first + 1}:]) AS row FROM $whole"
    return Orientation(title="rows of values", select=f"SELECT {', '.join(cells)} FROM ({inner})")


def _column_names(value: dict[str, _Json]) -> list[str]:
    """The names that stand beside rows of values: a list of names, or of records with a name, as Socrata writes."""
    meta = value.get("meta")
    view = meta.get("view", meta) if isinstance(meta, dict) else None
    for of in (value.get("columns"), value.get("fields"), view.get("columns") if isinstance(view, dict) else None):
        if isinstance(of, list) and of:
            names = [item.get("name") if isinstance(item, dict) else item for item in of]
            if all(isinstance(name, str | int) for name in names):
                return [str(name) for name in names]
    return []


def _are_rows(value: Sequence[_Json]) -> bool:
    return bool(value) and all(isinstance(row, list) and row for row in value[:1_000])


def _is_scalar(value: _Json) -> bool:
    return not isinstance(value, dict | list)


def _is_mixed(values: Any) -> bool:
    kinds = {float if isinstance(value, int) and not isinstance(value, bool) else type(value) for value in values}
    return len(kinds - {type(None)}) > 1


def _member(place: str, name: str) -> str:
    return f"({place} -> {literal(_path(name))})"


def _text(place: str, *names: str) -> str:
    return f"({place} ->> {literal(_path(*names))})"


def _path(*names: str) -> str:
    """The JSON path of a member, or of a member of it."""
    escaped = (name.replace("\\", "\\\\").replace('"', '\\"') for name in names)
    return "$" + "".join(f'."{name}"' for name in escaped)
