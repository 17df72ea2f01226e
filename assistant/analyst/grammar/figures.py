"""Phrases that say what is computed: counts, aggregates of columns, ratios, and conditions on them."""

from __future__ import annotations

from dataclasses import replace
from typing import TypeAlias

from assistant.analyst import algebra as al
from assistant.analyst.conversions import conversion, converted_to
from assistant.analyst.durations import lasted
from assistant.analyst.grammar.building import bare, dates
from assistant.analyst.grammar.conditions import age_of, flagged
from assistant.analyst.grammar.rule import Rulebook, is_dated
from assistant.analyst.lexicon.files import listed
from assistant.analyst.money import is_revenue, money, revenue
from assistant.analyst.parts import PERIODS, Bound, ColumnValue, Having, MeasuredFigure, Thing, Top
from assistant.analyst.schema import Schema

RULES = Rulebook()
Several: TypeAlias = tuple[MeasuredFigure, ...]
_Part: TypeAlias = "MeasuredFigure | al.Column | Several"


def aggregated(schema: Schema, function_name: str, term: al.Term, fraction: float = 0.5) -> MeasuredFigure | None:
    """A function of a term, if it makes sense for what the term is: "biggest" of no date."""
    if (converted := conversion(term)) is not None and aggregated(schema, function_name, converted[0]) is None:
        return None
    f: al.Function = function_name.partition(" ")[0]  # type: ignore[assignment]
    typed = schema.typed[term] if isinstance(term, al.Column) else None
    if isinstance(term, al.Column) and schema.typed[term].role == "date" and f not in ("min", "max", "sum"):
        span = lasted(schema, term)  # a mean of deliveries is of the time that they take
        return aggregated(schema, function_name, span, fraction) if span else None
    if typed is not None and not typed.is_measured and (f not in ("min", "max") or typed.role not in ("date", "part")):
        return None
    if typed is not None and ((f == "sum" and typed.role == "rate") or (f != function_name and typed.role == "date")):
        return None
    return MeasuredFigure(al.Aggregate(f, term, fraction=fraction), al.tables_here(term)[0])


@RULES.add("quantity", "grain|lasting", "column", "and", "column", gap=0.3)
def days_between(schema: Schema, g: str, a: al.Column, _a: str, b: al.Column) -> al.Term | None:
    """ "days between order and shipping" """
    dates = a != b and a.table == b.table and all(schema.typed[c].role == "date" for c in (a, b))
    return al.Days(*_first_and_last(schema, a, b)) if dates and g in ("day", "duration") else None


def _first_and_last(schema: Schema, a: al.Column, b: al.Column) -> tuple[al.Column, al.Column]:
    """Two dates in the order in which they mostly come, as their greatest values tell."""
    highest = [str(profile.high) if (profile := schema.profiled[c].profile) else "" for c in (a, b)]
    return (a, b) if highest[0] <= highest[1] else (b, a)


@RULES.add("quantity", "column|quantity", "lasting", gap=0.6, turned=("lasting_column", 1.0))
def lasting_of(schema: Schema, of: al.Term, word: str) -> al.Term | None:
    """ "delivery time", "how long does delivery take", "delivery time in days": from the date before it"""
    duration = lasted(schema, of) if isinstance(of, al.Column) and word != "delay" else of
    return duration if isinstance(duration, al.Days) else None


@RULES.add("quantity", "column|quantity", "unit", gap=0.6)
def in_unit_asked(schema: Schema, of: al.Term, target: str) -> al.Term | None:
    """ "trip duration in minutes": converted from the unit of its column"""
    if isinstance(of, al.Days):
        return converted_to(of, "day", target) if target == "week" else of if target == "day" else None
    typed = schema.typed[of] if isinstance(of, al.Column) else None
    return converted_to(of, typed.unit, target) if typed is not None and typed.is_measured else None


@RULES.add("figure", "top", "unit", gap=0.6)
def extreme_in_unit(schema: Schema, t: Top, target: str) -> MeasuredFigure | None:
    """ "the longest trip in hours": how long it is"""
    term = in_unit_asked(schema, t.by, target) if isinstance(t.by, al.Column | al.Days) and t.n == 1 else None
    return aggregated(schema, "max" if t.descending else "min", term) if term is not None and not t.skip else None


@RULES.add("figure", "function", "column|quantity", gap=0.6, turned=("function_behind", 0.6))
def function(schema: Schema, f: al.Function, c: al.Term) -> MeasuredFigure | None:
    """ "average budget" """
    return aggregated(schema, f, c)


@RULES.add("figure", "function", "grain", "column|quantity|thing", gap=0.05)
def function_of_periods(schema: Schema, f: al.Function, g: al.GrainName, of: al.Term | Thing) -> MeasuredFigure | None:
    """ "average monthly revenue", "highest daily orders": of what each period comes to"""
    measured = counted(of) if isinstance(of, Thing) else bare(schema, of)
    adds = not isinstance(measured.figure, al.Aggregate) or measured.figure.function in ("sum", "distinct")
    is_of_periods = adds and f in ("mean", "median", "min", "max") and g in PERIODS
    return replace(measured, of_periods=(f, g)) if is_of_periods else None


