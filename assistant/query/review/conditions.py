"""Rules about conditions and figures: comparisons that are never true, unknown values, sums of identifiers."""

from __future__ import annotations

import re
from collections.abc import Iterator

from rapidfuzz import process
from rapidfuzz.utils import default_process
from sqlglot import exp

from assistant.core.events import Finding
from assistant.query.review.joins import find_compared_columns
from assistant.query.review.scopes import ColumnReference, ReviewScope

_DAY = re.compile(r"\d{4}-\d{2}-\d{2}")
_VALUES_LISTED_MAX = 5
_WHOLE_DIVISION = ("sqlite", "postgres", "tsql", "redshift")


def compared_with_null(scope: ReviewScope) -> Iterator[Finding]:
    """`x = NULL` is never true."""
    for node in scope.own(exp.EQ, exp.NEQ):
        if isinstance(node.args["expression"], exp.Null) or isinstance(node.this, exp.Null):
            text = f"{node.sql(dialect=scope.dialect)} is never true. Write IS NULL or IS NOT NULL."
            yield Finding(level="warning", text=text)


def unknown_value(scope: ReviewScope) -> Iterator[Finding]:
    """A text that stands in no row of the column it is compared with."""
    for node in scope.own(exp.EQ, exp.NEQ, exp.In):
        place = scope.place(node.this)
        texts = [n for n in (node.args.get("expression"), *node.expressions) if isinstance(n, exp.Literal)]
        values = _all_values(place)
        if place is None or values is None:
            continue
        for text in texts:
            if (
                text.is_string
                and text.this not in values
                and text.this.casefold() not in _folded(values, scope.dialect)
            ):
                message = f"No row has {text.this!r} in {_named(place)}.{_nearest(text.this, values)}"
                yield Finding(level="warning", text=message)


def text_beside_number(scope: ReviewScope) -> Iterator[Finding]:
    """A column of text or dates compared with a bare number: the engine compares them by type, not by value."""
    for node in scope.own(exp.EQ, exp.GT, exp.GTE, exp.LT, exp.LTE):
        place, number = scope.place(node.this), node.args["expression"]
        if place is None or not isinstance(number, exp.Literal) or number.is_string:
            continue
        if place.column.kind in ("text", "date", "datetime"):
            text = f"{_named(place)} holds {place.column.kind}; {number.this} is a number, so this compares types."
            yield Finding(level="warning", text=text)


def last_day_cut(scope: ReviewScope) -> Iterator[Finding]:
    """An upper bound by day on a column with a time of day leaves out all but the first moment of that day."""
    for node in scope.own(exp.Between, exp.LTE):
        place = scope.place(node.this)
        bound = node.args.get("high") or node.args.get("expression")
        if isinstance(bound, exp.Cast):
            bound = bound.this
        if place is None or place.column.kind != "datetime" or not isinstance(bound, exp.Literal):
            continue
        if _DAY.fullmatch(str(bound.this)) and _has_time_of_day(place):
            text = f"{_named(place)} has a time of day: {bound.this} ends at its first moment. Write < the day after."
            yield Finding(level="warning", text=text)


def not_in_with_nulls(scope: ReviewScope) -> Iterator[Finding]:
    """NOT IN over a query that gives an empty value is true for no row."""
    for node in scope.own(exp.Not):
        inner = node.this.unnest()
        query = inner.args.get("query") if isinstance(inner, exp.In) else None
        select = query.find(exp.Select) if query is not None else None
        if select is None or not select.expressions:
            continue
        source_column = _column_of(scope, select)
        if (
            source_column is not None
            and source_column.column.profile is not None
            and source_column.column.profile.nulls
        ):
            where = select.args.get("where")
            if where is None or where.find(exp.Is) is None:
                text = (
                    f"{_named(source_column)} has empty values, so NOT IN over it is true for no row. Use NOT EXISTS."
                )
                yield Finding(level="warning", text=text)


def sum_of_identifier(scope: ReviewScope) -> Iterator[Finding]:
    """Keys and codes are counted, not added up."""
    for figure in scope.own(exp.Sum, exp.Avg):
        place = scope.place(figure.this)
        if place is None:
            continue
        keys = {*place.table.primary_key, *(name for key in place.table.usable_keys for name in key.columns)}
        if place.column.name in keys:
            text = f"{figure.sql(dialect=scope.dialect)} computes with identifiers. Count them instead."
            yield Finding(level="warning", text=text)


