"""Load files as tables into a DuckDB database of ours. Once: while the files stay as they are, it is used again.

Delimited text is read as text first and then looked into column by column; the work is DuckDB's, which reads in a
stream and spills to disk, so a large file does not need memory of its size.
"""

from __future__ import annotations

import hashlib
import json
import shutil
from collections.abc import Generator
from contextlib import closing, contextmanager
from dataclasses import asdict, dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any
from uuid import uuid4

import duckdb

from assistant.data.addresses import file_format, identifier, stem
from assistant.data.errors import SourceError, cleaned
from assistant.data.inference import NULL_WORDS, TEXT, Guess, guess
from assistant.data.texts import Shape, encoding_of, head_of, rewrite, shape_of

if TYPE_CHECKING:
    from assistant.data.addresses import SourceAddress

_LOADER = "2"  # raise it when the same file would be loaded otherwise
_SAMPLE_VALUES = 5_000
_ROUNDS = 4
_LINE_LIMIT_BYTES = 16 * 1024 * 1024


@dataclass(frozen=True, slots=True, kw_only=True)
class LoadedTable:
    """How one table was made, so that it can be made again from the same file elsewhere.

    Attributes:
        name: Its name in SQL.
        file: The file's name, without its folder.
        format: "csv", "excel", "parquet" or "json".
        columns: Name, DuckDB type and expression over the raw columns, in order; empty where the file has types.
        sheet: The sheet of a workbook.
    """

    name: str
    file: str
    format: str
    columns: tuple[tuple[str, str, str], ...] = ()
    sheet: str | None = None


@dataclass(frozen=True, slots=True, kw_only=True)
class Loaded:
    """A database made from files, how its tables were made, and what was guessed while making them."""

    path: Path
    notes: tuple[str, ...]
    tables: tuple[LoadedTable, ...]


def load_files(address: SourceAddress, folder: Path) -> Loaded:
    """Make (or find) the database of an address.

    Args:
        address: Of kind "files".
        folder: Where the database is kept.

    Raises:
        SourceError: A file cannot be read; the message names it.
    """
    folder.mkdir(parents=True, exist_ok=True)
    path = folder / f"{address.name}-{_state(address)}.duckdb"
    told = path.with_suffix(".json")
    if path.exists() and told.exists():
        return _remembered(path, json.loads(told.read_text(encoding="utf-8")))
    draft = folder / f".{uuid4().hex}.duckdb"
    try:
        with closing(_writable(draft)) as con:
            loading = _Loading(con, folder)
            loading.load(address)
        found = {"notes": loading.notes, "tables": [asdict(table) for table in loading.tables]}
        told.write_text(json.dumps(found, ensure_ascii=False), encoding="utf-8")
        draft.replace(path)
    except (duckdb.Error, OSError, EOFError) as problem:
        reason = problem.strerror if isinstance(problem, OSError) and problem.strerror else str(problem)
        reason = cleaned(reason, folders=(*address.folders, str(folder)))
        raise SourceError(f"{address.display!r} cannot be loaded: {reason.splitlines()[0]}") from None
    finally:
        for leftover in folder.glob(f"{draft.name}*"):
            if leftover.is_dir():
                shutil.rmtree(leftover, ignore_errors=True)
            else:
                leftover.unlink(missing_ok=True)
    return Loaded(path=path, notes=tuple(loading.notes), tables=tuple(loading.tables))


def _remembered(path: Path, found: dict[str, Any]) -> Loaded:
    tables = (
        LoadedTable(
            name=table["name"],
            file=table["file"],
            format=table["format"],
            columns=tuple((str(name), str(kind), str(sql)) for name, kind, sql in table["columns"]),
            sheet=table["sheet"],
        )
        for table in found["tables"]
    )
    return Loaded(path=path, notes=tuple(found["notes"]), tables=tuple(tables))


