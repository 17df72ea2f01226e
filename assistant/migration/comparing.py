"""Two results that should agree, cell by cell, with the likely cause of each difference. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

Cell: TypeAlias = "str | int | float | bool | None"
Cause = Literal["missing row", "extra row", "NULL", "rounding", "case or spaces", "date", "order", "value"]
_RELATIVE = 1e-9
_ROUNDED = 0.01
_NO_VALUES = ("", "null", "none", "nan")


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultTable:
    """The rows of a result. `is_text`: it was read from a file of text, where a missing value is an empty one."""

    columns: tuple[str, ...]
    rows: tuple[tuple[Cell, ...], ...]
    is_text: bool = False


@dataclass(frozen=True, slots=True, kw_only=True)
class CellDifference:
    """One cell, or one row, that differs. `place` names it by its row and column."""

    place: str
    recorded: Cell
    result: Cell
    cause: Cause


class ColumnsDiffer(Exception):
    """Two results do not have the same number of columns, so that no cell can be compared."""


def make_cell(value: object) -> Cell:
    """A value of an engine as it is compared: decimals as numbers, dates as ISO text."""
    match value:
        case Decimal():
            return int(value) if value == value.to_integral_value() else float(value)
        case datetime():
            return value.isoformat(" ")
        case date():
            return value.isoformat()
        case None | str() | bool() | int() | float():
            return None if isinstance(value, float) and value != value else value  # noqa: PLR0124 not a number
        case _:
            return str(value)


def compare_tables(
    recorded: ResultTable, result: ResultTable, *, is_ordered: bool = False
) -> tuple[CellDifference, ...]:
    """The differences; empty where both agree. Columns go by their place, rows by their order where that is fixed.

    Without an order, rows go together that agree on all texts, where these tell rows apart; else in sorted order.

    Raises:
        ColumnsDiffer: one has more columns than the other.
    """
    if len(recorded.columns) != len(result.columns):
        raise ColumnsDiffer(
            f"The recorded output has {len(recorded.columns)} columns ({', '.join(recorded.columns)}), "
            f"the result {len(result.columns)} ({', '.join(result.columns)})."
        )
    first, second = list(recorded.rows), list(result.rows)
    if is_ordered and len(first) == len(second) and not _agree_in_order(first, second, recorded.is_text):
        reordered = compare_tables(recorded, result)
        if not reordered:
            at = next(
                n
                for n, pair in enumerate(zip(first, second, strict=True))
                if not _rows_agree(*pair, is_text=recorded.is_text)
            )
            return (
                CellDifference(place=f"row {at + 1}", recorded=str(first[at]), result=str(second[at]), cause="order"),
            )
        return reordered
    if is_ordered and len(first) == len(second):
        return ()
    return tuple(_compare_rows(recorded, first, second))


def _agree_in_order(first: Sequence[tuple[Cell, ...]], second: Sequence[tuple[Cell, ...]], is_text: bool) -> bool:
    return all(_rows_agree(a, b, is_text=is_text) for a, b in zip(first, second, strict=True))


def _rows_agree(first: tuple[Cell, ...], second: tuple[Cell, ...], *, is_text: bool) -> bool:
    return all(find_cause(a, b, is_text=is_text) is None for a, b in zip(first, second, strict=True))


def _compare_rows(
    recorded: ResultTable, first: list[tuple[Cell, ...]], second: list[tuple[Cell, ...]]
) -> Iterator[CellDifference]:
    """The differences of rows in any order."""
    key = _find_key(first, second)
    by_key = {_key_of(row, key): row for row in second} if key else {}
    if not key:
        first, second = sorted(first, key=_sort_key), sorted(second, key=_sort_key)
    for number, row in enumerate(first, 1):
        name = ", ".join(str(row[at]) for at in key) if key else f"row {number}"
        counterpart = (
            by_key.pop(_key_of(row, key), None) if key else second[number - 1] if number <= len(second) else None
        )
        if counterpart is None:
            yield CellDifference(place=name, recorded=str(row), result=None, cause="missing row")
            continue
        for column, a, b in zip(recorded.columns, row, counterpart, strict=True):
            cause = find_cause(a, b, is_text=recorded.is_text)
            if cause is not None:
                yield CellDifference(place=f"{name}, {column}", recorded=a, result=b, cause=cause)
    for row in by_key.values() if key else second[len(first) :]:
        yield CellDifference(place=", ".join(map(str, row)), recorded=None, result=str(row), cause="extra row")


def _find_key(first: list[tuple[Cell, ...]], second: list[tuple[Cell, ...]]) -> tuple[int, ...]:
    """The columns of text that tell the rows of both apart; none where they do not."""
    rows = [*first, *second]
    texts = [at for at in range(len(rows[0]) if rows else 0) if all(_is_name(row[at]) for row in rows)]
    for key in (*((at,) for at in texts), tuple(texts)):
        if key and all(
            max(Counter(_key_of(row, key) for row in side).values(), default=1) == 1 for side in (first, second)
        ):
            return tuple(key)
    return ()


def _is_name(cell: Cell) -> bool:
    return isinstance(cell, str) and _number(cell) is None


def _key_of(row: tuple[Cell, ...], key: Sequence[int]) -> tuple[str, ...]:
    return tuple(_plain(str(row[at])) for at in key)


def _sort_key(row: tuple[Cell, ...]) -> tuple[tuple[int, float, str], ...]:
    numbers = ((cell, _number(cell)) for cell in row)
    return tuple((0, round(n, 6), "") if n is not None else (1, 0.0, _plain(str(cell))) for cell, n in numbers)


def find_cause(recorded: Cell, result: Cell, *, is_text: bool = False) -> Cause | None:
    """Why two cells differ; None where they agree."""
    is_missing = [cell is None or (is_text and str(cell).casefold() in _NO_VALUES) for cell in (recorded, result)]
    if any(is_missing):
        return None if all(is_missing) else "NULL"
    first, second = _number(recorded), _number(result)
    if first is not None and second is not None:
        distance, size = abs(first - second), max(abs(first), abs(second))
        if distance <= _RELATIVE * size:
            return None
        return "rounding" if distance < _ROUNDED or int(first) == int(second) else "value"
    a, b = str(recorded), str(result)
    if a == b:
        return None
    if _plain(a) == _plain(b):
        return "case or spaces"
    return "date" if _day(a) and _day(a) == _day(b) else "value"


def _number(cell: Cell) -> float | None:
    if isinstance(cell, int | float):
        return float(cell)
    try:
        return float(cell) if isinstance(cell, str) and cell.strip()[:1] in "+-.0123456789" and cell.strip() else None
    except ValueError:
        return None


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