def ungrouped_column(scope: ReviewScope) -> Iterator[Finding]:
    """A column beside a figure that is not grouped by: the engine takes it from any row of the group."""
    group = scope.select.args.get("group")
    figures = [node for node in scope.own(exp.AggFunc) if node.find_ancestor(exp.Window) is None]
    if scope.dialect not in ("sqlite", "mysql") or (group is None and not figures):
        return
    if any(isinstance(node, exp.Max | exp.Min) for node in figures) and scope.dialect == "sqlite":
        return  # SQLite takes the other columns from the row of the extreme
    keys = [key.unnest() for key in (group.expressions if group is not None else ())]
    places = _with_equals(scope, [place for key in keys if (place := scope.place(key)) is not None])
    for number, item in enumerate(scope.select.expressions, start=1):
        plain = item.unalias()
        is_grouped = any(key in (plain, exp.Literal.number(number)) or key.name == item.alias for key in keys)
        place = scope.place(plain)
        if place is not None and not is_grouped and not _settled(place, places):
            text = f"{_named(place)} is not grouped by: its value is taken from any row of the group."
            yield Finding(level="warning", text=text)


def whole_division(scope: ReviewScope) -> Iterator[Finding]:
    """A whole number divided by a whole number drops the fraction in some dialects."""
    if scope.dialect not in _WHOLE_DIVISION:
        return
    for node in scope.own(exp.Div):
        if _is_whole(scope, node.this) and _is_whole(scope, node.args["expression"]):
            text = f"{node.sql(dialect=scope.dialect)} divides whole numbers and drops the fraction. Multiply by 1.0."
            yield Finding(level="warning", text=text)


def limit_without_order(scope: ReviewScope) -> Iterator[Finding]:
    """LIMIT without ORDER BY keeps any rows."""
    select = scope.select
    inside = select.parent_select is not None
    if select.args.get("limit") and not select.args.get("order") and not inside and select.args.get("from_"):
        yield Finding(level="note", text="LIMIT without ORDER BY keeps any rows, not the first.")


def _settled(place: ColumnReference, keys: list[ColumnReference]) -> bool:
    """Whether grouping by these leaves one value of a column: it is one of them, or its table's key is."""
    own = {key.column.name for key in keys if key.alias == place.alias}
    return place.column.name in own or (bool(place.table.primary_key) and set(place.table.primary_key) <= own)


def _with_equals(scope: ReviewScope, places: list[ColumnReference]) -> list[ColumnReference]:
    """The columns with those that a join sets equal to one of them."""
    columns = {(place.alias, place.column.name) for place in places}
    equal = [
        right
        for pair in find_compared_columns(scope)
        for left, right in (pair, pair[::-1])
        if (left.alias, left.column.name) in columns
    ]
    return places + equal


def _column_of(scope: ReviewScope, select: exp.Select) -> ColumnReference | None:
    start = select.args.get("from_")
    item = select.expressions[0].unalias()
    if start is None or not isinstance(start.this, exp.Table) or not isinstance(item, exp.Column):
        return None
    return scope.inside(select).place(item)


def _is_whole(scope: ReviewScope, node: exp.Expr) -> bool:
    node = node.unnest()
    match node:
        case exp.Literal():
            return not node.is_string and "." not in node.this
        case exp.Count():
            return True
        case exp.Sum() | exp.Neg() | exp.Max() | exp.Min():
            return _is_whole(scope, node.this)
        case exp.Add() | exp.Sub() | exp.Mul():
            return _is_whole(scope, node.this) and _is_whole(scope, node.args["expression"])
        case _:
            place = scope.place(node)
            return place is not None and place.column.kind == "integer"


def _all_values(place: ColumnReference | None) -> tuple[str, ...] | None:
    """All values of a column of text, where they are known."""
    if place is None or place.column.kind != "text" or place.column.stored_as_text:
        return None
    profile = place.column.profile
    return profile.values if profile is not None and not profile.sampled and profile.values else None


def _folded(values: tuple[str, ...], dialect: str) -> set[str]:
    return {value.casefold() for value in values} if dialect in ("mysql", "tsql") else set()


def _nearest(text: str, values: tuple[str, ...]) -> str:
    near = process.extractOne(text, values, processor=default_process, score_cutoff=70)
    if near is not None:
        return f" Did you mean {near[0]!r}?"
    return f" There are {', '.join(map(repr, values))}." if len(values) <= _VALUES_LISTED_MAX else ""


def _has_time_of_day(place: ColumnReference) -> bool:
    profile = place.column.profile
    ends = (profile.low, profile.high) if profile is not None else ()
    return any(isinstance(end, str) and not end.endswith("00:00:00") and len(end) > len("2024-01-01") for end in ends)


def _named(place: ColumnReference) -> str:
    return f"{place.table.name}.{place.column.name}"
