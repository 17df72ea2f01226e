"""Make tables of delimited text: in one pass where every value fits the types of the first rows, else column by column.

DuckDB reads the text in a stream, as `layouts` says it is laid out; so a large file does not need memory of its size.
"""

from __future__ import annotations

import codecs
import csv
from collections.abc import Callable, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError, clean_message
from assistant.core.doubts import Correction, Doubt
from assistant.query.quoting import quoted
from assistant.sources.file_names import stem
from assistant.sources.reading.column_types import (
    FIRST_ROWS,
    FirstGuess,
    Fitting,
    convert_strictly,
    needs_cleaning,
    select_column,
)
from assistant.sources.reading.encodings import Decoding, decoding_of, title_of
from assistant.sources.reading.file_limits import check_lines
from assistant.sources.reading.layouts import Layout, layout_of, sample_of
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.sidecar import Sidecar
from assistant.sources.reading.table_making import TableMaker
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
from assistant.sources.reading.totals import may_have_totals

AT_ONCE_BYTES_MIN = 4 << 20
"""A shorter text is staged at once: what does not fit in one pass costs a second."""


@dataclass(frozen=True, slots=True, kw_only=True)
class OpenText:
    """A delimited text that is being read.

    Attributes:
        file: The file as it is named.
        readable: Its text in UTF-8.
        layout: How it is cut into cells, and where its table is.
        decoding: What its encoding is.
        sidecar: What a person says about it.
    """

    file: Path
    readable: Path
    layout: Layout
    decoding: Decoding
    sidecar: Sidecar

    @property
    def is_continental(self) -> bool:
        """Whether a comma rather parts decimals."""
        return self.sidecar.decimal == "," if self.sidecar.decimal else self.layout.delimiter == ";"


