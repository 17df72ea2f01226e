"""The tables in a grid of cells: where a table's names stand, where its rows begin and end, what is beside and below.

Everything is decided by what the columns look like. A row is a header where it differs in kind from the cells below it;
lines above and below a table are those that do not fit its columns. Nothing here knows files or engines; pure.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from statistics import median

from assistant.sources.arrow import unique_names
from assistant.sources.reading.kinds import Cell, Kind, kind_of, text_of

_TYPED = frozenset({"number", "date", "time", "flag"})
_KINDS: tuple[Kind, ...] = ("number", "date", "time", "flag", "text")
_HEAD_ROWS = 200
_TAIL_ROWS = 60
_STARTS_MAX = 60
_FOOTER_MAX = 30
_HEADER_MAX = 4
_BLOCKS_WIDTH_MAX = 60
_NOTE = re.compile(
    r"(?i)\s*(notes?|source|quelle|fuente|last updated|stand|legend|data extracted|footnote|\*|\(\d\)).*"
)


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
        doubled: Names that the header gives to several columns.
        beside: How many cells beside it were left out.
        kinds: What each column looks like.
        score: How well it reads; comparable within a file.
        typed: The share of cells that look like the others of their column.
        head: How much its header looks like one.
        contrast: How much the header differs from the cells below it.
        early: How many of the first six rows do not look like the others.
        is_crosstab: Whether labels on the left stand once for several rows.
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


@dataclass(frozen=True, slots=True, kw_only=True)
class _Profile:
    """What a column looks like from some row on: its usual kind, the share of cells of it, how many are filled."""

    kind: Kind
    purity: float
    filled: int

    @property
    def is_typed(self) -> bool:
        return self.kind in _TYPED and self.purity >= 0.6


@dataclass(slots=True, kw_only=True)
class _View:
    """The part of a grid that a table is sought in, with what is computed of it once."""

    grid: Grid
    filled: list[int]
    columns: list[int]
    near: list[int] = field(default_factory=list[int])
    cells: list[list[Cell]] = field(default_factory=list[list[Cell]])
    kinds: list[list[Kind]] = field(default_factory=list[list[Kind]])
    fills: list[int] = field(default_factory=list[int])
    values: list[Counter[str]] = field(default_factory=list[Counter[str]])
    spans: dict[int, list[tuple[int, int]]] = field(default_factory=dict[int, list[tuple[int, int]]])

    def __post_init__(self) -> None:
        tail = self.filled[max(_HEAD_ROWS, len(self.filled) - _TAIL_ROWS) :]
        self.near = self.filled[:_HEAD_ROWS] + tail
        self.cells = [[self.grid.cell(row, column) for column in self.columns] for row in self.near]
        self.kinds = [[kind_of(cell) for cell in row] for row in self.cells]
        self.fills = [sum(kind != "empty" for kind in row) for row in self.kinds]
        for merge in self.grid.merges:
            if merge.right > merge.left and merge.top == merge.bottom:
                self.spans.setdefault(merge.top, []).append((merge.left, merge.right))


def find_regions(grid: Grid) -> list[Region]:
    """The tables of a grid: side by side where blank columns part them, one below the other where blank rows do."""
    width = max(map(len, grid.rows), default=0)
    filled = [n for n, row in enumerate(grid.rows) if any(cell not in ("", None) and text_of(cell) for cell in row)]
    return _regions(grid, filled, list(range(width)), depth=0)


def _regions(grid: Grid, filled: list[int], columns: list[int], *, depth: int) -> list[Region]:
    if not filled:
        return []
    if depth < 2 and (parts := _beside(grid, filled, columns, depth) or _below(grid, filled, columns, depth)):
        return parts
    region = _region(_View(grid=grid, filled=filled, columns=columns))
    return [region] if region else []


def _beside(grid: Grid, filled: list[int], columns: list[int], depth: int) -> list[Region]:
    """Blocks that a blank column parts, if their headers say the same, or each is a table of its own in a sheet."""
    if not grid.is_sheet and len(columns) > _BLOCKS_WIDTH_MAX:
        return []
    sample = filled[:_HEAD_ROWS]
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
    same = any(
        len(first & {name.casefold() for name in top.names}) >= 0.5 * min(len(first), len(top.names))
        for top in tops[1:]
    )
    ends = [grid.places[top.body[-1]] for top in tops]
    apart = grid.is_sheet and max(ends) - min(ends) > 3 + 0.05 * max(ends)
    apart = apart and all(top.contrast > 0.45 and len(top.columns) > 2 and len(top.body) > 5 for top in tops)
    return [region for part in parts for region in part] if same or apart else []


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
    large = [segment for segment in segments if len(segment) >= 4]
    if not 2 <= len(segments) <= 8 or len(large) < 2:
        return []
    tops = [_region(_View(grid=grid, filled=segment, columns=columns)) for segment in large]
    tables = [top for top in tops if top and top.header and top.contrast > 0.45 and _TYPED & set(top.kinds)]
    if len(tables) < 2:
        return []
    return [region for segment in large for region in _regions(grid, segment, columns, depth=depth + 1)]


def _region(view: _View) -> Region | None:
    """The table of a view: the start of its rows, with or without a header above, that reads best."""
    count, width = len(view.near), len(view.columns)
    twins = _twins(view)
    last = min(count, max(8, min(_STARTS_MAX, 20_000 // max(1, width))))
    counts: list[Counter[Kind]] = [Counter() for _ in view.columns]
    profiles: dict[int, list[_Profile]] = {}
    for row in range(count - 1, -1, -1):
        if not twins[row]:
            for column, kind in enumerate(view.kinds[row]):
                counts[column][kind] += 1
        if row <= last:
            profiles[row] = [_profile(of) for of in counts]
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


def _twins(view: _View) -> list[bool]:
    """Which rows of texts say the same as one above: a header that is repeated is no evidence of a column's kind."""
    seen: set[tuple[str, ...]] = set()
    twins: list[bool] = []
    for cells, kinds in zip(view.cells, view.kinds, strict=True):
        is_plain = all(kind in ("text", "empty") for kind in kinds)
        key = tuple(map(text_of, cells)) if is_plain else ()
        twins.append(is_plain and key in seen)
        if is_plain and kinds.count("text") > 1:
            seen.add(key)
    return twins


