"""Read a server's catalog by SQLAlchemy's inspector, and profile its tables under caps of rows and time."""

from __future__ import annotations

import time
import warnings
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.dialects.mssql import MONEY as MSMONEY
from sqlalchemy.dialects.mssql import SMALLMONEY as MSSMALLMONEY
from sqlalchemy.dialects.postgresql import DOMAIN
from sqlalchemy.engine.interfaces import ReflectedColumn
from sqlalchemy.exc import CompileError, SAWarning, SQLAlchemyError

from assistant.core.catalog import (
    JSON_ROWS_MAX,
    TOP_MAX,
    VALUES_MAX,
    Catalog,
    Column,
    ForeignKey,
    Profile,
    Table,
    conversion_of_type,
    keys_of_json,
    kind_of_type,
    profile_value,
)
from assistant.core.doubts import Doubt
from assistant.query.quoting import quoted
from assistant.sources.catalog.declared import test_keys
from assistant.sources.catalog.doubts import find_doubts
from assistant.sources.catalog.keys import infer_keys
from assistant.sources.engines.server_engines import engine_for
from assistant.sources.engines.server_lineage import routines_in, with_lineage
from knowledge.parsing import parse_one

_PROFILING_LIMIT_S = 20.0
_TABLE_LIMIT_MS = 3_000
_PROFILED_ROWS_MAX = 50_000
_MANY_TABLES = 200
_MANY_LIMIT_S = 6.0
"""Where there are more tables, all are counted first, and then as many profiled as this leaves time for."""
_PERCENT = ("format", "pyformat")
_Reflected = TypeVar("_Reflected")
_COMPARABLE = ("integer", "number", "text", "date", "datetime", "time", "duration")


def read_catalog(engine: sa.Engine, *, source: str, dialect: str) -> Catalog:
    """The catalog of a database. What cannot be profiled in time has no profile.

    Raises:
        SQLAlchemyError: The server cannot be reached, or does not let us look.
    """
    with engine.connect() as con, warnings.catch_warnings():
        warnings.simplefilter("ignore", SAWarning)  # a type SQLAlchemy does not know keeps kind "other"
        inspector = sa.inspect(con)
        declared, doubts = _declared(inspector, _schemas(inspector, dialect))
        tables = _with_parents(declared, con, dialect)
        tables = with_lineage(tables, con, dialect, default=inspector.default_schema_name or "")
        routines = routines_in(con, dialect)
    reader = _Reader(engine, dialect, limit_s=_PROFILING_LIMIT_S if len(tables) <= _MANY_TABLES else _MANY_LIMIT_S)
    profiled = reader.profiled(reader.counted(tables) if len(tables) > _MANY_TABLES else tables)
    tested = test_keys(profiled, reader.numbers, quoted=quoted, place=_origin)
    tables = infer_keys(tested, reader.numbers, quoted=quoted, place=_origin)
    doubts += find_doubts(tables, reader.rows, quoted=quoted, place=_origin)
    return Catalog(source=source, dialect=dialect, tables=tables, doubts=doubts, routines=routines)


def _schemas(inspector: sa.Inspector, dialect: str) -> list[str | None]:
    """The schemas to read; None is the default one, whose tables need no schema in a query."""
    kind, default, url = engine_for(dialect), inspector.default_schema_name, inspector.engine.url
    if kind.schema_of(url) or not (kind.lists_schemas or not url.database):
        return [None]
    schema_names = [
        name
        for name in inspector.get_schema_names()
        if name != default and name not in kind.system_schemas and not name.startswith(("pg_temp", "pg_toast"))
    ]
    return [None, *schema_names] if default else [*schema_names]


