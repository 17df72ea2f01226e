"""Two results that should agree, cell by cell, with the likely cause of each difference. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from datetime import date, datetime
from decimal import Decimal
from typing import Literal, TypeAlias

Cell: TypeAlias = "str | int | float | bool | None"
Cause = Literal["name", "missing row", "extra row", "NULL", "rounding", "case or spaces", "date", "order", "value"]
_ROUNDED = Decimal("0.01")
_NUMBER = re.compile(r"-?(?:(?:0|[1-9][0-9]{0,300})(?:\.[0-9]{1,300})?|\.[0-9]{1,300})")
_FLOAT = re.compile(rf"{_NUMBER.pattern}e[+-]?[0-9]{{1,3}}|-?inf(?:inity)?", re.IGNORECASE)


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
        case Decimal() if not value.is_finite():
            return None if value.is_nan() else float(value)
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
    recorded: ResultTable, result: ResultTable, *, is_ordered: bool = False, unnamed: Collection[int] = ()
) -> tuple[CellDifference, ...]:
    """The differences; empty where both agree. Columns go by their place, rows by their order where that is fixed.

    Without an order, rows go together that agree on all texts, where these tell rows apart; else in sorted order.

    Args:
        recorded: what the result should be.
        result: what it is.
        is_ordered: the order of the rows is fixed.
        unnamed: the places of columns that an engine names as it likes; below 0 from the end.

    Raises:
        ColumnsDiffer: one has more columns than the other.
    """
    if len(recorded.columns) != len(result.columns):
        raise ColumnsDiffer(
            f"The recorded output has {len(recorded.columns)} columns ({', '.join(recorded.columns)}), "
            f"the result {len(result.columns)} ({', '.join(result.columns)})."
        )
    free = {at % len(result.columns) for at in unnamed}
    names = tuple(
        CellDifference(place=f"column {at + 1}", recorded=recorded.columns[at], result=result.columns[at], cause="name")
        for at in find_other_names(recorded, result)
        if at not in free
    )
    return names + _compare_cells(recorded, result, is_ordered=is_ordered)


def find_other_names(recorded: ResultTable, result: ResultTable) -> tuple[int, ...]:
    """The places of the columns whose names differ in more than upper and lower case."""
    pairs = enumerate(zip(recorded.columns, result.columns, strict=True))
    return tuple(at for at, (a, b) in pairs if a.casefold() != b.casefold())


def _compare_cells(recorded: ResultTable, result: ResultTable, *, is_ordered: bool) -> tuple[CellDifference, ...]:
    first, second = list(recorded.rows), list(result.rows)
    if is_ordered and len(first) == len(second) and not _agree_in_order(first, second, recorded.is_text):
        reordered = _compare_cells(recorded, result, is_ordered=False)
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
    return isinstance(cell, str) and not _NUMBER.fullmatch(cell)


def _key_of(row: tuple[Cell, ...], key: Sequence[int]) -> tuple[str, ...]:
    return tuple(_plain(str(row[at])) for at in key)


def _sort_key(row: tuple[Cell, ...]) -> tuple[tuple[int, float, str], ...]:
    return tuple(map(_sort_cell, row))


def _sort_cell(cell: Cell) -> tuple[int, float, str]:
    """What a number sorts by, also where it is the text of a file."""
    if isinstance(cell, str) and (_NUMBER.fullmatch(cell) or _FLOAT.fullmatch(cell)):
        cell = int(cell) if cell.lstrip("-").isdigit() else float(cell)
    if isinstance(cell, bool) or not isinstance(cell, int | float):
        return 1, 0.0, "" if cell is None else _plain(str(cell))
    return 0, round(cell, 6), ""


def agree(recorded: object, result: object) -> bool:
    """Whether two cells are the same: whole numbers exactly, fractions up to the inaccuracy of floats.

    It stands by itself, because its source goes into the tests of functions that are kept.
    """
    numbers = (int, float, Decimal)
    pair = (recorded, result)
    if not all(isinstance(cell, numbers) and not isinstance(cell, bool) for cell in pair):
        return type(recorded) is type(result) and recorded == result
    first, second = (Decimal(str(cell)) for cell in pair)
    are_finite = first.is_finite() and second.is_finite()
    if not are_finite or all(number == number.to_integral_value() for number in (first, second)):
        return first == second
    return abs(first - second) <= min(Decimal("1e-9") * max(abs(first), abs(second)), Decimal("0.001"))


def find_cause(recorded: Cell, result: Cell, *, is_text: bool = False) -> Cause | None:
    """Why two cells differ; None where they agree. `is_text`: the recorded cell is from a file of text."""
    expected = _read_text(recorded, result) if is_text and isinstance(recorded, str) else recorded
    if agree(expected, result):
        return None
    if expected is None or result is None:
        return "NULL"
    if isinstance(expected, int | float | Decimal) and isinstance(result, int | float) and not isinstance(result, bool):
        return "rounding" if not isinstance(expected, bool) and _is_rounded(expected, result) else "value"
    a, b = str(recorded), str(result)
    if _plain(a) == _plain(b) and a != b:
        return "case or spaces"
    return "date" if _day(a) and _day(a) == _day(b) else "value"


def _read_text(text: str, result: Cell) -> Cell | Decimal:
    """What a text of a file stands for beside a result: a text, unless the result is none and the text is plain."""
    match result:
        case None:
            return text or None
        case bool():
            return {"true": True, "false": False}.get(text.casefold(), text)
        case int() | float() if _NUMBER.fullmatch(text) or (isinstance(result, float) and _FLOAT.fullmatch(text)):
            return Decimal(text)
        case int() | float():
            return text or None
        case str():
            return text


def _is_rounded(expected: float | Decimal, result: float) -> bool:
    first, second = Decimal(str(expected)), Decimal(str(result))
    if not (first.is_finite() and second.is_finite()):
        return False
    return abs(first - second) < _ROUNDED or int(first) == int(second)


def _plain(text: str) -> str:
    return " ".join(text.casefold().split())


def _day(text: str) -> str:
    try:
        return date.fromisoformat(text[:10]).isoformat()
    except ValueError:
        return ""
