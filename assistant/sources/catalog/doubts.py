"""The doubts of a source: what was chosen while loading it, and what its tables and their values tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.core.catalog import name_apart
from assistant.core.doubts import Doubt, add_doubt_sentences, list_other_notes, sort_doubts
from assistant.plain_english import joined
from assistant.sources.catalog.declared import declared_doubts
from assistant.sources.catalog.members import find_members
from assistant.sources.catalog.sentinels import Ask, find_sentinels

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog, Table
    from assistant.sources.sources import Source

_NUMBERED = re.compile(r"(.+)_([2-9])")
_NUMBERS = ("integer", "number")


def list_doubts(source: Source, catalog: Catalog) -> tuple[Doubt, ...]:
    """All doubts of a source, the heaviest first. Pure.

    Args:
        source: The source, opened.
        catalog: Its catalog, with what persons said of its columns.
    """
    tables = name_apart(catalog).tables
    own = (
        *catalog.doubts,
        *declared_doubts(tables),
        *(doubt for table in tables for doubt in (*_repeated(table), *_equal_names(table))),
    )
    return sort_doubts((*(doubt for doubt in source.doubts if not _is_said_by(own, doubt)), *own))


def _is_said_by(doubts: Sequence[Doubt], doubt: Doubt) -> bool:
    """Whether the tables give a doubt that was made while loading as well; they know what its other side comes to."""
    return any(
        (other.kind, other.table) == (doubt.kind, doubt.table) and set(other.columns) & set(doubt.columns)
        for other in doubts
    )


def list_notes(source: Source, catalog: Catalog) -> tuple[str, ...]:
    """What is said of a source: its notes, and the sentences of its doubts, each once."""
    doubts = list_doubts(source, catalog)
    return add_doubt_sentences(
        list_other_notes(source.notes, [doubt for doubt in source.doubts if doubt not in doubts]), doubts
    )


def find_doubts(
    tables: Sequence[Table], ask: Ask, *, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> tuple[Doubt, ...]:
    """The doubts that the values of tables give: numbers that stand for "no value", rows that are the sum of others.

    Args:
        tables: All tables of a source, profiled.
        ask: Asks the engine.
        quoted: A name as SQL.
        place: A table as SQL.
    """
    return tuple(
        doubt
        for table in tables
        if table.part_of is None and not table.is_view
        for find in (find_sentinels, find_members)
        for doubt in find(table, ask, quoted=quoted, place=place)
    )


def _repeated(table: Table) -> Iterator[Doubt]:
    """Figures that are the same on all rows of one thing: one doubt for each thing."""
    things: dict[str, list[str]] = {}
    keys = {name for key in table.usable_keys for name in key.columns}
    for column in table.columns:
        profile = column.profile
        if profile is not None and profile.determined_by and column.kind in _NUMBERS and column.name not in keys:
            things.setdefault(profile.determined_by, []).append(column.name)
    for thing, names in things.items():
        number = table.column(thing)
        profile = number.profile if number is not None else None
        again = table.rows - profile.distinct if table.rows and profile is not None else None
        yield Doubt(
            kind="repeated_values",
            table=table.name,
            columns=tuple(names),
            chosen=f"Values of {joined(names)} repeat on the rows of each {thing}; every row counts.",
            rival=f"Ask to count each {thing} once for the other figure.",
            rows=again,
            share=again / table.rows if again is not None and table.rows else None,
        )


def _equal_names(table: Table) -> Iterator[Doubt]:
    """Figures of one name, of which a reader numbered the later ones: `Amount` and `Amount_2`."""
    for column in table.columns:
        match = _NUMBERED.fullmatch(column.name)
        first = table.column(match[1]) if match else None
        if first is None or not {first.kind, column.kind} <= {*_NUMBERS}:
            continue
        yield Doubt(
            kind="equal_names",
            table=table.name,
            columns=(first.name, column.name),
            chosen=f"{table.name} has two columns named {first.name}; “{first.name}” is read as the first.",
            rival=f"The second is called {column.name}.",
            rows=table.rows,
            share=1.0 if table.rows else None,
        )
