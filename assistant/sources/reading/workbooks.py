"""Excel workbooks (and OpenDocument sheets) as tables of text or typed columns: one per sheet that holds data."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import date, datetime, time, timedelta
from itertools import islice
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.data_errors import SourceError
from assistant.sources.arrow import unique_names
from assistant.sources.reading.texts import is_header

if TYPE_CHECKING:
    from python_calamine import CalamineSheet

    from assistant.core.values import ArrowColumn, ArrowTable

Cell = int | float | str | bool | time | date | datetime | timedelta
_HEADER_WITHIN_ROWS = 30
_TELL_EVERY_ROWS = 1_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Sheet:
    """A sheet's data. Text columns are still to be looked into; others have the type Excel gave them."""

    name: str
    table: ArrowTable
    notes: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Span:
    """Cells of one row that are merged, from column `first` to `last`."""

    row: int
    first: int
    last: int


def read_sheets(path: Path, tell: Callable[[int], object] = lambda _rows: None) -> tuple[Sheet, ...]:
    """All sheets of a workbook that hold something.

    Args:
        path: The workbook.
        tell: Is told how many rows of all sheets are read.

    Raises:
        SourceError: It is no workbook, damaged, or locked by a password.
    """
    from python_calamine import CalamineError, CalamineWorkbook, PasswordError

    try:
        with CalamineWorkbook.from_path(str(path)) as book:
            sheets: list[tuple[str, list[list[Cell]], list[Span]]] = []
            for name in book.sheet_names:
                before = sum(len(rows) for _, rows, _ in sheets)
                sheets.append(_read(book.get_sheet_by_name(name), lambda rows, before=before: tell(before + rows)))
    except PasswordError:
        raise SourceError(f"{path.name!r} is locked with a password. Save it without one.") from None
    except (CalamineError, OSError, ValueError):
        raise SourceError(f"{path.name!r} cannot be read as a workbook. Open it in Excel and save it again.") from None
    found = [sheet for name, rows, merged in sheets if (sheet := _sheet(name, rows, merged)) is not None]
    if not found:
        raise SourceError(f"{path.name!r} holds no data on any sheet.")
    return tuple(found)


def _read(sheet: CalamineSheet, tell: Callable[[int], object]) -> tuple[str, list[list[Cell]], list[Span]]:
    """A sheet's cells, and which of them are merged across columns, as places in its rows."""
    top, left = sheet.start or (0, 0)
    merged = [
        Span(row=row - top, first=first - left, last=last - left)
        for (row, first), (_, last) in sheet.merged_cell_ranges or ()
        if last > first
    ]
    rows: list[list[Cell]] = []
    for row in islice(sheet.iter_rows(), top, None):  # it begins with the rows above the first that holds something
        rows.append(row)
        if len(rows) % _TELL_EVERY_ROWS == 0:
            tell(len(rows))
    tell(len(rows))
    return sheet.name, rows, merged


def _sheet(name: str, rows: Sequence[Sequence[Cell]], merged: Sequence[Span]) -> Sheet | None:
    import pyarrow as pa

    places = [place for place, row in enumerate(rows) if any(cell != "" for cell in row)]
    if not places:
        return None
    filled = [rows[place] for place in places]
    start = _header_row(filled)
    header, body = filled[start], filled[start + 1 :]
    notes: list[str] = []
    groups = [
        [span for span in merged if span.row == place and span.last - span.first + 1 < len(header)] for place in places
    ]
    if groups[start] and body and is_header([_text(cell) or "" for cell in body[0]]):
        header, body = _joined(header, body[0], groups[start]), body[1:]
        notes.append(f"sheet {name!r}: the names of its columns are made of two lines")
    elif start and groups[start - 1]:
        header, start = _joined(filled[start - 1], header, groups[start - 1]), start - 1
        notes.append(f"sheet {name!r}: the names of its columns are made of two lines")
    if start:
        notes.append(f"sheet {name!r}: {start} rows above the header skipped")
    if not is_header([_text(cell) or "" for cell in header]) and not body:
        body, header = [header], [""] * len(header)
    kept = [place for place, cell in enumerate(header) if cell != "" or any(row[place] != "" for row in body)]
    names = unique_names((_text(header[place]) or "").replace("\n", " ") for place in kept)
    columns = [_column([row[place] for row in body]) for place in kept]
    return Sheet(name=name, table=pa.table(columns, names=list(names)), notes=tuple(notes))


def _joined(above: Sequence[Cell], below: Sequence[Cell], groups: Sequence[Span]) -> list[Cell]:
    """Names of two lines as one: what stands over several columns, and what stands over each."""
    names: list[Cell] = []
    for place, name in enumerate(below):
        span = next((span for span in groups if span.first < place <= span.last), None)
        group = above[place] if span is None or name == "" else above[span.first]
        names.append(" ".join(filter(None, (_text(group), _text(name)))))
    return names


def _header_row(rows: Sequence[Sequence[Cell]]) -> int:
    """The first row about as wide as the widest: titles and dates of issue above a table are narrower."""
    widths = [sum(cell != "" for cell in row) for row in rows[:_HEADER_WITHIN_ROWS]]
    return next(place for place, width in enumerate(widths) if width >= 0.6 * max(widths))


def _column(cells: Sequence[Cell]) -> ArrowColumn:
    import pyarrow as pa

    kinds = {type(cell) for cell in cells if cell != ""}
    values = [None if cell == "" else cell for cell in cells]
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
    return pa.array([None if value is None else _text(value) for value in values], pa.string())


def _text(cell: Cell) -> str | None:
    if isinstance(cell, str):
        return cell
    if isinstance(cell, float) and cell.is_integer():
        return str(int(cell))
    if isinstance(cell, datetime):
        return cell.isoformat(sep=" ") if cell.time() != time() else cell.date().isoformat()
    return str(cell)
