"""Figures in SQL: aggregates, metrics, days between two dates, one figure per another, shares and parts."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.embedded.meaning import ColumnRef, Meaning, Measure
from assistant.embedded.sql.conditions import fulfilled
from assistant.embedded.sql.tables import Tables
from assistant.embedded.sql.temporal import days_between, truncated
from assistant.embedded.sql.where import Where

if TYPE_CHECKING:
    from sqlglot import exp


@dataclass
class Figures:
    """Writes the figures of one meaning over its tables."""

    meaning: Meaning
    tables: Tables
    where: Where

    def of(self, measure: Measure) -> exp.Expr:
        """The figure as the meaning wants it: by itself, as a share of the whole, or divided by another."""
        from sqlglot import exp

        if self.meaning.portion:
            return self._portion(measure)
        value = self._plain(measure)
        if measure.factor != 1.0:
            value = scaled(value, measure.factor)
        if measure.per is not None:
            return divided(value, self._plain(measure.per))
        if not measure.share:
            return value
        total = exp.Window(this=exp.Sum(this=value.copy()))
        return exp.Div(this=_hundred(value), expression=total)

    def _plain(self, measure: Measure) -> exp.Expr:
        from sqlglot import exp

        if measure.expression:
            return self.tables.parsed(measure.expression)
        if measure.or_none and measure.column is not None:
            return exp.Count(this=self.tables.column(measure.column))
        if measure.aggregate == "count" or measure.column is None:
            return self._rows(measure)
        column = self._only(measure, self._counted(measure))
        match measure.aggregate:
            case "distinct":
                return exp.Count(this=exp.Distinct(expressions=[column]))
            case "sum":
                return exp.Sum(this=column)
            case "average":
                return exp.Avg(this=column)
            case "minimum":
                return exp.Min(this=column)
            case "maximum" | None:
                return exp.Max(this=column)

    def _only(self, measure: Measure, value: exp.Expr) -> exp.Expr:
        """The value where a row fulfils the figure's own conditions; a sum of none is zero."""
        from sqlglot import exp

        if not measure.only:
            return value
        held = exp.and_(*(fulfilled(item, self.tables.number(item.column)) for item in measure.only))
        none = exp.Literal.number(0) if measure.aggregate == "sum" else None
        return exp.Case(ifs=[exp.If(this=held, true=value)], default=none)

    def _rows(self, measure: Measure) -> exp.Expr:
        """How many rows of the base there are; told apart by their key where a group may repeat them."""
        from sqlglot import exp

        key = self.tables.schema.entities[self.meaning.base].key
        if len(key) == 1 and any(d.column.multiplies for d in self.meaning.dimensions):
            apart = self._only(measure, self.tables.at(self.tables.aliases[()], key[0]))
            return exp.Count(this=exp.Distinct(expressions=[apart]))
        return exp.Count(this=self._only(measure, exp.Literal.number(1)) if measure.only else exp.Star())

    def _counted(self, measure: Measure) -> exp.Expr:
        """What is aggregated: a column, the days from one to another, or the period it lies in."""
        from sqlglot import exp

        assert measure.column is not None, "rows are counted elsewhere"
        if measure.grain is not None:
            column = self.tables.schema.attribute(measure.column.table, measure.column.column).column
            return truncated(
                self.tables.column(measure.column),
                measure.grain,
                self.tables.schema.dialect,
                stored_as_text=column.stored_as_text,
            )
        if measure.until is None:
            number = self.tables.number(measure.column)
            return exp.Coalesce(this=number, expressions=[exp.Literal.number(0)]) if measure.as_zero else number
        refs = (measure.column, measure.until)
        kinds = {self.tables.schema.attribute(ref.table, ref.column).column.kind for ref in refs}
        first, last = (self._day(ref) if kinds == {"date", "datetime"} else self.tables.column(ref) for ref in refs)
        return days_between(first, last, self.tables.schema.dialect)

    def _day(self, ref: ColumnRef) -> exp.Expr:
        """The day of a date with a time, where it is set against a day without one."""
        stored_as_text = self.tables.schema.attribute(ref.table, ref.column).column.stored_as_text
        return truncated(self.tables.column(ref), "day", self.tables.schema.dialect, stored_as_text=stored_as_text)

    def _portion(self, measure: Measure) -> exp.Expr:
        """100 times what fulfils the conditions over the whole, among rows, a column's different values or its sum."""
        from sqlglot import exp

        condition = exp.and_(*self.where.chosen())
        part: exp.Expr
        whole: exp.Expr
        if measure.expression:
            every = self.tables.parsed(measure.expression)
            part = every.transform(_only, condition)
            return exp.Div(this=_hundred(part), expression=exp.Nullif(this=every, expression=exp.Literal.number(0)))
        if measure.aggregate == "distinct" and measure.column:
            thing = self.tables.column(measure.column)
            held = exp.Case(ifs=[exp.If(this=condition, true=thing.copy())])
            part, whole = (exp.Count(this=exp.Distinct(expressions=[each])) for each in (held, thing))
            return exp.Div(this=_hundred(part), expression=exp.Nullif(this=whole, expression=exp.Literal.number(0)))
        if measure.aggregate == "sum" and measure.column:
            amount = self.tables.number(measure.column)
            whole = exp.Sum(this=amount.copy())
        else:
            amount, whole = exp.Literal.number(1), exp.Count(this=exp.Star())
        part = exp.Sum(this=exp.Case(ifs=[exp.If(this=condition, true=amount)], default=exp.Literal.number(0)))
        return exp.Div(this=_hundred(part), expression=exp.Nullif(this=whole, expression=exp.Literal.number(0)))


def _only(node: exp.Expr, condition: exp.Expr) -> exp.Expr:
    """A sum of the rows that fulfil a condition."""
    from sqlglot import exp

    if not isinstance(node, exp.Sum):
        return node
    case = exp.Case(ifs=[exp.If(this=condition.copy(), true=node.this.copy())], default=exp.Literal.number(0))
    return exp.Sum(this=case)


def adds_up(expression: str) -> bool:
    """Whether a metric is one sum, so that its parts add up to the whole: the bracket of the SUM closes last."""
    text = expression.strip().upper()
    if not text.startswith("SUM("):
        return False
    depth = 0
    for at, letter in enumerate(text):
        depth += (letter == "(") - (letter == ")")
        if depth == 0 and letter == ")":
            return at == len(text) - 1
    return False


def divided(value: exp.Expr, by: exp.Expr) -> exp.Expr:
    """One figure over another, with decimals; missing where the other is zero."""
    from sqlglot import exp

    whole = exp.Mul(this=exp.Literal.number("1.0"), expression=exp.paren(value) if _binary(value) else value)
    return exp.Div(this=whole, expression=exp.Nullif(this=by, expression=exp.Literal.number(0)))


def scaled(value: exp.Expr, factor: float) -> exp.Expr:
    """A figure in another unit: in minutes, where the column holds milliseconds."""
    from sqlglot import exp

    if factor < 1:
        return exp.Div(this=value, expression=exp.Literal.number(f"{1 / factor:.10g}" + ".0"))
    return exp.Mul(this=value, expression=exp.Literal.number(f"{factor:.10g}"))


def _hundred(value: exp.Expr) -> exp.Expr:
    from sqlglot import exp

    return exp.Mul(this=exp.Literal.number("100.0"), expression=exp.paren(value) if _binary(value) else value)


def _binary(value: exp.Expr) -> bool:
    from sqlglot import exp

    return isinstance(value, exp.Binary)
