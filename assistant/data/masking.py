"""Columns that are never shown: what a query may do with them, decided before it runs.

A masked column may be selected as it is (each value arrives as `•••`), counted, and asked for being NULL. Any other
use (a function, a comparison, sorting, grouping, DISTINCT, a subquery's value) could tell its values piece by piece,
and is refused. What cannot be resolved with certainty in a source that has masked columns is refused as well: so a
masked column is safe under another name, behind `*`, in a WITH clause or a derived table. The guard knows nothing of
this, and nobody's rights on the server change.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

from assistant.data.catalog import Catalog, Table
from assistant.data.errors import QueryRefused, SourceError

if TYPE_CHECKING:
    from sqlglot import exp
    from sqlglot.expressions.core import Expr
    from sqlglot.optimizer.scope import Scope

    from assistant.data.sources import ArrowTable

SHOWN = "•••"
"""What stands in the place of a masked value; NULL stays NULL."""

Masks = Mapping[str, frozenset[str]]
"""Masked columns by table, all in lower case."""

_HOW = "It may be selected as it is, counted, or asked for IS NULL."
_ROW_MAKERS = frozenset({"generate_series", "range"})


def masks_of(mask: Sequence[str], catalog: Catalog) -> Masks:
    """The masked columns of a source.

    Args:
        mask: `table.column` or `source.table.column`, as in the settings.
        catalog: The source's catalog.

    Raises:
        SourceError: An entry names a column that does not exist: it would protect nothing.
    """
    found: dict[str, set[str]] = {}
    for entry in mask:
        *source, table_name, column_name = ["", "", *entry.casefold().split(".")][-3:]
        if source[0] not in ("", catalog.source.casefold()):
            continue
        tables = [table for table in catalog.tables if table.name.casefold() == table_name]
        if not tables and not source[0]:
            continue  # of another source
        if not any(table.column(column_name) for table in tables):
            raise SourceError(
                f"The setting `mask` names {entry!r}, but {catalog.source!r} has no such column. "
                "Write it as table.column or source.table.column."
            )
        found.setdefault(table_name, set()).add(column_name)
    return {table: frozenset(columns) for table, columns in found.items()}


def without_values(catalog: Catalog, masks: Masks) -> Catalog:
    """The catalog, with no value of a masked column in any profile; a view may show it by another name."""
    return replace(catalog, tables=tuple(_without_values(table, masks) for table in catalog.tables))


def _without_values(table: Table, masks: Masks) -> Table:
    hidden = masks.get(table.name.casefold(), frozenset())
    columns = tuple(
        replace(column, profile=replace(column.profile, low=None, high=None, top=(), values=None))
        if column.profile is not None and (column.name.casefold() in hidden or (masks and table.is_view))
        else column
        for column in table.columns
    )
    return replace(table, columns=columns)


@dataclass(frozen=True, slots=True, kw_only=True)
class Covered:
    """What a query gives: its columns' names in lower case, and which of them are masked. No names: nothing is."""

    names: tuple[str, ...] = ()
    masked: tuple[bool, ...] = ()


def covered(sql: str, *, dialect: str, catalog: Catalog, masks: Masks) -> Covered:
    """Which columns of a query's result are masked. The query has passed the guard.

    Raises:
        QueryRefused: It uses a masked column otherwise than selecting it, or it cannot be told whether it does.
    """
    from sqlglot import exp, parse_one
    from sqlglot.errors import SqlglotError
    from sqlglot.optimizer.qualify import qualify
    from sqlglot.optimizer.scope import traverse_scope

    if not masks:
        return Covered()
    try:
        tree = parse_one(sql, read=dialect)
    except SqlglotError:
        raise _unclear("it cannot be read as a SELECT") from None
    if not isinstance(tree, exp.Query):
        raise _unclear("only SELECT is run where columns are masked")
    if not _touches(tree, catalog, masks):
        return Covered()
    if any(tree.find(kind) for kind in (exp.Pivot, exp.Columns, exp.Lateral, exp.Unnest, exp.Parameter)):
        raise _unclear("PIVOT, COLUMNS(), LATERAL, UNNEST and columns by number are not followed")
    called = {name.casefold() for table in tree.find_all(exp.Table) for name in (table.name, table.alias)}
    if whole := next((c.name for c in tree.find_all(exp.Column) if not c.table and c.name.casefold() in called), None):
        raise _unclear(f"{whole!r} may mean a whole row")
    if any(part.args.get("recursive") for part in tree.find_all(exp.With)):
        raise _unclear("WITH RECURSIVE is not followed")
    if any(join.method for join in tree.find_all(exp.Join)):
        raise _unclear("NATURAL and other special joins are not followed; join with ON")
    schema: dict[str, object] = {}
    for table in catalog.tables:
        columns = {column.name.casefold(): "text" for column in table.columns}
        known = schema.get(table.name.casefold())
        schema[table.name.casefold()] = {**known, **columns} if isinstance(known, dict) else columns
    try:
        plain = qualify(_in_lower_case(tree), schema=schema, dialect=dialect, quote_identifiers=False)
        scopes = traverse_scope(plain)
    except (SqlglotError, RecursionError, ValueError, KeyError, TypeError, AttributeError, IndexError) as problem:
        raise _unclear(str(problem).splitlines()[0] if str(problem) else "a name is unknown") from None
    return _Reading(masks).of(plain, scopes)


