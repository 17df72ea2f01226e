"""Readings that compute: figures of groups, of the groups that meet a condition, of the first of them, of all groups.

Each step takes a query and gives others, so that every operator meets every other.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import Builder, Keys, bare, one_of
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.grammar.figures import counted
from assistant.analyst.grammar.listings import members, others, shared
from assistant.analyst.grammar.operators import Computed, computed, is_counted, rest, single
from assistant.analyst.parts import Alternatives, GroupKey, Having, MeasuredFigure, Pending, Sort, Thing, Top, When
from assistant.analyst.schema import Schema

NamedQuery = tuple[tuple[str, ...], al.Grouped]
_FOLDS: tuple[al.Function, ...] = ("mean", "max", "min", "median", "sum")
"""What is computed of the figures of groups; of groups that nobody asked for by their name, the first alone."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _Choice:
    """What to group by: the groups, and what they are compared within."""

    heads: Keys
    within: Keys
    names: tuple[str, ...] = ()

    @property
    def terms(self) -> tuple[al.Term, ...]:
        """All keys, in the order of the query's outputs."""
        return tuple(dict.fromkeys((*self.within.terms, *self.heads.apart, *self.heads.terms)))

    def shown(self, figures: int) -> tuple[int, ...] | None:
        """The places of what is shown; None for all."""
        hidden = {t for t in self.heads.apart if t not in self.within.terms and t not in self.heads.terms}
        if not hidden:
            return None
        size = len(self.terms) + figures
        return tuple(i for i in range(size) if i >= len(self.terms) or self.terms[i] not in hidden)


def groupings(builder: Builder, frame: Frame) -> Iterator[tuple[str, al.Query]]:
    """All readings of a frame that compute."""
    if not _computes(builder, frame):
        return
    if any(measured.of_periods for measured in frame.figures):
        yield from _of_periods(builder, frame)
        return
    for computation in computed(builder, frame):
        if "bare amount" in computation.names and not frame.keys and _lists_columns(builder, frame):
            continue
        rows = builder.rows(rest(frame, computation), related=_others(builder, frame))
        if rows is None:
            continue
        for choice in _choices(builder, frame, computation):
            choice = choice if frame.tops else _unsettled(choice, rows)  # noqa: PLW2901
            base = _base(builder.schema, rows, choice, computation)
            if base is None or _counts_ones(builder, frame, base) or _is_beside_nothing(base):
                continue
            start: NamedQuery = (("group", *computation.names, *choice.names), base)
            for names, query in _finished(builder, frame, choice, start):
                yield "+".join(names), query
    yield from _counted_members(builder, frame)


def _of_periods(builder: Builder, frame: Frame) -> Iterator[tuple[str, al.Query]]:
    """ "average monthly revenue per region": the average over months of what each region has in each"""
    measured = next((m for m in frame.figures if m.of_periods), None)
    if measured is None or measured.of_periods is None or len(frame.figures) > 1 or frame.tops or frame.havings:
        return
    function, grain = measured.of_periods
    keys = (GroupKey(None, grain), *(key for key in frame.keys if key.grain != grain))
    plain = replace(frame, figures=(replace(measured, of_periods=None),), keys=keys)
    for computation in computed(builder, plain):
        rows = builder.rows(rest(plain, computation), related=_others(builder, plain))
        for choice in _choices(builder, plain, computation) if rows is not None else ():
            base = _base(builder.schema, rows, choice, computation) if rows is not None else None
            if base is not None and any(isinstance(term, al.Grain) for term in choice.terms):
                key_places = [i for i, term in enumerate(choice.terms) if not isinstance(term, al.Grain)]
                yield f"group+of periods+fold {function}", _fold(base, choice, function, tuple(key_places))


def _computes(builder: Builder, frame: Frame) -> bool:
    if frame.figures or frame.keys or frame.havings or frame.tops or frame.says("count") or frame.says("share"):
        return True
    return any(builder.schema.typed[c].is_measured for c in frame.columns)


def _lists_columns(builder: Builder, frame: Frame) -> bool:
    """Whether a column is named beside its rows: "the fruit and crates of harvests" adds nothing up."""
    own = [t for t in frame.things if t.table == builder.home]
    return any(t.key for t in own) and not all(t.key for t in own)


