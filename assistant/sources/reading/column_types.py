"""The narrowest type that fits all values of a text column, and the SQL that converts it.

A type is guessed from a sample and checked on all rows. A type given by a person is used as it is. Only cells that a
person declares missing are changed.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from pathlib import Path
from typing import Any

import duckdb

from assistant.core.data_errors import SourceError
from assistant.query.quoting import literal, quoted
from assistant.sources.catalog.batches import batches, narrowed
from assistant.sources.reading.guesses import TEXT, Guess
from assistant.sources.reading.inference import guess, parse_type
from assistant.sources.reading.kinds import is_missing_word
from assistant.sources.reading.missing import NULL_WORDS, missing_in
from assistant.sources.reading.sidecar import Sidecar, beside
from assistant.sources.reading.time_counts import guess_time_count

_SAMPLE_VALUES = 5_000
_ROUNDS = 4
FIRST_ROWS = 20_000
"""So many rows are guessed from first."""
_FEW_VALUES = 1_000
_ORDERED_ROWS = 2_000
_REPEATED = 3
_STRAY_WORDS_MAX = 2
_WORD = re.compile(r"\D+")
_NUMBER = re.compile(r"[+-]?\d+(\.\d+)?")
_WHITE = "' ' || chr(9) || chr(10) || chr(13) || chr(160)"
_SIGNS = "'-–—.*?/#+_~:!'"
_PADDED = "white space around its values is left out"


@dataclass(frozen=True, slots=True, kw_only=True)
class FirstGuess:
    """What the first rows tell of a column.

    Attributes:
        guess: The type that fits their values.
        is_empty: Whether it has no value there.
        is_padded: Whether a value there has white space around it.
        has_few_values: Whether it repeats its values, so that it is cheaper to look at each once.
    """

    guess: Guess
    is_empty: bool
    is_padded: bool
    has_few_values: bool


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
        first = self.first_guesses(columns, continental=continental)
        tests = [
            "count(*) >= 0"
            if column.is_empty
            else f"coalesce(bool_or({_trim(name)} <> '' AND {_fails(name, column.guess)}), false)"
            for name, column in first.items()
        ]
        failed = [
            fails for part in batches(tests) for fails in self._row(f"SELECT {', '.join(part)} FROM {self._stage}")
        ]
        guesses: dict[str, Guess] = {}
        for (name, column), fails in zip(first.items(), failed, strict=True):
            new_guess = self._guessed(name, continental=continental) if fails else column.guess
            guesses[name] = _add_note(new_guess, _PADDED) if column.is_padded else new_guess
        return guesses

    def number_guesses(self, columns: Sequence[str]) -> dict[str, Guess]:
        """What columns of numbers are that may count time, such as seconds since 1970; only those."""
        guesses: dict[str, Guess] = {}
        for column in columns:
            raw = quoted(column)
            values = self._values(
                f"SELECT DISTINCT CAST({raw} AS VARCHAR) FROM {self._stage} WHERE {raw} IS NOT NULL "
                f"LIMIT {_SAMPLE_VALUES}"
            )
            type_guess = guess_time_count(values, column) if values else None
            if type_guess is not None and not self._strays(column, type_guess)[0]:
                guesses[column] = type_guess
        return guesses

    def count_rows(self, guesses: Mapping[str, Guess]) -> dict[str, tuple[int, float]]:
        """How many rows each doubt about a type concerns, and their share of all."""
        tests = {
            column: (type_guess.concerns or "$v <> ''").replace("$v", _trim(column))
            for column, type_guess in guesses.items()
            if type_guess.doubt is not None
        }
        counts: list[int] = []
        for part in batches([f"count(*) FILTER (WHERE {test})" for test in tests.values()]):
            counts += self._row(f"SELECT {', '.join(part)} FROM {self._stage}")
        rows = self._row(f"SELECT count(*) FROM {self._stage}")[0] if tests else 0
        return {column: (count, count / rows) for column, count in zip(tests, counts, strict=True) if rows}

    def first_guesses(self, columns: Sequence[str], *, continental: bool) -> dict[str, FirstGuess]:
        """Guess all columns from the first rows alone."""
        row: list[Any] = []
        for part in batches([quoted(column) for column in columns]):
            listed = ", ".join(f"list(DISTINCT {column})" for column in part)
            first = f"(SELECT {', '.join(part)} FROM {self._stage} LIMIT {FIRST_ROWS})"
            with narrowed(self._con, first, part, of=len(columns), rows=FIRST_ROWS) as origin:
                row += self._row(f"SELECT {listed} FROM {origin}")
        guesses: dict[str, FirstGuess] = {}
        for column, values in zip(columns, row, strict=True):
            sample = [str(value) for value in (values or [])[:_SAMPLE_VALUES] if value is not None]
            guesses[column] = FirstGuess(
                guess=self._guess(column, sample, continental=continental),
                is_empty=not any(value.strip() for value in sample),
                is_padded=any(value != value.strip() for value in sample),
                has_few_values=len(sample) <= _FEW_VALUES,
            )
        return guesses

    def _guess(self, column: str, sample: Sequence[str], *, continental: bool) -> Guess:
        """Guess from a sample; where it leaves open which part of dates is the day, the order of the rows may tell."""
        type_guess = guess(sample, continental=continental, name=column)
        if type_guess.doubt != "day_order":
            return type_guess
        raw = quoted(column)
        sql = f"SELECT {raw} FROM {self._stage} WHERE {raw} IS NOT NULL LIMIT {_ORDERED_ROWS}"
        return guess(sample, continental=continental, name=column, ordered=self._values(sql))

    def _guessed(self, column: str, *, continental: bool) -> Guess:
        """Guess from a sample, check on all rows, and guess again with the values that did not fit."""
        raw = quoted(column)
        sample = self._values(
            f"SELECT DISTINCT {raw} FROM {self._stage} WHERE {raw} IS NOT NULL LIMIT {_SAMPLE_VALUES}"
        )
        for _ in range(_ROUNDS):
            type_guess = self._guess(column, sample, continental=continental)
            if type_guess.type == "VARCHAR":
                return self._without_words(column, type_guess, sample, continental=continental)
            strays, nothing = self._strays(column, type_guess)
            if not strays and nothing:
                return _note_missing(type_guess, nothing)
            if not strays:
                return type_guess
            sample = [*strays, *sample]
        return self._text(column, TEXT)

    def _without_words(self, column: str, type_guess: Guess, sample: Sequence[str], *, continental: bool) -> Guess:
        """The type of a column without one or two words that stand again and again among values of that type."""
        words = tuple(dict.fromkeys(stray.strip() for stray in type_guess.strays))
        if not 0 < len(words) <= _STRAY_WORDS_MAX or not all(map(_WORD.fullmatch, words)):
            return self._text(column, type_guess)
        listed = ", ".join(map(literal, words))
        counts = self._values(
            f"SELECT count(*) FROM {self._stage} WHERE {_trim(column)} IN ({listed}) GROUP BY {_trim(column)}"
        )
        bare = self._guess(column, [v for v in sample if v.strip() not in words], continental=continental)
        if any(int(count) < _REPEATED for count in counts) or bare.type == "VARCHAR":
            return self._text(column, type_guess)
        strays, nothing = self._strays(column, bare)
        if {stray.strip() for stray in strays} - set(words):
            return self._text(column, type_guess)
        return _note_missing(
            bare, [*words, *nothing], rival="Kept, they would make the column text.", rival_type="text"
        )

    def _text(self, column: str, type_guess: Guess) -> Guess:
        """A column of text, without the values of it that stand for no value."""
        raw = quoted(column)
        rows = self._con.execute(
            f"SELECT {_trim(column)} AS v, count(*) FROM {self._stage} WHERE {raw} IS NOT NULL GROUP BY v "
            f"ORDER BY count(*) DESC LIMIT {_SAMPLE_VALUES}"
        ).fetchall()
        counts = {str(value): int(count) for value, count in rows if value}
        if not any(map(is_missing_word, counts)):
            return type_guess
        empty = self._values(f"SELECT 1 FROM {self._stage} WHERE {raw} IS NULL OR {_trim(column)} = '' LIMIT 1")
        missing_words = missing_in(counts, has_empty=bool(empty))
        if not missing_words:
            return type_guess
        sql = f"CASE WHEN $v NOT IN ('', {', '.join(map(literal, missing_words))}) THEN $v END"
        return _note_missing(
            replace(type_guess, sql=sql), missing_words, rival="They may be values.", rival_type="text"
        )

    def declared_type(self, file: Path, column: str, kind: str, sidecar: Sidecar) -> Guess:
        """The type that the sidecar names, and a note of what does not fit it."""
        type_guess = parse_type(kind, decimal=sidecar.decimal)
        if type_guess is None:
            choices = "text, integer, number, boolean, date or datetime, the last two with a format: date %d/%m/%Y"
            raise SourceError(f"{beside(file).name!r}: {column!r} cannot be {kind!r}. Say {choices}.")
        if type_guess.type == "VARCHAR":
            return type_guess
        strays, _ = self._strays(column, type_guess)
        if not strays:
            return type_guess
        note = f"is told to be {kind!r}; what does not fit is empty, such as {strays[0][:30]!r}"
        return replace(type_guess, note=note)

    def _strays(self, column: str, type_guess: Guess) -> tuple[list[str], list[str]]:
        """Values that a type does not fit, and the words among them that stand for no value."""
        raw = quoted(column)
        unfit = self._values(
            f"SELECT DISTINCT {raw} FROM {self._stage} WHERE {raw} IS NOT NULL AND {_trim(column)} <> ''"
            f" AND {_convert(column, type_guess)} IS NULL LIMIT {_SAMPLE_VALUES}"
        )
        nothing = sorted({value.strip() for value in unfit if is_missing_word(value.strip())})
        return [value for value in unfit if not is_missing_word(value.strip())], nothing

    def _row(self, sql: str) -> list[Any]:
        return list(self._con.execute(sql).fetchone() or ())

    def _values(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._con.execute(sql).fetchall()]


def _note_missing(type_guess: Guess, words: Sequence[str], *, rival: str = "", rival_type: str = "") -> Guess:
    annotated = _add_note(type_guess, f"has {', '.join(map(repr, words[:3]))}, read as no value")
    return replace(
        annotated,
        doubt=type_guess.doubt or "missing_values",
        rival=type_guess.rival or rival,
        rival_type=type_guess.rival_type or rival_type,
        concerns=type_guess.concerns if type_guess.doubt else f"$v IN ({', '.join(map(literal, words))})",
    )


def _add_note(type_guess: Guess, note: str) -> Guess:
    return replace(type_guess, note=f"{type_guess.note}; {note}" if type_guess.note else note)


def _is_missing(column: str, type_: str, words: Sequence[str]) -> str:
    """The SQL test that a cell says one of the words that a person says mean no value; empty where none can."""
    filled_words = [word.strip() for word in words if word.strip()]
    if type_ == "VARCHAR" and filled_words:
        return f"{_trim(column)} IN ({', '.join(map(literal, filled_words))})"
    numbers = [word for word in filled_words if _NUMBER.fullmatch(word)]
    if type_ in ("BIGINT", "DOUBLE") and numbers:
        return f"{quoted(column)} IN ({', '.join(numbers)})"
    return ""


def select_unless(test: str, column: tuple[str, str, str]) -> tuple[str, str, str]:
    """A column without the cells that a test is true of."""
    name, type_, sql = column
    return (name, type_, f"CASE WHEN {test} THEN NULL ELSE {sql} END") if test else column


def select_column(column: str, type_: str, type_guess: Guess | None) -> tuple[str, str, str]:
    """A column's name, its type in the final table, and the SQL that makes it of the stage's."""
    if type_guess is None:
        return column, type_, f"CAST({quoted(column)} AS {type_})"
    if type_guess is TEXT or (type_guess.type == "VARCHAR" and type_guess.sql == TEXT.sql):
        # An empty cell is no value, in text as well.
        return column, "VARCHAR", f"nullif({_trim(column)}, '')"
    return column, type_guess.type, _convert(column, type_guess)


def convert_strictly(column: str, type_guess: Guess) -> str:
    """The SQL of a guess, applied to a column as it is written; a value that does not fit is an error of the engine."""
    raw = quoted(column)
    if type_guess.type == "VARCHAR":
        return raw
    return f"CASE WHEN {raw} IS NOT NULL THEN coalesce({type_guess.sql.replace('$v', raw)}, error('unfit')) END"


def needs_cleaning(column: str) -> str:
    """The SQL test that a text would be changed: white space around it, or a word or signs for no value."""
    raw, trimmed = quoted(column), _trim(column)
    return f"({trimmed} <> {raw} OR {raw} = '' OR {_is_nothing(trimmed)})"


def _fails(column: str, type_guess: Guess) -> str:
    """The SQL test that a cell with something in it does not fit a guess, or has to be looked into by itself."""
    if type_guess.strays:
        return "true"
    return _is_nothing(_trim(column)) if type_guess.type == "VARCHAR" else f"{_convert(column, type_guess)} IS NULL"


def _is_nothing(trimmed: str) -> str:
    """The SQL test that a text stands for no value."""
    return f"(lower({trimmed}) IN ({', '.join(map(literal, NULL_WORDS))}) OR trim({trimmed}, {_SIGNS}) = '')"


def _convert(column: str, type_guess: Guess) -> str:
    """The SQL of a guess, applied to a column."""
    return type_guess.sql.replace("$v", _trim(column))


def _trim(column: str) -> str:
    """The SQL of a column's text without the white space around it."""
    return f"trim(CAST({quoted(column)} AS VARCHAR), {_WHITE})"
