"""One condition on a column: a comparison, a text that it holds, a period, days behind another date."""

from __future__ import annotations

from functools import partial
from typing import TYPE_CHECKING

from assistant.embedded.meaning import OPPOSITE, ColumnRef, DatePart, Filter, Literal_, TimeRange
from assistant.embedded.sql.tables import Tables
from assistant.embedded.sql.temporal import day_literal, days_between, part_number, truncated

if TYPE_CHECKING:
    from sqlglot import exp


def fulfilled(item: Filter, column: exp.Expr) -> exp.Expr:
    """One condition on a column."""
    from sqlglot import exp

    match item.operator:
        case "missing":
            return exp.Is(this=column, expression=exp.Null())
        case "present":
            return exp.not_(exp.Is(this=column, expression=exp.Null()))
        case "contains" | "starts" | "ends":
            texts = [str(value).lower().replace("%", "") for value in item.values]
            form = {"contains": "%{}%", "starts": "{}%", "ends": "%{}"}[item.operator]
            patterns = [exp.Literal.string(form.format(text)) for text in texts]
            found = [exp.Like(this=exp.Lower(this=column.copy()), expression=pattern) for pattern in patterns]
            return exp.paren(exp.or_(*found)) if len(found) > 1 else found[0]
        case "not contains" | "not starts" | "not ends":
            said = item.model_copy(update={"operator": OPPOSITE[item.operator]})
            return exp.not_(fulfilled(said, column))
        case _:
            if item.fold_case and item.operator in ("=", "!=") and isinstance(item.values[0], str):
                return compare(exp.Lower(this=column), item.operator, (item.values[0].lower(),))
            return compare(column, item.operator, item.values)


def compare(left: exp.Expr, operator: str, values: tuple[Literal_, ...]) -> exp.Expr:
    """A comparison with literal values."""
    from sqlglot import exp

    right = [literal_of(value) for value in values]
    match operator:
        case "between":
            return exp.Between(this=left, low=right[0], high=right[1])
        case "not between":
            return exp.not_(exp.Between(this=left, low=right[0], high=right[1]))
        case "in":
            return exp.In(this=left, expressions=right)
        case "not in":
            return exp.not_(exp.In(this=left, expressions=right))
        case _:
            return compared(left, operator, right[0])


def compared(left: exp.Expr, operator: str, right: exp.Expr) -> exp.Expr:
    """A comparison of two expressions."""
    from sqlglot import exp

    kinds = {"=": exp.EQ, "!=": exp.NEQ, "<": exp.LT, "<=": exp.LTE, ">": exp.GT, ">=": exp.GTE}
    return kinds[operator](this=left, expression=right)


def literal_of(value: Literal_) -> exp.Expr:
    """A value as a literal."""
    from sqlglot import exp

    if isinstance(value, bool):
        return exp.Boolean(this=value)
    return exp.Literal.string(value) if isinstance(value, str) else exp.Literal.number(value)


def days_after(tables: Tables, item: Filter, first: ColumnRef, days: int | float) -> exp.Expr:
    """How many days a date lies behind another one; where they may be few, it does not lie before it."""
    from sqlglot import exp

    told = tables.column if isinstance(days, float) else partial(_day, tables)
    between = days_between(told(first), told(item.column), tables.schema.dialect)
    if item.operator not in ("<", "<=") or isinstance(days, float):
        return compare(between, item.operator, (days,))
    last = exp.Literal.number(days - (item.operator == "<"))
    return exp.Between(this=between, low=exp.Literal.number(0), high=last)


def date_part(tables: Tables, ref: ColumnRef, part: DatePart) -> exp.Expr:
    """A part of a date, as a number."""
    from sqlglot import exp

    stored_as_text = tables.schema.attribute(ref.table, ref.column).column.stored_as_text
    number = part_number(tables.column(ref), part, tables.schema.dialect, stored_as_text=stored_as_text)
    return exp.paren(number)


def in_period(tables: Tables, item: TimeRange, column: exp.Expr) -> exp.Expr:
    """A date in a period, or a year's number in some years."""
    from sqlglot import exp

    if item.year_number:
        return _in_years(tables, item, column)
    attribute = tables.schema.attribute(item.column.table, item.column.column)
    parts: list[exp.Expr] = []
    if item.start:
        parts.append(exp.GTE(this=column, expression=day_literal(item.start, attribute.column, tables.schema.dialect)))
    if item.end:
        parts.append(
            exp.LT(this=column.copy(), expression=day_literal(item.end, attribute.column, tables.schema.dialect))
        )
    return exp.and_(*parts)


def _in_years(tables: Tables, item: TimeRange, column: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    attribute = tables.schema.attribute(item.column.table, item.column.column)
    text = attribute.column.kind == "text"
    first = item.start.year if item.start else None
    last = item.end.year - 1 if item.end else None

    def literal(year: int) -> exp.Expr:
        return exp.Literal.string(str(year)) if text else exp.Literal.number(year)

    if first is not None and first == last:
        return exp.EQ(this=column, expression=literal(first))
    parts: list[exp.Expr] = []
    if first is not None:
        parts.append(exp.GTE(this=column, expression=literal(first)))
    if last is not None:
        parts.append(exp.LTE(this=column.copy(), expression=literal(last)))
    return exp.and_(*parts)


def _day(tables: Tables, ref: ColumnRef) -> exp.Expr:
    stored_as_text = tables.schema.attribute(ref.table, ref.column).column.stored_as_text
    return truncated(tables.column(ref), "day", tables.schema.dialect, stored_as_text=stored_as_text)
