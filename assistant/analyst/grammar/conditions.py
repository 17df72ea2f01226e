"""Phrases that say which rows: a column with a value, a size, a text, or without a value; negated and joined."""

from __future__ import annotations

from typing import Any, TypeAlias

from assistant.analyst import algebra as al
from assistant.analyst.durations import lasted
from assistant.analyst.grammar.rule import Rulebook, is_number
from assistant.analyst.lexicon.files import listed
from assistant.analyst.parts import Alternatives, Amount, Bound, ColumnValue, Negated, Pending, Period, Thing, Values
from assistant.analyst.schema import Schema
from assistant.analyst.units import in_unit, units_like
from assistant.core.catalog import Profile

RULES = Rulebook()
_Size: TypeAlias = "float | Amount"


@RULES.add("values", "value")
def one_value(schema: Schema, v: ColumnValue) -> Values:
    """ "Texas" """
    return Values(v.column, (v.value,))


@RULES.add("values", "values", "or|and|comma", "value", gap=0.2)
def more_values(schema: Schema, vs: Values, joint: str, v: ColumnValue) -> Values | None:
    """ "Texas or Ohio", "Texas, Ohio and Utah" """
    fits = joint != "to" and v.column == vs.column and v.value not in vs.values
    return Values(vs.column, (*vs.values, v.value), each=joint == "and") if fits else None


@RULES.add("condition", "values")
def among(schema: Schema, vs: Values) -> Pending:
    """ "in Texas" """
    if vs.each:
        return Alternatives(tuple(al.Compare(vs.column, "=", al.Constant(value)) for value in vs.values), each=True)
    first, *more_values = vs.values
    return al.OneOf(vs.column, vs.values) if more_values else al.Compare(vs.column, "=", al.Constant(first))


@RULES.add("condition", "value", "value", gap=0.0)
def full_name(schema: Schema, a: ColumnValue, b: ColumnValue) -> al.Condition | None:
    """ "Ada Lovelace": a first and a last name"""
    label = schema.tables[a.column.table].label
    is_full = a.column != b.column and {a.column, b.column} == set(label)
    return al.Both(tuple(al.Compare(v.column, "=", al.Constant(v.value)) for v in (a, b))) if is_full else None


@RULES.add("condition", "column", "values", gap=1, turned=("values_column", 0.3))
def column_values(schema: Schema, c: al.Column, vs: Values) -> Pending | None:
    """ "state is Texas", "Corporate segment" """
    return among(schema, vs) if c == vs.column else None


@RULES.add("condition", "column", "not", "values|number", gap=0.6)
def column_not_values(schema: Schema, c: al.Column, _n: str, vs: Values | float) -> al.Condition | None:
    """ "state other than Texas", "age is not 20" """
    if not isinstance(vs, Values):
        inner = column_number(schema, c, vs)
    else:
        inner = among(schema, Values(c, vs.values)) if c == vs.column else None
    return al.Not(inner) if isinstance(inner, al.Compare | al.OneOf) else None


@RULES.add("condition", "values", "thing", gap=0.2, turned=("thing_values", 0.6))
def values_thing(schema: Schema, vs: Values, t: Thing) -> Pending | None:
    """ "the Finance department", "department Finance" """
    columns = schema.tables[t.table].label if t.key is None else (t.key,)
    return among(schema, vs) if vs.column in columns else None


# --- sizes ---


@RULES.add("bound", "compare", "number|amount", gap=0.3)
def bound(schema: Schema, op: al.Comparison, n: float | Amount) -> Bound:
    """ "more than 5", "over 30 minutes" """
    return Bound(op, n.n, n.unit) if isinstance(n, Amount) else Bound(op, n)


@RULES.add("bound", "number|amount", "after", gap=0.1)
def bound_after(schema: Schema, n: float | Amount, op: al.Comparison) -> Bound:
    """ "5 or more" """
    return bound(schema, op, n)


