"""Excel workbooks (and OpenDocument sheets) as tables of text or typed columns: one per sheet that holds data."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.data_errors import SourceError
from assistant.core.doubts import Correction, Doubt
from assistant.sources.arrow import unique_names
from assistant.sources.reading.grids import Grid, Merge, Region
from assistant.sources.reading.kinds import Cell, kind_of, text_of
from assistant.sources.reading.load_results import SheetCells
from assistant.sources.reading.regions import find_regions
from assistant.sources.reading.text_tables import equal_names, page_titles, parted_table

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

    from assistant.core.values import ArrowColumn, ArrowTable

_TELL_EVERY_ROWS = 1_000
_SHOWN_CHARS = 60
_COUNTS = {2: "two", 3: "three", 4: "four"}


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A table on a sheet. Text columns are still to be looked into; others have the type Excel gave them.

    Attributes:
        name: The sheet's name.
        table: Its cells.
        cells: Where they stand on the sheet.
        notes: What is said of its layout.
        doubts: What changed the set of its rows, or their cells; of a table that has no name yet.
    """

    name: str
    table: ArrowTable
    cells: SheetCells
    notes: tuple[str, ...] = ()
    doubts: tuple[Doubt, ...] = ()


def read_sheets(path: Path, tell: Callable[[int], object] = lambda _rows: None) -> tuple[Sheet, ...]:
    """All sheets of a workbook that hold something.

    Args:
        path: The workbook.
        tell: Is told how many rows of all sheets are read.

    Raises:
        SourceError: It is no workbook, damaged, or locked by a password.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError, SheetVisibleEnum

    try:
        with CalamineWorkbook.from_path(str(path)) as book:
            hidden = {sheet.name for sheet in book.sheets_metadata if sheet.visible != SheetVisibleEnum.Visible}
            grids: list[tuple[str, Grid, int, int]] = []
            for name in book.sheet_names:
                before = sum(len(grid.rows) for _, grid, _, _ in grids)
                grids.append(_read(book.get_sheet_by_name(name), lambda rows, before=before: tell(before + rows)))
    except PasswordError:
        raise SourceError(f"{path.name!r} is locked with a password. Save it without one.") from None
    except (CalamineError, OSError, ValueError):
        raise SourceError(f"{path.name!r} cannot be read as a workbook. Open it in Excel and save it again.") from None
    visible = tuple(name for name, *_ in grids if name not in hidden)
    sheets = tuple(
        replace(sheet, doubts=(*sheet.doubts, _hidden_sheet(name, visible))) if name in hidden else sheet
        for name, grid, top, left in grids
        for sheet in _tables(name, grid, top, left)
    )
    if not sheets:
        raise SourceError(f"{path.name!r} holds no data on any sheet.")
    return sheets


def _read(sheet: CalamineSheet, tell: Callable[[int], object]) -> tuple[str, Grid, int, int]:
    """A sheet's cells, and the row and the column of the sheet that they begin at."""
    top, left = sheet.start or (0, 0)
    merges = [
        Merge(top=first - top, left=begin - left, bottom=last - top, right=end - left)
        for (first, begin), (last, end) in sheet.merged_cell_ranges or ()
    ]
    rows: list[list[Cell]] = []
    for row in islice(sheet.iter_rows(), top, None):  # it begins with the rows above the first that holds something
        rows.append(list(row))
        if len(rows) % _TELL_EVERY_ROWS == 0:
            tell(len(rows))
    tell(len(rows))
    return sheet.name, Grid(rows=rows, places=range(len(rows)), merges=merges, is_sheet=True), top, left


def _tables(name: str, grid: Grid, top: int, left: int) -> Iterator[Sheet]:
    """The tables on a sheet."""
    import pyarrow as pa

    regions = find_regions(grid)
    for region in (_named(grid, region) for region in regions):
        fills = _fills(grid, region)
        filled = {
            (row, column): grid.cell(first, column) for column, first, last in fills for row in range(first, last + 1)
        }
        columns = [
            _column(
                [
                    filled.get((row, column), "") if _is_blank(grid.cell(row, column)) else grid.cell(row, column)
                    for row in region.body
                ]
            )
            for column in region.columns
        ]
        doubts = [*_region_doubts(grid, region, len(filled) - len(fills)), *_count_doubts(name, regions, region)]
        yield Sheet(
            name=name,
            table=pa.table(columns, names=list(region.names)),
            cells=SheetCells(
                rows=tuple((top + first, top + end) for first, end in _ranges(region.body)),
                columns=tuple(left + column for column in region.columns),
                fills=tuple((left + column, top + first, top + last) for column, first, last in fills),
            ),
            notes=tuple(_notes(name, region)),
            doubts=tuple(doubts),
        )


def _named(grid: Grid, region: Region) -> Region:
    """A table of one row, or of one column of texts, with its first row as names: a sheet's author wrote them."""
    is_lone = len(region.body) == 1 and all(kind == "text" for kind in region.kinds)
    if region.header or not (is_lone or (len(region.columns) == 1 and region.kinds == ("text",))):
        return region
    names = unique_names(text_of(grid.cell(region.body[0], column)) for column in region.columns)
    return replace(region, names=names, header=region.body[:1], body=region.body[1:])


