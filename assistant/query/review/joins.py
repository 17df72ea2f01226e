"""Rules about joins: rows counted more than once, outer joins without effect, joins without a condition.

A table's rows are repeated where a chain of joins leads from it to a table whose joined columns are no key there. A
relation outside the catalog (a query in FROM, a CTE) is assumed not to repeat rows: no finding is better than a false
one.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Mapping

from sqlglot import exp

from assistant.core.catalog import Table
from assistant.core.events import Finding
from assistant.query.review.scopes import ColumnReference, ReviewScope
from assistant.word_forms import base_form

_Edges = Mapping[str, Mapping[str, frozenset[str]]]
"""For each alias its neighbours, with the neighbour's columns that the join compares."""


def repeated_rows(scope: ReviewScope) -> Iterator[Finding]:
    """SUM and COUNT over a table whose rows a join repeats.

    Example: `SELECT SUM(o.freight) FROM orders o JOIN order_lines l ON l.order_id = o.id`.
    """
    edges = _edges(scope)
    for figure in scope.own(exp.Sum, exp.Count, exp.Avg):
        if figure.find(exp.Distinct) is not None:
            continue
        yield from _counted_as(figure, edges, scope)
        places = [place for column in figure.find_all(exp.Column) if (place := scope.place(column)) is not None]
        by = _repeating(places, edges, scope.tables)
        if by is None:
            continue
        statement = (
            f"{figure.sql(dialect=scope.dialect)} takes each row of {places[0].table.name} once for each row of {by}"
        )
        if isinstance(figure, exp.Avg):
            yield Finding(level="note", text=f"{statement}: the average is weighted by them.")
        else:
            yield Finding(
                level="warning", text=f"{statement}: the figure is too high. Aggregate {by} first, then join."
            )


def repeats_rows(scope: ReviewScope) -> bool:
    """Whether a figure takes rows more than once, or a join repeats the rows of each of its tables."""
    edges = _edges(scope)
    many_sided = len(edges) > 1 and all(_first_many(alias, edges, scope.tables) is not None for alias in edges)
    return many_sided or next(repeated_rows(scope), None) is not None


def _counted_as(figure: exp.Expr, edges: _Edges, scope: ReviewScope) -> Iterator[Finding]:
    """COUNT(*) under the name of a table whose rows the join repeats: it counts the rows of the other table.

    Example: `SELECT COUNT(*) AS customers FROM customers c JOIN orders o ON o.customer_id = c.id`.
    """
    if not isinstance(figure, exp.Count) or figure.find(exp.Column) is not None:
        return
    name = figure.parent.alias if isinstance(figure.parent, exp.Alias) else ""
    words = {base_form(word) for word in name.casefold().split("_") if word}
    counted = {alias for alias, table in scope.tables.items() if _base(table.name) in words}
    repeated = {alias: many for alias in counted if (many := _first_many(alias, edges, scope.tables)) is not None}
    if len(counted) == 1 and repeated:
        (alias, many), *_ = repeated.items()
        table = scope.tables[alias].name
        text = f"{name!r} counts each row of {table} once for each row of {many}: count the distinct keys of {table}."
        yield Finding(level="warning", text=text)


def _base(name: str) -> str:
    return "_".join(base_form(word) for word in name.casefold().split("_"))


def outer_join_undone(scope: ReviewScope) -> Iterator[Finding]:
    """A condition in WHERE on the table that an outer join may leave empty: rows without a match are dropped again."""
    outer = {join.this.alias_or_name.casefold() for join in scope.select.args.get("joins") or () if join.side == "LEFT"}
    for condition in scope.conjuncts():
        if not isinstance(condition, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.In | exp.Between | exp.Like):
            continue
        place = scope.place(condition.this)
        if place is not None and place.alias in outer:
            yield Finding(
                level="warning",
                text=f"The outer join keeps rows without {place.table.name}, and "
                f"{condition.sql(dialect=scope.dialect)} in WHERE drops them again. Move it to ON, or join plainly.",
            )


def no_condition(scope: ReviewScope) -> Iterator[Finding]:
    """Tables side by side that no condition connects: every row with every row."""
    edges = _edges(scope)
    for join in scope.select.args.get("joins") or ():
        alias = join.this.alias_or_name.casefold()
        table = scope.tables.get(alias)
        if table is None or join.args.get("on") or join.args.get("using") or join.method or edges.get(alias):
            continue
        if len(scope.tables) > 1 and (table.rows is None or table.rows > 1):
            text = f"No condition connects {table.name}: every row of it is put beside every other row."
            yield Finding(level="note", text=text)  # what it costs is a warning of its own


def _repeating(places: list[ColumnReference], edges: _Edges, tables: Mapping[str, Table]) -> str | None:
    """The table whose rows repeat those of every place, None where one of the places is not repeated."""
    repeating_table: str | None = None
    for alias in {place.alias for place in places}:
        repeating_table = _first_many(alias, edges, tables)
        if repeating_table is None:
            return None
    return repeating_table


def _first_many(alias: str, edges: _Edges, tables: Mapping[str, Table]) -> str | None:
    """The first table reached from `alias` that may have several rows for one of its; None if there is none."""
    visited, waiting = {alias}, [alias]
    while waiting:
        for neighbour, columns in edges.get(waiting.pop(), {}).items():
            if neighbour in visited:
                continue
            if not _is_key(tables[neighbour], columns):
                return tables[neighbour].name
            visited.add(neighbour)
            waiting.append(neighbour)
    return None


def _is_key(table: Table, columns: frozenset[str]) -> bool:
    """Whether at most one row of a table has the same values in these columns, as far as is known."""
    if not table.primary_key and table.rows is None:
        return True
    if table.primary_key and {name.casefold() for name in table.primary_key} <= columns:
        return True
    profiles = (column.profile for column in table.columns if column.name.casefold() in columns)
    return any(
        p is not None and not p.sampled and table.rows is not None and p.distinct >= table.rows for p in profiles
    )


def _edges(scope: ReviewScope) -> _Edges:
    edges: defaultdict[str, defaultdict[str, set[str]]] = defaultdict(lambda: defaultdict(set))
    for first, second in find_compared_columns(scope):
        if first.alias != second.alias:
            edges[first.alias][second.alias].add(second.column.name.casefold())
            edges[second.alias][first.alias].add(first.column.name.casefold())
    return {alias: {to: frozenset(columns) for to, columns in near.items()} for alias, near in edges.items()}


def find_compared_columns(scope: ReviewScope) -> Iterator[tuple[ColumnReference, ColumnReference]]:
    """The columns that joins and WHERE set equal."""
    conditions = [*scope.conjuncts()]
    for join in scope.select.args.get("joins") or ():
        on = join.args.get("on")
        if on is not None:
            conditions += on.unnest().flatten() if isinstance(on.unnest(), exp.And) else [on.unnest()]
        yield from _using(scope, join)
    for condition in conditions:
        if isinstance(condition, exp.EQ):
            first, second = scope.place(condition.this), scope.place(condition.expression)
            if first is not None and second is not None:
                yield first, second


def _using(scope: ReviewScope, join: exp.Join) -> Iterator[tuple[ColumnReference, ColumnReference]]:
    joined_alias = join.this.alias_or_name.casefold()
    for name in join.args.get("using") or ():
        holders = [
            ColumnReference(alias, table, column)
            for alias, table in scope.tables.items()
            if (column := table.column(name.name)) is not None
        ]
        own = next((place for place in holders if place.alias == joined_alias), None)
        partner = next((place for place in holders if place.alias != joined_alias), None)
        if own is not None and partner is not None:
            yield partner, own
