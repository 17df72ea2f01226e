"""What a follow-up says, as edits of the chips of the answer before. Each raises `InterpretationError` where it does
not fit.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import bare
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.interpretation.changing import (
    checked,
    condition_of,
    with_comparison,
    with_filters,
    with_groups,
    with_limit,
    with_measures,
    with_order,
)
from assistant.analyst.interpretation.comparing import Across, Sides
from assistant.analyst.interpretation.composition import Composition, with_query
from assistant.analyst.meaning import columns_of
from assistant.analyst.parts import GroupKey, MeasuredFigure, Pending, Sort, Thing, Top
from assistant.errors import InterpretationError

NO_FIT = InterpretationError("There is nothing to change like that.")


# --- filters ---


def with_conditions(of: Composition, new: Sequence[Pending], *, removing: bool, adding: bool) -> Composition:
    """With further filters: instead of those on the same columns, besides them, or their opposite."""
    filters = list(of.filters)
    for pending in new:
        condition = condition_of(of, pending)
        similar = _similar(filters, condition)
        if removing:
            filters.append(condition if isinstance(condition, al.Not) else al.Not(condition))
        else:
            filters = [c for c in filters if c not in similar]
            filters.append((_either(similar, condition) if adding else None) or condition)
    return with_filters(of, filters)


def beside(of: Composition, pending: Pending) -> Composition:
    """The measure under another condition beside what it is now, and how much it grew."""
    new = condition_of(of, pending)
    old = _similar(of.filters, new)
    if len(old) != 1 or not of.measures or of.comparison is not None:
        raise NO_FIT
    filters = tuple(c for c in of.filters if c not in old)
    is_cut = [isinstance(g, al.Grain) and set(columns_of(g)) == set(columns_of(new)) for g in of.groups]
    groups = tuple(group for group, cut in zip(of.groups, is_cut, strict=True) if not cut)
    alone = replace(of, filters=filters, measures=of.measures[:1], order=(), limit=None, of_groups=al.NO_FILTER)
    sides = Sides(first=new, second=old[0], how="growth")
    return with_comparison(with_groups(alone, groups) if any(is_cut) else alone, sides)


def _similar(filters: Sequence[al.Condition], condition: al.Condition) -> list[al.Condition]:
    return [c for c in filters if set(columns_of(c)) == set(columns_of(condition))]


def _either(similar: list[al.Condition], new: al.Condition) -> al.OneOf | None:
    """One condition for two values of one column."""
    match similar, new:
        case [al.Compare(term, "=", al.Constant(value))], al.Compare(_, "=", al.Constant(second)):
            return al.OneOf(term, (value, second))
        case [al.OneOf(term, values)], al.Compare(_, "=", al.Constant(second)):
            return al.OneOf(term, (*values, second))
        case _:
            return None


# --- groups and measures ---


def regrouped(of: Composition, frame: Frame, *, adding: bool) -> Composition:
    """Grouped by what a frame names: besides the groups there are, or instead of them."""
    schema, home = of.data.schema, of.rows.table if isinstance(of.rows, al.Rows) else ""
    loose = (GroupKey(c) for c in frame.columns if not schema.typed[c].is_measured)
    tables = (GroupKey(None, thing=t) for t in frame.things if t.table != home and not of.columns)
    requested = (*frame.keys, *loose, *tables)
    if not requested:
        return of
    fresh = replace(of, order=(), limit=None, of_groups=al.NO_FILTER)  # another group is put in its own order
    if isinstance(fresh.comparison, Across) and fresh.comparison.how != "share":
        fresh = replace(fresh, comparison=None)
    return with_groups(fresh, (*(of.groups if adding else ()), *requested))


def remeasured(of: Composition, frame: Frame, *, adding: bool) -> Composition:
    """With the measures that a frame names."""
    schema, home = of.data.schema, of.rows.table if isinstance(of.rows, al.Rows) else ""
    requested = [*frame.figures, *(bare(schema, c) for c in frame.columns if schema.typed[c].is_measured)]
    if not requested:
        return of
    if of.columns:
        raise NO_FIT
    return with_measures(of, [*(MeasuredFigure(m, home) for m in of.measures if adding), *requested])


def with_function(of: Composition, function: al.Function) -> Composition:
    """Another aggregate of the same values."""
    if not any(isinstance(part, al.Aggregate) for part in of.measures):
        raise NO_FIT
    measures = al.mapped(of.measures, lambda v: replace(v, function=function) if isinstance(v, al.Aggregate) else v)
    return checked(replace(of, measures=measures))


def as_shares(of: Composition) -> Composition:
    """Each group's part of the whole instead of its figure."""
    if not of.groups or not of.measures or of.comparison is not None:
        raise NO_FIT
    return with_comparison(of, Across(how="share"))