def applied(table: ArrowTable, cover: Covered) -> ArrowTable:
    """A result with its masked columns covered.

    Raises:
        QueryRefused: The engine gave other columns than the query was understood to give.
    """
    import pyarrow as pa

    if not cover.names:
        return table
    if table.num_columns != len(cover.names):
        raise _unclear("its result has other columns than expected")
    for place, masked in enumerate(cover.masked):
        if masked:
            column = table.column(place)
            shown = pa.array([SHOWN if there else None for there in column.is_valid().to_pylist()], pa.string())
            table = table.set_column(place, table.column_names[place], shown)
    return table


def _unclear(why: str) -> QueryRefused:
    return QueryRefused(
        f"This source has masked columns, and it cannot be told what this query does with them: {why}. "
        "Write it with plain table and column names."
    )


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
                raise _unclear(f"{called}() may tell about any table")
            continue
        name = node.name.casefold()
        if name in masks:
            touched = True
        elif name in named and not node.db:
            continue
        elif (table := tables.get(name)) is None:
            raise _unclear(f"{node.name!r} is not in the catalog")
        elif table.is_view:
            raise _unclear(f"{node.name!r} is a view; name its masked columns in the setting `mask`, too")
    return touched


def _in_lower_case(tree: exp.Query) -> exp.Query:
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


