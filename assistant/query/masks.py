"""Masked columns of a source: entries of the setting `mask`, matched with its catalog. Pure."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from difflib import get_close_matches

from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import SourceError
from assistant.core.doubts import Doubt

PLACEHOLDER = "•••"
"""What stands in the place of a masked value; NULL stays NULL."""

_CODE_LABELS = re.compile(r"(?:^|; )[^;=]{1,80} = .*", re.DOTALL)
"""What the readers of statistics files add to a column's label: `0 = no, 1 = yes`."""

Masks = Mapping[str, frozenset[str]]
"""Masked columns by table, all in lower case."""

MasksNow = Callable[[], Sequence[str]]
"""Gives the entries of the setting `mask` as they are at this moment; while a program runs they only grow."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Stray:
    """An entry of the setting that names no column: it protects nothing. `meant` is the nearest name, if any is."""

    entry: str
    suggestion: str = ""


def find_masks(mask: Sequence[str], catalog: Catalog) -> Masks:
    """The masked columns of a source as they are named; `mask_inheritance` adds what shows them, too.

    Args:
        mask: `table.column` or `source.table.column`, as in the settings.
        catalog: The source's catalog.

    Raises:
        SourceError: An entry names a column that does not exist: it would protect nothing.
    """
    if not mask:
        return {}
    masks: dict[str, set[str]] = {}
    by_name = _index_columns(catalog)
    for entry in mask:
        places = by_name.get(entry.casefold())
        if places is None and _is_ours(entry, catalog):
            suggestion = _find_nearest(entry, [catalog])
            raise SourceError(
                f"The setting `mask` names {entry!r}, but {catalog.source!r} has no such column. "
                + (
                    f"Did you mean {suggestion!r}?"
                    if suggestion
                    else "Write it as table.column or source.table.column."
                )
            )
        for table, column in places or ():
            masks.setdefault(table.name.casefold(), set()).add(column.name.casefold())
    return {table: frozenset(columns) for table, columns in masks.items()}


def find_strays(mask: Sequence[str], catalogs: Sequence[Catalog]) -> tuple[Stray, ...]:
    """The entries that name no column of any of these sources, each with what was probably meant."""
    names = {name for catalog in catalogs for name in _index_columns(catalog)}
    return tuple(
        Stray(entry=entry, suggestion=_find_nearest(entry, catalogs)) for entry in mask if entry.casefold() not in names
    )


def is_masked(masks: Masks, table: Table, column: Column) -> bool:
    """Whether a column is masked by its table's name."""
    return column.name.casefold() in masks.get((table.stored or table.name).casefold(), frozenset())


def describe_mask(table: str, column: str, *, inherits: bool = False) -> str:
    """What is said of a masked column where its source is described; the log keeps it.

    Args:
        table: Its table.
        column: Its name.
        inherits: Whether it is masked because it shows another column that is.
    """
    why = " because it shows a masked column" if inherits else ""
    return f"{table}.{column} is masked{why}: its values never leave the source, {PLACEHOLDER} stands for them"


def read_noted_masks(notes: Sequence[str], tables: Mapping[str, Sequence[str]], *, inherited: bool = True) -> Masks:
    """The masked columns of a source, by what was noted of it when it was added.

    Args:
        notes: Its notes.
        tables: Its columns by table.
        inherited: Whether columns count that are masked because they show another column.
    """
    note_set = set(notes)
    masks = {
        table.casefold(): frozenset(
            column.casefold()
            for column in columns
            if describe_mask(table, column) in note_set
            or (inherited and describe_mask(table, column, inherits=True) in note_set)
        )
        for table, columns in tables.items()
    }
    return {table: columns for table, columns in masks.items() if columns}


def exclude_masked_values(catalog: Catalog, masks: Masks) -> Catalog:
    """The catalog, with no value of a masked column in any profile; a view may show it by another name."""
    return replace(
        catalog,
        tables=tuple(_without_values(table, masks) for table in catalog.tables),
        doubts=exclude_masked_doubts(catalog.doubts, masks),
    )


def exclude_masked_doubts(doubts: Iterable[Doubt], masks: Masks) -> tuple[Doubt, ...]:
    """The doubts about columns that are not masked: what a doubt says of a column may be its values.

    Of rows that were left out beside masked columns it stays how many they are: a doubt quotes such a row whole.
    """
    return tuple(
        _without_quote(doubt, masks)
        for doubt in doubts
        if not {name.casefold() for name in doubt.columns} & masks.get(doubt.table.casefold(), frozenset())
    )


def _without_quote(doubt: Doubt, masks: Masks) -> Doubt:
    is_masked_there = masks.get(doubt.table.casefold()) if doubt.table else any(masks.values())
    if doubt.kind != "rows_left_out" or not is_masked_there:
        return doubt
    rows = f"{doubt.rows:,} {'row' if doubt.rows == 1 else 'rows'}" if doubt.rows else "Rows"
    return doubt.model_copy(update={"chosen": f"{rows} left out; what stood there is masked.", "rival": ""})


def _without_values(table: Table, masks: Masks) -> Table:
    opaque = bool(masks) and (table.is_view or table.is_foreign)
    columns = tuple(
        _without_values_of(column) if opaque or is_masked(masks, table, column) else column for column in table.columns
    )
    return replace(table, columns=columns)


def _without_values_of(column: Column) -> Column:
    """A column without any of its values; the labels of an enumeration are such, and so are those of codes."""
    column = replace(column, comment=_CODE_LABELS.sub("", column.comment))
    kind = "ENUM" if column.type.upper().startswith("ENUM(") else column.type
    if column.profile is None:
        return replace(column, type=kind)
    profile = replace(column.profile, low=None, high=None, top=(), values=None, json_keys=())
    return replace(column, type=kind, profile=profile)


def _list_names(catalog: Catalog, table: Table) -> Iterator[str]:
    """How an entry may call a table, in lower case."""
    places = [table.name] if table.schema is None else [table.name, f"{table.schema}.{table.name}"]
    for place in places:
        yield place.casefold()
        yield f"{catalog.source}.{place}".casefold()


def _index_columns(catalog: Catalog) -> dict[str, list[tuple[Table, Column]]]:
    """The columns by all names that an entry may call them."""
    by_name: dict[str, list[tuple[Table, Column]]] = {}
    for table in catalog.tables:
        for name in _list_names(catalog, table):
            for column in table.columns:
                by_name.setdefault(f"{name}.{column.name.casefold()}", []).append((table, column))
    return by_name


def _is_ours(entry: str, catalog: Catalog) -> bool:
    """Whether an entry that names no column speaks of this source: by its name, or by one of its tables."""
    name_folded = entry.casefold()
    if name_folded.count(".") >= 2 and name_folded.startswith(f"{catalog.source.casefold()}."):
        return True
    return any(
        name_folded.rpartition(".")[0] == name for table in catalog.tables for name in _list_names(catalog, table)
    )


def _find_nearest(entry: str, catalogs: Sequence[Catalog]) -> str:
    """The column whose name is most like an entry's, as an entry of the same length would call it."""
    folded = entry.casefold()
    names = [name for catalog in catalogs for name in _index_columns(catalog) if name.count(".") == folded.count(".")]
    names = names or [name for catalog in catalogs for name in _index_columns(catalog)]
    return next(iter(get_close_matches(folded, names, n=1, cutoff=0.6)), "")
