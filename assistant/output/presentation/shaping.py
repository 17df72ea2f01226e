"""Reshapes a result's rows for display: sorted, the first n, as shares of a total. Pure.

Everything is computed from the rows: a share is a row's part of its column's sum, and no row is added or joined. A note
tells what is not visible (omitted rows, columns that do not add up).
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.core.events import Appearance
from assistant.output.presentation.columns import Column, TableRows, number, parse_time


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A table as it is shown. `total` counts the rows that the result has, `notes` say what was left out."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...] = field(repr=False)
    total: int
    notes: tuple[str, ...] = ()

    def place(self, name: str | None) -> int | None:
        """The index of a column; None where there is none of that name."""
        return next((place for place, column in enumerate(self.columns) if column.name == name), None)


def shape(table: TableRows, columns: Sequence[Column], look: Appearance) -> Shaped:
    """The table as `look` wants it."""
    shaped = Shaped(columns=tuple(columns), rows=tuple(tuple(row) for row in table.rows), total=table.total)
    is_complete = len(shaped.rows) == shaped.total
    notes: list[str] = []
    for name in look.percent:
        shaped = _as_share(shaped, name)
    if look.top is not None and look.top < len(shaped.rows):
        shaped, note = _first(shaped, look.top, look)
        notes.append(note)
    shaped = _in_order(shaped, look.sort, descending=look.descending)
    if not is_complete and (look.sort or look.top or look.percent):
        notes.append(f"Only the first {len(table.rows):,} of {shaped.total:,} rows were sorted and counted.")
    return replace(shaped, notes=tuple(notes))


def _first(shaped: Shaped, top: int, look: Appearance) -> tuple[Shaped, str]:
    """The first rows of an order by a figure or a time; by names they are still those with the largest figures."""
    ranks = [column.name for column in shaped.columns if column.role == "measure"]
    is_named = look.sort not in (
        None,
        *ranks,
        *(column_entry.name for column_entry in shaped.columns if column_entry.role == "time"),
    )
    by, descending = (
        (look.sort, look.descending) if look.sort is not None and not (is_named and ranks) else (None, True)
    )
    by = by or next(iter(ranks), None)
    shaped = _in_order(shaped, by, descending=descending)
    note = f"The first {top:,} of {shaped.total:,} rows are shown."
    if is_named and ranks:
        label = next(column.label for column in shaped.columns if column.name == by)
        note = f"The {top:,} of {shaped.total:,} rows with the largest figures are shown: {label}."
    return replace(shaped, rows=shaped.rows[:top]), note


def _in_order(shaped: Shaped, by: str | None, *, descending: bool) -> Shaped:
    place = shaped.place(by)
    return shaped if place is None else replace(shaped, rows=tuple(_sorted(shaped.rows, place, descending=descending)))


def compute_totals(shaped: Shaped) -> dict[str, float]:
    """The sums of the columns that add up, over the rows that are there; empty for a single row."""
    if len(shaped.rows) < 2:
        return {}
    sums: dict[str, float] = {}
    for place, column in enumerate(shaped.columns):
        if column.role == "measure" and (column.additive or column.unit == "share"):
            sums[column.name] = sum(number(row[place]) or 0.0 for row in shaped.rows)
    return sums


def _as_share(shaped: Shaped, name: str) -> Shaped:
    place = shaped.place(name)
    if place is None or not shaped.columns[place].additive:
        return shaped
    sum_of_figures = sum(number(row[place]) or 0.0 for row in shaped.rows)
    if sum_of_figures == 0:
        return shaped

    def part(row: tuple[object, ...]) -> tuple[object, ...]:
        figure = number(row[place])
        return (*row[:place], None if figure is None else figure / sum_of_figures, *row[place + 1 :])

    column = replace(
        shaped.columns[place],
        unit="share",
        symbol="%",
        additive=False,
        is_integer=False,
        largest=max((abs(number(row[place]) or 0.0) / abs(sum_of_figures) for row in shaped.rows), default=0.0),
    )
    columns = (*shaped.columns[:place], column, *shaped.columns[place + 1 :])
    return replace(shaped, columns=columns, rows=tuple(part(row) for row in shaped.rows))


def _sorted(rows: Sequence[tuple[object, ...]], place: int, *, descending: bool) -> list[tuple[object, ...]]:
    """The rows in the order of a column; rows without a value come last either way."""
    present = [row for row in rows if row[place] is not None]
    unknown = [row for row in rows if row[place] is None]
    return sorted(present, key=lambda row: order_of(row[place]), reverse=descending) + unknown


def order_of(value: object) -> tuple[int, float, str]:
    """What a value sorts by: numbers by size, then times, then texts without regard to case."""
    figure = number(value) if not isinstance(value, str) else None
    if isinstance(value, bool):
        return (0, float(value), "")
    if figure is not None:
        return (0, figure, "")
    return (1, 0.0, parse_time(value) or str(value).casefold())
