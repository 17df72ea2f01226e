"""The floating rules: a frame becomes whole queries. Each shape sees the frame and a table's rows, no other shape."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import replace

from assistant.analyst.algebra import (
    ALL,
    Aggregate,
    Both,
    Column,
    Combined,
    Compare,
    Condition,
    Constant,
    Count,
    Either,
    Figure,
    Grain,
    Grouped,
    Groups,
    Limit,
    Listing,
    Metric,
    Missing,
    Not,
    OneOf,
    Order,
    Output,
    Query,
    Rows,
    Share,
    Term,
    Window,
    here,
)
from assistant.analyst.grammar.building import Builder, Keys, at_home, dates, measured
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.rules import counted
from assistant.analyst.parts import Key, Measured, Thing, Top, When
from assistant.analyst.schema import Schema

Shape = Callable[[Builder, Frame], Iterator[Query]]
_HOMES = 3
_DATES = 2


def queries(frame: Frame, schema: Schema) -> Iterator[tuple[str, Query]]:
    """The queries that a frame may mean, each with the shape it has."""
    timed = any(isinstance(c, When) for c in frame.conditions) or any(k.grain and not k.term for k in frame.keys)
    for home in _homes(frame, schema):
        choices: list[Column | None] = [*(_own_dates(frame) or dates(schema, home, frame.columns)[:_DATES])]
        if not timed:
            choices = [None]
        for date in choices:
            builder = Builder(schema=schema, home=home, date=date)
            for shape in SHAPES:
                for query in shape(builder, frame):
                    yield shape.__name__, query


def _homes(frame: Frame, schema: Schema) -> list[str]:
    """The tables whose rows a question may be about."""
    found = [m.table for m in frame.figures] + [t.table for t in frame.things]
    found += [t.by.table for t in frame.tops if t.by is not None] + [c.table for c in frame.columns]
    found += [key.thing.table for key in frame.keys if key.thing] + [
        part.table for c in frame.conditions for part in _columns(c)
    ]
    found += [having.measured.table for having in frame.havings]
    if not found and len(schema.tables) == 1:
        found = list(schema.tables)
    return list(dict.fromkeys(found))[:_HOMES]


def _own_dates(frame: Frame) -> list[Column]:
    """The dates that the metrics of a question go by."""
    named = [m for m in (*frame.figures, *(top.by for top in frame.tops)) if isinstance(m, Measured)]
    dates = [m.figure.date for m in named if isinstance(m.figure, Metric) and m.figure.date is not None]
    return list(dict.fromkeys(dates))


def _columns(condition: Condition | When) -> list[Column]:
    return [part for part in here(condition) if isinstance(part, Column)]


# --- rows ---


def listing(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "titles of films from 1999" """
    if frame.figures or frame.tops or frame.keys or frame.havings or frame.says("count") or frame.says("share"):
        return
    rows = builder.rows(frame)
    if rows is None:
        return
    for shown in _shown(builder, frame):
        order = _sorted(frame, shown)
        for distinct in (False, True):
            if distinct or not frame.says("distinct"):
                yield Listing(rows, shown[0], distinct=distinct, order=order, shown=shown[1])


def _shown(builder: Builder, frame: Frame) -> Iterator[tuple[tuple[Term, ...], int]]:
    """What to show of each row, and how much of it; further outputs serve the order."""
    by = tuple(s.by for s in frame.sorts if isinstance(s.by, Column))
    own = [t for t in frame.things if t.table == builder.home]
    label = builder.identified(own[0])[0] if own else ()
    if frame.says("all"):
        columns = builder.schema.tables[builder.home].columns
        yield (*columns, *(c for c in by if c not in columns)), len(columns)
    elif frame.columns:
        yield (*frame.columns, *(c for c in by if c not in frame.columns)), len(frame.columns)
        if own and not set(label) & set(frame.columns):
            wide = (*label, *frame.columns)
            yield (*wide, *(c for c in by if c not in wide)), len(wide)
    elif own:
        yield (*label, *(c for c in by if c not in label)), len(label)


def _sorted(frame: Frame, shown: tuple[tuple[Term, ...], int]) -> tuple[Order, ...]:
    for sort in frame.sorts:
        if sort.by is None:
            return (Order(0, sort.descending),)
        if isinstance(sort.by, Column) and sort.by in shown[0]:
            return (Order(shown[0].index(sort.by), sort.descending),)
    return ()