def _fills(grid: Grid, region: Region) -> list[tuple[int, int, int]]:
    """Cells that stand for those below them: column, the row of the cell, the last row that it stands for."""
    body = set(region.body)
    fills = [
        (merge.left, merge.top, merge.bottom)
        for merge in grid.merges
        if merge.bottom > merge.top and merge.left in region.columns and merge.top in body
    ]
    labelled = len(region.columns) if region.is_crosstab else int(region.has_labels)
    for column, kind in list(zip(region.columns, region.kinds, strict=True))[:labelled]:
        if kind != "text" or column in {place for place, _, _ in fills}:
            break
        labels = [row for row in region.body if not _is_blank(grid.cell(row, column))]
        ends = [*(row - 1 for row in labels[1:]), region.body[-1]]
        fills += [(column, row, end) for row, end in zip(labels, ends, strict=True) if end > row]
    return fills


def _ranges(rows: Sequence[int]) -> list[tuple[int, int]]:
    """Ascending rows as ranges: the first row of each, and the one after its last."""
    ranges: list[tuple[int, int]] = []
    for row in rows:
        if ranges and ranges[-1][1] == row:
            ranges[-1] = (ranges[-1][0], row + 1)
        else:
            ranges.append((row, row + 1))
    return ranges


def _notes(name: str, region: Region) -> Iterator[str]:
    if len(region.header) > 1:
        yield f"sheet {name!r}: the names of its columns are made of {_COUNTS[len(region.header)]} lines"
    if region.above:
        yield f"sheet {name!r}: {_rows(len(region.above))} above the header skipped"


def _region_doubts(grid: Grid, region: Region, filled: int) -> Iterator[Doubt]:
    figures = [row for row in region.above if _has_figures(grid, region, row)]
    if figures:
        yield Doubt(
            kind="rows_left_out",
            chosen=f"{_rows(len(figures))} with figures above the header left out: {_shown(grid, figures)}.",
            rows=len(figures),
        )
    if region.header and region.doubled:
        yield equal_names(region.doubled)
    if region.footer:
        yield Doubt(
            kind="rows_left_out",
            chosen=f"{_rows(len(region.footer))} below the table left out: {_shown(grid, region.footer)}.",
            rows=len(region.footer),
        )
    if region.repeats:
        assumption = f"{_rows(len(region.repeats))} that say the names of columns again left out."
        yield Doubt(kind="rows_left_out", chosen=assumption, rows=len(region.repeats))
    if region.titles:
        yield page_titles([list(map(text_of, grid.rows[row])) for row in region.titles], len(region.titles))
    if region.beside:
        yield Doubt(kind="layout", chosen=f"Cells beside the table left out: {region.beside}.", rows=region.beside)
    if region.is_parted:
        yield parted_table()
    if filled > 0:
        yield Doubt(
            kind="layout",
            chosen=f"Labels that stand once for several rows are filled down: {filled} cells.",
            rival="Left empty, these rows would have no label.",
            rows=filled,
        )
    if not region.header:
        yield Doubt(
            kind="header",
            chosen=f"It has no header; the columns are named {region.names[0]} and so on.",
            rival="The first row may hold the names.",
        )


def _count_doubts(name: str, regions: Sequence[Region], region: Region) -> Iterator[Doubt]:
    if len(regions) > 1 and region.columns == regions[0].columns and region.above == regions[0].above:
        yield Doubt(
            kind="layout",
            chosen=f"Sheet {name!r} holds {len(regions)} tables, which are read as tables of their own.",
            rival="They may be parts of one table.",
            rows=sum(len(further_region.body) for further_region in regions[1:]),
        )


def _hidden_sheet(name: str, visible: tuple[str, ...]) -> Doubt:
    return Doubt(
        kind="layout",
        chosen=f"Sheet {name!r} is hidden in the workbook; it is read like any other.",
        correction=Correction(setting="sheets", value=visible) if visible else None,
    )


def _has_figures(grid: Grid, region: Region, row: int) -> bool:
    kinds = [kind_of(grid.cell(row, column)) for column in region.columns]
    return "number" in kinds and sum(kind != "empty" for kind in kinds) > 1


def _shown(grid: Grid, rows: Sequence[int]) -> str:
    return " / ".join(repr(next(filter(None, map(text_of, grid.rows[row])), "")[:_SHOWN_CHARS]) for row in rows[:2])


def _rows(count: int) -> str:
    return f"{count} {'row' if count == 1 else 'rows'}"


def _is_blank(cell: Cell) -> bool:
    return cell is None or cell == ""


def _column(cells: Sequence[Cell]) -> ArrowColumn:
    import pyarrow as pa

    kinds = {type(cell) for cell in cells if not _is_blank(cell)}
    values = [None if _is_blank(cell) else cell for cell in cells]
    if kinds in ({float}, {int, float}):
        if all(
            value is None or (float(value).is_integer() and abs(value) < 2**53)
            for value in values
            if not isinstance(value, str | date | time | timedelta)
        ):
            return pa.array([None if value is None else int(value) for value in values], pa.int64())  # pyright: ignore[reportArgumentType]  # only numbers are left
        return pa.array(values, pa.float64())
    if kinds == {date, datetime}:
        return pa.array(
            [datetime(v.year, v.month, v.day) if type(v) is date else v for v in values], pa.timestamp("us")
        )
    if len(kinds) == 1 and kinds <= {bool, int, date, datetime, time}:
        return pa.array(values)
    return pa.array([None if value is None else _plain(value) for value in values], pa.string())


def _plain(cell: Cell) -> str:
    return cell if isinstance(cell, str) else text_of(cell)
