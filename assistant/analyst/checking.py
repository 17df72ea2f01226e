"""Which queries make sense, by the roles of the columns: the type checker of the algebra.

An identifier, a rate or a date is never summed, a stock not over time; only what is ordered is compared by size; what
is read for one row is there once. `problems` says what is wrong in words; no problem means that the query compiles.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations
from typing import Literal, assert_never

from assistant.analyst import algebra as al
from assistant.analyst.data_coverage import days_held
from assistant.analyst.roles import MEASURED, Role
from assistant.analyst.schema import Schema

Kind = Role | Literal["constant"]
"""The role of a value: a column's own, or what a computation gives."""

_QUANTITIES: frozenset[Kind] = frozenset((*MEASURED, "part", "constant"))
_ORDERED: frozenset[Kind] = frozenset((*MEASURED, "date", "part", "constant"))
_TEXTUAL: frozenset[Kind] = frozenset(("name", "text", "category", "identifier", "key", "flag", "constant"))
_ADDED: frozenset[Kind] = frozenset(("measure", "duration"))
_IN_A_YEAR: dict[str, int] = {"decade": 1, "year": 1, "quarter": 4, "month": 12, "month of year": 12, "weekday": 52}


def problems(query: al.Query, schema: Schema) -> tuple[str, ...]:
    """What is wrong with a query, each thing once; empty if it makes sense."""
    return tuple(dict.fromkeys(_Checker(schema=schema).query(query)))


