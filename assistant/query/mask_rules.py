"""Which queries on masked columns are allowed, decided before they run.

A masked column may be selected (each value is `•••`), counted and tested for NULL; its distinct values may be counted
for a whole table. Any other use (a function, a comparison, sorting, grouping, DISTINCT, a scalar subquery) could
reveal values and is refused, as is anything that cannot be resolved with certainty. So a masked column is protected
under another name, behind `*`, in a WITH clause and in a derived table. The guard and permissions on the server are
not involved.
"""

from __future__ import annotations

import re
from collections.abc import Collection

import pyarrow as pa
from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.expressions.core import Expr
from sqlglot.optimizer.scope import traverse_scope

from assistant.core.catalog import Catalog
from assistant.core.values import ArrowTable
from assistant.query.guard import check
from assistant.query.mask_lineage import Covered, Tracing, refuse_unclear
from assistant.query.masks import PLACEHOLDER, Masks
from assistant.query.routines import find_uses
from assistant.query.system_tables import is_made_by_with
from knowledge.parsing import limit_work, parse_one

_MATCHING = ("by_name", "side", "kind", "on", "match")
"""How the columns of a set operation may be matched otherwise than by place."""
_ROW_MAKERS = frozenset({"generate_series", "range"})


def find_masked_outputs(
    sql: str,
    *,
    dialect: str,
    catalog: Catalog,
    masks: Masks,
    clear: Collection[str] = (),
    functions: Collection[str] = (),
) -> Covered:
    """Which columns of a query's result are masked. The query has passed the guard.

    Args:
        sql: One SELECT.
        dialect: sqlglot's name.
        catalog: The source's catalog.
        masks: The masked columns, with all that inherit from them (`mask_inheritance`).
        clear: Views that are known to show no masked column, in lower case.
        functions: Functions beside the engine's own that read no table, as a person says.

    Raises:
        QueryRefused: It uses a masked column otherwise than selecting it, or it cannot be told whether it does.
    """
    from sqlglot.optimizer.qualify import qualify

    if not masks:
        return Covered()
    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:
        raise refuse_unclear("it cannot be read as a SELECT") from None
    if not isinstance(tree, exp.Query):
        raise refuse_unclear("only SELECT is run where columns are masked")
    _require_seen_through(sql, dialect, functions)
    _require_engine_types(tree)
    if not _touches(tree, dialect, catalog, masks, clear):
        _require_known_columns(tree, dialect, catalog)
        return Covered()
    _require_followed(tree)
    try:
        with limit_work():
            plain = qualify(fold_names(tree), schema=make_schema(catalog), dialect=dialect, quote_identifiers=False)
            views = {table.name.casefold() for table in catalog.tables if table.is_view}
            return Tracing(masks, views=views).of(plain, traverse_scope(plain))
    except (
        SqlglotError,
        RecursionError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        AssertionError,
    ) as problem:
        raise refuse_unclear(str(problem).splitlines()[0] if str(problem) else "a name is unknown") from None


def _require_seen_through(sql: str, dialect: str, functions: Collection[str]) -> None:
    """Refuse functions of which nobody knows what they read, and those that tell what a definition holds."""
    refusal = check(sql, dialect=dialect, functions=functions)
    if refusal is not None:
        raise refuse_unclear(
            f"{refusal.text}() is not one of the database's own functions, and may read any table; a person can say in "
            "the setting `functions_without_tables` that it reads none"
            if refusal.rule == "function"
            else refusal.message.rstrip(".")
        )
    if telling := next((name for name in sorted(find_uses(sql, dialect).called) if _TELLING.match(name.lower())), None):
        raise refuse_unclear(
            f"{telling}() tells what a type or a definition holds, which may be values of a masked column"
        )


def _require_engine_types(tree: exp.Query) -> None:
    """Refuse casts to types that people made: the error of a failed one lists an enumeration's labels, its values."""
    for kind in tree.find_all(exp.DataType):
        name = str(kind.args.get("kind") or "").casefold()
        if kind.this == exp.DataType.Type.USERDEFINED and name not in _ENGINE_TYPES:
            raise refuse_unclear(
                f"the type {name} is not one of the database's own, and may tell values of a masked column"
            )


_ENGINE_TYPES = frozenset({"regclass", "regtype", "oid", "tsvector", "tsquery", "cidr", "macaddr", "pg_lsn", "varbit"})
"""Types of the engines' own that the parser does not know."""
_TELLING = re.compile(r"enum_|pg_get_")
"""The labels of a type are the values of its columns; the bounds of a partition are some of them."""


def _require_known_columns(tree: exp.Query, dialect: str, catalog: Catalog) -> None:
    """Refuse what only looks like a column of a table: in PostgreSQL `sale.leak` may be a function of the row."""
    if dialect not in _ROWS_ARE_VALUES:
        return
    columns_of = {
        table.name.casefold(): {column.name.casefold() for column in table.columns} for table in catalog.tables
    }
    tables_of: dict[str, list[str]] = {}
    for table in tree.find_all(exp.Table):
        tables_of.setdefault(table.alias_or_name.casefold(), []).append(table.name.casefold())
    derived = {part.alias_or_name.casefold() for part in tree.find_all(exp.Subquery, exp.CTE, exp.Lateral)}
    for column in tree.find_all(exp.Column):
        names = tables_of.get(column.table.casefold(), [])
        if not column.table or column.table.casefold() in derived or not all(name in columns_of for name in names):
            continue
        if isinstance(column.this, exp.Star) or column.name.casefold() in _SYSTEM_COLUMNS:
            continue
        if not any(column.name.casefold() in columns_of[name] for name in names):
            raise refuse_unclear(f"{column.sql()} is no column that the catalog knows")
    for dot in tree.find_all(exp.Dot):
        if isinstance(dot.expression, exp.Identifier):
            raise refuse_unclear(f"{dot.sql()} reaches into a value")


