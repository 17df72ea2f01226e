"""The part of a grid that a table is sought in, what its columns look like, and which rows fit them. Pure."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass, field

from assistant.sources.reading.grids import Grid
from assistant.sources.reading.kinds import Cell, Kind, kind_of, text_of

TYPED = frozenset({"number", "date", "time", "flag"})
HEAD_ROWS = 200
_KINDS: tuple[Kind, ...] = ("number", "date", "time", "flag", "text")
_TAIL_ROWS = 60


@dataclass(frozen=True, slots=True, kw_only=True)
class ColumnLook:
    """What a column looks like from some row on: its usual kind, the share of cells of it, how many are filled."""

    kind: Kind
    purity: float
    filled: int

    @property
    def is_typed(self) -> bool:
        """Whether most of it is of a kind that a title is not."""
        return self.kind in TYPED and self.purity >= 0.6


@dataclass(slots=True, kw_only=True)
class GridView:
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
        tail = self.filled[max(HEAD_ROWS, len(self.filled) - _TAIL_ROWS) :]
        self.near = self.filled[:HEAD_ROWS] + tail
        self.cells = [[self.grid.cell(row, column) for column in self.columns] for row in self.near]
        self.kinds = [[kind_of(cell) for cell in row] for row in self.cells]
        self.fills = [sum(kind != "empty" for kind in row) for row in self.kinds]
        for merge in self.grid.merges:
            if merge.right > merge.left and merge.top == merge.bottom:
                self.spans.setdefault(merge.top, []).append((merge.left, merge.right))


def find_twins(view: GridView) -> list[bool]:
    """Which rows of texts say the same as one above: a header that is repeated is no evidence of a column's kind."""
    contents: set[tuple[str, ...]] = set()
    twins: list[bool] = []
    for cells, kinds in zip(view.cells, view.kinds, strict=True):
        is_plain = all(kind in ("text", "empty") for kind in kinds)
        key = tuple(map(text_of, cells)) if is_plain else ()
        twins.append(is_plain and key in contents)
        if is_plain and kinds.count("text") > 1:
            contents.add(key)
    return twins


def look_of(counts: Counter[Kind]) -> ColumnLook:
    """What a column looks like whose cells are of these kinds."""
    full = sum(counts[kind] for kind in _KINDS)
    if not full:
        return ColumnLook(kind="missing" if counts["missing"] else "empty", purity=1.0, filled=counts["missing"])
    kind = max(_KINDS, key=lambda kind_name: counts[kind_name])
    return ColumnLook(kind=kind, purity=counts[kind] / full, filled=full + counts["missing"])


def count_fitting(kinds: Sequence[Kind], profile: Sequence[ColumnLook]) -> tuple[int, int]:
    """How many cells are of the kind of their column, and how many were looked at: those of columns that have one."""
    looked = [
        (kind, of.kind)
        for kind, of in zip(kinds, profile, strict=True)
        if of.is_typed and kind not in ("empty", "missing")
    ]
    return sum(kind == usual for kind, usual in looked), len(looked)


def is_like(kinds: Sequence[Kind], profile: Sequence[ColumnLook], filled: int, typical: int) -> bool:
    """Whether a row may be one of the table's."""
    fit, looked = count_fitting(kinds, profile)
    return fit / looked >= 0.6 if looked else filled >= 0.34 * typical


def is_row(kinds: Sequence[Kind], profile: Sequence[ColumnLook], filled: int, typical: int) -> bool:
    """Whether a row surely is one of the table's."""
    fit, looked = count_fitting(kinds, profile)
    return bool(looked) and fit / looked >= 0.75 and filled >= 0.6 * typical
