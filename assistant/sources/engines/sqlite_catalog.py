"""Read a SQLite database's catalog and profile its columns: one pass per table, then one per column for its values.

A SQLite column holds whatever was put in, so its kind comes from the values found and only then from the declared
type. Dates are held as text; a text column whose every value is an ISO date says so.
"""

from __future__ import annotations

import sqlite3
import time
from collections.abc import Sequence
from contextlib import closing
from dataclasses import replace
from threading import Event
from typing import Any

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.core.catalog import (
    TOP_MAX,
    UNREAD,
    VALUES_LIMIT_CHARS,
    VALUES_MAX,
    Catalog,
    Column,
    ColumnKind,
    ForeignKey,
    Profile,
    Table,
    kind_of_type,
)
from assistant.core.doubts import Doubt
from assistant.core.values import Scalar
from assistant.query.quoting import quoted
from assistant.sources.catalog.declared import test_keys
from assistant.sources.catalog.doubts import find_doubts
from assistant.sources.catalog.keys import infer_keys
from knowledge.parsing import parse_one

_TABLE_LIMIT_S = 10.0
_PROFILING_LIMIT_S = 30.0
_PROFILED_ROWS_MAX = 50_000  # SQLite counts distinct values row by row
_COLUMNS_PER_PASS = 25  # few, so that a table that takes too long still has some columns profiled
_DAY = "[0-9][0-9][0-9][0-9]-[0-9][0-9]-[0-9][0-9]"
_HOUR = "[0-9][0-9]:[0-9][0-9]"


def read_catalog(con: sqlite3.Connection, *, source: str, stop: Event) -> Catalog:
    """The catalog of an open database.

    Args:
        con: Connection to read from.
        source: The source's name.
        stop: When set, profiling ends early: columns not reached have no profile.

    Raises:
        sqlite3.Error: The database is damaged.
    """
    rows = con.execute(
        "SELECT name, type, sql FROM sqlite_master WHERE type IN ('table', 'view')"
        " AND name NOT LIKE 'sqlite\\_%' ESCAPE '\\' ORDER BY rowid"
    ).fetchall()
    kinds = {row[1]: row[2] for row in con.execute("PRAGMA table_list")}
    deadline = time.monotonic() + _PROFILING_LIMIT_S
    tables: list[Table] = []
    for name, type_, sql in rows:
        if kinds.get(name) == "shadow":  # behind a virtual table (full-text search); nobody asks about it
            continue
        table = _declared(con, name, is_view=type_ == "view", sql=sql or "")
        if table is not None and kinds.get(name) == "virtual":
            table = replace(table, is_foreign=True)  # an index over another table's texts shows them
        if table is not None:
            profile = _profiled_view if table.is_view else _profiled
            tables.append(profile(con, table, stop, deadline))
    linked = _linked(con, _resolved(tables), stop)
    return Catalog(source=source, dialect="sqlite", tables=linked, doubts=_doubted(con, linked, stop))


def _declared(con: sqlite3.Connection, name: str, *, is_view: bool, sql: str) -> Table | None:
    try:
        infos = con.execute(f"PRAGMA table_xinfo({quoted(name)})").fetchall()
        keys = con.execute(f"PRAGMA foreign_key_list({quoted(name)})").fetchall()
    except sqlite3.Error:  # a view over a table that is gone, a virtual table whose module is missing
        return None
    computed = _computed(sql) if any(info[6] in _COMPUTED for info in infos) else {}
    columns = tuple(
        Column(
            name=info[1],
            type=info[2] or "",
            kind=kind_of_type(info[2] or ""),
            nullable=not (info[3] or info[5]),
            computed=computed.get(info[1].casefold(), UNREAD) if info[6] in _COMPUTED else "",
        )
        for info in infos
        if info[6] != 1  # hidden
    )
    primary = tuple(info[1] for info in sorted(infos, key=lambda info: info[5]) if info[5])
    return Table(
        name=name,
        columns=columns,
        primary_key=primary,
        foreign_keys=_declared_keys(keys),
        is_view=is_view,
        definition=sql if is_view else "",
    )


_COMPUTED = (2, 3)
"""What `table_xinfo` says of a generated column: virtual, stored."""


def _computed(sql: str) -> dict[str, str]:
    """The expressions of generated columns by name, as the statement says that made the table; empty if unreadable."""
    try:
        columns = list(parse_one(sql, "sqlite").find_all(exp.ColumnDef))
    except SqlglotError:
        return {}
    return {
        column.name.casefold(): constraint.this.sql(dialect="sqlite")
        for column in columns
        for constraint in column.find_all(exp.ComputedColumnConstraint)
    }