@RULES.add("functions", "function", "and|comma", "function|functions", gap=0.1)
def more_functions(schema: Schema, f: al.Function, _a: str, g: al.Function | tuple[al.Function, ...]) -> object:
    """ "minimum and maximum", "minimum, average and maximum" """
    more = g if isinstance(g, tuple) else (g,)
    return (f, *more) if f not in more else None


@RULES.add("figure", "functions", "column|quantity", gap=0.6)
def functions(schema: Schema, fs: tuple[al.Function, ...], c: al.Term) -> Several | None:
    """ "minimum and maximum budget" """
    figures = tuple(aggregated(schema, f, c) for f in fs)
    return tuple(m for m in figures if m is not None) if all(figures) else None


@RULES.add("figure", "number|ordinal", "percentile", "column|quantity", gap=0.6)
def percentile(schema: Schema, n: float, _p: str, c: al.Term) -> MeasuredFigure | None:
    """ "90th percentile of salary" """
    return aggregated(schema, "percentile", c, n / 100) if 0 < n < 100 else None


@RULES.add("figure", "count", "thing", gap=0.6)
def count(schema: Schema, _c: str, t: Thing) -> MeasuredFigure:
    """ "how many films" """
    return counted(t)


@RULES.add("figure", "~figure|column|quantity", "and|comma", "thing", gap=0.1, turned=("count_first", 0.1))
def count_beside(
    schema: Schema, beside: MeasuredFigure | Several | al.Term, _a: str, t: Thing
) -> MeasuredFigure | None:
    """ "revenue and orders", "orders and revenue": how many"""
    is_plain = isinstance(beside, al.Column) and not schema.typed[beside].is_measured
    return None if is_plain else counted(t)


@RULES.add("figure", "~figure", "and|comma", "column", gap=0)
def function_beside(schema: Schema, beside: MeasuredFigure | Several, _a: str, c: al.Column) -> MeasuredFigure | None:
    """ "average price and weight": of each"""
    figure = (beside if isinstance(beside, MeasuredFigure) else beside[-1]).figure
    if not isinstance(figure, al.Aggregate) or figure.function not in ("mean", "median", "min", "max", "stddev"):
        return None
    return aggregated(schema, figure.function, c) if schema.typed[c].is_measured else None


def counted(t: Thing) -> MeasuredFigure:
    """The number of things."""
    return MeasuredFigure(al.Count() if t.key is None else al.Aggregate("distinct", t.key), t.table)


@RULES.add("figure", "count", "distinct", "column|thing", gap=0.3)
def count_distinct(schema: Schema, _c: str, _d: str, c: al.Column | Thing) -> MeasuredFigure:
    """ "how many different countries", "how many different films"; storms by name, where each has many rows"""
    if isinstance(c, al.Column):
        return MeasuredFigure(al.Aggregate("distinct", c), c.table)
    table = schema.tables[c.table]
    is_named = c.key is None and not table.grain and len(table.label) == 1 and schema.rows_each(table.label[0]) > 1
    return MeasuredFigure(al.Aggregate("distinct", table.label[0]), c.table) if is_named else counted(c)


@RULES.add("figure", "count", "column", gap=0.6)
def count_column(schema: Schema, _c: str, c: al.Column) -> MeasuredFigure | None:
    """ "number of units": their sum; "number of countries": different ones; no sizes: "how many heavy cars" """
    adds = schema.typed[c].role in ("measure", "duration") or schema.typed[c].adds_over_things
    is_size = schema.typed[c].is_measured and not adds
    return None if is_size else MeasuredFigure(al.Aggregate("sum" if adds else "distinct", c), c.table)


@RULES.add("figure", "quantity")
def ratio(schema: Schema, term: al.Term) -> MeasuredFigure | None:
    """ "gross divided by budget": of their totals; "revenue": the total; "how long": on average"""
    if (
        isinstance(term, al.Days | al.Column)
        or conversion(term)
        or (isinstance(term, al.Arithmetic) and term.op == "*")
    ):
        return bare(schema, term)
    if not isinstance(term, al.Arithmetic) or not isinstance(term.left, al.Column):
        return None
    numerator, denominator = al.Aggregate("sum", term.left), al.Aggregate("sum", term.right)
    return MeasuredFigure(al.Combined("ratio", numerator, denominator), term.left.table)


@RULES.add("figure", "ratio", "figure|column", "and|by", "figure|column", gap=0.3)
def ratio_of(schema: Schema, _r: str, a: _Part, _a: str, b: _Part) -> MeasuredFigure | None:
    """ "ratio of total sales to total profit" """
    numerator, denominator = _as_figure(schema, a), _as_figure(schema, b)
    if numerator is None or denominator is None or numerator == denominator or numerator.table != denominator.table:
        return None
    return MeasuredFigure(al.Combined("ratio", numerator.figure, denominator.figure), numerator.table)


