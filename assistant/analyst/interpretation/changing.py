"""The parts of an interpretation changed, each with values of the algebra; words are read in `editing`.

Every function gives an interpretation whose places still mean the outputs that they meant before.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from dataclasses import replace
from typing import TYPE_CHECKING, Any

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import Builder, date_in, dates
from assistant.analyst.interpretation.comparing import Across, Comparison
from assistant.analyst.interpretation.composition import Composed, Composition, with_query
from assistant.analyst.meaning import columns_of
from assistant.analyst.parts import GroupKey, MeasuredFigure, Pending
from assistant.errors import InterpretationError

if TYPE_CHECKING:
    from assistant.analyst.schema import Schema


def date_of(of: Composition) -> al.Column | None:
    """The date that an interpretation goes by already, or its metric's, or the likeliest one."""
    named = date_in((of.filters, of.groups, of.measures, of.comparison and columns_of(of.figures)))
    if named is not None or not isinstance(of.rows, al.Rows):
        return named
    return next(iter(dates(of.data.schema, of.rows.table, ())), None)


def builder(of: Composition, home: str) -> Builder:
    """What puts phrases together for the rows of a table."""
    date = date_of(of) or next(iter(dates(of.data.schema, home, ())), None)
    return Builder(schema=of.data.schema, home=home, date=date)


def checked(of: Composed) -> Composed:
    """An interpretation that can be computed.

    Raises:
        InterpretationError: it cannot, and why.
    """
    if reasons := of.problems:
        raise InterpretationError(" ".join(reasons))
    return of


def finished(of: Composed, before: Composition) -> Composed:
    """An interpretation with the standing rules of its rows, checked; rules that a person dropped stay away."""
    query = of.query
    if query is None:
        return of
    result = with_query(of, of.data.settled(query))
    if before.rows == result.rows:
        rules = {rule.condition for rule in of.data.known.rules}
        result = replace(result, filters=tuple(c for c in result.filters if c in of.filters or c not in rules))
    return checked(result)


# --- measures ---


def with_measures(of: Composed, measures: Sequence[MeasuredFigure]) -> Composed:
    """With other measures: over the rows of the first one's table, or over the rows there are.

    Raises:
        InterpretationError: no rows have them all together with the groups and filters.
    """
    if isinstance(of.rows, al.Groups):
        return finished(_rearranged(of, measures=tuple(measured.figure for measured in measures)), of)
    homes = dict.fromkeys(measured.table for measured in measures)
    if of.rows is not None and (len(measures) > 1 or any(m.figure in of.measures for m in measures)):
        homes = dict.fromkeys((of.rows.table, *homes))
    elif of.rows is not None:
        homes[of.rows.table] = None
    reason = ""
    for home in homes:
        try:
            return finished(_measured_over(of, home, measures), of)
        except InterpretationError as error:
            reason = reason or str(error)
    raise InterpretationError(reason)


def _measured_over(of: Composed, home: str, measures: Sequence[MeasuredFigure]) -> Composed:
    result = _moved(replace(of, columns=(), distinct=False) if of.columns else of, home, measures)
    assert isinstance(result.rows, al.Rows)
    at = builder(result, home)
    figures_or_none = [
        figure if (figure := m.figure) in of.measures and _is_home(of, home) else at.seen(m) for m in measures
    ]
    figures = tuple(figure for figure in figures_or_none if figure is not None)
    if len(figures) < len(figures_or_none):
        raise InterpretationError(f"Rows of {home!r} have no such measure without counting some of them twice.")
    return _rearranged(result, measures=figures)


def _is_home(of: Composition, home: str) -> bool:
    return isinstance(of.rows, al.Rows) and of.rows.table == home


def _moved(of: Composed, home: str, measures: Sequence[MeasuredFigure]) -> Composed:
    """The same groups and filters over the rows of another table."""
    if _is_home(of, home):
        return of
    schema = of.data.schema
    for table in al.tables_here(of.groups):
        if not schema.reaches_one(home, table):
            raise InterpretationError(f"A row of {home!r} has no single row of {table!r} to group by.")
    rules = {rule.condition for rule in of.data.known.rules}
    date = next((m.figure.date for m in measures if isinstance(m.figure, al.Metric) and m.figure.date), None)
    at = replace(builder(of, home), date=date or builder(of, home).date)
    conditions = [_redated(c, date) for c in of.filters if c not in rules]
    filters = [at.condition(condition) for condition in conditions]
    if any(condition is None for condition in filters):
        raise InterpretationError(f"Rows of {home!r} cannot be told by the filters that there are.")
    result = replace(of, rows=al.Rows(home), filters=tuple(c for c in filters if c is not None))
    return result if of.of_groups == al.NO_FILTER else _with_bounds(result, of, at)