def _declared_keys(rows: Sequence[Sequence[Any]]) -> tuple[ForeignKey, ...]:
    grouped: dict[int, list[Sequence[Any]]] = {}
    for row in rows:  # id, seq, table, from, to, ...
        grouped.setdefault(row[0], []).append(row)
    return tuple(
        ForeignKey(
            columns=tuple(row[3] for row in sorted(group, key=lambda row: row[1])),
            table=group[0][2],
            target_columns=tuple(row[4] or "" for row in sorted(group, key=lambda row: row[1])),
        )
        for _, group in sorted(grouped.items())
    )


def _resolved(tables: list[Table]) -> tuple[Table, ...]:
    """Declared keys in the tables' own spelling; `REFERENCES t` means t's primary key; dangling keys fall away."""
    by_name = {table.name.casefold(): table for table in tables}
    resolved: list[Table] = []
    for table in tables:
        keys: list[ForeignKey] = []
        for key in table.foreign_keys:
            target = by_name.get(key.table.casefold())
            if target is None:
                continue
            target_names = key.target_columns if all(key.target_columns) else target.primary_key
            mine = [table.column(name) for name in key.columns]
            theirs = [target.column(name) for name in target_names]
            if len(mine) == len(theirs) and all(mine) and all(theirs):
                columns = tuple(column.name for column in mine if column)
                aims = tuple(column.name for column in theirs if column)
                foreign_key = ForeignKey(columns=columns, table=target.name, target_columns=aims)
                if foreign_key not in keys:
                    keys.append(foreign_key)
        resolved.append(replace(table, foreign_keys=tuple(keys)))
    return tuple(resolved)


def _profiled_view(con: sqlite3.Connection, view: Table, stop: Event, last: float) -> Table:
    """A view, profiled on a copy of its rows: asked for each column again, it would be computed each time."""
    deadline = min(last, time.monotonic() + _TABLE_LIMIT_S)
    con.set_progress_handler(lambda: int(stop.is_set() or time.monotonic() > deadline), 20_000)
    try:
        rows = con.execute(f"SELECT * FROM {quoted(view.name)} LIMIT {_PROFILED_ROWS_MAX + 1}").fetchall()
    except sqlite3.Error:  # too slow, or over something that is gone
        return view
    finally:
        con.set_progress_handler(None, 0)
    with closing(sqlite3.connect(":memory:")) as copy:
        names = ", ".join(quoted(column.name) for column in view.columns)  # no type: values stay as they came
        copy.execute(f"CREATE TABLE {quoted(view.name)} ({names})")
        marks = ", ".join("?" * len(view.columns))
        copy.executemany(f"INSERT INTO {quoted(view.name)} VALUES ({marks})", rows[:_PROFILED_ROWS_MAX])
        profiled = _profiled(copy, view, stop, last)
    return profiled if len(rows) <= _PROFILED_ROWS_MAX else replace(profiled, rows=None)


def _profiled(con: sqlite3.Connection, table: Table, stop: Event, last: float) -> Table:
    deadline = min(last, time.monotonic() + _TABLE_LIMIT_S)
    con.set_progress_handler(lambda: int(stop.is_set() or time.monotonic() > deadline), 20_000)
    columns: list[Column] = []
    rows: int | None = None
    try:
        rows = con.execute(f"SELECT count(*) FROM {quoted(table.name)}").fetchone()[0]
        for start in range(0, len(table.columns), _COLUMNS_PER_PASS):
            columns += _measured(con, table, table.columns[start : start + _COLUMNS_PER_PASS], rows or 0)
    except sqlite3.Error:
        pass  # out of time, or a broken view: what is known so far is kept
    finally:
        con.set_progress_handler(None, 0)
    return replace(table, rows=rows, columns=(*columns, *table.columns[len(columns) :]))