@RULES.add("condition", "column|quantity", "bound", gap=1, turned=("bound_column", 0.6))
def column_bound(schema: Schema, c: al.Term, b: Bound) -> al.Condition | None:
    """ "budget over 5 million", "more than 5 goals", "more than 5 days to ship" """
    if isinstance(c, al.Column) and schema.typed[c].role == "date" and b.unit:
        span = lasted(schema, c)
        return column_bound(schema, span, b) if span else None
    n = converted(schema, c, b.n, b.unit)
    return al.Compare(c, b.op, al.Constant(n)) if is_number(schema, c) and n is not None else None


def converted(schema: Schema, c: al.Term, n: float, unit: str) -> float | int | None:
    """A number as it stands in a column of another unit; None where they measure different things.

    A duration whose unit its name does not tell is in minutes; where a column holds fractions, percent are of one.
    """
    if not isinstance(c, al.Column):
        return in_unit(n, unit, "day" if isinstance(c, al.Days) else "")
    typed, profile = schema.typed[c], schema.profiled[c].profile
    if unit == "percent" and profile is not None and isinstance(profile.high, int | float) and profile.high <= 1:
        return n / 100
    own = typed.unit or ("minute" if typed.role == "duration" else "")
    return in_unit(n, unit, own or _unit_held(profile, n, unit))


def _unit_held(profile: Profile | None, n: float, unit: str) -> str:
    """The unit in which an amount lies among values whose unit nothing tells: hours as minutes, of 46 to 185."""
    low, high = (profile.low, profile.high) if profile is not None else (None, None)
    if not isinstance(low, int | float) or not isinstance(high, int | float):
        return ""
    return next((candidate for candidate in units_like(unit) if low <= (in_unit(n, unit, candidate) or 0) <= high), "")


@RULES.add("condition", "~thing|value", "bound", gap=0.15)
def aged(schema: Schema, subject: Thing | ColumnValue, b: Bound) -> al.Condition | None:
    """ "women over 60", "pupils under 12": of rows that have an age"""
    age = age_of(schema, subject.table if isinstance(subject, Thing) else subject.column.table)
    return column_bound(schema, age, b) if age is not None and not b.unit else None


def age_of(schema: Schema, table: str) -> al.Column | None:
    """The column that says how old a table's rows are."""
    return next((c for c in schema.tables[table].columns if schema.typed[c].words == ("age",)), None)


@RULES.add("condition", "sign")
def sign(schema: Schema, of: tuple[al.Column, al.Comparison]) -> al.Condition:
    """ "late", "out of stock": on which side of zero a column lies"""
    return al.Compare(of[0], of[1], al.Constant(0))


@RULES.add("condition", "unflag")
def unflag(schema: Schema, c: al.Column) -> al.Condition | None:
    """ "inactive", "died": a flag that is not set"""
    return flagged(schema, c, yes=False)


@RULES.add("condition", "comparative", "number|amount|thing|age", gap=0.3)
def comparative(
    schema: Schema, of: tuple[al.Column | al.Days, al.Comparison], n: float | Amount | Thing | Period
) -> al.Condition | None:
    """ "older than 56", "paid more than their manager": of a column that such a word measures"""
    term, comparison = of
    if isinstance(n, Thing | Period):
        if not isinstance(term, al.Column):
            return None
        if isinstance(n, Thing):
            return column_column(schema, term, comparison, n)
        born = al.Within(term, "", n.start) if comparison == "<" else al.Within(term, n.end, "")
        return born if schema.typed[term].role == "date" else None
    if not is_number(schema, term):
        return None
    if isinstance(n, Amount):
        return column_bound(schema, term, Bound(comparison, n.n, n.unit))
    return al.Compare(term, comparison, al.Constant(n))


@RULES.add("condition", "column", "between", "number|amount", "and", "number|amount", gap=0.3)
def column_between(schema: Schema, c: al.Column, _b: str, a: _Size, _a: str, b: _Size) -> al.Condition | None:
    """ "age between 20 and 30", "price between 5 and 10 dollars" """
    low, high = _sizes(schema, c, a, b)
    if not is_number(schema, c) or low is None or high is None or low > high:
        return None
    return al.Both((al.Compare(c, ">=", al.Constant(low)), al.Compare(c, "<=", al.Constant(high))))


