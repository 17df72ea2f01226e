"""The table that an execution gave, read from what the host itself kept.

A SQL step's table is the Arrow snapshot that the broker wrote: what the database answered, whatever the cell did
afterwards. A Python step's table is what the cell displayed, as a `dataresource` output: the kernel's word, shown as
such. Nothing here asks the kernel.
"""

from __future__ import annotations

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date, datetime, time, timedelta
from decimal import Decimal
from pathlib import Path
from typing import Any, TypeGuard

import pyarrow as pa
from pydantic import JsonValue

from assistant.core.events import Event, Execution
from assistant.core.turns import fold_events

DATA_RESOURCE = "application/vnd.dataresource+json"


@dataclass(frozen=True, slots=True, kw_only=True)
class TableView:
    """At most `len(rows)` of `total` rows. `numeric` and `temporal` name columns by what they hold."""

    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...] = field(repr=False)
    total: int
    numeric: frozenset[str] = frozenset()
    temporal: frozenset[str] = frozenset()


def select_columns(view: TableView, columns: Sequence[str]) -> TableView:
    """The table with these columns alone; the whole table where it has no such columns, or none are named."""
    if not columns or not set(columns) <= set(view.columns):
        return view
    places = [view.columns.index(name) for name in columns]
    return replace(
        view,
        columns=tuple(columns),
        rows=tuple(tuple(row[place] for place in places) for row in view.rows),
        numeric=view.numeric & set(columns),
        temporal=view.temporal & set(columns),
    )


def find_execution(events: Iterable[Event], execution: str) -> Execution | None:
    """The execution of that id."""
    return next((match for turn in fold_events(events).turns if (match := turn.execution(execution))), None)


def has_table(execution: Execution) -> bool:
    """Whether an execution gave a table."""
    if execution.status != "ok":
        return False
    return bool(execution.language == "sql" and execution.queries) or _resource(execution) is not None


def read_table(execution: Execution, *, folder: Path, rows_max: int) -> TableView | None:
    """The table of an execution; None where it gave none, or its snapshot is gone.

    Args:
        execution: the execution.
        folder: the session's data folder, which holds the snapshots.
        rows_max: how many rows to read at most.
    """
    if execution.language == "sql" and execution.queries:
        return _from_snapshot(folder / Path(execution.queries[-1].file).name, rows_max=rows_max)
    resource = _resource(execution)
    return None if resource is None else _from_resource(resource, rows_max=rows_max)


def make_view(table: Any, *, rows_max: int) -> TableView:
    """The first rows of an Arrow table."""
    types = {name: table.schema.field(i).type for i, name in enumerate(table.column_names)}
    columns = [column.to_pylist() for column in table.slice(0, rows_max).columns]
    return TableView(
        columns=tuple(table.column_names),
        rows=tuple(zip(*columns, strict=True)) if columns else (),
        total=table.num_rows,
        numeric=frozenset(
            n for n, t in types.items() if pa.types.is_integer(t) or pa.types.is_floating(t) or pa.types.is_decimal(t)
        ),
        temporal=frozenset(n for n, t in types.items() if pa.types.is_temporal(t)),
    )


def to_json_value(value: object) -> JsonValue:
    """A cell of a table as JSON: dates as ISO text, decimals as numbers, what JSON cannot hold as text."""
    match value:
        case None | bool() | int() | str():
            return value
        case float():
            return value if math.isfinite(value) else None
        case Decimal():
            return int(value) if value == value.to_integral_value() and value.as_tuple().exponent == 0 else float(value)
        case datetime():
            midnight = value.time() == time(0) and value.tzinfo is None
            return value.date().isoformat() if midnight else value.isoformat(sep=" ")
        case date() | time():
            return value.isoformat()
        case timedelta():
            return str(value)
        case bytes():
            return f"<{len(value)} bytes>"
        case list() | tuple():
            return [to_json_value(item) for item in value]
        case dict():
            return {str(key): to_json_value(item) for key, item in value.items()}
        case _:
            return str(value)


def to_days(values: Sequence[object]) -> list[object]:
    """A column whose every value is a day at midnight, as days; any other column as it is.

    The page draws its own columns by the same rule.
    """
    present = [value for value in values if value is not None]
    if not present or not all(_is_midnight(value) for value in present):
        return list(values)
    try:
        return [None if value is None else date.fromisoformat(str(value)[:10]) for value in values]
    except ValueError:
        return list(values)


_MIDNIGHT = re.compile(r"\d{4}-\d{2}-\d{2}[ T]00:00:00(\.0+)?")


def _is_midnight(value: object) -> bool:
    if isinstance(value, datetime):
        return value.time() == time(0) and value.tzinfo is None
    return isinstance(value, str) and _MIDNIGHT.fullmatch(value) is not None


def _from_snapshot(path: Path, *, rows_max: int) -> TableView | None:
    try:
        with pa.memory_map(str(path)) as file:
            return make_view(pa.ipc.open_file(file).read_all(), rows_max=rows_max)
    except (OSError, pa.ArrowInvalid):
        return None


def _from_resource(resource: Mapping[str, JsonValue], *, rows_max: int) -> TableView | None:
    """Read a kernel's data resource. It comes from untrusted code, so every shape is checked."""
    schema, data = resource.get("schema"), resource.get("data")
    if not isinstance(schema, dict) or not isinstance(data, list):
        return None
    fields = schema.get("fields")
    if not isinstance(fields, list):
        return None
    described = [
        field for field in fields if isinstance(field, dict) and isinstance(field.get("name"), str | int | float)
    ]
    names = tuple(field["name"] for field in described)
    rows = tuple(tuple(row.get(str(name), row.get(name)) for name in names) for row in data[:rows_max] if _is_row(row))  # type: ignore[arg-type]
    total = resource.get("rows_total")
    return TableView(
        columns=tuple(str(name) for name in names),
        rows=rows,
        total=total if isinstance(total, int) and total >= len(rows) else len(data),
        numeric=frozenset(str(f["name"]) for f in described if f.get("type") in ("integer", "number")),
        temporal=frozenset(str(f["name"]) for f in described if f.get("type") in ("date", "datetime")),
    )


def _is_row(row: JsonValue) -> TypeGuard[dict[str, JsonValue]]:
    return isinstance(row, dict)


def _resource(execution: Execution) -> Mapping[str, JsonValue] | None:
    for output in reversed(execution.outputs):
        data = output.get("data")
        if isinstance(data, dict) and isinstance(resource := data.get(DATA_RESOURCE), dict):
            return resource
    return None
