"""Rows of a table that sum up the others: counted like any other they would double every total.

A row is a total if one of its cells says so and all others are figures, empty or a word for no value ("-"). So is a row
that names what it sums up ("Total North"), if its figures are the sums of the rows above, back to the one before it.
The first or the last row is one whatever it says, or without a name, if its figures are the sums of all others. What is
found becomes a condition in DuckDB's SQL that the other rows meet, so that a notebook leaves out the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from decimal import Decimal
from functools import cache
from importlib.resources import files
from math import isclose
from typing import TYPE_CHECKING

from assistant.query.quoting import literal, quoted
from assistant.sources.catalog.batches import batches
from assistant.sources.reading.missing import NULL_WORDS

if TYPE_CHECKING:
    import duckdb

_FIGURE = r"[-+(]*[$€£]? ?\d[\d.,''\s]*\)? ?[%$€£]?"
_FIGURES = re.compile(_FIGURE.replace("''", "'"))
_PART = re.compile(r"(?i)sub|grand|sous|zwischen|ara |小")
_WHOLE_UP_TO_ROWS = 200_000
_LAST_ROWS = 200
_CLOSING_ROWS = 3
_WORDS_LISTED = 3
_PARTS_MIN = 3
_SUBTOTALED_ROWS_MAX = 50_000
_PROVEN = 0.6
"""So large a share of the rows that name what they sum up must be the sums of the rows above them."""
_TELLING = 1_000
"""A figure as large as this is hardly the sum of all others by chance."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Totals:
    """Rows that sum up others.

    Attributes:
        rows: How many there are.
        words: What they call themselves, each once.
        condition: SQL over the raw columns that is true for all other rows.
        adds_up: Whether a figure of the last one is the sum of the column above it.
    """

    rows: int
    words: tuple[str, ...]
    condition: str
    adds_up: bool

    @property
    def note(self) -> str:
        """What is said of them."""
        word_list = ", ".join(map(repr, self.words[:_WORDS_LISTED])) or "without a name"
        row_count = "1 total row" if self.rows == 1 else f"{self.rows} total rows"
        proof = ", whose figures are the sums of the rows above," if self.adds_up else ""
        return f"{row_count} ({word_list}){proof} left out, so that nothing is counted twice"


def totals_of(con: duckdb.DuckDBPyConnection, stage: str) -> Totals | None:
    """Find the total rows of a table of raw cells; None where it has none, or nothing else.

    Args:
        con: Where the table is.
        stage: Its name. A long table is looked at from its end alone.
    """
    names, texts = _list_columns(con, stage)
    total = _one(con, f"SELECT count(*) FROM {stage}")
    first = _first_row(total)
    tests = _find_subtotals(con, stage, names, texts, total)
    for label in dict.fromkeys((*tests, *_labelled(con, f"{stage} WHERE rowid >= {first}", texts))):
        condition = _condition(_says_total(label), label, texts, names)
        if label in tests:
            condition = f"({condition} OR {tests[label]})"
        total_rows = con.execute(
            f"SELECT * FROM {stage} WHERE rowid >= {first} AND {condition} ORDER BY rowid"
        ).fetchall()
        if total_rows and len(total_rows) < total:
            place = names.index(label)
            adds_up = _adds_up(con, stage, condition, names, total_rows[-1])
            words = tuple(dict.fromkeys(str(row[place]).strip() for row in total_rows))
            closes = _one(con, f"SELECT count(*) FROM {stage} WHERE rowid >= {total - _CLOSING_ROWS} AND {condition}")
            if label not in tests and not adds_up and not closes and not any(map(_PART.match, words)):
                continue  # a word in a list of words
            return Totals(
                rows=len(total_rows), words=words, condition=f"NOT coalesce({condition}, false)", adds_up=adds_up
            )
    return _find_by_sum(con, stage, names, texts, total) if first == 0 else None