@RULES.add("figure", "figure", "ratio", "figure", gap=0.3)
def figure_by_figure(schema: Schema, a: _Part, _r: str, b: _Part) -> MeasuredFigure | None:
    """ "total sales divided by number of orders" """
    return ratio_of(schema, "", a, "", b)


def _as_figure(schema: Schema, part: _Part) -> MeasuredFigure | None:
    if isinstance(part, tuple):
        return None
    return part if isinstance(part, MeasuredFigure) else aggregated(schema, "sum", part)


@RULES.add("figure", "value|column", "rate", gap=0.05)
def rate(schema: Schema, group: ColumnValue | al.Column, _r: str) -> MeasuredFigure | None:
    """ "pass rate", "attrition rate": the part of all rows that have it"""
    if isinstance(group, ColumnValue):
        test = al.Compare(group.column, "=", al.Constant(group.value))
        return MeasuredFigure(al.Combined("ratio", al.Count(test), al.Count()), group.column.table)
    test = flagged(schema, group, yes=True)
    return MeasuredFigure(al.Combined("ratio", al.Count(test), al.Count()), group.table) if test else None


@RULES.add("figure", "column", "margin", gap=0.05)
def margin(schema: Schema, c: al.Column, _m: str) -> MeasuredFigure | None:
    """ "profit margin": of the revenue"""
    revenue_column = next((d for d in schema.tables[c.table].columns if d != c and is_revenue(schema, d)), None)
    if revenue_column is None or not schema.typed[c].is_measured:
        return None
    return MeasuredFigure(al.Combined("ratio", al.Aggregate("sum", c), al.Aggregate("sum", revenue_column)), c.table)


@RULES.add("figure", "function", "thing", "worth", gap=0.05)
def worth(schema: Schema, f: al.Function, t: Thing, _w: str) -> MeasuredFigure | None:
    """ "average order value": the total by the number of orders, also where lines that belong to them have it"""
    lines = (link for link in schema.links[t.table] if link.cardinality == "many" and t.key is None)
    counts = [(t.table, counted(t).figure), *((of.table, al.Aggregate("distinct", of.end[0])) for of in lines)]
    for table, count in counts if f == "mean" else ():
        total = revenue(schema, table)
        if total is not None:
            return MeasuredFigure(al.Combined("ratio", al.Aggregate("sum", total), count), table)
    return None


@RULES.add("figure", "function", "thing", gap=0.3)
def function_of_thing(schema: Schema, f: al.Function, t: Thing) -> MeasuredFigure | None:
    """ "total payments": of what they come to"""
    is_money = not listed("operators", "money things").isdisjoint(schema.tables[t.table].words)
    total = money(schema, t.table) if t.key is None and is_money else None
    return aggregated(schema, f, total) if isinstance(total, al.Column) else None


@RULES.add("figure", "end", "day", gap=0.3)
def end_day(schema: Schema, f: al.Function, date: al.Column) -> MeasuredFigure | None:
    """ "first order date", where that is the whole name of a column"""
    return aggregated(schema, f, date)


@RULES.add("figure", "when", "end", "thing|column", gap=1.5)
def when_end(schema: Schema, _w: str, f: al.Function, of: Thing | al.Column) -> MeasuredFigure | None:
    """ "when was the first order", "when did each customer last order" """
    date = of if isinstance(of, al.Column) else next((c for c in dates(schema, of.table, ()) if of.key is None), None)
    return aggregated(schema, f, date) if date and date.table == of.table and is_dated(schema, date) else None


@RULES.add("having", "sign")
def having_sign(schema: Schema, of: tuple[al.Column, al.Comparison]) -> Having | None:
    """ "categories that lose money": in total"""
    m = aggregated(schema, "sum", of[0])
    return Having(m, Bound(of[1], 0)) if m is not None else None


# --- conditions on figures ---


@RULES.add("having", "figure", "bound", gap=0.3)
def having(schema: Schema, m: MeasuredFigure | Several, b: Bound) -> Having | None:
    """ "total sales over 1000"; "number of people under 40" is about their age"""
    if isinstance(m, tuple):
        return None
    return None if al.is_count(m.figure) and age_of(schema, m.table) else Having(m, b)


@RULES.add("having", "bound", "figure|thing", gap=0.3)
def having_count(schema: Schema, b: Bound, m: MeasuredFigure | Several | Thing) -> Having | None:
    """ "at least 10 orders", "more than 1000 in total sales" """
    return Having(m, b) if isinstance(m, Thing) else having(schema, m, b)


@RULES.add("having", "bound|number", "distinct", "thing|column", gap=0.1)
def having_different(schema: Schema, b: Bound | float, _d: str, t: Thing | al.Column) -> Having:
    """ "three different titles" """
    bound = b if isinstance(b, Bound) else Bound("=", b)
    return Having(t if isinstance(t, Thing) else MeasuredFigure(al.Aggregate("distinct", t), t.table), bound)


@RULES.add("having", "bound")
def having_rows(schema: Schema, b: Bound) -> Having:
    """ "titles that appear more than once" """
    return Having(None, b)
