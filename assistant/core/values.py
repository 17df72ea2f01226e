"""Values exchanged with a source: bound parameters, budgets, results. No behaviour."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

Scalar: TypeAlias = str | int | float | bool | None
Parameters: TypeAlias = Mapping[str, Scalar] | Sequence[Scalar] | None
"""Values bound at run time: by name (`:name`) or by position (`?`)."""

# pyarrow ships no types: these names say what is meant, and no tool checks them.
ArrowTable: TypeAlias = Any
ArrowColumn: TypeAlias = Any
ArrowType: TypeAlias = Any


@dataclass(frozen=True, slots=True, kw_only=True)
class Budget:
    """What one query may take; over any of these it is stopped on the engine and refused."""

    rows_max: int = 1_000_000
    limit_bytes: int = 512 * 1024 * 1024
    timeout_s: float = 60.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Result:
    """The result of a query. Column names of `table` are unique."""

    table: ArrowTable
    seconds: float

    @property
    def rows(self) -> int:
        """Number of rows."""
        return int(self.table.num_rows)

    @property
    def columns(self) -> tuple[str, ...]:
        """Column names, in order."""
        return tuple(str(name) for name in self.table.column_names)