def _with_bounds(result: Composed, of: Composition, at: Builder) -> Composed:
    """With the measures that a condition on groups is about as they are seen from other rows."""
    old = of.rows.table if isinstance(of.rows, al.Rows) else ""
    figures_or_none = [at.seen(MeasuredFigure(measure, old)) for measure in of.measures]
    measures = tuple(measure for measure in figures_or_none if measure is not None)
    if len(measures) < len(figures_or_none):
        raise InterpretationError("The filter on groups is about a measure that these rows do not have. Drop it first.")
    return replace(result, measures=measures)


def _redated(condition: al.Condition, date: al.Column | None) -> al.Condition:
    """A period of the other measure's own date."""
    return replace(condition, term=date) if isinstance(condition, al.Within) and date is not None else condition


def without_measure(of: Composed, place: int) -> Composed:
    """Without a measure; the groups or nothing are left where it was the only one."""
    measures = tuple(measure for at, measure in enumerate(of.measures) if at != place)
    result = of if measures else replace(of, comparison=None)
    result = _rearranged(result, measures=measures)
    return checked(result)


# --- groups ---


def with_groups(of: Composed, keys: Sequence[GroupKey | al.Term]) -> Composed:
    """Grouped by other keys; a list of rows becomes the number of them for each group.

    Raises:
        InterpretationError: a row has no single value of one of them.
    """
    if isinstance(of.rows, al.Groups):
        return checked(_rearranged(of, groups=tuple(key for key in keys if not isinstance(key, GroupKey))))
    home = of.rows.table if of.rows is not None else next((table for key in keys for table in _tables(key)), "")
    if not home:
        raise InterpretationError("Choose a measure first: a period is of its rows.")
    of = replace(of, rows=of.rows or al.Rows(home))
    if of.columns and keys:
        of = replace(of, columns=(), distinct=False, measures=(al.Count(),), order=(), limit=None, shown=None)
    terms: list[al.Term] = []
    hidden: list[al.Term] = []
    at = builder(of, home)
    for key in keys:
        if not isinstance(key, GroupKey):
            terms.append(key)
            if of.is_hidden(key):
                hidden.append(key)
            continue
        result = at.keys((key,))
        if result is None or not result.terms:
            raise InterpretationError(f"A row of {home!r} has no single value of that.")
        terms.extend((*result.apart, *result.terms))
        hidden.extend(result.apart)
    return checked(_rearranged(of, groups=tuple(dict.fromkeys(terms)), hidden=hidden))


def _tables(key: GroupKey | al.Term) -> tuple[str, ...]:
    if isinstance(key, GroupKey) and key.thing is not None:
        return (key.thing.table,)
    return al.tables_here(key.term if isinstance(key, GroupKey) else key)


def without_group(of: Composed, place: int) -> Composed:
    """Without a group, and without what only tells groups of its name apart."""
    group = of.groups[place]
    tables = al.tables_here(group)
    groups = [g for g in of.groups if g != group and not (of.is_hidden(g) and set(al.tables_here(g)) <= set(tables))]
    return checked(_rearranged(of, groups=tuple(groups)))


# --- lists of rows ---


def with_column(of: Composed, column: al.Column) -> Composed:
    """A list of rows with a further column; of what was computed of rows a list of these, by their names."""
    home = of.rows.table if isinstance(of.rows, al.Rows) else column.table if of.rows is None else ""
    if not home or not of.data.schema.reaches_one(home, column.table):
        raise InterpretationError(f"Rows that are shown here have no single {column.name!r}.")
    if of.columns:
        columns = tuple(dict.fromkeys((*of.columns, column)))
        hidden = len(of.columns) - (len(of.columns) if of.shown is None else len(of.shown))
        return checked(of if hidden else replace(of, columns=columns))
    label = of.data.schema.tables[home].label
    names = label if column.table == home else ()
    plain = replace(of, rows=al.Rows(home), measures=(), groups=(), comparison=None, of_groups=al.NO_FILTER)
    columns = tuple(dict.fromkeys((*names, column)))
    return checked(replace(plain, columns=columns, distinct=False, order=(), limit=None, shown=None))


# --- filters ---


def condition_of(of: Composition, pending: Pending) -> al.Condition:
    """A condition as one on the rows.

    Raises:
        InterpretationError: it cannot be told of them.
    """
    if not isinstance(of.rows, al.Rows):
        raise InterpretationError("Choose a measure first: a filter is about its rows.")
    condition = builder(of, of.rows.table).condition(pending)
    if condition is None:
        raise InterpretationError(f"Rows of {of.rows.table!r} cannot be told by that.")
    return condition


