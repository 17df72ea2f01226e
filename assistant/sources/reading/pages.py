"""The lines that a report prints above its header on every page: they are no rows of its table. Pure.

They are told by the header below them, which is said again; by being like the lines above the first header, or like
each other but for their numbers; and by having fewer cells than any row.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise

from assistant.sources.reading.grids import Grid
from assistant.sources.reading.kinds import text_of

_LINES_MAX = 6
_HOLE_MAX = 3
"""More lines between two that hold something are no page break, or were not looked at."""

Title = tuple[tuple[int, str], ...]
"""A line of a page's title: the columns that may be filled, each with its text, digits as `#`; empty for any text."""


@dataclass(frozen=True, slots=True, kw_only=True)
class PageTitles:
    """The title of each page but the first.

    Attributes:
        lines: Its lines, the lowest first.
        rows: The rows of the grid that are such a line, ascending.
    """

    lines: tuple[Title, ...] = ()
    rows: tuple[int, ...] = ()


def without_digits(text: str) -> str:
    """A text that is the same on every page but for the number of the page: digits as `#`."""
    return re.sub(r"[0-9]+", "#", text)


def find_page_titles(
    grid: Grid, columns: Sequence[int], header: Sequence[int], body: Sequence[int], repeats: Sequence[int]
) -> PageTitles:
    """The lines above each repeated header that are no rows.

    Args:
        grid: The cells.
        columns: The columns of the table.
        header: The rows of its names.
        body: Its rows, repeated headers left out.
        repeats: The rows that say its names again.
    """
    if not header or not repeats or len(columns) < 2:
        return PageTitles()
    rows = sorted({*body, *repeats})
    places = {row: place for place, row in enumerate(rows)}
    first_lines = [row for row in range(header[-1]) if _filled(grid, row)][::-1]
    sample = repeats if grid.is_whole else [row for row in repeats if grid.places[row] == row]
    lines: list[Title] = []
    for offset in range(1, _LINES_MAX + 1):
        above = [_above(grid, rows, places[row], offset) for row in sample]
        titles = [row for row in above if row is not None and row not in repeats]
        if not titles or len(titles) < len(sample):
            break
        first = first_lines[offset - 1] if offset <= len(first_lines) else None
        line = _title(grid, columns, titles, first, body)
        if line is None:
            break
        lines.append(line)
    title_rows = {
        row
        for repeat in repeats
        for offset, line in enumerate(lines, start=1)
        if (row := _above(grid, rows, places[repeat], offset)) is not None and _is_title(grid, row, line)
    }
    return PageTitles(lines=tuple(lines), rows=tuple(sorted(title_rows - set(repeats))))


def _above(grid: Grid, rows: Sequence[int], place: int, offset: int) -> int | None:
    """The row of a table so many rows above another; None where something between them is unseen."""
    if place < offset:
        return None
    near = rows[place - offset : place + 1]
    holes = [grid.places[lower] - grid.places[upper] for upper, lower in pairwise(near)]
    return None if max(holes) > 1 + _HOLE_MAX else near[0]


def _filled(grid: Grid, row: int) -> dict[int, str]:
    """The cells of a row that hold something, digits as `#`."""
    texts = {column: without_digits(text_of(cell)) for column, cell in enumerate(grid.rows[row])}
    return {column: text for column, text in texts.items() if text}


def _title(
    grid: Grid, columns: Sequence[int], titles: Sequence[int], first: int | None, body: Sequence[int]
) -> Title | None:
    """What lines at one place above each repeated header have in common; None if they may be rows."""
    cells = [_filled(grid, row) for row in titles]
    union = sorted({column for filled in cells for column in filled})
    line = tuple((column, cells[0].get(column, "")) for column in union)
    if not all(any(map(str.isalpha, "".join(filled.values()))) for filled in cells):
        return None  # figures alone are a row with gaps
    is_same = all(filled == cells[0] for filled in cells)
    first_cells = _filled(grid, first) if first is not None else {}
    if 2 * len(union) > len(columns):
        return line if is_same and first_cells == cells[0] else None
    longest = max(map(len, cells))
    rows = (row for row in body if row not in set(titles))
    is_thinnest = all(len(_filled(grid, row)) > longest for row in rows)
    if not (is_thinnest or (is_same and len(titles) > 1) or [*first_cells] == union):
        return None
    return line if is_same else tuple((column, "") for column in union)


def _is_title(grid: Grid, row: int, line: Title) -> bool:
    texts = dict(line)
    return all(texts.get(column, "!") in ("", text) for column, text in _filled(grid, row).items())
