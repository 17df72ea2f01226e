"""Figures of an answer that stand beside a row's name and belong to another row. Pure.

Looked at is a sentence that holds exactly one name of a column, or the part for each of its names ("A has 5 and B 7",
"A (5), B (7)", "5 for A, 7 for B", "A and B have 5 and 7"), and a figure that the result has in that row nowhere and in
others. It passes where it can be computed, stands in another result, or the sentence gives the named row's own
figure of that column or compares (`said.yaml`).
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING

from assistant.agents.model.dates_in_text import exclude_dates
from assistant.agents.model.figures_in_text import FigureInText, find_figures
from assistant.agents.model.vocabulary import WORD, load_vocabulary, split_sentences

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_NAME_CHARS = 3
_YEARS = range(1900, 2101)


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOfOtherRow:
    """A figure beside a name whose rows do not hold it."""

    figure: FigureInText
    name: str
    rows: tuple[tuple[object, ...], ...]

    def __str__(self) -> str:
        return f"{self.figure.text} beside {self.name}"


def find_figures_of_other_rows(text: str, tables: Sequence[TableView]) -> Iterator[FigureOfOtherRow]:
    """The figures that the results hold only in other rows than the one whose name stands in the sentence."""
    comparing = load_vocabulary().comparing
    for sentence in split_sentences(text):
        if comparing.isdisjoint(word.casefold() for word in WORD.findall(sentence)):
            for table in tables if _find_figures(sentence) else ():
                for part in _split_by_name(sentence, table):
                    yield from _find_figures_of_others(part, table, tables)


def _split_by_name(sentence: str, table: TableView) -> Sequence[str]:
    """A sentence cut so that each part holds one name of its column of names; whole where that cannot be told.

    Cut is a sentence with several names of just one column, each once, all with figures of the table behind them or all
    before them, or with all names before as many of these figures. A single name of another column ("in 2025") is of
    each part.
    """
    columns = [names for _, names in _find_names_of_columns(sentence, table)]
    several = [names for names in columns if len(names) > 1]
    if len(several) != 1:
        return (sentence,)
    full_sentence, shared = sentence, " ".join(names[0] for names in columns if len(names) == 1)
    for single_name in (names[0] for names in columns if len(names) == 1):
        for start, end in _find_places(single_name, sentence):
            sentence = sentence[:start] + " " * (end - start) + sentence[end:]
    places = [_find_places(name, sentence) for name in several[0]]
    if any(len(names) != 1 for names in places):
        return (full_sentence,)
    spans = sorted(names[0] for names in places)
    behind = [sentence[start:end] for (start, _), end in zip(spans, [*(s for s, _ in spans[1:]), None], strict=True)]
    before = [sentence[start:end] for start, (_, end) in zip([0, *(e for _, e in spans[:-1])], spans, strict=True)]
    head, tail = sentence[: spans[0][0]], sentence[spans[-1][1] :]
    for parts, remainder in ((behind, head), (before, tail)):
        if not _find_cell_figures(remainder, table) and all(_find_cell_figures(part, table) for part in parts):
            return [f"{shared} {part}" for part in parts]
    figures = _find_cell_figures(tail, table)
    if len(figures) == len(spans) and not _find_cell_figures(sentence[: spans[-1][1]], table):
        return [f"{shared} {sentence[s:e]} {figure.text}" for (s, e), figure in zip(spans, figures, strict=True)]
    return (full_sentence,)


def _find_figures(text: str) -> list[FigureInText]:
    return [figure for figure in find_figures(exclude_dates(text)) if not figure.is_small]


def _find_cell_figures(text: str, table: TableView) -> list[FigureInText]:
    """The figures of a text that a cell of the table holds."""
    return [
        figure for figure in _find_figures(text) if any(_is_figure(figure, cell) for row in table.rows for cell in row)
    ]


def _find_figures_of_others(sentence: str, table: TableView, tables: Sequence[TableView]) -> Iterator[FigureOfOtherRow]:
    row_name = _find_row(sentence, table)
    if row_name is None:
        return
    figures = _find_figures(sentence)
    name, rows = row_name
    other_rows = [row for row in table.rows if row not in rows]
    for figure in figures:
        places = {place for row in other_rows for place, cell in enumerate(row) if _is_figure(figure, cell)}
        elsewhere = (table_or_figure for table_or_figure in tables if table_or_figure is not table)
        if (
            places
            and not any(_is_figure(figure, cell) for row in rows for cell in row)
            and not any(
                _is_figure(table_or_figure, row[place])
                for table_or_figure in figures
                for row in rows
                for place in places
            )
            and not any(
                _is_figure(figure, cell)
                for table_or_figure in elsewhere
                for row in table_or_figure.rows
                for cell in row
            )
        ):
            yield FigureOfOtherRow(figure=figure, name=name, rows=tuple(rows))


def _find_row(sentence: str, table: TableView) -> tuple[str, list[tuple[object, ...]]] | None:
    """The one name that a sentence holds, with its rows; None where it holds none or several of a column."""
    names, rows = list[str](), list(table.rows)
    for place, column_names in _find_names_of_columns(sentence, table):
        if len(column_names) > 1:
            return None
        names += column_names
        rows = [row for row in rows if str(row[place]) == column_names[0]]
    name = next((n for n in names if len(n) >= _NAME_CHARS and any(sign.isupper() for sign in n)), "")
    return (name, rows) if name and rows and len(rows) < len(table.rows) else None


def _find_names_of_columns(sentence: str, table: TableView) -> Iterator[tuple[int, list[str]]]:
    """The places of the columns with several texts, or years, of which a sentence holds some, with these."""
    for place, column in enumerate(table.columns):
        years = {row[place] for row in table.rows}
        if column in table.temporal or (column in table.numeric and not all(map(_is_year, years))):
            continue
        values = {str(row[place]) for row in table.rows if isinstance(row[place], str) or _is_year(row[place])}
        names = _find_values(sentence, sorted(values))
        if names and len(values) > 1:
            yield place, names


def _find_values(sentence: str, values: Sequence[str]) -> list[str]:
    """The values that a sentence holds as whole words, however written; of one within another the longer."""
    low = sentence.casefold()
    candidates = [value for value in values if value.strip() and value.casefold() in low]
    spans = {value: _find_places(value, sentence) for value in candidates}
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


def _find_places(value: str, sentence: str) -> list[tuple[int, int]]:
    """Where a value stands in a sentence as whole words."""
    pattern = re.compile(rf"(?<!\w){re.escape(value)}(?!\w)", re.IGNORECASE)
    return [match.span() for match in pattern.finditer(sentence)]


def _is_year(cell: object) -> bool:
    return isinstance(cell, int) and not isinstance(cell, bool) and cell in _YEARS


def _is_figure(figure: FigureInText, cell: object) -> bool:
    """Whether a cell is what a figure says, to the digits that are written."""
    if isinstance(cell, bool) or not isinstance(cell, int | float | Decimal):
        return False
    return any(low <= abs(float(cell)) <= high for low, high in figure.ranges)
