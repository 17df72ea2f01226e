"""Dates in SQL, dialect by dialect: the first day of a period, its weekday or hour, days between, a day as a literal.

A period is given as its first day (a year as its number), so that results sort, join and draw alike everywhere.
"""

from __future__ import annotations

from datetime import date
from typing import TYPE_CHECKING

from assistant.embedded.meaning import DatePart, Grain

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


WEEKDAYS = ("Monday", "Tuesday", "Wednesday", "Thursday", "Friday", "Saturday", "Sunday")


def part_number(column: exp.Expr, part: DatePart, dialect: str, *, stored_as_text: bool) -> exp.Expr:
    """What a date is within its week, day or year, as a number: Monday is 1, midnight 0, January 1."""
    from sqlglot import exp, parse_one

    text = column.sql(dialect=dialect)
    value = f"CAST({text} AS TIMESTAMP)" if stored_as_text else text
    forms = {"sqlite": _SQLITE_PARTS, "mysql": _MYSQL_PARTS}.get(dialect, _PARTS)
    tree = parse_one(forms[part].format(c=text if dialect in ("sqlite", "mysql") else value), read=dialect)
    assert isinstance(tree, exp.Expr)
    return tree


def part_name(number: exp.Expr) -> exp.Expr:
    """The name of a weekday by its number."""
    from sqlglot import exp

    names = [
        exp.If(this=exp.Literal.number(n), true=exp.Literal.string(name)) for n, name in enumerate(WEEKDAYS, start=1)
    ]
    return exp.Case(this=number, ifs=names)


_SQLITE_PARTS: dict[DatePart, str] = {
    "weekday": "(CAST(STRFTIME('%w', {c}) AS INTEGER) + 6) % 7 + 1",
    "hour": "CAST(STRFTIME('%H', {c}) AS INTEGER)",
    "calendar month": "CAST(STRFTIME('%m', {c}) AS INTEGER)",
}
_MYSQL_PARTS: dict[DatePart, str] = {
    "weekday": "WEEKDAY({c}) + 1",
    "hour": "HOUR({c})",
    "calendar month": "MONTH({c})",
}
_PARTS: dict[DatePart, str] = {
    "weekday": "CAST(EXTRACT(ISODOW FROM {c}) AS INTEGER)",
    "hour": "CAST(EXTRACT(HOUR FROM {c}) AS INTEGER)",
    "calendar month": "CAST(EXTRACT(MONTH FROM {c}) AS INTEGER)",
}


def days_between(start: exp.Expr, end: exp.Expr, dialect: str) -> exp.Expr:
    """The days from one date to another, with decimals where they hold times."""
    from sqlglot import exp, parse_one

    one, other = (part.sql(dialect=dialect) for part in (start, end))
    if dialect not in ("sqlite", "mysql"):  # dates alone would be subtracted to whole days, or to something else
        one, other = (f"CAST({part} AS TIMESTAMP)" for part in (one, other))
    match dialect:
        case "sqlite":
            sql = f"JULIANDAY({other}) - JULIANDAY({one})"
        case "mysql":
            sql = f"TIMESTAMPDIFF(SECOND, {one}, {other}) / 86400.0"
        case "duckdb":
            sql = f"DATE_DIFF('second', {one}, {other}) / 86400.0"
        case _:
            sql = f"EXTRACT(EPOCH FROM ({other} - {one})) / 86400.0"
    tree = parse_one(sql, read=dialect)
    assert isinstance(tree, exp.Expr)
    return tree
