"""Make tables of files: text, workbooks, Parquet, Arrow and JSON, each table in the types that fit its values.

Delimited text is read as text first and then looked into column by column; the work is DuckDB's, which reads in a
stream and spills to disk, so a large file does not need memory of its size. Where a sidecar says how to read a file,
that is done. Which types fit is found by `column_types`; keeping what was made is `loading`'s.
"""

from __future__ import annotations

import codecs
from collections.abc import Generator, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError, cleaned
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import joined
from assistant.sources.addresses import file_format, identifier, stem
from assistant.sources.reading.arrow_files import batches_of
from assistant.sources.reading.column_types import Fitting, literal, quoted, selected, selected_without
from assistant.sources.reading.encodings import Decoding, decoding_of, title_of
from assistant.sources.reading.file_limits import LINE_BYTES_MAX, check_lines, check_rows, check_workbook, unpacked
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.sidecar import Sidecar, beside, sidecar_of
from assistant.sources.reading.texts import Shape, head_of, is_binary, rewrite, shape_of
from assistant.sources.reading.totals import totals_of
from assistant.sources.reading.unfolding import unfolded

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.reading.workbooks import Sheet

_NAMED_MAX = 4
"""Columns of which the same is said are named up to so many."""


class Conversion:
    """One load: the connection, the table names given so far, and the notes.

    Args:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
        meter: Is told what is done.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path, meter: Meter) -> None:
        self._con = con
        self._folder = folder
        self._meter = meter
        self._taken: set[str] = set()
        self.notes: list[str] = []
        self.doubts: list[Doubt] = []
        self.tables: list[LoadedTable] = []

    def load(self, address: SourceAddress) -> None:
        """Make the tables of all files.

        Raises:
            SourceError: A file or its sidecar cannot be read; the message names it.
            duckdb.Error, OSError, EOFError: Likewise, in the words of the engine or the system.
        """
        for file in address.files:
            with self._meter.reading(file):
                self._load(file, sidecar_of(file))

    def _load(self, file: Path, said: Sidecar) -> None:
        if said != Sidecar():
            self._note(file, f"read as {beside(file).name} says")
        match file_format(file):
            case "csv":
                self._meter.step("unpacking")
                with unpacked(file, self._folder) as plain:
                    self._csv(file, plain, said)
            case "excel":
                self._workbook(file, said)
            case "parquet":
                self._meter.rows(check_rows(file, self._con))
                self._direct(file, f"read_parquet({literal(str(file))})")
            case "arrow":
                self._arrow(file)
            case _:
                self._meter.step("unpacking")
                with unpacked(file, self._folder) as plain:
                    self._direct(file, f"read_json_auto({literal(str(plain))}, maximum_object_size=67108864)")

    def _named(self, wanted: str) -> str:
        name, number = identifier(wanted), 2
        while name in self._taken:
            name, number = f"{identifier(wanted)}_{number}", number + 1
        self._taken.add(name)
        return name

    def _note(self, file: Path, text: str) -> None:
        self.notes.append(f"{file.name}: {text}")

    def _doubt(self, file: Path, doubt: Doubt) -> None:
        """Keep a decision that may be wrong; whoever reads notes reads it as well."""
        self.doubts.append(doubt)
        self._note(file, doubt.sentence)

    def _direct(self, file: Path, reader: str) -> None:
        kind = file_format(file) or ""
        self._meter.step("rows")
        try:
            tables = unfolded(self._con, reader, stem(file)) if kind == "json" else ()
            for table in tables:
                name = self._named(table.name)
                self._con.execute(f"CREATE TABLE {quoted(name)} AS {table.select.replace('$raw', reader)}")
                self.tables.append(LoadedTable(name=name, file=file.name, format=kind, select=table.select))
                self._say_if_empty(file, name)
            if len(tables) > 1 or any(table.is_unfolded for table in tables):
                shown = ", ".join(table.name for table in tables)
                self._note(file, f"nested values unfolded; its tables: {shown}")
            if not tables:
                name = self._named(stem(file))
                self._con.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM {reader}")
                self.tables.append(LoadedTable(name=name, file=file.name, format=kind))
                self._say_if_empty(file, name)
        except duckdb.Error as problem:
            said = cleaned(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
            reason = said.partition("Error: ")[2] or said
            shown = "JSON" if kind == "json" else "Parquet"
            raise SourceError(
                f"{file.name!r} cannot be read as {shown}: {reason.rstrip('. ')}. Check that the file is whole."
            ) from None

    def _arrow(self, file: Path) -> None:
        self._meter.step("rows")
        with batches_of(file, self._meter.read) as batches:
            self._con.register("arrow_batches", batches)
            try:
                name = self._named(stem(file))
                self._con.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arrow_batches")
            finally:
                self._con.unregister("arrow_batches")
            self.tables.append(LoadedTable(name=name, file=file.name, format="arrow"))
            self._say_if_empty(file, name)

    def _workbook(self, file: Path, said: Sidecar) -> None:
        from assistant.sources.reading.workbooks import read_sheets

        check_workbook(file)
        self._meter.step("rows")
        found = read_sheets(file, self._meter.read)
        sheets = _chosen(file, found, said)
        others = tuple(sheet.name for sheet in found if sheet not in sheets)
        for sheet in sheets:
            base = stem(file) if len(sheets) == 1 else sheet.name
            for note in sheet.notes:
                self._note(file, note)
            self._meter.rows(sheet.table.num_rows)
            self._con.register("sheet", sheet.table)
            with self._staged("SELECT * FROM sheet") as stage:
                name = self._named(base)
                where = self._without_totals(file, name, stage, said)
                made = LoadedTable(
                    name=name,
                    file=file.name,
                    format="excel",
                    sheet=sheet.name,
                    where=where,
                    others=others,
                )
                self._typed(file, stage, made, said, continental=said.decimal == ",")
            self._con.unregister("sheet")

    def _csv(self, file: Path, plain: Path, said: Sidecar) -> None:
        if not said.encoding and is_binary(plain):
            raise SourceError(
                f"{file.name!r} is no text, whatever its name says: it holds zero bytes. Name it by what it is "
                "(a workbook ends in .xlsx), or save it as CSV where it came from."
            )
        self._meter.step("checking")
        decoding = _told_decoding(said.encoding) if said.encoding else decoding_of(plain)
        encoding = decoding.codec
        readable = plain
        rewritten = self._folder / f".{uuid4().hex}.csv"
        try:
            if decoding.note:
                rewrite(plain, encoding, rewritten)
                readable = rewritten
                self._note(file, decoding.note)
            lines = check_lines(readable, file)
            head = head_of(readable, "utf-8-sig")
            shape = shape_of(head, delimiter=said.delimiter, header=said.header, skip=said.skip)
            if shape is None:
                raise SourceError(f"{file.name!r} holds nothing but blanks. Give a file with data in it.")
            self._meter.rows(max(0, lines - shape.skip - shape.has_header))
            self._delimited(file, readable, shape, encoding, said)
        finally:
            rewritten.unlink(missing_ok=True)

    def _delimited(self, file: Path, readable: Path, shape: Shape, encoding: str, said: Sidecar) -> None:
        if shape.delimiter != ",":
            shown = {"\t": "tab", ";": "semicolon", "|": "bar"}.get(shape.delimiter, repr(shape.delimiter))
            self._note(file, f"columns are separated by a {shown}")
        if shape.skip:
            self._note(file, f"{shape.skip} lines above the header skipped")
        if not shape.has_header:
            self._note(file, f"it has no header; the columns are named {shape.names[0]} and so on")
        columns = ", ".join(f"{literal(name)}: 'VARCHAR'" for name in shape.names)
        options = (
            f"delim={literal(shape.delimiter)}, quote='\"', escape='\"', header={str(shape.has_header).lower()}, "
            f"skip={shape.skip}, columns={{{columns}}}, auto_detect=false, null_padding=true, strict_mode=true, "
            f"ignore_errors=true, store_rejects=true, max_line_size={LINE_BYTES_MAX}"
        )
        try:
            stage_sql = f"SELECT * FROM read_csv({literal(str(readable))}, {options})"
            with self._staged(
                stage_sql, f"SELECT * FROM read_csv({literal(str(readable))}, {options}, parallel=false)"
            ) as stage:
                continental = said.decimal == "," if said.decimal else shape.delimiter == ";"
                layout = (encoding, shape.delimiter, shape.has_header, shape.skip)
                self._drop_blank_rows(file, stage, shape)
                name = self._named(stem(file))
                where = self._without_totals(file, name, stage, said)
                made = LoadedTable(name=name, file=file.name, format="csv", layout=layout, where=where)
                self._typed(file, stage, made, said, continental=continental)
                self._say_rejected(file)
        except duckdb.InvalidInputException as problem:
            reason = cleaned(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
            why = reason.partition("Error: ")[2] or reason
            raise SourceError(
                f"{file.name!r} cannot be read as a table: {why.rstrip('. ')}. Look at it in a text editor, and "
                "save it again as CSV where it came from."
            ) from None

    def _drop_blank_rows(self, file: Path, stage: str, shape: Shape) -> None:
        """Lines of delimiters alone, as spreadsheets leave them, are no rows."""
        if len(shape.names) == 1:
            return
        blank = " AND ".join(f"{quoted(name)} IS NULL" for name in shape.names)  # answered by the storage's statistics
        dropped = self._con.execute(f"DELETE FROM {stage} WHERE {blank}").fetchone()
        if dropped and dropped[0]:
            self._note(file, f"{dropped[0]:,} blank rows (delimiters alone) left out")

    def _without_totals(self, file: Path, name: str, stage: str, said: Sidecar) -> str:
        """The condition that keeps a table's own rows; empty where it has no total row, or a person wants it kept."""
        found = totals_of(self._con, stage)
        if found is None:
            return ""
        if said.totals == "keep":
            self._note(file, f"the row called {found.words[0]!r} counts like any other, as {beside(file).name} says")
            return ""
        rows = self._con.execute(f"SELECT count(*) FROM {stage}").fetchone()
        self._doubt(
            file,
            Doubt(
                kind="total_rows",
                table=name,
                chosen=found.note,
                rows=found.rows,
                share=found.rows / rows[0] if rows and rows[0] else None,
                correction=Correction(setting="totals", value="keep"),
            ),
        )
        return found.condition

    @contextmanager
    def _staged(self, *selects: str) -> Generator[str]:
        """The rows as they were read, in a database of their own, so that ours does not keep their room."""
        path = self._folder / f".{uuid4().hex}.stage.duckdb"
        self._meter.step("rows")
        self._con.execute(f"ATTACH {literal(str(path))} AS stage")
        try:
            for place, select in enumerate(selects, start=1):
                try:
                    self._con.execute(f"CREATE OR REPLACE TABLE stage.raw AS {select}")
                    break
                except duckdb.Error:
                    # A quoted line break cannot be read in parallel where rows are of uneven width.
                    if place == len(selects):
                        raise
            yield "stage.raw"
        finally:
            self._con.execute("DETACH stage")
            path.unlink(missing_ok=True)

    def _typed(self, file: Path, stage: str, made: LoadedTable, said: Sidecar, *, continental: bool) -> None:
        """Make the final table: every text column of the stage in the type that fits all its values, or is told.

        `made` says which, but for its columns.
        """
        described = self._con.execute(f"DESCRIBE {stage}").fetchall()
        if made.where:
            self._con.execute(f"DELETE FROM {stage} WHERE NOT ({made.where})")
        fitting = Fitting(self._con, stage)
        self._meter.step("types")
        missing = fitting.without(said.missing, {str(column): str(type_) for column, type_, *_ in described})
        types = {column.casefold(): kind for column, kind in said.types.items()}
        if made.sheet is None and (strange := set(types) - {str(column).casefold() for column, *_ in described}):
            known = ", ".join(repr(column) for column, *_ in described)
            raise SourceError(f"{beside(file).name!r} tells the type of {min(strange)!r}; {file.name!r} has {known}.")
        texts = [str(column) for column, type_, *_ in described if type_ == "VARCHAR"]
        guesses = fitting.guesses([c for c in texts if c.casefold() not in types], continental=continental)
        for column in texts:
            if column.casefold() in types:
                guesses[column] = fitting.told(file, column, types[column.casefold()], said)
        noted = sorted(
            ((found.note, column) for column, found in guesses.items() if found.note), key=lambda one: one[0]
        )
        for note, same in groupby(noted, key=lambda one: one[0]):
            self._note(file, f"{_each([column for _, column in same])} {note}")
        columns = [
            selected_without(missing[str(column)], selected(str(column), str(type_), guesses.get(column)))
            for column, type_, *_ in described
        ]
        listed = ", ".join(f"{sql} AS {quoted(column)}" for column, _, sql in columns)
        name = quoted(made.name)
        self._meter.step("table")
        self._con.execute(f"CREATE TABLE {name} AS SELECT {listed} FROM {stage}")
        for column, found in guesses.items():
            if found.unit:
                self._con.execute(f"COMMENT ON COLUMN {name}.{quoted(column)} IS {literal('in ' + found.unit)}")
        self.tables.append(replace(made, columns=tuple(columns)))
        self._say_if_empty(file, made.name)

    def _say_if_empty(self, file: Path, name: str) -> None:
        ((rows,),) = self._con.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        if rows == 0:
            self._note(file, f"the table {name!r} has columns but not a single row")

    def _say_rejected(self, file: Path) -> None:
        try:
            rejected = self._con.execute("SELECT count(DISTINCT line), min(line) FROM reject_errors").fetchone()
            self._con.execute("DROP TABLE IF EXISTS reject_errors")
            self._con.execute("DROP TABLE IF EXISTS reject_scans")
        except duckdb.CatalogException:
            return
        if rejected and rejected[0]:
            self._note(
                file, f"{rejected[0]:,} lines could not be read and were skipped, the first is line {rejected[1]:,}"
            )


def _told_decoding(encoding: str) -> Decoding:
    """The encoding that a person says."""
    codec = codecs.lookup(encoding).name
    return Decoding(codec=codec, note="" if codec in ("utf-8", "utf-8-sig") else f"read as {title_of(codec)} text")


def _each(columns: Sequence[str]) -> str:
    """The columns of which one thing is said, as the subject of a singular verb."""
    if len(columns) == 1:
        return repr(columns[0])
    shown = [repr(column) for column in columns[:_NAMED_MAX]]
    rest = len(columns) - len(shown)
    return f"each of {joined([*shown, f'{rest} more'] if rest else shown)}"


def _chosen(file: Path, sheets: Sequence[Sheet], said: Sidecar) -> tuple[Sheet, ...]:
    """The sheets that a person wants; all where nobody said.

    Raises:
        SourceError: There is no such sheet.
    """
    names = [sheet.name for sheet in sheets]
    if strange := next((name for name in said.sheets if name not in names), None):
        raise SourceError(
            f"{beside(file).name!r} names the sheet {strange!r}; {file.name!r} has {', '.join(map(repr, names))}."
        )
    return tuple(sheet for sheet in sheets if not said.sheets or sheet.name in said.sheets)
