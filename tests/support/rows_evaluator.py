"""A second meaning of the analyst's algebra: over lists of rows in Python, without SQL. Small and slow, for tests."""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from assistant.analyst import algebra as a

Row = Mapping[str, object]
Truth = bool | None


@dataclass(frozen=True)
class Parent:
    """Each row of `child` refers by `column` to the row of `table` whose `key` is equal; `alias`: under what name."""

    child: str
    column: str
    table: str
    key: str
    alias: str = ""


@dataclass(frozen=True)
class Database:
    tables: dict[str, list[dict[str, object]]]
    parents: tuple[Parent, ...]
    missing: frozenset[str] = frozenset()

    def parent(self, table: str, row: Row, wanted: str) -> Row | None:
        """The row of `wanted` that a row refers to, over as many steps as it takes."""
        if table == wanted:
            return row
        for link in self.parents:
            if link.child == table:
                up = next((r for r in self.tables[link.table] if r[link.key] == row[link.column] is not None), None)
                found = self.parent(link.table, up, wanted) if up is not None else None
                if found is not None:
                    return found
        return None


@dataclass(frozen=True)
class Here:
    """A row in hand: of a table, or the outputs of a query."""

    table: str = ""
    row: Row | None = None
    outputs: Sequence[object] = ()


class Evaluator:
    def __init__(self, database: Database) -> None:
        self.database = database
        self._leaves: dict[object, dict[tuple[object, ...], object]] = {}

    # --- terms ---

    def term(self, term: a.Term, here: Here) -> object:
        match term:
            case a.Column(table, name):
                row = self.database.parent(here.table, here.row or {}, table)
                value = row[name] if row is not None else None
                return None if value in self.database.missing else value
            case a.Output(place):
                return here.outputs[place]
            case a.Constant(value):
                return value
            case a.Single(query):
                return self.run(query)[0][0]
            case a.Days(start, end):
                first, last = self.term(start, here), self.term(end, here)
                return None if first is None or last is None else (_day(last) - _day(first)).days
            case a.Grain(of, grain):
                value = self.term(of, here)
                return None if value is None else _cut(_day(value), grain)
            case a.Band(of, width):
                value = self.term(of, here)
                return None if value is None else math.floor(value / width) * width  # type: ignore[operator]
            case a.Arithmetic(op, left, right):
                return _calculated(op, self.term(left, here), self.term(right, here))

    # --- conditions ---

    def holds(self, condition: a.Condition, here: Here) -> Truth:
        match condition:
            case a.Both(parts):
                return _all([self.holds(part, here) for part in parts])
            case a.Either(parts):
                return _not(_all([_not(self.holds(part, here)) for part in parts]))
            case a.Not(inner):
                return _not(self.holds(inner, here))
            case a.Compare(left, op, right):
                return _compared(self.term(left, here), op, self.term(right, here))
            case a.OneOf(term, values):
                return _not(_all([_not(_compared(self.term(term, here), "=", v)) for v in values]))
            case a.Missing(term):
                return self.term(term, here) is None
            case a.Text(term, how, text):
                value = self.term(term, here)
                return None if value is None else _TEXTS[how](str(value).lower(), text.lower())
            case a.Within(term, start, end):
                value = self.term(term, here)
                if value is None:
                    return None if start or end else False
                return (not start or str(value)[:10] >= start) and (not end or str(value)[:10] < end)
            case a.Related():
                return self._related(condition, here)
            case a.Member(term, query):
                found = [row[0] for row in self.run(query)]
                return _not(_all([_not(_compared(self.term(term, here), "=", v)) for v in found]))

    def _related(self, related: a.Related, here: Here) -> bool:
        own = self.database.parent(here.table, here.row or {}, related.table)
        far = related.rows.table
        theirs = [
            r for r in self.database.tables[far] if self.database.parent(far, r, related.table) is own is not None
        ]
        met = sum(self.holds(related.rows.where, Here(far, r)) is True for r in theirs)
        return {
            "some": met > 0,
            "none": met == 0,
            "every": met == len(theirs) > 0,
            "at least": met >= related.n,
            "at most": met <= related.n,
            "exactly": met == related.n,
        }[related.quantifier]

    # --- rows and figures ---

    def rows(self, rows: a.RowSet) -> list[Here]:
        if isinstance(rows, a.Rows):
            found = [Here(rows.table, row) for row in self.database.tables[rows.table]]
        else:
            found = [Here(outputs=row) for row in self.run(rows.query)]
        return [here for here in found if self.holds(rows.where, here) is True]

    def _leaf(self, leaf: a.Count | a.Aggregate, query: a.Grouped, key: tuple[object, ...]) -> object:
        at = (leaf, query.of, query.keys)
        if at not in self._leaves:
            self._leaves[at] = self._of_groups(leaf, query)
        return self._leaves[at].get(key, _aggregate(leaf, [], self))

    def _of_groups(self, leaf: a.Count | a.Aggregate, query: a.Grouped) -> dict[tuple[object, ...], object]:
        if leaf.of is None:
            rows = self.rows(query.of)
        else:
            assert isinstance(query.of, a.Rows)
            rows = [h for h in self.rows(leaf.of) if self.holds(query.of.where, h) is True]
        groups: dict[tuple[object, ...], list[Here]] = {}
        for here in rows:
            if self.holds(leaf.where, here) is True:
                groups.setdefault(self._key(query, here), []).append(here)
        return {key: _aggregate(leaf, group, self) for key, group in groups.items()}

    def _key(self, query: a.Grouped, here: Here) -> tuple[object, ...]:
        return tuple(self.term(key, here) for key in query.keys)

    def _figure(
        self, figure: a.Figure, query: a.Grouped, key: tuple[object, ...], keys: list[tuple[object, ...]]
    ) -> object:
        def value(inner: a.Figure, at: tuple[object, ...]) -> object:
            return self._figure(inner, query, at, keys)

        match figure:
            case a.Count() | a.Aggregate():
                return self._leaf(figure, query, key)
            case a.Combined(how, left, right):
                x, y = value(left, key), value(right, key)
                if how == "growth":
                    return _calculated("/", _calculated("-", y, x), x)
                return _calculated({"ratio": "/", "difference": "-"}[how], x, y)
            case a.Share(inner, within):
                alike = [k for k in keys if all(k[i] == key[i] for i in within)]
                return _calculated("/", value(inner, key), _aggregated("sum", _known(value(inner, k) for k in alike)))
            case a.Window(how, inner, along, within, n):
                alike = [k for k in keys if all(k[i] == key[i] for i in within)]
                if how == "rank":
                    mine = value(inner, key)
                    return 1 + sum(_before(value(inner, k), mine, descending=True) for k in alike)
                alike.sort(key=lambda k: _sortable(k[along]))
                place = alike.index(key)
                if how == "lag":
                    return value(inner, alike[place - n]) if place >= n else None
                span = alike[: place + 1] if how == "running" else alike[max(0, place - n + 1) : place + 1]
                return _aggregated("sum" if how == "running" else "mean", _known(value(inner, k) for k in span))

    # --- queries ---

    def run(self, query: a.Query) -> list[tuple[object, ...]]:
        match query:
            case a.Listing():
                found = [tuple(self.term(t, h) for t in query.outputs) for h in self.rows(query.of)]
                found = list(dict.fromkeys(found)) if query.distinct else found
                shown = range(a.width(query))
            case a.Grouped():
                keys = list(dict.fromkeys(self._key(query, h) for h in self.rows(query.of))) if query.keys else [()]
                found = [(*k, *(self._figure(f, query, k, keys) for f in query.figures)) for k in keys]
                found = [row for row in found if self.holds(query.having, Here(outputs=row)) is True]
                shown = range(len(query.keys) + len(query.figures)) if query.shown is None else query.shown
        for order in reversed(query.order):
            known = [r for r in found if r[order.place] is not None]
            known.sort(key=lambda r, place=order.place: r[place], reverse=order.descending)  # type: ignore
            found = known + [r for r in found if r[order.place] is None]
        return [tuple(row[i] for i in shown) for row in _limited(found, query)]


