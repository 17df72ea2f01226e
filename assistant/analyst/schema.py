"""A source as the analyst sees it: typed columns, the grain of each table, and how tables refer to each other.

Everything that later stages know of a database they know from here. Values only; nothing is asked of an engine.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.analyst.algebra import Column, Query, mapped, parts
from assistant.analyst.aliases import Alias, aliases
from assistant.analyst.links import Link, LinkedTable, exact, is_unique, key_columns, references
from assistant.analyst.names import words_of
from assistant.analyst.nouns import Nouns, nouns, spoken
from assistant.analyst.roles import Typed, typed

if TYPE_CHECKING:
    from assistant.core import catalog as found
    from assistant.core.catalog import Catalog


_Key = TypeVar("_Key")
_READ_MAX = 50
_SHARED = 1.5
"""What a way costs more that leads to rows which have only another row in common."""
_Item = TypeVar("_Item")


class _Known(dict[_Key, _Item]):
    """What is known of tables or columns; of aliases too, which are not listed."""

    def __init__(self, listed: Mapping[_Key, _Item], aliased: Mapping[_Key, _Item]) -> None:
        super().__init__(listed)
        self._aliased = aliased

    def __missing__(self, key: _Key) -> _Item:
        return self._aliased[key]

    def __contains__(self, key: object) -> bool:
        return super().__contains__(key) or key in self._aliased

    def get(self, key: _Key, default: Any = None) -> Any:
        """What is known, or the default."""
        return super().get(key, self._aliased.get(key, default))


@dataclass(frozen=True, slots=True, kw_only=True)
class Schema:
    """All tables of a source with their typed columns and links. `dialect` is sqlglot's word for its SQL."""

    source: str
    dialect: str
    time_zone: str = "UTC"
    tables: dict[str, LinkedTable]
    typed: dict[Column, Typed]
    profiled: dict[Column, found.Column]
    links: dict[str, tuple[Link, ...]]
    aliases: tuple[Alias, ...] = ()
    spoken: dict[Column, str] = field(default_factory=dict)
    """Columns that are not said as they are written."""
    _ways: dict[str, dict[str, Link | None]] = field(default_factory=dict, compare=False, repr=False)
    """By the table that a way starts from: the last link to each table it can reach; None for itself."""

    @classmethod
    def of(cls, catalog: Catalog) -> Schema:
        """The schema of a catalog, views left out. Tables of one name in several schemas are told apart by these."""
        from assistant.core.catalog import make_names_unique

        catalog = make_names_unique(catalog)
        stored = {table.name: table for table in reversed(_stored(catalog))}
        keys = {name: key_columns(table) for name, table in stored.items()}
        kinds: dict[Column, Typed] = {}
        profiled: dict[Column, found.Column] = {}
        spoken_names: dict[Column, str] = {}
        for name, table in stored.items():
            spoken_names |= {Column(name, c): by for c, by in spoken(table.columns).items()}
            for column in table.columns:
                at, is_key = Column(name, column.name), column.name in keys[name]
                kinds[at] = typed(
                    column, rows=table.rows or 0, is_key=is_key, table=name, spoken_name=spoken_names.get(at, "")
                )
                profiled[at] = column
        tables = {name: _table(table, kinds, alone=len(stored) == 1) for name, table in stored.items()}
        pairs = references(stored)
        all_aliases = aliases(pairs, tables)
        apart = {alias.key for alias in all_aliases if not alias.rivals}  # their tables are reached by that name alone
        links: dict[str, tuple[Link, ...]] = dict.fromkeys(stored, ())
        for key, back in pairs:
            if key not in apart and key.table != back.table:
                links[back.table] += (key,)
                links[key.table] += (back,)
        tables = {name: _called(table, tables, kinds, links[name]) for name, table in tables.items()}
        alias_tables = {table.name: table for alias in all_aliases for table in alias.tables(tables)}
        added = [link for alias in all_aliases for link in alias.links(links)]
        links |= dict.fromkeys(alias_tables, ())
        for link in added:
            links[link.start[0].table] += (link,)
        return cls(
            source=catalog.source,
            dialect=catalog.dialect,
            time_zone=catalog.time_zone,
            tables=_Known(tables, alias_tables),
            typed=_Known(kinds, _columns(kinds, alias_tables)),
            profiled=_Known(profiled, _columns(profiled, alias_tables)),
            links=links,
            aliases=all_aliases,
            spoken=spoken_names,
        )

    def said(self, value: Any) -> Any:
        """A value of the algebra to be worded: its tables by what one row is called, its columns without remarks."""

        def change(part: Any) -> Any:
            name = getattr(part, "table", "")
            if isinstance(part, Column) and name in self.tables:
                part = replace(part, name=self.spoken.get(part, part.name))
            return replace(part, table=self.tables[name].called) if name in self.tables else part

        return mapped(value, change) if self.spoken or any(table.noun for table in self.tables.values()) else value

    def alias(self, table: str) -> Alias | None:
        """The alias that a name is of."""
        return next((alias for alias in self.aliases if table in alias.names.values()), None)

    def in_each_role(self, query: Query) -> Iterable[Query]:
        """A query for each key that may be meant where several lead from one of its tables to another: itself if none.

        A flight has an airport that it leaves and one that it reaches; "flights by city" may mean each.
        """
        tables = {name for part in parts(query) if (name := getattr(part, "table", ""))}
        for alias in self.aliases:
            near = tables & alias.names.keys()
            if alias.rivals and alias.key.start[0].table in tables and near:
                rivals = (rival for rival in self.aliases if rival.rivals and rival.key.end == alias.key.end)
                return [
                    alias_variant.named(query)
                    for alias_variant in rivals
                    if alias_variant.key.start[0].table == alias.key.start[0].table
                ]
        return [query]

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

    def has_one(self, start: str, end: str) -> bool:
        """Whether each row of `start` has exactly one row of `end`."""
        path = self.path(start, end)
        return path is not None and all(link.cardinality == "one" and link.total for link in path)

    def rows_each(self, column: Column) -> float:
        """How many rows a value of a column stands in, on average; 0 where its values or rows were not counted."""
        profile = self.profiled[column].profile
        return self.tables[column.table].rows / profile.distinct if profile and profile.distinct else 0.0

    def is_many(self, term: object) -> bool:
        """Whether a term tells apart more things than a person reads one by one."""
        if not isinstance(term, Column) or self.typed[term].role not in ("key", "identifier", "name"):
            return False
        return (profile := self.profiled[term].profile) is not None and profile.distinct > _READ_MAX

    def is_one_each(self, column: Column) -> bool:
        """Whether each row has a value of its own in a column, as far as values and rows were counted."""
        return 0 < self.rows_each(column) <= 1

    def may_miss(self, start: str, column: Column) -> bool:
        """Whether a row may have no value in a column of the row that it leads to."""
        profile = self.profiled[column].profile
        is_open = not all(link.total for link in self.path(start, column.table) or ())
        return is_open or bool(self.typed[column].missing or (profile and profile.nulls))

    def tells_apart(self, column: object, table: str) -> bool:
        """Whether a value is a column that has another value in each row of a table."""
        if not isinstance(column, Column) or column.table != table:
            return False
        profile, rows = self.profiled[column].profile, self.tables[table].rows
        differs = profile is not None and not profile.sampled and profile.distinct == rows > 1
        return differs or (column,) == self.tables[table].grain

    def whole_of(self, column: Column) -> Column | None:
        """What numbers the wholes whose parts repeat a value: the order, where each line has its freight."""
        profile = self.profiled[column].profile if column in self.profiled else None
        return Column(column.table, profile.determined_by) if profile is not None and profile.determined_by else None

    @property
    def wholes(self) -> frozenset[Column]:
        """All columns that number wholes."""
        return frozenset(unit for column in self.profiled if (unit := self.whole_of(column)) is not None)

    def _last_links(self, start: str) -> dict[str, Link | None]:
        """Dijkstra's algorithm; a step to many rows costs more than one to a single row.

        From a row that others share to these others it costs more still: students have courses by what they take rather
        than by a department that offers some.
        """
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
                shared = came is not None and came.cardinality == "one" and link.cardinality == "many"
                heapq.heappush(queue, (cost + link.cost + _SHARED * shared, number, link.table, link))
        return last


