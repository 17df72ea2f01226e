"""One SELECT of a query with the tables it reads: the input of every review rule. Pure; no I/O."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass

from sqlglot import exp

from assistant.core.catalog import Catalog, Column, Table


@dataclass(frozen=True, slots=True)
class ColumnReference:
    """A column of one of the tables that a SELECT reads. `alias` is the table's name there, in lower case."""

    alias: str
    table: Table
    column: Column


@dataclass(frozen=True, slots=True)
class ReviewScope:
    """A SELECT with the catalog's tables among its sources.

    Attributes:
        select: The SELECT.
        tables: The catalog's tables by their alias, in lower case.
        dialect: sqlglot's name of the dialect.
        catalog: All tables of the source.
    """

    select: exp.Select
    tables: Mapping[str, Table]
    dialect: str
    catalog: Catalog

    def own(self, *kinds: type[exp.Expr]) -> Iterator[exp.Expr]:
        """The nodes of these kinds that belong to this SELECT and not to one inside it."""
        for node in self.select.find_all(*kinds):
            if node.find_ancestor(exp.Select) is self.select:
                yield node

    def place(self, node: exp.Expr | None) -> ColumnReference | None:
        """The column of a table that a node is, through parentheses; None where it is none, or which is not clear."""
        node = node.unnest() if node is not None else None
        if not isinstance(node, exp.Column):
            return None
        candidates = [
            ColumnReference(alias, table, column)
            for alias, table in self.tables.items()
            if node.table.casefold() in ("", alias) and (column := table.column(node.name)) is not None
        ]
        return candidates[0] if len(candidates) == 1 else None

    def inside(self, select: exp.Select) -> ReviewScope:
        """The scope of a SELECT within this one."""
        return next(scope for scope in list_scopes(select, self.catalog, self.dialect) if scope.select is select)

    def conjuncts(self) -> Iterator[exp.Expr]:
        """The conditions of WHERE that must all hold."""
        where = self.select.args.get("where")
        condition = where.this.unnest() if where is not None else None
        if condition is not None:
            yield from condition.flatten() if isinstance(condition, exp.And) else (condition,)


def list_scopes(tree: exp.Expr, catalog: Catalog, dialect: str) -> Iterator[ReviewScope]:
    """Every SELECT of a query."""
    cte_names = {cte.alias_or_name.casefold() for cte in tree.find_all(exp.CTE)}
    for select in tree.find_all(exp.Select):
        tables: dict[str, Table] = {}
        for source in list_sources(select):
            if isinstance(source, exp.Table) and source.name.casefold() not in cte_names:
                place = f"{source.db}.{source.name}" if source.db else source.name
                table = catalog.table(place) or catalog.table(source.name)
                if table is not None:
                    tables[source.alias_or_name.casefold()] = table
        yield ReviewScope(select, tables, dialect, catalog)


def list_sources(select: exp.Select) -> Iterator[exp.Expr]:
    """What a SELECT reads from: tables and queries, in order."""
    start = select.args.get("from_")
    if start is not None:
        yield start.this
    for join in select.args.get("joins") or ():
        yield join.this
