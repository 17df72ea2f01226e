"""Which queries on masked columns are allowed, decided before they run.

A masked column may be selected (each value is `•••`), counted and tested for NULL; its distinct values may be counted
for a whole table. Any other use (a function, a comparison, sorting, grouping, DISTINCT, a scalar subquery) could
reveal values and is refused, as is anything that cannot be resolved with certainty. So a masked column is protected
under another name, behind `*`, in a WITH clause and in a derived table. The guard and permissions on the server are
not involved.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

from assistant.data.mask_lineage import Covered, Tracing, unclear
from assistant.data.masks import SHOWN, Masks

if TYPE_CHECKING:
    from sqlglot import exp

    from assistant.data.catalog import Catalog
    from assistant.data.values import ArrowTable

_MATCHING = ("by_name", "side", "kind", "on", "match")
"""How the columns of a set operation may be matched otherwise than by place."""
_ROW_MAKERS = frozenset({"generate_series", "range"})


def covered(sql: str, *, dialect: str, catalog: Catalog, masks: Masks) -> Covered:
    """Which columns of a query's result are masked. The query has passed the guard.

    Raises:
        QueryRefused: It uses a masked column otherwise than selecting it, or it cannot be told whether it does.
    """
    from sqlglot import exp
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import traverse_scope

    from knowledge.parsing import bounded, parse_one

    if not masks:
        return Covered()
    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:
        raise unclear("it cannot be read as a SELECT") from None
    if not isinstance(tree, exp.Query):
        raise unclear("only SELECT is run where columns are masked")
    if not _touches(tree, catalog, masks):
        return Covered()
    _require_followed(tree)
    try:
        with bounded():
            plain = qualify(in_lower_case(tree), schema=schema_of(catalog), dialect=dialect, quote_identifiers=False)
            return Tracing(masks).of(plain, traverse_scope(plain))
    except (
        SqlglotError,
        RecursionError,
        LookupError,
        ValueError,
        TypeError,
        AttributeError,
        AssertionError,
    ) as problem:
        raise unclear(str(problem).splitlines()[0] if str(problem) else "a name is unknown") from None


def _require_followed(tree: exp.Query) -> None:
    """Refuse what cannot be followed from a column of a table to a column of the result."""
    from sqlglot import exp

    if tree.find(exp.Pivot, exp.Columns, exp.Lateral, exp.Unnest, exp.Parameter, exp.PositionalColumn):
        raise unclear("PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed")
    if any(part.args.get(how) for part in tree.find_all(exp.SetOperation) for how in _MATCHING):
        raise unclear("the parts of its set operation are matched by name; match them by place")
    called = {name.casefold() for table in tree.find_all(exp.Table) for name in (table.name, table.alias)}
    if whole := next((c.name for c in tree.find_all(exp.Column) if not c.table and c.name.casefold() in called), None):
        raise unclear(f"{whole!r} may mean a whole row")
    if any(t.alias_column_names and isinstance(t.this, exp.Identifier) for t in tree.find_all(exp.Table)):
        raise unclear("a table's alias gives its columns other names")
    if any(part.args.get("recursive") for part in tree.find_all(exp.With)):
        raise unclear("WITH RECURSIVE is not followed")
    if any(join.method for join in tree.find_all(exp.Join)):
        raise unclear("NATURAL and other special joins are not followed; join with ON")


def schema_of(catalog: Catalog) -> dict[str, object]:
    """The tables as sqlglot wants them, in lower case; of two with one name the columns of both."""
    schema: dict[str, object] = {}
    for table in catalog.tables:
        columns = {column.name.casefold(): "text" for column in table.columns}
        known = schema.get(table.name.casefold())
        schema[table.name.casefold()] = {**known, **columns} if isinstance(known, dict) else columns
    return schema


def applied(table: ArrowTable, cover: Covered) -> ArrowTable:
    """A result with its masked columns covered.

    Raises:
        QueryRefused: The engine gave other columns than the query was understood to give.
    """
    import pyarrow as pa

    if not cover.names:
        return table
    if table.num_columns != len(cover.names):
        raise unclear("its result has other columns than expected")
    for place, masked in enumerate(cover.masked):
        if masked:
            column = table.column(place)
            shown = pa.array([SHOWN if there else None for there in column.is_valid().to_pylist()], pa.string())
            table = table.set_column(place, table.column_names[place], shown)
    return table


def _touches(tree: exp.Query, catalog: Catalog, masks: Masks) -> bool:
    """Whether a query reads a table with masked columns.

    Raises:
        QueryRefused: It reads what is not in the catalog (statistics hold values), or a view (which may rename).
    """
    from sqlglot import exp

    tables = {table.name.casefold(): table for table in catalog.tables}
    named = {cte.alias.casefold() for cte in tree.find_all(exp.CTE)}
    touched = False
    for node in tree.find_all(exp.Table):
        if not isinstance(node.this, exp.Identifier):
            called = node.this.name if isinstance(node.this, exp.Anonymous) else node.this.sql_name()
            if called.casefold() not in _ROW_MAKERS:
                raise unclear(f"{called}() may tell about any table")
            continue
        name = node.name.casefold()
        if name in masks:
            touched = True
        elif name in named and not node.db:
            continue
        elif (table := tables.get(name)) is None:
            raise unclear(f"{node.name!r} is not in the catalog")
        elif table.is_view:
            raise unclear(f"{node.name!r} is a view; name its masked columns in the setting `mask`, too")
    return touched


def in_lower_case(tree: exp.Query) -> exp.Query:
    """A copy in which names mean what they say on every engine, and tables are known by their own name alone."""
    from sqlglot import exp

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