def _others(builder: Builder, frame: Frame) -> tuple[Thing, ...]:
    """Things named besides, of which a counted row must have some; not those that a figure counts."""
    if frame.tops or not frame.figures:
        return ()
    return tuple(t for t in others(builder, frame) if not is_counted(frame, t))


def _unsettled(choice: _Choice, rows: al.Rows) -> _Choice:
    """The choice without keys of which a condition keeps one value: "how many were made by the company Nokia"."""
    varying = tuple(term for term in choice.heads.terms if term not in al.settled(rows))
    return choice if varying == choice.heads.terms else replace(choice, heads=Keys(terms=varying))


def _base(schema: Schema, rows: al.Rows, choice: _Choice, computation: Computed) -> al.Grouped | None:
    figures = computation.figures
    if computation.along is not None:
        along = computation.along(Keys(terms=choice.terms))
        if along is None:
            return None
        figures = along
    rows = at_last_date(schema, rows, choice.terms, figures)
    return al.Grouped(rows, choice.terms, figures, shown=choice.shown(len(figures)))


def at_last_date(schema: Schema, rows: al.Rows, keys: tuple[al.Term, ...], figures: tuple[al.Figure, ...]) -> al.Rows:
    """The rows of the last date, where levels are added up that have many: stock on hand is not summed over months."""
    levels = [f for f in figures if isinstance(f, al.Aggregate) and f.function == "sum" and f.of is None]
    is_level = all(isinstance(f.term, al.Column) and schema.typed[f.term].role == "stock" for f in levels)
    dates = [c for c in schema.tables[rows.table].columns if schema.typed[c].role == "date"]
    settled_terms = (*keys, *al.settled(rows))
    if not levels or len(levels) < len(figures) or not is_level:
        return rows
    if len(dates) != 1 or dates[0] in al.here(settled_terms):
        return rows
    times = [part for part in al.conditions_of(rows.where) if dates[0] in al.here(part)]
    last = al.Single(al.Grouped(al.Rows(rows.table, al.both(*times)), (), (al.Aggregate("max", dates[0]),)))
    return replace(rows, where=al.both(rows.where, al.Compare(dates[0], "=", last)))


def _counts_ones(builder: Builder, frame: Frame, query: al.Grouped) -> bool:
    """Whether groups that nobody asked for are single rows: each of a thing is one of it, and is its own total."""
    if any(isinstance(f, al.Aggregate) and f.function == "distinct" and f.term in query.keys for f in query.figures):
        return True
    own = any(builder.schema.tells_apart(key, builder.home) for key in query.keys) or _is_one_each(builder, query)
    unsaid = not frame.keys and not frame.tops
    return own and (unsaid or query.figures == (al.Count(),)) and not frame.havings


def _is_one_each(builder: Builder, query: al.Grouped) -> bool:
    """Whether a key has another value in each row."""
    own = [key for key in query.keys if isinstance(key, al.Column) and key.table == builder.home]
    return any(map(builder.schema.is_one_each, own))


def _is_beside_nothing(query: al.Grouped) -> bool:
    """Whether all figures are of other rows than those that it is about, and no key says which belong to them."""
    leaves = [part for part in al.here(query.figures) if isinstance(part, al.Leaf)]
    return not query.keys and all(leaf.of is not None for leaf in leaves)


# --- what to group by ---


