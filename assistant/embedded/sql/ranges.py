"""A number put into its range, in SQL, and what the ranges are called."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import pairwise
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from sqlglot import exp


def range_name(value: exp.Expr, bounds: Sequence[float], *, whole: bool) -> exp.Expr:
    """The range of a number in words; missing where the number is."""
    return _ladder(value, bounds, range_names(bounds, whole=whole), text=True)


def range_names(bounds: Sequence[float], *, whole: bool) -> list[str]:
    """What the ranges are called: "20 to 29", "2.5 to under 5"."""
    until = [_said(upper - 1) if whole else f"under {_said(upper)}" for upper in bounds[1:]]
    inner = [f"{_said(lower)} to {upper}" for lower, upper in zip(bounds, until, strict=False)]
    if whole and all(upper - lower == 1 for lower, upper in pairwise(bounds)):
        inner = [_said(lower) for lower in bounds[:-1]]
    return [f"under {_said(bounds[0])}", *inner, f"{_said(bounds[-1])} and over"]


def range_number(value: exp.Expr, bounds: Sequence[float]) -> exp.Expr:
    """The place of a number's range, by which ranges are put in order."""
    return _ladder(value, bounds, [str(n) for n in range(len(bounds) + 1)], text=False)


def _ladder(value: exp.Expr, bounds: Sequence[float], names: Sequence[str], *, text: bool) -> exp.Expr:
    from sqlglot import exp

    made = [exp.Literal.string(name) if text else exp.Literal.number(name) for name in names]
    steps = [
        exp.If(this=exp.LT(this=value.copy(), expression=exp.Literal.number(_plain(bound))), true=name)
        for bound, name in zip(bounds, made, strict=False)
    ]
    last = exp.GTE(this=value.copy(), expression=exp.Literal.number(_plain(bounds[-1])))
    return exp.Case(ifs=[*steps, exp.If(this=last, true=made[-1])])


def _plain(number: float) -> str:
    return f"{number:.10g}"


def _said(number: float) -> str:
    return f"{number:,.10g}"