def _find_subtotals(
    con: duckdb.DuckDBPyConnection, stage: str, names: Sequence[str], texts: Sequence[str], total: int
) -> dict[str, str]:
    """By column of labels, the condition of rows that name what they sum up, where their figures prove it."""
    if total > _SUBTOTALED_ROWS_MAX:
        return {}
    tests: dict[str, str] = {}
    for label in _labelled(con, stage, texts, _names_total):
        condition = _condition(_names_total(label), label, texts, names)
        plain = f"coalesce({_condition(_says_total(label), label, texts, names)}, false)"
        rows = con.execute(f"SELECT coalesce({condition}, false), * FROM {stage} WHERE NOT {plain} ORDER BY rowid")
        running: dict[int, float] = {}
        claims = proofs = 0
        for is_claim, *cells in rows.fetchall():
            figures = {n: figure for n, cell in enumerate(cells) if (figure := _number(cell)) is not None}
            if not is_claim:
                for n, figure in figures.items():
                    running[n] = running.get(n, 0.0) + figure
                continue
            claims += 1
            proofs += any(
                figure and isclose(running.get(n, 0.0), figure, rel_tol=1e-6) for n, figure in figures.items()
            )
            running = {}
        if proofs and proofs >= _PROVEN * claims:
            tests[label] = condition
    return tests


def _find_by_sum(
    con: duckdb.DuckDBPyConnection, stage: str, names: Sequence[str], texts: Sequence[str], total: int
) -> Totals | None:
    """A first or last row that is a total by its figures; None where neither is.

    It has one label, which no other row has, and otherwise figures of which at least half are the sums of the others.
    """
    if total <= _PARTS_MIN:
        return None
    for place in (0, total - 1):
        near = con.execute(
            f"SELECT * FROM {stage} WHERE rowid IN ({place}, {', '.join(map(str, _neighbours(place, total)))})"
        ).fetchall()
        row = near[0] if place == 0 else near[-1]
        cells = {name: cell for name, cell in zip(names, row, strict=True) if _is_filled(cell)}
        figures = {name: figure for name, cell in cells.items() if (figure := _number(cell)) is not None}
        labels = [name for name in cells if name not in figures]
        if len(labels) > 1 or not figures:
            continue
        # Without a name of its own it is the only row whose first text is empty.
        label = labels[0] if labels else next((name for name in texts if name not in figures), None)
        if label is None or label not in texts:
            continue
        word = str(cells[label]).strip() if labels else ""
        condition = f"trim({quoted(label)}) = {literal(word)}" if word else f"{_known(label)} IS NULL"
        first = next(iter(figures))
        other_figures = [_number(near_row[names.index(first)]) for near_row in near if near_row is not row]
        if any(figure is None or abs(figure) > abs(figures[first]) for figure in other_figures):
            continue  # most rows end here, without a look at the others
        if _one(con, f"SELECT count(*) FROM {stage} WHERE {condition}") != 1:
            continue
        sums = [name for name in figures if _sums_up(con, stage, condition, name, figures[name])]
        is_telling = len(sums) > 1 or (len(sums) == 1 and abs(figures[sums[0]]) >= _TELLING)
        if is_telling and 2 * len(sums) >= len(figures):
            return Totals(
                rows=1, words=(word,) if word else (), condition=f"NOT coalesce({condition}, false)", adds_up=True
            )
    return None


def _neighbours(place: int, total: int) -> Sequence[int]:
    return range(1, 1 + _PARTS_MIN) if place == 0 else range(total - 1 - _PARTS_MIN, total - 1)


def _is_filled(cell: object) -> bool:
    return cell is not None and str(cell).strip().lower() not in NULL_WORDS