def _limited(rows: list[tuple[object, ...]], query: a.Listing | a.Grouped) -> list[tuple[object, ...]]:
    limit = query.limit
    if limit is None:
        return rows
    kept: list[tuple[object, ...]] = []
    for at, row in enumerate(rows):
        ahead = [r for r in rows[:at] if all(r[i] == row[i] for i in limit.within)]
        if limit.ties:
            sizes = [tuple(r[o.place] for o in query.order) for r in (*ahead, row)]
            before = [size for size in sizes if size != sizes[-1]]
            ahead = [*dict.fromkeys(before)] if limit.skip else before
        if limit.skip <= len(ahead) < limit.skip + limit.n:
            kept.append(row)
    return kept


def _aggregate(leaf: a.Count | a.Aggregate, group: list[Here], evaluator: Evaluator) -> object:
    if isinstance(leaf, a.Count):
        return len(group)
    values = [v for h in group if (v := evaluator.term(leaf.term, h)) is not None]
    return _aggregated(leaf.function, values, leaf.fraction)


def _known(values: object) -> list[object]:
    return [v for v in values if v is not None]  # type: ignore


def _before(other: object, mine: object, *, descending: bool) -> bool:
    if other is None or mine is None:
        return other is not None and mine is None
    return other > mine if descending else other < mine  # type: ignore


