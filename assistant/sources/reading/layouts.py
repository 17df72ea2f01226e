"""How a text is cut into cells, and where its table is: whole readings under each hypothesis, scored; the best is kept.

A reading is a delimiter, runs of blanks, columns of fixed width or whole lines, with the table that `regions` sees in
such cells. A bounded sample decides: the head of the file, a part of its middle, and its tail. No engine is asked.
"""

from __future__ import annotations

import csv
import io
import re
from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from math import log2
from pathlib import Path
from typing import Literal, TypeAlias

from assistant.sources.arrow import unique_names
from assistant.sources.reading.grids import Grid, Region
from assistant.sources.reading.kinds import is_comment, is_ruler, kind_of, text_of
from assistant.sources.reading.pages import Title
from assistant.sources.reading.regions import find_regions

Cut = Literal["delimiter", "blanks", "wide blanks", "fixed", "lines"]

_WHOLE_BYTES = 512 * 1024
_HEAD_BYTES = 256 * 1024
_PART_BYTES = 32 * 1024
_ROWS_MAX = 400
_CELLS_MAX = 60_000
_DELIMITERS = (",", ";", "\t", "|", "@", "^", "~", ":", "\x1f")
_PENALTIES: dict[Cut, float] = {"delimiter": 0.0, "blanks": 0.15, "wide blanks": 0.15, "fixed": 0.25, "lines": 0.0}
_UNUSUAL = 0.12
_NEAR = 0.15
_ALIGNED = 0.2
"""What fixed places gain where all lines are equally long."""
_EVEN = 0.3
"""What whole lines lose where a delimiter cuts all of them into equally many cells."""
_TAIL_PLACE = 1 << 40
_COMMENTS_MAX = 60
_SIGNS = "#%/-;! "