def may_have_totals(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    """Whether `totals_of` would find total rows; the columns may have types already."""
    names, texts = _list_columns(con, table)
    total = _one(con, f"SELECT count(*) FROM {table}")
    first = _first_row(total)
    if _labelled(con, f"{table} WHERE rowid >= {first}", texts) or _find_subtotals(con, table, names, texts, total):
        return True
    return first == 0 and _find_by_sum(con, table, names, texts, total) is not None


def _list_columns(con: duckdb.DuckDBPyConnection, table: str) -> tuple[list[str], list[str]]:
    """The columns of a table, and those of them that hold texts."""
    described = con.execute(f"DESCRIBE {table}").fetchall()
    return [str(name) for name, *_ in described], [str(name) for name, kind, *_ in described if kind == "VARCHAR"]


def _first_row(total: int) -> int:
    """From which row on total rows are sought: a long table is looked at from its end alone."""
    return 0 if total <= _WHOLE_UP_TO_ROWS else total - _LAST_ROWS


def _labelled(
    con: duckdb.DuckDBPyConnection, rows: str, texts: Sequence[str], test: Callable[[str], str] | None = None
) -> list[str]:
    """The columns in which a cell says total, or meets another test, in few passes: a wide table has hundreds."""
    labelled: list[str] = []
    for part in batches(texts):
        tests = ", ".join(f"bool_or({(test or _says_total)(name)})" for name in part)
        row = con.execute(f"SELECT {tests} FROM {rows}").fetchone()
        labelled += [name for name, says in zip(part, row or (), strict=False) if says]
    return labelled


def _says_total(name: str) -> str:
    cell = f"rtrim(trim({quoted(name)}), ': ')"
    return f"lower({cell}) IN ({', '.join(map(literal, _words()))})"


def _names_total(name: str) -> str:
    """That a cell names what it sums up: `Total North`, `North total`."""
    words = "|".join(re.escape(word).replace("'", "''") for word in _words())
    cell = f"lower(trim({quoted(name)}))"
    return f"regexp_full_match({cell}, '({words})[: ] ?\\S.*|.*\\S ({words}):?')"


@cache
def _words() -> tuple[str, ...]:
    """How total rows call themselves, in lower case."""
    return tuple((files("assistant.sources.reading") / "total_words.txt").read_text(encoding="utf-8").splitlines())


def _condition(says_total: str, label: str, texts: Sequence[str], names: Sequence[str]) -> str:
    """That a row's cell at `label` says total, that its others are figures or no value, and that it has a figure."""
    tests = [says_total]
    tests += [
        f"({_known(name)} IS NULL OR regexp_full_match(trim({quoted(name)}), '{_FIGURE}'))"
        for name in texts
        if name != label
    ]
    other_tests = [_known(name) for name in names if name != label]
    tests.append(f"coalesce({', '.join(other_tests)}) IS NOT NULL" if other_tests else "false")
    return f"({' AND '.join(tests)})"


def _known(name: str) -> str:
    """SQL for a column's cell, NULL where it is empty or a word for no value."""
    cell = f"trim(CAST({quoted(name)} AS VARCHAR))"
    words = ", ".join(f"'{word}'" for word in NULL_WORDS)
    return f"CASE WHEN lower({cell}) NOT IN ({words}) THEN {cell} END"


def _adds_up(
    con: duckdb.DuckDBPyConnection, stage: str, condition: str, names: Sequence[str], row: Sequence[object]
) -> bool:
    """Whether some figure of a total row is the sum of its column over the rows that are no totals."""
    for name, cell in zip(names, row, strict=True):
        figure = _number(cell)
        if figure is None:
            continue
        if figure and _sums_up(con, stage, condition, name, figure):
            return True
    return False


def _sums_up(con: duckdb.DuckDBPyConnection, stage: str, condition: str, name: str, figure: float) -> bool:
    """Whether a figure is the sum of its column over the rows of which a condition is not true."""
    cell = f"CAST({quoted(name)} AS VARCHAR)"
    digits = f"regexp_replace({cell}, '[^0-9.,-]', '', 'g')"
    pointed = f"TRY_CAST(replace({digits}, ',', '') AS DOUBLE)"
    comma = f"TRY_CAST(replace(replace({digits}, '.', ''), ',', '.') AS DOUBLE)"
    has_comma = f"coalesce(bool_or(regexp_matches({cell}, ',\\d{{1,2}}\\D*$')), false)"
    row = con.execute(
        f"SELECT sum({pointed}), sum({comma}), {has_comma} FROM {stage} WHERE NOT coalesce({condition}, false)"
    ).fetchone()
    total = row[1] if row and row[2] else row[0] if row else None
    return total is not None and isclose(float(total), figure, rel_tol=1e-6)


def _number(cell: object) -> float | None:
    if isinstance(cell, int | float | Decimal):
        return float(cell)
    if not isinstance(cell, str) or not _FIGURES.fullmatch(cell.strip()):
        return None
    digits = re.sub(r"[^0-9.,-]", "", cell)
    has_comma = re.search(r",\d{1,2}$", digits)
    try:
        return float(digits.replace(".", "").replace(",", ".") if has_comma else digits.replace(",", ""))
    except ValueError:
        return None


def _one(con: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = con.execute(sql).fetchone()
    return int(row[0]) if row else 0