def _sortable(value: object) -> tuple[bool, object]:
    return (value is None, 0 if value is None else value)


def _aggregated(function: str, values: list[object], fraction: float = 0.5) -> object:
    numbers: list[float] = values  # type: ignore
    if function in ("count", "distinct"):
        return len(values) if function == "count" else len(set(values))
    if not values or (function == "stddev" and len(values) < 2):
        return None
    if function == "percentile":
        ordered = sorted(numbers)
        place = (len(ordered) - 1) * fraction
        low = math.floor(place)
        high = min(low + 1, len(ordered) - 1)
        return ordered[low] + (ordered[high] - ordered[low]) * (place - low)
    functions: dict[str, Callable[[list[float]], float]] = {
        "sum": sum,
        "mean": statistics.fmean,
        "median": statistics.median,
        "stddev": statistics.stdev,
        "min": min,
        "max": max,
    }
    return functions[function](numbers)


def _calculated(op: str, left: object, right: object) -> object:
    if left is None or right is None or (op == "/" and right == 0):
        return None
    x, y = float(left), float(right)  # type: ignore
    return {"+": x + y, "-": x - y, "*": x * y}[op] if op != "/" else x / y


def _compared(left: object, op: str, right: object) -> Truth:
    if left is None or right is None:
        return None
    return (
        {
            "=": left == right,
            "!=": left != right,
            "<": left < right,  # type: ignore
            "<=": left <= right,  # type: ignore
            ">": left > right,  # type: ignore
            ">=": left >= right,  # type: ignore
        }[op]
        if type(left) is type(right) or not isinstance(left, str)
        else left == right
    )


def _all(truths: list[Truth]) -> Truth:
    return False if False in truths else None if None in truths else True


def _not(truth: Truth) -> Truth:
    return None if truth is None else not truth


def _day(value: object) -> date:
    return date.fromisoformat(str(value)[:10])


def _cut(day: date, grain: str) -> object:
    quarter = (day.month + 2) // 3
    return {
        "decade": day.year // 10 * 10,
        "year": day.year,
        "quarter": f"{day.year}-Q{quarter}",
        "month": f"{day.year}-{day.month:02}",
        "day": day.isoformat(),
        "quarter of year": quarter,
        "month of year": day.month,
        "weekday": day.isoweekday() % 7,
        "hour": 0,
    }[grain]


_TEXTS: dict[str, Callable[[str, str], bool]] = {
    "contains": lambda value, text: text in value,
    "starts": str.startswith,
    "ends": str.endswith,
}
