"""Sentinels: numbers that stand for "no value", such as -200 or 999.9, found where they are far from all others.

The numbers decide: a value is proposed where it repeats and lies farther from the rest than the rest is wide, and where
it also looks like a mark (nines alone, or below zero where nothing else is), or lies several times as far. Nines and
round hundreds, which nobody measures, need less. What is a mark in one column is one at the ends of its siblings.
Nothing is left out for it: it is a doubt. The caller asks the engine.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence

from assistant.core.catalog import Column, Table
from assistant.core.doubts import Correction, Doubt
from assistant.plain_english import joined

Ask = Callable[[str], Sequence[Sequence[object]] | None]
"""The rows of a query; None where the engine cannot tell, or not in time."""

_REPEATS_MIN = 2
_REPEATS_OF_ANY_MIN = 3
"""A value that is not written like a mark must repeat so often."""
_ENDS_MAX = 3
"""So many values at either end of a column may be sentinels."""
_DISTINCT_MIN = 4
_FAR = 3.0
_NINES = re.compile(r"-?9+(\.9+|\.0+)?")
_MARK = re.compile(r"-?(?:9+|8{2,}|7{2,})(?:\.9+|\.0+)?|-?[1-9]0{2,}|-1")
_MARK_OF_DAYS = re.compile(r"(0001|1753|1899|1900|1970|2099|2999|3000|9999)-(01-01|12-3[01])(?: 00:00:00)?")
_GAP_OF_NINES = 0.12
_GAP_OF_NEGATIVES = 1.0
_GAP_OF_MARKS = 1.5
"""How far a value that is written like a mark lies from the rest, in widths of the rest: nines, below zero, others."""


def find_sentinels(
    table: Table, ask: Ask, *, quoted: Callable[[str], str], place: Callable[[Table], str]
) -> Iterator[Doubt]:
    """A doubt for each column of numbers with values that look like marks for "no value".

    Args:
        table: A table, profiled.
        ask: Asks the engine.
        quoted: A name as SQL.
        place: A table as SQL.
    """
    ends: list[tuple[Column, list[tuple[float, int]]]] = []
    marks: dict[str, tuple[tuple[float, int], ...]] = {}
    for column in table.columns:
        if days := _days_among(column):
            yield _doubt(table, column, days)
        if not _may_hold(column, table):
            continue
        c = quoted(column.name)
        counted = f"SELECT {c} AS v, count(*) AS n FROM {place(table)} WHERE {c} IS NOT NULL GROUP BY {c} ORDER BY {c}"
        low = _ends(ask(f"{counted} LIMIT {_ENDS_MAX + 1}"))
        high = _ends(ask(f"{counted} DESC LIMIT {_ENDS_MAX + 1}"))
        ends.append((column, [*low[:1], *high[:1]]))
        marks[column.name] = sentinels_among(low, high)
    mark_values = {value for column_marks in marks.values() for value, _ in column_marks}
    for column, column_ends in ends:
        own = marks[column.name]
        siblings = [end for end in column_ends if end[0] in mark_values and end not in own]
        if own or siblings:
            yield _doubt(table, column, (*own, *siblings))


def sentinels_among(
    low: Sequence[tuple[float, int]], high: Sequence[tuple[float, int]]
) -> tuple[tuple[float, int], ...]:
    """The values at the ends of a column that look like marks for "no value", with how often each stands there.

    Args:
        low: The least values with their counts, least first; one more than may be marks.
        high: The greatest, greatest first.
    """
    marks: list[tuple[float, int]] = []
    least, greatest = list(low), list(high)
    while len(least) > 1 and len(greatest) > 1:
        # The wider gap first: 999 makes the range so wide that -1 does not seem far.
        gaps = ((least[1][0] - least[0][0], least), (greatest[0][0] - greatest[1][0], greatest))
        gap, end = max(gaps, key=lambda pair: pair[0])
        rest_low = least[1][0] if end is least else least[0][0]
        rest_high = greatest[1][0] if end is greatest else greatest[0][0]
        value, count = end[0]
        if not _is_mark(value, count, gap, low=rest_low, width=rest_high - rest_low):
            break
        marks.append(end.pop(0))
    return tuple(marks)


def _is_mark(value: float, count: int, gap: float, *, low: float, width: float) -> bool:
    text = f"{value:.10g}"
    if width <= 0 or count < _REPEATS_MIN:
        return False
    if _MARK.fullmatch(text):
        is_long = sum(map(str.isdigit, text)) > 2
        is_nines = is_long and _NINES.fullmatch(text) is not None
        least = _GAP_OF_NINES if is_nines else _GAP_OF_NEGATIVES if is_long and value < 0 else _GAP_OF_MARKS
        if gap > least * width:
            return True
    looks_so = _NINES.fullmatch(text) is not None or (value < 0 <= low)
    return count >= _REPEATS_OF_ANY_MIN and gap >= (width if looks_so else _FAR * width)


def _may_hold(column: Column, table: Table) -> bool:
    profile = column.profile
    if column.kind not in ("integer", "number") or column.name in table.key_names or profile is None:
        return False
    ends = [end for end in (profile.low, profile.high) if isinstance(end, int | float)]
    return (
        profile.distinct >= _DISTINCT_MIN
        and len(ends) == 2
        and (
            any(value in ends and count >= _REPEATS_OF_ANY_MIN for value, count in profile.top)
            or any(_MARK.fullmatch(f"{end:.10g}") for end in ends)
        )
    )


def _days_among(column: Column) -> tuple[tuple[str, int], ...]:
    """The first or the last day of a column, if it repeats and is one that programs write where there is none."""
    profile = column.profile
    if profile is None or column.kind not in ("date", "datetime") or profile.distinct < _DISTINCT_MIN:
        return ()
    return tuple(
        (value, count)
        for value, count in profile.top
        if isinstance(value, str)
        and count >= _REPEATS_MIN
        and value in (profile.low, profile.high)
        and _MARK_OF_DAYS.fullmatch(value.replace("T", " "))
    )


def _ends(rows: Sequence[Sequence[object]] | None) -> list[tuple[float, int]]:
    return [(float(str(value)), int(str(count))) for value, count in rows or ()]


def _doubt(table: Table, column: Column, marks: Sequence[tuple[float | str, int]]) -> Doubt:
    values = [value if isinstance(value, str) else f"{value:.10g}" for value, _ in marks]
    rows = sum(count for _, count in marks)
    times = "1 row" if rows == 1 else f"{rows:,} rows"
    is_one = len(values) == 1
    return Doubt(
        kind="sentinels",
        table=table.name,
        columns=(column.name,),
        chosen=f"{joined(values)} in {times} of {table.name}.{column.name} "
        f"{'is counted as a value' if is_one else 'are counted as values'}.",
        rival=f"{'It is' if is_one else 'They are'} far from all others, and may stand for “no value”.",
        rows=rows,
        share=rows / table.rows if table.rows else None,
        correction=Correction(setting="missing", value=tuple(values)),
    )
