"""A metric step, the compiler's input: metrics, groups, filters and period. Values only."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from knowledge.semantic.model import Grain

Op = Literal["=", "!=", "<", "<=", ">", ">=", "in", "contains"]
Plain = str | int | float | bool | None


@dataclass(frozen=True, slots=True, kw_only=True)
class Filter:
    """A condition on a field, `dataset.field` or a name that only one dataset has. `in` takes several values."""

    field: str
    op: Op = "="
    value: Plain | tuple[Plain, ...] = None


@dataclass(frozen=True, slots=True, kw_only=True)
class MetricStep:
    """Governed figures, asked for by name.

    Attributes:
        metrics: Names of metrics of the model.
        dimensions: Fields to group by.
        grain: The period to group by; None for all time together.
        filters: All must hold.
        start: The first day that counts, ISO; empty where open.
        end: The first day that does not, ISO; empty where open.
        compare: Beside each figure, the same of the period before (needs a grain): its value, or the change.
        periods: How many periods before.
    """

    metrics: tuple[str, ...]
    dimensions: tuple[str, ...] = ()
    grain: Grain | None = None
    filters: tuple[Filter, ...] = ()
    start: str = ""
    end: str = ""
    compare: Literal["", "previous", "difference", "growth"] = ""
    periods: int = 1


@dataclass(frozen=True, slots=True, kw_only=True)
class Compiled:
    """A metric step as one SELECT, with the names of its columns in order: the period, the dimensions, the figures."""

    sql: str
    columns: tuple[str, ...]
