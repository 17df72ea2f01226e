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
from assistant.sources.catalog.batches import batches, narrowed
from assistant.sources.reading.inference import TEXT, Guess, guess, told
from assistant.sources.reading.kinds import is_missing_word
from assistant.sources.reading.missing import NULL_WORDS, missing_in
from assistant.sources.reading.sidecar import Sidecar, beside
from assistant.sources.reading.text_tables import literal, quoted

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
            else f"coalesce(bool_or({_trimmed(name)} <> '' AND {_fails(name, column.guess)}), false)"
            for name, column in first.items()
        ]
        failed = [
            fails for part in batches(tests) for fails in self._row(f"SELECT {', '.join(part)} FROM {self._stage}")
        ]
        guesses: dict[str, Guess] = {}
        for (name, column), fails in zip(first.items(), failed, strict=True):
            found = self._guessed(name, continental=continental) if fails else column.guess
            guesses[name] = _with_note(found, _PADDED) if column.is_padded else found
        return guesses

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
        found = guess(sample, continental=continental, name=column)
        if found.doubt != "day_order":
            return found
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
            found = self._guess(column, sample, continental=continental)
            if found.type == "VARCHAR":
                return self._without_words(column, found, sample, continental=continental)
            strays, nothing = self._strays(column, found)
            if not strays and nothing:
                return _missing_noted(found, nothing)
            if not strays:
                return found
            sample = [*strays, *sample]
        return self._text(column, TEXT)

    def _without_words(self, column: str, found: Guess, sample: Sequence[str], *, continental: bool) -> Guess:
        """The type of a column without one or two words that stand again and again among values of that type."""
        words = tuple(dict.fromkeys(stray.strip() for stray in found.strays))
        if not 0 < len(words) <= _STRAY_WORDS_MAX or not all(map(_WORD.fullmatch, words)):
            return self._text(column, found)
        listed = ", ".join(map(literal, words))
        counts = self._values(
            f"SELECT count(*) FROM {self._stage} WHERE {_trimmed(column)} IN ({listed}) GROUP BY {_trimmed(column)}"
        )
        bare = self._guess(column, [v for v in sample if v.strip() not in words], continental=continental)
        if any(int(count) < _REPEATED for count in counts) or bare.type == "VARCHAR":
            return self._text(column, found)
        strays, nothing = self._strays(column, bare)
        if {stray.strip() for stray in strays} - set(words):
            return self._text(column, found)
        return _missing_noted(bare, [*words, *nothing], rival="Kept, they would make the column text.", told="text")

    def _text(self, column: str, found: Guess) -> Guess:
        """A column of text, without the values of it that stand for no value."""
        raw = quoted(column)
        rows = self._con.execute(
            f"SELECT {_trimmed(column)} AS v, count(*) FROM {self._stage} WHERE {raw} IS NOT NULL GROUP BY v "
            f"ORDER BY count(*) DESC LIMIT {_SAMPLE_VALUES}"
        ).fetchall()
        counts = {str(value): int(count) for value, count in rows if value}
        if not any(map(is_missing_word, counts)):
            return found
        empty = self._values(f"SELECT 1 FROM {self._stage} WHERE {raw} IS NULL OR {_trimmed(column)} = '' LIMIT 1")
        missing = missing_in(counts, has_empty=bool(empty))
        if not missing:
            return found
        sql = f"CASE WHEN $v NOT IN ('', {', '.join(map(literal, missing))}) THEN $v END"
        return _missing_noted(replace(found, sql=sql), missing, rival="They may be values.", told="text")

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
        nothing = sorted({value.strip() for value in unfit if is_missing_word(value.strip())})
        return [value for value in unfit if not is_missing_word(value.strip())], nothing

    def _row(self, sql: str) -> list[Any]:
        return list(self._con.execute(sql).fetchone() or ())

    def _values(self, sql: str) -> list[str]:
        return [str(row[0]) for row in self._con.execute(sql).fetchall()]


def _missing_noted(found: Guess, words: Sequence[str], *, rival: str = "", told: str = "") -> Guess:
    noted = _with_note(found, f"has {', '.join(map(repr, words[:3]))}, read as no value")
    return replace(noted, doubt=found.doubt or "missing_values", rival=found.rival or rival, told=found.told or told)


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


def converted_plainly(column: str, found: Guess) -> str:
    """The SQL of a guess, applied to a column as it is written; a value that does not fit is an error of the engine."""
    raw = quoted(column)
    if found.type == "VARCHAR":
        return raw
    return f"CASE WHEN {raw} IS NOT NULL THEN coalesce({found.sql.replace('$v', raw)}, error('unfit')) END"


def needs_cleaning(column: str) -> str:
    """The SQL test that a text would be changed: white space around it, or a word or signs for no value."""
    raw, trimmed = quoted(column), _trimmed(column)
    return f"({trimmed} <> {raw} OR {raw} = '' OR {_is_nothing(trimmed)})"


def _fails(column: str, found: Guess) -> str:
    """The SQL test that a cell with something in it does not fit a guess, or has to be looked into by itself."""
    if found.strays:
        return "true"
    return _is_nothing(_trimmed(column)) if found.type == "VARCHAR" else f"{_converted(column, found)} IS NULL"


def _is_nothing(trimmed: str) -> str:
    """The SQL test that a text stands for no value."""
    return f"(lower({trimmed}) IN ({', '.join(map(literal, NULL_WORDS))}) OR trim({trimmed}, {_SIGNS}) = '')"


def _converted(column: str, found: Guess) -> str:
    """The SQL of a guess, applied to a column."""
    return found.sql.replace("$v", _trimmed(column))


def _trimmed(column: str) -> str:
    """The SQL of a column's text without the white space around it."""
    return f"trim({quoted(column)}, {_WHITE})"
