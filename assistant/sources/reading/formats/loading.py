"""Loads files of further formats: labels become comments, and what was left out is said."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING, Protocol
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import join_first, joined
from assistant.query.quoting import literal, quoted
from assistant.sources.file_names import file_format, stem
from assistant.sources.reading.encodings import decoding_of
from assistant.sources.reading.file_limits import check_lines, unpacked
from assistant.sources.reading.formats.access_logs import ACCESS_LOG_SELECT, access_log_doubts, is_access_log
from assistant.sources.reading.formats.archives import Archive
from assistant.sources.reading.formats.cells import select_cells
from assistant.sources.reading.formats.readers import READERS
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.sidecar import Sidecar, beside
from assistant.sources.reading.text_tables import fill_in, reader_sql
from assistant.sources.reading.texts import rewrite
from assistant.sources.reading.unfolding import Unfolded, unfolded

if TYPE_CHECKING:
    from assistant.core.values import ArrowTable

_RAW = "raw_table"
_NAMED_MAX = 4
_HEAD_BYTES = 512
_SCALE_MIN = 3
"""Codes of fewer labels are no scale: nobody computes with the codes of yes and no."""
_DAYS = ("DATE", "TIMESTAMP", "TIMESTAMPTZ")
_CODED = ("integer", "number")


class LoadTexts(Protocol):
    """Makes a table of a query that gives texts; a report may have rows of totals, which are left out."""

    def __call__(
        self, file: Path, table: LoadedTable, select: str, sidecar: Sidecar, *, is_report: bool = False
    ) -> None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadTarget:
    """Where tables of a load go, and what the load does with files of the first formats.

    Attributes:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
        meter: Is told what is done.
        tables: How each table was made.
        notes: What is said of files.
        load_file: Makes the tables of a file that lies in another.
        load_text: Makes the table of delimited text: of a file, and the same file unpacked.
        load_texts: Makes a table, in the types that fit, of a query that gives texts.
        name_table: Gives a table a name that no other has.
        note: Keeps what is said of a file.
        doubt: Keeps a decision about a file that may be wrong.
    """

    con: duckdb.DuckDBPyConnection
    folder: Path
    meter: Meter
    tables: list[LoadedTable]
    notes: list[str]
    load_file: Callable[[Path, Sidecar], None]
    load_text: Callable[[Path, Path, Sidecar], None]
    load_texts: LoadTexts
    name_table: Callable[[str], str]
    note: Callable[[Path, str], None]
    doubt: Callable[[Path, Doubt], None]


def is_markup(file: Path) -> bool:
    """Whether a file is HTML, whatever its name says: programs of the web write it and call it .xls."""
    with file.open("rb") as opened:
        head = opened.read(_HEAD_BYTES).lstrip(b"\xef\xbb\xbf \t\r\n").lower()
    return head.startswith((b"<html", b"<!doctype html", b"<table", b"<meta", b"<head"))


def load_format(target: LoadTarget, file: Path, sidecar: Sidecar, *, kind: str = "") -> None:
    """Make the tables of a file of a further format.

    Args:
        target: Where they go.
        file: The file.
        sidecar: What a person says about it.
        kind: Its format, where its name says another.

    Raises:
        SourceError: It cannot be read; the message names it.
    """
    kind = kind or file_format(file) or ""
    target.meter.step("unpacking")
    if kind == "archive":
        _load_archive(target, file, sidecar)
        return
    try:
        _load_tables(target, file, kind, sidecar)
    except (SourceError, MemoryError, duckdb.Error, OSError, EOFError):
        raise
    except Exception as problem:  # noqa: BLE001  # whatever a file can have a reader raise, it is the file that says it
        reason = f"it is not built as its format says ({type(problem).__name__})"
        raise SourceError(f"{file.name!r} cannot be read: {reason}. Check that the file is whole.") from None


def _load_tables(target: LoadTarget, file: Path, kind: str, sidecar: Sidecar) -> None:
    with unpacked(file, target.folder) as plain:
        if kind == "log":
            _load_log(target, file, plain, sidecar)
            return
        target.meter.step("rows")
        try:
            tables = READERS[kind].read_tables(plain)
        except ValueError as problem:
            raise SourceError(f"{file.name!r} {str(problem).rstrip('. ')}.") from None
    titles = _titles(file, [name for name, _ in tables], is_named=READERS[kind].values == "declared")
    names = [title for title, _ in titles]
    if strange := next((name for name in sidecar.sheets if name not in names), None):
        raise SourceError(f"{beside(file).name!r} names the table {strange!r}; {file.name!r} has {_few(names)}.")
    unread_parts = tuple(name for name in names if sidecar.sheets and name not in sidecar.sheets)
    for place, ((title, name), (_, table)) in enumerate(zip(titles, tables, strict=True)):
        if title in unread_parts:
            continue
        loaded_table = LoadedTable(
            name=name,
            file=file.name,
            format=kind,
            sheet=title if len(tables) > 1 else None,
            others=unread_parts,
            part=place,
        )
        target.con.register(_RAW, table)
        try:
            _load_part(target, file, loaded_table, table, sidecar)
        finally:
            target.con.unregister(_RAW)


def _titles(file: Path, names: Sequence[str], *, is_named: bool) -> list[tuple[str, str]]:
    """The tables of a file, each with the title that a person knows it by and the name that it should have."""
    if len(names) == 1 and not is_named:
        return [(names[0] or stem(file), stem(file))]
    titles: list[tuple[str, str]] = []
    for place, name in enumerate(names, start=1):
        base = name or f"{stem(file)} {place}"
        title, number = base, 2
        while any(title == used_title for used_title, _ in titles):
            title, number = f"{base} {number}", number + 1
        titles.append((title, title))
    return titles


def _load_part(target: LoadTarget, file: Path, loaded_table: LoadedTable, table: ArrowTable, sidecar: Sidecar) -> None:
    match READERS[loaded_table.format].values:
        case "typed":
            _make_tables(target, file, loaded_table, table, sidecar)
        case "texts":
            loaded_table = replace(loaded_table, name=target.name_table(loaded_table.name), select="SELECT * FROM $raw")
            target.load_texts(file, loaded_table, f"SELECT * FROM {_RAW}", sidecar)
        case "declared":
            _load_declared(target, file, loaded_table, _FieldMetadata(table), sidecar)
        case "cells":
            select, doubts = select_cells(table)
            loaded_table = replace(loaded_table, name=target.name_table(loaded_table.name), select=select)
            for doubt in doubts:
                target.doubt(file, doubt.model_copy(update={"table": loaded_table.name}))
            target.load_texts(file, loaded_table, fill_in(select, _RAW), sidecar, is_report=True)


def _load_declared(
    target: LoadTarget, file: Path, table: LoadedTable, metadata: _FieldMetadata, sidecar: Sidecar
) -> None:
    """A table whose columns have the types that are declared for them, where all their values fit."""
    name = target.name_table(table.name)
    columns = [f"{_declared(target, file, name, column, metadata)} AS {quoted(column)}" for column in metadata.names()]
    texts = {column: "text" for column in metadata.names() if metadata.value(column, "type") == "VARCHAR"}
    select = f"SELECT {', '.join(columns)} FROM $raw"
    typed_sidecar = sidecar.model_copy(update={"types": {**texts, **sidecar.types}})
    target.load_texts(file, replace(table, name=name, select=select), fill_in(select, _RAW), typed_sidecar)
    _comment(target.con, name, metadata)
    if keys := metadata.value("", "key"):
        _declare_key(target, file, name, keys.split("\n"))
    if expressions := metadata.value("", "expressions"):
        many = "1 value is an expression, which is" if expressions == "1" else f"{expressions} values are expressions,"
        many = many if expressions == "1" else f"{many} which are"
        assumption = f"{many} not computed but left empty."
        target.doubt(file, Doubt(kind="not_read", table=name, chosen=assumption))
    if unread := metadata.value("", "unread").replace("\n", ", "):
        doubt = Doubt(kind="not_read", chosen=f"Statements of the dump that are not run: {unread}.")
        if not any(note.endswith(doubt.sentence) for note in target.notes):
            target.doubt(file, doubt)


def _declared(target: LoadTarget, file: Path, table: str, column: str, metadata: _FieldMetadata) -> str:
    """The SQL of a column in its declared type; as text where that loses values."""
    kind, value = metadata.value(column, "type"), quoted(column)
    if kind in ("", "VARCHAR"):
        return value
    typed = f"TRY_CAST({_without_zero_day(value) if kind in _DAYS else value} AS {kind})"
    unfit_sql = f"SELECT count(*), any_value({value}) FROM {_RAW} WHERE {value} IS NOT NULL AND {typed} IS NULL"
    if kind in _DAYS:
        unfit_sql += f" AND {value} NOT LIKE '0000-00-00%'"
    ((rows, example),) = target.con.execute(unfit_sql).fetchall()
    if not rows:
        return typed
    many = f"1 value, {str(example)[:40]!r}, is" if rows == 1 else f"{rows:,} values such as {str(example)[:40]!r} are"
    assumption = f"{column!r} is declared as {kind}, which {many} not."
    target.doubt(file, Doubt(kind="column_type", table=table, columns=(column,), chosen=assumption, rows=rows))
    return value


def _declare_key(target: LoadTarget, file: Path, table: str, keys: Sequence[str]) -> None:
    try:
        target.con.execute(f"ALTER TABLE {quoted(table)} ADD PRIMARY KEY ({', '.join(map(quoted, keys))})")
    except duckdb.Error:
        assumption = f"The declared key of {table!r}, {_few(keys)}, does not tell its rows apart."
        target.doubt(file, Doubt(kind="declared_key", table=table, columns=tuple(keys), chosen=assumption))


def _without_zero_day(value: str) -> str:
    """MySQL writes a day that is missing as zeros."""
    return f"CASE WHEN {value} NOT LIKE '0000-00-00%' THEN {value} END"


def _load_log(target: LoadTarget, file: Path, plain: Path, sidecar: Sidecar) -> None:
    """The table of a web server's log; a file of another kind of lines is delimited text."""
    if not is_access_log(plain):
        target.load_text(file, plain, sidecar)
        return
    readable = target.folder / f".{uuid4().hex}.log"
    decoding = decoding_of(plain)
    try:
        rewrite(plain, decoding.codec, readable)
        reader = f"{reader_sql(readable, ',', fields=0, first=0)})"
        check_lines(readable, file)
        table = LoadedTable(
            name=target.name_table(stem(file)),
            file=file.name,
            format="csv",
            layout=(decoding.codec, ",", False, 0),
            select=ACCESS_LOG_SELECT,
        )
        target.meter.step("rows")
        target.con.execute(f"CREATE TABLE {quoted(table.name)} AS {fill_in(table.select, reader)}")
        target.tables.append(table)
        for doubt in access_log_doubts(target.con, reader, table.name):
            target.doubt(file, doubt)
    finally:
        readable.unlink(missing_ok=True)


