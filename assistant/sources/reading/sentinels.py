"""Numbers that may stand for "no value", such as -200 and 999: proposed, never applied.

Such a number is repeated, far outside the others, and written as nobody measures: nines, or a round number of hundreds.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.query.quoting import quoted
from assistant.sources.catalog.batches import batches

if TYPE_CHECKING:
    import duckdb

_SHAPE = re.compile(r"-?(?:9+|8{2,}|7{2,})(?:\.9+|\.0+)?|-?[1-9]0{2,}(?:\.0+)?|-1(?:\.0+)?")
_NINES = re.compile(r"-?9{3,}(?:\.9+|\.0+)?")
_REPEATED = 2


@dataclass(frozen=True, slots=True, kw_only=True)
class Sentinel:
    """A number in a column that may stand for no value, and how many rows have it."""

    column: str
    value: str
    rows: int


def sentinels_of(con: duckdb.DuckDBPyConnection, table: str, columns: Sequence[str]) -> list[Sentinel]:
    """The numbers of a table that may stand for no value.

    Args:
        con: Where the table is.
        table: Its name in SQL.
        columns: Its columns of numbers.
    """
    if not columns:
        return []
    ends: list[float | None] = []
    for part in batches([quoted(column) for column in columns]):
        listed = ", ".join(f"min({column}), max({column})" for column in part)
        ends += con.execute(f"SELECT {listed} FROM {table}").fetchone() or ()
    pairs = list(zip(columns, ends[::2], ends[1::2], strict=True))
    sentinels = [
        sentinel
        for column, low, high in pairs
        for end in (low, high)
        if end is not None and _SHAPE.fullmatch(_shown(end)) and (sentinel := _sentinel(con, table, column, end))
    ]
    values = {sentinel.value for sentinel in sentinels}
    for column, low, high in pairs:  # what stands for no value in one column does in its siblings
        for end in {low, high}:
            is_known = any(sentinel.column == column and sentinel.value == _shown(end) for sentinel in sentinels)
            if end is not None and _shown(end) in values and not is_known:
                sentinels.append(Sentinel(column=column, value=_shown(end), rows=_count(con, table, column, end)))
    return sentinels


def _sentinel(con: duckdb.DuckDBPyConnection, table: str, column: str, value: float) -> Sentinel | None:
    name = quoted(column)
    range_sql = f"min({name}) FILTER ({name} <> $1), max({name}) FILTER ({name} <> $1)"
    sql = f"SELECT count(*) FILTER ({name} = $1), {range_sql}, count(DISTINCT {name}) FROM {table}"
    row: tuple[int, float | None, float | None, int] = con.execute(sql, [value]).fetchone() or (0, None, None, 0)
    rows, low, high, distinct = row
    if rows < _REPEATED or distinct < 4 or low is None or high is None:
        return None
    end_codes = [end for end in (low, high) if _SHAPE.fullmatch(_shown(end))]
    if end_codes and end_codes[0] != value:  # both ends may be such numbers: the other one does not count as a value
        sql = f"SELECT min({name}), max({name}) FROM {table} WHERE {name} NOT IN ($1, $2)"
        inner = con.execute(sql, [value, end_codes[0]]).fetchone()
        if inner is not None and inner[0] is not None:
            low, high = inner
    spread = max(float(high) - float(low), 1e-9)
    gap = min(abs(value - low), abs(value - high))
    is_long = len(re.sub(r"\D", "", _shown(value))) > 2
    needed = 0.12 if _NINES.fullmatch(_shown(value)) else 1.0 if is_long and value < 0 else 1.5
    return Sentinel(column=column, value=_shown(value), rows=int(rows)) if gap > needed * spread else None


def _count(con: duckdb.DuckDBPyConnection, table: str, column: str, value: float) -> int:
    row = con.execute(f"SELECT count(*) FROM {table} WHERE {quoted(column)} = $1", [value]).fetchone()
    return int(row[0]) if row else 0


def _shown(value: object) -> str:
    return str(int(value)) if isinstance(value, float) and value.is_integer() and abs(value) < 1e15 else str(value)
