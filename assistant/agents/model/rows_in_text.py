"""Figures of an answer that stand beside a row's name and belong to another row. Pure.

Names are found as claims find them (`assistant.claims.facts`). Looked at is a sentence that holds exactly one name of a
column, or the part for each of its names ("A has 5 and B 7", "A (5), B (7)", "5 for A, 7 for B", "A and B have 5 and
7"), and a figure that the result has in that row nowhere and in others. It passes where it can be computed, stands in
another result, or the sentence gives the named row's own figure of that column or compares (`prose_words.yaml`).
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from typing import TYPE_CHECKING, TypeGuard

from assistant.agents.model.dates_in_text import exclude_dates
from assistant.agents.model.figures_in_text import FigureInText, find_figures
from assistant.agents.model.vocabulary import WORD, load_vocabulary
from assistant.claims.facts import Mention, TableFacts
from assistant.claims.parts import split_sentences
from assistant.claims.words import tokenize

if TYPE_CHECKING:
    from assistant.cells.tables import TableView


@dataclass(frozen=True, slots=True, kw_only=True)
class FigureOfOtherRow:
    """A figure beside a name whose rows do not hold it."""

    figure: FigureInText
    name: str
    rows: tuple[tuple[object, ...], ...]

    def __str__(self) -> str:
        return f"{self.figure.text} beside {self.name}"


def find_figures_of_other_rows(
    text: str, tables: Sequence[TableView], facts: Sequence[TableFacts]
) -> Iterator[FigureOfOtherRow]:
    """The figures that the results hold only in other rows than the one whose name stands in the sentence."""
    comparing = load_vocabulary().comparing
    for sentence in split_sentences(text):
        if comparing.isdisjoint(word.casefold() for word in WORD.findall(sentence)) and _find_figures(sentence):
            for table, table_facts in zip(tables, facts, strict=True):
                for part in _split_by_name(sentence, table, table_facts):
                    yield from _find_figures_of_others(part, table, tables)


@dataclass(frozen=True, slots=True, kw_only=True)
class _Part:
    """A part of a sentence that speaks of some rows, and the name that it calls them by."""

    text: str
    name: str
    rows: frozenset[int]


def _split_by_name(sentence: str, table: TableView, facts: TableFacts) -> Iterator[_Part]:
    """A sentence cut so that each part holds one name; nothing where that cannot be told.

    Cut is a sentence with several names of just one column, each once, all with figures of the table behind them or all
    before them, or with all names before as many of these figures. A single name of another column ("in 2025") is of
    each part.
    """
    columns: dict[int, list[Mention]] = {}
    for mention in facts.find_mentions(tokenize(sentence)):
        columns.setdefault(mention.column, []).append(mention)
    several = [mentions for mentions in columns.values() if len({mention.rows for mention in mentions}) > 1]
    single = [mentions[0] for mentions in columns.values() if len({mention.rows for mention in mentions}) == 1]
    shared = frozenset(range(facts.rows)).intersection(*(mention.rows for mention in single))
    if not several and single:
        name = min(single, key=lambda m: (facts.keys[m.column].role == "time", m.column))
        yield _Part(text=sentence, name=sentence[name.start : name.end], rows=shared)
    if len(several) != 1 or len({mention.rows for mention in several[0]}) != len(several[0]):
        return
    for mention in single:
        sentence = sentence[: mention.start] + " " * (mention.end - mention.start) + sentence[mention.end :]
    for mention, text in zip(several[0], _cut_at(sentence, several[0], table), strict=False):
        yield _Part(text=text, name=sentence[mention.start : mention.end], rows=mention.rows & shared)


def _cut_at(sentence: str, mentions: Sequence[Mention], table: TableView) -> list[str]:
    """The part of a sentence for each name; none where it cannot be cut."""
    spans = [(mention.start, mention.end) for mention in mentions]
    behind = [sentence[start:end] for (start, _), end in zip(spans, [*(s for s, _ in spans[1:]), None], strict=True)]
    before = [sentence[start:end] for start, (_, end) in zip([0, *(e for _, e in spans[:-1])], spans, strict=True)]
    head, tail = sentence[: spans[0][0]], sentence[spans[-1][1] :]
    for parts, remainder in ((behind, head), (before, tail)):
        if not _find_cell_figures(remainder, table) and all(_find_cell_figures(part, table) for part in parts):
            return parts
    figures = _find_cell_figures(tail, table)
    if len(figures) == len(spans) and not _find_cell_figures(sentence[: spans[-1][1]], table):
        return [f"{sentence[start:end]} {figure.text}" for (start, end), figure in zip(spans, figures, strict=True)]
    return []


def _find_figures(text: str) -> list[FigureInText]:
    return [figure for figure in find_figures(exclude_dates(text)) if not figure.is_small]


def _find_cell_figures(text: str, table: TableView) -> list[FigureInText]:
    """The figures of a text that a cell of the table holds."""
    return [
        figure for figure in _find_figures(text) if any(_is_figure(figure, cell) for row in table.rows for cell in row)
    ]


def _find_figures_of_others(part: _Part, table: TableView, tables: Sequence[TableView]) -> Iterator[FigureOfOtherRow]:
    rows = [row for n, row in enumerate(table.rows) if n in part.rows]
    figures = _find_figures(part.text)
    if not (rows and figures):
        return
    other_rows = [row for n, row in enumerate(table.rows) if n not in part.rows]
    other_cells = [{cell for cell in column if _is_number(cell)} for column in zip(*other_rows, strict=True)]
    elsewhere = [cell for candidate in tables if candidate is not table for row in candidate.rows for cell in row]
    for figure in figures:
        places = [place for place, cells in enumerate(other_cells) if any(_is_figure(figure, cell) for cell in cells)]
        own = [cell for row in rows for cell in row]
        has_own_figure = any(
            _is_figure(candidate, row[place]) for candidate in figures for row in rows for place in places
        )
        if places and not has_own_figure and not any(_is_figure(figure, cell) for cell in (*own, *elsewhere)):
            yield FigureOfOtherRow(figure=figure, name=part.name, rows=tuple(rows))


def _is_number(cell: object) -> TypeGuard[int | float | Decimal]:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _is_figure(figure: FigureInText, cell: object) -> bool:
    """Whether a cell is what a figure says, to the digits that are written."""
    if not _is_number(cell):
        return False
    value = abs(float(cell))
    return any(low <= value <= high for low, high in figure.ranges)
