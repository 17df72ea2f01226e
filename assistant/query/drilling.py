"""Drill-down: from an aggregating query and one of its rows, the query for the rows under a figure. Pure.

The new query has the same tables, joins and conditions, one further condition for each group that the row shows, and no
aggregate. Groups are often distinguished by a key that the result does not show ("by customer" groups by the id, too):
the key is then a column, as several groups may have the same name. It is a query like any other: it is reviewed, and
runs only when it is approved.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal

from sqlglot import expressions as exp
from sqlglot.errors import SqlglotError

from assistant.query.lineage import resolve_group
from knowledge.parsing import limit_work, parse_one

ROWS_MAX = 500


@dataclass(frozen=True, slots=True, kw_only=True)
class DrillDown:
    """The query for the rows under a figure; `apart` are the keys by which groups of the same name are told apart."""

    sql: str
    apart: tuple[str, ...] = ()


def make_drill_query(
    sql: str, dialect: str, row: Mapping[str, object], *, keys: Collection[str] = (), rows_max: int = ROWS_MAX
) -> DrillDown | None:
    """The query for the rows under one row of a result; None where the query adds nothing up, or cannot be read.

    Args:
        sql: the query that gave the result.
        dialect: its dialect.
        row: a row of its result, by the names of its columns.
        keys: columns that tell rows apart or refer to other tables, as `table.column` in lower case.
        rows_max: how many rows to ask for at most.
    """
    try:
        tree = parse_one(sql, dialect or None)
        with limit_work():
            return _opened(tree, dialect, row, keys, rows_max)
    except SqlglotError:
        return None


def _opened(
    tree: exp.Expr, dialect: str, row: Mapping[str, object], keys: Collection[str], rows_max: int
) -> DrillDown | None:
    if not isinstance(tree, exp.Select) or (tree.args.get("from_") is None and tree.args.get("from") is None):
        return None
    group = tree.args.get("group")
    groups = [resolve_group(tree, part) for part in group.expressions] if isinstance(group, exp.Group) else []
    aggregated = [column for column in tree.expressions if column.find(exp.AggFunc)]
    if not aggregated or any(column.find(exp.Window) for column in tree.expressions):
        return None
    detail = tree.copy()
    for clause in ("group", "having", "order", "limit", "offset", "qualify", "distinct"):
        detail.set(clause, None)
    names = {column.unalias().sql(): column.alias_or_name for column in tree.expressions}
    apart = [part for part in groups if part.sql() not in names and _is_key(part, tree, keys)]
    visible = [part for part in groups if part not in apart]
    if apart and not visible:
        return None
    for part in visible:
        name = names.get(part.sql(), "")
        condition = _equals(part, row[name]) if name in row else None
        if condition is None:
            return None  # a group that the result does not show: its value is not known
        detail = detail.where(condition)
        if row[name] is not None:
            _join_plainly(detail, part)
    has_joins = bool(tree.args.get("joins"))
    detail = detail.select(*(_shown(tree, groups, names, aggregated) if has_joins else [exp.Star()]), append=False)
    text = detail.limit(rows_max).sql(dialect=dialect or None, pretty=True)
    return DrillDown(sql=text, apart=tuple(part.name for part in apart))


def _is_key(part: exp.Expr, tree: exp.Select, keys: Collection[str]) -> bool:
    """Whether a group is a key of its table."""
    tables = {table.alias_or_name: table.name for table in tree.find_all(exp.Table)}
    return isinstance(part, exp.Column) and f"{tables.get(part.table, '')}.{part.name}".lower() in keys


def _join_plainly(select: exp.Select, part: exp.Expr) -> None:
    """Join the table of a column that has a value plainly: an outer join would keep rows that its condition drops."""
    for join in select.args.get("joins") or ():
        if isinstance(part, exp.Column) and join.side == "LEFT" and join.this.alias_or_name == part.table:
            join.set("side", None)


def _shown(
    tree: exp.Select, groups: Sequence[exp.Expr], names: Mapping[str, str], aggregated: Sequence[exp.Expr]
) -> list[exp.Expr]:
    """What is shown of joined tables: all of the first, the groups, and what was added up."""
    first = (tree.args.get("from_") or tree.args["from"]).this
    columns: dict[str, exp.Expr] = {"*": exp.Column(this=exp.Star(), table=exp.to_identifier(first.alias_or_name))}
    for part in groups:
        of_first = isinstance(part, exp.Column) and part.table == first.alias_or_name
        if not of_first:
            columns[part.sql()] = exp.alias_(part.copy(), names.get(part.sql(), part.name))
    for expression in aggregated:
        for column in expression.find_all(exp.Column):
            if column.table and column.table != first.alias_or_name:
                columns.setdefault(column.sql(), column.copy())
    return list(columns.values())


def _equals(part: exp.Expr, value: object) -> exp.Expr | None:
    match value:
        case None:
            return exp.Is(this=part.copy(), expression=exp.Null())
        case bool():
            literal: exp.Expr = exp.Boolean(this=value)
        case int() | float() | Decimal():
            literal = exp.Literal.number(str(value))
        case datetime() | date():
            literal = exp.Literal.string(value.isoformat(sep=" ") if isinstance(value, datetime) else value.isoformat())
        case str():
            literal = exp.Literal.string(value)
        case _:
            return None
    return exp.EQ(this=exp.paren(part.copy()) if not isinstance(part, exp.Column) else part.copy(), expression=literal)