def with_filters(of: Composed, filters: Iterable[al.Condition]) -> Composed:
    """With other conditions on rows, periods among them. A new one on what a standing rule is about replaces it."""
    conditions = tuple(dict.fromkeys(filters))
    new = set(columns_of(tuple(condition for condition in conditions if condition not in of.filters)))
    rules = {rule.condition for rule in of.data.known.rules if not new.isdisjoint(rule.condition.columns)}
    return checked(replace(of, filters=tuple(condition for condition in conditions if condition not in rules)))


# --- order, size, comparison ---


def with_order(of: Composed, order: tuple[al.Order, ...]) -> Composed:
    """In another order; without one nothing is first."""
    return checked(replace(of, order=order, limit=of.limit if order else None))


def with_limit(of: Composed, n: int | None) -> Composed:
    """Only the first so many; without an order, by the first measure from the highest."""
    if n is None:
        return checked(replace(of, limit=None))
    if of.limit is not None:
        return checked(replace(of, limit=replace(of.limit, n=n)))
    first = next((at for at, output in enumerate(of.outputs) if isinstance(output, al.Figure)), None)
    order = of.order or ((al.Order(first, descending=True),) if first is not None else ())
    return checked(replace(of, order=order, limit=al.Limit(n)))


def with_comparison(of: Composed, comparison: Comparison | None) -> Composed:
    """Compared otherwise, or not at all."""
    return checked(_rearranged(of, comparison=comparison))


# --- places ---


def _rearranged(of: Composed, *, hidden: Iterable[al.Term] = (), **parts: Any) -> Composed:
    """With other outputs: what spoke of a place speaks of where its output is now."""
    result = replace(of, **parts)
    old = of.outputs
    unseen = {*hidden, *(output for output in old if of.is_hidden(output))}

    def group(place: int) -> int:
        if place >= len(of.groups) or of.groups[place] not in result.groups:
            raise InterpretationError("What the measure is seen along or within is no group any more.")
        return result.groups.index(of.groups[place])

    if isinstance(result.comparison, Across) and result.comparison == of.comparison and "groups" in parts:
        result = replace(result, comparison=_across(result.comparison, result, group))
    if "groups" in parts and "measures" not in parts:
        result = replace(result, measures=al.mapped(result.measures, lambda value: _within(value, group)))
    new = result.outputs

    def moved(place: int) -> int | None:
        output = old[place] if place < len(old) else None  # an order by what is no more shown
        if output in new:
            return new.index(output)
        is_figure = isinstance(output, al.Figure)
        return len(result.groups) if is_figure and len(new) > len(result.groups) else None

    if figures := _needed(of, result):
        result = replace(result, measures=(*result.measures, *figures))
        unseen.update(figures)
        new = result.outputs
    order = tuple(dict.fromkeys(replace(o, place=at) for o in of.order if (at := moved(o.place)) is not None))
    limit = of.limit
    if limit is not None:
        within = tuple(at for place in limit.within if (at := moved(place)) is not None)
        limit = replace(limit, within=within) if order else None
    if not result.groups and not result.columns:  # one row has no order
        order, limit = (), None
    visible = tuple(place for place, output in enumerate(new) if output not in unseen)
    return replace(
        result,
        of_groups=al.mapped(
            of.of_groups, lambda v: al.Output(new.index(old[v.place])) if isinstance(v, al.Output) else v
        ),
        order=order,
        limit=limit,
        shown=None if len(visible) == len(new) or not visible else visible,
    )


def _needed(of: Composition, result: Composition) -> tuple[al.Figure, ...]:
    """The figures that the condition on groups is about and that are no measures any more."""
    needed = [of.outputs[part.place] for part in al.here(result.of_groups) if isinstance(part, al.Output)]
    missing_outputs = [output for output in needed if output not in result.outputs]
    figures = tuple(output for output in missing_outputs if isinstance(output, al.Figure))
    if len(figures) < len(missing_outputs) or (missing_outputs and result.comparison is not None):
        raise InterpretationError("A filter is about a group or a comparison that goes away. Drop the filter first.")
    return figures


def _across(of: Across, result: Composition, group: Callable[[int], int]) -> Comparison | None:
    """A comparison among groups, among other groups; none where there is nothing left to go along."""
    if not result.groups:
        return None
    along = group(of.along) if of.how in ("running", "moving", "lag") else 0
    return replace(of, along=along, within=tuple(map(group, of.within)))


def _within(value: Any, group: Callable[[int], int]) -> Any:
    match value:
        case al.Share():
            return replace(value, within=tuple(map(group, value.within)))
        case al.Window():
            along = value.along if value.how == "rank" else group(value.along)
            return replace(value, along=along, within=tuple(map(group, value.within)))
        case _:
            return value


def groups_in(schema: Schema, home: str) -> tuple[str, ...]:
    """The tables that a row of a table has at most one row of, itself first."""
    tables = (name for name in schema.tables if name != home and schema.reaches_one(home, name))
    return (home, *sorted(tables, key=lambda name: len(schema.path(home, name) or ())))
