"""SQL that a person has written as part of a statement: its columns under the aliases of the tables at hand.

A metric's condition goes inside its aggregates, so that a figure keeps its own rows beside other figures.
"""

from __future__ import annotations

from functools import lru_cache

from sqlglot import exp

from assistant.analyst.sql.scopes import Scope
from knowledge.parsing import parse_one


def placed(sql: str, scope: Scope, *, dialect: str, target_dialect: str = "") -> str:
    """A value or a condition, written `table.column`, with the aliases of a scope.

    Args:
        sql: As the person wrote it, in the engine's own SQL.
        scope: The aliases.
        dialect: sqlglot's name of the engine's dialect.
        target_dialect: That of the statement at hand, where it is another.

    Raises:
        CompileError: it speaks of a table that is not joined here.
    """
    return f"({_aliased(sql, scope, dialect).sql(dialect=target_dialect or dialect)})"


def computed(sql: str, scope: Scope, *, dialect: str, test: str, target_dialect: str = "") -> str:
    """A metric, each of its aggregates over the rows that meet `test` alone, a condition as the statement is written.

    Raises:
        CompileError: it speaks of a table that is not joined here.
    """
    tree = _aliased(sql, scope, dialect)
    if test:
        condition = parse_one(test, target_dialect or dialect)
        for aggregate in list(tree.find_all(exp.AggFunc)):
            _only_where(aggregate, condition)
    return f"({tree.sql(dialect=target_dialect or dialect)})"


@lru_cache(maxsize=1_000)
def rejects_missing(sql: str) -> bool:
    """Whether a condition fails where a value that it reads is missing: it is one comparison of plain values."""
    tree = parse_one(sql).unnest()
    plain = isinstance(tree, exp.EQ | exp.NEQ | exp.GT | exp.GTE | exp.LT | exp.LTE | exp.In | exp.Between | exp.Like)
    return plain and tree.find(exp.Coalesce, exp.Case, exp.Is, exp.If) is None


def _aliased(sql: str, scope: Scope, dialect: str) -> exp.Expr:
    tree = parse_one(sql, dialect)
    for column in tree.find_all(exp.Column):
        if column.table:
            column.set("table", exp.to_identifier(scope.alias(_exact(column.table, scope))))
    return tree


def _exact(table: str, scope: Scope) -> str:
    """The table as the source spells it."""
    return next((alias for alias in scope.aliases if alias.casefold() == table.casefold()), table)


def _only_where(aggregate: exp.AggFunc, condition: exp.Expr) -> None:
    inner = aggregate.this
    if isinstance(inner, exp.Distinct):
        inner.set("expressions", [_kept(expression, condition) for expression in inner.expressions])
    else:
        aggregate.set("this", _kept(exp.Literal.number(1) if isinstance(inner, exp.Star) else inner, condition))


def _kept(value: exp.Expr, condition: exp.Expr) -> exp.Case:
    return exp.Case(ifs=[exp.If(this=condition.copy(), true=value.copy())])
