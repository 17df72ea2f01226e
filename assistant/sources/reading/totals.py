"""Rows of a table that sum up the others: counted like any other they would double every total.

A row is a total if one of its cells says so and all others are figures, empty or a word for no value ("-"). What is
found becomes a condition in DuckDB's SQL that the other rows meet, so that a notebook leaves out the same rows.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import isclose
from typing import TYPE_CHECKING

from assistant.sources.catalog.batches import batches
from assistant.sources.reading.missing import NULL_WORDS

if TYPE_CHECKING:
    import duckdb

_WORD = r"(?i)((grand|sub)[ -]?)?totals?( general)?:?|sum:?|summe:?|gesamt(summe)?:?|insgesamt:?|sum total:?|totaux:?"
_FIGURE = r"[-+(]*[$€£]? ?\d[\d.,''\s]*\)? ?[%$€£]?"
_FIGURES = re.compile(_FIGURE.replace("''", "'"))
_PART = re.compile(r"(?i)sub|grand")
_WHOLE_UP_TO_ROWS = 200_000
_LAST_ROWS = 200
_CLOSING_ROWS = 3
_SHOWN = 3


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
        shown = ", ".join(map(repr, self.words[:_SHOWN]))
        what = "1 total row" if self.rows == 1 else f"{self.rows} total rows"
        proof = ", whose figures are the sums of the rows above," if self.adds_up else ""
        return f"{what} ({shown}){proof} left out, so that nothing is counted twice"


def totals_of(con: duckdb.DuckDBPyConnection, stage: str) -> Totals | None:
    """Find the total rows of a table of raw cells; None where it has none, or nothing else.

    Args:
        con: Where the table is.
        stage: Its name. A long table is looked at from its end alone.
    """
    described = con.execute(f"DESCRIBE {stage}").fetchall()
    texts = [str(name) for name, kind, *_ in described if kind == "VARCHAR"]
    total = _one(con, f"SELECT count(*) FROM {stage}")
    first = _first_row(con, stage)
    for label in _labelled(con, f"{stage} WHERE rowid >= {first}", texts):
        condition = _condition(label, [name for name in texts if name != label], [str(n) for n, *_ in described])
        found = con.execute(f"SELECT * FROM {stage} WHERE rowid >= {first} AND {condition} ORDER BY rowid").fetchall()
        if found and len(found) < total:
            place = [str(name) for name, *_ in described].index(label)
            adds_up = _adds_up(con, stage, condition, [str(n) for n, *_ in described], found[-1])
            words = tuple(dict.fromkeys(str(row[place]).strip() for row in found))
            closes = _one(con, f"SELECT count(*) FROM {stage} WHERE rowid >= {total - _CLOSING_ROWS} AND {condition}")
            if not adds_up and not closes and not any(map(_PART.match, words)):
                continue  # a word in a list of words
            return Totals(rows=len(found), words=words, condition=f"NOT coalesce({condition}, false)", adds_up=adds_up)
    return None


def may_have_totals(con: duckdb.DuckDBPyConnection, table: str) -> bool:
    """Whether a cell says total where `totals_of` would look for total rows; the columns may have types already."""
    described = con.execute(f"DESCRIBE {table}").fetchall()
    texts = [str(name) for name, kind, *_ in described if kind == "VARCHAR"]
    return bool(_labelled(con, f"{table} WHERE rowid >= {_first_row(con, table)}", texts))


def _first_row(con: duckdb.DuckDBPyConnection, table: str) -> int:
    """From which row on total rows are sought: a long table is looked at from its end alone."""
    total = _one(con, f"SELECT count(*) FROM {table}")
    return 0 if total <= _WHOLE_UP_TO_ROWS else total - _LAST_ROWS


def _labelled(con: duckdb.DuckDBPyConnection, rows: str, texts: Sequence[str]) -> list[str]:
    """The columns in which a cell says total, found in few passes: a wide table has hundreds of others."""
    labelled: list[str] = []
    for part in batches(texts):
        tests = ", ".join(f"bool_or({_says_total(name)})" for name in part)
        row = con.execute(f"SELECT {tests} FROM {rows}").fetchone()
        labelled += [name for name, says in zip(part, row or (), strict=False) if says]
    return labelled


def _says_total(name: str) -> str:
    return f"regexp_full_match(trim({_quoted(name)}), '{_WORD}')"


def _condition(label: str, texts: Sequence[str], names: Sequence[str]) -> str:
    """That a row's cell at `label` says total, that its others are figures or no value, and that it has a figure."""
    tests = [_says_total(label)]
    tests += [f"({_known(name)} IS NULL OR regexp_full_match(trim({_quoted(name)}), '{_FIGURE}'))" for name in texts]
    others = [_known(name) for name in names if name != label]
    tests.append(f"coalesce({', '.join(others)}) IS NOT NULL" if others else "false")
    return f"({' AND '.join(tests)})"


def _known(name: str) -> str:
    """SQL for a column's cell, NULL where it is empty or a word for no value."""
    cell = f"trim(CAST({_quoted(name)} AS VARCHAR))"
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
        digits = f"regexp_replace(CAST({_quoted(name)} AS VARCHAR), '[^0-9.-]', '', 'g')"
        plain = f"TRY_CAST({digits} AS DOUBLE)"
        summed = con.execute(f"SELECT sum({plain}) FROM {stage} WHERE NOT coalesce({condition}, false)").fetchone()
        if summed and summed[0] is not None and figure and isclose(float(summed[0]), figure, rel_tol=1e-6):
            return True
    return False


def _number(cell: object) -> float | None:
    if isinstance(cell, int | float):
        return float(cell)
    if not isinstance(cell, str) or not _FIGURES.fullmatch(cell.strip()):
        return None
    try:
        return float(re.sub(r"[^0-9.-]", "", cell))
    except ValueError:
        return None


def _one(con: duckdb.DuckDBPyConnection, sql: str) -> int:
    row = con.execute(sql).fetchone()
    return int(row[0]) if row else 0


def _quoted(name: str) -> str:
    return '"' + name.replace('"', '""') + '"'
