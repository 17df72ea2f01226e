"""What a notebook needs to open a source by itself. Values only; the packages that know the sources make them."""

from __future__ import annotations

import re
from dataclasses import dataclass
from typing import Literal
from urllib.parse import parse_qsl, urlencode, urlsplit, urlunsplit

Kind = Literal["sqlite", "duckdb", "files", "server", "combined"]

_SECRET_KEY = re.compile(r"(?i)pass|pwd|secret|token|key|credential")


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookColumn:
    """A column of a table that was loaded from a file.

    Attributes:
        name: Its name in the table.
        type: The DuckDB type it has in the table; empty where the file itself has types.
        sql: The DuckDB expression that made it from the column of text of the same name. Empty: a plain cast to
            `type`, which fails loudly where a value does not fit.
    """

    name: str
    type: str = ""
    sql: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookTable:
    """A table that was loaded from a file.

    Attributes:
        name: Its name in SQL.
        file: The file's name, without its folder.
        format: How to read it: "csv", "excel", "parquet", "arrow", "json", or that of one of the source's readers.
        columns: Its columns, in order. Parquet, Arrow and JSON need none.
        sheet: The sheet of a workbook; None for the only one that holds data.
        cells: Where the table stands on its sheet, counted from 0: ranges of rows (the first, and the one after the
            last), columns, and cells that stand for those below them (column, row, last row).
        layout: Of delimited text: its encoding, its delimiter, whether it has a header, the lines skipped above it.
        first: Of delimited text: how many lines stand above its first row.
        fields: Of delimited text: the cells of its widest line, which the raw text calls c1, c2, ...; 0 where a line
            is one cell, called line.
        where: A condition on the columns before they are typed that its rows meet; empty for all rows.
        select: The query over `$raw`, the file as DuckDB reads it, that gives the columns before they are typed; empty
            for all of it.
        member: The path of the file in the archive `file`; empty where it lies in none.
        part: Of a format with a reader: which of its tables it is, counted from 0.
    """

    name: str
    file: str
    format: str
    columns: tuple[NotebookColumn, ...] = ()
    sheet: str | None = None
    cells: tuple[tuple[tuple[int, int], ...], tuple[int, ...], tuple[tuple[int, int, int], ...]] | None = None
    layout: tuple[str, str, bool, int] | None = None
    first: int = 0
    fields: int = 0
    where: str = ""
    select: str = ""
    member: str = ""
    part: int = 0


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookReader:
    """Code that reads files of a format that DuckDB does not read itself.

    Attributes:
        format: The format of the tables that it reads.
        code: Python that defines `read_tables`, from a path to a list of names and Arrow tables.
        packages: What it imports, by the names they are installed by.
    """

    format: str
    code: str
    packages: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookCover:
    """A query of the session on a source with masked columns.

    Attributes:
        sql: The query, as it ran.
        columns: The columns that it gave; should it give others when it is run again, nothing is shown.
        masked: The places of the masked ones among them, from 0.
    """

    sql: str
    columns: tuple[str, ...]
    masked: tuple[int, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotebookSource:
    """A source, as the notebook opens it.

    Attributes:
        name: As in `query(sql, source=name)`.
        kind: How it is opened.
        at: The path of the database, of the file or of the folder of files; for a server its URL. A password in it
            never reaches the notebook.
        dialect: sqlglot's word for its SQL, for people.
        tables: What is loaded; for `files` only.
        readers: What reads the files of its further formats.
        masked: Columns whose values are never shown, as `table.column`.
        covers: The queries of the session. Where something is masked, no other query is run.
        parts: Of kind "combined": the sources that are asked together.
        places: Of kind "combined": each table with its part, its schema there or "", and its name there.
    """

    name: str
    kind: Kind
    at: str
    dialect: str = ""
    tables: tuple[NotebookTable, ...] = ()
    readers: tuple[NotebookReader, ...] = ()
    masked: tuple[str, ...] = ()
    covers: tuple[NotebookCover, ...] = ()
    parts: tuple[NotebookSource, ...] = ()
    places: tuple[tuple[str, str, str, str], ...] = ()


def without_password(at: str) -> str:
    """A URL without its password and without secrets in its options; a path stays as it is."""
    if "://" not in at:
        return at
    parts = urlsplit(at)
    user, separator, host = parts.netloc.rpartition("@")
    options = [(key, value) for key, value in parse_qsl(parts.query) if not _SECRET_KEY.search(key)]
    return urlunsplit(
        parts._replace(netloc=f"{user.split(':', 1)[0]}{separator}{host}", query=urlencode(options), fragment="")
    )
