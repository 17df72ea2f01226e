"""Which statements of others show chips: plain ones, whose chips are known to compute the same rows.

SQL that people and models write in the other shapes of the algebra can mean something else there (where values are
missing, in windows, in queries within queries), so it shows no chips.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator

from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.analyst.translation.templates import Untranslatable
from knowledge.parsing import parse_one

_PLAIN = (
    exp.Select, exp.From, exp.Join, exp.Table, exp.TableAlias, exp.Identifier, exp.Column, exp.Alias, exp.Literal,
    exp.Where, exp.And, exp.Or, exp.Not, exp.Paren, exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE, exp.In,
    exp.Between, exp.Is, exp.Null, exp.Boolean, exp.Group, exp.Having, exp.Order, exp.Ordered, exp.Limit, exp.Sum,
    exp.Avg, exp.Min, exp.Max, exp.Count, exp.Distinct, exp.Star, exp.Round, exp.Neg, exp.Mul, exp.Add, exp.Sub,
    exp.TimeToStr, exp.TsOrDsToTimestamp, exp.Extract, exp.TimestampTrunc, exp.DateTrunc, exp.Var, exp.Year,
)  # fmt: skip
_COMPARISONS = (exp.EQ, exp.NEQ, exp.GT, exp.GTE, exp.LT, exp.LTE)
_NULLS = re.compile(r"\bNULLS\s+(?:FIRST|LAST)\b", re.IGNORECASE)
_NULLS_DIFFER = "Rows without a value come last."


def check_plain(sql: str, dialect: str, columns: Collection[str]) -> tuple[str, ...]:
    """Refuse a statement whose chips might compute other rows; what they may order otherwise, in sentences.

    Args:
        sql: the statement.
        dialect: in which it is written.
        columns: the names of all columns of its source.

    Raises:
        Untranslatable: it is not plain; the text says what of it.
    """
    if _NULLS.search(sql):
        raise Untranslatable("It says where missing values come.")
    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:
        raise Untranslatable("It cannot be taken apart.") from None
    if isinstance(tree, exp.SetOperation):
        raise Untranslatable("It puts results one below the other.")
    if not isinstance(tree, exp.Select):
        raise Untranslatable("It is more than one query.")
    for node in tree.walk():
        if not isinstance(node, _PLAIN):
            raise Untranslatable(f"It has a part that chips do not show: {node.sql(dialect)[:80]}")
    reasons = (
        *_check_outputs(tree, frozenset(name.casefold() for name in columns)),
        *_check_comparisons(tree),
        *_check_order(tree),
    )
    if reasons:
        raise Untranslatable(reasons[0])
    is_cut = tree.args.get("limit") is not None
    keys = [ordered.this for ordered in tree.find_all(exp.Ordered)]
    return (_NULLS_DIFFER,) if is_cut and not all(isinstance(key, exp.Count) for key in keys) else ()


def _check_outputs(tree: exp.Select, columns: frozenset[str]) -> Iterator[str]:
    """Outputs of which it is not plain what each is."""
    for star in tree.find_all(exp.Star):
        if not isinstance(star.parent, exp.Count):
            yield "It shows every column."
    for distinct in tree.find_all(exp.Distinct):
        if not isinstance(distinct.parent, exp.Count):
            yield "It drops equal rows."
    names = [item.alias_or_name.casefold() for item in tree.expressions]
    if len(set(names)) < len(names):
        yield "Two of its columns have one name."
    used = {
        column.name.casefold()
        for clause in ("group", "having")
        if (part := tree.args.get(clause)) is not None
        for column in part.find_all(exp.Column)
        if not column.table
    }
    for item in tree.expressions:
        if isinstance(item, exp.Alias) and item.alias.casefold() in used & columns and item.this.name != item.alias:
            yield f"{item.alias} names both a column and a result."


def _check_comparisons(tree: exp.Select) -> Iterator[str]:
    """Comparisons whose sides are of no column, or of different kinds."""
    for comparison in tree.find_all(*_COMPARISONS):
        if not any(side.find(exp.Column, exp.AggFunc) for side in (comparison.left, comparison.right)):
            yield "It compares two fixed values."
        if any(isinstance(side, exp.TimeToStr) for side in (comparison.left, comparison.right)):
            yield from _check_part_of_date(comparison)


def _check_order(tree: exp.Select) -> Iterator[str]:
    """Steps of the order that are no column and no figure."""
    for ordered in tree.find_all(exp.Ordered):
        if not isinstance(ordered.this, exp.Column | exp.Literal | exp.AggFunc):
            yield "It is ordered by something computed."


def _check_part_of_date(comparison: exp.Expr) -> Iterator[str]:
    """A part of a date as text is compared with text of its length."""
    part = next(
        side for side in (comparison.args["this"], comparison.args["expression"]) if isinstance(side, exp.TimeToStr)
    )
    value = comparison.args["expression"] if part is comparison.args["this"] else comparison.args["this"]
    lengths = {"%Y": 4, "%m": 2, "%d": 2, "%Y-%m": 7}
    expected = lengths.get(part.args["format"].name)
    if not isinstance(value, exp.Literal) or not value.is_string or len(value.name) != expected:
        yield "It compares a part of a date with another kind of value."
