"""Read a DuckDB database's catalog and profile its columns: one pass per table, then one per column for its values."""

from __future__ import annotations

import time
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from typing import Any

import duckdb

from assistant.core.catalog import (
    COMPARABLE,
    JSON_ROWS_MAX,
    PROFILED_ROWS_MAX,
    TOP_MAX,
    VALUES_LIMIT_CHARS,
    VALUES_MAX,
    Catalog,
    Column,
    ColumnKind,
    ForeignKey,
    Profile,
    Table,
    conversion_of_type,
    keys_of_json,
    kind_of_type,
    profile_value,
)
from assistant.query.quoting import quoted
from assistant.sources.catalog.batches import batches, narrowed
from assistant.sources.catalog.declared import test_keys
from assistant.sources.catalog.doubts import find_doubts
from assistant.sources.catalog.identity import THINGS_MIN, determinants, may_depend, with_dependencies
from assistant.sources.catalog.keys import infer_keys
from assistant.sources.catalog.running import clocks, marked, may_run, rising

_PROFILING_LIMIT_S = 30.0
_DAY = r"\d{4}-\d\d-\d\d"
_INSTANT = _DAY + r"([ T]\d\d:\d\d.*)?"


def read_catalog(con: duckdb.DuckDBPyConnection, *, source: str, views_are_tables: bool = False) -> Catalog:
    """The catalog of an open database; columns not reached within half a minute have no profile.

    Args:
        con: The database.
        source: The source's name.
        views_are_tables: Whether its views are only how it reads files that lie elsewhere.

    Raises:
        duckdb.Error: The database is damaged.
    """
    deadline = time.monotonic() + _PROFILING_LIMIT_S
    declared = _declared(con)
    if views_are_tables:
        declared = [replace(table, is_view=False, definition="") for table in declared]
    tables = [_profiled(con, table, deadline) for table in declared]

    def ask(sql: str) -> Sequence[Sequence[object]] | None:
        try:
            return con.execute(sql).fetchall() if time.monotonic() < deadline else None
        except duckdb.Error:
            return None

    def count(sql: str) -> Sequence[int] | None:
        rows = ask(sql)
        return [int(str(number)) for number in rows[0]] if rows else None

    return Catalog(
        source=source,
        dialect="duckdb",
        tables=infer_keys(test_keys(tables, count, quoted=quoted, place=_origin), count, quoted=quoted, place=_origin),
        doubts=find_doubts(tables, ask, quoted=quoted, place=_origin),
        routines=macros(con),
    )


def macros(con: duckdb.DuckDBPyConnection) -> tuple[str, ...]:
    """The macros of the database, in lower case; one may have the name of a function of DuckDB's own."""
    rows = con.execute(
        "SELECT DISTINCT lower(function_name) FROM duckdb_functions()"
        " WHERE NOT internal AND database_name = current_database()"
    ).fetchall()
    return tuple(sorted(str(name) for (name,) in rows))


def _origin(table: Table) -> str:
    return f"{quoted(table.schema)}.{quoted(table.name)}" if table.schema else quoted(table.name)


def _declared(con: duckdb.DuckDBPyConnection) -> list[Table]:
    condition = "database_name = current_database() AND NOT internal"
    views = con.execute(
        f"SELECT schema_name, view_name, comment, sql FROM duckdb_views() WHERE {condition} ORDER BY view_oid"
    ).fetchall()
    plain = con.execute(
        f"SELECT schema_name, table_name, comment, '' FROM duckdb_tables() WHERE {condition} ORDER BY table_oid"
    ).fetchall()
    columns: dict[tuple[str, str], list[Column]] = {}
    for schema, table, name, type_, nullable, comment, computed in con.execute(
        "SELECT schema_name, table_name, column_name, data_type, is_nullable, comment, generation_expression"
        f" FROM duckdb_columns() WHERE {condition} ORDER BY column_index"
    ).fetchall():
        column = Column(
            name=name,
            type=type_,
            kind=kind_of_type(type_),
            conversion=conversion_of_type(type_),
            nullable=bool(nullable),
            comment=comment or "",
            computed=computed or "",
        )
        columns.setdefault((schema, table), []).append(column)
    primary: dict[tuple[str, str], tuple[str, ...]] = {}
    foreign: dict[tuple[str, str], list[ForeignKey]] = {}
    for schema, table, type_, names, target, target_names in con.execute(
        "SELECT schema_name, table_name, constraint_type, constraint_column_names, referenced_table,"
        " referenced_column_names FROM duckdb_constraints()"
        " WHERE database_name = current_database() AND constraint_type IN ('PRIMARY KEY', 'FOREIGN KEY')"
    ).fetchall():
        if type_ == "PRIMARY KEY":
            primary[schema, table] = tuple(names)
        else:
            key = ForeignKey(
                columns=tuple(names),
                table=target,
                target_columns=tuple(target_names),
                schema=None if schema == "main" else schema,
            )
            foreign.setdefault((schema, table), []).append(key)
    return [
        Table(
            name=name,
            schema=None if schema == "main" else schema,
            columns=tuple(columns.get((schema, name), ())),
            primary_key=primary.get((schema, name), ()),
            foreign_keys=tuple(foreign.get((schema, name), ())),
            comment=comment or "",
            is_view=is_view,
            definition=definition or "",
        )
        for rows, is_view in ((plain, False), (views, True))
        for schema, name, comment, definition in rows
    ]


