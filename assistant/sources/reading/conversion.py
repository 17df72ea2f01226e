"""Make tables of files: text, workbooks, Parquet, Arrow and JSON, each table in the types that fit its values.

Delimited text is read as text first and then looked into column by column; the work is DuckDB's, which reads in a
stream and spills to disk, so a large file does not need memory of its size. Where a sidecar says how to read a file,
that is done. Which types fit is found by `column_types`; keeping what was made is `loading`'s.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError, clean_message
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import joined
from assistant.query.quoting import literal, quoted
from assistant.sources.addresses import file_format, identifier, stem
from assistant.sources.reading.arrow_files import batches_of
from assistant.sources.reading.column_types import (
    FIRST_ROWS,
    FirstGuess,
    Fitting,
    convert_strictly,
    needs_cleaning,
    select_column,
    select_unless,
)
from assistant.sources.reading.encodings import Decoding, decoding_of, encoding_by_mark, title_of, wide_encoding
from assistant.sources.reading.file_limits import check_lines, check_rows, check_workbook, unpacked
from assistant.sources.reading.formats.loading import LoadTarget, is_markup, load_format
from assistant.sources.reading.guesses import Guess
from assistant.sources.reading.layouts import Layout, layout_of, sample_of
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.orientations import orientation_of, whole_sql
from assistant.sources.reading.parquet_parts import group_parts
from assistant.sources.reading.sidecar import Sidecar, beside, sidecar_of
from assistant.sources.reading.text_tables import (
    fill_in,
    layout_doubts,
    layout_notes,
    left_out_sql,
    raw_fields,
    reader_sql,
    select_sql,
)
from assistant.sources.reading.texts import is_binary, rewrite
from assistant.sources.reading.totals import may_have_totals, totals_of
from assistant.sources.reading.unfolding import Unfolded, unfolded

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.reading.workbooks import Sheet

_HEAD_BYTES = 4096
AT_ONCE_BYTES_MIN = 4 << 20
"""A shorter text is staged at once: what does not fit in one pass costs a second."""
_NUMBER_TYPES = frozenset(("INTEGER", "BIGINT", "UBIGINT", "HUGEINT", "DOUBLE"))
_NAMED_MAX = 4
"""Columns of which the same is said are named up to so many."""


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
        self._lying = address.files if self._in_place else ()
        for parts in group_parts(address.files):
            if len(parts) > 1 and self._have_same_columns(parts):
                self._load_parts(parts, address.name)
                continue
            for file in parts:
                with self._meter.reading(file):
                    self._load(file, sidecar_of(file))

    def _load(self, file: Path, sidecar: Sidecar) -> None:
        if sidecar != Sidecar():
            self._note(file, f"read as {beside(file).name} says")
        match file_format(file):
            case "csv":
                self._meter.step("unpacking")
                with unpacked(file, self._folder) as plain:
                    self._load_csv(file, plain, sidecar)
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
            load_text=self._load_csv,
            load_texts=self._load_texts,
            name_table=self._name_table,
            note=self._note,
            doubt=self._doubt,
        )

    def _load_texts(
        self, file: Path, table: LoadedTable, select: str, sidecar: Sidecar, *, is_report: bool = False
    ) -> None:
        """Make a table of a query that gives texts; of a report without its rows of totals."""
        with self._staged(select) as stage:
            where = self._drop_totals(file, table.name, stage, sidecar) if is_report else ""
            self._load_typed(file, stage, replace(table, where=where), sidecar, continental=sidecar.decimal == ",")

    def _name_table(self, title: str) -> str:
        name, number = identifier(title), 2
        while name in self._taken:
            name, number = f"{identifier(title)}_{number}", number + 1
        self._taken.add(name)
        return name

    def _note(self, file: Path, text: str) -> None:
        self.notes.append(f"{file.name}: {text}")

    def _doubt(self, file: Path, doubt: Doubt) -> None:
        """Keep a decision that may be wrong; whoever reads notes reads it as well."""
        self.doubts.append(doubt)
        self._note(file, doubt.sentence)

    def _parquet(self, file: Path) -> None:
        name = self._name_table(stem(file))
        self._read_parquet((file,), name)
        self.tables.append(LoadedTable(name=name, file=file.name, format=file_format(file) or ""))
        self._say_if_empty(file, name)

    def _load_parts(self, files: Sequence[Path], title: str) -> None:
        """Make one table of the parts of one."""
        name = self._name_table(title)
        for file in files:
            with self._meter.reading(file):
                self._meter.rows(check_rows(file, self._con))
        self._read_parquet(files, name)
        self.tables += [LoadedTable(name=name, file=file.name, format="parquet") for file in files]
        parts = f"{files[0].name} to {files[-1].name}"
        self._doubt(
            files[0],
            Doubt(
                kind="layout",
                table=name,
                chosen=f"The {len(files):,} files {parts} are read as one table.",
                rival="Each may be a table of its own.",
            ),
        )

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
                loaded_table = LoadedTable(name=self._name_table(table.name), file=file.name, format="json")
                if orientation is not None:
                    assumption = f"Its rows are read {_ORIENTED[orientation.title]}."
                    self._doubt(file, Doubt(kind="layout", table=loaded_table.name, chosen=assumption))
                sources = (reader, whole_sql(plain))
                select = _with_texts(self._con, table.select, sources)
                with self._staged(fill_in(select, *sources)) as stage:
                    self._load_typed(
                        file, stage, replace(loaded_table, select=select), sidecar, continental=sidecar.decimal == ","
                    )
        except duckdb.Error as problem:
            raise self._explain_failure(file, "JSON", problem) from None
        if len(tables) > 1 or any(table.is_unfolded for table in tables):
            table_names = ", ".join(table.name for table in tables)
            self._note(file, f"nested values unfolded; its tables: {table_names}")

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
                name = self._name_table(stem(file))
                self._con.execute(f"CREATE TABLE {quoted(name)} AS SELECT * FROM arrow_batches")
            finally:
                self._con.unregister("arrow_batches")
            self.tables.append(LoadedTable(name=name, file=file.name, format="arrow"))
            self._say_if_empty(file, name)

    def _load_workbook(self, file: Path, sidecar: Sidecar) -> None:
        from assistant.sources.reading.workbook_cells import empty_cell_doubts
        from assistant.sources.reading.workbooks import read_sheets

        check_workbook(file)
        self._meter.step("rows")
        workbook_sheets = read_sheets(file, self._meter.read)
        sheets = _select_sheets(file, workbook_sheets, sidecar)
        for doubt in empty_cell_doubts(file):
            self._doubt(file, doubt)
        unread_sheets = tuple(dict.fromkeys(sheet.name for sheet in workbook_sheets if sheet not in sheets))
        for sheet in sheets:
            base = stem(file) if len(sheets) == 1 else sheet.name
            name = self._name_table(base)
            for note in sheet.notes:
                self._note(file, note)
            for doubt in sheet.doubts:
                self._doubt(file, doubt.model_copy(update={"table": name}))
            self._meter.rows(sheet.table.num_rows)
            self._con.register("sheet", sheet.table)
            with self._staged("SELECT * FROM sheet") as stage:
                where = self._drop_totals(file, name, stage, sidecar)
                loaded_table = LoadedTable(
                    name=name,
                    file=file.name,
                    format="excel",
                    sheet=sheet.name,
                    cells=sheet.cells,
                    where=where,
                    others=unread_sheets,
                )
                self._load_typed(file, stage, loaded_table, sidecar, continental=sidecar.decimal == ",")
            self._con.unregister("sheet")

    def _load_csv(self, file: Path, plain: Path, sidecar: Sidecar) -> None:
        if not sidecar.encoding and is_binary(plain):
            raise SourceError(
                f"{file.name!r} is no text, whatever its name says: it holds zero bytes. Name it by what it is "
                "(a workbook ends in .xlsx), or save it as CSV where it came from."
            )
        self._meter.step("checking")
        decoding = _named_decoding(sidecar.encoding) if sidecar.encoding else decoding_of(plain)
        readable = plain
        rewritten = self._folder / f".{uuid4().hex}.csv"
        try:
            if decoding.note:
                rewrite(plain, decoding.codec, rewritten)
                readable = rewritten
            lines = check_lines(readable, file)
            layout = layout_of(
                sample_of(readable),
                delimiter=sidecar.delimiter,
                header=sidecar.header,
                skip=sidecar.skip,
                is_table=not file.name.lower().removesuffix(".gz").endswith(".txt"),
            )
            if layout is None:
                raise SourceError(f"{file.name!r} holds nothing but blanks. Give a file with data in it.")
            self._meter.rows(max(0, lines - layout.first))
            self._load_delimited(file, readable, layout, decoding, sidecar)
        finally:
            rewritten.unlink(missing_ok=True)

    def _say_decoding(self, file: Path, table: str, decoding: Decoding) -> None:
        if not decoding.is_guess:
            if decoding.note:
                self._note(file, decoding.note)
            return
        rival = decoding.rival_codec
        self._doubt(
            file,
            Doubt(
                kind="encoding",
                table=table,
                chosen=f"{decoding.note[:1].upper()}{decoding.note[1:]}.",
                rival=decoding.rival,
                correction=Correction(setting="encoding", value=rival) if rival else None,
            ),
        )

    def _load_delimited(self, file: Path, readable: Path, layout: Layout, decoding: Decoding, sidecar: Sidecar) -> None:
        """Make the tables of a text: mostly one."""
        parts = (layout, *layout.further)
        for part in parts:
            foreign_names = {name.casefold() for table in parts for name in table.names} - {
                *map(str.casefold, part.names)
            }
            types = {name: kind for name, kind in sidecar.types.items() if name.casefold() not in foreign_names}
            self._load_part(file, readable, part, decoding, sidecar.model_copy(update={"types": types}))
            decoding = replace(decoding, note="", is_guess=False)  # it is said once

    def _load_part(self, file: Path, readable: Path, layout: Layout, decoding: Decoding, sidecar: Sidecar) -> None:
        name = self._name_table(stem(file))
        self._say_decoding(file, name, decoding)
        for note in layout_notes(layout):
            self._note(file, note)
        layout = self._count_left_out(readable, layout)
        table = _delimited_table(file, name, layout, decoding.codec)
        if self._load_at_once(file, table, readable, layout, sidecar):
            return
        try:
            with self._staged(*self._readings(readable, layout)) as stage:
                if wider := self._widest_reject():
                    layout = replace(layout, fields=wider, dropped=layout.dropped + self._rejects()[0])
                    self._stage(*self._readings(readable, layout))
                for doubt in layout_doubts(layout, name):
                    self._doubt(file, doubt)
                self._drop_blank_rows(file, name, stage, layout)
                where = self._drop_totals(file, name, stage, sidecar)
                table = replace(_delimited_table(file, name, layout, decoding.codec), where=where)
                self._load_typed(file, stage, table, sidecar, continental=_is_continental(layout, sidecar))
                self._say_rejected(file, name)
        except duckdb.InvalidInputException as problem:
            reason = clean_message(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
            why = reason.partition("Error: ")[2] or reason
            raise SourceError(
                f"{file.name!r} cannot be read as a table: {why.rstrip('. ')}. Look at it in a text editor, and "
                "save it again as CSV where it came from."
            ) from None

    def _load_at_once(self, file: Path, table: LoadedTable, readable: Path, layout: Layout, sidecar: Sidecar) -> bool:
        """Make a table in one pass, by types guessed from its first rows: whether every value fits as it is written.

        Where not, nothing is left of it, and the text is staged and looked into column by column.
        """
        if sidecar.missing or sidecar.types or readable.stat().st_size < AT_ONCE_BYTES_MIN:
            return False
        reading, *_ = self._readings(readable, layout)
        name = quoted(table.name)
        self._meter.step("types")
        try:
            self._con.execute(f"CREATE OR REPLACE TEMP TABLE head AS {reading} LIMIT {FIRST_ROWS}")
            fitting = Fitting(self._con, "temp.head")
            first = fitting.first_guesses(layout.names, continental=_is_continental(layout, sidecar))
            self._con.execute("DROP TABLE temp.head")
            if any(column.guess.strays or column.is_padded for column in first.values()):
                return False
            listed = ", ".join(f"{convert_strictly(c, column.guess)} AS {quoted(c)}" for c, column in first.items())
            self._forget_rejects()
            self._meter.step("rows")
            self._con.execute(f"CREATE TABLE {name} AS SELECT {listed} FROM ({reading})")
            if self._rejects()[0] or self._needs_closer_look(name, first):
                self._con.execute(f"DROP TABLE {name}")
                return False
            self._forget_rejects()
        except duckdb.Error:  # a value that does not fit, mostly; whatever else it is, the next attempt tells
            return False
        for doubt in layout_doubts(layout, table.name):
            self._doubt(file, doubt)
        guesses = {column: fit.guess for column, fit in first.items()}
        self._say_guesses(file, table.name, guesses, Fitting(self._con, f"({reading})"))
        self._finish(
            file,
            table,
            [select_column(column, "VARCHAR", column_guess) for column, column_guess in guesses.items()],
            guesses,
        )
        return True

    def _needs_closer_look(self, table: str, first: Mapping[str, FirstGuess]) -> bool:
        """Whether a table made in one pass has texts to clean, blank rows, totals, or values in an empty column."""
        tests: list[str] = []
        for column, fit in first.items():
            if fit.guess.type != "VARCHAR":
                continue
            if fit.is_empty:
                tests.append(f"SELECT count({quoted(column)}) > 0 FROM {table}")
            else:
                values = f"(SELECT DISTINCT {quoted(column)} FROM {table})" if fit.has_few_values else table
                tests.append(f"SELECT bool_or({needs_cleaning(column)}) FROM {values}")
        if len(first) > 1:
            is_blank = " AND ".join(f"{quoted(column)} IS NULL" for column in first)
            tests.append(f"SELECT bool_or({is_blank}) FROM {table}")
        return any(self._con.execute(test).fetchall()[0][0] for test in tests) or may_have_totals(self._con, table)

    def _readings(self, readable: Path, layout: Layout) -> tuple[str, ...]:
        """The query of a text's columns, then for text that cannot be read in parallel, then for mixed line ends."""
        reader = reader_sql(readable, layout.delimiter, fields=raw_fields(layout), first=layout.first)
        select = select_sql(layout)
        readers = (reader, f"{reader}, parallel=false", reader.replace("strict_mode=true", "strict_mode=false"))
        return tuple(fill_in(select, f"{reader})") for reader in readers)

    def _count_left_out(self, readable: Path, layout: Layout) -> Layout:
        """A layout with how many lines of the whole text repeat its header, or are titles of its pages."""
        if not layout.marks:
            return layout
        reader = reader_sql(readable, layout.delimiter, fields=raw_fields(layout), first=layout.first)
        counts = self._con.execute(fill_in(left_out_sql(layout), f"{reader}, parallel=false)")).fetchone()
        self._forget_rejects()
        repeats, titles = counts or (layout.repeats, layout.title_rows)
        return replace(layout, repeats=repeats, title_rows=titles)

    def _widest_reject(self) -> int:
        """How many cells the widest line has that was left out for having too many; 0 where none was."""
        sql = "SELECT DISTINCT csv_line FROM reject_errors WHERE error_type = 'TOO MANY COLUMNS' LIMIT 10000"
        try:
            lines = [str(line) for (line,) in self._con.execute(sql).fetchall()]
            delimiter = self._con.execute("SELECT any_value(delimiter) FROM reject_scans").fetchone()
        except duckdb.CatalogException:
            return 0
        if not lines or not delimiter:
            return 0
        return max(map(len, csv.reader(lines, delimiter=str(delimiter[0]))))

    def _drop_blank_rows(self, file: Path, table: str, stage: str, layout: Layout) -> None:
        """Lines of delimiters alone, as spreadsheets leave them, are no rows."""
        if len(layout.names) == 1:
            return
        blank = " AND ".join(f"{quoted(name)} IS NULL" for name in layout.names)  # answered by the storage's statistics
        dropped = self._con.execute(f"DELETE FROM {stage} WHERE {blank}").fetchone()
        if dropped and dropped[0]:
            self._note(file, f"{dropped[0]:,} blank rows (delimiters alone) left out")

    def _drop_totals(self, file: Path, name: str, stage: str, sidecar: Sidecar) -> str:
        """The condition that keeps a table's own rows; empty where it has no total row, or a person wants it kept."""
        totals = totals_of(self._con, stage)
        if totals is None:
            return ""
        if sidecar.totals == "keep":
            self._note(file, f"the row called {totals.words[0]!r} counts like any other, as {beside(file).name} says")
            return ""
        rows = self._con.execute(f"SELECT count(*) FROM {stage}").fetchone()
        self._doubt(
            file,
            Doubt(
                kind="total_rows",
                table=name,
                chosen=totals.note,
                rows=totals.rows,
                share=totals.rows / rows[0] if rows and rows[0] else None,
                correction=Correction(setting="totals", value="keep"),
            ),
        )
        return totals.condition

    @contextmanager
    def _staged(self, *selects: str) -> Generator[str]:
        """The rows as they were read, in a database of their own, so that ours does not keep their room."""
        path = self._folder / f".{uuid4().hex}.stage.duckdb"
        self._meter.step("rows")
        self._con.execute(f"ATTACH {literal(str(path))} AS stage")
        try:
            self._stage(*selects)
            yield "stage.raw"
        finally:
            self._con.execute("DETACH stage")
            path.unlink(missing_ok=True)

    def _stage(self, *selects: str) -> None:
        """Fill the stage by the first query that the engine can run."""
        self._forget_rejects()
        for place, select in enumerate(selects, start=1):
            try:
                self._con.execute(f"CREATE OR REPLACE TABLE stage.raw AS {select}")
                return
            except duckdb.Error:
                # A quoted line break cannot be read in parallel where rows are of uneven width.
                if place == len(selects):
                    raise
                self._forget_rejects()

    def _load_typed(self, file: Path, stage: str, table: LoadedTable, sidecar: Sidecar, *, continental: bool) -> None:
        """Make the final table: every text column of the stage in the type that fits all its values, or is told.

        `table` says which, but for its columns.
        """
        described = self._con.execute(f"DESCRIBE {stage}").fetchall()
        if table.where:
            self._con.execute(f"DELETE FROM {stage} WHERE NOT ({table.where})")
        fitting = Fitting(self._con, stage)
        self._meter.step("types")
        missing_tests = fitting.without(sidecar.missing, {str(column): str(type_) for column, type_, *_ in described})
        types = {column.casefold(): kind for column, kind in sidecar.types.items()}
        if table.sheet is None and (strange := set(types) - {str(column).casefold() for column, *_ in described}):
            column_names = ", ".join(repr(column) for column, *_ in described)
            raise SourceError(
                f"{beside(file).name!r} tells the type of {min(strange)!r}; {file.name!r} has {column_names}."
            )
        texts = [str(column) for column, type_, *_ in described if type_ == "VARCHAR"]
        guesses = fitting.guesses([c for c in texts if c.casefold() not in types], continental=continental)
        numbers = [str(column) for column, type_, *_ in described if type_ in _NUMBER_TYPES]
        guesses |= fitting.number_guesses([c for c in numbers if c.casefold() not in types])
        for column in (*texts, *numbers):
            if column.casefold() in types:
                guesses[column] = fitting.declared_type(file, column, types[column.casefold()], sidecar)
        self._say_guesses(file, table.name, guesses, fitting)
        columns = [
            select_unless(missing_tests[str(column)], select_column(str(column), str(type_), guesses.get(column)))
            for column, type_, *_ in described
        ]
        listed = ", ".join(f"{sql} AS {quoted(column)}" for column, _, sql in columns)
        name = quoted(table.name)
        self._meter.step("table")
        self._con.execute(f"CREATE TABLE {name} AS SELECT {listed} FROM {stage}")
        self._finish(file, table, columns, guesses)

    def _finish(
        self, file: Path, table: LoadedTable, columns: Sequence[tuple[str, str, str]], guesses: Mapping[str, Guess]
    ) -> None:
        """Say what is to be said of a table whose rows are in it."""
        name = quoted(table.name)
        for column, type_guess in guesses.items():
            if type_guess.unit:
                self._con.execute(f"COMMENT ON COLUMN {name}.{quoted(column)} IS {literal('in ' + type_guess.unit)}")
        self.tables.append(replace(table, columns=tuple(columns)))
        self._say_if_empty(file, table.name)

    def _say_if_empty(self, file: Path, name: str) -> None:
        ((rows,),) = self._con.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        if rows == 0:
            self._note(file, f"the table {name!r} has columns but not a single row")

    def _say_guesses(self, file: Path, table: str, guesses: Mapping[str, Guess], fitting: Fitting) -> None:
        """Say what was guessed of columns, once of all of which the same is said."""
        counts = fitting.count_rows(guesses)

        def group_key(column: str) -> tuple[str, str, str, str]:
            type_guess = guesses[column]
            return type_guess.note, type_guess.doubt or "", type_guess.rival, type_guess.rival_type

        noted = sorted((column for column, type_guess in guesses.items() if type_guess.note), key=group_key)
        for (note, kind, rival, rival_type), group in groupby(noted, key=group_key):
            columns = tuple(group)
            first = guesses[columns[0]]
            if first.doubt is None:
                self._note(file, f"{_list_columns(columns)} {note}")
                continue
            correction = Correction(setting="types", value=dict.fromkeys(columns, rival_type)) if rival_type else None
            if first.strays and kind == "column_type":
                correction = Correction(setting="missing", value=first.strays)
            assumption = f"{_list_columns(columns)} {note}."
            rows, share = max((counts[column] for column in columns if column in counts), default=(None, None))
            doubt = Doubt(
                kind=first.doubt,
                table=table,
                columns=columns,
                chosen=assumption,
                rival=rival,
                rows=rows,
                share=share,
                correction=correction,
            )
            self._doubt(file, doubt)

    def _rejects(self) -> tuple[int, int]:
        """How many lines could not be read, and the first of them."""
        try:
            rejected = self._con.execute("SELECT count(DISTINCT line), min(line) FROM reject_errors").fetchone()
        except duckdb.CatalogException:
            return 0, 0
        return (int(rejected[0]), int(rejected[1])) if rejected and rejected[0] else (0, 0)

    def _forget_rejects(self) -> None:
        self._con.execute("DROP TABLE IF EXISTS reject_errors")
        self._con.execute("DROP TABLE IF EXISTS reject_scans")

    def _say_rejected(self, file: Path, table: str) -> None:
        lines, first = self._rejects()
        self._forget_rejects()
        if lines:
            left_out = f"{lines:,} lines could not be read and were skipped, the first is line {first:,}."
            self._doubt(file, Doubt(kind="rows_left_out", table=table, chosen=left_out, rows=lines))


