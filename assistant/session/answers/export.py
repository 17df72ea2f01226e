"""Exports a session as a notebook that opens the session's sources.

It converts the sources of the session into sources that a notebook opens by itself. `assistant.output.notebook` writes
the notebook.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TypedDict

from assistant.core.catalog import Catalog, Column, Table
from assistant.core.data_errors import QueryRefused
from assistant.core.events import Entry, QueryRun, SourceAdded
from assistant.core.turns import fold_session
from assistant.output.notebook.builder import build, to_bytes
from assistant.output.notebook.drawing import png_of
from assistant.output.notebook.sources import (
    NotebookColumn,
    NotebookCover,
    NotebookReader,
    NotebookSource,
    NotebookTable,
)
from assistant.query.mask_rules import find_masked_outputs
from assistant.query.masks import read_noted_masks
from assistant.sources.addresses import SourceAddress
from assistant.sources.reading.formats.readers import READERS
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.loading import load_files


def notebook_of(
    entries: Sequence[Entry], addresses: Sequence[SourceAddress], *, loaded_in: Callable[[SourceAddress], Path]
) -> bytes:
    """The bytes of a session's `.ipynb` file. Blocks.

    Args:
        entries: the session's log.
        addresses: its sources, in the order they were added.
        loaded_in: where the database of a file source is kept.
    """
    transcript = fold_session(entries)
    added = {source.name: source for source in transcript.sources}
    ran = [run for turn in transcript.turns for run in turn.queries]
    sources = [
        replace(_source(address, loaded_in(address), added.get(address.name)), **_masks(added.get(address.name), ran))
        for address in addresses
    ]
    return to_bytes(build(entries, sources, draw=png_of))


def _source(address: SourceAddress, loaded: Path, added: SourceAdded | None) -> NotebookSource:
    """How the notebook opens a source; of one that is asked together with others, how it opens each."""
    tables = _tables(address, loaded) if address.kind == "files" else ()
    return NotebookSource(
        name=address.name,
        kind=address.kind,
        at="" if address.parts else _place(address),
        dialect=added.dialect if added is not None else "",
        tables=tables,
        readers=notebook_readers(tables),
        parts=tuple(_source(part, loaded, None) for part in address.parts),
        places=tuple((table.name, *table.at) for table in added.tables if len(table.at) == 3) if added else (),
    )


def _place(address: SourceAddress) -> str:
    """Where a notebook finds a source: a URL, a file, or the folder of several files."""
    if address.secret:
        return address.secret
    return str(address.files[0] if len(address.files) == 1 else address.files[0].parent)


def _tables(address: SourceAddress, loaded: Path) -> tuple[NotebookTable, ...]:
    """How the files of a source became tables."""
    return tuple(map(notebook_table, load_files(address, loaded).tables))


def notebook_table(table: LoadedTable) -> NotebookTable:
    """How a table that was loaded is made again in a notebook."""
    return NotebookTable(
        name=table.name,
        file=table.file,
        format=table.format,
        sheet=table.sheet,
        cells=(table.cells.rows, table.cells.columns, table.cells.fills) if table.cells else None,
        layout=table.layout,
        first=table.first,
        fields=table.fields,
        where=table.where,
        select=table.select,
        member=table.member,
        part=table.part,
        columns=tuple(NotebookColumn(name=name, type=kind, sql=sql) for name, kind, sql in table.columns),
    )


def notebook_readers(tables: Sequence[NotebookTable]) -> tuple[NotebookReader, ...]:
    """The code that reads the files of further formats."""
    formats = dict.fromkeys(table.format for table in tables if table.format in READERS)
    return tuple(
        NotebookReader(format=name, code=READERS[name].code(), packages=READERS[name].packages) for name in formats
    )


class _Masks(TypedDict):
    masked: tuple[str, ...]
    covers: tuple[NotebookCover, ...]


def _masks(added: SourceAdded | None, ran: Sequence[QueryRun]) -> _Masks:
    """What was masked in a source, and where that stands in the results of the queries that ran on it."""
    masks = read_noted_masks(added.notes, {table.name: table.columns for table in added.tables}) if added else {}
    if added is None or not masks:
        return {"masked": (), "covers": ()}
    tables = tuple(
        Table(name=table.name, columns=tuple(Column(name=name, type="", kind="text") for name in table.columns))
        for table in added.tables
    )
    catalog = Catalog(source=added.name, dialect=added.dialect, tables=tables)
    covers: dict[str, NotebookCover] = {}
    for run in ran:
        if run.source != added.name:
            continue
        try:
            cover = find_masked_outputs(run.sql, dialect=added.dialect, catalog=catalog, masks=masks)
        except QueryRefused:
            continue  # it ran before the column was masked: here it is refused
        hidden = tuple(place for place, masked in enumerate(cover.masked) if masked)
        covers[run.sql] = NotebookCover(sql=run.sql, columns=run.columns, masked=hidden)
    entries = tuple(f"{table}.{column}" for table, columns in masks.items() for column in sorted(columns))
    return {"masked": entries, "covers": tuple(covers.values())}
