"""Where a server's values come from, by its catalog: views, computed columns, foreign tables, people's functions."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assistant.core.catalog import Table

if TYPE_CHECKING:
    import sqlalchemy as sa

_VIEWS = {
    "postgres": (
        "SELECT n.nspname, c.relname, pg_get_viewdef(c.oid) FROM pg_class c"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE c.relkind IN ('v', 'm') AND c.oid >= 16384"
    ),
    "mysql": "SELECT TABLE_SCHEMA, TABLE_NAME, VIEW_DEFINITION FROM information_schema.VIEWS",
}
_COMPUTED = {
    "postgres": (
        "SELECT n.nspname, c.relname, a.attname, pg_get_expr(d.adbin, d.adrelid) FROM pg_attrdef d"
        " JOIN pg_attribute a ON a.attrelid = d.adrelid AND a.attnum = d.adnum JOIN pg_class c ON c.oid = d.adrelid"
        " JOIN pg_namespace n ON n.oid = c.relnamespace WHERE a.attgenerated <> ''"
    ),
    # A default may be computed from other columns, too. MariaDB tells every default as an expression.
    "mysql": (
        "SELECT TABLE_SCHEMA, TABLE_NAME, COLUMN_NAME, COALESCE(NULLIF(GENERATION_EXPRESSION, ''), COLUMN_DEFAULT)"
        " FROM information_schema.COLUMNS WHERE TABLE_SCHEMA NOT IN ('mysql', 'sys', 'performance_schema')"
        " AND (GENERATION_EXPRESSION <> '' OR EXTRA LIKE '%%DEFAULT_GENERATED%%'"
        " OR (COLUMN_DEFAULT IS NOT NULL AND VERSION() LIKE '%%MariaDB%%' AND COLUMN_DEFAULT LIKE '%%`%%'))"
    ),
}
_FOREIGN = {
    "postgres": (
        "SELECT n.nspname, c.relname FROM pg_class c JOIN pg_namespace n ON n.oid = c.relnamespace"
        " WHERE c.relkind = 'f'"
    ),
    "mysql": (
        "SELECT TABLE_SCHEMA, TABLE_NAME FROM information_schema.TABLES"
        " WHERE ENGINE IN ('FEDERATED', 'CONNECT', 'SPIDER', 'MRG_MyISAM', 'NDB')"
    ),
}
_ROUTINES = {
    "postgres": "SELECT DISTINCT lower(proname) FROM pg_proc WHERE oid >= 16384",
    "mysql": "SELECT DISTINCT LOWER(ROUTINE_NAME) FROM information_schema.ROUTINES WHERE ROUTINE_TYPE = 'FUNCTION'",
}


def with_lineage(tables: Sequence[Table], con: sa.Connection, dialect: str, *, default: str) -> tuple[Table, ...]:
    """The tables, with the definitions of views, the expressions of computed columns, and which are foreign.

    Args:
        tables: As they were read.
        con: Connection to read from.
        dialect: sqlglot's name; of an engine that is not known here, the tables stay as they are.
        default: The schema of tables that name none.

    Raises:
        SQLAlchemyError: The server does not let us look.
    """
    if dialect not in _VIEWS:
        return tuple(tables)
    views = {(schema, name): str(sql or "") for schema, name, sql in _rows(con, _VIEWS[dialect])}
    computed = {tuple(row[:3]): str(row[3] or "") for row in _rows(con, _COMPUTED[dialect])}
    foreign = {(schema, name) for schema, name in _rows(con, _FOREIGN[dialect])}

    def completed(table: Table) -> Table:
        place = (table.schema or default, table.name)
        columns = tuple(replace(column, computed=computed.get((*place, column.name), "")) for column in table.columns)
        return replace(
            table, columns=columns, definition=views.get(place, ""), is_foreign=table.is_foreign or place in foreign
        )

    return tuple(map(completed, tables))


def routines_in(con: sa.Connection, dialect: str) -> tuple[str, ...]:
    """The functions that people made, in lower case."""
    return tuple(sorted(str(row[0]) for row in _rows(con, _ROUTINES[dialect]))) if dialect in _ROUTINES else ()


def _rows(con: sa.Connection, sql: str) -> Sequence[Any]:
    return con.exec_driver_sql(sql).fetchall()