class _Reading:
    """Follows masked columns from the tables outwards, scope by scope; every column of the tree must be met."""

    def __init__(self, masks: Masks) -> None:
        self._masks = masks
        self._outputs: dict[int, tuple[bool, ...]] = {}
        self._met: set[int] = set()

    def of(self, tree: Expr, scopes: Sequence[Scope]) -> Covered:
        """What the outermost query gives."""
        from sqlglot import exp

        for scope in scopes:
            self._outputs[id(scope.expression)] = self._scope(scope)
        for column in tree.find_all(exp.Column):
            if id(column) not in self._met and not _sorts_by_output(column):
                raise _unclear(f"{column.sql()} is out of reach")
        if whole := tree.find(exp.TableColumn):
            raise _unclear(f"{whole.name!r} means a whole row")
        if dotted := tree.find(exp.Dot):  # `email.upper()`, `(c).email`
            raise _unclear(f"{dotted.sql()} reaches into a value")
        hidden = {name for names in self._masks.values() for name in names}
        for word in tree.find_all(exp.Identifier, exp.Var):
            known = isinstance(word.parent, exp.Column | exp.Alias | exp.TableAlias | exp.Table)
            if word.name.casefold() in hidden and not known:
                raise _refused(word)
        for star in tree.find_all(exp.Star):
            if not isinstance(star.parent, exp.Count):
                raise _unclear("a * is left that cannot be written out")
        root = scopes[-1].expression
        names = _names(root)
        masked = self._outputs[id(root)]
        if len(names) != len(masked):
            raise _unclear("its columns cannot be told")
        return Covered(names=names, masked=masked)

    def _scope(self, scope: Scope) -> tuple[bool, ...]:
        from sqlglot import exp

        query = scope.expression
        if isinstance(query, exp.SetOperation):
            return self._set_operation(scope, query)
        if not isinstance(query, exp.Select):
            raise _unclear("it holds something else than SELECT")
        self._forbid_borrowed_names(scope, query)
        projections = [(item.this if isinstance(item, exp.Alias) else item) for item in query.expressions]
        masked = [False] * len(projections)
        places = {id(item): place for place, item in enumerate(projections)}
        for column in scope.columns:
            self._met.add(id(column))
            if not column.table:
                if not _sorts_by_output(column):
                    raise _unclear(f"{column.name} is another column's new name; write that column out")
            elif self._is_masked(column, scope):
                if id(column) in places:
                    masked[places[id(column)]] = True
                elif not _is_harmless(column):
                    raise _refused(column)
        if any(masked):
            self._forbid_order(query, masked)
            if query.args.get("distinct"):
                raise QueryRefused(f"DISTINCT compares the values of a masked column. {_HOW}")
            if scope.is_subquery:
                raise QueryRefused(f"A subquery gives a masked column to an expression. {_HOW}")
        return tuple(masked)

    def _set_operation(self, scope: Scope, query: exp.SetOperation) -> tuple[bool, ...]:
        from sqlglot import exp

        sides = [self._outputs.get(id(side.unnest())) for side in (query.left, query.right)]
        left, right = sides
        if left is None or right is None or len(left) != len(right):
            raise _unclear("the parts of its set operation cannot be matched")
        masked = [one or other for one, other in zip(left, right, strict=True)]
        self._met.update(id(column) for column in scope.columns)
        if any(masked):
            if not isinstance(query, exp.Union) or query.args.get("distinct"):
                raise QueryRefused(f"Only UNION ALL does not compare the values of a masked column. {_HOW}")
            self._forbid_order(query, masked)
            if scope.is_subquery:
                raise QueryRefused(f"A subquery gives a masked column to an expression. {_HOW}")
        return tuple(masked)

    def _is_masked(self, column: exp.Column, scope: Scope) -> bool:
        from sqlglot import exp

        place: Scope | None = scope
        while place is not None and column.table not in place.sources:
            place = place.parent
        if place is None:
            raise _unclear(f"{column.sql()} is unknown")
        source = place.sources[column.table]
        if isinstance(source, exp.Table):
            return column.name.casefold() in self._masks.get(source.name.casefold(), frozenset())
        outputs = self._outputs.get(id(source.expression))
        names = _names(source.expression)
        if outputs is None or len(names) != len(outputs) or column.name.casefold() not in names:
            raise _unclear(f"{column.sql()} cannot be followed")
        return any(masked for name, masked in zip(names, outputs, strict=True) if name == column.name.casefold())

    def _forbid_borrowed_names(self, scope: Scope, query: exp.Select) -> None:
        """Nothing else is called by a masked column's name: engines differ in which of the two a clause then means."""
        from sqlglot import exp

        hidden: set[str] = set()
        place: Scope | None = scope
        while place is not None:
            for source in place.sources.values():
                if isinstance(source, exp.Table):
                    hidden |= self._masks.get(source.name.casefold(), frozenset())
                else:
                    outputs = self._outputs.get(id(source.expression), ())
                    hidden |= {name for name, masked in zip(_names(source.expression), outputs, strict=False) if masked}
            place = place.parent
        for item in query.expressions:
            own = isinstance(item, exp.Alias) and isinstance(item.this, exp.Column) and item.this.name.casefold()
            if item.alias_or_name.casefold() in hidden and own != item.alias_or_name.casefold():
                raise _unclear(f"{item.alias_or_name!r} is the name of a masked column; give the other another name")

    @staticmethod
    def _forbid_order(query: exp.Query, masked: Sequence[bool]) -> None:
        """No sorting or grouping by the name or place of a masked output."""
        from sqlglot import exp

        names = {name.casefold() for name, hidden in zip(query.named_selects, masked, strict=True) if hidden}
        for part in ("order", "group", "having", "qualify", "sort", "cluster", "distribute"):
            clause = query.args.get(part)
            if clause is None:
                continue
            if clause.args.get("all") or clause.find(exp.Var):
                raise QueryRefused(f"ALL sorts or groups by a masked column. {_HOW}")
            for column in clause.find_all(exp.Column):
                if not column.table and column.name.casefold() in names:
                    raise _refused(column)
            for number in clause.find_all(exp.Literal):
                if number.is_int and 0 < int(number.name) <= len(masked) and masked[int(number.name) - 1]:
                    raise _refused(number)


def _sorts_by_output(column: exp.Column) -> bool:
    """Whether a bare name stands in the ORDER BY of a query that gives a column of this name."""
    from sqlglot import exp

    order = column.find_ancestor(exp.Order)
    return not column.table and order is not None and column.name.casefold() in _names(order.parent)


def _names(query: object) -> tuple[str, ...]:
    from sqlglot import exp

    return tuple(name.casefold() for name in query.named_selects) if isinstance(query, exp.Query) else ()


def _is_harmless(column: exp.Column) -> bool:
    """`column IS NULL` and `count(column)` tell only whether there is a value."""
    from sqlglot import exp

    parent = column.parent
    if isinstance(parent, exp.Is):
        return parent.this is column and isinstance(parent.expression, exp.Null)
    return isinstance(parent, exp.Count) and parent.this is column and not parent.args.get("expressions")


def _refused(node: Expr) -> QueryRefused:
    return QueryRefused(
        f"The column {node.name!r} is masked, so nothing may be computed, compared or sorted by it. {_HOW}"
    )