@RULES.add("condition", "column", "number", gap=0.15)
def column_number(schema: Schema, c: al.Column, n: float) -> al.Condition | None:
    """ "rating 4" """
    return al.Compare(c, "=", al.Constant(n)) if schema.typed[c].numeric else None


@RULES.add("condition", "number", "column", gap=0.0)
def number_column(schema: Schema, n: float, c: al.Column) -> al.Condition | None:
    """ "8 cylinders", "zero balance": a number that many rows hold there"""
    profile = schema.profiled[c].profile
    is_frequent = profile is not None and any(value == n and rows > 1 for value, rows in profile.top)
    return column_number(schema, c, n) if is_frequent and is_number(schema, c) else None


@RULES.add("condition", "column", "number", "or|and|comma", "number|amount", gap=0.15)
def column_numbers(schema: Schema, c: al.Column, a: float, _o: str, b: _Size) -> al.Condition | None:
    """ "age 24 or 25", "price 5 or 10 dollars" """
    low, high = _sizes(schema, c, a, b)
    fits = is_number(schema, c) if isinstance(b, Amount) else schema.typed[c].numeric
    return al.OneOf(c, (low, high)) if fits and low is not None and high is not None else None


def _sizes(schema: Schema, c: al.Column, a: _Size, b: _Size) -> tuple[float | None, float | None]:
    """Two numbers as they stand in a column: a unit that is said of the second is that of both."""
    unit = b.unit if isinstance(b, Amount) else ""
    plain = [(n.n, n.unit) if isinstance(n, Amount) else (n, unit) for n in (a, b)]
    return converted(schema, c, *plain[0]), converted(schema, c, *plain[1])


@RULES.add("condition", "column", "compare", "function", gap=0.3)
def against_average(schema: Schema, c: al.Column, op: al.Comparison, function: al.Function) -> al.Condition | None:
    """ "price above the average" """
    if not schema.typed[c].is_measured or function not in ("mean", "max", "min", "median"):
        return None
    return al.Compare(c, op, al.Single(al.Grouped(al.Rows(c.table), (), (al.Aggregate(function, c),))))


@RULES.add("condition", "column", "compare", "function", "column", gap=0.3)
def against_named_average(
    schema: Schema, c: al.Column, op: al.Comparison, f: al.Function, d: al.Column
) -> al.Condition | None:
    """ "price above the average price" """
    return against_average(schema, c, op, f) if c == d else None


@RULES.add("condition", "compare", "function", "column", gap=0.3)
def above_average(schema: Schema, op: al.Comparison, function: al.Function, c: al.Column) -> al.Condition | None:
    """ "above average price" """
    return against_average(schema, c, op, function)


@RULES.add("condition", "column", "compare|moment", "column|thing", gap=0.6)
def column_column(schema: Schema, a: al.Column, op: al.Comparison, b: al.Column | Thing) -> al.Condition | None:
    """ "gross lower than budget", "hired before their manager" """
    column = _like(schema, a, b) if isinstance(b, Thing) else b
    if column is None or a == column or op == "=" or not schema.reaches_one(a.table, column.table):
        return None
    alike = all(is_number(schema, c) for c in (a, column)) or {schema.typed[c].role for c in (a, column)} == {"date"}
    return al.Compare(a, op, column) if alike else None


def _like(schema: Schema, c: al.Column, t: Thing) -> al.Column | None:
    """The same column of the row that a key leads to."""
    alias = schema.alias(t.table)
    return alias.named(c) if alias and c.table in alias.names else None


# --- values that are missing, flags, texts ---


@RULES.add("condition", "missing|known", "column", gap=0.3, turned=("is_missing", 0.6))
def missing(schema: Schema, presence: str, c: al.Column) -> al.Condition:
    """ "unknown sex", "sex is known" """
    return al.Missing(c) if presence == "missing" else al.Not(al.Missing(c))