def _choices(builder: Builder, frame: Frame, computed: Computed) -> Iterator[_Choice]:
    schema = builder.schema
    often = any(top.by_count for top in frame.tops)
    loose = tuple(
        GroupKey(c)
        for c in frame.columns
        if (often or not (schema.typed[c].is_measured or schema.typed[c].role == "date"))
        and GroupKey(c) not in frame.keys
    )
    moving = next((f for f in frame.flags if f.name == "moving" and f.n), None)
    keys = frame.keys or ((GroupKey(None, moving.value),) if moving else ())  # type: ignore[arg-type]
    things = [t for t in frame.things if not (t.table == builder.home and t.key is None)]
    if keys and not frame.tops:
        things = []
    options: list[tuple[tuple[GroupKey, ...], tuple[GroupKey, ...], str]] = [
        ((*keys, *loose), (), "loose keys" * bool(loose))
    ]
    if frame.tops and keys:
        options += [(loose, keys, "within")] if loose else []
        options += [((GroupKey(None, thing=t), *loose), keys, "within") for t in things]
    if loose and keys:
        options.append((keys, (), ""))
    options += [((GroupKey(None, thing=t), *loose), (), "thing keys") for t in things if not (frame.tops and keys)]
    compared = frame.says("versus") and computed.figures and single(computed.figures[0])  # side by side they are
    values = () if compared else _by_values(rest(frame, computed))
    options += [((*keys, *loose, key), (), "by values") for key in values]
    for heads, within, name in options:
        head_keys, inside = builder.keys(heads), builder.keys(within)
        if head_keys is not None and inside is not None:
            yield _Choice(heads=head_keys, within=inside, names=(name,) if name else ())


def _by_values(conditions: tuple[Pending, ...]) -> Iterator[GroupKey]:
    """ "average pay of men and women", "share of late orders in 2014 and in 2016": the values named are the groups"""
    terms: list[al.Term] = []
    several = [p for p in conditions if isinstance(p, Alternatives) and p.each]
    keys = [GroupKey(None, p.grain) for p in conditions if isinstance(p, When) and p.grain]
    yield from (key for key in dict.fromkeys(keys) if keys.count(key) > 1)
    for p in conditions:
        membership = one_of(p) if p in several or isinstance(p, al.Compare) else None  # "men or women" are one group
        if membership is not None and (p in several or membership[0] in terms):
            yield GroupKey(membership[0])
        terms.extend([membership[0]] if membership else [])


# --- conditions on groups, the first of them, and all of them ---


def _finished(builder: Builder, frame: Frame, choice: _Choice, start: NamedQuery) -> Iterator[NamedQuery]:
    for filtered in _having(builder, frame, choice, start):
        for first in _top(builder, frame, choice, filtered):
            if not (_is_numbered(builder, choice) and _of_wholes(builder, choice, first[1])):
                yield from _ordered(frame, first)
            yield from _folded(builder, frame, choice, first)


def _having(builder: Builder, frame: Frame, choice: _Choice, start: NamedQuery) -> Iterator[NamedQuery]:
    """ "regions with sales over 1000", "customers with at least 10 orders" """
    if not frame.havings:
        yield start
        return
    names, query = start
    for having in frame.havings:
        figure = _tested(builder, frame, having, query)
        if figure is None or not query.keys or _misses_none(builder, frame, having, figure):
            continue
        if figure == al.Count() and having.bound.n > 1 and _is_one_each(builder, query):
            continue  # of what each row has its own of there is never more than one
        if figure in query.figures:
            place, figures = len(query.keys) + query.figures.index(figure), query.figures
        else:
            place, figures = len(query.keys) + len(query.figures), (*query.figures, figure)
        test = al.Compare(al.Output(place), having.bound.op, al.Constant(having.bound.n))
        visible = choice.shown(len(query.figures)) or tuple(range(len(query.keys) + len(query.figures)))
        keys = tuple(i for i in visible if i < len(query.keys))
        for label, places in (("keys", keys), ("and figure", visible)):
            filtered = replace(query, figures=figures, having=test, shown=places)
            yield (*names, f"having {label}"), filtered


def _misses_none(builder: Builder, frame: Frame, having: Having, figure: al.Figure) -> bool:
    """Whether things of which none has rows would be left out: "fewer than 3 orders" holds for customers without."""
    things = (*frame.things, *(key.thing for key in frame.keys if key.thing))
    above = any(
        t.key is None and t.table != builder.home and builder.schema.reaches_one(builder.home, t.table) for t in things
    )
    return above and figure == al.Count() and having.bound.op in ("<", "<=")


def _tested(builder: Builder, frame: Frame, having: Having, query: al.Grouped) -> al.Figure | None:
    match having.measured:
        case None:
            is_near = any(builder.schema.typed[c].is_measured for c in frame.columns)  # the bound is that column's
            return None if is_near else query.figures[0] if frame.figures else al.Count()
        case Thing():
            return builder.seen(counted(having.measured))
        case MeasuredFigure():
            return builder.seen(having.measured)