def _load_archive(target: LoadTarget, file: Path, sidecar: Sidecar) -> None:
    """The tables of the files in an archive, which are unpacked one after the other."""
    failures: list[str] = []
    before = len(target.tables)
    target.meter.step("unpacking")
    try:
        with Archive(file) as archive:
            for member in archive.members:
                with archive.unpacked(member, target.folder) as plain:
                    try:
                        _load_member(target, file, member.path, plain, sidecar)
                    except SourceError as problem:
                        failures.append(str(problem).replace(beside(plain).name, beside(file).name))
            unread = archive.unread
    except ValueError as problem:
        raise SourceError(f"{file.name!r} {problem}.") from None
    if len(target.tables) == before:
        reason = failures[0] if failures else f"It holds {_few([name for name, _ in unread]) or 'nothing'}."
        raise SourceError(f"{file.name!r} holds no file that can be read as a table. {reason}")
    if unread or failures:
        reasons = " ".join(failures[:1]) or f"{unread[0][0]!r} {unread[0][1]}."
        names = _few([name for name, _ in unread]) or f"{len(failures)} files"
        target.doubt(file, Doubt(kind="not_read", chosen=f"Not read from the archive: {names}. {reasons}"))


def _load_member(target: LoadTarget, file: Path, path: str, plain: Path, sidecar: Sidecar) -> None:
    tables, notes = len(target.tables), len(target.notes)
    target.load_file(plain, sidecar)
    target.tables[tables:] = [replace(table, file=file.name, member=path) for table in target.tables[tables:]]
    target.notes[notes:] = [
        f"{file.name}: {note}".replace(beside(plain).name, beside(file).name) for note in target.notes[notes:]
    ]