@dataclass(frozen=True, slots=True, kw_only=True)
class _Checker:
    schema: Schema

    # --- queries ---

    def query(self, query: al.Query) -> Iterator[str]:
        match query:
            case al.Listing():
                yield from self._rows(query.of, query.outputs)
                yield from self._inside(query.outputs, query.of)
                yield from _places([o.place for o in query.order], len(query.outputs))
            case al.Grouped():
                yield from self._grouped(query)
            case _:
                assert_never(query)

    def _grouped(self, query: al.Grouped) -> Iterator[str]:
        yield from self._rows(query.of, query.keys)
        yield from self._inside(query.keys, query.of)
        for figure in query.figures:
            yield from self._figure(figure, query)
        size = len(query.keys) + len(query.figures)
        tested_places = [part.place for part in al.here(query.having) if isinstance(part, al.Output)]
        yield from _places([*tested_places, *(o.place for o in query.order), *(query.shown or ())], size)

    def _rows(self, rows: al.RowSet, expressions: object) -> Iterator[str]:
        """A set of rows, and that all that is read of them is there once for each."""
        if isinstance(rows, al.Groups):
            yield from self.query(rows.query)
            places = [part.place for part in al.here((expressions, rows.where)) if isinstance(part, al.Output)]
            yield from _places(places, al.width(rows.query))
        else:
            for table in al.tables_here((expressions, rows.where)):
                if not self.schema.reaches_one(rows.table, table):
                    yield f"A row of {rows.table!r} has no single row of {table!r}."
        yield from self._inside(rows.where, rows)

    # --- conditions ---

    def _inside(self, value: al.Condition | tuple[al.Term, ...], rows: al.RowSet) -> Iterator[str]:
        """What is wrong with the conditions and terms of a row."""
        for part in al.here(value):
            match part:
                case al.Compare(op="<" | "<=" | ">" | ">="):
                    yield from self._needs(part.left, rows, _ORDERED, "has no size")
                    yield from self._needs(part.right, rows, _ORDERED, "has no size")
                case al.Both():
                    yield from _contradictions(part, self.schema)
                case al.Within():
                    yield from self._needs(part.term, rows, frozenset(("date",)), "is no date")
                case al.Text():
                    yield from self._needs(part.term, rows, _TEXTUAL, "is no text")
                case al.Related():
                    yield from self._related(part, rows)
                case al.Member():
                    yield from self.query(part.query)
                case al.Grain() | al.Band() | al.Days() | al.Arithmetic() | al.Single():
                    yield from self._term(part, rows)
                case _:
                    continue

    def _related(self, related: al.Related, rows: al.RowSet) -> Iterator[str]:
        table, far = related.table, related.rows.table
        is_none = related == al.Related(table, al.Rows(far), "none")
        if is_none and isinstance(rows, al.Rows) and rows.table == far:
            yield f"A row of {far!r} is one of them itself."
        if not self.schema.path(table, far):
            yield f"Rows of {table!r} have no rows of {far!r}."
        elif is_none and self.schema.has_one(table, far):
            yield f"Each row of {table!r} has a row of {far!r}."
        yield from self._rows(related.rows, ())

    # --- terms ---

    def _term(self, term: al.Grain | al.Band | al.Days | al.Arithmetic | al.Single, rows: al.RowSet) -> Iterator[str]:
        dates: frozenset[Kind] = frozenset(("date",))
        match term:
            case al.Grain():
                yield from self._needs(term.of, rows, dates, "is no date")
            case al.Band():
                yield from self._needs(term.of, rows, _QUANTITIES, "is no quantity")
            case al.Days():
                yield from self._needs(term.start, rows, dates, "is no date")
                yield from self._needs(term.end, rows, dates, "is no date")
            case al.Arithmetic():
                for side in (term.left, term.right):
                    yield from self._needs(side, rows, _QUANTITIES, "is no quantity")
            case al.Single():
                yield from self.query(term.query)
                if term.query.keys or al.width(term.query) != 1:
                    yield "A query that stands for one value has one figure and no keys."
            case _:
                assert_never(term)

    def _needs(self, term: al.Term, rows: al.RowSet, kinds: frozenset[Kind], otherwise: str) -> Iterator[str]:
        kind = self.kind(term, rows)
        if kind not in kinds:
            yield f"{_called(term)} {otherwise}: it is {_article(kind)}."

    def kind(self, term: al.Term, rows: al.RowSet) -> Kind:
        """The role of a term."""
        match term:
            case al.Column():
                typed = self.schema.typed.get(term)
                return typed.role if typed else "other"
            case al.Output():
                return self._output(term.place, rows)
            case al.Constant():
                return "constant"
            case al.Defined():
                return "measure"
            case al.Days():
                return "duration"
            case al.Grain() | al.Band():
                return "part"
            case al.Single():
                return self._made(term.query.figures[0], term.query.of) if term.query.figures else "other"
            case al.Arithmetic():
                return self._arithmetic(term, rows)
            case _:
                assert_never(term)

    def _arithmetic(self, term: al.Arithmetic, rows: al.RowSet) -> Kind:
        kinds: tuple[Kind, ...] = (self.kind(term.left, rows), self.kind(term.right, rows))
        sides: list[Kind] = [kind for kind in kinds if kind != "constant"]
        if not sides or (term.op == "/" and not isinstance(term.right, al.Constant)):
            return "rate"
        if sides[0] == sides[-1]:
            return sides[0]
        return "measure" if term.op != "*" or "measure" in sides else sides[0]

    def _output(self, place: int, rows: al.RowSet) -> Kind:
        """The role of what a query gives at a place."""
        query = rows.query if isinstance(rows, al.Groups) else None
        if query is None or place >= al.width(query):
            return "other"
        output = al.outputs_shown(query)[place]
        return self._made(output, query.of) if isinstance(output, al.Figure) else self.kind(output, query.of)

    # --- figures ---

    def _made(self, figure: al.Figure, rows: al.RowSet) -> Kind:
        """The role of a figure."""
        match figure:
            case al.Count():
                return "measure"
            case al.Aggregate():
                if figure.function in ("count", "distinct"):
                    return "measure"
                own = self.kind(figure.term, figure.of or rows)
                return own if figure.function in ("sum", "min", "max") else "rate"
            case al.Metric():
                return "measure" if is_added_up(figure) else "rate"
            case al.Combined():
                return self._made(figure.left, rows) if figure.how == "difference" else "rate"
            case al.Share():
                return "rate"
            case al.Window():
                return "part" if figure.how == "rank" else self._made(figure.figure, rows)
            case _:
                assert_never(figure)

    def _figure(self, figure: al.Figure, query: al.Grouped) -> Iterator[str]:
        match figure:
            case al.Count() | al.Metric():
                yield from self._leaf(figure, query)
            case al.Aggregate():
                yield from self._leaf(figure, query)
                yield from self._function(figure, query)
            case al.Combined():
                yield from self._figure(figure.left, query)
                yield from self._figure(figure.right, query)
            case al.Share():
                yield from self._figure(figure.figure, query)
                if not adds_up(figure.figure):
                    yield "Only counts and sums have shares: other figures of the groups do not add up to the whole."
                yield from _places(list(figure.within), len(query.keys))
            case al.Window():
                yield from self._window(figure, query)
            case _:
                assert_never(figure)

    def _leaf(self, leaf: al.Leaf, query: al.Grouped) -> Iterator[str]:
        rows = leaf.of or query.of
        yield from self._rows(rows, (leaf, query.keys))
        yield from self._inside(leaf.where, rows)
        if leaf.where != al.NO_FILTER:  # of rows that are not ready none is counted that is
            yield from _contradictions(al.Both(al.conditions_of(al.both(rows.where, leaf.where))), self.schema)
        if leaf.of is None:
            return
        if isinstance(query.of, al.Groups):
            yield "Rows of another table can only stand beside a table's rows."
        elif not self.schema.reaches_one(leaf.of.table, query.of.table):
            yield f"A row of {leaf.of.table!r} has no single row of {query.of.table!r}."

    def _function(self, figure: al.Aggregate, query: al.Grouped) -> Iterator[str]:
        kind = self.kind(figure.term, figure.of or query.of)
        name = _called(figure.term)
        yield from self._running(figure, name)
        match figure.function:
            case "count" | "distinct":
                return
            case "sum":
                if kind == "stock":
                    yield from self._over_time(figure, query)
                elif kind not in _ADDED and not self._is_numeric_flag(figure.term):
                    yield f"{name} cannot be added up: it is {_article(kind)}."
            case "mean" | "median" | "percentile" | "stddev":
                if kind not in MEASURED and not self._is_numeric_flag(figure.term):
                    yield f"{name} has no {figure.function}: it is {_article(kind)}."
            case "min" | "max":
                if kind not in _ORDERED:
                    yield f"{name} has no least or greatest value: it is {_article(kind)}."
            case _:
                assert_never(figure.function)

    def _running(self, figure: al.Aggregate, name: str) -> Iterator[str]:
        """A running total has a first and a last value; its mean or number of different values says nothing."""
        typed = self.schema.typed.get(figure.term) if isinstance(figure.term, al.Column) else None
        if typed is not None and typed.running and figure.function not in ("sum", "min", "max", "count"):
            yield f"{name} has no {figure.function}: it is a running total."

    def _is_numeric_flag(self, term: al.Term) -> bool:
        typed = self.schema.typed.get(term) if isinstance(term, al.Column) else None
        return typed is not None and typed.role == "flag" and typed.numeric

    def _over_time(self, figure: al.Aggregate, query: al.Grouped) -> Iterator[str]:
        """A level may be added up over things at one time: the time is a key, or a condition settles it."""
        column = figure.term if isinstance(figure.term, al.Column) else None
        if column is None or column.table not in self.schema.tables:
            return
        times = {c for c in self.schema.tables[column.table].columns if self.schema.typed[c].role in ("date", "part")}
        rows = figure.of or query.of
        fixed = {p.left for p in al.here(rows.where) if isinstance(p, al.Compare) and p.op == "="}
        inside = list(al.here((query.keys, *fixed)))
        cut = {part.of for part in inside if isinstance(part, al.Grain) and self._holds_several(part)}
        columns = {part for part in inside if isinstance(part, al.Column)} - cut
        if times and not times & columns:
            yield f"{_called(column)} cannot be added up over time: it is a level at a time. Name the time, or a key."

    def _holds_several(self, grain: al.Grain) -> bool:
        """Whether the source has several moments in one period: days in a month, where it has more days than months."""
        days = days_held(grain.of, self.schema)
        if days is None or not isinstance(grain.of, al.Column) or grain.grain not in _IN_A_YEAR:
            return False
        profile = self.schema.profiled[grain.of].profile
        years = days[1].year - days[0].year + 1
        return profile is not None and profile.distinct > _IN_A_YEAR[grain.grain] * years

    def _window(self, window: al.Window, query: al.Grouped) -> Iterator[str]:
        yield from self._figure(window.figure, query)
        yield from _places(list(window.within), len(query.keys))
        if any(isinstance(part, al.Share | al.Window) for part in al.here(window.figure)):
            yield "A figure along the groups is made of figures of the groups alone."
        if window.how == "rank":
            return
        if window.along >= len(query.keys):
            yield "A figure along the groups needs a key to go along."
        elif self.kind(query.keys[window.along], query.of) not in _ORDERED:
            yield f"{_called(query.keys[window.along])} has no order to go along."
        if window.how == "running" and not adds_up(window.figure):
            yield "Only counts and sums have a running total."


