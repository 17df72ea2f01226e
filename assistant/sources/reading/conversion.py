"""Make tables of files: text, workbooks, Parquet, Arrow and JSON, each table in the types that fit its values.

Delimited text is read by `delimited_text`, and columns are typed by `table_making`. Where a sidecar says how to read a
file, that is done. Keeping what was made is `loading`'s.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError, clean_message
from assistant.core.doubts import Doubt
from assistant.query.quoting import literal, quoted
from assistant.sources.file_names import file_format, stem
from assistant.sources.reading.arrow_files import batches_of
from assistant.sources.reading.delimited_text import DelimitedText
from assistant.sources.reading.encodings import encoding_by_mark, wide_encoding
from assistant.sources.reading.file_limits import check_rows, check_workbook, unpacked
from assistant.sources.reading.formats.loading import LoadTarget, is_markup, load_format
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.orientations import orientation_of, whole_sql
from assistant.sources.reading.parts import group_parts, name_of_parts
from assistant.sources.reading.sidecar import Sidecar, beside, sidecar_of
from assistant.sources.reading.table_making import TableMaker
from assistant.sources.reading.text_parts import TextParts
from assistant.sources.reading.text_tables import (
    fill_in,
    joined_parts,
)
from assistant.sources.reading.texts import rewrite
from assistant.sources.reading.unfolding import Unfolded, unfolded

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.reading.workbooks import Sheet

_HEAD_BYTES = 4096


class Conversion:
    """One load: the connection, the table names given so far, and the notes.

    Args:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
        meter: Is told what is done.
        in_place: Whether Parquet may stay where it is, as a view: the reader of the database must not be able to write.
            What is unpacked from an archive is copied, for it is gone when the load is over.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path, meter: Meter, *, in_place: bool = False) -> None:
        self._in_place = in_place
        self._lying: tuple[Path, ...] = ()
        self._con = con
        self._folder = folder
        self._meter = meter
        self._maker = TableMaker(con, folder, meter)
        self._texts = DelimitedText(con, folder, meter, self._maker)
        self._parts = TextParts(con, folder, self._maker, self._texts)
        self.notes = self._maker.notes
        self.doubts = self._maker.doubts
        self.tables = self._maker.tables

    def load(self, address: SourceAddress) -> None:
        """Make the tables of all files.

        Raises:
            SourceError: A file or its sidecar cannot be read; the message names it.
            duckdb.Error, OSError, EOFError: Likewise, in the words of the engine or the system.
        """
        self._lying = address.files if self._in_place else ()
        for parts in group_parts(address.files):
            if len(parts) > 1 and file_format(parts[0]) == "csv":
                with self._meter.reading(parts[0]):
                    remaining = self._parts.load(parts, name_of_parts(parts, address.name))
            elif len(parts) > 1 and self._have_same_columns(parts):
                self._load_parts(parts, address.name)
                continue
            else:
                remaining = parts
            for file in remaining:
                with self._meter.reading(file):
                    self._load(file, sidecar_of(file))

    def _load(self, file: Path, sidecar: Sidecar) -> None:
        if sidecar != Sidecar():
            self._maker.note(file, f"read as {beside(file).name} says")
        match file_format(file):
            case "csv":
                self._meter.step("unpacking")
                with unpacked(file, self._folder) as plain:
                    self._texts.load(file, plain, sidecar)
            case "excel" if is_markup(file):
                load_format(self._target(), file, sidecar, kind="html")
            case "excel":
                self._load_workbook(file, sidecar)
            case "parquet":
                self._meter.rows(check_rows(file, self._con))
                self._parquet(file)
            case "arrow":
                self._arrow(file)
            case "json":
                self._meter.step("unpacking")
                with unpacked(file, self._folder) as plain:
                    self._load_json(file, plain, sidecar)
            case _:
                load_format(self._target(), file, sidecar)

    def _target(self) -> LoadTarget:
        return LoadTarget(
            con=self._con,
            folder=self._folder,
            meter=self._meter,
            tables=self.tables,
            notes=self.notes,
            load_file=self._load,
            load_text=self._texts.load,
            load_texts=self._maker.load_texts,
            name_table=self._maker.name_table,
            note=self._maker.note,
            doubt=self._maker.doubt,
        )

    def _parquet(self, file: Path) -> None:
        name = self._maker.name_table(stem(file))
        self._read_parquet((file,), name)
        self.tables.append(LoadedTable(name=name, file=file.name, format=file_format(file) or ""))
        self._maker.say_if_empty(file, name)

    def _load_parts(self, files: Sequence[Path], title: str) -> None:
        """Make one table of the parts of one."""
        name = self._maker.name_table(title)
        for file in files:
            with self._meter.reading(file):
                self._meter.rows(check_rows(file, self._con))
        self._read_parquet(files, name)
        self.tables += [LoadedTable(name=name, file=file.name, format="parquet") for file in files]
        self._maker.doubt(files[0], joined_parts(name, [file.name for file in files]))

    def _have_same_columns(self, files: Sequence[Path]) -> bool:
        """Whether files of Parquet have the same columns in the same types; not where one cannot be read."""
        try:
            readers = (f"read_parquet({literal(str(file.resolve()))})" for file in files)
            described = [self._con.execute(f"DESCRIBE SELECT * FROM {reader}").fetchall() for reader in readers]
        except duckdb.Error:
            return False
        return all(columns == described[0] for columns in described)

    def _read_parquet(self, files: Sequence[Path], name: str) -> None:
        self._meter.step("rows")
        kind = "VIEW" if set(files) <= set(self._lying) else "TABLE"
        listed = ", ".join(literal(str(file.resolve())) for file in files)
        try:
            self._con.execute(f"CREATE {kind} {quoted(name)} AS SELECT * FROM read_parquet([{listed}])")
        except duckdb.Error as problem:
            raise self._explain_failure(files[0], "Parquet", problem) from None

    def _load_json(self, file: Path, plain: Path, sidecar: Sidecar) -> None:
        self._meter.step("rows")
        plain = self._in_utf_8(plain)
        reader = f"read_json_auto({literal(str(plain))}, maximum_object_size=67108864)"
        try:
            orientation = orientation_of(plain)
            if orientation is None:
                tables = unfolded(self._con, reader, stem(file))
            else:
                tables = (Unfolded(name=stem(file), select=orientation.select, is_unfolded=False),)
            for table in tables or (Unfolded(name=stem(file), select="SELECT * FROM $raw", is_unfolded=False),):
                loaded_table = LoadedTable(name=self._maker.name_table(table.name), file=file.name, format="json")
                if orientation is not None:
                    assumption = f"Its rows are read {_ORIENTED[orientation.title]}."
                    self._maker.doubt(file, Doubt(kind="layout", table=loaded_table.name, chosen=assumption))
                sources = (reader, whole_sql(plain))
                select = _with_texts(self._con, table.select, sources)
                with self._maker.staged(fill_in(select, *sources)) as stage:
                    self._maker.load_typed(
                        file, stage, replace(loaded_table, select=select), sidecar, continental=sidecar.decimal == ","
                    )
        except duckdb.Error as problem:
            raise self._explain_failure(file, "JSON", problem) from None
        if len(tables) > 1 or any(table.is_unfolded for table in tables):
            table_names = ", ".join(table.name for table in tables)
            self._maker.note(file, f"nested values unfolded; its tables: {table_names}")

    def _in_utf_8(self, plain: Path) -> Path:
        """A JSON file as it is, or a copy of it in UTF-8."""
        with plain.open("rb") as file:
            head = file.read(_HEAD_BYTES)
        encoding = encoding_by_mark(head) or wide_encoding(head)
        if encoding in ("", "utf-8-sig"):
            return plain
        copy = self._folder / f".{uuid4().hex}.json"
        rewrite(plain, encoding, copy)
        return copy

    def _explain_failure(self, file: Path, format_title: str, problem: duckdb.Error) -> SourceError:
        message = clean_message(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
        reason = message.partition("Error: ")[2] or message
        return SourceError(
            f"{file.name!r} cannot be read as {format_title}: {reason.rstrip('. ')}. Check that the file is whole."
        )

    def _arrow(self, file: Path) -> None:
        self._meter.step("rows")
        with batches_of(file, self._meter.read) as batches:
            self._con.register("arrow_batches", batches)
            try:
                name = self._maker.name_table(stem(file))
                self._con.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arrow_batches")
            finally:
                self._con.unregister("arrow_batches")
            self.tables.append(LoadedTable(name=name, file=file.name, format="arrow"))
            self._maker.say_if_empty(file, name)

    def _load_workbook(self, file: Path, sidecar: Sidecar) -> None:
        from assistant.sources.reading.workbook_cells import empty_cell_doubts
        from assistant.sources.reading.workbooks import read_sheets

        check_workbook(file)
        self._meter.step("rows")
        workbook_sheets = read_sheets(file, self._meter.read)
        sheets = _select_sheets(file, workbook_sheets, sidecar)
        for doubt in empty_cell_doubts(file):
            self._maker.doubt(file, doubt)
        unread_sheets = tuple(dict.fromkeys(sheet.name for sheet in workbook_sheets if sheet not in sheets))
        for sheet in sheets:
            base = stem(file) if len(sheets) == 1 else sheet.name
            name = self._maker.name_table(base)
            for note in sheet.notes:
                self._maker.note(file, note)
            for doubt in sheet.doubts:
                self._maker.doubt(file, doubt.model_copy(update={"table": name}))
            self._meter.rows(sheet.table.num_rows)
            self._con.register("sheet", sheet.table)
            with self._maker.staged("SELECT * FROM sheet") as stage:
                where = self._maker.drop_totals(file, name, stage, sidecar)
                loaded_table = LoadedTable(
                    name=name,
                    file=file.name,
                    format="excel",
                    sheet=sheet.name,
                    cells=sheet.cells,
                    where=where,
                    others=unread_sheets,
                )
                self._maker.load_typed(file, stage, loaded_table, sidecar, continental=sidecar.decimal == ",")
            self._con.unregister("sheet")


_ORIENTED = {
    "by column": "by column: each of its members is a column",
    "by key": "by key: each of its members is a row",
    "lists by column": "by column: each of its lists is a column",
    "rows of values": "as rows of values",
    "list of records": "from the list of records within it",
}


def _with_texts(con: duckdb.DuckDBPyConnection, select: str, sources: tuple[str, str]) -> str:
    """A query whose columns of mixed values are texts: DuckDB leaves them as JSON, in quotes."""
    described = con.execute(f"DESCRIBE {fill_in(select, *sources)}").fetchall()
    texts = [f"{quoted(str(name))} ->> '$' AS {quoted(str(name))}" for name, kind, *_ in described if kind == "JSON"]
    return f"SELECT * REPLACE ({', '.join(texts)}) FROM ({select})" if texts else select


def _select_sheets(file: Path, sheets: Sequence[Sheet], sidecar: Sidecar) -> tuple[Sheet, ...]:
    """The sheets that a person wants; all where nobody said.

    Raises:
        SourceError: There is no such sheet.
    """
    names = [sheet.name for sheet in sheets]
    if strange := next((name for name in sidecar.sheets if name not in names), None):
        raise SourceError(
            f"{beside(file).name!r} names the sheet {strange!r}; {file.name!r} has {', '.join(map(repr, names))}."
        )
    return tuple(sheet for sheet in sheets if not sidecar.sheets or sheet.name in sidecar.sheets)
