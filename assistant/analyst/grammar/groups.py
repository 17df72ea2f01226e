"""Phrases that say what to group by, what comes first, and in which order."""

from __future__ import annotations

import math
from dataclasses import replace
from typing import TypeAlias

from assistant.analyst.algebra import Aggregate, Arithmetic, Band, Column, Days, GrainName, Term
from assistant.analyst.grammar.rule import Rulebook, comes_again, is_dated
from assistant.analyst.money import money
from assistant.analyst.parts import RANKED, Flag, GroupKey, MeasuredFigure, Sort, Thing, Top
from assistant.analyst.schema import Schema

RULES = Rulebook()
Keys: TypeAlias = "GroupKey | tuple[GroupKey, ...]"
_KEYS_MAX = 3
_TOP_MAX = 1000
_BANDS = 8
_NUMBERS_MAX = 20
"""A quantity with more values is no class."""


def _is_key(schema: Schema, c: Column) -> bool:
    """Whether a column tells groups apart: a quantity only where whole numbers come again and again."""
    if schema.typed[c].is_measured:
        column = schema.profiled[c]
        few = column.profile is not None and column.profile.distinct <= _NUMBERS_MAX
        return few and column.kind == "integer" and comes_again(schema, c)
    return schema.typed[c].role != "date"


@RULES.add("key", "by", "column", gap=0.3)
def by(schema: Schema, b: str, c: Column) -> GroupKey | None:
    """ "by region", "by cylinders"; "cost per unit" is no cost of each number of units"""
    is_quotient = b == "per" and schema.typed[c].is_measured
    return GroupKey(c) if _is_key(schema, c) and not is_quotient else None


@RULES.add("key", "column", "band", "number", gap=0.1)
def banded_by(schema: Schema, c: Column, _b: str, width: float) -> GroupKey | None:
    """ "by age in bands of 5" """
    fits = schema.typed[c].is_measured and width >= 1 and float(width).is_integer()
    return GroupKey(Band(c, int(width))) if fits else None


@RULES.add("key", "by", "thing|grain", gap=0.3)
def by_thing(schema: Schema, _b: str, of: Thing | GrainName) -> GroupKey:
    """ "for each customer", "broken down by quarter" """
    return GroupKey(None, thing=of) if isinstance(of, Thing) else GroupKey(None, of)


@RULES.add("key", "by", "column", "grain", gap=0.2)
def by_column_grain(schema: Schema, _b: str, c: Column, g: GrainName) -> GroupKey | None:
    """ "by order month" """
    return GroupKey(c, g) if schema.typed[c].role == "date" else None


@RULES.add("key", "~top", "grain", gap=0.05)
def grain_of_top(schema: Schema, t: Top, g: GrainName) -> GroupKey | None:
    """ "the busiest weekday", "top 5 months"; "the last quarter" is a time"""
    return None if isinstance(t.by, Column) and is_dated(schema, t.by) else GroupKey(None, g, is_first=True)


@RULES.add("key", "column|thing", "split|band", gap=0.1)
def split(schema: Schema, c: Column | Thing, how: str) -> GroupKey | None:
    """ "gender split", "age group": of a quantity about eight intervals of a round width"""
    if isinstance(c, Thing):
        return GroupKey(None, thing=c) if how == "split" else None
    return by(schema, "", c) if how == "split" else banded_by(schema, c, "", _width(schema, c))


def _width(schema: Schema, c: Column) -> float:
    """The round number, 1, 2 or 5 with zeros, that cuts a column's values into about so many bands; 0 for none."""
    profile = schema.profiled[c].profile
    low, high = (profile.low, profile.high) if profile else (None, None)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return 0
    width = max((high - low) / _BANDS, 1)
    tens = 10 ** math.floor(math.log10(width))
    return min((tens * n for n in (1, 2, 5, 10)), key=lambda n: abs(math.log(n / width)))


@RULES.add("key", "key", "and|comma", "column|thing|grain", gap=0.0)
def by_both(schema: Schema, k: Keys, _a: str, c: Column | Thing | GrainName) -> Keys | None:
    """ "by region and segment", "by region, segment" """
    keys = k if isinstance(k, tuple) else (k,)
    match c:
        case Column():
            key = by(schema, "", c)
        case Thing():
            key = GroupKey(None, thing=c)
        case _:
            key = GroupKey(None, c)
    return (*keys, key) if key is not None and key not in keys and len(keys) < _KEYS_MAX else None


# --- what comes first ---


@RULES.add("top", "top", "number|top", gap=0.1, turned=("n_top", 0.1))
def top_n(schema: Schema, t: Top, n: float | Top) -> Top | None:
    """ "top 5", "the 5 oldest", "top 3 most expensive" """
    if isinstance(n, Top):
        return top_n(schema, t, n.n) if n.n > 1 and n == Top(True, n.n) else None
    return replace(t, n=int(n)) if t.n in (1, RANKED) and not t.skip and 0 < n <= _TOP_MAX else None


