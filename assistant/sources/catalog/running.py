"""Running totals: figures that never fall from one day to the next, as "trips since launch" do.

They are levels at a time, and are never added up over days. Found from the values of tables with one row for each day,
or for each day and group.
"""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import replace

from assistant.core.catalog import Column, Table

_STEPS_MIN = 20
"""From so many days to the next it must not have fallen: fewer may be chance."""
_RISES = 0.5
_FILLED = 0.5
"""How many of the dates each group must have a row for, on average."""


def clocks(table: Table) -> Iterator[tuple[Column, Column | None]]:
    """The dates that may order the rows, each with a column of groups; without one where no two rows share a date."""
    dates = [column for column in table.columns if column.kind in ("date", "datetime") and _is_full(column)]
    for date in dates:
        if _distinct(date) == table.rows:
            yield date, None
        for group in table.columns:
            places = _distinct(date) * _distinct(group)
            is_panel = _FILLED * places <= (table.rows or 0) <= places
            if group.kind == "text" and _is_full(group) and _distinct(group) > 1 and is_panel:
                yield date, group


def may_run(table: Table) -> tuple[Column, ...]:
    """The columns that may hold running totals."""
    numbers = (column for column in table.columns if column.kind in ("integer", "number"))
    return tuple(column for column in numbers if _distinct(column) > _STEPS_MIN)


def rising(table: str, clock: tuple[str, str], columns: Collection[str]) -> str:
    """SQL that says of a table's columns whether they are running totals: none is where a date has several rows.

    Args:
        table: The table as SQL writes it, and likewise all names.
        clock: The date, and the group or "".
        columns: The columns.
    """
    date, group = clock
    by = f"PARTITION BY {group} " if group else ""
    keys = f"{group}, {date}" if group else date
    before = ", ".join(f"{c} - lag({c}) OVER w AS d{i}" for i, c in enumerate(columns))
    tests = ", ".join(
        f"coalesce(min(d{i}) >= 0 AND count(d{i}) >= {_STEPS_MIN}"
        f" AND sum(CASE WHEN d{i} > 0 THEN 1 ELSE 0 END) > {_RISES} * count(d{i}), false)"
        for i in range(len(columns))
    )
    unique = f"NOT EXISTS (SELECT 1 FROM {table} GROUP BY {keys} HAVING count(*) > 1)"
    return (
        f"SELECT {tests} FROM (SELECT {before} FROM {table} WINDOW w AS ({by}ORDER BY {date})) AS steps WHERE {unique}"
    )


def marked(table: Table, running: Collection[str]) -> Table:
    """The table with its running totals marked."""
    columns = (
        replace(column, profile=replace(column.profile, running=True))
        if column.name in running and column.profile is not None
        else column
        for column in table.columns
    )
    return replace(table, columns=tuple(columns))


def _is_full(column: Column) -> bool:
    return column.profile is not None and not column.profile.sampled and column.profile.nulls == 0


def _distinct(column: Column) -> int:
    return column.profile.distinct if column.profile else 0
