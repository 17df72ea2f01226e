"""The edits themselves: each takes a query and gives a changed one, or None where it does not fit.

Pure functions of the algebra; the phrases of the follow-up are in the frame that the grammar made of its words.
"""

from __future__ import annotations

from contextlib import suppress
from dataclasses import dataclass, replace

from assistant.analyst import algebra as al
from assistant.analyst.grammar.building import Builder, bare, date_in, dates
from assistant.analyst.grammar.chart import Frame
from assistant.analyst.interpretation.changing import with_groups, with_measures
from assistant.analyst.interpretation.comparing import Across
from assistant.analyst.interpretation.composition import Composition, with_query
from assistant.analyst.meaning import columns_of
from assistant.analyst.parts import GroupKey, MeasuredFigure, Thing
from assistant.analyst.schema import Schema
from assistant.analyst.source import AnalystSource
from assistant.errors import InterpretationError

Changed = al.Grouped | al.Listing


@dataclass(frozen=True, slots=True, kw_only=True)
class Edit:
    """The edits that the phrases of a follow-up ask for."""

    source: AnalystSource
    frame: Frame

    @property
    def schema(self) -> Schema:
        """The source's schema."""
        return self.source.schema

    def _builder(self, query: Changed) -> Builder:
        home = _home(query)
        return Builder(schema=self.schema, home=home, date=self._date(query, home))

    def _date(self, query: Changed, home: str) -> al.Column | None:
        """The date that the query goes by already, or its metric's, or the likeliest one."""
        return date_in(query) or next(iter(dates(self.schema, home, ())), None)

    # --- filters ---

    def filtered(self, query: Changed, *, removing: bool, adding: bool) -> Changed | None:
        """With the conditions of the follow-up: instead of those on the same columns, or besides them."""
        builder = self._builder(query)
        conditions = [builder.condition(c) for c in self.frame.conditions]
        new = [c for c in conditions if c is not None]
        if len(new) < len(conditions) or not isinstance(query.of, al.Rows):
            return None
        old = list(al.conditions_of(query.of.where))
        for condition in new:
            resulting: al.Condition = al.Not(condition) if removing and not isinstance(condition, al.Not) else condition
            replaced = [c for c in old if set(columns_of(c)) == set(columns_of(condition))]
            if adding and (alternatives := _either(replaced, condition)) is not None:
                resulting = alternatives
            if not removing:
                old = [c for c in old if c not in replaced]
            old.append(resulting)
        return replace(query, of=replace(query.of, where=al.both(*old)))

    def compared(self, query: Changed) -> Changed | None:
        """The figure now and under the other condition side by side, and how much it grew."""
        if not isinstance(query, al.Grouped) or not isinstance(query.of, al.Rows) or len(self.frame.conditions) != 1:
            return None
        new = self._builder(query).condition(self.frame.conditions[0])
        figure = query.figures[0] if query.figures else None
        if new is None or not isinstance(figure, al.Leaf):
            return None
        old = [c for c in al.conditions_of(query.of.where) if set(columns_of(c)) == set(columns_of(new))]
        if len(old) != 1:
            return None
        then, now = (replace(figure, where=al.both(figure.where, c)) for c in (new, old[0]))
        remaining = [c for c in al.conditions_of(query.of.where) if c not in old]
        keys = tuple(key for key in query.keys if not _is_cut(key, new))
        figures: tuple[al.Figure, ...] = (then, now, al.Combined("growth", then, now))
        return al.Grouped(replace(query.of, where=al.both(*remaining)), keys, figures)

    # --- keys and figures ---

    def keyed(self, query: Changed, *, adding: bool) -> Changed | None:
        """Grouped by the keys of the follow-up: besides the ones there are, or instead of them."""
        loose = tuple(GroupKey(c) for c in self.frame.columns if not self.schema.typed[c].is_measured)
        other_things = [t for t in self.frame.things if t.table != _home(query)]
        things = tuple(GroupKey(None, thing=t) for t in other_things if not isinstance(query, al.Listing))
        requested = (*self.frame.keys, *loose, *things)
        if not requested:
            return query
        chips = with_query(Composition(data=self.source), query)
        chips = replace(chips, order=(), limit=None, of_groups=al.NO_FILTER)  # another group is put in its own order
        if isinstance(chips.comparison, Across) and chips.comparison.how != "share":
            chips = replace(chips, comparison=None)
        with suppress(InterpretationError):
            return with_groups(chips, (*(chips.groups if adding else ()), *requested)).query  # type: ignore[return-value]
        return None

    def measured(self, query: Changed, *, adding: bool) -> Changed | None:
        """With the figures of the follow-up."""
        plain = [bare(self.schema, c) for c in self.frame.columns if self.schema.typed[c].is_measured]
        requested = [*self.frame.figures, *plain]
        if not requested:
            return query
        if isinstance(query, al.Listing):
            return None
        chips = with_query(Composition(data=self.source), query)
        measures = [MeasuredFigure(measure, _home(query)) for measure in chips.measures] if adding else []
        with suppress(InterpretationError):
            return with_measures(chips, [*measures, *requested]).query  # type: ignore[return-value]
        return None

    # --- order ---

    def ranked(self, query: Changed) -> Changed | None:
        """Only the first or last few."""
        if not self.frame.tops:
            return query
        top = self.frame.tops[0]
        by = top.by
        if isinstance(query, al.Grouped):
            place = self._figure_place(query, by) if query.keys and query.figures else None
            order = (al.Order(place, top.descending),) if place is not None else ()
            return replace(query, order=order, limit=al.Limit(top.n)) if order else None
        sized = (c for c in query.outputs if isinstance(c, al.Column) and self.schema.typed[c].is_measured)
        column = by if isinstance(by, al.Column) else next(sized, None)
        if column is None:
            return None
        outputs = query.outputs if column in query.outputs else (*query.outputs, column)
        order = (al.Order(outputs.index(column), top.descending),)
        return replace(query, outputs=outputs, order=order, limit=al.Limit(top.n))

    def _figure_place(self, query: al.Grouped, by: object) -> int | None:
        if isinstance(by, MeasuredFigure) and by.figure in query.figures:
            return len(query.keys) + query.figures.index(by.figure)
        return len(query.keys) if by is None or isinstance(by, Thing) else None

    def sorted(self, query: Changed) -> Changed | None:
        """In another order."""
        if not self.frame.sorts:
            return query
        sort = self.frame.sorts[0]
        outputs = query.outputs if isinstance(query, al.Listing) else (*query.keys, *query.figures)
        place = self._sorted_place(query, sort.by, outputs)
        if place is None:
            return None
        if query.limit is not None and query.order != (al.Order(place, query.order[0].descending),):
            return _resorted(query, place, descending=sort.descending)
        return replace(query, order=(al.Order(place, sort.descending),))

    def _sorted_place(self, query: Changed, by: object, outputs: tuple[object, ...]) -> int | None:
        if by is None:
            return len(query.keys) if isinstance(query, al.Grouped) and query.figures else 0
        if isinstance(by, MeasuredFigure):
            return outputs.index(by.figure) if by.figure in outputs else None
        if by in outputs:
            return outputs.index(by)
        words = set(self.schema.typed[by].words) if isinstance(by, al.Column) else set[str]()
        columns = [(i, o) for i, o in enumerate(outputs) if isinstance(o, al.Column)]
        return next((i for i, column in columns if words & set(self.schema.typed[column].words)), None)

    def shared(self, query: Changed) -> Changed | None:
        """As shares, where that is said among other things."""
        return as_shares(query) if self.frame.says("share") and isinstance(query, al.Grouped) else query