@RULES.add("top", "number", "~thing|column", "top", gap=8)
def n_things_top(schema: Schema, n: float, _t: Thing | Column, t: Top) -> Top | None:
    """ "the 5 films with the highest budget": the thing is read by others"""
    return top_n(schema, t, n)


@RULES.add("top", "ordinal", "top", gap=0.1)
def ordinal_top(schema: Schema, place: int, t: Top) -> Top | None:
    """ "the second highest": one at that place"""
    return replace(t, skip=place - 1) if t.n == 1 and place > 1 and not t.skip else None


@RULES.add("top", "top", "column|quantity", gap=0.6)
def top_column(schema: Schema, t: Top, c: Term) -> Top | None:
    """ "the highest budget", "the shortest duration" """
    fits = isinstance(c, Arithmetic | Days)
    if isinstance(c, Column):
        fits = schema.typed[c].is_measured or schema.typed[c].part == "year"
    return replace(t, by=c) if fits and t.by in (None, c) and not t.by_count else None


@RULES.add("top", "top", "figure", gap=0.3)
def top_figure(schema: Schema, t: Top, m: MeasuredFigure | tuple[MeasuredFigure, ...]) -> Top | None:
    """ "the highest average budget" """
    return replace(t, by=m) if t.by is None and not t.by_count and isinstance(m, MeasuredFigure) else None


@RULES.add("top", "top", "by|order", "column|quantity|figure", gap=3)
def top_by(schema: Schema, t: Top, _b: str, by: Term | MeasuredFigure | tuple[MeasuredFigure, ...]) -> Top | None:
    """ "top 5 customers by profit", "top 5 regions by average profit" """
    return top_figure(schema, t, by) if isinstance(by, MeasuredFigure | tuple) else top_column(schema, t, by)


@RULES.add("top", "top", "thing|past", gap=0.3)
def top_things(schema: Schema, t: Top, entity: Thing) -> Top | None:
    """ "the most orders", "most rented films"; "the highest payment": of its amount, where it has one"""
    is_single = t.sized and entity.key is None
    size = money(schema, entity.table) if is_single else None
    return replace(t, by=size or entity) if t.by is None and not t.by_count and not (is_single and not size) else None


@RULES.add("top", "top", "thing", gap=0.3)
def top_single(schema: Schema, t: Top, entity: Thing) -> Top | None:
    """ "the customer with the largest order": of the greatest one, not of all that a customer ordered"""
    by = top_things(schema, t, entity).by if t.sized and top_things(schema, t, entity) else None
    figure = Aggregate("max" if t.descending else "min", by) if isinstance(by, Column) else None
    return replace(t, by=MeasuredFigure(figure, entity.table)) if figure else None


# --- order ---


@RULES.add("sort", "order", "column|figure", gap=0.6)
def sort(schema: Schema, _o: str, by: Column | MeasuredFigure | tuple[MeasuredFigure, ...]) -> Sort | None:
    """ "ordered by age", "sorted by total sales" """
    return None if isinstance(by, tuple) else Sort(by)


@RULES.add("sort", "sort", "descending|ascending|direction", gap=0.6)
def sort_directed(schema: Schema, s: Sort, d: str) -> Sort:
    """ "ordered by age descending" """
    return Sort(s.by, descending=d == "descending")


@RULES.add("sort", "descending|ascending|direction", "column|figure", gap=0.6)
def directed(schema: Schema, d: str, by: Column | MeasuredFigure | tuple[MeasuredFigure, ...]) -> Sort | None:
    """ "in descending order of age" """
    return None if isinstance(by, tuple) else Sort(by, descending=d == "descending")


@RULES.add("sort", "descending|ascending")
def directed_alone(schema: Schema, d: str) -> Sort:
    """ "highest first", "alphabetically" """
    return Sort(None, descending=d == "descending")


# --- operators that only the whole question gives a place ---


@RULES.add("flag", "ordinal", "number", gap=0.0)
def first_rows(schema: Schema, place: int, n: float) -> Flag | None:
    """ "the first 5 orders": as they are stored, by their key"""
    return Flag("first", "rows", int(n)) if place == 1 and 1 <= n <= _TOP_MAX else None


@RULES.add("flag", "number", "grain", "moving", gap=0.1)
def so_many_moving(schema: Schema, n: float, g: GrainName, _m: str) -> Flag | None:
    """ "3 month moving average" """
    return Flag("moving", g, int(n)) if 1 < n <= _TOP_MAX else None


@RULES.add("flag", "moving", "number", "grain", gap=0.15)
def moving_over(schema: Schema, _m: str, n: float, g: GrainName) -> Flag | None:
    """ "moving average over 3 months" """
    return so_many_moving(schema, n, g, "")


_SAID = (
    *("count", "distinct", "share", "growth", "difference", "versus", "running", "moving", "rank"),
    *("all", "current", "function", "names", "both", "their"),
)


def _flags() -> None:
    for category in _SAID:

        def flagged(schema: Schema, meaning: str, category: str = category) -> Flag:
            return Flag(category, meaning.partition(" ")[0])

        flagged.__name__ = f"{category}_said"
        RULES.add("flag", category, gap=0.0)(flagged)


_flags()
