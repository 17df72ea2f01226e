"""Row estimates of recursive queries (WITH RECURSIVE), from their text. Pure.

No engine estimates them: PostgreSQL assumes ten rounds, the others one. Comparisons of the recursive part's own columns
bound it well enough to tell a calendar from an endless count. A recursive part that reads a table (an organisation
chart, a bill of materials) goes on as long as it finds rows there: its number of rounds cannot be known beforehand.
"""

from __future__ import annotations

import re
from collections.abc import Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError
from sqlglot.expressions.core import Expr

from knowledge.parsing import limit_work, parse_one

MARK = "-- RECURSIVE "
ENDLESS = "endless"
"""Nothing ends it."""
FINDING = "finding"
"""It goes on for as long as it finds rows in a table."""
UNTOLD = "untold"
"""It goes on until a date, or until what only the running query knows."""
UNTOLD_ROWS = 50_000
"""What the last is taken for: a day for each of more than a hundred years."""


def annotate_plan(plan: str, sql: str, dialect: str) -> str:
    """An engine's plan with a line for each recursive part, which `cost` reads."""
    return "\n".join([plan, *(f"{MARK}{name} {rows}" for name, rows in find_bounds(sql, dialect).items())])


def find_bounds(sql: str, dialect: str) -> dict[str, str]:
    """How many rows each recursive part makes, or why that cannot be told, by its lower-case names in the query."""
    if not re.search(r"(?i)\bwith\b", sql):
        return {}
    try:
        tree = parse_one(sql, dialect)
        with limit_work():
            return _bounds(tree)
    except SqlglotError:  # EXPLAIN and the like
        return {}


def _bounds(tree: Expr) -> dict[str, str]:
    bounds: dict[str, str] = {}
    for part in tree.find_all(exp.CTE):
        name = part.alias.casefold()
        again = [
            arm for arm in _arms(part.this) if any(table.name.casefold() == name for table in arm.find_all(exp.Table))
        ]
        if not again or not isinstance(part.this, exp.SetOperation):
            continue
        finds = any(table.name.casefold() != name for arm in again for table in arm.find_all(exp.Table))
        rows = FINDING if finds else _bound(part.this, again)
        calls = {table.alias_or_name.casefold() for table in tree.find_all(exp.Table) if table.name.casefold() == name}
        bounds |= dict.fromkeys(sorted({name, *calls}), rows)
    return bounds


def _arms(query: Expr) -> Iterator[Expr]:
    if isinstance(query, exp.SetOperation):
        yield from _arms(query.left)
        yield from _arms(query.right)
    else:
        yield query


def _bound(statement: Expr, again: list[Expr]) -> str:
    limits = [limit for query in (statement, *again) if isinstance(limit := query.args.get("limit"), exp.Limit)]
    numbers = [int(limit.expression.name) for limit in limits if limit.expression.is_int]
    if numbers:
        return str(min(numbers))
    clauses = [clause for arm in again for kind in (exp.Where, exp.Join, exp.Having) for clause in arm.find_all(kind)]
    if not any(clause.find(exp.Column) for clause in clauses):
        return ENDLESS
    kinds = (exp.LT, exp.LTE, exp.GT, exp.GTE, exp.NEQ, exp.Between)
    literals = (n for clause in clauses for part in clause.find_all(*kinds) for n in part.find_all(exp.Literal))
    numbers = [int(float(number.name)) for number in literals if not number.is_string]
    return str(max(*numbers, 1)) if numbers else UNTOLD
