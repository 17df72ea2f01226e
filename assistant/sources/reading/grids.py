"""A grid of cells under one hypothesis of how a file is cut, and a table that was found in one. Values only."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from assistant.sources.reading.kinds import Cell, Kind


@dataclass(frozen=True, slots=True, kw_only=True)
class Merge:
    """Cells that a workbook shows as one: rows and columns, both ends included."""

    top: int
    left: int
    bottom: int
    right: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Grid:
    """Cells under one hypothesis of how a file is cut.

    Attributes:
        rows: The rows that are looked at.
        places: Where each of them stands in the file, ascending; what is between two that are no neighbours is unseen.
        merges: Merged cells, by place and column.
        is_sheet: Whether blank columns are the author's; in a text they are part of its table.
        is_whole: Whether all rows of the file are here; then a place that is missing is a blank row.
    """

    rows: Sequence[Sequence[Cell]]
    places: Sequence[int]
    merges: Sequence[Merge] = ()
    is_sheet: bool = False
    is_whole: bool = True

    def cell(self, row: int, column: int) -> Cell:
        """A cell; None beyond the end of a row."""
        cells = self.rows[row]
        return cells[column] if column < len(cells) else None


@dataclass(frozen=True, slots=True, kw_only=True)
class Region:
    """One table in a grid. Rows are indexes into the grid's rows, ascending.

    Attributes:
        columns: The columns that it has.
        names: Their names, unique; numbered where there is no header.
        header: The rows of its names; empty where there are none.
        body: Its rows.
        above: Rows with something in them above it.
        footer: Rows with something in them below it.
        repeats: Rows within it that say its names again.
        titles: Rows within it that are the title of a page, above a row that says its names again.
        title_lines: What these have in common, the lowest first (`pages.Title`).
        doubled: Names that the header gives to several columns.
        beside: How many cells beside it were left out.
        kinds: What each column looks like.
        score: How well it reads; comparable within a file.
        typed: The share of cells that look like the others of their column.
        head: How much its header looks like one.
        contrast: How much the header differs from the cells below it.
        early: How many of the first six rows do not look like the others.
        is_crosstab: Whether labels on the left stand once for several rows, as its header shows.
        has_labels: Whether the first column has labels that stand once for several rows, as its gaps show.
    """

    columns: tuple[int, ...]
    names: tuple[str, ...]
    header: tuple[int, ...]
    body: tuple[int, ...]
    above: tuple[int, ...]
    footer: tuple[int, ...]
    repeats: tuple[int, ...]
    doubled: tuple[str, ...]
    beside: int
    kinds: tuple[Kind, ...]
    score: float
    typed: float
    head: float
    contrast: float
    early: int
    is_crosstab: bool
    has_labels: bool = False
    titles: tuple[int, ...] = ()
    title_lines: tuple[tuple[tuple[int, str], ...], ...] = ()

    @property
    def is_parted(self) -> bool:
        """Whether a blank column parts it into halves that begin alike: they may be tables side by side."""
        places = [n for n in range(2, len(self.columns) - 1) if self.columns[n] - self.columns[n - 1] > 1]
        kinds = self.kinds
        return any(kinds[0] == kinds[n] and (kinds[n] == "text" or kinds[:n] == kinds[n : 2 * n]) for n in places)
