"""Checks that come with code: what its author says must hold of the result, looked at once it has run. Pure.

A check is one of a few kinds with its columns, never code: it is read from the result that the host itself kept. A
check that cannot be made (a column is missing, the result is cut) does not hold, and says why.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from decimal import Decimal
from typing import assert_never

from assistant.cells.tables import TableView
from assistant.core.events import Check, PlannedCheck

_RELATIVE = 1e-6


def describe_check(planned: PlannedCheck) -> str:
    """What a check says must hold."""
    columns = ", ".join(planned.columns)
    match planned.kind:
        case "not_empty":
            return "The result has rows"
        case "one_row":
            return "The result is one row"
        case "unique":
            return f"One row for each {columns}"
        case "no_missing":
            return f"No empty value in {columns}"
        case "range":
            low = f"at least {planned.low:g}" if planned.low is not None else ""
            high = f"at most {planned.high:g}" if planned.high is not None else ""
            return f"{columns} is {' and '.join(filter(None, (low, high)))}"
        case "same_rows":
            return f"As many rows as {planned.result}"
        case "same_total":
            return f"{columns} adds up to {planned.of or columns} of {planned.result}"
        case _:
            assert_never(planned.kind)


def run_checks(
    planned: Sequence[PlannedCheck], table: TableView | None, *, earlier: Mapping[str, TableView]
) -> tuple[Check, ...]:
    """What became of the checks.

    Args:
        planned: The checks.
        table: The result; None where there is none.
        earlier: The results of earlier steps by their names.
    """
    return tuple(_check(check, table, earlier) for check in planned)


def _check(planned: PlannedCheck, table: TableView | None, earlier: Mapping[str, TableView]) -> Check:
    wrong = "There is no table to look at." if table is None else _find_fault(planned, table, earlier)
    return Check(name=describe_check(planned), ok=wrong is None, detail=wrong or "")


def _find_fault(planned: PlannedCheck, table: TableView, earlier: Mapping[str, TableView]) -> str | None:
    """What is wrong; None where the check holds."""
    absent = [name for name in planned.columns if name not in table.columns]
    if absent:
        return f"The result has no column {absent[0]!r}."
    if planned.kind not in ("not_empty", "one_row", "same_rows") and len(table.rows) < table.total:
        return f"Only the first {len(table.rows):,} of {table.total:,} rows could be looked at."
    match planned.kind:
        case "not_empty":
            return None if table.total else "It is empty."
        case "one_row":
            return None if table.total == 1 else f"It has {table.total:,} rows."
        case "unique":
            keys = list(zip(*(_values_of_column(table, name) for name in planned.columns), strict=True))
            repeated = len(keys) - len(set(map(repr, keys)))
            return f"{repeated:,} of {len(keys):,} rows repeat." if repeated else None
        case "no_missing":
            empty = {
                name: sum(_is_empty(value) for value in _values_of_column(table, name)) for name in planned.columns
            }
            counts = ", ".join(f"{name}: {count:,} empty" for name, count in empty.items() if count)
            return counts or None
        case "range":
            return _count_out_of_range(planned, table)
        case "same_rows" | "same_total":
            other_table = earlier.get(planned.result)
            if other_table is None:
                return f"There is no earlier result {planned.result!r}."
            return (
                _compare_rows(table, other_table)
                if planned.kind == "same_rows"
                else _compare_totals(planned, table, other_table)
            )
        case _:
            assert_never(planned.kind)


def _count_out_of_range(planned: PlannedCheck, table: TableView) -> str | None:
    values = [number for name in planned.columns for number in _numbers_of_column(table, name)]
    low, high = planned.low, planned.high
    out = sum((low is not None and v < low) or (high is not None and v > high) for v in values)
    return f"{out:,} of {len(values):,} values are not." if out else None


def _compare_rows(table: TableView, other_table: TableView) -> str | None:
    return None if table.total == other_table.total else f"{table.total:,} rows, and {other_table.total:,} there."


def _compare_totals(planned: PlannedCheck, table: TableView, other_table: TableView) -> str | None:
    of = planned.of or planned.columns[0]
    if of not in other_table.columns:
        return f"{planned.result} has no column {of!r}."
    if len(other_table.rows) < other_table.total:
        rows = f"the first {len(other_table.rows):,} of {other_table.total:,} rows of {planned.result}"
        return f"Only {rows} could be looked at."
    total, other_total = (sum(_numbers_of_column(table, planned.columns[0])), sum(_numbers_of_column(other_table, of)))
    if abs(total - other_total) <= _RELATIVE * max(abs(total), abs(other_total), 1.0):
        return None
    return f"{total:,.6g} here, {other_total:,.6g} there."


def _values_of_column(table: TableView, name: str) -> list[object]:
    place = table.columns.index(name)
    return [row[place] for row in table.rows]


def _numbers_of_column(table: TableView, name: str) -> list[float]:
    present = (value for value in _values_of_column(table, name) if not _is_empty(value))
    return [float(v) for v in present if isinstance(v, int | float | Decimal) and not isinstance(v, bool)]


def _is_empty(value: object) -> bool:
    return value is None or (isinstance(value, float) and value != value)  # noqa: PLR0124  # NaN differs from itself
