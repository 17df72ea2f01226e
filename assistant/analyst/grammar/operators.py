"""What a question computes of each group: the figures that it names, and operators over them.

An operator takes the plain figures and gives others: a share, a growth, a difference, a running total. Some take
conditions of the question as their own, so that these do not filter the rows.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass, replace
from itertools import combinations

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import Builder, Keys, bare, columns_in
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.figures import aggregated, counted
from assistant.analyst.money import money, revenue
from assistant.analyst.parts import Alternatives, Flag, MeasuredFigure, Pending, Period, Thing, When

_FUNCTIONS: tuple[al.Function, ...] = ("mean", "median", "min", "max", "stddev", "sum")
_MOVING = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class Computed:
    """Figures for each group; the conditions that went into them; which operators made them.

    `along`: an operator that needs the finished keys: it gives the figures for them, or None.
    """

    figures: tuple[al.Figure, ...]
    without: tuple[Pending, ...] = ()
    names: tuple[str, ...] = ()
    along: Callable[[Keys], tuple[al.Figure, ...] | None] | None = None


def computed(builder: Builder, frame: Frame) -> Iterator[Computed]:
    """All that a frame may ask for of each group."""
    has_figure = frame.figures or frame.tops or frame.havings or frame.says("function") or frame.says("count")
    for figures in _plain(builder, frame):
        is_counted_unsaid = all(isinstance(figure, al.Count) for figure in figures)
        unsaid = () if has_figure else ("bare" if is_counted_unsaid else "bare amount",)
        yield Computed(figures=figures, names=unsaid)
        if figures:
            yield from _shares(builder, frame, figures[0])
            yield from _side_by_side(builder, frame, figures)
            yield from _along(builder, frame, figures[0])
            if frame.says("rank"):
                yield Computed(figures=(al.Window("rank", figures[0]),), names=("rank",))


# --- the figures that are named ---


def _plain(builder: Builder, frame: Frame) -> Iterator[tuple[al.Figure, ...]]:
    resolved = tuple(builder.seen(m) for m in (*frame.figures, *bare_figures(builder, frame)))
    figures = tuple(figure for figure in resolved if figure is not None)
    if len(figures) != len(resolved):
        return
    if figures:
        yield figures
    if not figures and any(top.by is None and not top.by_count for top in frame.tops):
        total = revenue(builder.schema, builder.home)
        if total is not None:
            yield (al.Aggregate("sum", total),)
            return  # the greatest are not those with the most rows
    if frame.says("count") or not figures:
        things = [t for t in frame.things if t.table == builder.home and t.key is not None]
        of_rows = () if things and len(things) == len(frame.things) else (MeasuredFigure(al.Count(), builder.home),)
        for m in (*of_rows, *map(counted, things[:1])):
            figure = builder.seen(m)
            if figure is not None:
                yield (figure, *figures)


def bare_figures(builder: Builder, frame: Frame) -> tuple[MeasuredFigure, ...]:
    """The figures that bare columns of quantities mean; of the function that was said apart from them."""
    sized = [c for c in frame.columns if builder.schema.typed[c].is_measured]
    functions = [f.value for f in frame.flags if f.name == "function"]
    measures: list[MeasuredFigure] = []
    for column in sized:
        function: al.Function | None = next((f for f in _FUNCTIONS if f in functions), None)
        m = aggregated(builder.schema, function, column) if function else None
        measures.append(m or bare(builder.schema, column))
    total = money(builder.schema, builder.home) if "sum" in functions and not (measures or frame.things) else None
    return tuple(measures) if frame.figures or frame.tops or total is None else (bare(builder.schema, total),)


def single(figure: al.Figure) -> bool:
    """Whether a figure can be computed of some of its rows only."""
    return isinstance(figure, al.Count | al.Aggregate | al.Metric) and figure.of is None


def _of_some(figure: al.Figure, test: al.Condition) -> al.Figure:
    assert isinstance(figure, al.Count | al.Aggregate | al.Metric)
    return replace(figure, where=al.both(figure.where, test))


# --- parts of a whole ---


def _shares(builder: Builder, frame: Frame, figure: al.Figure) -> Iterator[Computed]:
    """ "percentage of female employees", "share of sales by region" """
    if not frame.says("share") or not single(figure):
        return
    adds = isinstance(figure, al.Count | al.Metric) or (
        isinstance(figure, al.Aggregate) and figure.function in ("sum", "distinct")
    )
    is_overall = any(flag.name == "share" and flag.value == "all" for flag in frame.flags)
    for selection in (frame.conditions,) if is_overall and frame.conditions else _parts(frame.conditions):
        tests = [builder.condition(p) for p in selection]
        if adds and all(tests):
            test = al.both(*(t for t in tests if t is not None))
            part = al.Combined("ratio", _of_some(figure, test), figure)
            several = ("all said",) * (len(selection) > 1)
            yield Computed(figures=(part,), without=selection, names=("share of rows", *several))
    if isinstance(figure, al.Count | al.Metric) or (isinstance(figure, al.Aggregate) and figure.function == "sum"):
        yield Computed(
            figures=(figure,), names=("share",), along=lambda keys: (al.Share(figure),) if keys.terms else None
        )


def _parts(conditions: tuple[Pending, ...]) -> Iterator[tuple[Pending, ...]]:
    for p in conditions:
        yield (p,)
    if len(conditions) > 1:
        yield conditions


# --- two groups, or two periods ---


def _side_by_side(builder: Builder, frame: Frame, figures: tuple[al.Figure, ...]) -> Iterator[Computed]:
    """ "compare sales in Texas with Ohio", "growth in sales from 2016 to 2017", "gap of highest and lowest" """
    figure = figures[0]
    if frame.says("difference") and len(figures) == 2:
        yield Computed(figures=(al.Combined("difference", *figures),), names=("difference",))
    if not single(figure):
        return
    for a, b, without in _pairs(builder, frame):
        left_figure, right_figure = _of_some(figure, a), _of_some(figure, b)
        if frame.says("growth") and isinstance(a, al.Within):
            yield Computed(
                figures=(al.Combined("growth", left_figure, right_figure),), without=without, names=("growth",)
            )
        if frame.says("difference") or frame.says("versus"):
            is_turned = _is_later(b, a) and Flag("difference", "minus") not in frame.flags
            ends = (right_figure, left_figure) if is_turned else (left_figure, right_figure)
            yield Computed(figures=(al.Combined("difference", *ends),), without=without, names=("difference",))
        if frame.says("ratio"):
            yield Computed(
                figures=(al.Combined("ratio", left_figure, right_figure),), without=without, names=("ratio",)
            )
        sides = tuple(_of_some(f, test) for f in figures if single(f) for test in (a, b))
        yield Computed(figures=sides, without=without, names=("sides",))


def _pairs(builder: Builder, frame: Frame) -> Iterator[tuple[al.Condition, al.Condition, tuple[Pending, ...]]]:
    """Two conditions that speak of the same columns; else two values of one, or the ends of a span of years."""
    are_apart = False
    for first, second in combinations(frame.conditions, 2):
        a, b = builder.condition(first), builder.condition(second)
        if a is not None and b is not None and a != b and _alike(a, b):
            are_apart = True
            yield a, b, (first, second)
    for first in () if are_apart else frame.conditions:
        for a, b in _two_in_one(builder, frame, first):
            yield a, b, (first,)


def _is_later(a: al.Condition, b: al.Condition) -> bool:
    """Whether a period comes after another: what changed is the later less the earlier."""
    return isinstance(a, al.Within) and isinstance(b, al.Within) and bool(b.end) and a.start >= b.end


def _alike(a: al.Condition, b: al.Condition) -> bool:
    return type(a) is type(b) and bool(columns_in(a)) and columns_in(a) == columns_in(b)


def _two_in_one(builder: Builder, frame: Frame, p: Pending) -> Iterator[tuple[al.Condition, al.Condition]]:
    if isinstance(p, Alternatives) and p.each and len(p.of) == 2:
        a, b = (builder.condition(part) for part in p.of)
        if a is not None and b is not None and _alike(a, b):
            yield a, b
    elif frame.says("growth") or frame.says("difference") or frame.says("versus"):
        yield from _ends(builder, p)


def _ends(builder: Builder, p: Pending) -> Iterator[tuple[al.Condition, al.Condition]]:
    """The first and the last year of a span."""
    condition = builder.condition(p)
    start, end = "", ""
    match p:
        case When(Period() as period):
            start, end = period.start, period.end
        case al.Within():
            start, end = p.start, p.end
        case _:
            return
    if not start or not end or condition is None or int(end[:4]) - int(start[:4]) < 2:
        return
    first, last = int(start[:4]), int(end[:4]) - 1
    periods = [Period(f"{year}-01-01", f"{year + 1}-01-01") for year in (first, last)]
    if isinstance(p, al.Within):
        yield (al.Within(p.term, periods[0].start, periods[0].end), al.Within(p.term, periods[1].start, periods[1].end))
        return
    a, b = (builder.condition(When(period)) for period in periods)
    if a is not None and b is not None:
        yield a, b


# --- along time ---


def _along(builder: Builder, frame: Frame, figure: al.Figure) -> Iterator[Computed]:
    """ "running total of sales by month", "growth of sales by year" """
    for flag in frame.flags:
        if flag.name in ("running", "moving", "growth"):
            yield Computed(figures=(figure,), names=(f"along {flag.name}",), along=_windows(builder, flag, figure))


def _windows(builder: Builder, flag: Flag, figure: al.Figure) -> Callable[[Keys], tuple[al.Figure, ...] | None]:
    def along(keys: Keys) -> tuple[al.Figure, ...] | None:
        place = next((i for i, key in enumerate(keys.terms) if _goes_on(builder, key)), None)
        if place is None:
            return None
        within = tuple(i for i in range(len(keys.terms)) if i != place)
        lag = al.Window("lag", figure, place, within)
        figures: dict[str, al.Figure] = {
            "running": al.Window("running", figure, place, within),
            "moving": al.Window("moving", figure, place, within, flag.n or _MOVING),
            "growth": al.Combined("growth", lag, figure),
        }
        return (figures[flag.name],)

    return along


def _goes_on(builder: Builder, key: al.Term) -> bool:
    """Whether groups by a key follow each other in time."""
    if isinstance(key, al.Column):
        return builder.schema.typed[key].role in ("date", "part")
    return isinstance(key, al.Grain)


def rest(frame: Frame, computed: Computed) -> tuple[Pending, ...]:
    """The conditions that still filter the rows."""
    return tuple(p for p in frame.conditions if p not in computed.without)


def is_counted(frame: Frame, entity: Thing) -> bool:
    """Whether a figure of the frame counts a thing."""
    return counted(entity) in frame.figures
