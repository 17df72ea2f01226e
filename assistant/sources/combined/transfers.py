"""The rows and columns that each source must deliver for a query over several sources. Pure.

A condition is evaluated in a source only if it cannot remove a row that the query keeps: on a table that the query
names once, in the WHERE of its own SELECT, comparing a column with literals in a way on which both engines agree. The
condition also stays in the query, so a source that delivers too many rows changes nothing.
"""

from __future__ import annotations

from collections import Counter
from dataclasses import dataclass, field

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.expressions.core import Expr
from sqlglot.optimizer.qualify import qualify
from sqlglot.optimizer.scope import Scope, traverse_scope

from assistant.core.catalog import Column
from assistant.query.mask_rules import fold_names, make_schema
from assistant.sources.combined.naming import CombinedCatalog, MemberTable
from knowledge.parsing import limit_work, parse_one

_ORDERED = ("integer", "number", "date", "datetime")
"""What all engines put in one order; text they do not."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Transfer:
    """One table's way.

    Attributes:
        name: What the query calls the table.
        member: Where it is.
        columns: The columns that cross, in the table's order.
        sql: The query of its source that gives them.
    """

    name: str
    member: MemberTable
    columns: tuple[Column, ...]
    sql: str


@dataclass(slots=True)
class _Needs:
    columns: set[str] = field(default_factory=set[str])
    conditions: list[Expr] = field(default_factory=list["Expr"])
    rows_max: int | None = None


def transfers_of(sql: str, combined_source: CombinedCatalog) -> tuple[Transfer, ...]:
    """What crosses for a query that passed the guard; each table once. Of one that cannot be followed, all columns.

    What the query names and no source has is left to the engine, which will say so.
    """
    try:
        tree = parse_one(sql, "duckdb")
    except SqlglotError:
        return ()
    table_counts = Counter(node.name.casefold() for node in tree.find_all(exp.Table))
    needs = _followed(tree, combined_source, table_counts)
    return tuple(
        _crossing(table.name, combined_source, None if needs is None else needs.get(table.name.casefold(), _Needs()))
        for table in combined_source.catalog.tables
        if table.name.casefold() in table_counts
    )


def _crossing(name: str, combined_source: CombinedCatalog, needs: _Needs | None) -> Transfer:
    member = combined_source.members[name.casefold()]
    table = member.table
    columns = tuple(c for c in table.columns if needs is None or c.name.casefold() in needs.columns)
    columns = columns or table.columns[:1]  # only rows are counted
    select = exp.select(*(exp.column(column.name, quoted=True) for column in columns)).from_(
        exp.table_(table.name, db=table.schema, quoted=True)
    )
    for condition in needs.conditions if needs is not None else ():
        select = select.where(_there(condition, member))
    if needs is not None and needs.rows_max is not None:
        select = select.limit(needs.rows_max)
    return Transfer(name=name, member=member, columns=columns, sql=select.sql(dialect=member.dialect))


def _followed(tree: Expr, combined_source: CombinedCatalog, table_counts: Counter[str]) -> dict[str, _Needs] | None:
    """What is needed of each table by its name; None where the query cannot be followed."""
    if not isinstance(tree, exp.Query) or tree.find(exp.Pivot, exp.Columns, exp.Lateral, exp.Unnest):
        return None
    try:
        with limit_work():
            return _needs_of(tree, combined_source, table_counts)
    except (SqlglotError, RecursionError, LookupError, ValueError, TypeError, AttributeError, AssertionError):
        return None


def _needs_of(
    tree: exp.Query, combined_source: CombinedCatalog, table_counts: Counter[str]
) -> dict[str, _Needs] | None:
    plain = qualify(
        fold_names(tree), schema=make_schema(combined_source.catalog), dialect="duckdb", quote_identifiers=False
    )
    needs: dict[str, _Needs] = {}
    for scope in traverse_scope(plain):
        for column in scope.columns:
            if not _needed(column, scope, needs):
                return None
        _push(scope, combined_source, table_counts, needs)
    _push_limit(plain, needs)
    return None if any(not isinstance(star.parent, exp.Count) for star in plain.find_all(exp.Star)) else needs


def _needed(column: exp.Column, scope: Scope, needs: dict[str, _Needs]) -> bool:
    """Note a column with the table it is of; False where that cannot be told."""
    if not column.table:
        return column.find_ancestor(exp.Order) is not None  # a name that the SELECT gives
    place: Scope | None = scope
    while place is not None and column.table not in place.sources:
        place = place.parent
    if place is None:
        return False
    source = place.sources[column.table]
    if isinstance(source, exp.Table):
        needs.setdefault(source.name.casefold(), _Needs()).columns.add(column.name.casefold())
    return True


def _push(scope: Scope, combined_source: CombinedCatalog, table_counts: Counter[str], needs: dict[str, _Needs]) -> None:
    where = scope.expression.args.get("where")
    if where is None:
        return
    parts = list(where.this.flatten()) if isinstance(where.this, exp.And) else [where.this]
    for part in parts:
        columns = list(part.find_all(exp.Column))
        source = scope.sources.get(columns[0].table) if len(columns) == 1 else None
        if not isinstance(source, exp.Table) or table_counts[source.name.casefold()] != 1:
            continue
        member = combined_source.members.get(source.name.casefold())
        column = member.table.column(columns[0].name) if member is not None else None
        if member is not None and column is not None and _means_the_same(part, columns[0], column):
            needs.setdefault(source.name.casefold(), _Needs()).conditions.append(part)


def _push_limit(plain: Expr, needs: dict[str, _Needs]) -> None:
    """Of the first rows of one table, no more cross."""
    limit = plain.args.get("limit")
    parts = {part for part, value in plain.args.items() if value}
    if not isinstance(limit, exp.Limit) or parts - {"expressions", "from_", "limit"} or len(needs) != 1:
        return
    plainly = all(isinstance(output.unalias(), exp.Column) for output in plain.expressions)
    if plainly and isinstance(limit.expression, exp.Literal) and limit.expression.is_int:
        next(iter(needs.values())).rows_max = int(limit.expression.name)


def _means_the_same(part: Expr, reference: exp.Column, column: Column) -> bool:
    """Whether all engines agree on a comparison of a column with literals."""
    if isinstance(part, exp.EQ | exp.GT | exp.GTE | exp.LT | exp.LTE):
        operands = [side for side in (part.left, part.right) if side is not reference]
    elif isinstance(part, exp.Between) and part.this is reference:
        operands = [part.args["low"], part.args["high"]]
    elif isinstance(part, exp.In) and part.this is reference and not part.args.get("query"):
        operands = list(part.expressions)
    else:
        return False
    if not operands or len(operands) != len([operand for operand in operands if not operand.find(exp.Column)]):
        return False
    is_equality = isinstance(part, exp.EQ | exp.In)
    if column.kind == "text" or column.stored_as_text:
        return all(isinstance(operand, exp.Literal) and operand.is_string for operand in operands) and (
            is_equality or column.stored_as_text
        )
    return (
        column.kind in _ORDERED
        and "zone" not in column.type.lower()
        and "tz" not in column.type.lower()
        and all(_fits(operand, is_day=column.kind in ("date", "datetime")) for operand in operands)
    )


def _fits(literal: Expr, *, is_day: bool) -> bool:
    if is_day:
        days = (exp.DataType.Type.DATE, exp.DataType.Type.TIMESTAMP)
        of = literal.this if isinstance(literal, exp.Cast) and literal.to.this in days else None
        return isinstance(of, exp.Literal) and of.is_string
    number = literal.this if isinstance(literal, exp.Neg) else literal
    return isinstance(number, exp.Literal) and not number.is_string


def _there(condition: Expr, member: MemberTable) -> Expr:
    """A condition with its column as the source calls it."""

    def own(node: Expr) -> Expr:
        if not isinstance(node, exp.Column):
            return node
        column = member.table.column(node.name)
        return exp.column(column.name if column is not None else node.name, quoted=True)

    return condition.copy().transform(own)