@RULES.add("condition", "not", "column", gap=0.3)
def without_column(schema: Schema, _n: str, c: al.Column) -> al.Condition | None:
    """ "without a phone number", "no discount" """
    profile, typed = schema.profiled[c].profile, schema.typed[c]
    if typed.role == "flag":
        return flagged(schema, c, yes=False)
    if typed.missing or (profile and profile.nulls):
        return al.Missing(c)
    return al.Compare(c, "=", al.Constant(0)) if _has_zero(schema, c) else None


def _has_zero(schema: Schema, c: al.Column) -> bool:
    profile = schema.profiled[c].profile
    return schema.typed[c].is_measured and profile is not None and profile.low == 0


@RULES.add("condition", "not", "column", gap=0.3)
def without_any(schema: Schema, _n: str, c: al.Column) -> al.Condition | None:
    """ "without a tip", of blanks and zeros: either"""
    blank = without_column(schema, "", c)
    is_both = isinstance(blank, al.Missing) and _has_zero(schema, c)
    return al.Either((al.Missing(c), al.Compare(c, "=", al.Constant(0)))) if is_both else None


@RULES.add("condition", "held", "column", gap=0.15)
def with_column(schema: Schema, _h: str, c: al.Column) -> al.Condition | None:
    """ "orders with a discount", "customers with a phone number": it is more than zero, or known"""
    if _has_zero(schema, c):
        return al.Compare(c, ">", al.Constant(0))
    blank = without_column(schema, "", c)
    return al.Not(blank) if isinstance(blank, al.Missing) else None


@RULES.add("condition", "column")
def flag(schema: Schema, c: al.Column) -> al.Condition | None:
    """ "who work overtime", "preferred vendors" """
    return flagged(schema, c, yes=True)


def flagged(schema: Schema, c: al.Column, *, yes: bool) -> al.Condition | None:
    """That a flag is set, or is not."""
    if schema.typed[c].role != "flag":
        return None
    if schema.profiled[c].kind == "boolean":
        return al.Compare(c, "=", al.Constant(yes))
    if schema.typed[c].numeric:
        return al.Compare(c, "=", al.Constant(int(yes)))
    profile = schema.profiled[c].profile
    values: tuple[al.Scalar, ...] = (profile.values or ()) if profile else ()
    words = listed("columns", "affirmative" if yes else "negative")
    value = next((v for v in values if str(v).strip().casefold() in words), None)
    return al.Compare(c, "=", al.Constant(value)) if value is not None else None


@RULES.add("condition", "column", "not", gap=0.15)
def flag_no(schema: Schema, c: al.Column, _n: str) -> al.Condition | None:
    """ "whose overtime is no" """
    return flagged(schema, c, yes=False)


@RULES.add("condition", "column", "text", "string", gap=0.6)
def text(schema: Schema, c: al.Column, how: Any, s: str) -> al.Condition | None:
    """ "name contains Star" """
    return al.Text(c, how, s) if schema.profiled[c].kind == "text" else None


@RULES.add("condition", "string", "column", gap=0.15)
def string_in_column(schema: Schema, s: str, c: al.Column) -> al.Condition | None:
    """ "with 'Star' in the title" """
    return text(schema, c, "contains", s)


# --- negated and joined ---


@RULES.add("condition", "not", "condition", gap=0.3)
def negated(schema: Schema, n: str, p: Pending) -> Pending | None:
    """ "not in Texas"; nobody has a value: "have no phone" is not about a channel that is so called"""
    if isinstance(p, al.Not | Negated):
        return None
    return None if n == "lack" and isinstance(p, al.Compare | al.OneOf) and _says_value(schema, p) else Negated(p)


def _says_value(schema: Schema, p: al.Compare | al.OneOf) -> bool:
    column = p.left if isinstance(p, al.Compare) else p.term
    return isinstance(column, al.Column) and not schema.typed[column].numeric and schema.typed[column].role != "flag"


@RULES.add("condition", "condition", "or", "condition", gap=0.3)
def either(schema: Schema, a: Pending, _o: str, b: Pending) -> Pending | None:
    """ "in Texas or over 50" """
    return None if a == b or isinstance(b, Alternatives) else Alternatives((a, b))
