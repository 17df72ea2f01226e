"""Compares two results for equality. Pure.

A result is right if it equals the gold's as a multiset of rows, columns in any order, numbers to 1e-6 relative, and in
order where the gold orders its rows. Column names do not count. A truth value is the number 1 or 0; a text that reads
as a plain number counts as that number, and a day as its ISO text (engines without such types answer with text); NULL
equals NULL alone.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Sequence
from datetime import date, datetime, time
from decimal import Decimal
from typing import TypeAlias

Row: TypeAlias = Sequence[object]
Cell: TypeAlias = float | str | None
Key: TypeAlias = tuple[int, float, str]

RELATIVE = 1e-6
"""Two numbers this near, by the larger of them, are equal."""

ABSOLUTE = 1e-9
"""What summing decimal fractions in binary leaves of a zero."""

WORK_CELLS_MAX = 20_000_000
"""Cells looked at before a column assignment is given up; results are then not shown to be equal."""

_NUMBER = re.compile(r"-?(0|[1-9]\d*)(\.\d+)?")
_DIGITS_MAX = 300
_MIDNIGHT = re.compile(r"(\d{4}-\d\d-\d\d)[ T]00:00(:00(\.0+)?)?")


def are_equal(rows: Sequence[Row], gold: Sequence[Row], *, ordered: bool) -> bool:
    """Whether a result equals the gold's.

    Args:
        rows: the rows to judge, all of one width.
        gold: the rows that are right.
        ordered: whether the gold's order counts.
    """
    if len(rows) != len(gold):
        return False
    return not gold or (len(rows[0]) == len(gold[0]) and _placed(rows, gold, ordered=ordered))


def contains_result(rows: Sequence[Row], gold: Sequence[Row], *, ordered: bool) -> bool:
    """Whether a result equals the gold's once further columns of its own are left out."""
    if len(rows) != len(gold):
        return False
    return not gold or (len(rows[0]) >= len(gold[0]) and _placed(rows, gold, ordered=ordered))


def is_ordered(sql: str, *, dialect: str) -> bool:
    """Whether a query orders its rows: its outermost statement does, not merely a part of it."""
    from sqlglot.errors import SqlglotError

    from knowledge.parsing import parse_one

    try:
        return parse_one(sql, dialect).args.get("order") is not None
    except SqlglotError:
        return bool(re.search(r"\border\s+by\b[^()]*$", sql, re.IGNORECASE))


def _placed(rows: Sequence[Row], gold: Sequence[Row], *, ordered: bool) -> bool:
    """Whether the gold's columns can be found among ours such that the rows agree; tried column by column."""
    ours, theirs = _columns(rows), _columns(gold)
    work = 0
    rank = _ranks([*ours, *theirs])

    def agree(selection: Sequence[int]) -> bool:
        nonlocal work
        work += 2 * len(gold) * len(selection)
        mine = list(zip(*(ours[i] for i in selection), strict=True))
        right = list(zip(*theirs[: len(selection)], strict=True))
        if not ordered:
            mine, right = _sorted(mine, rank), _sorted(right, rank)
        return all(_close(a, b) for x, y in zip(mine, right, strict=True) for a, b in zip(x, y, strict=True))

    def content(column: Sequence[Cell]) -> list[Cell]:
        return list(column) if ordered else [cell for (cell,) in _sorted([(cell,) for cell in column], rank)]

    contents = [content(column) for column in ours]
    candidates: list[list[int]] = []
    for column in theirs:
        target = content(column)
        candidates.append([i for i, c in enumerate(contents) if all(map(_close, c, target))])

    def extended(selection: tuple[int, ...]) -> bool:
        """Depth first: a prefix whose rows already differ is not followed."""
        if len(selection) == len(theirs):
            return True
        for i in candidates[len(selection)]:
            if work > WORK_CELLS_MAX:
                return False
            if i not in selection and agree((*selection, i)) and extended((*selection, i)):
                return True
        return False

    return extended(())


def _columns(rows: Sequence[Row]) -> list[list[Cell]]:
    return [[_plain(cell) for cell in column] for column in zip(*rows, strict=True)]


def _plain(value: object) -> Cell:
    """A cell as a number, a text, or None."""
    match value:
        case None:
            return None
        case bool() | int() | float() | Decimal():
            try:
                number = float(value)
            except OverflowError:
                return str(value)
            return None if math.isnan(number) else number
        case str():
            if len(value) <= _DIGITS_MAX and _NUMBER.fullmatch(value):
                return float(value)
            day = _MIDNIGHT.fullmatch(value)
            return day[1] if day else value
        case datetime():
            return _plain(value.isoformat(sep=" "))
        case date() | time():
            return value.isoformat()
        case bytes():
            return f"bytes {value.hex()}"
        case _:
            return str(value)


def _close(a: Cell, b: Cell) -> bool:
    if isinstance(a, float) and isinstance(b, float):
        return a == b or abs(a - b) <= max(RELATIVE * max(abs(a), abs(b)), ABSOLUTE)
    return a == b


def _ranks(columns: Sequence[Sequence[Cell]]) -> Callable[[Cell], Key]:
    """Gives cells a key to sort by in which numbers that differ by noise alone are one."""
    numbers = sorted({cell for column in columns for cell in column if isinstance(cell, float)})
    place: dict[float, int] = {}
    before: float | None = None
    for number in numbers:
        place[number] = len(place) if before is None or not _close(before, number) else place[before]
        before = number

    def key(cell: Cell) -> Key:
        match cell:
            case None:
                return (0, 0.0, "")
            case float() | int():
                return (1, float(place[cell]), "")
            case str():
                return (2, 0.0, cell)

    return key


def _sorted(rows: list[tuple[Cell, ...]], rank: Callable[[Cell], Key]) -> list[tuple[Cell, ...]]:
    """Rows by what is in them. Noise in one column must not outweigh what another column tells, so it counts last."""

    def key(row: tuple[Cell, ...]) -> tuple[tuple[Key, ...], tuple[float, ...]]:
        return tuple(rank(cell) for cell in row), tuple(cell for cell in row if isinstance(cell, float))

    return sorted(rows, key=key)
