"""The result of loading files: a database, how its tables were made, and what was guessed. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path

from assistant.core.doubts import Doubt


@dataclass(frozen=True, slots=True, kw_only=True)
class SheetCells:
    """Where a table stands on a sheet; rows and columns are counted from 0.

    Attributes:
        rows: Ranges of its rows: the first of each, and the one after its last.
        columns: Its columns.
        fills: Cells that stand for those below them: column, row, and the last row that it stands for.
    """

    rows: tuple[tuple[int, int], ...]
    columns: tuple[int, ...]
    fills: tuple[tuple[int, int, int], ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTable:
    """How one table was made, so that it can be made again from the same file elsewhere.

    Attributes:
        name: Its name in SQL.
        file: The file's name, without its folder.
        format: A value of `FILE_SUFFIXES`.
        columns: Name, DuckDB type and expression over the raw columns, in order; empty where the file has types.
        sheet: The sheet of a workbook.
        cells: Where the table stands on its sheet.
        layout: Of delimited text: its encoding, its delimiter, whether it has a header, the lines skipped above it.
        first: Of delimited text: how many lines stand above its first row.
        fields: Of delimited text: the cells of its widest line, which the raw text calls c1, c2, ...; 0 where a line
            is one cell, called line.
        where: A condition on the columns before they are typed that its rows meet; empty where it has all rows.
        others: The sheets of the workbook that a person left out.
        select: The query over `$raw`, the file as DuckDB reads it, that gives the columns before they are typed; empty
            for all of it.
        member: The path of the file in the archive `file`; empty where it lies in none. `format` is that of the member.
        part: Of further formats: which of the tables that the format's reader gives, counted from 0.
    """

    name: str
    file: str
    format: str
    columns: tuple[tuple[str, str, str], ...] = ()
    sheet: str | None = None
    cells: SheetCells | None = None
    layout: tuple[str, str, bool, int] | None = None
    first: int = 0
    fields: int = 0
    where: str = ""
    others: tuple[str, ...] = ()
    select: str = ""
    member: str = ""
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A database made from files, how its tables were made, and what was guessed while making them.

    Attributes:
        path: The database.
        notes: What is said of the reading; the sentence of every doubt is one of them.
        tables: How each table was made.
        doubts: What may be wrong, or changed the set of rows.
        in_place: The files that it reads whenever it is asked; of all others it holds a copy.
    """

    path: Path
    notes: tuple[str, ...]
    tables: tuple[LoadedTable, ...]
    doubts: tuple[Doubt, ...] = ()
    in_place: tuple[Path, ...] = ()
