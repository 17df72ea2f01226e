"""The doubts of a source: what was chosen while loading it, and what its tables and their values tell."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from typing import TYPE_CHECKING

from assistant.core.catalog import Catalog, Table, make_names_unique
from assistant.core.chosen_doubts import apply_chosen
from assistant.core.doubts import Correction, Doubt, add_doubt_sentences, list_other_notes, sort_doubts
from assistant.plain_english import join_first, joined
from assistant.sources.catalog.declared import declared_doubts
from assistant.sources.catalog.keys import inferred_doubts
from assistant.sources.catalog.members import find_members
from assistant.sources.catalog.row_marks import find_row_marks, find_time_counts
from assistant.sources.catalog.sentinels import Ask, find_sentinels

if TYPE_CHECKING:
    from assistant.sources.sources import Source

_NUMBERED = re.compile(r"(.+)_([2-9])")
_COLUMNS_OF_PARTS_MIN = 2
_NAMED_MAX = 3
_NUMBERS = ("integer", "number")


def list_doubts(source: Source, catalog: Catalog) -> tuple[Doubt, ...]:
    """All doubts of a source, the heaviest first. Pure.

    Args:
        source: The source, opened.
        catalog: Its catalog, with what persons said of its columns.
    """
    tables = make_names_unique(catalog).tables
    own = (
        *catalog.doubts,
        *declared_doubts(tables),
        *inferred_doubts(tables),
        *(doubt for table in tables for doubt in _of_columns(table)),
        *_equal_tables(tables),
    )
    doubts = (*(doubt for doubt in source.doubts if not _is_said_by(own, doubt)), *own)
    return sort_doubts(apply_chosen(doubts, catalog.choices))


def _of_columns(table: Table) -> Iterator[Doubt]:
    """The doubts that a table's columns and their profiles give."""
    for find in (_repeated, _equal_names, find_row_marks, find_time_counts):
        yield from find(table)


def _is_said_by(doubts: Sequence[Doubt], doubt: Doubt) -> bool:
    """Whether the tables give a doubt that was made while loading as well; they know what its other side comes to."""
    return any(
        (further_doubt.kind, further_doubt.table) == (doubt.kind, doubt.table)
        and set(further_doubt.columns) & set(doubt.columns)
        for further_doubt in doubts
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
    figures: dict[str, list[str]] = {}
    keys = {name for key in table.usable_keys for name in key.columns}
    for column in table.columns:
        profile = column.profile
        if profile is not None and profile.determined_by and column.kind in _NUMBERS and column.name not in keys:
            figures.setdefault(profile.determined_by, []).append(column.name)
    for determinant, names in figures.items():
        number = table.column(determinant)
        profile = number.profile if number is not None else None
        again = table.rows - profile.distinct if table.rows and profile is not None else None
        yield Doubt(
            kind="repeated_values",
            table=table.name,
            columns=tuple(names),
            chosen=f"Values of {joined(names)} repeat on the rows of each {determinant}; every row counts.",
            rival=f"Ask to count each {determinant} once for the other figure.",
            rows=again,
            share=again / table.rows if again is not None and table.rows else None,
            correction=Correction(setting="once", value=determinant),
        )


def _equal_tables(tables: Sequence[Table]) -> Iterator[Doubt]:
    """Tables with the same columns, as of a file for each year or a sheet for each month: a question reads one."""
    groups: dict[tuple[str, ...], list[Table]] = {}
    for table in tables:
        if len(table.columns) >= _COLUMNS_OF_PARTS_MIN and not table.is_view and table.part_of is None:
            groups.setdefault(tuple(column.name.casefold() for column in table.columns), []).append(table)
    for group in groups.values():
        for table in group if len(group) > 1 else ():
            siblings = [other_table for other_table in group if other_table is not table]
            listed = join_first([other_table.name for other_table in siblings], _NAMED_MAX)
            yield Doubt(
                kind="layout",
                table=table.name,
                chosen=f"{table.name} has the same columns as {listed}{_differing_types(table, siblings)}; "
                "each is a table of its own.",
                rival="They may be parts of one table.",
                rows=sum(other_table.rows or 0 for other_table in siblings),
            )


def _differing_types(table: Table, siblings: Sequence[Table]) -> str:
    """The columns that are of another type in one of the other tables, as words that follow their names."""
    names = [
        column.name
        for place, column in enumerate(table.columns)
        if any(column.kind != other_table.columns[place].kind for other_table in siblings)
    ]
    return f", with other types in {join_first(names, _NAMED_MAX)}" if names else ""


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
            correction=Correction(setting="column", value=column.name),
        )
