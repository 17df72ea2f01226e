"""Figures of an answer that stand beside a row's name and belong to another row. Pure.

Looked at is a sentence that holds exactly one name of a column, and a figure that the result has in that row nowhere
and in others. It passes where it can be computed, stands in another result, or the sentence gives the named row's own
figure of that column or compares (`said.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from assistant.agents.model.dates_in_text import without_dates
from assistant.agents.model.figures_in_text import Figure, figures_in
from assistant.agents.model.vocabulary import WORD, sentences, vocabulary

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_NAME_CHARS = 3


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOfOtherRow:
    """A figure beside a name whose row does not hold it."""

    figure: Figure
    name: str

    def __str__(self) -> str:
        return f"{self.figure.text} beside {self.name}"


def figures_of_other_rows(text: str, tables: Sequence[TableView]) -> Iterator[FigureOfOtherRow]:
    """The figures that the results hold only in other rows than the one whose name stands in the sentence."""
    comparing = vocabulary().comparing
    for sentence in sentences(text):
        if comparing.isdisjoint(word.casefold() for word in WORD.findall(sentence)):
            figures = [one for one in figures_in(without_dates(sentence)) if not one.is_small]
            for table in tables if figures else ():
                yield from _of_others(sentence, figures, table, tables)


def _of_others(
    sentence: str, figures: Sequence[Figure], table: TableView, tables: Sequence[TableView]
) -> Iterator[FigureOfOtherRow]:
    named = _named(sentence, table)
    if named is None:
        return
    name, rows = named
    others = [row for row in table.rows if row not in rows]
    for figure in figures:
        places = {place for row in others for place, cell in enumerate(row) if _is(figure, cell)}
        elsewhere = (one for one in tables if one is not table)
        if (
            places
            and not any(_is(figure, cell) for row in rows for cell in row)
            and not any(_is(one, row[place]) for one in figures for row in rows for place in places)
            and not any(_is(figure, cell) for one in elsewhere for row in one.rows for cell in row)
        ):
            yield FigureOfOtherRow(figure=figure, name=name)


def _named(sentence: str, table: TableView) -> tuple[str, list[tuple[object, ...]]] | None:
    """The one name that a sentence holds, with its rows; None where it holds none or several of a column."""
    name, rows = "", list(table.rows)
    for place, column in enumerate(table.columns):
        if column in table.numeric or column in table.temporal:
            continue
        values = {row[place] for row in table.rows if isinstance(row[place], str)}
        found = _held(sentence, [str(value) for value in values])
        if len(found) > 1:
            return None
        if found and len(values) > 1:
            name = name or found[0]
            rows = [row for row in rows if row[place] == found[0]]
    is_name = len(name) >= _NAME_CHARS and any(sign.isupper() for sign in name)
    return (name, rows) if is_name and rows and len(rows) < len(table.rows) else None


def _held(sentence: str, values: Sequence[str]) -> list[str]:
    """The values that a sentence holds as whole words, however written; of one within another the longer."""
    low = sentence.casefold()
    held = [value for value in values if value.strip() and value.casefold() in low]
    spans = {value: [found.span() for found in _whole(value).finditer(sentence)] for value in held}
    return [
        value
        for value, places in spans.items()
        if any(
            not any(
                s <= start and end <= e and (s, e) != (start, end) for o in spans if o != value for s, e in spans[o]
            )
            for start, end in places
        )
    ]


def _whole(value: str) -> re.Pattern[str]:
    return re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)


def _is(figure: Figure, cell: object) -> bool:
    """Whether a cell is what a figure says, to the digits that are written."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return False
    return any(low <= abs(float(cell)) <= high for low, high in figure.ranges)
