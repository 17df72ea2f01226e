"""Make tables of files: text, workbooks, Parquet, Arrow and JSON, each table in the types that fit its values.

Delimited text is read as text first and then looked into column by column; the work is DuckDB's, which reads in a
stream and spills to disk, so a large file does not need memory of its size. Where a sidecar says how to read a file,
that is done. Keeping what was made is `loading`'s.
"""

from __future__ import annotations

import codecs
import re
from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb

from assistant.data.addresses import file_format, identifier, stem
from assistant.data.arrow_files import batches_of
from assistant.data.bounds import LINE_BYTES_MAX, check_lines, check_rows, check_workbook, unpacked
from assistant.data.errors import SourceError, cleaned
from assistant.data.inference import TEXT, Guess, guess, told
from assistant.data.loaded import LoadedTable
from assistant.data.missing import NULL_WORDS, missing_in
from assistant.data.sidecar import Sidecar, beside, sidecar_of
from assistant.data.texts import Shape, encoding_of, head_of, is_binary, rewrite, shape_of
from assistant.data.totals import totals_of
from assistant.data.unfolding import unfolded

if TYPE_CHECKING:
    from assistant.data.addresses import SourceAddress
    from assistant.data.workbooks import Sheet

_SAMPLE_VALUES = 5_000
_ROUNDS = 4
_FIRST_ROWS = 20_000
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class Conversion:
    """One load: the connection, the table names given so far, and the notes.

    Args:
        con: The database that the tables are made in.
        folder: Where intermediate files may lie.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._con = con
        self._folder = folder
        self._taken: set[str] = set()
        self.notes: list[str] = []
        self.tables: list[LoadedTable] = []

    def load(self, address: SourceAddress) -> None:
        """Make the tables of all files.

        Raises:
            SourceError: A file or its sidecar cannot be read; the message names it.
            duckdb.Error, OSError, EOFError: Likewise, in the words of the engine or the system.
        """
        for file in address.files:
            said = sidecar_of(file)
            if said != Sidecar():
                self._note(file, f"read as {beside(file).name} says")
            match file_format(file):
                case "csv":
                    with unpacked(file, self._folder) as plain:
                        self._csv(file, plain, said)
                case "excel":
                    self._workbook(file, said)
                case "parquet":
                    check_rows(file, self._con)
                    self._direct(file, f"read_parquet({_literal(str(file))})")
                case "arrow":
                    self._arrow(file)
                case _:
                    with unpacked(file, self._folder) as plain:
                        self._direct(file, f"read_json_auto({_literal(str(plain))}, maximum_object_size=67108864)")

    def _named(self, wanted: str) -> str:
        name, number = identifier(wanted), 2
        while name in self._taken:
            name, number = f"{identifier(wanted)}_{number}", number + 1
        self._taken.add(name)
        return name

    def _note(self, file: Path, text: str) -> None:
        self.notes.append(f"{file.name}: {text}")

    def _direct(self, file: Path, reader: str) -> None:
        kind = file_format(file) or ""
        try:
            tables = unfolded(self._con, reader, stem(file)) if kind == "json" else ()
            for table in tables:
                name = self._named(table.name)
                self._con.execute(f"CREATE TABLE {_quoted(name)} AS {table.select.replace('$raw', reader)}")
                self.tables.append(LoadedTable(name=name, file=file.name, format=kind, select=table.select))
                self._say_if_empty(file, name)
            if len(tables) > 1 or any(table.is_unfolded for table in tables):
                shown = ", ".join(table.name for table in tables)
                self._note(file, f"nested values unfolded; its tables: {shown}")
            if not tables:
                name = self._named(stem(file))
                self._con.execute(f"CREATE TABLE {_quoted(name)} AS SELECT * FROM {reader}")
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
        with batches_of(file) as batches:
            self._con.register("arrow_batches", batches)
            try:
                name = self._named(stem(file))
                self._con.execute(f"CREATE TABLE {_quoted(name)} AS SELECT * FROM arrow_batches")
            finally:
                self._con.unregister("arrow_batches")
            self.tables.append(LoadedTable(name=name, file=file.name, format="arrow"))
            self._say_if_empty(file, name)

    def _workbook(self, file: Path, said: Sidecar) -> None:
        from assistant.data.workbooks import read_sheets

        check_workbook(file)
        found = read_sheets(file)
        sheets = _chosen(file, found, said)
        others = tuple(sheet.name for sheet in found if sheet not in sheets)
        for sheet in sheets:
            base = stem(file) if len(sheets) == 1 else sheet.name
            for note in sheet.notes:
                self._note(file, note)
            self._con.register("sheet", sheet.table)
            with self._staged("SELECT * FROM sheet") as stage:
                where = self._without_totals(file, stage, said)
                made = LoadedTable(
                    name=self._named(base),
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
        encoding = codecs.lookup(said.encoding).name if said.encoding else encoding_of(plain)
        readable = plain
        rewritten = self._folder / f".{uuid4().hex}.csv"
        try:
            if encoding not in ("utf-8", "utf-8-sig"):
                rewrite(plain, encoding, rewritten)
                readable = rewritten
                shown = {"cp1252": "Windows-1252 (Latin-1)", "utf-16": "UTF-16"}.get(encoding, encoding)
                self._note(file, f"read as {shown} text")
            check_lines(readable, file)
            head = head_of(readable, "utf-8-sig")
            shape = shape_of(head, delimiter=said.delimiter, header=said.header, skip=said.skip)
            if shape is None:
                raise SourceError(f"{file.name!r} holds nothing but blanks. Give a file with data in it.")
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
        columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in shape.names)
        options = (
            f"delim={_literal(shape.delimiter)}, quote='\"', escape='\"', header={str(shape.has_header).lower()}, "
            f"skip={shape.skip}, columns={{{columns}}}, auto_detect=false, null_padding=true, strict_mode=true, "
            f"ignore_errors=true, store_rejects=true, max_line_size={LINE_BYTES_MAX}"
        )
        try:
            stage_sql = f"SELECT * FROM read_csv({_literal(str(readable))}, {options})"
            with self._staged(
                stage_sql, f"SELECT * FROM read_csv({_literal(str(readable))}, {options}, parallel=false)"
            ) as stage:
                continental = said.decimal == "," if said.decimal else shape.delimiter == ";"
                layout = (encoding, shape.delimiter, shape.has_header, shape.skip)
                self._drop_blank_rows(file, stage, shape)
                where = self._without_totals(file, stage, said)
                made = LoadedTable(
                    name=self._named(stem(file)), file=file.name, format="csv", layout=layout, where=where
                )
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
        blank = " AND ".join(f"{_quoted(name)} IS NULL" for name in shape.names)  # answered by the storage's statistics
        dropped = self._con.execute(f"DELETE FROM {stage} WHERE {blank}").fetchone()
        if dropped and dropped[0]:
            self._note(file, f"{dropped[0]:,} blank rows (delimiters alone) left out")

    def _without_totals(self, file: Path, stage: str, said: Sidecar) -> str:
        """The condition that keeps a table's own rows; empty where it has no total row, or a person wants it kept."""
        found = totals_of(self._con, stage)
        if found is None:
            return ""
        if said.totals == "keep":
            self._note(file, f"the row called {found.words[0]!r} counts like any other, as {beside(file).name} says")
            return ""
        self._note(file, found.note)
        return found.condition

    @contextmanager
    def _staged(self, *selects: str) -> Generator[str]:
        """The rows as they were read, in a database of their own, so that ours does not keep their room."""
        path = self._folder / f".{uuid4().hex}.stage.duckdb"
        self._con.execute(f"ATTACH {_literal(str(path))} AS stage")
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
        missing = self._blanked(stage, {str(column): str(type_) for column, type_, *_ in described}, said.missing)
        types = {column.casefold(): kind for column, kind in said.types.items()}
        if made.sheet is None and (strange := set(types) - {str(column).casefold() for column, *_ in described}):
            known = ", ".join(repr(column) for column, *_ in described)
            raise SourceError(f"{beside(file).name!r} tells the type of {min(strange)!r}; {file.name!r} has {known}.")
        texts = [str(column) for column, type_, *_ in described if type_ == "VARCHAR"]
        guesses = self._all_guessed(stage, [c for c in texts if c.casefold() not in types], continental=continental)
        for column in texts:
            if column.casefold() in types:
                guesses[column] = self._told(file, stage, column, types[column.casefold()], said)
        for column, found in guesses.items():
            if found.note:
                self._note(file, f"{column!r} {found.note}")
        columns = [
            _without(missing[str(column)], _selected(str(column), str(type_), guesses.get(column)))
            for column, type_, *_ in described
        ]
        selected = ", ".join(f"{sql} AS {_quoted(column)}" for column, _, sql in columns)
        name = _quoted(made.name)
        self._con.execute(f"CREATE TABLE {name} AS SELECT {selected} FROM {stage}")
        for column, found in guesses.items():
            if found.unit:
                self._con.execute(f"COMMENT ON COLUMN {name}.{_quoted(column)} IS {_literal('in ' + found.unit)}")
        self.tables.append(replace(made, columns=tuple(columns)))
        self._say_if_empty(file, made.name)

    def _blanked(self, stage: str, types: Mapping[str, str], words: Sequence[str]) -> dict[str, str]:
        """Empty the cells that a person says hold no value. Gives by column the test that was true of them."""
        tests = {column: _is_missing(column, type_, words) for column, type_ in types.items()}
        for column, test in tests.items():
            if test:
                self._con.execute(f"UPDATE {stage} SET {_quoted(column)} = NULL WHERE {test}")
        return tests

    def _all_guessed(self, stage: str, columns: Sequence[str], *, continental: bool) -> dict[str, Guess]:
        """Guess all columns from the first rows, and check all guesses in one pass over the others.

        On a long table each pass counts: only a column whose guess does not hold, or that begins with nothing, is
        looked into by itself.
        """
        if not columns:
            return {}
        listed = ", ".join(f"list(DISTINCT {_quoted(column)})" for column in columns)
        row = self._row(f"SELECT {listed} FROM (SELECT * FROM {stage} LIMIT {_FIRST_ROWS})")
        words = ", ".join(map(_literal, NULL_WORDS))
        found: dict[str, Guess] = {}
        tests: list[str] = []
        for column, values in zip(columns, row, strict=True):
            sample = [str(value) for value in (values or [])[:_SAMPLE_VALUES] if value is not None]
            found[column] = guess(sample, continental=continental)
            trimmed = f"trim({_quoted(column)})"
            fails = (
                f"lower({trimmed}) IN ({words})"
                if found[column].type == "VARCHAR"
                else f"{_converted(column, found[column])} IS NULL"
            )
            is_empty = not any(value.strip() for value in sample)
            tests.append("count(*) >= 0" if is_empty else f"coalesce(bool_or({trimmed} <> '' AND {fails}), false)")
        failed = self._row(f"SELECT {', '.join(tests)} FROM {stage}")
        for column, fails in zip(columns, failed, strict=True):
            if fails:
                found[column] = self._guessed(stage, column, continental=continental)
        return found

    def _guessed(self, stage: str, column: str, *, continental: bool) -> Guess:
        """Guess from a sample, check on all rows, and guess again with the values that did not fit."""
        raw = _quoted(column)
        sample = self._values(f"SELECT DISTINCT {raw} FROM {stage} WHERE {raw} IS NOT NULL LIMIT {_SAMPLE_VALUES}")
        for _ in range(_ROUNDS):
            found = guess(sample, continental=continental)
            if found.type == "VARCHAR":
                return self._text(stage, column, found)
            strays, nothing = self._strays(stage, column, found)
            if not strays and nothing:
                note = f"has {', '.join(map(repr, nothing[:3]))}, read as no value"
                return replace(found, note=f"{found.note}; {note}" if found.note else note)
            if not strays:
                return found
            sample = [*strays, *sample]
        return self._text(stage, column, TEXT)

    def _text(self, stage: str, column: str, found: Guess) -> Guess:
        """A column of text, without the values of it that stand for no value."""
        raw = _quoted(column)
        listed = ", ".join(map(_literal, NULL_WORDS))
        words = self._values(f"SELECT DISTINCT {raw} FROM {stage} WHERE lower(trim({raw})) IN ({listed})")
        words = [word for word in words if word.strip()]
        if not words:
            return found
        others = self._values(
            f"SELECT DISTINCT {raw} FROM {stage} WHERE lower(trim({raw})) NOT IN ({listed}) LIMIT {_SAMPLE_VALUES}"
        )
        empty = self._values(f"SELECT 1 FROM {stage} WHERE {raw} IS NULL OR trim({raw}) = '' LIMIT 1")
        missing = missing_in([*words, *others], has_empty=bool(empty))
        if not missing:
            return found
        note = f"has {', '.join(repr(word.strip()) for word in missing[:3])}, read as no value"
        sql = f"CASE WHEN $v NOT IN ('', {', '.join(_literal(word.strip()) for word in missing)}) THEN {raw} END"
        return replace(found, sql=sql, note=f"{found.note}; {note}" if found.note else note)

    def _told(self, file: Path, stage: str, column: str, kind: str, said: Sidecar) -> Guess:
        """The type that the sidecar names, and a note of what does not fit it."""
        found = told(kind, decimal=said.decimal)
        if found is None:
            known = "text, integer, number, boolean, date or datetime, the last two with a format: date %d/%m/%Y"
            raise SourceError(f"{beside(file).name!r}: {column!r} cannot be {kind!r}. Say {known}.")
        if found.type == "VARCHAR":
            return found
        strays, _ = self._strays(stage, column, found)
        if not strays:
            return found
        note = f"is told to be {kind!r}; what does not fit is empty, such as {strays[0][:30]!r}"
        return replace(found, note=note)

    def _strays(self, stage: str, column: str, found: Guess) -> tuple[list[str], list[str]]:
        """Values that a type does not fit, and the words among them that stand for no value."""
        raw = _quoted(column)
        unfit = self._values(
            f"SELECT DISTINCT {raw} FROM {stage} WHERE {raw} IS NOT NULL AND trim({raw}) <> ''"
            f" AND {_converted(column, found)} IS NULL LIMIT {_SAMPLE_VALUES}"
        )
        nothing = sorted({value.strip() for value in unfit if value.strip().lower() in NULL_WORDS})
        return [value for value in unfit if value.strip().lower() not in NULL_WORDS], nothing

    def _row(self, sql: str) -> list[Any]:
        return list(self._con.execute(sql).fetchone() or ())

    def _values(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._con.execute(sql).fetchall()]

    def _say_if_empty(self, file: Path, name: str) -> None:
        ((rows,),) = self._con.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchall()
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