_ROWS_ARE_VALUES = frozenset({"postgres", "redshift", "materialize", "risingwave", "oracle"})
_SYSTEM_COLUMNS = frozenset({"ctid", "xmin", "xmax", "cmin", "cmax", "tableoid", "rowid", "rownum"})


def _require_followed(tree: exp.Query) -> None:
    """Refuse what cannot be followed from a column of a table to a column of the result."""
    if tree.find(exp.Pivot, exp.Columns, exp.Lateral, exp.Unnest, exp.Parameter, exp.PositionalColumn):
        raise refuse_unclear("PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed")
    if any(part.args.get(how) for part in tree.find_all(exp.SetOperation) for how in _MATCHING):
        raise refuse_unclear("the parts of its set operation are matched by name; match them by place")
    called = {name.casefold() for table in tree.find_all(exp.Table) for name in (table.name, table.alias)}
    if row_name := next(
        (c.name for c in tree.find_all(exp.Column) if not c.table and c.name.casefold() in called), None
    ):
        raise refuse_unclear(f"{row_name!r} may mean a whole row")
    if any(t.alias_column_names and isinstance(t.this, exp.Identifier) for t in tree.find_all(exp.Table)):
        raise refuse_unclear("a table's alias gives its columns other names")
    if any(part.args.get("recursive") for part in tree.find_all(exp.With)):
        raise refuse_unclear("WITH RECURSIVE is not followed")
    if any(join.method for join in tree.find_all(exp.Join)):
        raise refuse_unclear("NATURAL and other special joins are not followed; join with ON")


def make_schema(catalog: Catalog) -> dict[str, object]:
    """The tables as sqlglot wants them, in lower case; of two with one name the columns of both."""
    schema: dict[str, object] = {}
    for table in catalog.tables:
        columns = {column.name.casefold(): "text" for column in table.columns}
        columns_so_far = schema.get(table.name.casefold())
        schema[table.name.casefold()] = {**columns_so_far, **columns} if isinstance(columns_so_far, dict) else columns
    return schema


def apply_masks(table: ArrowTable, cover: Covered) -> ArrowTable:
    """A result with its masked columns covered.

    Raises:
        QueryRefused: The engine gave other columns than the query was understood to give.
    """
    if not cover.names:
        return table
    if table.num_columns != len(cover.names):
        raise refuse_unclear("its result has other columns than expected")
    for place, masked in enumerate(cover.masked):
        if masked:
            column = table.column(place)
            replacement = pa.array(
                [PLACEHOLDER if is_filled else None for is_filled in column.is_valid().to_pylist()], pa.string()
            )
            table = table.set_column(place, table.column_names[place], replacement)
    return table


def _touches(tree: exp.Query, dialect: str, catalog: Catalog, masks: Masks, clear: Collection[str]) -> bool:
    """Whether a query reads a table with masked columns.

    Raises:
        QueryRefused: It reads what is not in the catalog (statistics hold values), or what is not seen through: a view
            whose definition is not known or not followed, rows that are those of something else.
    """
    tables = {table.name.casefold(): table for table in catalog.tables}
    touched = False
    for node in tree.find_all(exp.Table):
        if not isinstance(node.this, exp.Identifier):
            source = node.this
            called = source.name if isinstance(source, exp.Anonymous) else _name_relation(source)
            if called.casefold() not in _ROW_MAKERS:
                raise refuse_unclear(f"{called}() may tell about any table")
            continue
        name = node.name.casefold()
        if name in masks:
            touched = True
        elif not node.db and is_made_by_with(node, dialect):
            pass  # it is no table of the source
        elif (table := tables.get(name)) is None:
            raise refuse_unclear(f"{node.name!r} is not in the catalog")
        elif table.is_foreign:
            raise refuse_unclear(f"the rows of {node.name!r} are those of something else; name its masked columns, too")
        elif table.is_view and name not in clear:
            raise refuse_unclear(f"{node.name!r} is a view; name its masked columns in the setting `mask`, too")
    return touched


def _name_relation(source: Expr | None) -> str:
    """What stands after FROM in the place of a table: the name of a function, or the words it begins with."""
    if source is None:
        return "ROWS FROM"
    return source.sql_name() if isinstance(source, exp.Func) else source.sql().partition("(")[0].strip()


def fold_names(tree: exp.Query) -> exp.Query:
    """A copy in which names mean what they say on every engine, and tables are known by their own name alone."""
    copy = tree.copy()
    for node in copy.find_all(exp.Table):
        node.set("db", None)
        node.set("catalog", None)
    for node in copy.find_all(exp.Column):
        node.set("db", None)
        node.set("catalog", None)
    for node in copy.find_all(exp.Identifier):
        node.set("this", node.name.casefold())
        node.set("quoted", False)
    return copy