def without_groups(of: Composition) -> Composition:
    """One figure for everything."""
    figures = tuple(m for m in of.measures if isinstance(m, al.Leaf | al.Combined))
    if not of.groups or not figures:
        raise NO_FIT
    comparison = None if isinstance(of.comparison, Across) else of.comparison
    plain = replace(of, groups=(), measures=figures, comparison=comparison, order=(), limit=None, shown=None)
    return checked(replace(plain, of_groups=al.NO_FILTER))


# --- order and size ---


def top(of: Composition, ranking: Top) -> Composition:
    """Only the first or last few."""
    if not of.columns:
        place = _figure_place(of, ranking.by)
        return checked(replace(of, order=(al.Order(place, ranking.descending),), limit=al.Limit(ranking.n)))
    sized = (c for c in of.columns if isinstance(c, al.Column) and of.data.schema.typed[c].is_measured)
    column = ranking.by if isinstance(ranking.by, al.Column) else next(sized, None)
    if column is None:
        raise NO_FIT
    columns = of.columns if column in of.columns else (*of.columns, column)
    order = (al.Order(columns.index(column), ranking.descending),)
    return checked(replace(of, columns=columns, order=order, limit=al.Limit(ranking.n)))


def _figure_place(of: Composition, by: object) -> int:
    figures = of.figures
    if of.groups and isinstance(by, MeasuredFigure) and by.figure in figures:
        return len(of.groups) + figures.index(by.figure)
    if of.groups and figures and (by is None or isinstance(by, Thing)):
        return len(of.groups)
    raise NO_FIT


def resorted(of: Composition, sort: Sort) -> Composition:
    """In another order; of a few rows the same few."""
    place = _sorted_place(of, sort.by)
    if place is None:
        raise NO_FIT
    if of.limit is None or of.order == (al.Order(place, of.order[0].descending),):
        return with_order(of, (al.Order(place, sort.descending),))
    query = of.query
    assert query is not None, "it is an answer's"
    places = list(of.shown or range(len(of.outputs))) if not of.columns else list(range(al.width(query)))
    if place not in places:
        raise NO_FIT
    outputs = tuple(map(al.Output, range(al.width(query))))
    return with_query(
        of, al.Listing(al.Groups(query), outputs, order=(al.Order(places.index(place), sort.descending),))
    )


def _sorted_place(of: Composition, by: object) -> int | None:
    outputs: tuple[object, ...] = of.outputs
    if by is None:
        return len(of.groups) if of.figures else 0
    output = by.figure if isinstance(by, MeasuredFigure) else by
    if output in outputs:
        return outputs.index(output)
    typed = of.data.schema.typed
    words = set(typed[by].words) if isinstance(by, al.Column) else set[str]()
    return next((i for i, o in enumerate(outputs) if isinstance(o, al.Column) and words & set(typed[o].words)), None)


def turned(of: Composition) -> Composition:
    """In the opposite order."""
    if not of.order:
        raise NO_FIT
    return with_order(of, tuple(replace(o, descending=not o.descending) for o in of.order))


def without_limit(of: Composition) -> Composition:
    """All of them."""
    if of.limit is None:
        raise NO_FIT
    return with_limit(of, None)


def next_page(of: Composition, size: int) -> Composition:
    """The next few after those that are shown; as many again where `size` is 0."""
    limit = of.limit
    if limit is None or limit.within or limit.ties:
        raise NO_FIT
    return replace(of, limit=replace(limit, n=size or limit.n, skip=limit.skip + limit.n))


def inner(query: al.Query) -> al.Query:
    """The query whose few rows were only put in another order; else the query itself."""
    match query:
        case al.Listing(of=al.Groups(query=al.Grouped() | al.Listing() as inner_query), outputs=outputs, limit=None):
            return inner_query if all(isinstance(output, al.Output) for output in outputs) else query
        case _:
            return query