@lru_cache(maxsize=1_000)
def is_added_up(metric: al.Metric) -> bool:
    """Whether a metric's groups add up to its whole: it is one sum or one count, and no quotient of them."""
    from sqlglot import exp

    from knowledge.parsing import parse_one

    tree = parse_one(metric.sql)
    return isinstance(tree, exp.Sum | exp.Count) and tree.find(exp.Distinct) is None


def adds_up(figure: al.Figure) -> bool:
    """Whether the figures of groups add up to that of the whole."""
    match figure:
        case al.Count():
            return True
        case al.Aggregate():
            return figure.function in ("sum", "count")
        case al.Metric():
            return is_added_up(figure)
        case _:
            return False


def _places(places: list[int], size: int) -> Iterator[str]:
    for place in places:
        if not 0 <= place < size:
            yield f"There is no output at place {place}."


def _called(term: al.Term) -> str:
    return repr(term.name) if isinstance(term, al.Column) else "What is computed"


def _article(kind: Kind) -> str:
    return f"{'an' if kind[0] in 'aeiou' else 'a'} {kind}" if kind != "other" else "nothing to compute with"


# --- conditions that no row can meet together: an answer would be empty, and nobody asks for that ---


def _contradictions(conjunction: al.Both, schema: Schema) -> Iterator[str]:
    """Conditions of which no row can meet both: periods apart, two values, no rows and rows beyond them."""
    for first, second in combinations(conjunction.conditions, 2):
        match first, second:
            case (al.Within(), al.Within()) if first.term == second.term and _are_apart(first, second):
                yield "No row is in two periods that do not meet."
            case (al.Compare(left, "=", al.Constant(value)), al.Compare(same, "=", al.Constant(other))) if left == same:
                if value != other:
                    yield "No row has two values in one column."
            case (al.Related(), al.Related()) if _lacks(first, second, schema) or _lacks(second, first, schema):
                yield "Rows that have none of something have nothing that it leads to."
            case _:
                continue


def _lacks(negative: al.Related, positive: al.Related, schema: Schema) -> bool:
    """Whether the first says that there are no rows at all of a table through which the second goes."""
    through = {link.table for link in schema.path(positive.table, positive.rows.table) or ()}
    is_none = negative.quantifier == "none" and negative.table == positive.table and negative.rows.where == al.NO_FILTER
    return is_none and positive.quantifier in ("some", "every", "at least") and negative.rows.table in through


def _are_apart(first: al.Within, second: al.Within) -> bool:
    return bool(first.end and second.start and first.end <= second.start) or bool(
        second.end and first.start and second.end <= first.start
    )