def _stored(catalog: Catalog) -> list[found.Table]:
    """The tables that hold data: a view tells again what they hold. All, where there are views alone."""
    return [table for table in catalog.tables if not table.is_view] or list(catalog.tables)


def _columns(items: Mapping[Column, _Item], alias_tables: Mapping[str, LinkedTable]) -> dict[Column, _Item]:
    """What is known of the columns of aliases: what is known of the tables that they stand for."""
    return {column: items[Column(table.of, column.name)] for table in alias_tables.values() for column in table.columns}


def _table(table: found.Table, kinds: dict[Column, Typed], *, alone: bool) -> LinkedTable:
    columns = tuple(Column(table.name, column.name) for column in table.columns)
    grain = tuple(exact(table, name) for name in table.primary_key)
    if not grain:
        unique = [c for c in columns if kinds[c].role in ("key", "identifier") and is_unique(table, (c,))]
        grain = tuple(unique[:1])
    called = nouns(table, kinds) if alone else Nouns()
    name = words_of(called.noun or table.name)
    return LinkedTable(
        name=table.name,
        words=name,
        columns=columns,
        grain=grain,
        label=_label(columns, name, grain, kinds) or _held(table, columns, grain, kinds, alone=alone),
        rows=table.rows or 0,
        noun=called.noun,
        nouns=called.others,
        place=table.place,
    )


