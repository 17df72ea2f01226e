"""The tables in a grid of cells: where a table's names stand, where its rows begin and end, what is beside and below.

Everything is decided by what the columns look like. A row is a header where it differs in kind from the cells below it;
lines above and below a table are those that do not fit its columns. Nothing here knows files or engines; pure.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.sources.arrow import unique_names
from assistant.sources.reading.footers import drop_footer
from assistant.sources.reading.grids import Grid, Region
from assistant.sources.reading.headers import (
    doubled_names,
    header_names,
    header_rows,
    is_numbering,
    measure_contrast,
    name_marks,
    says_names,
)
from assistant.sources.reading.kinds import Kind, is_comment, is_ruler, text_of
from assistant.sources.reading.pages import find_page_titles, without_digits
from assistant.sources.reading.views import (
    HEAD_ROWS,
    TYPED,
    ColumnLook,
    GridView,
    find_twins,
    is_like,
    is_row,
    look_of,
)

_STARTS_MAX = 60
_BLOCKS_WIDTH_MAX = 60
_SEGMENT_MIN = 4
"""Fewer lines between blank ones are no table."""


def find_regions(grid: Grid) -> list[Region]:
    """The tables of a grid: side by side where blank columns part them, one below the other where blank rows do."""
    width = max(map(len, grid.rows), default=0)
    filled = [
        n
        for n, row in enumerate(grid.rows)
        if any(cell not in ("", None) and text_of(cell) for cell in row) and not is_ruler(row)
    ]
    return _regions(grid, filled, list(range(width)), depth=0)


def _regions(grid: Grid, filled: list[int], columns: list[int], *, depth: int) -> list[Region]:
    if not filled:
        return []
    if depth < 2 and (parts := _beside(grid, filled, columns, depth) or _below(grid, filled, columns, depth)):
        return parts
    region = _region(GridView(grid=grid, filled=filled, columns=columns))
    return [region] if region else []


def _beside(grid: Grid, filled: list[int], columns: list[int], depth: int) -> list[Region]:
    """Blocks that a blank column parts, if their headers say the same, or each is a table of its own in a sheet."""
    if not grid.is_sheet and len(columns) > _BLOCKS_WIDTH_MAX:
        return []
    sample = filled[:HEAD_ROWS]
    blocks: list[list[int]] = [[]]
    for column in columns:
        if any(text_of(grid.cell(row, column)) for row in sample):
            blocks[-1].append(column)
        elif blocks[-1]:
            blocks.append([])
    blocks = [block for block in blocks if len(block) > 1]
    if len(blocks) < 2:
        return []
    parts = [_regions(grid, _rows_with(grid, filled, block), block, depth=depth + 1) for block in blocks]
    tops = [part[0] for part in parts if part and part[0].header]
    if len(tops) < 2:
        return []
    first = {name.casefold() for name in tops[0].names}
    is_repeated = any(
        len(first & {name.casefold() for name in top.names}) >= 0.5 * min(len(first), len(top.names))
        for top in tops[1:]
    )
    ends = [grid.places[top.body[-1]] for top in tops]
    apart = grid.is_sheet and max(ends) - min(ends) > 3 + 0.05 * max(ends)
    apart = apart and all(top.contrast > 0.45 and len(top.columns) > 2 and len(top.body) > 5 for top in tops)
    return [region for part in parts for region in part] if is_repeated or apart else []


def _rows_with(grid: Grid, rows: Iterable[int], columns: Sequence[int]) -> list[int]:
    return [row for row in rows if any(text_of(grid.cell(row, column)) for column in columns)]


def _below(grid: Grid, filled: list[int], columns: list[int], depth: int) -> list[Region]:
    """Tables that blank rows part, if at least two of them have headers that differ from their cells."""
    if not grid.is_whole:
        return []
    segments: list[list[int]] = []
    for row in filled:
        if segments and grid.places[segments[-1][-1]] + 1 == grid.places[row]:
            segments[-1].append(row)
        else:
            segments.append([row])
    large = [segment for segment in segments if len(segment) >= _SEGMENT_MIN]
    if not 2 <= len(segments) <= 8 or len(large) < 2:
        return []
    tops = [_region(GridView(grid=grid, filled=segment, columns=columns)) for segment in large]
    tables = [top for top in tops if top and top.header and top.contrast > 0.45 and TYPED & set(top.kinds)]
    if len(tables) < 2 or (not grid.is_sheet and _are_pages(grid, tables, segments)):
        return []
    return [region for segment in large for region in _regions(grid, segment, columns, depth=depth + 1)]


def _are_pages(grid: Grid, tables: Sequence[Region], segments: Sequence[Sequence[int]]) -> bool:
    """Whether parts are pages of one table: each says the same names, with nothing above them but a page's number."""

    def titles(rows: Iterable[int]) -> list[list[str]]:
        return [[without_digits(text_of(cell)) for cell in grid.rows[row]] for row in rows]

    between = [titles(segment) for segment in segments if len(segment) < _SEGMENT_MIN]
    above = [titles(table.above) for table in tables]
    is_page = all(title == between[0] for title in between) and all(title == above[0] for title in above)
    is_complete = len(tables) + len(between) == len(segments)
    return is_page and is_complete and all(table.names == tables[0].names for table in tables)


