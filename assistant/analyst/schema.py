"""A source as the analyst sees it: typed columns, the grain of each table, and how tables refer to each other.

Everything that later stages know of a database they know from here. Values only; nothing is asked of an engine.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Literal

from assistant.analyst.algebra import Column
from assistant.analyst.names import words_of
from assistant.analyst.roles import Typed, typed

if TYPE_CHECKING:
    from assistant.data import catalog as found
    from assistant.data.catalog import Catalog

Cardinality = Literal["one", "many"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Link:
    """A way from the rows of a table to rows of another: equal values in pairs of columns.

    Attributes:
        start: Columns of the table it leaves.
        end: Columns of the table it reaches, one for each of `start`.
        cardinality: How many rows it reaches at most from one row.
        total: Whether every row reaches one, as far as the values show.
        sparse: Whether fewer than half of the rows can reach one: few employees are a department's manager.
    """

    start: tuple[Column, ...]
    end: tuple[Column, ...]
    cardinality: Cardinality
    total: bool
    sparse: bool = False

    @property
    def table(self) -> str:
        """The table it reaches."""
        return self.end[0].table


@dataclass(frozen=True, slots=True, kw_only=True)
class Table:
    """A table. `grain` is the columns that identify a row, empty if unknown; `label` those that name it."""

    name: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    grain: tuple[Column, ...]
    label: tuple[Column, ...]
    rows: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """All tables of a source with their typed columns and links. `dialect` is sqlglot's word for its SQL."""

    source: str
    dialect: str
    tables: dict[str, Table]
    typed: dict[Column, Typed]
    profiled: dict[Column, found.Column]
    links: dict[str, tuple[Link, ...]]
    _ways: dict[str, dict[str, Link | None]] = field(default_factory=dict, compare=False, repr=False)
    """By the table that a way starts from: the last link to each table it can reach; None for itself."""

    @classmethod
    def of(cls, catalog: Catalog) -> Schema:
        """The schema of a catalog, views left out. Of two tables with one name in two schemas the first counts."""
        here = {table.name: table for table in reversed(_stored(catalog))}
        keys = {name: _key_columns(table) for name, table in here.items()}
        kinds: dict[Column, Typed] = {}
        profiled: dict[Column, found.Column] = {}
        for name, table in here.items():
            for column in table.columns:
                at = Column(name, column.name)
                kinds[at] = typed(column, rows=table.rows or 0, is_key=column.name in keys[name], table=name)
                profiled[at] = column
        tables = {name: _table(table, kinds) for name, table in here.items()}
        links = _links(here)
        return cls(
            source=catalog.source,
            dialect=catalog.dialect,
            tables={name: _called(table, tables, kinds, links[name]) for name, table in tables.items()},
            typed=kinds,
            profiled=profiled,
            links=links,
        )

    def path(self, start: str, end: str) -> tuple[Link, ...] | None:
        """The cheapest way from one table's rows to another's; empty for itself, None where there is none."""
        last = self._ways.setdefault(start, {})
        if not last:
            last.update(self._last_links(start))
        if end not in last:
            return None
        path: list[Link] = []
        while link := last[end]:
            path.append(link)
            end = link.start[0].table
        return tuple(reversed(path))

    def reaches_one(self, start: str, end: str) -> bool:
        """Whether each row of `start` has at most one row of `end`."""
        path = self.path(start, end)
        return path is not None and all(link.cardinality == "one" for link in path)

    def other_ways(self, start: str, end: str) -> tuple[tuple[Link, Link], ...]:
        """The links of the way from one table's rows to another's that have a like beside them, each with its like."""
        return tuple(
            (link, other)
            for link in self.path(start, end) or ()
            for other in self.links[link.start[0].table]
            if other.table == link.table
            and other.start != link.start
            and "one" == other.cardinality == link.cardinality
        )

    def whole_of(self, column: Column) -> Column | None:
        """What numbers the wholes whose parts repeat a value: the order, where each line has its freight."""
        profile = self.profiled[column].profile if column in self.profiled else None
        return Column(column.table, profile.settled_by) if profile is not None and profile.settled_by else None

    def _last_links(self, start: str) -> dict[str, Link | None]:
        """Dijkstra's algorithm; a step to many rows costs more than one to a single row."""
        queue: list[tuple[float, int, str, Link | None]] = [(0.0, 0, start, None)]
        last: dict[str, Link | None] = {}
        number = 0
        while queue:
            cost, _, table, came = heapq.heappop(queue)
            if table in last:
                continue
            last[table] = came
            for link in self.links[table]:
                number += 1
                heapq.heappush(queue, (cost + _cost(link), number, link.table, link))
        return last


def _stored(catalog: Catalog) -> list[found.Table]:
    """The tables that hold data: a view tells again what they hold. All, where there are views alone."""
    return [table for table in catalog.tables if not table.is_view] or list(catalog.tables)


