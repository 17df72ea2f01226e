"""The phrase rules: which categories, in this order in the text, make which other one, and what it means.

A rule sees the meanings of its parts and the schema, never another rule; the order of rules means nothing. Each has an
example as its docstring. `gap` is how much unread content may stand between its parts.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from typing import Any

from assistant.analyst.algebra import (
    ALL,
    Aggregate,
    Both,
    Column,
    Combined,
    Compare,
    Comparison,
    Condition,
    Constant,
    Count,
    Either,
    Function,
    Grain,
    GrainName,
    Grouped,
    Metric,
    Missing,
    Not,
    OneOf,
    Rows,
    Scalar,
    Single,
    Text,
    Within,
)
from assistant.analyst.parts import (
    Bound,
    Flag,
    Having,
    Key,
    Measured,
    NotThing,
    Period,
    Recurring,
    Sort,
    Thing,
    Top,
    Value,
    When,
)
from assistant.analyst.roles import truth_words
from assistant.analyst.schema import Schema


@dataclass(frozen=True, slots=True, kw_only=True)
class Rule:
    """A rule. `apply` gets the schema and the meanings of the parts; None where they do not fit."""

    name: str
    makes: str
    parts: tuple[str, ...]
    gap: float
    apply: Callable[..., object]


RULES: list[Rule] = []
_Apply = Callable[..., Any]


def rule(makes: str, *parts: str, gap: float = 1.0) -> Callable[[_Apply], _Apply]:
    """Declare a rule."""

    def declared(apply: _Apply) -> _Apply:
        RULES.append(Rule(name=apply.__name__, makes=makes, parts=parts, gap=gap, apply=apply))
        return apply

    return declared


def _is_number(schema: Schema, column: Column) -> bool:
    return schema.typed[column].numeric and schema.typed[column].role not in ("key", "identifier")


# --- conditions ---


@rule("condition", "value")
def value(schema: Schema, v: Value) -> Condition:
    """ "in Texas" """
    return Compare(v.column, "=", Constant(v.value))


@rule("condition", "column", "value", gap=2)
def column_value(schema: Schema, c: Column, v: Value) -> Condition | None:
    """ "state is Texas" """
    return Compare(c, "=", Constant(v.value)) if c == v.column else None


@rule("condition", "value", "column", gap=0.6)
def value_column(schema: Schema, v: Value, c: Column) -> Condition | None:
    """ "Corporate segment" """
    return column_value(schema, c, v)


@rule("condition", "value", "thing", gap=0.2)
def value_thing(schema: Schema, v: Value, t: Thing) -> Condition | None:
    """ "the Finance department" """
    named = schema.tables[t.table].label if t.key is None else (t.key,)
    return Compare(v.column, "=", Constant(v.value)) if v.column in named else None


@rule("condition", "thing", "value", gap=0.6)
def thing_value(schema: Schema, t: Thing, v: Value) -> Condition | None:
    """ "department Finance" """
    return value_thing(schema, v, t)


@rule("condition", "thing", "number", gap=0.2)
def thing_number(schema: Schema, t: Thing, n: float) -> Condition | None:
    """ "employee 10009" """
    grain = schema.tables[t.table].grain
    if t.key is not None or len(grain) != 1 or schema.profiled[grain[0]].kind != "integer" or n < 20:
        return None
    return Compare(grain[0], "=", Constant(n))


@rule("bound", "compare", "number", gap=0.3)
def bound(schema: Schema, op: Comparison, n: float) -> Bound:
    """ "more than 5" """
    return Bound(op, n)


@rule("bound", "number", "after", gap=0.1)
def bound_after(schema: Schema, n: float, op: Comparison) -> Bound:
    """ "5 or more" """
    return Bound(op, n)


@rule("condition", "column", "bound", gap=2)
def column_bound(schema: Schema, c: Column, b: Bound) -> Condition | None:
    """ "budget over 5 million" """
    return Compare(c, b.op, Constant(b.n)) if _is_number(schema, c) else None


@rule("condition", "bound", "column", gap=1)
def bound_column(schema: Schema, b: Bound, c: Column) -> Condition | None:
    """ "more than 5 goals" """
    return column_bound(schema, c, b)


@rule("condition", "column", "between", "number", "and", "number", gap=0.3)
def column_between(schema: Schema, c: Column, _b: str, low: float, _a: str, high: float) -> Condition | None:
    """ "age between 20 and 30" """
    if not _is_number(schema, c) or low > high:
        return None
    return Both((Compare(c, ">=", Constant(low)), Compare(c, "<=", Constant(high))))


@rule("condition", "column", "number", gap=0.2)
def column_number(schema: Schema, c: Column, n: float) -> Condition | None:
    """ "rating 4" """
    return Compare(c, "=", Constant(n)) if schema.typed[c].numeric else None


@rule("condition", "column", "compare", "function", gap=0.6)
def against_average(schema: Schema, c: Column, op: Comparison, function: Function) -> Condition | None:
    """ "price above the average" """
    if not schema.typed[c].is_measured or function not in ("mean", "max", "min", "median"):
        return None
    return Compare(c, op, Single(Grouped(Rows(c.table), (), (Aggregate(function, c),))))


@rule("condition", "compare", "function", "column", gap=0.6)
def above_average(schema: Schema, op: Comparison, function: Function, c: Column) -> Condition | None:
    """ "above the average price" """
    return against_average(schema, c, op, function)


@rule("condition", "column", "compare", "column", gap=1)
def column_column(schema: Schema, a: Column, op: Comparison, b: Column) -> Condition | None:
    """ "gross lower than budget" """
    fits = a != b and a.table == b.table and _is_number(schema, a) and _is_number(schema, b)
    return Compare(a, op, b) if fits else None


@rule("condition", "missing", "column", gap=0.6)
def missing(schema: Schema, _m: str, c: Column) -> Condition:
    """ "unknown sex" """
    return Missing(c)


@rule("condition", "column", "missing", gap=0.6)
def is_missing(schema: Schema, c: Column, _m: str) -> Condition:
    """ "sex is unknown" """
    return Missing(c)


@rule("condition", "not", "column", gap=0.6)
def without_column(schema: Schema, _n: str, c: Column) -> Condition | None:
    """ "without a phone number", "no discount" """
    profile, typed = schema.profiled[c].profile, schema.typed[c]
    if typed.role == "flag":
        return _flag(schema, c, yes=False)
    if typed.missing or (profile and profile.nulls):
        return Missing(c)
    return Compare(c, "=", Constant(0)) if typed.is_measured and profile and profile.low == 0 else None


@rule("condition", "not", "condition", gap=1)
def negated(schema: Schema, _n: str, c: Condition | When) -> Condition | When | None:
    """ "not in Texas" """
    if isinstance(c, When):
        return replace(c, negated=True)
    return None if isinstance(c, Not) else Not(c)


@rule("condition", "condition", "or", "condition", gap=0.6)
def either(schema: Schema, a: Condition | When, _o: str, b: Condition | When) -> Condition | None:
    """ "in Texas or over 50" """
    return None if isinstance(a, When) or isinstance(b, When) else Either((a, b))


@rule("condition", "value", "or", "value", gap=0.2)
def one_of(schema: Schema, a: Value, _o: str, b: Value) -> Condition | None:
    """ "Texas or Ohio" """
    return OneOf(a.column, (a.value, b.value)) if a.column == b.column and a != b else None


@rule("condition", "value", "and", "value", gap=0.2)
def values_and(schema: Schema, a: Value, _a: str, b: Value) -> Condition | None:
    """ "Texas and Ohio" """
    return one_of(schema, a, _a, b)


@rule("condition", "column")
def flag(schema: Schema, c: Column) -> Condition | None:
    """ "who work overtime", "preferred vendors" """
    return _flag(schema, c, yes=True)


def _flag(schema: Schema, c: Column, *, yes: bool) -> Condition | None:
    if schema.typed[c].role != "flag":
        return None
    affirmative, negative = truth_words()
    if schema.profiled[c].kind == "boolean":
        return Compare(c, "=", Constant(yes))
    if schema.typed[c].numeric:
        return Compare(c, "=", Constant(int(yes)))
    profile = schema.profiled[c].profile
    values: tuple[Scalar, ...] = (profile.values or ()) if profile else ()
    wanted = affirmative if yes else negative
    said = next((v for v in values if str(v).strip().casefold() in wanted), None)
    return Compare(c, "=", Constant(said)) if said is not None else None


@rule("condition", "column", "text", "string", gap=0.6)
def text(schema: Schema, c: Column, how: Any, s: str) -> Condition | None:
    """ "name contains Star" """
    return Text(c, how, s) if schema.profiled[c].kind == "text" else None


@rule("condition", "text", "string", "column", gap=1)
def text_column(schema: Schema, how: Any, s: str, c: Column) -> Condition | None:
    """ "with the word Star in the title" """
    return text(schema, c, how, s)


# --- time ---


@rule("span", "period")
def period(schema: Schema, p: Period) -> Period:
    """ "2017" """
    return p


@rule("span", "moment", "period", gap=0.2)
def moment(schema: Schema, op: Comparison, p: Period) -> Period:
    """ "since 2017" """
    return {">=": Period(p.start, ""), ">": Period(p.end, ""), "<": Period("", p.start), "=": p}[op]


@rule("span", "period", "and", "period", gap=0.2)
def from_to(schema: Schema, a: Period, _a: str, b: Period) -> Period | None:
    """ "1995 to 2005" """
    return Period(a.start, b.end) if a.start < b.start else None


@rule("span", "between", "span", gap=0.2)
def between(schema: Schema, _b: str, p: Period) -> Period | None:
    """ "between 1995 and 2005" """
    return p if p.start and p.end else None


@rule("condition", "span")
def when(schema: Schema, p: Period) -> When:
    """ "in 2017": of the date column that fits"""
    return When(p)


@rule("condition", "recurring")
def recurring(schema: Schema, r: Recurring) -> When:
    """ "on Mondays", "in December" """
    return When(r)


@rule("condition", "column", "span", gap=2)
def column_when(schema: Schema, c: Column, p: Period) -> Condition | None:
    """ "hired in 2017" """
    return dated(schema, c, p)


def dated(schema: Schema, c: Column, p: Period | Recurring) -> Condition | None:
    """A condition that a date column, or a column of years, lies in a period."""
    typed = schema.typed[c]
    if isinstance(p, Recurring):
        if typed.role == "part" and p.grain.startswith(typed.part):
            return Compare(c, "=", Constant(p.value))
        return Compare(Grain(c, p.grain), "=", Constant(p.value)) if typed.role == "date" else None
    if typed.role == "date":
        return Within(c, p.start, p.end)
    if typed.role != "part" or typed.part != "year":
        return None
    return _years(c, p)


def _years(c: Column, p: Period) -> Condition:
    if p.start and p.end and int(p.end[:4]) - int(p.start[:4]) == 1:
        return Compare(c, "=", Constant(int(p.start[:4])))
    found: list[Condition] = []
    if p.start:
        found.append(Compare(c, ">=", Constant(int(p.start[:4]))))
    if p.end:
        found.append(Compare(c, "<", Constant(int(p.end[:4]))))
    return found[0] if len(found) == 1 else Both(tuple(found))


# --- figures ---


@rule("figure", "function", "column", gap=1)
def function(schema: Schema, f: Function, c: Column) -> Measured | None:
    """ "average budget" """
    typed = schema.typed[c]
    numeric = typed.is_measured or (f in ("min", "max") and typed.role in ("date", "part"))
    return Measured(Aggregate(f, c), c.table) if numeric and not (f == "sum" and typed.role == "rate") else None


@rule("figure", "column", "function", gap=0.6)
def function_after(schema: Schema, c: Column, f: Function) -> Measured | None:
    """ "the budget on average" """
    return function(schema, f, c)


@rule("figure", "number", "percentile", "column", gap=0.6)
def percentile(schema: Schema, n: float, _p: str, c: Column) -> Measured | None:
    """ "90th percentile of salary" """
    fits = 0 < n < 100 and schema.typed[c].is_measured
    return Measured(Aggregate("percentile", c, fraction=n / 100), c.table) if fits else None


@rule("figure", "count", "thing", gap=0.6)
def count(schema: Schema, _c: str, t: Thing) -> Measured:
    """ "how many films" """
    return counted(t)


@rule("figure", "count", "figure", gap=0.3)
def count_metric(schema: Schema, _c: str, m: Measured) -> Measured | None:
    """ "how many new customers", where that is a metric"""
    return m if isinstance(m.figure, Metric) else None


def counted(t: Thing) -> Measured:
    """The number of things."""
    return Measured(Count() if t.key is None else Aggregate("distinct", t.key), t.table)


@rule("figure", "count", "distinct", "column", gap=0.3)
def count_distinct(schema: Schema, _c: str, _d: str, c: Column) -> Measured:
    """ "how many different countries" """
    return Measured(Aggregate("distinct", c), c.table)


@rule("figure", "count", "column", gap=0.6)
def count_column(schema: Schema, _c: str, c: Column) -> Measured:
    """ "number of units": their sum; "number of countries": different ones"""
    typed = schema.typed[c]
    adds = typed.role in ("measure", "duration")
    return Measured(Aggregate("sum" if adds else "distinct", c), c.table)


@rule("figure", "column", "ratio", "column", gap=0.6)
def ratio(schema: Schema, a: Column, _r: str, b: Column) -> Measured | None:
    """ "gross divided by budget" """
    if a == b or not (schema.typed[a].is_measured and schema.typed[b].is_measured):
        return None
    return Measured(Combined("ratio", Aggregate("sum", a), Aggregate("sum", b)), a.table)


@rule("having", "figure", "bound", gap=1)
def having(schema: Schema, m: Measured, b: Bound) -> Having:
    """ "total sales over 1000" """
    return Having(m, b)


@rule("having", "bound", "thing", gap=0.3)
def having_count(schema: Schema, b: Bound, t: Thing) -> Having:
    """ "at least 10 orders" """
    return Having(t, b)


# --- groups ---


@rule("key", "by", "column", gap=0.5)
def by(schema: Schema, _b: str, c: Column) -> Key | None:
    """ "by region" """
    return Key(c) if not schema.typed[c].is_measured and schema.typed[c].role != "date" else None


@rule("key", "by", "thing", gap=0.5)
def by_thing(schema: Schema, _b: str, t: Thing) -> Key:
    """ "for each customer" """
    return Key(None, thing=t)


@rule("key", "by", "grain", gap=0.3)
def by_grain(schema: Schema, _b: str, g: GrainName) -> Key:
    """ "by quarter" """
    return Key(None, g)


@rule("key", "by", "column", "grain", gap=0.3)
def by_column_grain(schema: Schema, _b: str, c: Column, g: GrainName) -> Key | None:
    """ "by order month" """
    return Key(c, g) if schema.typed[c].role == "date" else None


@rule("key", "rhythm")
def rhythm(schema: Schema, g: GrainName) -> Key:
    """ "monthly" """
    return Key(None, g)


@rule("key", "key", "and", "column", gap=0.2)
def by_both(schema: Schema, k: Key | tuple[Key, Key], _a: str, c: Column) -> tuple[Key, Key] | None:
    """ "by region and segment" """
    if isinstance(k, tuple):
        return None
    return None if schema.typed[c].is_measured or k.term == c else (k, Key(c))


@rule("key", "key", "and", "grain", gap=0.2)
def by_and_grain(schema: Schema, k: Key | tuple[Key, Key], _a: str, g: GrainName) -> tuple[Key, Key] | None:
    """ "by region and year" """
    return None if isinstance(k, tuple) or k.grain else (k, Key(None, g))


# --- extremes and order ---


@rule("top", "extreme")
def extreme(schema: Schema, d: str) -> Top:
    """ "the highest ..." """
    return Top(d == "max")


@rule("top", "frequency")
def frequency(schema: Schema, d: str) -> Top:
    """ "most common" """
    return Top(d == "max", by_count=True)


@rule("top", "dimension")
def dimension(schema: Schema, alternatives: str) -> Top | None:
    """ "oldest": by the greatest age or the earliest birth"""
    for alternative in alternatives.split(" / "):
        direction, word = alternative.split()
        for column, typed in schema.typed.items():
            if word in typed.words and (typed.is_measured or typed.role in ("date", "part")):
                return Top(direction == "max", by=column)
    return None


@rule("top", "top", "number", gap=0.1)
def top_n(schema: Schema, t: Top, n: float) -> Top | None:
    """ "top 5" """
    return _first(t, n)


@rule("top", "number", "top", gap=0.1)
def n_top(schema: Schema, n: float, t: Top) -> Top | None:
    """ "the 5 oldest" """
    return _first(t, n)


def _first(t: Top, n: float) -> Top | None:
    return replace(t, n=int(n)) if t.n == 1 and 0 < n <= 1000 else None


@rule("top", "top", "column", gap=1)
def top_column(schema: Schema, t: Top, c: Column) -> Top | None:
    """ "the highest budget" """
    fits = t.by is None and not t.by_count and (schema.typed[c].is_measured or schema.typed[c].role in ("date", "part"))
    return replace(t, by=c) if fits else None


@rule("top", "top", "by", "column", gap=3)
def top_by_column(schema: Schema, t: Top, _b: str, c: Column) -> Top | None:
    """ "top 5 customers by profit" """
    return top_column(schema, t, c)


@rule("top", "top", "figure", gap=0.6)
def top_figure(schema: Schema, t: Top, m: Measured) -> Top | None:
    """ "the highest average budget" """
    return replace(t, by=m) if t.by is None and not t.by_count else None


@rule("top", "top", "by", "figure", gap=3)
def top_by_figure(schema: Schema, t: Top, _b: str, m: Measured) -> Top | None:
    """ "top 5 regions by average profit" """
    return top_figure(schema, t, m)


@rule("top", "top", "thing", gap=0.3)
def top_things(schema: Schema, t: Top, thing: Thing) -> Top | None:
    """ "the most orders" """
    return replace(t, by=thing) if t.by is None and not t.by_count else None


@rule("sort", "order", "column", gap=1)
def sort(schema: Schema, _o: str, c: Column) -> Sort:
    """ "ordered by age" """
    return Sort(c)


@rule("sort", "order", "figure", gap=1)
def sort_figure(schema: Schema, _o: str, m: Measured) -> Sort:
    """ "sorted by total sales" """
    return Sort(m)


@rule("sort", "sort", "descending", gap=1)
def sort_descending(schema: Schema, s: Sort, _d: str) -> Sort:
    """ "ordered by age descending" """
    return Sort(s.by, descending=True)


@rule("sort", "descending", "column", gap=1)
def descending(schema: Schema, _d: str, c: Column) -> Sort:
    """ "in descending order of age" """
    return Sort(c, descending=True)


@rule("sort", "descending")
def descending_alone(schema: Schema, _d: str) -> Sort:
    """ "highest first" """
    return Sort(None, descending=True)


@rule("sort", "ascending")
def ascending_alone(schema: Schema, _d: str) -> Sort:
    """ "alphabetically" """
    return Sort(None)


# --- related rows ---


@rule("none", "not", "thing", gap=0.6)
def no_things(schema: Schema, _n: str, t: Thing) -> NotThing:
    """ "customers without orders" """
    return NotThing(t)


@rule("none", "not", "thing", "condition", gap=0.6)
def no_such_things(schema: Schema, _n: str, t: Thing, c: Condition | When) -> NotThing | None:
    """ "customers without orders in 2020" """
    return None if c == ALL else NotThing(t, (c,))


# --- operators that only the whole question gives a place ---


def _flags(*categories: str) -> None:
    for category in categories:

        def flagged(schema: Schema, meaning: str, category: str = category) -> Flag:
            return Flag(category, meaning)

        RULES.append(Rule(name=f"{category}_said", makes="flag", parts=(category,), gap=0.0, apply=flagged))


_flags("count", "distinct", "share", "growth", "difference", "running", "moving", "all", "current", "function")
