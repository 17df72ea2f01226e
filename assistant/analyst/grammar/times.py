"""Phrases that say when."""

from __future__ import annotations

from datetime import date

from assistant.analyst.algebra import Both, Column, Compare, Comparison, Condition, Constant, Grain, OneOf, Within, both
from assistant.analyst.grammar.rule import Rulebook, is_dated
from assistant.analyst.parts import Period, Recurring, When
from assistant.analyst.schema import Schema

RULES = Rulebook()


@RULES.add("span", "period")
def period(schema: Schema, p: Period) -> Period:
    """ "2017" """
    return p


@RULES.add("span", "moment|compare", "period", gap=0.2)
def moment(schema: Schema, op: Comparison, p: Period) -> Period | None:
    """ "since 2017" """
    return {
        ">=": Period(p.start, ""),
        ">": Period(p.end, ""),
        "<": Period("", p.start),
        "<=": Period("", p.end),
        "=": p,
    }.get(op)


@RULES.add("span", "period", "after", gap=0.1)
def moment_after(schema: Schema, p: Period, op: Comparison) -> Period:
    """ "2017 or later" """
    return Period(p.start, "") if op == ">=" else Period("", p.end)


@RULES.add("span", "between", "period", "onward", gap=0.1)
def from_on(schema: Schema, _f: str, p: Period, _o: str) -> Period:
    """ "from 2017 on" """
    return Period(p.start, "")


@RULES.add("span", "period", "and", "period", gap=0.2)
def from_to(schema: Schema, a: Period, joint: str, b: Period) -> Period | None:
    """ "1995 to 2005"; "2014 and 2016" are two years, without the one between"""
    return Period(a.start, b.end) if a.start < b.start and joint == "to" else None


@RULES.add("span", "between", "period", "and", "period", gap=0.2)
def between(schema: Schema, _b: str, a: Period, _a: str, b: Period) -> Period | None:
    """ "between 1995 and 2005" """
    return from_to(schema, a, "to", b)


@RULES.add("condition", "span|recurring")
def when(schema: Schema, p: Period | Recurring) -> When | None:
    """ "in 2017", "on Mondays": of the date column that fits"""
    return When(p) if any(is_dated(schema, c) for c in schema.typed) else None


@RULES.add("condition", "column", "span|recurring", gap=1)
def column_when(schema: Schema, c: Column, p: Period | Recurring) -> Condition | None:
    """ "hired in 2017" """
    return dated(schema, c, p)


def dated(schema: Schema, c: Column, p: Period | Recurring) -> Condition | None:
    """A condition that a date column, or a column of years, lies in a period."""
    typed = schema.typed[c]
    if isinstance(p, Recurring):
        first, *more_values = p.values
        if typed.role == "part" and p.grain.startswith(typed.part) and not more_values:
            return Compare(c, "=", Constant(first))
        of = Grain(c, p.grain)
        condition = OneOf(of, p.values) if more_values else Compare(of, "=", Constant(first))
        return condition if typed.role == "date" else None
    if typed.role == "date":
        return Within(c, p.start, p.end)
    if typed.part != "year" and not _holds_years(schema, c):
        return None
    return _years(c, p) if all(not day or day.endswith("-01-01") for day in (p.start, p.end)) else _month(schema, c, p)


def _month(schema: Schema, year: Column, p: Period) -> Condition | None:
    """A month of a year, where both are numbers in columns of their own."""
    if not p.start or not p.end or not 28 <= (date.fromisoformat(p.end) - date.fromisoformat(p.start)).days <= 31:
        return None
    months = [c for c in schema.tables[year.table].columns if schema.typed[c].part == "month"]
    if len(months) != 1:
        return None
    at = (Compare(year, "=", Constant(int(p.start[:4]))), Compare(months[0], "=", Constant(int(p.start[5:7]))))
    return Both(at)


def _holds_years(schema: Schema, c: Column) -> bool:
    """Whether a plain number may be a year: "founded in 1850" """
    profile = schema.profiled[c].profile
    low, high = (profile.low, profile.high) if profile else (None, None)
    if not schema.typed[c].is_measured or not isinstance(low, int) or not isinstance(high, int):
        return False
    return low >= 1000 and high <= 2200


def _years(c: Column, p: Period) -> Condition:
    first, end = int(p.start[:4] or 0), int(p.end[:4] or 0)
    if first and end - first == 1:
        return Compare(c, "=", Constant(first))
    bounds: tuple[tuple[Comparison, int], ...] = ((">=", first), ("<", end))
    return both(*(Compare(c, op, Constant(year)) for op, year in bounds if year))