def _declared(inspector: sa.Inspector, schemas: Sequence[str | None]) -> tuple[tuple[Table, ...], tuple[Doubt, ...]]:
    """The tables of some schemas, and a doubt for each that the login may not look at."""
    spelt = _Spelling(inspector.dialect)
    tables: list[Table] = []
    doubts: list[Doubt] = []
    for schema in schemas:
        views = {*inspector.get_view_names(schema=schema), *_materialized(inspector, schema)}
        primary, _ = _reflected(inspector, schema, (), inspector.get_multi_pk_constraint, inspector.get_pk_constraint)
        foreign, _ = _reflected(inspector, schema, (), inspector.get_multi_foreign_keys, inspector.get_foreign_keys)
        comments = _comments(inspector, schema)
        columns, unreadable = _reflected(inspector, schema, views, inspector.get_multi_columns, inspector.get_columns)
        doubts += [
            Doubt(kind="not_read", table=name, chosen=f"{name} is left out: {reason}.") for name, reason in unreadable
        ]
        for key, reflected in columns.items():
            name = key[1]
            keys = tuple(
                ForeignKey(
                    columns=spelt.all(constraint["constrained_columns"]),
                    table=spelt(constraint["referred_table"]),
                    schema=spelt(constraint["referred_schema"]) if constraint["referred_schema"] else None,
                    target_columns=spelt.all(constraint["referred_columns"]),
                )
                for constraint in foreign.get(key) or ()
            )
            constraint_of_key = primary.get(key)
            tables.append(
                Table(
                    name=spelt(name),
                    schema=spelt(schema) if schema else None,
                    columns=tuple(_column(definition, spelt) for definition in reflected),
                    primary_key=spelt.all(constraint_of_key["constrained_columns"]) if constraint_of_key else (),
                    foreign_keys=keys,
                    comment=comments.get(name, ""),
                    is_view=name in views,
                )
            )
    return tuple(tables), tuple(doubts)


def _reflected(
    inspector: sa.Inspector,
    schema: str | None,
    views: Collection[str],
    reflect_all: Callable[..., Mapping[Any, _Reflected]],
    reflect_table: Callable[..., _Reflected],
) -> tuple[Mapping[tuple[str | None, str], _Reflected], list[tuple[str, str]]]:
    """What is declared of the tables, and of `views`, of a schema: where one is refused, each is asked for by itself.

    MySQL shows the definition of a view only to who may see it, and reflection of all tables reads every definition.
    """
    try:
        kinds = sa.engine.reflection.ObjectKind
        return reflect_all(schema=schema, kind=kinds.ANY if views else kinds.TABLE), []
    except (SQLAlchemyError, inspector.dialect.loaded_dbapi.Error):
        pass
    reflected: dict[tuple[str | None, str], _Reflected] = {}
    unreadable: list[tuple[str, str]] = []
    for name in dict.fromkeys((*inspector.get_table_names(schema=schema), *sorted(views))):
        try:
            reflected[schema, name] = reflect_table(name, schema=schema)
        except (SQLAlchemyError, inspector.dialect.loaded_dbapi.Error) as problem:
            unreadable.append((f"{schema}.{name}" if schema else name, _reason(problem)))
    return reflected, unreadable


def _reason(problem: Exception) -> str:
    """What the server said, without SQLAlchemy's words around it."""
    arguments = getattr(getattr(problem, "orig", None) or problem, "args", ())
    return str(arguments[-1] if arguments else problem).splitlines()[0].rstrip(".")


def _materialized(inspector: sa.Inspector, schema: str | None) -> list[str]:
    try:
        return inspector.get_materialized_view_names(schema=schema)
    except NotImplementedError:  # the dialect has none
        return []


def _with_parents(tables: tuple[Table, ...], con: sa.Connection, dialect: str) -> tuple[Table, ...]:
    """The tables, with whose partitions they are: a mask on a table must hold in its partitions."""
    if dialect != "postgres":
        return tables
    rows = con.exec_driver_sql(
        "SELECT nullif(n.nspname, current_schema()), c.relname, p.relname FROM pg_inherits i"
        " JOIN pg_class c ON c.oid = i.inhrelid JOIN pg_class p ON p.oid = i.inhparent"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('r', 'p', 'f')"
    )
    parents = {(schema, str(child)): str(parent) for schema, child, parent in rows}
    return tuple(replace(table, part_of=parents.get((table.schema, table.name))) for table in tables)


