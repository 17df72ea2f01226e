"""The rows of a header and the names that they give, and how much they differ from the cells below them. Pure."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from assistant.sources.reading.grids import Grid
from assistant.sources.reading.kinds import Cell, is_comment, kind_of, text_of
from assistant.sources.reading.quantities import is_unit
from assistant.sources.reading.views import ColumnLook, GridView, count_fitting

_HEADER_MAX = 4
_YEAR = re.compile(r"1[89]\d\d|2[01]\d\d")


def header_rows(view: GridView, bottom: int, used: list[int]) -> list[int]:
    """The rows of a header, from its lowest upwards: a row that groups names, or that has some where others miss."""
    header = [bottom]
    while header[0] > 0 and len(header) < _HEADER_MAX:
        upper = header[0] - 1
        place = view.grid.places[view.near[upper]]
        if place + 1 != view.grid.places[view.near[header[0]]] or _is_prose(view, upper, header[0]):
            break
        if any(
            kind in ("number", "date", "time") and n not in _years(view.cells[upper])
            for n, kind in enumerate(view.kinds[upper])
        ):
            break
        if _is_page_title(view, upper, header):
            break
        lower = view.spans.get(view.grid.places[view.near[header[0]]], [])
        groups = (
            (min(left for left, _ in lower), max(right for _, right in lower)) if len(header) > 1 and lower else None
        )
        spans = [
            span
            for span in view.spans.get(place, [])
            if span[1] - span[0] + 1 >= 2 and (span[1] - span[0] + 1 < 0.8 * len(used) or span == groups)
        ]
        holes = [n for n in used if not any(view.kinds[row][n] != "empty" for row in header)]
        filled_columns = [n for n in range(len(view.columns)) if view.kinds[upper][n] != "empty"]
        inside = [n for n in filled_columns if any(left <= view.columns[n] <= right for left, right in spans)]
        if spans and sum(n not in inside and n not in holes for n in filled_columns) > 1:
            break  # prose that somebody merged
        is_group = view.fills[upper] < view.fills[header[0]] and len(filled_columns) <= 0.6 * len(used)
        is_group = is_group and all(
            n + 1 >= len(view.columns) or view.kinds[upper][n + 1] == "empty" for n in filled_columns[1:]
        )
        is_short = all(len(text_of(view.cells[upper][n])) <= 60 for n in filled_columns)
        is_group = is_group or _tells_apart(view, upper, header[0], used)
        is_group = is_group or (header == [bottom] and _holds_units(view, bottom, filled_columns))
        fits = view.fills[upper] >= 2 and is_short and (any(n in filled_columns for n in holes) or is_group)
        if not spans and not fits:
            break
        header.insert(0, upper)
    return header


def _is_page_title(view: GridView, upper: int, header: Sequence[int]) -> bool:
    """Whether another page has another line there, above the same names."""
    marks = name_marks(view, header[-1])
    offset = header[-1] - upper
    texts = list(map(text_of, view.cells[upper]))
    return any(
        list(map(text_of, view.cells[row - offset])) != texts
        for row in range(header[-1] + offset + 1, len(view.near))
        if says_names(view.grid, view.near[row], marks)
    )


def _is_prose(view: GridView, upper: int, lower: int) -> bool:
    """Whether a line above a header is no part of it: a comment, or a sentence whose commas make too few cells."""
    cells, names = (view.grid.rows[view.near[row]] for row in (upper, lower))
    texts = list(map(text_of, cells))
    is_cut_short = not view.grid.is_sheet and len(cells) < len(names) and all(texts)
    return is_cut_short or is_comment(cells)


def _tells_apart(view: GridView, upper: int, lower: int, used: list[int]) -> bool:
    """Whether labels that repeat side by side tell columns of equal names apart."""
    labels = [text_of(view.cells[upper][n]) for n in used]
    names = [text_of(view.cells[lower][n]) for n in used]
    is_repeated = any(first and first == second for first, second in pairwise(labels))
    return is_repeated and len(set(names)) < len(set(zip(labels, names, strict=True))) == len(names)


def _holds_units(view: GridView, row: int, filled_columns: list[int]) -> bool:
    """Whether a row gives the units of the columns that the row above it names."""
    texts = [text_of(view.cells[row][n]) for n in filled_columns]
    units = [text for text in texts if is_unit(text)]
    return len(units) >= 2 and all(text in units or kind_of(text) in ("empty", "missing") for text in texts)


def header_names(view: GridView, header: list[int], used: list[int]) -> tuple[list[str], bool]:
    """The names of all columns, made of all rows of a header; and whether the lowest names the labels on the left."""
    bottom = header[-1]
    labels = [n for n in used if view.kinds[bottom][n] != "empty"]
    is_crosstab = (
        len(header) > 1
        and len(labels) < len(used)
        and labels == used[: len(labels)] != []
        and any(view.kinds[bottom][n] == "empty" != view.kinds[header[-2]][n] for n in used)
    )
    lines: list[list[str]] = []
    for row in header[:-1]:
        spans = view.spans.get(view.grid.places[view.near[row]])
        line: list[str] = []
        for n, column in enumerate(view.columns):
            text = text_of(view.cells[row][n])
            if not text and spans is not None:
                left = next((left for left, right in spans if left < column <= right), None)
                text = line[view.columns.index(left)] if left in view.columns else ""
            elif not text and n and (is_crosstab or view.kinds[bottom][n] != "empty"):
                text = line[-1]
            line.append(text)
        lines.append(line)
    lines.append([text_of(cell) for cell in view.cells[bottom]])
    names: list[str] = []
    for n in range(len(view.columns)):
        own = lines[-1][n]
        parts = [own] if is_crosstab and own else list(dict.fromkeys(line[n] for line in lines if line[n]))
        names.append(" ".join(parts))
    return names, is_crosstab


def measure_contrast(
    view: GridView, start: int, header: list[int], names: list[str], profile: list[ColumnLook]
) -> tuple[float, float]:
    """How much a header differs from the cells below it, and how much it looks like a header for all that."""
    used = [n for n in range(len(view.columns)) if profile[n].filled]
    if not header:
        fit, looked = count_fitting(view.kinds[start], profile)
        return 0.0, -0.05 + (0.35 * (fit / looked - 0.5) if looked else 0.0)
    steps = {n for n in _years(view.cells[header[-1]]) if not _holds_years(view, n)}
    total = heavy = 0.0
    for n in used:
        weight = 1.0 if profile[n].is_typed else 0.6
        total += weight * _cell_contrast(view, header, n, names[n], profile[n], is_step=n in steps)
        heavy += weight
    contrast = total / heavy
    filled_names = [names[n] for n in used if names[n]]
    head = 0.7 * contrast + 0.4 * (len(filled_names) / len(used) - 0.6) - 0.06 * (len(header) - 1)
    head += 0.1 * len(set(filled_names)) / max(1, len(filled_names))
    is_strong = any(profile[n].is_typed for n in used)
    return contrast, -0.2 if len(used) == 1 and not is_strong else head


def _cell_contrast(
    view: GridView, header: list[int], n: int, name: str, profile: ColumnLook, *, is_step: bool
) -> float:
    """How much one name differs from the cells of its column, -1 to 1."""
    kind = kind_of(text_of(view.cells[header[-1]][n]) or name)
    if profile.is_typed:
        if is_step:
            return 0.5
        if any(view.kinds[row][n] == profile.kind and n not in _years(view.cells[row]) for row in header):
            return -1.0
        return {"text": 1.0, "empty": -0.2, "missing": 0.2}.get(kind, -1.0 if kind == profile.kind else 0.0)
    values = view.values[n]
    many = sum(values.values())
    lengths = {len(value) for value in list(values)[:50] if value != name}
    if kind == "empty":
        return -0.3
    is_coded = len(header) == 1 and many > 1 and any(map(str.isdigit, name))
    if is_coded and {_shape(value) for value in list(values)[:40]} == {_shape(name)}:
        return -1.0
    if kind in ("number", "date", "time") and not is_step:
        return -0.6
    if values[name] > 1 and len(header) == 1:
        return -0.5
    is_category = len(values) <= 0.5 * many and many >= 6
    return 0.6 if is_category or (len(lengths) == 1 and len(name) not in lengths and many > 3) else 0.15


def _years(cells: Sequence[Cell]) -> set[int]:
    """Where numbers are names: neighbours that differ by one, as years do, or years that go on in one direction."""
    numbers = [(n, int(text)) for n, cell in enumerate(cells) if _YEAR.fullmatch(text := text_of(cell))]
    steps = [(first, second) for first, second in pairwise(numbers) if first[1] != second[1]]  # of groups, one a group
    moves = [second[1] - first[1] for first, second in steps]
    if len(moves) > 1 and (min(moves) > 0 or max(moves) < 0):
        return {n for n, _ in numbers}
    years = {year for pair, move in zip(steps, moves, strict=True) if abs(move) == 1 for _, year in pair}
    return {n for n, year in numbers if year in years}


def _holds_years(view: GridView, n: int) -> bool:
    """Whether the values of a column are years themselves."""
    values = view.values[n]
    return 2 * sum(count for value, count in values.items() if _YEAR.fullmatch(value)) > sum(values.values())


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


def is_numbering(cells: Sequence[Cell]) -> bool:
    """Whether a row counts its columns: 0, 1, 2, ..."""
    numbers = [text_of(cell) for cell in cells if text_of(cell)]
    if len(numbers) < 3 or not all(map(str.isdecimal, numbers)):
        return False
    return [int(number) - int(numbers[0]) for number in numbers] == list(range(len(numbers))) and int(numbers[0]) < 2


def doubled_names(names: Sequence[str]) -> tuple[str, ...]:
    """The names that stand more than once, in any case."""
    counts = Counter(name.casefold() for name in names if name)
    return tuple(dict.fromkeys(name for name in names if counts[name.casefold()] > 1))


def name_marks(view: GridView, row: int) -> list[tuple[int, str]]:
    """What a row of a view says of each of its columns."""
    place = view.near[row]
    return [(column, text_of(view.grid.cell(place, column))) for column in view.columns]


def says_names(grid: Grid, row: int, marks: Sequence[tuple[int, str]]) -> bool:
    """Whether a row says the names of its columns again."""
    first = next(((column, name) for column, name in marks if name), None)
    if first is None or text_of(grid.cell(row, first[0])).casefold() != first[1].casefold():
        return False
    cells = [(text_of(grid.cell(row, column)), name) for column, name in marks]
    hits = sum(bool(cell) and cell.casefold() == name.casefold() and not cell.isdecimal() for cell, name in cells)
    return hits >= 2 and hits >= 0.5 * sum(bool(cell) for cell, _ in cells)