def _label(
    columns: tuple[Column, ...], table: tuple[str, ...], grain: tuple[Column, ...], kinds: dict[Column, Typed]
) -> tuple[Column, ...]:
    """The columns that name a row: first and last name, the table's own name, any name; empty where none does."""
    general = {*table, "name", "title", "first", "last", "full"}
    name_columns = [
        c
        for c in columns
        if kinds[c].role in ("name", "category")
        and {"name", "title"} & set(kinds[c].words)
        and general >= set(kinds[c].words)
    ]
    first = [c for c in name_columns if "first" in kinds[c].words]
    last = [c for c in name_columns if "last" in kinds[c].words]
    if first and last:
        return (first[0], last[0])
    other_names = [c for c in columns if kinds[c].role == "name" and _tells(c, kinds, grain)]
    ids = {kinds[c].words[:-1] for c in columns if kinds[c].words[-1] == "id"}  # their names are other things' names
    called = [c for c in columns if kinds[c].role == "name" and {"name", "title"} & set(kinds[c].words)]
    called = [c for c in called if kinds[c].words[:-1] not in ids]
    return tuple(name_columns[:1] or other_names[:1] or called[:1])


def _held(
    table: found.Table,
    columns: tuple[Column, ...],
    grain: tuple[Column, ...],
    kinds: dict[Column, Typed],
    *,
    alone: bool,
) -> tuple[Column, ...]:
    """What stands for a row without a name: its key, its date, else all that it holds; a measure never by itself."""
    if grain and not kinds[grain[0]].counts_rows:
        return grain
    if not alone and not kinds[columns[0]].is_measured:
        return columns[:1]
    dates = [c for c in columns if kinds[c].role == "date" and is_unique(table, (c,))]
    return tuple(dates[:1]) or tuple(c for c in columns if not kinds[c].counts_rows)[:_LABEL_MAX]


_LABEL_MAX = 12
_NAMING = frozenset(("name", "category", "text", "flag"))


def _called(
    table: LinkedTable, tables: dict[str, LinkedTable], kinds: dict[Column, Typed], links: tuple[Link, ...]
) -> LinkedTable:
    """A table, called by what its rows belong to where it has no name of its own: a salary by the employee."""
    if any(kinds[c].role in _NAMING for c in table.label):
        return table
    label_columns: list[Column] = []
    for link in links:
        if link.cardinality == "one" and set(link.start) <= set(table.grain):
            label = tables[link.table].label
            label_columns.extend(c for c in label if kinds[c].role in _NAMING and c not in label_columns)
    return replace(table, label=tuple(label_columns)) if label_columns else table


def _tells(column: Column, kinds: dict[Column, Typed], grain: tuple[Column, ...]) -> bool:
    """Whether a name may be that of the rows: it stands for nothing that another key of the table identifies."""
    head = set(kinds[column].words) - {"name", "title"}
    return not head or any(head <= set(kinds[key].words) for key in grain)