def _region(view: GridView) -> Region | None:
    """The table of a view: the start of its rows, with or without a header above, that reads best."""
    count, width = len(view.near), len(view.columns)
    twins = find_twins(view)
    last = min(count, max(8, min(_STARTS_MAX, 20_000 // max(1, width))))
    counts: list[Counter[Kind]] = [Counter() for _ in view.columns]
    profiles: dict[int, list[ColumnLook]] = {}
    for row in range(count - 1, -1, -1):
        if not twins[row]:
            for column, kind in enumerate(view.kinds[row]):
                counts[column][kind] += 1
        if row <= last:
            profiles[row] = [look_of(of) for of in counts]
    view.values = [
        Counter(
            text_of(row[n])
            for row, twin, kinds in zip(view.cells, twins, view.kinds, strict=True)
            if not twin and kinds[n] != "empty"
        )
        for n in range(width)
    ]
    best: _Reading | None = None
    for start in range(last):
        if start > 2 and view.kinds[start] == view.kinds[start - 1] == view.kinds[start - 2]:
            continue  # it begins in the midst of rows that look alike
        for with_header in (False, True) if start else (False,):
            reading = _judge(view, start, profiles[start], with_header=with_header)
            if reading and (best is None or reading.score > best.score + 1e-9):
                best = reading
    return _built(view, best, profiles[best.start]) if best else None


@dataclass(frozen=True, slots=True, kw_only=True)
class _Reading:
    score: float
    start: int
    header: list[int]
    names: list[str]
    typed: float
    head: float
    contrast: float
    early: int
    is_crosstab: bool


def _judge(view: GridView, start: int, profile: list[ColumnLook], *, with_header: bool) -> _Reading | None:
    """How well a view reads with its rows beginning at `start`."""
    used = [n for n in range(len(view.columns)) if profile[n].filled]
    if not used:
        return None
    header: list[int] = []
    names, is_crosstab = [""] * len(view.columns), False
    if with_header:
        header = header_rows(view, start - 1, used)
        names, is_crosstab = header_names(view, header, used)
        bottom = view.fills[header[-1]]
        if is_comment(view.cells[start - 1]) and bottom != len(used):
            return None
        if len(header) > 1 and bottom < 0.5 * len(used) and any(view.fills[row] == len(used) for row in header[:-1]):
            return None
    weight = sum(profile[n].filled for n in used)
    typed = sum(profile[n].filled * (profile[n].purity if profile[n].kind in TYPED else 0.45) for n in used) / weight
    is_strong = any(profile[n].is_typed for n in used)
    contrast, head = measure_contrast(view, start, header, names, profile)
    fills = sorted(view.fills[start:])
    typical = fills[len(fills) // 2] or 1
    first_rows = range(start, min(len(view.near), start + 6))
    early = sum(not is_like(view.kinds[row], profile, view.fills[row], typical) for row in first_rows)
    above = range(header[0] if header else start)
    lost_rows = sum(
        is_row(view.kinds[row], profile, view.fills[row], typical) and not is_numbering(view.cells[row])
        for row in above
    )
    if len(used) == 1:  # a title is wider than nothing: above a list, any line is one of it
        lost_rows = max(lost_rows, len(above))
    if not header:
        lost_text = sum(not is_comment(view.cells[row]) for row in range(start))
    else:
        lost_text = 0 if is_strong else sum(view.fills[row] >= 0.8 * typical and view.fills[row] > 1 for row in above)
    share = lost_rows / (lost_rows + len(view.near) - start)
    score = typed + 0.6 * head - 0.1 * early - min(1.5, 0.12 * lost_rows + 0.4 * share + 0.08 * lost_text)
    return _Reading(
        score=score,
        start=start,
        header=header,
        names=names,
        typed=typed,
        head=head,
        contrast=contrast,
        early=early,
        is_crosstab=is_crosstab,
    )


def _built(view: GridView, reading: _Reading, profile: list[ColumnLook]) -> Region:
    grid = view.grid
    header = [view.near[row] for row in reading.header]
    names = reading.names
    used = [n for n in range(len(view.columns)) if profile[n].filled or (names[n] and not reading.is_crosstab)]
    body_rows = len(view.near) - reading.start
    beside = [
        n
        for n in used
        if header
        and grid.is_sheet
        and not names[n]
        and profile[n].filled <= max(1, 0.15 * body_rows)
        and n - 1 not in used
    ]
    used = [n for n in used if n not in beside]
    start = view.near[reading.start]
    body = [row for row in view.filled if row >= start]
    body, footer = drop_footer(view, body, profile, reading.header)
    marks = name_marks(view, reading.header[-1]) if header else []
    repeats = {row for row in body if marks and says_names(grid, row, marks)}
    columns = [view.columns[n] for n in used]
    pages = find_page_titles(grid, columns, header, [row for row in body if row not in repeats], sorted(repeats))
    top = header[0] if header else start
    return Region(
        columns=tuple(columns),
        names=unique_names(names[n] for n in used),
        header=tuple(header),
        body=tuple(row for row in body if row not in repeats and row not in pages.rows),
        above=tuple(row for row in view.filled if row < top),
        footer=tuple(footer),
        repeats=tuple(sorted(repeats)),
        titles=pages.rows,
        title_lines=pages.lines,
        doubled=doubled_names([names[n] for n in used]),
        beside=sum(profile[n].filled for n in beside),
        kinds=tuple(profile[n].kind if profile[n].purity >= 0.5 else "text" for n in used),
        score=reading.score,
        typed=reading.typed,
        head=reading.head,
        contrast=reading.contrast,
        early=reading.early,
        is_crosstab=reading.is_crosstab,
        has_labels=len(used) > 1 and profile[used[0]].kind == "text" and _has_labels(view, reading.start, used),
    )


def _has_labels(view: GridView, start: int, used: Sequence[int]) -> bool:
    """Whether a column has each label once, above rows without one that have all else."""
    cells = [(text_of(row[used[0]]), text_of(row[used[1]])) for row in view.cells[start:]]
    labels = [label for label, _ in cells if label]
    rows = [beside for label, beside in cells if not label]
    is_once = len(labels) > 1 and len(set(labels)) == len(labels) and bool(cells[0][0])
    return is_once and 2 * len(rows) >= len(labels) and all(beside for _, beside in cells)