def _profiled(con: duckdb.DuckDBPyConnection, table: Table, deadline: float) -> Table:
    if time.monotonic() > deadline or not table.columns:
        return table
    try:
        counted = con.execute(f"SELECT count(*) FROM {_origin(table)}").fetchone()
        rows = int(counted[0]) if counted else 0
        columns = _measured(con, table, rows, deadline)
    except (duckdb.BinderException, duckdb.CatalogException, duckdb.PermissionException, duckdb.IOException):
        return table  # a view over something that is gone, or over a file, which is out of reach
    return _with_running(con, _with_dependencies(con, replace(table, rows=rows, columns=columns), deadline), deadline)


def _with_running(con: duckdb.DuckDBPyConnection, table: Table, deadline: float) -> Table:
    """The table with its running totals marked, by the first of its clocks that tells one row from another."""
    columns = may_run(table)
    for date, group in clocks(table) if columns and not table.is_view else ():
        if time.monotonic() > deadline:
            break
        clock = (quoted(date.name), quoted(group.name) if group else "")
        running: list[str] = []
        for part in batches(columns):
            row = con.execute(rising(_origin(table), clock, [quoted(column.name) for column in part])).fetchone()
            running += [column.name for column, runs in zip(part, row or (), strict=False) if runs]
        if running:
            return marked(table, running)
    return table


def _with_dependencies(con: duckdb.DuckDBPyConnection, table: Table, deadline: float) -> Table:
    """The table with what is the same on all rows that belong to one thing."""
    dependents: dict[str, list[str]] = {}
    for number in determinants(table):
        columns = may_depend(table, number)
        if not columns or time.monotonic() > deadline:
            break
        for part in batches(columns):
            dependents.setdefault(number.name, []).extend(_depending(con, table, number, part))
    return replace(table, columns=with_dependencies(table.columns, dependents))


def _depending(
    con: duckdb.DuckDBPyConnection, table: Table, number: Column, columns: Sequence[Column]
) -> Iterator[str]:
    """The names of the columns that have one value for each of what `number` numbers; none where it numbers few."""
    agree = ", ".join(_AGREE.format(c=quoted(column.name)) for column in columns)
    groups = f"SELECT {agree}, count(*) > 1 AS several FROM {_origin(table)} GROUP BY {quoted(number.name)}"
    every = ", ".join(f"bool_and(columns.c{n})" for n in range(len(columns)))
    names = ", ".join(f"c{n}" for n in range(len(columns)))
    row = con.execute(f"SELECT count(*), {every} FROM ({groups}) AS columns({names}, several) WHERE several")
    distinct_count, *agreements = row.fetchone() or (0,)
    if distinct_count >= THINGS_MIN:
        yield from (column.name for column, agrees in zip(columns, agreements, strict=True) if agrees)


_AGREE = "(count({c}) = 0 OR (count({c}) = count(*) AND min({c}) = max({c})))"


def _measured(con: duckdb.DuckDBPyConnection, table: Table, rows: int, deadline: float) -> tuple[Column, ...]:
    """The columns with their profiles; those that time does not reach are left as they are."""
    measured: list[Column] = []
    for part in batches(table.columns):
        measured += _measured_together(con, table, part, rows, deadline) if time.monotonic() < deadline else part
    return tuple(measured)