def _few(names: Sequence[str]) -> str:
    return join_first([*map(repr, names)], _NAMED_MAX)


def _make_tables(target: LoadTarget, file: Path, part: LoadedTable, table: ArrowTable, sidecar: Sidecar) -> None:
    """The tables of one part of a file: several where its records hold lists of records."""
    metadata = _FieldMetadata(table)
    coded = {name.casefold() for name, kind in sidecar.types.items() if kind in _CODED}
    strange = {name.casefold() for name in sidecar.types} - {name.casefold() for name in table.column_names}
    if strange:
        column_names = joined([repr(name) for name in metadata.names()])
        raise SourceError(
            f"{beside(file).name!r} tells the type of {min(strange)!r}; {file.name!r} has {column_names}."
        )
    parts = (
        unfolded(target.con, _RAW, part.name)
        if _is_nested(table)
        else (Unfolded(name=part.name, select=metadata.select(coded), is_unfolded=False),)
    )
    for unfolded_table in parts:
        name = target.name_table(unfolded_table.name)
        target.con.execute(f"CREATE TABLE {quoted(name)} AS {fill_in(unfolded_table.select, _RAW)}")
        target.tables.append(
            LoadedTable(name=name, file=file.name, format=part.format, part=part.part, select=unfolded_table.select)
        )
        _comment(target.con, name, metadata)
        for doubt in metadata.doubts(name, coded):
            target.doubt(file, doubt)
        ((rows,),) = target.con.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        if not rows:
            target.note(file, f"the table {name!r} has columns but not a single row")
    if len(parts) > 1:
        target.note(file, f"nested values unfolded; its tables: {', '.join(table.name for table in parts)}")