def _state(address: SourceAddress) -> str:
    """A name for the files as they are now."""
    parts = [_LOADER]
    for file in address.files:
        stat = file.stat()
        parts.append(f"{file.resolve()}|{stat.st_size}|{stat.st_mtime_ns}")
    return hashlib.sha256("\n".join(parts).encode()).hexdigest()[:16]


def _writable(path: Path) -> duckdb.DuckDBPyConnection:
    return duckdb.connect(
        str(path),
        config={
            "memory_limit": "500MB",
            "threads": 2,
            "temp_directory": f"{path}.spill",
            "autoinstall_known_extensions": False,
            "python_enable_replacements": False,
        },
    )


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'


def _literal(text: str) -> str:
    return "'" + text.replace("'", "''") + "'"


class _Loading:
    """One load: the connection, the table names given so far, and the notes."""

    def __init__(self, con: duckdb.DuckDBPyConnection, folder: Path) -> None:
        self._con = con
        self._folder = folder
        self._taken: set[str] = set()
        self.notes: list[str] = []
        self.tables: list[LoadedTable] = []

    def load(self, address: SourceAddress) -> None:
        for file in address.files:
            match file_format(file):
                case "csv":
                    self._csv(file)
                case "excel":
                    self._workbook(file)
                case "parquet":
                    self._direct(file, f"read_parquet({_literal(str(file))})")
                case _:
                    options = ", maximum_object_size=67108864"
                    self._direct(file, f"read_json_auto({_literal(str(file))}{options})")

    def _named(self, wanted: str) -> str:
        name, number = identifier(wanted), 2
        while name in self._taken:
            name, number = f"{identifier(wanted)}_{number}", number + 1
        self._taken.add(name)
        return name

    def _note(self, file: Path, text: str) -> None:
        self.notes.append(f"{file.name}: {text}")

    def _direct(self, file: Path, reader: str) -> None:
        name = self._named(stem(file))
        try:
            self._con.execute(f"CREATE TABLE {_quoted(name)} AS SELECT * FROM {reader}")
        except duckdb.Error as problem:
            reason = cleaned(str(problem).splitlines()[0], folders=(str(file.parent),))
            raise SourceError(f"{file.name!r} cannot be read: {reason} Check that it is whole.") from None
        self.tables.append(LoadedTable(name=name, file=file.name, format=file_format(file) or ""))
        self._say_if_empty(file, name)

    def _workbook(self, file: Path) -> None:
        from assistant.data.workbooks import read_sheets

        sheets = read_sheets(file)
        for sheet in sheets:
            base = stem(file) if len(sheets) == 1 else sheet.name
            for note in sheet.notes:
                self._note(file, note)
            self._con.register("sheet", sheet.table)
            with self._staged("SELECT * FROM sheet") as stage:
                self._typed(file, stage, self._named(base), continental=False, sheet=sheet.name)
            self._con.unregister("sheet")

    def _csv(self, file: Path) -> None:
        encoding = encoding_of(file)
        readable = file
        rewritten = self._folder / f".{uuid4().hex}.csv"
        try:
            if encoding not in ("utf-8", "utf-8-sig"):
                rewrite(file, encoding, rewritten)
                readable = rewritten
                self._note(file, f"read as {'Windows-1252 (Latin-1)' if encoding == 'cp1252' else 'UTF-16'} text")
            shape = shape_of(head_of(readable, "utf-8-sig"))
            if shape is None:
                raise SourceError(f"{file.name!r} holds nothing but blanks. Give a file with data in it.")
            self._delimited(file, readable, shape)
        finally:
            rewritten.unlink(missing_ok=True)

    def _delimited(self, file: Path, readable: Path, shape: Shape) -> None:
        if shape.delimiter != ",":
            shown = {"\t": "tab", ";": "semicolon", "|": "bar"}[shape.delimiter]
            self._note(file, f"columns are separated by a {shown}")
        if shape.skip:
            self._note(file, f"{shape.skip} lines above the header skipped")
        if not shape.has_header:
            self._note(file, f"it has no header; the columns are named {shape.names[0]} and so on")
        columns = ", ".join(f"{_literal(name)}: 'VARCHAR'" for name in shape.names)
        options = (
            f"delim={_literal(shape.delimiter)}, quote='\"', escape='\"', header={str(shape.has_header).lower()}, "
            f"skip={shape.skip}, columns={{{columns}}}, auto_detect=false, null_padding=true, strict_mode=true, "
            f"ignore_errors=true, store_rejects=true, max_line_size={_LINE_LIMIT_BYTES}"
        )
        try:
            stage_sql = f"SELECT * FROM read_csv({_literal(str(readable))}, {options})"
            with self._staged(
                stage_sql, f"SELECT * FROM read_csv({_literal(str(readable))}, {options}, parallel=false)"
            ) as stage:
                self._typed(file, stage, self._named(stem(file)), continental=shape.delimiter == ";")
                self._say_rejected(file)
        except duckdb.InvalidInputException as problem:
            reason = cleaned(str(problem).splitlines()[0], folders=(str(file.parent), str(self._folder)))
            raise SourceError(f"{file.name!r} cannot be read as a table: {reason}") from None

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

    def _typed(self, file: Path, stage: str, name: str, *, continental: bool, sheet: str | None = None) -> None:
        """Make the final table: every text column of the stage in the type that fits all its values."""
        described = self._con.execute(f"DESCRIBE {stage}").fetchall()
        guesses = {
            column: self._guessed(stage, column, continental=continental)
            for column, type_, *_ in described
            if type_ == "VARCHAR"
        }
        columns: list[tuple[str, str, str]] = []
        for column, type_, *_ in described:
            found = guesses.get(column)
            if found is not None and found.note:
                self._note(file, f"{column!r} {found.note}")
            if found is None:
                columns.append((column, type_, f"CAST({_quoted(column)} AS {type_})"))
            elif found.type == "VARCHAR":
                # An empty cell is no value, in text as well; anything else is kept as it is written.
                columns.append((column, "VARCHAR", f"nullif({_quoted(column)}, '')"))
            else:
                columns.append((column, found.type, _converted(column, found)))
        selected = ", ".join(f"{sql} AS {_quoted(column)}" for column, _, sql in columns)
        self._con.execute(f"CREATE TABLE {_quoted(name)} AS SELECT {selected} FROM {stage}")
        self.tables.append(
            LoadedTable(name=name, file=file.name, format=file_format(file) or "", columns=tuple(columns), sheet=sheet)
        )
        self._say_if_empty(file, name)

    def _guessed(self, stage: str, column: str, *, continental: bool) -> Guess:
        """Guess from a sample, check on all rows, and guess again with the values that did not fit."""
        raw = _quoted(column)
        sample = self._values(f"SELECT DISTINCT {raw} FROM {stage} WHERE {raw} IS NOT NULL LIMIT {_SAMPLE_VALUES}")
        for _ in range(_ROUNDS):
            found = guess(sample, continental=continental)
            if found.type == "VARCHAR":
                return found
            strays = self._values(
                f"SELECT DISTINCT {raw} FROM {stage} WHERE {raw} IS NOT NULL"
                f" AND lower(trim({raw})) NOT IN ({', '.join(map(_literal, NULL_WORDS))})"
                f" AND {_converted(column, found)} IS NULL LIMIT {_SAMPLE_VALUES}"
            )
            if not strays:
                return found
            sample = [*strays, *sample]
        return TEXT

    def _values(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._con.execute(sql).fetchall()]

    def _say_if_empty(self, file: Path, name: str) -> None:
        counted = self._con.execute(f"SELECT count(*) FROM {_quoted(name)}").fetchone()
        if counted and counted[0] == 0:
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


def _converted(column: str, found: Guess) -> str:
    """The SQL of a guess, applied to a column."""
    return found.sql.replace("$v", f"trim({_quoted(column)})")