def _comments(inspector: sa.Inspector, schema: str | None) -> dict[str, str]:
    try:
        comments = inspector.get_multi_table_comment(schema=schema)
    except NotImplementedError:  # the dialect has no comments
        return {}
    return {name: comment["text"] or "" for (_, name), comment in comments.items()}


class _Spelling:
    """Names as the engine itself spells them, so that a quoted name finds its table.

    Oracle and Snowflake keep what was written without quotes in upper case, and SQLAlchemy shows it in lower case.
    """

    def __init__(self, dialect: sa.Dialect) -> None:
        self._dialect = dialect

    def __call__(self, name: str) -> str:
        if not self._dialect.requires_name_normalize:
            return name
        return str(self._dialect.denormalize_name(name))

    def all(self, names: Sequence[str]) -> tuple[str, ...]:
        """Each of several names."""
        return tuple(map(self, names))


def _column(reflected: ReflectedColumn, spelt: _Spelling) -> Column:
    type_name = _type_name(reflected["type"])
    kind = kind_of_type(type_name)
    return Column(
        name=spelt(reflected["name"]),
        type=type_name,
        kind=kind,
        conversion="" if isinstance(reflected["type"], MSMONEY | MSSMALLMONEY) else conversion_of_type(type_name),
        nullable=reflected["nullable"],
        comment=reflected.get("comment") or "",
    )


def _type_name(type_: sa.types.TypeEngine[Any]) -> str:
    """The engine's word for a type; of a domain that for the type beneath it."""
    if isinstance(type_, DOMAIN):
        return _type_name(type_.data_type)
    if isinstance(type_, sa.Enum):
        return "ENUM"
    if isinstance(type_, sa.DateTime) and type_.timezone:
        return "TIMESTAMP WITH TIME ZONE"
    if isinstance(type_, sa.ARRAY):
        return f"{_type_name(type_.item_type)}[]"
    try:
        return str(type_.compile())
    except CompileError:
        return type(type_).__name__