def _profile(counts: Counter[Kind]) -> _Profile:
    full = sum(counts[kind] for kind in _KINDS)
    if not full:
        return _Profile(kind="missing" if counts["missing"] else "empty", purity=1.0, filled=counts["missing"])
    kind = max(_KINDS, key=lambda one: counts[one])
    return _Profile(kind=kind, purity=counts[kind] / full, filled=full + counts["missing"])


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


def _judge(view: _View, start: int, profile: list[_Profile], *, with_header: bool) -> _Reading | None:
    """How well a view reads with its rows beginning at `start`."""
    used = [n for n in range(len(view.columns)) if profile[n].filled]
    if not used:
        return None
    header: list[int] = []
    names, is_crosstab = [""] * len(view.columns), False
    if with_header:
        header = _header_rows(view, start - 1, used)
        names, is_crosstab = _names(view, header, used)
        bottom = view.fills[header[-1]]
        if len(header) > 1 and bottom < 0.5 * len(used) and any(view.fills[row] == len(used) for row in header[:-1]):
            return None
    weight = sum(profile[n].filled for n in used)
    typed = sum(profile[n].filled * (profile[n].purity if profile[n].kind in _TYPED else 0.45) for n in used) / weight
    is_strong = any(profile[n].is_typed for n in used)
    contrast, head = _contrast(view, start, header, names, profile)
    fills = sorted(view.fills[start:])
    typical = fills[len(fills) // 2] or 1
    first_rows = range(start, min(len(view.near), start + 6))
    early = sum(not _is_like(view.kinds[row], profile, view.fills[row], typical) for row in first_rows)
    above = range(header[0] if header else start)
    lost = sum(
        _is_row(view.kinds[row], profile, view.fills[row], typical) and not _is_numbering(view.cells[row])
        for row in above
    )
    if len(used) == 1:  # a title is wider than nothing: above a list, any line is one of it
        lost = max(lost, len(above))
    if not header:
        lost_text = start
    else:
        lost_text = 0 if is_strong else sum(view.fills[row] >= 0.8 * typical and view.fills[row] > 1 for row in above)
    share = lost / (lost + len(view.near) - start)
    score = typed + 0.6 * head - 0.1 * early - min(1.5, 0.12 * lost + 0.4 * share + 0.08 * lost_text)
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


def _contrast(
    view: _View, start: int, header: list[int], names: list[str], profile: list[_Profile]
) -> tuple[float, float]:
    """How much a header differs from the cells below it, and how much it looks like a header for all that."""
    used = [n for n in range(len(view.columns)) if profile[n].filled]
    if not header:
        fit, looked = _conforms(view.kinds[start], profile)
        return 0.0, -0.05 + (0.35 * (fit / looked - 0.5) if looked else 0.0)
    steps = _years(view.cells[header[-1]])
    total = heavy = 0.0
    for n in used:
        weight = 1.0 if profile[n].is_typed else 0.6
        total += weight * _cell_contrast(view, header, n, names[n], profile[n], is_step=n in steps)
        heavy += weight
    contrast = total / heavy
    named = [names[n] for n in used if names[n]]
    head = 0.7 * contrast + 0.4 * (len(named) / len(used) - 0.6) - 0.06 * (len(header) - 1)
    head += 0.1 * len(set(named)) / max(1, len(named))
    is_strong = any(profile[n].is_typed for n in used)
    return contrast, -0.2 if len(used) == 1 and not is_strong else head


def _cell_contrast(view: _View, header: list[int], n: int, name: str, profile: _Profile, *, is_step: bool) -> float:
    """How much one name differs from the cells of its column, -1 to 1."""
    kind = kind_of(name)
    if profile.is_typed:
        if is_step:
            return 0.5
        if any(view.kinds[row][n] == profile.kind for row in header):
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


def _header_rows(view: _View, bottom: int, used: list[int]) -> list[int]:
    """The rows of a header, from its lowest upwards: a row that groups names, or that has some where others miss."""
    header = [bottom]
    while header[0] > 0 and len(header) < _HEADER_MAX:
        upper = header[0] - 1
        place = view.grid.places[view.near[upper]]
        if place + 1 != view.grid.places[view.near[header[0]]]:
            break
        if any(
            kind in ("number", "date", "time") and n not in _years(view.cells[upper])
            for n, kind in enumerate(view.kinds[upper])
        ):
            break
        spans = [span for span in view.spans.get(place, []) if 2 <= span[1] - span[0] + 1 < 0.8 * len(used)]
        holes = [n for n in used if not any(view.kinds[row][n] != "empty" for row in header)]
        named = [n for n in range(len(view.columns)) if view.kinds[upper][n] != "empty"]
        inside = [n for n in named if any(left <= view.columns[n] <= right for left, right in spans)]
        if spans and sum(n not in inside and n not in holes for n in named) > 1:
            break  # prose that somebody merged
        is_group = view.fills[upper] < view.fills[header[0]] and len(named) <= 0.6 * len(used)
        is_group = is_group and all(
            n + 1 >= len(view.columns) or view.kinds[upper][n + 1] == "empty" for n in named[1:]
        )
        is_short = all(len(text_of(view.cells[upper][n])) <= 60 for n in named)
        fits = view.fills[upper] >= 2 and is_short and (any(n in named for n in holes) or is_group)
        if not spans and not fits:
            break
        header.insert(0, upper)
    return header


def _names(view: _View, header: list[int], used: list[int]) -> tuple[list[str], bool]:
    """The names of all columns, made of all rows of a header; and whether the lowest names the labels on the left."""
    bottom = header[-1]
    named = [n for n in used if view.kinds[bottom][n] != "empty"]
    is_crosstab = (
        len(header) > 1
        and len(named) < len(used)
        and named == used[: len(named)] != []
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


def _years(cells: Sequence[Cell]) -> set[int]:
    """Where numbers are names: neighbours that differ by one, as years do."""
    numbers = [(n, int(text)) for n, cell in enumerate(cells) if re.fullmatch(r"\d{4}", text := text_of(cell))]
    runs = [(one, other) for one, other in pairwise(numbers) if abs(other[1] - one[1]) == 1 and 1800 < one[1] < 2200]
    return {n for pair in runs for n, _ in pair}


def _shape(text: str) -> str:
    return re.sub(r"[^\W\d_]", "a", re.sub(r"\d", "9", text))


def _is_numbering(cells: Sequence[Cell]) -> bool:
    """Whether a row counts its columns: 0, 1, 2, ..."""
    numbers = [text_of(cell) for cell in cells if text_of(cell)]
    if len(numbers) < 3 or not all(map(str.isdecimal, numbers)):
        return False
    return [int(number) - int(numbers[0]) for number in numbers] == list(range(len(numbers))) and int(numbers[0]) < 2


def _conforms(kinds: Sequence[Kind], profile: Sequence[_Profile]) -> tuple[int, int]:
    """How many cells are of the kind of their column, and how many were looked at: those of columns that have one."""
    looked = [
        (kind, of.kind)
        for kind, of in zip(kinds, profile, strict=True)
        if of.is_typed and kind not in ("empty", "missing")
    ]
    return sum(kind == usual for kind, usual in looked), len(looked)


def _is_like(kinds: Sequence[Kind], profile: Sequence[_Profile], filled: int, typical: int) -> bool:
    """Whether a row may be one of the table's."""
    fit, looked = _conforms(kinds, profile)
    return fit / looked >= 0.6 if looked else filled >= 0.34 * typical


def _is_row(kinds: Sequence[Kind], profile: Sequence[_Profile], filled: int, typical: int) -> bool:
    """Whether a row surely is one of the table's."""
    fit, looked = _conforms(kinds, profile)
    return bool(looked) and fit / looked >= 0.75 and filled >= 0.6 * typical


def _built(view: _View, reading: _Reading, profile: list[_Profile]) -> Region:
    grid = view.grid
    header = [view.near[row] for row in reading.header]
    names = reading.names
    used = [n for n in range(len(view.columns)) if profile[n].filled or (names[n] and not reading.is_crosstab)]
    body_seen = len(view.near) - reading.start
    beside = [
        n
        for n in used
        if header
        and grid.is_sheet
        and not names[n]
        and profile[n].filled <= max(1, 0.15 * body_seen)
        and n - 1 not in used
    ]
    used = [n for n in used if n not in beside]
    start = view.near[reading.start]
    body = [row for row in view.filled if row >= start]
    body, footer = _without_footer(view, body, profile, reading)
    marks = (
        [(view.columns[n], text_of(grid.cell(header[-1], view.columns[n]))) for n in range(len(view.columns))]
        if header
        else []
    )
    repeats = {row for row in body if marks and _says_names(grid, row, marks)}
    top = header[0] if header else start
    return Region(
        columns=tuple(view.columns[n] for n in used),
        names=unique_names(names[n] for n in used),
        header=tuple(header),
        body=tuple(row for row in body if row not in repeats),
        above=tuple(row for row in view.filled if row < top),
        footer=tuple(footer),
        repeats=tuple(sorted(repeats)),
        doubled=_doubled([names[n] for n in used]),
        beside=sum(profile[n].filled for n in beside),
        kinds=tuple(profile[n].kind if profile[n].purity >= 0.5 else "text" for n in used),
        score=reading.score,
        typed=reading.typed,
        head=reading.head,
        contrast=reading.contrast,
        early=reading.early,
        is_crosstab=reading.is_crosstab,
    )


def _doubled(names: Sequence[str]) -> tuple[str, ...]:
    counts = Counter(name.casefold() for name in names if name)
    return tuple(dict.fromkeys(name for name in names if counts[name.casefold()] > 1))


def _without_footer(
    view: _View, body: list[int], profile: list[_Profile], reading: _Reading
) -> tuple[list[int], list[int]]:
    """The rows of a table without the lines below it: notes, sources, whatever does not fit its columns."""
    grid = view.grid
    is_typed = any(of.is_typed for of in profile)
    width = sum(bool(of.filled) for of in profile)
    kinds: dict[int, list[Kind]] = {
        row: [kind_of(grid.cell(row, column)) for column in view.columns] for row in body[-_FOOTER_MAX - 10 :]
    }
    fills = {row: sum(kind != "empty" for kind in of) for row, of in kinds.items()}
    footer: list[int] = []
    for place in range(max(2, len(body) - _FOOTER_MAX), len(body)):  # all below a blank line that fits nowhere
        rest = body[place:]
        if grid.places[body[place]] - grid.places[body[place - 1]] == 1 or not is_typed:
            continue
        fits = [_conforms(kinds[row], profile) for row in rest]
        if sum(fit == looked > 0 for fit, looked in fits) <= 0.2 * len(rest) and all(
            fills[row] <= max(2, 0.5 * width) for row in rest
        ):
            footer, body = rest, body[:place]
            break
    upper = body[: max(1, len(body) - 3)][:_HEAD_ROWS]
    always = [
        n
        for n, column in enumerate(view.columns)
        if profile[n].filled and sum(bool(text_of(grid.cell(row, column))) for row in upper) >= 0.95 * len(upper)
    ]
    longest = max((len(text_of(grid.cell(row, column))) for row in upper for column in view.columns[:2]), default=0)
    middle = median(fills[row] for row in body if row in fills) if body else 0
    while len(body) > 1 and len(footer) < _FOOTER_MAX and body[-1] in kinds:
        row = body[-1]
        fit, looked = _conforms(kinds[row], profile)
        texts = [text_of(grid.cell(row, column)) for column in view.columns]
        first = next(filter(None, texts), "")
        is_parted = bool(footer) or grid.places[row] - grid.places[body[-2]] > 1
        missed = sum(kinds[row][n] == "empty" for n in always)
        is_odd = bool(looked) and fit / looked < 0.5 and (looked > 1 or fills[row] <= 0.5 * width)
        is_odd = is_odd or (
            bool(always)
            and missed >= 0.5 * len(always)
            and fills[row] < 0.7 * middle
            and (is_parted or missed == len(always) > 1)
        )
        is_odd = is_odd or (
            fills[row] == 1
            and width > 2
            and not looked
            and is_typed
            and (first.endswith(".") or len(first) > 1.5 * longest)
        )
        is_thin = width >= 2 and not looked and fills[row] <= max(1, middle / 3)
        is_thin = is_thin and (max(map(len, texts)) > 40 or bool(_NOTE.fullmatch(first)) or is_parted)
        if not (is_odd or is_thin):
            break
        if is_odd and reading.header and fills[row] > 0.8 * width and _is_said_again(view, reading, row):
            break
        footer.insert(0, body.pop())
    return body, footer


def _is_said_again(view: _View, reading: _Reading, row: int) -> bool:
    header = view.near[reading.header[-1]]
    marks = [(column, text_of(view.grid.cell(header, column))) for column in view.columns]
    return _says_names(view.grid, row, marks)


def _says_names(grid: Grid, row: int, marks: Sequence[tuple[int, str]]) -> bool:
    """Whether a row says the names of its columns again."""
    first = next(((column, name) for column, name in marks if name), None)
    if first is None or text_of(grid.cell(row, first[0])).casefold() != first[1].casefold():
        return False
    cells = [(text_of(grid.cell(row, column)), name) for column, name in marks]
    hits = sum(bool(cell) and cell.casefold() == name.casefold() and not cell.isdecimal() for cell, name in cells)
    return hits >= 2 and hits >= 0.5 * sum(bool(cell) for cell, _ in cells)
