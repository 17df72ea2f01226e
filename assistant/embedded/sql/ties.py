"""Superlatives without a number: every row that shares the extreme, for "the most expensive" may be more than one.

A list keeps the rows whose value equals the highest; groups are computed once, under a name, and those with the
highest figure are kept. The first of each group are found by a rank within it.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


def _at_place(among: exp.Select, value: exp.Expr, *, highest: bool, place: int) -> exp.Select:
    """The one value at a place from the end, each counted once: the highest itself, the second highest."""
    from sqlglot import exp

    among.set("distinct", None)
    if place == 1:
        among.set("expressions", [exp.Max(this=value.copy()) if highest else exp.Min(this=value.copy())])
        return among
    among.set("expressions", [value.copy()])
    known = exp.Not(this=exp.Is(this=value.copy(), expression=exp.Null()))
    ordered = among.where(known).distinct().order_by(exp.Ordered(this=value.copy(), desc=highest, nulls_first=False))
    return ordered.limit(1).offset(place - 1)


def only_extreme(select: exp.Select, value: exp.Expr, *, highest: bool, place: int = 1) -> exp.Select:
    """Rows of a list whose value is the highest (or lowest) among all rows that fulfil the same conditions.

    With `place` it is the second highest, the third highest and so on.
    """
    from sqlglot import exp

    among = _at_place(select.copy(), value, highest=highest, place=place)
    return select.where(exp.EQ(this=value, expression=exp.Subquery(this=among)))


def extreme_groups(
    select: exp.Select,
    name: exp.Identifier,
    shown: Sequence[exp.Identifier],
    figure: exp.Identifier,
    *,
    highest: bool,
    place: int = 1,
) -> exp.Select:
    """Groups whose figure is the highest (or lowest) of all groups; only the columns `shown` are given back.

    With `place` it is the second highest, the third highest and so on.
    """
    from sqlglot import exp

    def column(identifier: exp.Identifier) -> exp.Column:
        return exp.Column(this=identifier.copy())

    table = exp.Table(this=name.copy())
    every = exp.Select().from_(table.copy())
    among = exp.Subquery(this=_at_place(every, column(figure), highest=highest, place=place))
    outer = exp.Select().select(*(column(i) for i in shown)).from_(table)
    return outer.where(exp.EQ(this=column(figure), expression=among)).with_(name.copy(), as_=select)


def first_within(
    select: exp.Select,
    groups: Sequence[exp.Expr],
    ranks: Sequence[exp.Expr],
    place: exp.Identifier,
    shown: Sequence[exp.Identifier],
    *,
    limit: int,
    tied: bool,
    offset: int = 0,
    at: int = 1,
) -> exp.Select:
    """The first `limit` rows of each group by `ranks`, those behind the `offset`.

    With `tied` they are all that share the first place, or that `at`.
    """
    from sqlglot import exp

    rank = exp.Anonymous(this="RANK" if at == 1 else "DENSE_RANK") if tied else exp.RowNumber()
    window = exp.Window(this=rank, partition_by=list(groups), order=exp.Order(expressions=list(ranks)))
    ranked = select.select(exp.alias_(window, place.copy()))
    name = exp.to_identifier("ranked")
    outer = exp.Select().select(*(exp.Column(this=i.copy()) for i in shown)).from_(exp.Table(this=name.copy()))
    which, last = (exp.LTE, limit + offset) if at == 1 else (exp.EQ, at)
    kept: exp.Expr = which(this=exp.Column(this=place.copy()), expression=exp.Literal.number(last))
    if offset:
        beyond = exp.GT(this=exp.Column(this=place.copy()), expression=exp.Literal.number(offset))
        kept = exp.and_(beyond, kept)
    return outer.where(kept).with_(name, as_=ranked)
