"""Tables, and how the rows of one lead to the rows of another: found from the keys of a catalog."""

from __future__ import annotations

from dataclasses import dataclass
from typing import TYPE_CHECKING, Literal

from assistant.analyst.algebra import Column
from assistant.analyst.names import words_of

if TYPE_CHECKING:
    from assistant.core import catalog as found

Cardinality = Literal["one", "many"]


_BY_ROLE = 0.1
"""What a way costs more by a key that says a role: a fall is on the ward of its admission, not of who reported it."""


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
    named_so: bool = True
    """Whether the key is called as the table that it leads to: `admission_id`, but not `reported_by` of nurses."""

    @property
    def table(self) -> str:
        """The table it reaches."""
        return self.end[0].table

    @property
    def cost(self) -> float:
        """What a step costs on the way to another table: one to many rows more than one to a single row."""
        role = 0.0 if self.named_so else _BY_ROLE
        if self.cardinality == "one":
            return role + (2.2 if self.sparse else 1.0 if self.total else 1.2)
        return role + 1.6


@dataclass(frozen=True, slots=True, kw_only=True)
class LinkedTable:
    """A table. `grain` is the columns that identify a row, empty if unknown; `label` those that name it.

    `of` is the table in the source whose rows they are, where this is an alias. `noun` is what a row is called and
    `nouns` are further ones in base form, where they are known (`analyst.nouns`). `place` is the parts of its name in
    SQL.
    """

    name: str
    words: tuple[str, ...]
    columns: tuple[Column, ...]
    grain: tuple[Column, ...]
    label: tuple[Column, ...]
    rows: int
    of: str = ""
    noun: str = ""
    nouns: frozenset[str] = frozenset()
    place: tuple[str, ...] = ()

    @property
    def called(self) -> str:
        """What one of its rows is called."""
        return self.noun or self.name


def key_columns(table: found.Table) -> set[str]:
    """Columns that are keys by themselves: a single primary key, and all that refer to other tables."""
    alone = set(table.primary_key) if len(table.primary_key) == 1 else set[str]()
    return alone | {name for key in table.usable_keys for name in key.columns}


def references(tables: dict[str, found.Table]) -> list[tuple[Link, Link]]:
    """The link of each foreign key, and the way back; of a table to itself, too."""
    links: list[tuple[Link, Link]] = []
    folded = {name.casefold(): table for name, table in reversed(tables.items())}
    for table in tables.values():
        for key in table.usable_keys:
            target = tables.get(key.table) or folded.get(key.table.casefold())
            if target is None or len(key.columns) != len(key.target_columns):
                continue
            columns = tuple(exact(table, column) for column in key.columns)
            target_columns = tuple(exact(target, column) for column in key.target_columns)
            many: Cardinality = "one" if is_unique(table, columns) else "many"
            sparse = 2 * (table.rows or 0) < (target.rows or 0)
            named_so = not set(words_of(columns[0].name)).isdisjoint(words_of(target.name))
            total = not _has_nulls(table, columns)
            links.append(
                (
                    Link(start=columns, end=target_columns, cardinality="one", total=total, named_so=named_so),
                    Link(
                        start=target_columns,
                        end=columns,
                        cardinality=many,
                        total=False,
                        sparse=sparse,
                        named_so=named_so,
                    ),
                )
            )
    return links


def exact(table: found.Table, name: str) -> Column:
    """A column as its table spells it."""
    column = table.column(name)
    return Column(table.name, column.name if column else name)


def _has_nulls(table: found.Table, columns: tuple[Column, ...]) -> bool:
    described = (table.column(column.name) for column in columns)
    return any(column is None or column.profile is None or column.profile.nulls > 0 for column in described)


def is_unique(table: found.Table, columns: tuple[Column, ...]) -> bool:
    """Whether columns identify a row, as far as keys and values show."""
    names = {column.name for column in columns}
    column = table.column(next(iter(names))) if len(names) == 1 else None
    profile = column.profile if column else None
    if profile is not None and not profile.sampled and table.rows:
        return profile.distinct == table.rows  # a declared key need not be kept: a semantic model's is checked nowhere
    return bool(table.primary_key) and names == set(table.primary_key)
