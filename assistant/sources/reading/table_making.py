"""Make typed tables of rows that were read as text, each column by all its values, and say what was decided.

The rows lie in a database of their own until their types are known; the work is the engine's, which spills to disk.
Which types fit is found by `column_types`.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import replace
from itertools import groupby
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

import duckdb

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import joined
from assistant.query.quoting import literal, quoted
from assistant.sources.file_names import identifier
from assistant.sources.reading.column_types import (
    Fitting,
    select_column,
    select_unless,
)
from assistant.sources.reading.guesses import Guess
from assistant.sources.reading.load_results import LoadedTable
from assistant.sources.reading.metering import Meter
from assistant.sources.reading.sidecar import Sidecar, beside
from assistant.sources.reading.totals import totals_of

if TYPE_CHECKING:
    pass


_NUMBER_TYPES = frozenset(("INTEGER", "BIGINT", "UBIGINT", "HUGEINT", "DOUBLE"))
_NAMED_MAX = 4
"""Columns of which the same is said are named up to so many."""


class TableMaker:
    """The tables of one load: their names, how they were made, and what is said of them.

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

    def load_texts(
        self, file: Path, table: LoadedTable, select: str, sidecar: Sidecar, *, is_report: bool = False
    ) -> None:
        """Make a table of a query that gives texts; of a report without its rows of totals."""
        with self.staged(select) as stage:
            where = self.drop_totals(file, table.name, stage, sidecar) if is_report else ""
            self.load_typed(file, stage, replace(table, where=where), sidecar, continental=sidecar.decimal == ",")

    def name_table(self, title: str) -> str:
        name, number = identifier(title), 2
        while name in self._taken:
            name, number = f"{identifier(title)}_{number}", number + 1
        self._taken.add(name)
        return name

    def note(self, file: Path, text: str) -> None:
        self.notes.append(f"{file.name}: {text}")

    def doubt(self, file: Path, doubt: Doubt) -> None:
        """Keep a decision that may be wrong; whoever reads notes reads it as well."""
        self.doubts.append(doubt)
        self.note(file, doubt.sentence)

    def drop_totals(self, file: Path, name: str, stage: str, sidecar: Sidecar) -> str:
        """The condition that keeps a table's own rows; empty where it has no total row, or a person wants it kept."""
        totals = totals_of(self._con, stage)
        if totals is None:
            return ""
        if sidecar.totals == "keep":
            self.note(file, f"the row called {totals.words[0]!r} counts like any other, as {beside(file).name} says")
            return ""
        rows = self._con.execute(f"SELECT count(*) FROM {stage}").fetchone()
        self.doubt(
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
    def staged(self, *selects: str) -> Generator[str]:
        """The rows as they were read, in a database of their own, so that ours does not keep their room."""
        path = self._folder / f".{uuid4().hex}.stage.duckdb"
        self._meter.step("rows")
        self._con.execute(f"ATTACH {literal(str(path))} AS stage")
        try:
            self.stage(*selects)
            yield "stage.raw"
        finally:
            self._con.execute("DETACH stage")
            path.unlink(missing_ok=True)

    def stage(self, *selects: str) -> None:
        """Fill the stage by the first query that the engine can run."""
        self.forget_rejects()
        for place, select in enumerate(selects, start=1):
            try:
                self._con.execute(f"CREATE OR REPLACE TABLE stage.raw AS {select}")
                return
            except duckdb.Error:
                # A quoted line break cannot be read in parallel where rows are of uneven width.
                if place == len(selects):
                    raise
                self.forget_rejects()

    def load_typed(self, file: Path, stage: str, table: LoadedTable, sidecar: Sidecar, *, continental: bool) -> None:
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
        self.say_guesses(file, table.name, guesses, fitting)
        columns = [
            select_unless(missing_tests[str(column)], select_column(str(column), str(type_), guesses.get(column)))
            for column, type_, *_ in described
        ]
        listed = ", ".join(f"{sql} AS {quoted(column)}" for column, _, sql in columns)
        name = quoted(table.name)
        self._meter.step("table")
        self._con.execute(f"CREATE TABLE {name} AS SELECT {listed} FROM {stage}")
        self.finish(file, table, columns, guesses)

    def finish(
        self, file: Path, table: LoadedTable, columns: Sequence[tuple[str, str, str]], guesses: Mapping[str, Guess]
    ) -> None:
        """Say what is to be said of a table whose rows are in it."""
        name = quoted(table.name)
        for column, type_guess in guesses.items():
            if type_guess.unit:
                self._con.execute(f"COMMENT ON COLUMN {name}.{quoted(column)} IS {literal('in ' + type_guess.unit)}")
        self.tables.append(replace(table, columns=tuple(columns)))
        self.say_if_empty(file, table.name)

    def say_if_empty(self, file: Path, name: str) -> None:
        ((rows,),) = self._con.execute(f"SELECT count(*) FROM {quoted(name)}").fetchall()
        if rows == 0:
            self.note(file, f"the table {name!r} has columns but not a single row")

    def say_guesses(self, file: Path, table: str, guesses: Mapping[str, Guess], fitting: Fitting) -> None:
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
                self.note(file, f"{_list_columns(columns)} {note}")
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
            self.doubt(file, doubt)

    def rejects(self) -> tuple[int, int]:
        """How many lines could not be read, and the first of them."""
        try:
            rejected = self._con.execute("SELECT count(DISTINCT line), min(line) FROM reject_errors").fetchone()
        except duckdb.CatalogException:
            return 0, 0
        return (int(rejected[0]), int(rejected[1])) if rejected and rejected[0] else (0, 0)

    def forget_rejects(self) -> None:
        self._con.execute("DROP TABLE IF EXISTS reject_errors")
        self._con.execute("DROP TABLE IF EXISTS reject_scans")


def _list_columns(columns: Sequence[str]) -> str:
    """The columns of which one thing is said, as the subject of a singular verb."""
    if len(columns) == 1:
        return repr(columns[0])
    listed = [repr(column) for column in columns[:_NAMED_MAX]]
    unlisted = len(columns) - len(listed)
    return f"each of {joined([*listed, f'{unlisted} more'] if unlisted else listed)}"