def _measured_together(
    con: duckdb.DuckDBPyConnection, table: Table, columns: Sequence[Column], rows: int, deadline: float
) -> Sequence[Column]:
    sampled = rows > PROFILED_ROWS_MAX
    names = [quoted(column.name) for column in columns]
    head = f"(SELECT {', '.join(names)} FROM {_origin(table)} LIMIT {PROFILED_ROWS_MAX})"
    with narrowed(con, head if sampled else _origin(table), names, of=len(table.columns), rows=rows) as origin:
        ends = _full_range(con, table, columns) if sampled else {}
        return _measured_in(con, origin, columns, rows, ends, deadline=deadline)


def _measured_in(
    con: duckdb.DuckDBPyConnection,
    origin: str,
    columns: Sequence[Column],
    rows: int,
    ends: Mapping[str, tuple[Any, Any]],
    *,
    deadline: float,
) -> Sequence[Column]:
    sampled = rows > PROFILED_ROWS_MAX
    measured: list[Column] = []
    aggregates: list[str] = []
    for column in columns:
        c = quoted(column.name)
        comparable = column.kind in COMPARABLE
        text = column.kind == "text"
        aggregates += [
            f"count({c})",
            f"count(DISTINCT {c})" if comparable else f"approx_count_distinct({c}::VARCHAR)",
            *((f"min({c})", f"max({c})") if comparable else ("NULL", "NULL")),
            f"count(*) FILTER (regexp_full_match({c}::VARCHAR, '{_DAY}'))" if text else "0",
            f"count(*) FILTER (regexp_full_match({c}::VARCHAR, '{_INSTANT}'))" if text else "0",
            f"sum(length({c}::VARCHAR))" if text else "0",
        ]
    measures = con.execute(f"SELECT {', '.join(aggregates)} FROM {origin}").fetchone()
    if measures is None:  # an aggregate always gives a row
        return columns
    for place, column in enumerate(columns):
        filled, distinct, low, high, days, instants, chars = measures[place * 7 : place * 7 + 7]
        low, high = ends.get(column.name, (low, high))
        kind, as_text = _kind(column.kind, filled, days, instants)
        profile = Profile(
            distinct=distinct,
            nulls=min(rows, PROFILED_ROWS_MAX) - filled,
            low=profile_value(low, kind),
            high=profile_value(high, kind),
            sampled=sampled,
            json_keys=_json_keys(con, origin, column) if column.type == "JSON" else (),
        )
        few = distinct <= VALUES_MAX and (chars or 0) * distinct <= VALUES_LIMIT_CHARS * max(1, filled)
        lists_values = kind == "text" or distinct < filled
        if filled and few and lists_values and column.kind in COMPARABLE and time.monotonic() < deadline:
            profile = _with_values(con, origin, column, kind, profile)
        measured.append(replace(column, kind=kind, stored_as_text=as_text, profile=profile))
    return measured


def _json_keys(con: duckdb.DuckDBPyConnection, origin: str, column: Column) -> tuple[str, ...]:
    c = quoted(column.name)
    head = con.execute(f"SELECT {c} FROM {origin} WHERE {c} IS NOT NULL LIMIT {JSON_ROWS_MAX}").fetchall()
    return keys_of_json(value for (value,) in head)


def _full_range(con: duckdb.DuckDBPyConnection, table: Table, columns: Sequence[Column]) -> dict[str, tuple[Any, Any]]:
    """Least and greatest values of numbers and dates over the whole of a long table, which is cheap in columns."""
    ranged = [column for column in columns if column.kind in ("integer", "number", "date", "datetime")]
    if not ranged:
        return {}
    ends = ", ".join(f"min({quoted(column.name)}), max({quoted(column.name)})" for column in ranged)
    row = con.execute(f"SELECT {ends} FROM {_origin(table)}").fetchone() or ()
    return {column.name: (row[place * 2], row[place * 2 + 1]) for place, column in enumerate(ranged)}


def _kind(declared: ColumnKind, filled: int, days: int, instants: int) -> tuple[ColumnKind, bool]:
    if declared == "text" and filled and days == filled:
        return "date", True
    if declared == "text" and filled and instants == filled:
        return "datetime", True
    return declared, False


def _with_values(
    con: duckdb.DuckDBPyConnection, origin: str, column: Column, kind: ColumnKind, profile: Profile
) -> Profile:
    c = quoted(column.name)
    counted = con.execute(
        f"SELECT {c}, count(*) FROM {origin} WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY count(*) DESC, {c}"
    ).fetchall()
    top = tuple((profile_value(value, kind), int(number)) for value, number in counted[:TOP_MAX])
    values = tuple(sorted(str(value) for value, _ in counted)) if kind == "text" else None
    return replace(profile, top=top, values=values)