def extreme_rows(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "the 5 most expensive films with their year" """
    for top in frame.tops:
        by = top.by if isinstance(top.by, Column) else None
        columns = frame.columns
        if by is None and top.by is None and not top.by_count:
            measures = [c for c in columns if builder.schema.typed[c].is_measured]
            by = measures[0] if measures else None
            columns = tuple(c for c in columns if c != by)
        rows = builder.rows(frame)
        if by is None or rows is None or frame.figures or not builder.schema.reaches_one(builder.home, by.table):
            continue
        within = builder.keys(frame.keys)
        if within is None:
            continue
        label = columns or builder.schema.tables[builder.home].label
        for shown in ((*label, by), label):
            yield _first(rows, (*within.terms, *shown), by, top, len(within.terms))


def _first(rows: Rows, shown: tuple[Term, ...], by: Column, top: Top, within: int) -> Query:
    outputs = shown if by in shown else (*shown, by)
    order = (Order(outputs.index(by), top.descending),)
    known = replace(rows, where=_and(rows.where, Not(Missing(by))))
    return Listing(known, outputs, order=order, limit=Limit(top.n, tuple(range(within))), shown=len(shown))


def _and(a: Condition, b: Condition) -> Condition:
    return b if a == ALL else Both((a, b))


# --- groups ---


def _figures(builder: Builder, frame: Frame) -> tuple[Measured, ...]:
    """The figures that a frame asks for: those said, and bare columns of quantities."""
    said = [f.value for f in frame.flags if f.name == "function"]
    bare = [c for c in frame.columns if builder.schema.typed[c].is_measured]
    own = [measured(builder.schema, c) for c in bare]
    if said and said[0] != "sum":
        own = [Measured(Aggregate(said[0], c), c.table) for c in bare]  # type: ignore[arg-type]
    found = (*frame.figures, *own)
    if frame.says("count") and not found:
        things = [t for t in frame.things if t.table == builder.home] or [Thing(builder.home)]
        return (counted(things[0]),)
    return found


def _keys(builder: Builder, frame: Frame) -> Keys | None:
    loose = tuple(Key(c) for c in frame.columns if _groups(builder.schema, c) and Key(c) not in frame.keys)
    return builder.keys((*frame.keys, *loose))


def _groups(schema: Schema, column: Column) -> bool:
    return not schema.typed[column].is_measured and schema.typed[column].role != "date"


def _grouped(rows: Rows, keys: Keys, figures: tuple[Figure, ...]) -> Grouped:
    size = len(keys.terms) + len(figures)
    return Grouped(rows, keys.terms, figures, shown=tuple(range(keys.hidden, size)) if keys.hidden else None)


def aggregate(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "average budget per year", "sales and profit by region", "how many films since 2000" """
    if frame.tops or frame.says("share") or frame.havings:
        return
    found, keys = _figures(builder, frame), _keys(builder, frame)
    if not found and frame.keys:
        found = (Measured(Count(), builder.home),)
    rows = builder.rows(frame, related=bool(frame.figures) and not frame.keys)
    if not found or rows is None or keys is None or found[0].table != builder.home:
        return
    figures = tuple(at_home(m.figure, m.table, builder.home) for m in found)
    query = _grouped(rows, keys, figures)
    yield _with_order(query, frame, found)
    if _kinds(frame):
        yield from _along(builder, query, frame)


def _with_order(query: Grouped, frame: Frame, found: tuple[Measured, ...]) -> Query:
    for sort in frame.sorts:
        place = len(query.keys) if query.figures else 0
        if isinstance(sort.by, Measured) and sort.by in found:
            place = len(query.keys) + found.index(sort.by)
        elif isinstance(sort.by, Column) and sort.by in query.keys:
            place = query.keys.index(sort.by)
        return replace(query, order=(Order(place, sort.descending),))
    return query


def _kinds(frame: Frame) -> list[str]:
    return [name for name in ("running", "moving", "growth") if frame.says(name)]


def _along(builder: Builder, query: Grouped, frame: Frame) -> Iterator[Query]:
    """ "running total of sales by month", "growth of sales by year" """
    along = next((i for i, key in enumerate(query.keys) if _goes_on(builder.schema, key)), None)
    if along is None or not query.figures:
        return
    figure = query.figures[0]
    others = tuple(i for i in range(len(query.keys)) if i != along)
    lag = Window("lag", figure, along, others)
    made: dict[str, Figure] = {
        "running": Window("running", figure, along, others),
        "moving": Window("moving", figure, along, others, 3),
        "growth": Combined("growth", lag, figure),
    }
    for kind in _kinds(frame):
        yield replace(query, figures=(figure, made[kind]), shown=None)


def _goes_on(schema: Schema, key: Term) -> bool:
    """Whether groups by a key follow each other in time."""
    return isinstance(key, Grain) or (isinstance(key, Column) and schema.typed[key].role in ("date", "part"))


def extreme_groups(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "top 5 customers by profit", "the department with the most employees" """
    for top in frame.tops:
        figure = _ranked_by(builder, frame, top)
        rows = builder.rows(frame, related=False)
        if figure is None or rows is None or figure.table != builder.home:
            continue
        for head in _heads(builder, frame, figure):
            keys, within = builder.keys((head,)), builder.keys(frame.keys)
            if keys is None or within is None:
                continue
            yield from _best_groups(rows, keys, within, figure.figure, top)


def _best_groups(rows: Rows, keys: Keys, within: Keys, figure: Figure, top: Top) -> Iterator[Query]:
    terms = (*within.terms, *keys.terms)
    place = len(terms)
    hidden = set(range(len(within.terms), len(within.terms) + keys.hidden))
    order = (Order(place, top.descending),)
    limit = Limit(top.n, tuple(range(len(within.terms))))
    for last in (place + 1, place):
        shown = tuple(i for i in range(last) if i not in hidden)
        yield Grouped(rows, terms, (figure,), order=order, limit=limit, shown=shown)


def _ranked_by(builder: Builder, frame: Frame, top: Top) -> Measured | None:
    """The figure that puts groups in order."""
    if isinstance(top.by, Measured):
        return top.by
    if isinstance(top.by, Thing):
        return counted(top.by)
    if isinstance(top.by, Column):
        return measured(builder.schema, top.by) if builder.schema.typed[top.by].is_measured else None
    if top.by_count:
        return Measured(Count(), builder.home)
    if frame.figures:
        return frame.figures[0]
    bare = [c for c in frame.columns if builder.schema.typed[c].is_measured]
    return measured(builder.schema, bare[0]) if bare else None


def _heads(builder: Builder, frame: Frame, figure: Measured) -> Iterator[Key]:
    """What the groups may be."""
    for thing in frame.things:
        if counted(thing) != figure:
            yield Key(None, thing=thing)
    for column in frame.columns:
        if _groups(builder.schema, column):
            yield Key(column)


def conditioned_groups(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "customers with at least 10 orders", "how many regions have sales over 1000" """
    for having in frame.havings:
        m = having.measured if isinstance(having.measured, Measured) else counted(having.measured)
        rows = builder.rows(frame, related=False)
        if m.table != builder.home or rows is None:
            continue
        for head in _heads(builder, frame, m):
            keys = builder.keys((head,))
            if keys is None:
                continue
            size = len(keys.terms)
            test = Compare(Output(size), having.bound.op, Constant(having.bound.n))
            query = Grouped(rows, keys.terms, (m.figure,), having=test, shown=tuple(range(keys.hidden, size)))
            if frame.says("count") or frame.figures:
                yield Grouped(Groups(query), (), (Count(),))
            else:
                yield query
                yield replace(query, shown=tuple(range(keys.hidden, size + 1)))


# --- parts of a whole, and side by side ---


def share(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "percentage of female employees", "share of sales by region" """
    if not frame.says("share") or frame.tops:
        return
    found = _figures(builder, frame) or (Measured(Count(), builder.home),)
    figure = found[0].figure
    if found[0].table != builder.home or not isinstance(figure, Count | Aggregate | Metric):
        return
    for condition in frame.conditions:
        where, keys = builder.condition(condition), builder.keys(frame.keys)
        rows = builder.rows(frame, without=(condition,), related=False)
        if where is None or rows is None or keys is None:
            continue
        yield _grouped(rows, keys, (Combined("ratio", replace(figure, where=where), figure),))
    keys, rows = _keys(builder, frame), builder.rows(frame, related=False)
    if keys is not None and keys.terms and rows is not None:
        yield _grouped(rows, keys, (Share(figure),))


def side_by_side(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "compare sales in Texas with Ohio", "growth in sales from 2016 to 2017" """
    found = _figures(builder, frame)
    if not found or found[0].table != builder.home or frame.tops:
        return
    figure = found[0].figure
    for a, b, without in _pairs(builder, frame):
        keys, rows = builder.keys(frame.keys), builder.rows(frame, without=without, related=False)
        if keys is None or rows is None or not isinstance(figure, Count | Aggregate | Metric):
            continue
        sides = (replace(figure, where=a), replace(figure, where=b))
        if frame.says("growth"):
            yield _grouped(rows, keys, (Combined("growth", *sides),))
        elif frame.says("difference"):
            yield _grouped(rows, keys, (Combined("difference", *sides),))
            yield _grouped(rows, keys, sides)


def _pairs(builder: Builder, frame: Frame) -> Iterator[tuple[Condition, Condition, tuple[Condition | When, ...]]]:
    """Two conditions of a question that speak of the same column, or two values of one."""
    for i, first in enumerate(frame.conditions):
        if isinstance(first, OneOf) and len(first.values) == 2:
            a, b = (Compare(first.term, "=", Constant(value)) for value in first.values)
            yield a, b, (first,)
        if isinstance(first, Either) and len(first.conditions) == 2:
            yield first.conditions[0], first.conditions[1], (first,)
        for second in frame.conditions[i + 1 :]:
            a, b = builder.condition(first), builder.condition(second)
            if a is not None and b is not None and _columns(a) == _columns(b):
                yield a, b, (first, second)


def by_values(builder: Builder, frame: Frame) -> Iterator[Query]:
    """ "average pay of men and women": the values named are the groups"""
    found = _figures(builder, frame)
    rows = builder.rows(frame, related=False)
    if not found or found[0].table != builder.home or rows is None or frame.tops:
        return
    for condition in frame.conditions:
        if isinstance(condition, OneOf) and isinstance(condition.term, Column):
            keys = builder.keys((Key(condition.term), *frame.keys))
            if keys is not None:
                yield _grouped(rows, keys, tuple(m.figure for m in found if m.table == builder.home))


SHAPES: tuple[Shape, ...] = (
    listing,
    extreme_rows,
    aggregate,
    extreme_groups,
    conditioned_groups,
    share,
    side_by_side,
    by_values,
)