def _top(builder: Builder, frame: Frame, choice: _Choice, start: NamedQuery) -> Iterator[NamedQuery]:
    """ "top 5 customers by profit", "the best selling product of each region" """
    if not frame.tops:
        yield start
    if not frame.tops or not start[1].keys:
        return
    names, query = start
    for top in frame.tops:
        figure = _ranked_by(builder, top, query)
        if figure is None:
            continue
        figures = query.figures if figure in query.figures else (figure,)
        place = len(query.keys) + figures.index(figure)
        visible = tuple(i for i in choice.shown(len(figures)) or range(len(query.keys) + len(figures)))
        within = tuple(range(len(choice.within.terms)))
        limit = al.Limit(top.n, within, ties=bool(within), skip=top.skip)
        of = _with_keys(builder, query)
        ordered = replace(query, of=of, figures=figures, order=(al.Order(place, top.descending),), limit=limit)
        yield (*names, "top and figure"), replace(ordered, shown=visible)
        is_asked = any(key.grain is None for key in frame.keys)  # "the most ... by region": how many
        if choice.within.terms or not (is_asked or (frame.says("count") and al.is_count(figure))):
            yield (*names, "top keys"), replace(ordered, shown=tuple(i for i in visible if i < len(query.keys)))


def _with_keys(builder: Builder, query: al.Grouped) -> al.RowSet:
    """The rows that belong to a group by a value: rows without one are no brand that could be the best."""
    typed, profiled = builder.schema.typed, builder.schema.profiled
    without_key = [
        al.Not(al.Missing(key))
        for key in query.keys
        if isinstance(key, al.Column) and (typed[key].missing or ((of := profiled[key].profile) and of.nulls))
    ]
    return replace(query.of, where=al.both(query.of.where, *without_key))


def _ranked_by(builder: Builder, top: Top, query: al.Grouped) -> al.Figure | None:
    """The figure that puts groups in order."""
    match top.by:
        case MeasuredFigure():
            return builder.seen(top.by)
        case Thing():
            return builder.seen(counted(top.by))
        case None:
            return al.Count() if top.by_count else query.figures[0]
        case _:
            return builder.seen(bare(builder.schema, top.by))


def _ordered(frame: Frame, start: NamedQuery) -> Iterator[NamedQuery]:
    """ "... highest first" """
    names, query = start
    if not frame.sorts or query.order or not query.keys:  # one row has no order
        yield start
        return
    for sort in frame.sorts:
        place = _place(sort, query)
        if place is not None:
            yield (*names, "ordered"), replace(query, order=(al.Order(place, sort.descending),))


def _place(sort: Sort, query: al.Grouped) -> int | None:
    if isinstance(sort.by, MeasuredFigure):
        figures = [i for i, f in enumerate(query.figures) if f == sort.by.figure]
        return len(query.keys) + (figures[0] if figures else 0) if query.figures else None
    if sort.by is None:
        return len(query.keys) if query.figures and sort.descending else 0
    if sort.by in query.keys:
        return query.keys.index(sort.by)
    places = [i for i, f in enumerate(query.figures) if isinstance(f, al.Aggregate) and f.term == sort.by]
    return len(query.keys) + places[0] if places else None


def _folded(builder: Builder, frame: Frame, choice: _Choice, start: NamedQuery) -> Iterator[NamedQuery]:
    """ "how many regions have ...", "average number of orders per customer", "... per customer by region" """
    names, query = start
    if not query.keys or any(isinstance(part, al.Window) and part.how == "rank" for part in query.figures):
        return  # places of groups are not computed with
    if frame.havings and (frame.says("count") or any(al.is_count(m.figure) for m in frame.figures)):
        yield (*names, "count of groups"), al.Grouped(al.Groups(query), (), (al.Count(),))
    is_said = bool(frame.keys) or ("thing keys" in names and al.is_count(query.figures[0]))  # "actors in a film"
    if not is_said or "loose keys" in names or len(query.figures) > 1:
        return  # figures of groups need groups that were said, and one figure: of others nothing would be shown
    spoken_functions = [f.value for f in frame.flags if f.name == "function"]
    key_places = _kept(builder, frame, choice)
    if total_figure := _of_wholes(builder, choice, query):
        totals = replace(query, figures=(replace(total_figure, function="sum"),))
        yield (
            (*names, f"fold {total_figure.function}", "of many"),
            _fold(totals, choice, total_figure.function, key_places),
        )
    extremes = ["max" if top.descending else "min" for top in frame.tops if top.by is not None and top.n == 1]
    for function in _FOLDS if frame.keys else _FOLDS[:1]:
        if (function in spoken_functions or function in extremes) and _folds(function, query):
            yield (*names, f"fold {function}"), _fold(query, choice, function, key_places)


