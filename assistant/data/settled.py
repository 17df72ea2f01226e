"""Columns that say the same on every row of something: an order's freight, on each line of a file of order lines.

Such a number belongs to the order and not to its lines: added up over them it would count several times. Files and
tables without a declared key are looked at alone; elsewhere a table holds what belongs to its own rows.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from assistant.data.catalog import COMPARABLE, Column, Table
from assistant.data.identity import like_key

THINGS_MIN = 20
"""So many things must have several rows, or it may be chance that those agree."""
_ROWS_PER_THING = 1.1
_NUMBERS_MAX = 4


def numbers_of_things(table: Table) -> tuple[Column, ...]:
    """The columns that number what several rows belong to, the fewest things last: `Order No`, then `Customer ID`."""
    if table.primary_key or table.is_view or not table.rows:
        return ()
    found = [column for column in table.columns if like_key(column.name) and _numbers(column, table.rows)]
    found.sort(key=lambda column: -(column.profile.distinct if column.profile else 0))
    return tuple(found[:_NUMBERS_MAX])


def _numbers(column: Column, rows: int) -> bool:
    profile = column.profile
    if profile is None or profile.sampled or column.kind not in ("integer", "text"):
        return False
    return profile.distinct >= THINGS_MIN and profile.distinct * _ROWS_PER_THING <= rows and profile.nulls == 0


def may_be_settled(table: Table, number: Column) -> tuple[Column, ...]:
    """The columns of which it is worth asking whether they are the same on all rows of a thing."""
    return tuple(
        column
        for column in table.columns
        if column is not number
        and column.kind in COMPARABLE
        and column.profile is not None
        and 1 < column.profile.distinct <= (number.profile.distinct if number.profile else 0)
    )


def with_settled(columns: Sequence[Column], settled: Mapping[str, Collection[str]]) -> tuple[Column, ...]:
    """The columns, each with the column that settles it. `settled`: by the name of a number, what it settles.

    Where several numbers do, the last one does: the customer's number rather than that of each of the orders.
    """
    by = {name: number for number, names in settled.items() for name in names}
    return tuple(
        replace(column, profile=replace(column.profile, settled_by=by[column.name]))
        if column.name in by and column.profile is not None
        else column
        for column in columns
    )
