"""Figures that an answer refers to and the program writes: `[[sales.revenue | region=North]]`. Pure.

A reference names a result, a column and, where the result has several rows, either the row by values of its columns, or
what is computed: `[[sum sales.revenue]]`, `[[share sales.revenue | region=North]]`. The figure is formatted as in the
table, with its unit. So it cannot be wrong, and whoever words the answer need not see it.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.output.presentation.columns import Column, columns_of, number
from assistant.output.presentation.formats import DEFAULT, figure, shown

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_REFERENCE = re.compile(
    r"\[\[\s*(?:(?P<aggregate>[a-z]+)\s+)?(?P<result>\w+)\.(?P<column>[^|\]]+?)\s*(?:\|(?P<where>[^\]]*))?\]\]"
)
_OPEN = re.compile(r"\[\[.*?(?:\]\]|$)", re.DOTALL)
_AGGREGATES: Mapping[str, Callable[[Sequence[float]], float]] = {
    "sum": math.fsum,
    "mean": lambda figures: sum(figures) / len(figures),
    "min": min,
    "max": max,
}
_PENDING = "…"


@dataclass(frozen=True, slots=True, kw_only=True)
class RenderedText:
    """A text with its figures written, and what could not be: `problems` says why, one sentence each."""

    text: str
    problems: tuple[str, ...] = ()


class ReferenceProblem(Exception):
    """A reference names no figure; the message says what is wrong with it."""


def render_references(text: str, tables: Mapping[str, TableView], *, code: str = DEFAULT) -> RenderedText:
    """Write the figures that a text refers to.

    Args:
        text: A text with references; what looks like none stays.
        tables: The results by their names.
        code: The locale that figures are written in.
    """
    problems: list[str] = []

    def write(match: re.Match[str]) -> str:
        try:
            return _write_figure(match, tables, code)
        except ReferenceProblem as problem:
            problems.append(f"{match[0]}: {problem}")
            return match[0]

    return RenderedText(text=_REFERENCE.sub(write, text), problems=tuple(problems))


def hide_references(text: str) -> str:
    """A text that is still being written, with a sign for each figure that is to come."""
    return _OPEN.sub(_PENDING, text)


def _write_figure(match: re.Match[str], tables: Mapping[str, TableView], code: str) -> str:
    table = tables.get(match["result"])
    if table is None:
        raise ReferenceProblem(f"There is no result {match['result']!r}; there are {', '.join(tables) or 'none'}.")
    columns = columns_of(table)
    place = _find_column(columns, match["column"])
    rows = [
        row
        for row in table.rows
        if all(_is_value(row[at], value) for at, value in _read_where(columns, match["where"]))
    ]
    aggregate = match["aggregate"]
    if len(table.rows) < table.total:
        raise ReferenceProblem("The result is too large to be looked up.")
    if aggregate == "count":
        return f"{len(rows):,}"
    if aggregate is None:
        if len(rows) != 1:
            raise ReferenceProblem(f"{len(rows)} rows match, and it must be one. Name a row, or sum, mean, min or max.")
        return shown(rows[0][place], columns[place], code=code)
    figures = [value for row in rows if (value := number(row[place])) is not None]
    if not figures:
        raise ReferenceProblem("There is no figure in these rows.")
    if aggregate == "share":
        total = math.fsum(value for row in table.rows if (value := number(row[place])) is not None)
        if not total:
            raise ReferenceProblem("The total is 0, so there is no share.")
        share = Column(name="share", label="Share", role="measure", unit="share")
        return figure(sum(figures) / total, share, code=code)
    if aggregate not in _AGGREGATES:
        raise ReferenceProblem(f"{aggregate!r} is not known; sum, mean, min, max, count and share are.")
    return figure(_AGGREGATES[aggregate](figures), columns[place], code=code)


def _find_column(columns: Sequence[Column], name: str) -> int:
    for place, column in enumerate(columns):
        if column.name.casefold() == name.strip().casefold():
            return place
    raise ReferenceProblem(f"It has no column {name.strip()!r}; it has {', '.join(column.name for column in columns)}.")


def _read_where(columns: Sequence[Column], where: str | None) -> list[tuple[int, str]]:
    conditions = [condition.partition("=") for condition in (where or "").split(",") if condition.strip()]
    return [(_find_column(columns, name), value.strip()) for name, _, value in conditions]


def _is_value(cell: object, value: str) -> bool:
    text = "" if cell is None else str(cell)
    return text.casefold() == value.casefold() or (number(cell) is not None and number(cell) == number(value))