def _of_wholes(builder: Builder, choice: _Choice, query: al.Grouped) -> al.Aggregate | None:
    """The mean or median of what adds up, by many things: it is that of their totals, "average profit per order"."""
    figure = query.figures[0] if query.figures and not query.limit and query.having == al.NO_FILTER else None
    if not isinstance(figure, al.Aggregate) or figure.function not in ("mean", "median") or figure.of is not None:
        return None
    adds = bare(builder.schema, figure.term).figure == al.Aggregate("sum", figure.term)
    return figure if adds and any(map(builder.schema.is_many, choice.heads.terms)) else None


def _is_numbered(builder: Builder, choice: _Choice) -> bool:
    """Whether groups are things without names of their own, such as orders: nobody asks for each of them."""
    schema, names = builder.schema, [t for t in choice.heads.terms if isinstance(t, al.Column)]
    repeated = bool(choice.heads.apart) and all(schema.rows_each(t) >= 2 for t in names)
    return bool(names) and (repeated or all(schema.typed[t].role in ("identifier", "key") for t in names))


def _folds(function: al.Function, query: al.Grouped) -> bool:
    """Whether a function of the groups is not that of all rows: the greatest of the greatest values is."""
    figure = query.figures[0]
    is_same = isinstance(figure, al.Aggregate) and figure.function == function and function in ("max", "min", "sum")
    return not is_same and query.limit is None and query.having == al.NO_FILTER


def _kept(builder: Builder, frame: Frame, choice: _Choice) -> tuple[int, ...]:
    """The places of the keys that figures of groups are still told apart by: all but those of the first thing."""
    of = builder.keys([key for key in frame.keys if key.thing][:1] or frame.keys[:1])
    if len(frame.keys) < 2 or of is None:
        return ()
    return tuple(i for i, term in enumerate(choice.terms) if term not in (*of.terms, *of.apart))


def _fold(query: al.Grouped, choice: _Choice, function: al.Function, key_places: tuple[int, ...]) -> al.Grouped:
    assert isinstance(query.of, al.Rows)
    has_key: list[al.Condition] = [al.Not(al.Missing(key)) for key in choice.terms[:1]]
    rows = replace(query.of, where=al.both(query.of.where, *has_key))
    groups = al.Groups(replace(query, of=rows, shown=None, order=()))
    visible = tuple(i for i, place in enumerate(key_places) if choice.terms[place] not in choice.heads.apart)
    figures = (al.Aggregate(function, al.Output(len(query.keys))),)
    return al.Grouped(
        groups, tuple(map(al.Output, key_places)), figures, shown=(*visible, len(key_places)) if key_places else None
    )


def _counted_members(builder: Builder, frame: Frame) -> Iterator[tuple[str, al.Query]]:
    """ "how many customers ordered in 2014 but not in 2017" """
    counts = frame.says("count") if not frame.figures else all(al.is_count(m.figure) for m in frame.figures)
    if not frame.conditions or frame.keys or frame.tops or not counts:
        return
    for of, _ in shared(builder, frame):
        yield from _member_count(builder, frame, of)
    for m in frame.figures:
        figure = m.figure
        if isinstance(figure, al.Aggregate) and figure.function == "distinct" and m.table == builder.home:
            yield from _member_count(builder, frame, figure.term)  # type: ignore[arg-type]


def _member_count(builder: Builder, frame: Frame, of: al.Term) -> Iterator[tuple[str, al.Query]]:
    rows = members(builder, frame, of)  # type: ignore[arg-type]
    if rows is not None:
        yield "group+members", al.Grouped(rows, (), (al.Aggregate("distinct", of),))
