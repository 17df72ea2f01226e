"""Functional dependencies: columns whose value another column determines, such as an order's freight on its lines.

Such a value belongs to the order. Summed over the lines it would be counted several times. Only files and tables
without a declared key are examined.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from dataclasses import replace

from assistant.core.catalog import COMPARABLE, Column, Table
from assistant.sources.catalog.identity import is_like_key

THINGS_MIN = 20
"""A determinant must have so many distinct values; with fewer, a dependency may be chance."""
_ROWS_PER_KEY_MIN = 1.1
_NUMBERS_MAX = 4


def determinants(table: Table) -> tuple[Column, ...]:
    """Columns that identify what several rows belong to, most distinct first: `Order No`, then `Customer ID`."""
    if table.primary_key or table.is_view or not table.rows:
        return ()
    numbers = [column for column in table.columns if is_like_key(column.name) and _numbers(column, table.rows)]
    numbers.sort(key=lambda column: -(column.profile.distinct if column.profile else 0))
    return tuple(numbers[:_NUMBERS_MAX])


def _numbers(column: Column, rows: int) -> bool:
    profile = column.profile
    if profile is None or profile.sampled or column.kind not in ("integer", "text"):
        return False
    return profile.distinct >= THINGS_MIN and profile.distinct * _ROWS_PER_KEY_MIN <= rows and profile.nulls == 0


def may_depend(table: Table, number: Column) -> tuple[Column, ...]:
    """Columns whose dependency on a determinant is worth checking."""
    return tuple(
        column
        for column in table.columns
        if column is not number
        and column.kind in COMPARABLE
        and column.profile is not None
        and 1 < column.profile.distinct <= (number.profile.distinct if number.profile else 0)
    )


def with_dependencies(columns: Sequence[Column], dependents: Mapping[str, Collection[str]]) -> tuple[Column, ...]:
    """The columns, each with its determinant. `dependents`: by the name of a determinant, the names that depend on it.

    Where several columns determine one, the last is taken: the customer's number rather than the order's.
    """
    by = {name: number for number, names in dependents.items() for name in names}
    return tuple(
        replace(column, profile=replace(column.profile, determined_by=by[column.name]))
        if column.name in by and column.profile is not None
        else column
        for column in columns
    )
