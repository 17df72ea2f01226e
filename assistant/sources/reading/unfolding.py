"""Nested JSON as tables: what wraps a list of records is unfolded, and records inside records become columns.

`{"meta": {...}, "items": [{...}, {...}]}` gives a table `items`. A list of records inside each record becomes a table
of its own, whose rows name the record they belong to.
"""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.query.quoting import quoted
from assistant.sources.reading.text_tables import fill_in

if TYPE_CHECKING:
    import duckdb

_DEPTH_MAX = 4
_COLUMNS_MAX = 400
_KEYS = re.compile(r"(?i)(.*_)?(id|key|code|uuid|number|no|nr)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Unfolded:
    """A table that a JSON file holds. `select` is a query over `$raw`, the file as DuckDB reads it."""

    name: str
    select: str
    is_unfolded: bool


def unfolded(con: duckdb.DuckDBPyConnection, reader: str, name: str) -> tuple[Unfolded, ...]:
    """The tables of a JSON file.

    Args:
        con: Reads the file.
        reader: The table function that reads it.
        name: What a table of the file's own records is called.

    Raises:
        duckdb.Error: The file cannot be read.
    """
    rows = con.execute(f"SELECT count(*) FROM (SELECT 1 FROM {reader} LIMIT 2)").fetchone()
    members = [((name,), kind) for name, kind in _columns(con, f"SELECT * FROM {reader}")]
    is_lone = bool(rows and rows[0] == 1)
    if is_lone and all(kind.startswith("STRUCT") and not _is_records(kind) for _, kind in members):
        members = _flat(con, reader, "SELECT * FROM $raw")  # the wrapper is wrapped itself
    if not (is_lone and any(_is_records(kind) for _, kind in members)):
        return tuple(_records(con, reader, "SELECT * FROM $raw", name, depth=0))
    tables: list[Unfolded] = []
    for path, kind in members:
        if _is_records(kind):
            inner = f"SELECT unnest({_sql(path)}, max_depth := 2) FROM $raw"
            tables += _records(con, reader, inner, path[-1], depth=0, was_nested=True)
    around = [f"{_sql(path)} AS {quoted('_'.join(path))}" for path, kind in members if not _is_records(kind)]
    if around and any(not _is_nested(kind) for _, kind in _flat(con, reader, f"SELECT {', '.join(around)} FROM $raw")):
        tables += _records(con, reader, f"SELECT {', '.join(around)} FROM $raw", name, depth=_DEPTH_MAX)
    return tuple(tables)


def _records(
    con: duckdb.DuckDBPyConnection, reader: str, select: str, name: str, *, depth: int, was_nested: bool = False
) -> Iterator[Unfolded]:
    """The table of some records, then those of the lists of records inside them."""
    flat = _flat(con, reader, select)
    own = [(path, kind) for path, kind in flat if not _is_records(kind)]
    lists = [path for path, kind in flat if _is_records(kind)] if depth < _DEPTH_MAX else []
    key = _key(con, reader, select, own) if lists else ""
    numbered = f"SELECT row_number() OVER () AS {quoted(_row(name))}, * FROM ({select})" if lists and not key else ""
    base = numbered or select
    columns = [f"{_sql(path)} AS {quoted(_named(path, own))}" for path, _ in own[:_COLUMNS_MAX]]
    if numbered:
        columns.insert(0, quoted(_row(name)))
    if columns:
        nested = was_nested or bool(lists) or any(len(path) > 1 for path, _ in own)
        yield Unfolded(name=name, select=f"SELECT {', '.join(columns)} FROM ({base})", is_unfolded=nested)
    parent = quoted(key) if key else quoted(_row(name))
    for path in lists:
        child = "_".join((name, *path))
        parent_name = quoted(f"{name}_{key}" if key else _row(name))
        inner = f"SELECT {parent} AS {parent_name}, unnest({_sql(path)}, max_depth := 2) FROM ({base})"
        yield from _records(con, reader, inner, child, depth=depth + 1, was_nested=True)


def _named(path: tuple[str, ...], own: list[tuple[tuple[str, ...], str]]) -> str:
    """A column's name: its path. What GeoJSON puts under `properties` is the record itself."""
    name = "_".join(path[1:]) if path[0] == "properties" and len(path) > 1 else "_".join(path)
    is_taken = (
        sum(
            name.casefold() in ("_".join(column_path).casefold(), "_".join(column_path[1:]).casefold())
            for column_path, _ in own
        )
        > 1
    )
    return "_".join(path) if is_taken else name


def _key(con: duckdb.DuckDBPyConnection, reader: str, select: str, own: list[tuple[tuple[str, ...], str]]) -> str:
    """A column of the records that tells them apart; empty where there is none."""
    for path, kind in own:
        if len(path) == 1 and not _is_nested(kind) and _KEYS.fullmatch(path[0]):
            column = quoted(path[0])
            sql = f"SELECT count(*) = count(DISTINCT {column}) FROM ({fill_in(select, reader)})"
            row = con.execute(sql).fetchone()
            if row and row[0]:
                return path[0]
    return ""


def _flat(con: duckdb.DuckDBPyConnection, reader: str, select: str) -> list[tuple[tuple[str, ...], str]]:
    """The columns of some records, those of records inside them included: each by its path, with its type."""
    columns: list[tuple[tuple[str, ...], str]] = []

    def add(path: tuple[str, ...], kind: str) -> None:
        if not kind.startswith("STRUCT") or kind.endswith("[]") or len(path) > _DEPTH_MAX:
            columns.append((path, kind))
            return
        inner = _columns(con, f"SELECT unnest({_sql(path)}) FROM ({fill_in(select, reader)})")
        for name, inner_kind in inner:
            add((*path, name), inner_kind)

    for name, kind in _columns(con, fill_in(select, reader)):
        add((name,), kind)
    return columns


def _columns(con: duckdb.DuckDBPyConnection, sql: str) -> list[tuple[str, str]]:
    return [(str(name), str(kind)) for name, kind, *_ in con.execute(f"DESCRIBE {sql}").fetchall()]


def _is_records(kind: str) -> bool:
    return kind.startswith("STRUCT") and kind.endswith(")[]")


def _is_nested(kind: str) -> bool:
    return kind.startswith("STRUCT") or kind.endswith("[]") or kind.startswith("MAP")


def _row(name: str) -> str:
    return f"{name}_row"


def _sql(path: tuple[str, ...]) -> str:
    return ".".join(map(quoted, path))
