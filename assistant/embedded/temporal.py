"""Dates in SQL, dialect by dialect: the first day of a period, and a day as a literal.

A period is given as its first day (a year as its number), so that results sort, join and draw alike everywhere.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.meaning import Grain

if TYPE_CHECKING:
    from sqlglot import exp

    from assistant.data.catalog import Column


def truncated(column: exp.Expr, grain: Grain, dialect: str, *, stored_as_text: bool) -> exp.Expr:
    """The first day of the column's period; for years the number."""
    from sqlglot import exp, parse_one

    text = column.sql(dialect=dialect)
    match dialect:
        case "sqlite":
            sql = _SQLITE[grain].format(c=text)
        case "mysql":
            sql = _MYSQL[grain].format(c=text)
        case _:
            value = f"CAST({text} AS TIMESTAMP)" if stored_as_text else text
            if grain == "year":
                sql = f"CAST(EXTRACT(YEAR FROM {value}) AS INTEGER)"
            else:
                sql = f"CAST(DATE_TRUNC('{grain}', {value}) AS DATE)"
    tree = parse_one(sql, read=dialect)
    assert isinstance(tree, exp.Expr)
    return tree


_SQLITE: dict[Grain, str] = {
    "day": "DATE({c})",
    "week": "DATE({c}, '-6 days', 'weekday 1')",
    "month": "DATE({c}, 'start of month')",
    "quarter": "DATE({c}, 'start of month', '-' || ((CAST(STRFTIME('%m', {c}) AS INTEGER) - 1) % 3) || ' months')",
    "year": "CAST(STRFTIME('%Y', {c}) AS INTEGER)",
}
_MYSQL: dict[Grain, str] = {
    "day": "DATE({c})",
    "week": "DATE_SUB(DATE({c}), INTERVAL WEEKDAY({c}) DAY)",
    "month": "CAST(DATE_FORMAT({c}, '%Y-%m-01') AS DATE)",
    "quarter": "CAST(CONCAT(YEAR({c}), '-', LPAD(QUARTER({c}) * 3 - 2, 2, '0'), '-01') AS DATE)",
    "year": "YEAR({c})",
}


def day_literal(day: date, column: Column, dialect: str) -> exp.Expr:
    """A day as the column's engine compares it: text where dates are kept as text, else a date."""
    from sqlglot import exp

    text = exp.Literal.string(day.isoformat())
    if dialect == "sqlite" or column.stored_as_text:
        return text
    return exp.cast(text, "TIMESTAMP" if column.kind == "datetime" and dialect == "bigquery" else "DATE")
