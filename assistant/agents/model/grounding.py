"""Whether the figures, dates and names of an answer stand in its results, or follow from them. Pure.

A figure is found if it equals, to the digits that were written, a value of a result, a count of its rows, or what a
reader would compute from it: a sum, mean, share, difference, ratio or growth. What the person, the plan or the code
says is known as well. A power of ten as an upper bound ("p < 0.001") is found if a smaller figure stands there. Names
are looked at in `names_in_text` and `values_in_text`, figures of the wrong row in `rows_in_text`, units in
`units_in_text`.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from datetime import date
from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING, TypeGuard

from assistant.agents.model.dates_in_text import Day, exclude_dates, find_dates, find_days
from assistant.agents.model.figures_in_text import FigureInText, find_decades, find_figures
from assistant.agents.model.names_in_text import find_names_in_prose, find_names_set_off
from assistant.agents.model.rows_in_text import find_figures_of_other_rows
from assistant.agents.model.units_in_text import find_unknown_units
from assistant.agents.model.values_in_text import find_values_of_no_row
from assistant.agents.model.vocabulary import WORD, load_vocabulary
from assistant.claims.checking import check_claims
from assistant.claims.claim import Claim
from assistant.claims.facts import read_facts, read_table
from assistant.claims.parts import split_sentences

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_YEAR = re.compile(r"(?<![\w.,-])(?:19|20)\d\d(?![\w-]|[.,]\d)")
_PAIRS_ROWS_MAX = 60
_PAIRS_COLUMNS_MAX = 12
_DIGIT = re.compile(r"\d")
_CELLS_MAX = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Ungrounded:
    """What of an answer does not follow from its results.

    Attributes:
        absent: Figures, dates and names that stand nowhere.
        misplaced: Figures that stand beside a row's name and belong to other rows.
        units: Figures with a unit that nothing known names.
        claims: Sentences that say what the results do not bear out, each with the reason.
        unproved: Sentences with a claim that nothing in the results proves or disproves. They are no fault.
    """

    absent: tuple[str, ...] = ()
    misplaced: tuple[str, ...] = ()
    units: tuple[str, ...] = ()
    claims: tuple[str, ...] = ()
    unproved: tuple[str, ...] = ()

    def __bool__(self) -> bool:
        return bool(self.absent or self.misplaced or self.units or self.claims)

    def concerns(self, title: str) -> bool:
        """Whether a title is among what does not follow from the results."""
        items = (*self.absent, *self.misplaced, *self.units)
        return any(title in claim for claim in self.claims) or any(item in title for item in items)

    @property
    def notes(self) -> tuple[str, ...]:
        """What the person is told of it, a sentence for each kind."""
        unproved = " ".join(f"“{sentence}”" for sentence in self.unproved)
        not_checked = (f"Could not be checked against the results: {unproved}",) if unproved else ()
        return (*self._describe("Not found in the results"), *not_checked)

    @property
    def problem(self) -> str:
        """What whoever worded the answer is told."""
        sentences = self._describe("Neither stands in the results nor follows from them")
        return " ".join((*sentences, "Correct it by the results, or leave it out."))

    def _describe(self, absent: str) -> tuple[str, ...]:
        of_another_row = "In the results, this belongs to another row"
        no_unit = "Nothing known names this unit"
        claims = "The results do not bear this out"
        all_kinds = (
            (absent, self.absent),
            (of_another_row, self.misplaced),
            (no_unit, self.units),
            (claims, self.claims),
        )
        return tuple(f"{title}: {', '.join(items)}." for title, items in all_kinds if items)


def find_ungrounded(
    text: str,
    *,
    tables: Sequence[TableView],
    known_texts: Iterable[str],
    words: Iterable[str] = (),
    domains: Sequence[Collection[str]] = (),
    question: str = "",
    typed: Sequence[Claim] = (),
) -> Ungrounded:
    """What an answer says that neither its results nor what was said before hold.

    Args:
        text: The answer.
        tables: The results of the turn.
        known_texts: What is known besides: the question, the plan, the code, what cells printed.
        words: Texts whose names may be said too, though not their figures: knowledge, names and values of the sources.
        domains: For each column of the sources that has few texts, all of these.
        question: What was asked: names that a sentence leaves out stand there.
        typed: The claims that the model gave with its answer.
    """
    known_text = "\n".join(known_texts)
    days = frozenset(_find_days(known_text, tables))
    years = {float(year) for year, _, _ in days if year}
    known_figures = {abs(figure.value) for figure in find_figures(known_text)} | years
    values = sorted(known_figures | set(_find_numbers(tables)) | set(_compute_figures(tables)))
    least = min(_find_fractions(known_text, tables), default=1.0)
    words = tuple(words)
    texts = [known_text, *_find_texts(tables)]
    facts = read_facts(tables, text)
    report = check_claims(text, facts=facts, question=question, printed=known_text, typed=typed)
    absent = [
        known_texts.text
        for known_texts in find_dates(text)
        if not (known_texts.is_among(days) or known_texts.day_without_year in values)
    ]
    absent += [
        figure.text
        for figure in find_figures(exclude_dates(text))
        if not (figure.is_small or figure.is_level or figure.value in report.bounds or _is_known(figure, values))
        and not (_is_small_power_of_ten(figure) and least < figure.value)
    ]
    absent += _find_unknown_decades(text, {*(int(value) for value in values if value.is_integer()), *map(int, years)})
    absent += find_names_set_off(text, "\n".join(texts))
    absent += find_values_of_no_row(text, known_text, tables=tables, domains=domains)
    absent += find_names_in_prose(text, [*texts, *words], tables=tables)
    misplaced_figures = list(find_figures_of_other_rows(text, tables, facts[: len(tables)]))
    misplaced = [
        str(figure)
        for figure in misplaced_figures
        if not _is_known(figure.figure, sorted(known_figures | set(_compute_figures(tables, of=figure.rows))))
    ]
    units = [
        figure
        for figure in find_unknown_units(exclude_dates(text), [*texts, *words], values=values)
        if figure not in absent
    ]
    return Ungrounded(
        absent=tuple(dict.fromkeys(absent)),
        misplaced=tuple(dict.fromkeys(misplaced)),
        units=tuple(dict.fromkeys(units)),
        claims=tuple(map(str, report.false_claims)),
        unproved=report.unproved,
    )


def _find_unknown_decades(text: str, years: Collection[int]) -> Iterator[str]:
    """The decades without a year that is known; a sentence that denies may name them ("the 1940s had no cup")."""
    denying = load_vocabulary().denying
    for sentence in split_sentences(text):
        if denying.isdisjoint(word.casefold() for word in WORD.findall(sentence)):
            yield from (
                f"{decade}s" for decade in find_decades(sentence) if not any(decade <= y < decade + 10 for y in years)
            )


def _is_small_power_of_ten(figure: FigureInText) -> bool:
    """The bounds below which small probabilities are told: 0.01, 0.001, 0.0001."""
    return figure.is_bound and re.fullmatch(r"0\.0+1", figure.text) is not None


def _is_number(cell: object) -> TypeGuard[int | float | Decimal]:
    return isinstance(cell, int | float | Decimal) and not isinstance(cell, bool)


def _cap_rows(table: TableView) -> Sequence[Sequence[object]]:
    return table.rows[: _CELLS_MAX // max(len(table.columns), 1)]


def _find_fractions(known_text: str, tables: Sequence[TableView]) -> Iterator[float]:
    """Figures of the results and of what was printed that are written with a fraction, as 0.0 is."""
    yield from (figure.value for figure in find_figures(known_text) if re.search(r"\d\.\d|[eE]-", figure.text))
    for table in tables:
        for row in _cap_rows(table):
            yield from (float(cell) for cell in row if isinstance(cell, float | Decimal) and cell >= 0)


def _find_days(known_text: str, tables: Sequence[TableView]) -> Iterator[Day]:
    yield from (day for date_in_text in find_dates(known_text) for day in date_in_text.days)
    for table in tables:
        for column in zip(*_cap_rows(table), strict=True):
            for cell in {cell for cell in column if isinstance(cell, str | date)}:
                yield from find_days(cell)
        for name in table.columns:
            yield from find_days(name)
    for year in _YEAR.findall(known_text):
        yield from ((int(year), 1, 1), (int(year), 12, 31))


def _is_known(figure: FigureInText, values: Sequence[float]) -> bool:
    for low, high in figure.ranges:
        place = bisect_left(values, low)
        if place < len(values) and values[place] <= high:
            return True
    return False


def _find_numbers(tables: Sequence[TableView]) -> Iterator[float]:
    """The numbers that stand in the results, in their texts too, without their signs."""
    for table in tables:
        for column in zip(*_cap_rows(table), strict=True):
            for text in {cell for cell in column if isinstance(cell, str) and _DIGIT.search(cell)}:
                yield from (abs(figure.value) for figure in find_figures(text))
            yield from {abs(float(cell)) for cell in column if _is_number(cell)}


def _compute_figures(tables: Sequence[TableView], *, of: Sequence[Sequence[object]] | None = None) -> Iterator[float]:
    """What a reader would compute from the results; if rows are given, of single rows only with one of these."""
    for table in tables:
        yield float(table.total)
        yield float(len(table.columns))
        columns: list[list[float]] = []
        for place in range(len(table.columns)):
            cells = [row[place] for row in _cap_rows(table)]
            numbers = [(n, float(c)) for n, c in enumerate(cells) if _is_number(c)]
            yield float(len({str(cell) for cell in cells}))
            columns.append([number for _, number in numbers])
            yield from _compute_of_column(columns[-1], own=[of is None or table.rows[n] in of for n, _ in numbers])
        full_columns = [numbers for numbers in columns if len(numbers) == len(table.rows)]
        if len(table.rows) <= _PAIRS_ROWS_MAX:
            for row, *cells in zip(table.rows, *full_columns, strict=True):
                if of is None or row in of:
                    yield from _compute_of_pairs(cells)
            if len(full_columns) <= _PAIRS_COLUMNS_MAX:
                yield from _compute_of_pairs(
                    [sum(numbers) for numbers in full_columns]
                )  # "153 of the 254 came again, 60.2 %"
                yield from _compute_parts([sum(numbers) for numbers in full_columns])
        if of is None:
            yield from _compute_of_groups(table)


def _compute_of_groups(table: TableView) -> Iterator[float]:
    """Of rows with two keys ("year", "department"), or in several years, what the sums give, and their parts."""
    if len(table.rows) > _PAIRS_ROWS_MAX:
        return
    facts = read_table(table)
    groupings = [[rows for _, rows in groups] for groups in facts.groups] if len(facts.keys) > 1 else []
    groupings += [years] if (years := facts.list_years()) else []
    for measure in facts.measures:
        for groups in groupings:
            sums = [measure.combine([*rows]) or 0.0 for rows in groups]
            yield from map(abs, sums)
            yield from _compute_of_pairs(sums)
            yield from (
                abs(figure / total)
                for total, rows in zip(sums, groups, strict=True)
                for row in rows
                if total and (figure := measure.figures[row]) is not None
            )


def _compute_of_column(numbers: Sequence[float], *, own: Sequence[bool]) -> Iterator[float]:
    if not numbers:
        return
    total = sum(numbers)
    yield from (abs(total), abs(total / len(numbers)), float(len(numbers)))
    if len(numbers) <= _PAIRS_ROWS_MAX:
        yield from map(abs, [*accumulate(numbers)][1:])
        shares = [number for number, is_own in zip(numbers, own, strict=True) if is_own]
        yield from (abs(part / total) for part in (*shares, *accumulate(numbers)) if total)
        yield from _compute_of_pairs(numbers, own=own)


def _compute_parts(sums: Sequence[float]) -> Iterator[float]:
    """What part of all columns each is, where each counts one kind: "Enterprise is 3 % of all subscriptions"."""
    total = sum(sums)
    if len(sums) > 2 and total and min(sums) >= 0:
        yield from (figure / total for figure in sums)


def _compute_of_pairs(numbers: Sequence[float], *, own: Sequence[bool] | None = None) -> Iterator[float]:
    """What two of the numbers give; of marked ones, only pairs with one that is marked."""
    for n, first in enumerate(numbers):
        for place, second in enumerate(numbers[n + 1 :], n + 1):
            if own is not None and not (own[n] or own[place]):
                continue
            yield abs(first - second)
            yield abs(first + second)
            if first and second:
                yield from (abs(first / second), abs(second / first), abs(first / second - 1), abs(second / first - 1))


def _find_texts(tables: Sequence[TableView]) -> Iterator[str]:
    for table in tables:
        yield from table.columns
        yield from (str(cell) for row in table.rows for cell in row if isinstance(cell, str))
