"""A result of an execution: its rows, and what is known of its figures."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Protocol

from assistant.output.presentation.columns import FigureProperties
from assistant.query.lineage import Lineage


class TableView(Protocol):
    """A result as rows: at most the first `len(rows)` of `total`."""

    @property
    def columns(self) -> Sequence[str]:
        """The columns' names, in order."""
        ...

    @property
    def rows(self) -> Sequence[Sequence[object]]:
        """`len(rows) x len(columns)` values."""
        ...

    @property
    def total(self) -> int:
        """How many rows there are in all."""
        ...


class Facts(Protocol):
    """What is known of a result's figures."""

    @property
    def told(self) -> Mapping[str, FigureProperties]:
        """Units and whether they add up, by column."""
        ...

    @property
    def lineage(self) -> Lineage | None:
        """The query's tables, joins and conditions; None where they cannot be read."""
        ...
