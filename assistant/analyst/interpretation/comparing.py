"""What measures are compared with: two sides, or the other groups. Taken out of figures, and put into them again."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, replace
from functools import reduce
from typing import Literal, TypeAlias

from assistant.analyst import algebra as al


@dataclass(frozen=True, slots=True, kw_only=True)
class Sides:
    """The measures for two conditions side by side, and how the second is computed from the first.

    `is_alone`: only what is computed from both is shown. `base`: what both sides have in common.
    """

    first: al.Condition
    second: al.Condition
    how: Literal["", "ratio", "difference", "growth"] = ""
    is_alone: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class Across:
    """Each measure seen among the groups, as `algebra.Share` and `algebra.Window` do. `is_beside`: with the measure."""

    how: Literal["share", "running", "moving", "lag", "rank"]
    along: int = 0
    within: tuple[int, ...] = ()
    n: int = 1
    is_beside: bool = False

    def of(self, figure: al.Figure) -> al.Figure:
        """A measure seen among the groups."""
        if self.how == "share":
            return al.Share(figure, self.within)
        return al.Window(self.how, figure, self.along, self.within, self.n)


Comparison: TypeAlias = Sides | Across


def compared(measures: Sequence[al.Figure], comparison: Comparison | None) -> tuple[al.Figure, ...]:
    """The figures of measures with their comparison."""
    match comparison:
        case None:
            return tuple(measures)
        case Across():
            among_groups = map(comparison.of, measures)
            return (*measures, *among_groups) if comparison.is_beside else tuple(among_groups)
        case Sides():
            return tuple(figure for measure in measures for figure in _side_by_side(measure, comparison))


def _side_by_side(measure: al.Figure, sides: Sides) -> tuple[al.Figure, ...]:
    first, second = (_where(measure, condition) for condition in (sides.first, sides.second))
    if not sides.how:
        return (first, second)
    change = al.Combined(sides.how, first, second)
    return (change,) if sides.is_alone else (first, second, change)


def _where(figure: al.Figure, condition: al.Condition) -> al.Figure:
    """A figure of those of its rows that meet a condition."""

    def change(part: object) -> object:
        return replace(part, where=al.both(part.where, condition)) if isinstance(part, al.Leaf) else part

    match figure:
        case al.Combined():
            return replace(figure, left=_where(figure.left, condition), right=_where(figure.right, condition))
        case al.Share() | al.Window():
            return replace(figure, figure=_where(figure.figure, condition))
        case _:
            return change(figure)  # type: ignore[return-value]


def factored(figures: tuple[al.Figure, ...]) -> tuple[tuple[al.Figure, ...], Comparison | None]:
    """The measures behind some figures, and what they are compared with."""
    for measures, comparison in _ways(figures):
        if compared(measures, comparison) == figures:
            return measures, comparison
    return figures, None


def _ways(figures: tuple[al.Figure, ...]) -> Iterable[tuple[tuple[al.Figure, ...], Comparison]]:
    sides, last = figures[:2], figures[-1] if figures else None
    change = last if isinstance(last, al.Combined) else None
    if change is not None and len(figures) == 1:
        sides = (change.left, change.right)
    if len(sides) == 2 and len(figures) <= 3:
        how = "" if change is None else change.how
        yield from _two_sides(*sides, how, is_alone=len(figures) == 1)
    half = len(figures) // 2
    for among_groups, is_beside in ((figures, False), (figures[half:], True)):
        if not among_groups or not isinstance(among_groups[0], al.Share | al.Window):
            continue
        inside = tuple(f.figure for f in among_groups if isinstance(f, al.Share | al.Window))
        match among_groups[0]:
            case al.Share(_, within):
                yield inside, Across(how="share", within=within, is_beside=is_beside)
            case al.Window(how, _, along, within, n):
                yield inside, Across(how=how, along=along, within=within, n=n, is_beside=is_beside)


def _two_sides(
    a: al.Figure, b: al.Figure, how: Literal["", "ratio", "difference", "growth"], *, is_alone: bool
) -> Iterable[tuple[tuple[al.Figure, ...], Comparison]]:
    if not isinstance(a, al.Leaf) or not isinstance(b, al.Leaf) or type(a) is not type(b):
        return
    if replace(a, where=al.NO_FILTER) != replace(b, where=al.NO_FILTER) or a.where == b.where:
        return
    first, second = al.conditions_of(a.where), al.conditions_of(b.where)
    common = [c for c in first if c in second]
    own, second_only = ([c for c in side if c not in common] for side in (first, second))
    base = replace(a, where=_all(common))
    yield (base,), Sides(first=_all(own), second=_all(second_only), how=how, is_alone=is_alone)


def _all(conditions: Sequence[al.Condition]) -> al.Condition:
    return reduce(al.both, conditions, al.NO_FILTER)
