"""A result's rows as a person wants to see them: sorted, the first n, as shares of a total. Pure.

Nothing is computed that the rows do not hold: a share is a row's part of its column's sum, and no row is made or
joined. What a person cannot see at once (rows left out, columns that do not add up) is told as a note.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field, replace

from assistant.core.events import Appearance
from assistant.output.presentation.columns import Column, Rows, moment, number


@dataclass(frozen=True, slots=True, kw_only=True)
class Shaped:
    """A table as it is shown. `total` counts the rows that the result has, `notes` say what was left out."""

    columns: tuple[Column, ...]
    rows: tuple[tuple[object, ...], ...] = field(repr=False)
    total: int
    notes: tuple[str, ...] = ()

    def place(self, name: str | None) -> int | None:
        """Where a column stands; None where there is none of that name."""
        return next((place for place, column in enumerate(self.columns) if column.name == name), None)


def shape(table: Rows, columns: Sequence[Column], look: Appearance) -> Shaped:
    """The table as `look` wants it."""
    made = Shaped(columns=tuple(columns), rows=tuple(tuple(row) for row in table.rows), total=table.total)
    whole = len(made.rows) == made.total
    notes: list[str] = []
    for name in look.percent:
        made = _as_share(made, name)
    if look.top is not None and look.top < len(made.rows):
        made, note = _first(made, look.top, look)
        notes.append(note)
    made = _in_order(made, look.sort, descending=look.descending)
    if not whole and (look.sort or look.top or look.percent):
        notes.append(f"Only the first {len(table.rows):,} of {made.total:,} rows were sorted and counted.")
    return replace(made, notes=tuple(notes))


def _first(made: Shaped, top: int, look: Appearance) -> tuple[Shaped, str]:
    """The first rows of an order by a figure or a time; by names they are still those with the largest figures."""
    ranks = [column.name for column in made.columns if column.role == "measure"]
    named = look.sort not in (None, *ranks, *(one.name for one in made.columns if one.role == "time"))
    by, descending = (look.sort, look.descending) if look.sort is not None and not (named and ranks) else (None, True)
    by = by or next(iter(ranks), None)
    made = _in_order(made, by, descending=descending)
    note = f"The first {top:,} of {made.total:,} rows are shown."
    if named and ranks:
        label = next(column.label for column in made.columns if column.name == by)
        note = f"The {top:,} of {made.total:,} rows with the largest figures are shown: {label}."
    return replace(made, rows=made.rows[:top]), note


def _in_order(made: Shaped, by: str | None, *, descending: bool) -> Shaped:
    place = made.place(by)
    return made if place is None else replace(made, rows=tuple(_sorted(made.rows, place, descending=descending)))


def totals(shaped: Shaped) -> dict[str, float]:
    """The sums of the columns that add up, over the rows that are there; empty for a single row."""
    if len(shaped.rows) < 2:
        return {}
    sums: dict[str, float] = {}
    for place, column in enumerate(shaped.columns):
        if column.role == "measure" and (column.additive or column.unit == "share"):
            sums[column.name] = sum(number(row[place]) or 0.0 for row in shaped.rows)
    return sums


def _as_share(made: Shaped, name: str) -> Shaped:
    place = made.place(name)
    if place is None or not made.columns[place].additive:
        return made
    whole = sum(number(row[place]) or 0.0 for row in made.rows)
    if whole == 0:
        return made

    def part(row: tuple[object, ...]) -> tuple[object, ...]:
        figure = number(row[place])
        return (*row[:place], None if figure is None else figure / whole, *row[place + 1 :])

    column = replace(
        made.columns[place],
        unit="share",
        symbol="%",
        additive=False,
        whole=False,
        largest=max((abs(number(row[place]) or 0.0) / abs(whole) for row in made.rows), default=0.0),
    )
    columns = (*made.columns[:place], column, *made.columns[place + 1 :])
    return replace(made, columns=columns, rows=tuple(part(row) for row in made.rows))


def _sorted(rows: Sequence[tuple[object, ...]], place: int, *, descending: bool) -> list[tuple[object, ...]]:
    """The rows in the order of a column; rows without a value come last either way."""
    known = [row for row in rows if row[place] is not None]
    unknown = [row for row in rows if row[place] is None]
    return sorted(known, key=lambda row: order_of(row[place]), reverse=descending) + unknown


def order_of(value: object) -> tuple[int, float, str]:
    """What a value sorts by: numbers by size, then times, then texts without regard to case."""
    figure = number(value) if not isinstance(value, str) else None
    if isinstance(value, bool):
        return (0, float(value), "")
    if figure is not None:
        return (0, figure, "")
    return (1, 0.0, moment(value) or str(value).casefold())