def _cost(link: Link) -> float:
    if link.cardinality == "one":
        return 2.2 if link.sparse else 1.0 if link.total else 1.2
    return 1.6


def _key_columns(table: found.Table) -> set[str]:
    """Columns that are keys by themselves: a single primary key, and all that refer to other tables."""
    alone = set(table.primary_key) if len(table.primary_key) == 1 else set[str]()
    return alone | {name for key in table.foreign_keys for name in key.columns}


def _links(tables: dict[str, found.Table]) -> dict[str, tuple[Link, ...]]:
    """The links that leave each table: its own foreign keys, and those of others that refer to it."""
    links: dict[str, list[Link]] = {name: [] for name in tables}
    folded = {name.casefold(): table for name, table in reversed(tables.items())}
    for table in tables.values():
        for key in table.foreign_keys:
            target = tables.get(key.table) or folded.get(key.table.casefold())
            if target is None or target.name == table.name or len(key.columns) != len(key.target_columns):
                continue
            here = tuple(_exact(table, column) for column in key.columns)
            there = tuple(_exact(target, column) for column in key.target_columns)
            links[table.name].append(Link(start=here, end=there, cardinality="one", total=not _has_nulls(table, here)))
            many: Cardinality = "one" if _is_unique(table, here) else "many"
            sparse = 2 * (table.rows or 0) < (target.rows or 0)
            links[target.name].append(Link(start=there, end=here, cardinality=many, total=False, sparse=sparse))
    return {name: tuple(found) for name, found in links.items()}


def _exact(table: found.Table, name: str) -> Column:
    column = table.column(name)
    return Column(table.name, column.name if column else name)


def _has_nulls(table: found.Table, columns: tuple[Column, ...]) -> bool:
    seen = (table.column(column.name) for column in columns)
    return any(column is None or column.profile is None or column.profile.nulls > 0 for column in seen)


def _is_unique(table: found.Table, columns: tuple[Column, ...]) -> bool:
    names = {column.name for column in columns}
    if table.primary_key and names == set(table.primary_key):
        return True
    if len(columns) != 1 or not table.rows:
        return False
    (only,) = columns
    column = table.column(only.name)
    profile = column.profile if column else None
    return profile is not None and not profile.sampled and profile.distinct == table.rows


def _table(table: found.Table, kinds: dict[Column, Typed]) -> Table:
    columns = tuple(Column(table.name, column.name) for column in table.columns)
    grain = tuple(_exact(table, name) for name in table.primary_key)
    if not grain:
        unique = [c for c in columns if kinds[c].role in ("key", "identifier") and _is_unique(table, (c,))]
        grain = tuple(unique[:1])
    name = words_of(table.name)
    return Table(
        name=table.name,
        words=name,
        columns=columns,
        grain=grain,
        label=_label(columns, name, grain, kinds),
        rows=table.rows or 0,
    )


def _label(
    columns: tuple[Column, ...], table: tuple[str, ...], grain: tuple[Column, ...], kinds: dict[Column, Typed]
) -> tuple[Column, ...]:
    """The columns that name a row: first and last name, the table's own name, any name; else what identifies it."""
    general = {*table, "name", "title", "first", "last", "full"}
    named = [
        c
        for c in columns
        if kinds[c].role in ("name", "category")
        and {"name", "title"} & set(kinds[c].words)
        and general >= set(kinds[c].words)
    ]
    first = [c for c in named if "first" in kinds[c].words]
    last = [c for c in named if "last" in kinds[c].words]
    if first and last:
        return (first[0], last[0])
    others = [c for c in columns if kinds[c].role == "name" and _tells(c, kinds, grain)]
    called = [c for c in columns if kinds[c].role == "name" and {"name", "title"} & set(kinds[c].words)]
    return tuple(named[:1] or others[:1] or called[:1]) or grain or columns[:1]


_NAMING = frozenset(("name", "category", "text", "flag"))


def _called(table: Table, tables: dict[str, Table], kinds: dict[Column, Typed], links: tuple[Link, ...]) -> Table:
    """A table, called by what its rows belong to where it has no name of its own: a salary by the employee."""
    if any(kinds[c].role in _NAMING for c in table.label):
        return table
    found: list[Column] = []
    for link in links:
        if link.cardinality == "one" and set(link.start) <= set(table.grain):
            label = tables[link.table].label
            found.extend(c for c in label if kinds[c].role in _NAMING and c not in found)
    return replace(table, label=tuple(found)) if found else table


def _tells(column: Column, kinds: dict[Column, Typed], grain: tuple[Column, ...]) -> bool:
    """Whether a name may be that of the rows: it stands for nothing that another key of the table identifies."""
    head = set(kinds[column].words) - {"name", "title"}
    return not head or any(head <= set(kinds[key].words) for key in grain)
