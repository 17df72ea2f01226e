"""A table as the tests of presentation give it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.core.events import Appearance
from assistant.output.presentation.columns import FigureProperties, columns_of
from assistant.output.presentation.shaping import Shaped, shape


@dataclass(frozen=True)
class Given:
    columns: tuple[str, ...]
    rows: tuple[tuple[object, ...], ...]
    total: int


def given(columns: str, rows: Sequence[Sequence[object]], total: int | None = None) -> Given:
    return Given(tuple(columns.split()), tuple(tuple(row) for row in rows), len(rows) if total is None else total)


EUR = FigureProperties(unit="currency", symbol="EUR", additive=True)


def shaped(
    columns: str, rows: Sequence[Sequence[object]], look: Appearance | None = None, **told: FigureProperties
) -> Shaped:
    table = given(columns, rows)
    return shape(table, columns_of(table, told), look or Appearance())