def _is_missing(column: str, type_: str, words: Sequence[str]) -> str:
    """The SQL test that a cell says one of the words that a person says mean no value; empty where none can."""
    said = [word.strip() for word in words if word.strip()]
    if type_ == "VARCHAR" and said:
        return f"trim({_quoted(column)}) IN ({', '.join(map(_literal, said))})"
    numbers = [word for word in said if _NUMBER.fullmatch(word)]
    if type_ in ("BIGINT", "DOUBLE") and numbers:
        return f"{_quoted(column)} IN ({', '.join(numbers)})"
    return ""


def _without(test: str, made: tuple[str, str, str]) -> tuple[str, str, str]:
    """A column without the cells that a test is true of."""
    name, type_, sql = made
    return (name, type_, f"CASE WHEN {test} THEN NULL ELSE {sql} END") if test else made


def _selected(column: str, type_: str, found: Guess | None) -> tuple[str, str, str]:
    """A column's name, its type in the final table, and the SQL that makes it of the stage's."""
    if found is None:
        return column, type_, f"CAST({_quoted(column)} AS {type_})"
    if found is TEXT or (found.type == "VARCHAR" and found.sql == TEXT.sql):
        # An empty cell is no value, in text as well; anything else is kept as it is written.
        return column, "VARCHAR", f"nullif({_quoted(column)}, '')"
    return column, found.type, _converted(column, found)


def _converted(column: str, found: Guess) -> str:
    """The SQL of a guess, applied to a column."""
    return found.sql.replace("$v", f"trim({_quoted(column)})")