_Cutting: TypeAlias = Callable[[str], list[str]]
_Parsing: TypeAlias = Callable[[str], list[list[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class Sample:
    """A part of a text: `head` begins it and `tail` ends it; of a small file the head is all."""

    head: str
    middle: str = ""
    tail: str = ""
    is_whole: bool = True


@dataclass(frozen=True, slots=True, kw_only=True)
class Layout:
    """How a text is cut into cells, and where its table is.

    Attributes:
        cut: What parts the cells of a line.
        delimiter: The character between cells, where there is one.
        places: Of columns of fixed width: where each begins.
        fields: How many cells the widest line has.
        names: The names of the columns.
        columns: The cell of a line that each column is, from 0.
        has_header: Whether the text names its columns.
        above: How many rows of cells stand above the names, or above the first row.
        first: How many rows of cells stand above the first row.
        marks: Cells that say the names of columns again in a line that repeats the header: place and text.
        repeats: How many such lines were seen.
        title_lines: The lines of a page's title above a line that repeats the header, the lowest first.
        titles: Those that were seen, cell by cell.
        title_rows: How many there are.
        footer: The lines below the table, cell by cell.
        rulers: Lines drawn with signs within the table or below it, cell by cell.
        unnamed: Columns on the right that the header has no name for.
        doubled: Names that the header gives to several columns.
        dropped: How many lines have cells beyond the last column.
        has_labels: Whether the labels of the first column stand once for several rows.
        is_parted: Whether a blank column parts its columns into what may be two tables.
        rows: Of a text with several tables: how many rows of cells lie between the first and the last of this one.
        further: The other tables of the text, beside this one or below it.
        rival: Another cut that reads nearly as well; None where there is none.
    """

    cut: Cut
    delimiter: str = ""
    places: tuple[int, ...] = ()
    fields: int = 1
    names: tuple[str, ...] = ()
    columns: tuple[int, ...] = ()
    has_header: bool = True
    above: int = 0
    first: int = 0
    marks: tuple[tuple[int, str], ...] = ()
    repeats: int = 0
    title_lines: tuple[Title, ...] = ()
    titles: tuple[tuple[str, ...], ...] = ()
    title_rows: int = 0
    footer: tuple[tuple[str, ...], ...] = ()
    rulers: tuple[tuple[str, ...], ...] = ()
    unnamed: tuple[str, ...] = ()
    doubled: tuple[str, ...] = ()
    dropped: int = 0
    has_labels: bool = False
    is_parted: bool = False
    rows: int = 0
    further: tuple[Layout, ...] = ()
    rival: Layout | None = None


def sample_of(path: Path) -> Sample:
    """The parts of a UTF-8 text that its layout is decided on.

    Raises:
        OSError: It cannot be read.
    """
    size = path.stat().st_size
    with path.open("rb") as file:
        if size <= _WHOLE_BYTES:
            return Sample(head=file.read().decode("utf-8-sig", "replace"))
        head = file.read(_HEAD_BYTES)
        end = head.rfind(b"\n")
        parts: list[str] = []
        for start in (size // 2, size - _PART_BYTES):
            file.seek(start)
            parts.append(file.read(_PART_BYTES).partition(b"\n")[2].decode("utf-8", "replace"))
    return Sample(
        head=(head[:end] if end > 0 else head).decode("utf-8-sig", "replace"),
        middle=parts[0].rpartition("\n")[0],
        tail=parts[1],
        is_whole=False,
    )


def layout_of(
    sample: Sample,
    *,
    delimiter: str | None = None,
    header: bool | None = None,
    skip: int | None = None,
    is_table: bool = True,
) -> Layout | None:
    """How a text is laid out; None where there is nothing but blanks. What is given is not guessed.

    Args:
        sample: Parts of the text.
        delimiter: What separates cells.
        header: Whether there is a line of names.
        skip: How many lines stand above the names, or above the first row.
        is_table: Whether the file's name says that it is a table, so that its only column has a name.
    """
    if not (sample.head.strip() or sample.tail.strip()):
        return None
    ranked: list[tuple[float, Layout]] = []
    is_even = False
    for start, grid in _grids(sample, delimiter):
        if start.cut != "delimiter" and ranked and max(score for score, _ in ranked) > 2.2:
            break
        body_grid = _skipped(grid, skip) if skip else grid
        regions = find_regions(body_grid)
        if not regions:
            continue
        region = _settled(body_grid, regions[0], header=header, skip=skip, is_table=is_table)
        score = _score(body_grid, region) - _PENALTIES[start.cut]
        if start.cut == "lines" and is_even:
            score -= _EVEN
        if start.cut == "fixed" and len({len(line.rstrip()) for line in sample.head.splitlines() if line.strip()}) == 1:
            score += _ALIGNED
        is_even = is_even or len({len(row) for row in body_grid.rows if row} - {0}) == 1
        if start.delimiter and start.delimiter not in _DELIMITERS[:4]:
            score -= _UNUSUAL
        ranked.append((score, _layout_of_tables(start, grid, body_grid, [region, *regions[1:]])))
    if not ranked:
        return None
    ranked.sort(key=lambda candidate: -candidate[0])
    best, layout = ranked[0]
    if layout.cut == "fixed":  # blanks that give the same columns also read a line whose values are wider
        best, layout = next(
            (
                (s, candidate)
                for s, candidate in ranked
                if candidate.cut == "blanks" and len(candidate.names) == len(layout.names)
            ),
            ranked[0],
        )
    near = [
        candidate
        for score, candidate in ranked[1:]
        if best - score < _NEAR and candidate.cut != "lines" and len(candidate.names) != len(layout.names)
    ]
    return replace(layout, rival=near[0] if near else None)


def _grids(sample: Sample, delimiter: str | None) -> Iterator[tuple[Layout, Grid]]:
    """Every hypothesis of how a text is cut that its lines do not contradict, the most usual first."""
    if delimiter is not None:
        yield Layout(cut="delimiter", delimiter=delimiter), _delimited(sample, delimiter)
        return
    lines = [line for line in sample.head.splitlines()[:120] if line.strip()]
    lines += [line for line in sample.tail.splitlines()[-40:] if line.strip()]
    for mark in _DELIMITERS:
        if sum(mark in line for line in lines) >= max(1, 0.3 * len(lines)):
            yield Layout(cut="delimiter", delimiter=mark), _delimited(sample, mark)
    parted = [line for line in lines if re.search(r"\S[ \t]+\S", line)]
    if len(parted) > 0.7 * len(lines) and len(lines) > 1:
        if sum(bool(re.search(r"\S(?: {2,}|\t)\s*\S", line)) for line in lines) > 0.6 * len(lines):
            yield (
                Layout(cut="wide blanks"),
                _cut_lines(sample, lambda line: re.split(r"[ ]*\t[ \t]*| {2,}", line.strip())),
            )
        yield Layout(cut="blanks"), _cut_lines(sample, lambda line: re.split(r"[ \t]+", line.strip()))
        if places := _fixed_places(lines):
            ends: tuple[int | None, ...] = (*places[1:], None)
            yield (
                Layout(cut="fixed", places=places),
                _cut_lines(sample, lambda line: [line[a:b].strip() for a, b in zip(places, ends, strict=True)]),
            )
    yield Layout(cut="lines"), _cut_lines(sample, lambda line: [line])


def _delimited(sample: Sample, delimiter: str) -> Grid:
    return _grid(sample, lambda text: _rows(text, delimiter))


def _cut_lines(sample: Sample, cut: _Cutting) -> Grid:
    return _grid(sample, lambda text: [cut(line) if line.strip() else [] for line in text.splitlines()])


def _grid(sample: Sample, parse: _Parsing) -> Grid:
    rows = _without_mark(parse(sample.head))
    if sample.is_whole:
        return Grid(rows=rows, places=range(len(rows)))
    width = max(map(len, rows), default=1)
    rows = rows[: max(30, min(_ROWS_MAX, _CELLS_MAX // max(1, width)))]
    usual = Counter(map(len, rows)).most_common(1)[0][0] if rows else 0
    middle = [row for row in parse(sample.middle) if len(row) == usual][:60]
    tail = parse(sample.tail)[-100:]
    places = [*range(len(rows)), *(_TAIL_PLACE // 2 + n for n in range(len(middle)))]
    places += [_TAIL_PLACE + n for n in range(len(tail))]
    return Grid(rows=[*rows, *middle, *tail], places=places, is_whole=False)


def _without_mark(rows: list[list[str]]) -> list[list[str]]:
    """Rows in which the last comment above the table, if it has as many cells, is a line of names without its sign."""
    comments = [n for n, cells in enumerate(rows[:_COMMENTS_MAX]) if is_comment(cells)]
    last = comments[-1] if comments else len(rows)
    if last + 1 < len(rows) and not rows[last][0].strip(_SIGNS) and len(rows[last]) == len(rows[last + 1]) + 1:
        rows[last] = rows[last][1:]
    return rows


def _rows(text: str, delimiter: str) -> list[list[str]]:
    rows: list[list[str]] = []
    with suppress(csv.Error):  # a cell longer than the reader allows: what was read tells enough
        rows.extend(csv.reader(io.StringIO(text, newline=""), delimiter=delimiter))
    return rows


def _fixed_places(lines: Sequence[str]) -> tuple[int, ...]:
    """Where columns of fixed width begin: after blanks, or where digits turn into letters, in all lines."""
    lines = [line.rstrip() for line in lines]
    lengths = Counter(map(len, lines)).most_common(1)[0]
    if len(lines) < 3 or (lengths[1] < 0.5 * len(lines) and min(map(len, lines)) < 0.6 * max(map(len, lines))):
        return ()
    width = max(map(len, lines))
    padded = [line.ljust(width) for line in lines]
    columns = list(zip(*padded, strict=True))
    blank = [not any(char != " " for char in column) for column in columns]
    places = [0]
    for n in range(1, width):
        starts = blank[n - 1] and not blank[n]
        turns = not blank[n] and all(
            char.isdigit() and next_char.isalpha() for char, next_char in zip(columns[n - 1], columns[n], strict=True)
        )
        if starts or turns:
            places.append(n)
    return tuple(places) if len(places) > 1 else ()


def _skipped(grid: Grid, skip: int) -> Grid:
    return replace(grid, rows=grid.rows[skip:], places=grid.places[skip:])


def _settled(grid: Grid, region: Region, *, header: bool | None, skip: int | None, is_table: bool) -> Region:
    """A table with the header that a person says it has or has not, or that its only row must be."""
    rows = [n for n, cells in enumerate(grid.rows) if any(text_of(cell) for cell in cells)]
    has_header = header if header is not None else bool(region.header)
    if header is None and not region.header and len(region.columns) == 1 and region.kinds == ("text",) and is_table:
        has_header = len(region.body) > 1 and len(text_of(grid.cell(rows[0], 0))) <= 40
    if header is None and len(rows) == 1:
        has_header = all(kind_of(cell) in ("text", "empty") for cell in grid.rows[rows[0]])
    if skip is not None and region.above:
        first = rows[:1] if has_header else []
        return _with_header(grid, region, first, rows[len(first) :], above=())
    if has_header == bool(region.header):
        return region
    if has_header:
        return _with_header(grid, region, list(region.body[:1]), list(region.body[1:]), above=region.above)
    return _with_header(grid, region, [], [*region.header, *region.body], above=region.above)


def _with_header(grid: Grid, region: Region, header: list[int], body: list[int], *, above: tuple[int, ...]) -> Region:
    names = [text_of(grid.cell(row, column)) for row in header[:1] for column in region.columns]
    return replace(
        region,
        names=unique_names(names or [""] * len(region.columns)),
        header=tuple(header),
        body=tuple(body),
        above=above,
        repeats=(),
        titles=(),
        title_lines=(),
    )


def _score(grid: Grid, region: Region) -> float:
    """How well a whole reading fits: typed columns, lines of one width, a plain header, nothing left over."""
    rows = (*region.header[-1:], *region.body[:600])
    if not rows:
        return -9.0
    widths = Counter(len(grid.rows[row]) for row in rows)
    usual = max(widths, key=lambda width: (widths[width], width))
    shorter = sum(0.6 * many for width, many in widths.items() if 1 < width < usual and 2 < usual <= 2 * width)
    stable = (widths[usual] + shorter) / len(rows)
    columns = sum(kind != "empty" for kind in region.kinds)
    left_out = len(region.above) + len(region.footer)
    lost_share = left_out / max(1, left_out + len(region.body))
    evidence = len(region.body) / (len(region.body) + 0.5)  # a row by itself always looks like its column
    return (
        region.typed * evidence
        + 0.8 * max(0.0, 2 * stable - 1)
        + 0.3 * min(1.0, log2(max(columns, 1)) / 3)
        + 0.3 * region.head
        - (0.4 if columns > 1 else 1.0) * lost_share
        - 0.3 * region.early / max(1, min(6, len(region.body)))
    )


def _layout_of_tables(start: Layout, grid: Grid, body_grid: Grid, regions: Sequence[Region]) -> Layout:
    """The layout of the first table of a text, with those of the others."""
    layout = _layout(start, grid, body_grid, regions[0])
    if len(regions) == 1:
        return layout
    first, *further = [_bounded(_layout(start, grid, body_grid, region), body_grid, region) for region in regions]
    return replace(first, footer=(*first.footer, *_unclaimed(body_grid, regions)), further=tuple(further))


def _unclaimed(body_grid: Grid, regions: Sequence[Region]) -> list[tuple[str, ...]]:
    """The lines between several tables that are part of none."""
    claimed = {
        row
        for region in regions
        for row in (*region.above, *region.header, *region.body, *region.footer, *region.repeats, *region.titles)
    }
    return [
        tuple(map(str, cells))
        for row, cells in enumerate(body_grid.rows)
        if row not in claimed and any(map(text_of, cells)) and not is_ruler(cells)
    ]


def _bounded(layout: Layout, body_grid: Grid, region: Region) -> Layout:
    """A table that ends where another one begins; the engine gives no row for a blank line between cells."""
    last = region.body[-1] if region.body else -1
    rows = [row for row in range(last + 1) if body_grid.places[row] >= layout.first]
    return replace(layout, rows=sum(layout.cut != "delimiter" or bool(body_grid.rows[row]) for row in rows))


def _layout(start: Layout, grid: Grid, body_grid: Grid, region: Region) -> Layout:
    last = max(region.columns)
    longer = [row for row in region.body if any(map(text_of, body_grid.rows[row][last + 1 :]))]
    names, columns = region.names, region.columns
    above = (
        body_grid.places[region.header[0]] if region.header else body_grid.places[region.body[0]] if region.body else 0
    )
    marks = (
        [(column, text_of(body_grid.cell(region.header[-1], column))) for column in columns] if region.repeats else []
    )
    labels = [
        n for n, column in enumerate(columns) if any(text_of(body_grid.cell(row, column)) for row in region.header)
    ]
    footer = tuple(tuple(map(str, body_grid.rows[row])) for row in region.footer)
    first = body_grid.places[region.header[-1]] + 1 if region.header else above
    if region.header and region.body and all(map(is_ruler, body_grid.rows[region.header[-1] + 1 : region.body[0]])):
        first = body_grid.places[region.body[0]]
    body_rows = [body_grid.rows[row] for row in range(region.body[0] if region.body else 0, len(body_grid.rows))]
    return replace(
        start,
        fields=max([last + 1, *map(len, grid.rows)]),
        names=names,
        columns=columns,
        has_header=bool(region.header),
        above=above,
        first=first,
        marks=tuple((column, name) for column, name in marks if name)[:3],
        repeats=len(region.repeats),
        title_lines=region.title_lines,
        titles=tuple(tuple(map(str, body_grid.rows[row])) for row in region.titles),
        title_rows=len(region.titles),
        footer=footer,
        rulers=tuple(dict.fromkeys(tuple(map(str, cells)) for cells in body_rows if is_ruler(cells))),
        unnamed=names[labels[-1] + 1 :] if labels else (),
        doubled=region.doubled if region.header else (),
        dropped=len(longer),
        has_labels=region.has_labels,
        is_parted=region.is_parted,
    )