_ORIENTED = {
    "by column": "by column: each of its members is a column",
    "by key": "by key: each of its members is a row",
    "lists by column": "by column: each of its lists is a column",
    "rows of values": "as rows of values",
    "list of records": "from the list of records within it",
}


def _delimited_table(file: Path, name: str, layout: Layout, encoding: str) -> LoadedTable:
    """How a table of delimited text is made, but for its columns."""
    return LoadedTable(
        name=name,
        file=file.name,
        format="csv",
        layout=(encoding, layout.delimiter, layout.has_header, layout.above),
        first=layout.first,
        fields=raw_fields(layout),
        select=select_sql(layout),
    )


def _is_continental(layout: Layout, sidecar: Sidecar) -> bool:
    """Whether a comma rather parts decimals."""
    return sidecar.decimal == "," if sidecar.decimal else layout.delimiter == ";"


def _with_texts(con: duckdb.DuckDBPyConnection, select: str, sources: tuple[str, str]) -> str:
    """A query whose columns of mixed values are texts: DuckDB leaves them as JSON, in quotes."""
    described = con.execute(f"DESCRIBE {fill_in(select, *sources)}").fetchall()
    texts = [f"{quoted(str(name))} ->> '$' AS {quoted(str(name))}" for name, kind, *_ in described if kind == "JSON"]
    return f"SELECT * REPLACE ({', '.join(texts)}) FROM ({select})" if texts else select


def _named_decoding(encoding: str) -> Decoding:
    """The encoding that a person says."""
    codec = codecs.lookup(encoding).name
    return Decoding(codec=codec, note="" if codec in ("utf-8", "utf-8-sig") else f"read as {title_of(codec)} text")


def _list_columns(columns: Sequence[str]) -> str:
    """The columns of which one thing is said, as the subject of a singular verb."""
    if len(columns) == 1:
        return repr(columns[0])
    listed = [repr(column) for column in columns[:_NAMED_MAX]]
    unlisted = len(columns) - len(listed)
    return f"each of {joined([*listed, f'{unlisted} more'] if unlisted else listed)}"


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