# --- edits without phrases ---


def as_shares(query: al.Query) -> al.Grouped | None:
    """Each group's part of the whole instead of its figure."""
    if not isinstance(query, al.Grouped) or not query.keys or not query.figures:
        return None
    figures = tuple(al.Share(f) if isinstance(f, al.Leaf) else f for f in query.figures)
    return replace(query, figures=figures) if figures != query.figures else None


def without_limit(query: al.Query) -> Changed | None:
    """All of them."""
    return replace(query, limit=None) if isinstance(query, Changed) and query.limit else None


def next_page(query: al.Query, size: int) -> Changed | None:
    """The next few after those that are shown; as many again where `size` is 0. None where all are shown."""
    limit = query.limit if isinstance(query, Changed) else None
    if limit is None or limit.within or limit.ties:
        return None
    assert isinstance(query, Changed)
    return replace(query, limit=replace(limit, n=size or limit.n, skip=limit.skip + limit.n))


def without_keys(query: al.Query) -> al.Grouped | None:
    """One figure for everything."""
    if not isinstance(query, al.Grouped) or not query.keys:
        return None
    figures = tuple(f for f in query.figures if isinstance(f, al.Leaf | al.Combined))
    return al.Grouped(query.of, (), figures) if figures else None


def turned(query: al.Query) -> Changed | None:
    """In the opposite order."""
    if not isinstance(query, Changed) or not query.order:
        return None
    return replace(query, order=tuple(replace(o, descending=not o.descending) for o in query.order))


def with_function(query: al.Query, function: str) -> al.Grouped | None:
    """Another aggregate of the same values."""
    if not isinstance(query, al.Grouped) or not any(isinstance(f, al.Aggregate) for f in query.figures):
        return None

    def change(value: object) -> object:
        return replace(value, function=function) if isinstance(value, al.Aggregate) else value

    return replace(query, figures=al.mapped(query.figures, change))


# --- parts of queries ---


def _resorted(query: Changed, place: int, *, descending: bool) -> al.Listing | None:
    """The same few rows in another order: what was first stays what is shown."""
    visible = [*range(al.width(query))]
    places = query.shown if isinstance(query, al.Grouped) and query.shown is not None else tuple(visible)
    if place not in places:
        return None
    outputs = tuple(al.Output(i) for i in visible)
    return al.Listing(al.Groups(query), outputs, order=(al.Order(places.index(place), descending),))


def inner(query: al.Query) -> al.Query:
    """The query whose few rows were only put in another order; else the query itself."""
    match query:
        case al.Listing(of=al.Groups(query=al.Grouped() | al.Listing() as inner_query), outputs=outputs, limit=None):
            return inner_query if all(isinstance(output, al.Output) for output in outputs) else query
        case _:
            return query


def _home(query: Changed) -> str:
    assert isinstance(query.of, al.Rows), "edits are of a table's rows"
    return query.of.table


def _either(similar: list[al.Condition], new: al.Condition) -> al.OneOf | None:
    """One condition for two values of one column."""
    if len(similar) != 1 or not isinstance(new, al.Compare) or new.op != "=" or not isinstance(new.right, al.Constant):
        return None
    match similar[0]:
        case al.Compare(left=term, op="=", right=al.Constant() as constant):
            return al.OneOf(term, (constant.value, new.right.value))
        case al.OneOf():
            return al.OneOf(similar[0].term, (*similar[0].values, new.right.value))
        case _:
            return None


def _is_cut(key: al.Term, condition: al.Condition) -> bool:
    """Whether a key is a period of the very date that two conditions tell apart."""
    return isinstance(key, al.Grain) and set(columns_of(key)) == set(columns_of(condition))