class DelimitedText:
    """Reads delimited text for one load.

    Args:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
        meter: Is told what is done.
        maker: Makes the tables.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path, meter: Meter, maker: TableMaker) -> None:
        self._con = con
        self._folder = folder
        self._meter = meter
        self._maker = maker

    def load(self, file: Path, plain: Path, sidecar: Sidecar) -> None:
        """Make the tables of a file: mostly one.

        Args:
            file: The file as it is named.
            plain: The same, unpacked.
            sidecar: What a person says about it.

        Raises:
            SourceError: It cannot be read as a table; the message names it.
        """
        with self.open(file, plain, sidecar) as text:
            decoding = text.decoding
            for layout in (text.layout, *text.layout.further):
                self._load_part(replace(text, layout=layout, decoding=decoding, sidecar=_own_types(text, layout)))
                decoding = replace(decoding, note="", is_guess=False)  # it is said once

    @contextmanager
    def open(self, file: Path, plain: Path, sidecar: Sidecar) -> Generator[OpenText]:
        """A file in UTF-8, for as long as it is read, and how it is laid out.

        Args:
            file: The file as it is named.
            plain: The same, unpacked.
            sidecar: What a person says about it.

        Raises:
            SourceError: It is no text, or holds nothing.
        """
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
            yield OpenText(file=file, readable=readable, layout=layout, decoding=decoding, sidecar=sidecar)
        finally:
            rewritten.unlink(missing_ok=True)

    def say_decoding(self, file: Path, table: str, decoding: Decoding) -> None:
        """Say in which encoding a file is read, where it does not say so itself."""
        if not decoding.is_guess:
            if decoding.note:
                self._maker.note(file, decoding.note)
            return
        rival = decoding.rival_codec
        self._maker.doubt(
            file,
            Doubt(
                kind="encoding",
                table=table,
                chosen=f"{decoding.note[:1].upper()}{decoding.note[1:]}.",
                rival=decoding.rival,
                correction=Correction(setting="encoding", value=rival) if rival else None,
            ),
        )

    def _load_part(self, text: OpenText) -> None:
        file, readable, decoding, sidecar = text.file, text.readable, text.decoding, text.sidecar
        name = self._maker.name_table(stem(file))
        self.say_decoding(file, name, decoding)
        for note in layout_notes(text.layout):
            self._maker.note(file, note)
        layout = self.count_left_out(text)
        table = table_of(text, name)
        if readable.stat().st_size >= AT_ONCE_BYTES_MIN and self.make_at_once(
            replace(text, layout=layout),
            table,
            self._readings(readable, layout)[0],
            layout.names,
            has_totals=lambda table_sql: may_have_totals(self._con, table_sql),
        ):
            return
        try:
            with self._maker.staged(*self._readings(readable, layout)) as stage:
                if wider := self.widest_reject():
                    layout = replace(layout, fields=wider, dropped=layout.dropped + self._maker.rejects()[0])
                    self._maker.stage(*self._readings(readable, layout))
                for doubt in layout_doubts(layout, name):
                    self._maker.doubt(file, doubt)
                self._drop_blank_rows(file, name, stage, layout)
                where = self._maker.drop_totals(file, name, stage, sidecar)
                table = replace(table_of(replace(text, layout=layout), name), where=where)
                self._maker.load_typed(file, stage, table, sidecar, continental=text.is_continental)
                self.say_rejected(file, name)
        except duckdb.InvalidInputException as problem:
            reason = clean_message(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
            why = reason.partition("Error: ")[2] or reason
            raise SourceError(
                f"{file.name!r} cannot be read as a table: {why.rstrip('. ')}. Look at it in a text editor, and "
                "save it again as CSV where it came from."
            ) from None

    def make_at_once(
        self,
        text: OpenText,
        table: LoadedTable,
        reading: str,
        names: Sequence[str],
        *,
        has_totals: Callable[[str], bool],
    ) -> bool:
        """Make a table in one pass, by types guessed from its first rows: whether every value fits as it is written.

        Where not, nothing is left of it, and the text is staged and looked into column by column.

        Args:
            text: The text.
            table: How the table is made, but for its columns.
            reading: The query of its columns as texts.
            names: Their names.
            has_totals: Whether a table that is made has rows that sum up others.
        """
        if text.sidecar.missing or text.sidecar.types:
            return False
        file, name = text.file, quoted(table.name)
        self._meter.step("types")
        try:
            self._con.execute(f"CREATE OR REPLACE TEMP TABLE head AS {reading} LIMIT {FIRST_ROWS}")
            fitting = Fitting(self._con, "temp.head")
            first = fitting.first_guesses(names, continental=text.is_continental)
            self._con.execute("DROP TABLE temp.head")
            if any(column.guess.strays or column.is_padded for column in first.values()):
                return False
            listed = ", ".join(f"{convert_strictly(c, column.guess)} AS {quoted(c)}" for c, column in first.items())
            self._maker.forget_rejects()
            self._meter.step("rows")
            self._con.execute(f"CREATE TABLE {name} AS SELECT {listed} FROM ({reading})")
            if self._maker.rejects()[0] or self._needs_closer_look(name, first) or has_totals(name):
                self._con.execute(f"DROP TABLE {name}")
                return False
            self._maker.forget_rejects()
        except duckdb.Error:  # a value that does not fit, mostly; whatever else it is, the next attempt tells
            return False
        for doubt in layout_doubts(text.layout, table.name):
            self._maker.doubt(file, doubt)
        guesses = {column: fit.guess for column, fit in first.items()}
        self._maker.say_guesses(file, table.name, guesses, Fitting(self._con, f"({reading})"))
        self._maker.finish(
            file,
            table,
            [select_column(column, "VARCHAR", column_guess) for column, column_guess in guesses.items()],
            guesses,
        )
        return True

    def _needs_closer_look(self, table: str, first: Mapping[str, FirstGuess]) -> bool:
        """Whether a table made in one pass has texts to clean, blank rows, or values in an empty column."""
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
        return any(self._con.execute(test).fetchall()[0][0] for test in tests)

    def _readings(self, readable: Path, layout: Layout) -> tuple[str, ...]:
        """The query of a text's columns, then for text that cannot be read in parallel, then for mixed line ends."""
        return tuple(fill_in(select_sql(layout), reader) for reader in readers(readable, layout))

    def count_left_out(self, text: OpenText) -> Layout:
        """A layout with how many lines of the whole text repeat its header, or are titles of its pages."""
        layout = text.layout
        if not layout.marks:
            return layout
        counts = self._con.execute(fill_in(left_out_sql(layout), readers(text.readable, layout)[1])).fetchone()
        self._maker.forget_rejects()
        repeats, titles = counts or (layout.repeats, layout.title_rows)
        return replace(layout, repeats=repeats, title_rows=titles)

    def widest_reject(self) -> int:
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
            self._maker.note(file, f"{dropped[0]:,} blank rows (delimiters alone) left out")

    def say_rejected(self, file: Path, table: str) -> None:
        """Say how many lines could not be read."""
        lines, first = self._maker.rejects()
        self._maker.forget_rejects()
        if lines:
            left_out = f"{lines:,} lines could not be read and were skipped, the first is line {first:,}."
            self._maker.doubt(file, Doubt(kind="rows_left_out", table=table, chosen=left_out, rows=lines))


def table_of(text: OpenText, name: str) -> LoadedTable:
    """How a table of delimited text is made, but for its columns."""
    layout = text.layout
    return LoadedTable(
        name=name,
        file=text.file.name,
        format="csv",
        layout=(text.decoding.codec, layout.delimiter, layout.has_header, layout.above),
        first=layout.first,
        fields=raw_fields(layout),
        select=select_sql(layout),
    )


def readers(readable: Path, layout: Layout) -> tuple[str, ...]:
    """The reader of a text's cells, then for text that cannot be read in parallel, then for mixed line ends."""
    reader = reader_sql(readable, layout.delimiter, fields=raw_fields(layout), first=layout.first)
    mixed = reader.replace("strict_mode=true", "strict_mode=false")
    return f"{reader})", f"{reader}, parallel=false)", f"{mixed})"


def _own_types(text: OpenText, layout: Layout) -> Sidecar:
    """What a person says about one of several tables of a text: types of columns of the others are not its."""
    tables = (text.layout, *text.layout.further)
    foreign_names = {name.casefold() for table in tables for name in table.names}.difference(
        map(str.casefold, layout.names)
    )
    types = {name: kind for name, kind in text.sidecar.types.items() if name.casefold() not in foreign_names}
    return text.sidecar.model_copy(update={"types": types})


def _named_decoding(encoding: str) -> Decoding:
    """The encoding that a person says."""
    codec = codecs.lookup(encoding).name
    return Decoding(codec=codec, note="" if codec in ("utf-8", "utf-8-sig") else f"read as {title_of(codec)} text")