def _is_nested(table: ArrowTable) -> bool:
    import pyarrow as pa

    return any(pa.types.is_nested(field.type) for field in table.schema)


def _comment(con: duckdb.DuckDBPyConnection, table: str, metadata: _FieldMetadata) -> None:
    if label := metadata.label():
        con.execute(f"COMMENT ON TABLE {quoted(table)} IS {literal(label)}")
    columns = {str(name) for name, *_ in con.execute(f"DESCRIBE {quoted(table)}").fetchall()}
    for name in metadata.names():
        if name in columns and (label := metadata.label(name)):
            con.execute(f"COMMENT ON COLUMN {quoted(table)}.{quoted(name)} IS {literal(label)}")


class _FieldMetadata:
    """What a reader says of the fields of a table."""

    def __init__(self, table: ArrowTable) -> None:
        self._schema = table.schema
        self._codes: dict[str, str] = {}
        for field in table.schema:
            if code := self.value(field.name, "codes"):
                self._codes[field.name] = code

    def names(self) -> list[str]:
        """The columns, without those that hold codes of others."""
        codes = set(self._codes.values())
        return [name for name in self._schema.names if name not in codes]

    def label(self, name: str = "") -> str:
        """What describes a column, or the table."""
        return self.value(name, "label")

    def select(self, coded: set[str]) -> str:
        """The query over `$raw` that reads labels, and codes of the columns that a person reads as numbers."""
        if not self._codes:
            return "SELECT * FROM $raw"
        columns = [
            f"{quoted(self._codes[name])} AS {quoted(name)}"
            if name in self._codes and name.casefold() in coded
            else quoted(name)
            for name in self.names()
        ]
        return f"SELECT {', '.join(columns)} FROM $raw"

    def doubts(self, table: str, coded: set[str]) -> Iterator[Doubt]:
        """What may be wrong, or was left out."""
        labelled = [
            name
            for name in self._codes
            if name.casefold() not in coded and self.value(name, "label").count(" = ") >= _SCALE_MIN
        ]
        if labelled:
            yield Doubt(
                kind="column_type",
                table=table,
                columns=tuple(labelled),
                chosen=f"The values of {_few(labelled)} are shown by their labels.",
                rival="As codes they are numbers that can be averaged.",
                correction=Correction(setting="types", value=dict.fromkeys(labelled, "integer")),
            )
        for name in self.names():
            if missing_count := self.value(name, "missing"):
                rows, _, values = missing_count.partition(" ")
                yield Doubt(
                    kind="missing_values",
                    table=table,
                    columns=(name,),
                    chosen=f"The file declares {values} as missing in {name!r}: empty in {rows} "
                    f"{'row' if rows == '1' else 'rows'}.",
                    rows=int(rows),
                )

    def value(self, name: str, key: str) -> str:
        """One of the metadata of a column, or of the table."""
        metadata = self._schema.field(name).metadata if name else self._schema.metadata
        return (metadata or {}).get(key.encode(), b"").decode() if metadata else ""
