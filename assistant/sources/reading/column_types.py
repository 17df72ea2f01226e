"""The narrowest type that fits all values of a text column, and the SQL that converts it.

A type is guessed from a sample and checked on all rows. A type given by a person is used as it is. Only cells that a
person declares missing are changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import replace
from pathlib import Path
from typing import Any

import duckdb

from assistant.core.data_errors import SourceError
from assistant.sources.catalog.batches import batches, narrowed
from assistant.sources.reading.inference import TEXT, Guess, guess, told
from assistant.sources.reading.missing import NULL_WORDS, missing_in
from assistant.sources.reading.sidecar import Sidecar, beside

_SAMPLE_VALUES = 5_000
_ROUNDS = 4
_FIRST_ROWS = 20_000
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_WHITE = "' ' || chr(9) || chr(10) || chr(13) || chr(160)"
_PADDED = "white space around its values is left out"


def quoted(name: str) -> str:
    """A name as DuckDB reads it."""
    return '"' + name.replace('"', '""') + '"'


def literal(text: str) -> str:
    """A text as DuckDB reads it."""
    return "'" + text.replace("'", "''") + "'"


class Fitting:
    """Finds the types of one table's columns.

    Args:
        con: The database.
        stage: The table as it was read, by its name in SQL.
    """

    def __init__(self, con: duckdb.DuckDBPyConnection, stage: str) -> None:
        self._con = con
        self._stage = stage

    def without(self, words: Sequence[str], types: Mapping[str, str]) -> dict[str, str]:
        """Empty the cells that a person says hold no value. Gives by column the test that was true of them."""
        tests = {column: _is_missing(column, type_, words) for column, type_ in types.items()}
        for column, test in tests.items():
            if test:
                self._con.execute(f"UPDATE {self._stage} SET {quoted(column)} = NULL WHERE {test}")
        return tests

    def guesses(self, columns: Sequence[str], *, continental: bool) -> dict[str, Guess]:
        """Guess all columns from the first rows, and check all guesses in one pass over the others.

        On a long table each pass counts: only a column whose guess does not hold, or that begins with nothing, is
        looked into by itself.
        """
        if not columns:
            return {}
        row: list[Any] = []
        for part in batches([quoted(column) for column in columns]):
            listed = ", ".join(f"list(DISTINCT {column})" for column in part)
            first = f"(SELECT {', '.join(part)} FROM {self._stage} LIMIT {_FIRST_ROWS})"
            with narrowed(self._con, first, part, of=len(columns), rows=_FIRST_ROWS) as origin:
                row += self._row(f"SELECT {listed} FROM {origin}")
        words = ", ".join(map(literal, NULL_WORDS))
        found: dict[str, Guess] = {}
        samples: dict[str, list[str]] = {}
        tests: list[str] = []
        for column, values in zip(columns, row, strict=True):
            samples[column] = sample = [str(value) for value in (values or [])[:_SAMPLE_VALUES] if value is not None]
            found[column] = guess(sample, continental=continental)
            trimmed = _trimmed(column)
            fails = (
                f"lower({trimmed}) IN ({words})"
                if found[column].type == "VARCHAR"
                else f"{_converted(column, found[column])} IS NULL"
            )
            is_empty = not any(value.strip() for value in sample)
            tests.append("count(*) >= 0" if is_empty else f"coalesce(bool_or({trimmed} <> '' AND {fails}), false)")
        failed = [
            fails for part in batches(tests) for fails in self._row(f"SELECT {', '.join(part)} FROM {self._stage}")
        ]
        for column, fails in zip(columns, failed, strict=True):
            if fails:
                found[column] = self._guessed(column, continental=continental)
            if any(value != value.strip() for value in samples[column]):
                found[column] = _with_note(found[column], _PADDED)
        return found

    def _guessed(self, column: str, *, continental: bool) -> Guess:
        """Guess from a sample, check on all rows, and guess again with the values that did not fit."""
        raw = quoted(column)
        sample = self._values(
            f"SELECT DISTINCT {raw} FROM {self._stage} WHERE {raw} IS NOT NULL LIMIT {_SAMPLE_VALUES}"
        )
        for _ in range(_ROUNDS):
            found = guess(sample, continental=continental)
            if found.type == "VARCHAR":
                return self._text(column, found)
            strays, nothing = self._strays(column, found)
            if not strays and nothing:
                note = f"has {', '.join(map(repr, nothing[:3]))}, read as no value"
                return _with_note(found, note)
            if not strays:
                return found
            sample = [*strays, *sample]
        return self._text(column, TEXT)

    def _text(self, column: str, found: Guess) -> Guess:
        """A column of text, without the values of it that stand for no value."""
        raw = quoted(column)
        listed = ", ".join(map(literal, NULL_WORDS))
        words = self._values(f"SELECT DISTINCT {raw} FROM {self._stage} WHERE lower({_trimmed(column)}) IN ({listed})")
        words = [word for word in words if word.strip()]
        if not words:
            return found
        others = self._values(
            f"SELECT DISTINCT {raw} FROM {self._stage} WHERE lower({_trimmed(column)}) NOT IN ({listed})"
            f" LIMIT {_SAMPLE_VALUES}"
        )
        empty = self._values(f"SELECT 1 FROM {self._stage} WHERE {raw} IS NULL OR {_trimmed(column)} = '' LIMIT 1")
        missing = missing_in([*words, *others], has_empty=bool(empty))
        if not missing:
            return found
        note = f"has {', '.join(repr(word.strip()) for word in missing[:3])}, read as no value"
        sql = f"CASE WHEN $v NOT IN ('', {', '.join(literal(word.strip()) for word in missing)}) THEN $v END"
        return _with_note(replace(found, sql=sql), note)

    def told(self, file: Path, column: str, kind: str, said: Sidecar) -> Guess:
        """The type that the sidecar names, and a note of what does not fit it."""
        found = told(kind, decimal=said.decimal)
        if found is None:
            known = "text, integer, number, boolean, date or datetime, the last two with a format: date %d/%m/%Y"
            raise SourceError(f"{beside(file).name!r}: {column!r} cannot be {kind!r}. Say {known}.")
        if found.type == "VARCHAR":
            return found
        strays, _ = self._strays(column, found)
        if not strays:
            return found
        note = f"is told to be {kind!r}; what does not fit is empty, such as {strays[0][:30]!r}"
        return replace(found, note=note)

    def _strays(self, column: str, found: Guess) -> tuple[list[str], list[str]]:
        """Values that a type does not fit, and the words among them that stand for no value."""
        raw = quoted(column)
        unfit = self._values(
            f"SELECT DISTINCT {raw} FROM {self._stage} WHERE {raw} IS NOT NULL AND {_trimmed(column)} <> ''"
            f" AND {_converted(column, found)} IS NULL LIMIT {_SAMPLE_VALUES}"
        )
        nothing = sorted({value.strip() for value in unfit if value.strip().lower() in NULL_WORDS})
        return [value for value in unfit if value.strip().lower() not in NULL_WORDS], nothing

    def _row(self, sql: str) -> list[Any]:
        return list(self._con.execute(sql).fetchone() or ())

    def _values(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._con.execute(sql).fetchall()]


def _with_note(found: Guess, note: str) -> Guess:
    return replace(found, note=f"{found.note}; {note}" if found.note else note)


def _is_missing(column: str, type_: str, words: Sequence[str]) -> str:
    """The SQL test that a cell says one of the words that a person says mean no value; empty where none can."""
    said = [word.strip() for word in words if word.strip()]
    if type_ == "VARCHAR" and said:
        return f"{_trimmed(column)} IN ({', '.join(map(literal, said))})"
    numbers = [word for word in said if _NUMBER.fullmatch(word)]
    if type_ in ("BIGINT", "DOUBLE") and numbers:
        return f"{quoted(column)} IN ({', '.join(numbers)})"
    return ""


def selected_without(test: str, made: tuple[str, str, str]) -> tuple[str, str, str]:
    """A column without the cells that a test is true of."""
    name, type_, sql = made
    return (name, type_, f"CASE WHEN {test} THEN NULL ELSE {sql} END") if test else made


def selected(column: str, type_: str, found: Guess | None) -> tuple[str, str, str]:
    """A column's name, its type in the final table, and the SQL that makes it of the stage's."""
    if found is None:
        return column, type_, f"CAST({quoted(column)} AS {type_})"
    if found is TEXT or (found.type == "VARCHAR" and found.sql == TEXT.sql):
        # An empty cell is no value, in text as well.
        return column, "VARCHAR", f"nullif({_trimmed(column)}, '')"
    return column, found.type, _converted(column, found)


def _converted(column: str, found: Guess) -> str:
    """The SQL of a guess, applied to a column."""
    return found.sql.replace("$v", _trimmed(column))


def _trimmed(column: str) -> str:
    """The SQL of a column's text without the white space around it."""
    return f"trim({quoted(column)}, {_WHITE})"