class _Reader:
    """Asks for counts and profiles in short transactions, each statement under its own time limit."""

    def __init__(self, engine: sa.Engine, dialect: str, *, limit_s: float) -> None:
        self._engine = engine
        self._dialect = dialect
        self._kind = engine_for(dialect)
        self._deadline = time.monotonic() + limit_s

    def counted(self, tables: Sequence[Table]) -> tuple[Table, ...]:
        """The tables with their row counts, as far as time allows."""
        return self._each(tables, lambda con, table: replace(table, rows=self._count(con, table)))

    def profiled(self, tables: Sequence[Table]) -> tuple[Table, ...]:
        """The tables with their row counts and their columns' profiles, as far as time allows."""

        def profile(con: sa.Connection, table: Table) -> Table:
            rows = self._count(con, table) if table.rows is None else table.rows
            return replace(table, rows=rows, columns=tuple(self._columns(con, table, rows)))

        return self._each(tables, profile)

    def _each(self, tables: Sequence[Table], look: Callable[[sa.Connection, Table], Table]) -> tuple[Table, ...]:
        """Each table looked at in its own transaction; one too slow, or not ours to read, is left as it is."""
        result: list[Table] = []
        with self._engine.connect() as con:
            for table in tables:
                if time.monotonic() > self._deadline:
                    result.append(table)
                    continue
                try:
                    with con.begin():
                        self._limit(con)
                        result.append(look(con, table))
                except SQLAlchemyError:
                    result.append(table)
        return tuple(result)

    def _count(self, con: sa.Connection, table: Table) -> int:
        return int(self._asked(con, f"SELECT count(*) FROM {_origin(table)}").scalar_one())

    def rows(self, sql: str) -> Sequence[Sequence[object]] | None:
        """The rows of a query; None where that takes too long."""
        if time.monotonic() > self._deadline:
            return None
        try:
            with self._engine.connect() as con:
                self._limit(con)
                return [tuple(row) for row in self._asked(con, sql)]
        except SQLAlchemyError:
            return None

    def numbers(self, sql: str) -> Sequence[int] | None:
        """The numbers of a query's only row; None where that takes too long."""
        if time.monotonic() > self._deadline:
            return None
        try:
            with self._engine.connect() as con:
                self._limit(con)
                return [int(number) for number in self._asked(con, sql).one()]
        except SQLAlchemyError:
            return None

    def _limit(self, con: sa.Connection) -> None:
        self._kind.limit_profile(con, _TABLE_LIMIT_MS)

    def _asked(self, con: sa.Connection, sql: str) -> sa.CursorResult[*tuple[Any, ...]]:
        """Ask a query, written for PostgreSQL, in the engine's own SQL."""

        own = sql if self._dialect == "postgres" else parse_one(sql, "postgres").sql(self._dialect)
        # The text goes to the driver as it is, and for some drivers a percent sign is a placeholder.
        return con.exec_driver_sql(own.replace("%", "%%") if con.dialect.paramstyle in _PERCENT else own)

    def _columns(self, con: sa.Connection, table: Table, rows: int) -> Sequence[Column]:
        sampled = rows > _PROFILED_ROWS_MAX
        origin = _origin(table)
        if sampled:
            origin = f"(SELECT * FROM {origin} LIMIT {_PROFILED_ROWS_MAX}) AS head"
        columns: list[Column] = []
        for column in table.columns:
            try:  # or what one column's type cannot do would lose the profiles of all others
                with con.begin_nested() if self._kind.savepoints else nullcontext():
                    columns.append(self._column(con, origin, column, rows, sampled=sampled))
            except SQLAlchemyError:
                columns.append(column)
            if time.monotonic() > self._deadline:
                break
        return [*columns, *table.columns[len(columns) :]]

    def _column(self, con: sa.Connection, origin: str, column: Column, rows: int, *, sampled: bool) -> Column:
        c = quoted(column.name)
        if column.kind == "other" and "JSON" in column.type.upper():
            return replace(column, profile=self._json_profile(con, origin, c, rows, sampled=sampled))
        if column.kind not in _COMPARABLE:
            return column
        if column.conversion == "money":
            c = f"CAST({c} AS NUMERIC)"
        figures = f"SELECT count({c}), count(DISTINCT {c}), min({c}), max({c}) FROM {origin}"
        filled, distinct, low, high = self._asked(con, figures).one()
        is_listed = filled and distinct <= VALUES_MAX and (column.kind == "text" or distinct < filled)
        top, values = self._values(con, origin, column, c) if is_listed else ((), None)
        profile = Profile(
            distinct=distinct,
            nulls=min(rows, _PROFILED_ROWS_MAX) - filled,
            low=profile_value(low, column.kind),
            high=profile_value(high, column.kind),
            top=top,
            values=values,
            sampled=sampled,
        )
        return replace(column, profile=profile)

    def _json_profile(self, con: sa.Connection, origin: str, c: str, rows: int, *, sampled: bool) -> Profile:
        filled = self._asked(con, f"SELECT count({c}) FROM {origin}").scalar_one()
        head = self._asked(con, f"SELECT {c} FROM {origin} WHERE {c} IS NOT NULL LIMIT {JSON_ROWS_MAX}").scalars()
        nulls = min(rows, _PROFILED_ROWS_MAX) - filled
        return Profile(distinct=0, nulls=nulls, sampled=sampled, json_keys=keys_of_json(head))

    def _values(
        self, con: sa.Connection, origin: str, column: Column, c: str
    ) -> tuple[tuple[tuple[Any, int], ...], tuple[str, ...] | None]:
        counted = self._asked(
            con, f"SELECT {c}, count(*) FROM {origin} WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY 2 DESC, 1"
        ).all()
        top = tuple((profile_value(value, column.kind), int(number)) for value, number in counted[:TOP_MAX])
        return top, tuple(sorted(str(value) for value, _ in counted)) if column.kind == "text" else None


def _origin(table: Table) -> str:
    return ".".join(quoted(part) for part in (table.schema, table.name) if part)