def _measured(con: sqlite3.Connection, table: Table, columns: Sequence[Column], rows: int) -> list[Column]:
    sampled = rows > _PROFILED_ROWS_MAX
    origin = f"(SELECT * FROM {quoted(table.name)} LIMIT {_PROFILED_ROWS_MAX})" if sampled else quoted(table.name)
    aggregates: list[str] = []
    for column in columns:
        c = quoted(column.name)
        aggregates += [
            f"count({c})",
            f"count(DISTINCT {c})",
            f"min({c})",
            f"max({c})",
            f"sum(typeof({c})='integer')",
            f"sum(typeof({c})='real')",
            f"sum(typeof({c})='text')",
            f"sum({c} GLOB '{_DAY}')",
            f"sum({c} GLOB '{_DAY}[ T]{_HOUR}*')",
            f"sum(CASE typeof({c}) WHEN 'text' THEN length({c}) END)",
        ]
    measures = con.execute(f"SELECT {', '.join(aggregates)} FROM {origin}").fetchone()
    total = min(rows, _PROFILED_ROWS_MAX)
    ends = _full_range(con, table, columns, measures) if sampled else {}
    measured: list[Column] = []
    for place, column in enumerate(columns):
        filled, distinct, low, high, *counts = measures[place * 10 : place * 10 + 10]
        integers, reals, texts, days, instants, chars = (number or 0 for number in counts)
        low, high = ends.get(column.name, (low, high))
        kind, as_text = _kind(
            column.kind, filled, integers=integers, reals=reals, texts=texts, days=days, instants=instants
        )
        profile = Profile(
            distinct=distinct, nulls=total - filled, low=_scalar(low), high=_scalar(high), sampled=sampled
        )
        few = distinct <= VALUES_MAX and chars * distinct <= VALUES_LIMIT_CHARS * max(1, filled)
        if filled and few and kind != "binary" and (kind == "text" or distinct < filled):
            profile = _with_values(con, origin, column, kind, profile)
        measured.append(replace(column, kind=kind, stored_as_text=as_text, profile=profile))
    return measured


def _full_range(
    con: sqlite3.Connection, table: Table, columns: Sequence[Column], measures: Sequence[Any]
) -> dict[str, tuple[Any, Any]]:
    """Least and greatest values over the whole of a long table, for what is compared: numbers and dates."""
    ranged = [
        column
        for place, column in enumerate(columns)
        if measures[place * 10 + 6] in (0, None)
        or measures[place * 10 + 7]
        or measures[place * 10 + 8]  # no text, or dates
    ]
    if not ranged:
        return {}
    ends = ", ".join(f"min({quoted(column.name)}), max({quoted(column.name)})" for column in ranged)
    row = con.execute(f"SELECT {ends} FROM {quoted(table.name)}").fetchone()
    return {column.name: (row[place * 2], row[place * 2 + 1]) for place, column in enumerate(ranged)}


def _kind(
    declared: ColumnKind, filled: int, *, integers: int, reals: int, texts: int, days: int, instants: int
) -> tuple[ColumnKind, bool]:
    """The kind of a column by its values, and whether it holds dates as text."""
    if not filled:
        return ("text" if declared == "other" else declared), declared in ("date", "datetime")
    if texts == filled:
        if days == filled:
            return "date", True
        if days + instants == filled:
            return "datetime", True
        return ("time" if declared == "time" else "text"), False
    if integers == filled:
        return (declared if declared in ("boolean", "number") else "integer"), False
    if integers + reals == filled:
        return "number", False
    if texts:
        return "text", False  # of mixed types
    return "binary", False


def _with_values(con: sqlite3.Connection, origin: str, column: Column, kind: ColumnKind, profile: Profile) -> Profile:
    c = quoted(column.name)
    counted = con.execute(
        f"SELECT {c}, count(*) FROM {origin} WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY count(*) DESC, {c}"
    ).fetchall()
    top = tuple((_scalar(value), number) for value, number in counted[:TOP_MAX])
    values = tuple(sorted(str(value) for value, _ in counted)) if kind == "text" else None
    return replace(profile, top=top, values=values)


def _scalar(value: Any) -> Scalar:
    return None if isinstance(value, bytes) else value


def _linked(con: sqlite3.Connection, tables: tuple[Table, ...], stop: Event) -> tuple[Table, ...]:
    deadline = time.monotonic() + _TABLE_LIMIT_S
    con.set_progress_handler(lambda: int(stop.is_set() or time.monotonic() > deadline), 20_000)
    try:

        def count(sql: str) -> Sequence[int] | None:
            return _counted(con, sql)

        def place(table: Table) -> str:
            return quoted(table.name)

        tested = test_keys(tables, count, quoted=quoted, place=place)
        return infer_keys(tested, count, quoted=quoted, place=place)
    finally:
        con.set_progress_handler(None, 0)


def _doubted(con: sqlite3.Connection, tables: Sequence[Table], stop: Event) -> tuple[Doubt, ...]:
    """What the values of the tables give reason to doubt, as far as time allows."""
    deadline = time.monotonic() + _TABLE_LIMIT_S

    def ask(sql: str) -> Sequence[Sequence[object]] | None:
        try:
            return con.execute(sql).fetchall()
        except sqlite3.Error:
            return None

    con.set_progress_handler(lambda: int(stop.is_set() or time.monotonic() > deadline), 20_000)
    try:
        return find_doubts(tables, ask, quoted=quoted, place=lambda table: quoted(table.name))
    finally:
        con.set_progress_handler(None, 0)


def _counted(con: sqlite3.Connection, sql: str) -> Sequence[int] | None:
    try:
        return con.execute(sql).fetchone()
    except sqlite3.Error:
        return None
