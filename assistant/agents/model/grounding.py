"""Whether the figures, dates and names of an answer stand in its results, or follow from them. Pure.

A figure is found if it equals, to the digits that were written, a value of a result, a count of its rows, or what a
reader would compute from it: a sum, mean, share, difference, ratio or growth. What the person, the plan or the code
says is known as well. A power of ten as an upper bound ("p < 0.001") is found if a smaller figure stands there. Words
are looked at only where they are set off (bold, or in quotes).
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from decimal import Decimal
from itertools import accumulate
from typing import TYPE_CHECKING

from assistant.agents.model.dates_said import dates_in, day_of, without_dates

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_NUMBER = re.compile(
    r"(?<![\w.,])[-−+]?(?P<digits>\d{1,3}(?:[,'\u00a0\u202f]\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?)(?:[eE](?P<power>[-+]?\d+))?"
    r"\s?(?P<unit>%|percent\b|thousand\b|million\b|billion\b|[kKmM](?!\w)|bn\b)?"
)
_BELOW = re.compile(r"(?:[<≤]|\b(?:below|under|less than|smaller than))\s*$", re.IGNORECASE)
_SET_OFF = re.compile(r"\*\*(.+?)\*\*|“(.+?)”|\"(.+?)\"")
_FACTORS = {"%": 0.01, "percent": 0.01, "thousand": 1e3, "k": 1e3, "million": 1e6, "m": 1e6, "billion": 1e9, "bn": 1e9}
_SMALL = 10
_PAIRS_ROWS_MAX = 60
_PAIRS_COLUMNS_MAX = 12
_CELLS_MAX = 200_000


@dataclass(frozen=True, slots=True, kw_only=True)
class Figure:
    """A number as it is written: its value, half of its last digit, and whether something is said to be below it."""

    text: str
    value: float
    slack: float
    is_bound: bool


def figures_in(text: str) -> Iterator[Figure]:
    """The numbers of a text; a percentage as a part of one."""
    for found in _NUMBER.finditer(text):
        digits = re.sub(r"[,'\u00a0\u202f]", "", found["digits"])
        decimals = len(digits.partition(".")[2])
        factor = _FACTORS.get((found["unit"] or "").casefold(), 1.0) * 10.0 ** int(found["power"] or 0)
        yield Figure(
            text=found[0].strip(),
            value=float(digits) * factor,
            slack=0.5 * 10.0**-decimals * factor,
            is_bound=_BELOW.search(text[: found.start()]) is not None,
        )


def not_found(text: str, *, tables: Sequence[TableView], said: Iterable[str]) -> tuple[str, ...]:
    """The figures, dates and names of an answer that neither its results nor what was said before hold.

    Args:
        text: The answer.
        tables: The results of the turn.
        said: What is known besides: the question, the plan, the code, what cells printed.
    """
    known = "\n".join(said)
    days = frozenset(_days(known, tables))
    years = {float(year) for year, _, _ in days}
    values = sorted({abs(figure.value) for figure in figures_in(known)} | years | set(_values(tables)))
    missing = [said.text for said in dates_in(text) if not said.is_among(days)]
    least = min(_fractions(known, tables), default=1.0)
    missing += [
        figure.text
        for figure in figures_in(without_dates(text))
        if not _is_known(figure, values) and not (_is_small_power_of_ten(figure) and least < figure.value)
    ]
    words = _squeezed("\n".join([known, *_texts(tables)]))
    for found in _SET_OFF.finditer(text):
        name = next(group for group in found.groups() if group)
        if not re.search(r"\d", name) and _squeezed(name) not in words:
            missing.append(name)
    return tuple(dict.fromkeys(missing))


def _is_small_power_of_ten(figure: Figure) -> bool:
    """The bounds below which small probabilities are told: 0.01, 0.001, 0.0001."""
    return figure.is_bound and re.fullmatch(r"0\.0+1", figure.text) is not None


def _fractions(known: str, tables: Sequence[TableView]) -> Iterator[float]:
    """Figures of the results and of what was printed that are written with a fraction, as 0.0 is."""
    yield from (figure.value for figure in figures_in(known) if re.search(r"\d\.\d|[eE]-", figure.text))
    for table in tables:
        for row in table.rows[: _CELLS_MAX // max(len(table.columns), 1)]:
            yield from (float(cell) for cell in row if isinstance(cell, float | Decimal) and cell >= 0)


def _days(known: str, tables: Sequence[TableView]) -> Iterator[tuple[int, int, int]]:
    yield from ((said.year, said.month, said.day or 1) for said in dates_in(known))
    for table in tables:
        for row in table.rows[: _CELLS_MAX // max(len(table.columns), 1)]:
            yield from (day for cell in row if (day := day_of(cell)) is not None)
        yield from (day for name in table.columns if (day := day_of(name)) is not None)


def _is_known(figure: Figure, values: Sequence[float]) -> bool:
    from bisect import bisect_left

    if figure.value <= _SMALL and figure.value == int(figure.value) and figure.slack == 0.5:
        return True  # "the two largest", "in three regions"
    slack = figure.slack * 1.0001 + 1e-9 * figure.value
    # A share may be written as a percentage or as a part of one; the table may hold either.
    for wanted, room in ((figure.value, slack), (figure.value * 100, slack * 100)):
        place = bisect_left(values, wanted - room)
        if place < len(values) and values[place] <= wanted + room:
            return True
    return False


def _values(tables: Sequence[TableView]) -> Iterator[float]:
    for table in tables:
        yield float(table.total)
        yield float(len(table.columns))
        columns: list[list[float]] = []
        for place in range(len(table.columns)):
            cells = [row[place] for row in table.rows[: _CELLS_MAX // max(len(table.columns), 1)]]
            numbers = [float(c) for c in cells if isinstance(c, int | float | Decimal) and not isinstance(c, bool)]
            yield from (abs(figure.value) for c in cells if isinstance(c, str) for figure in figures_in(c))
            yield float(len({str(cell) for cell in cells}))
            columns.append(numbers)
            yield from _of_column(numbers)
        same = [numbers for numbers in columns if len(numbers) == len(table.rows)]
        if len(table.rows) <= _PAIRS_ROWS_MAX:
            for cells in zip(*same, strict=True):
                yield from _of_pairs(cells)
            if len(same) <= _PAIRS_COLUMNS_MAX:
                yield from _of_pairs([sum(numbers) for numbers in same])  # "153 of the 254 came again, 60.2 %"


def _of_column(numbers: Sequence[float]) -> Iterator[float]:
    if not numbers:
        return
    total = sum(numbers)
    yield from map(abs, numbers)
    yield from (abs(total), abs(total / len(numbers)), float(len(numbers)))
    if len(numbers) <= _PAIRS_ROWS_MAX:
        yield from map(abs, accumulate(numbers))
        yield from (abs(part / total) for part in (*numbers, *accumulate(numbers)) if total)
        yield from _of_pairs(numbers)


def _of_pairs(numbers: Sequence[float]) -> Iterator[float]:
    for n, one in enumerate(numbers):
        for other in numbers[n + 1 :]:
            yield abs(one - other)
            yield abs(one + other)
            if one and other:
                yield from (abs(one / other), abs(other / one), abs(one / other - 1), abs(other / one - 1))


def _texts(tables: Sequence[TableView]) -> Iterator[str]:
    for table in tables:
        yield from table.columns
        yield from (str(cell) for row in table.rows for cell in row if isinstance(cell, str))


def _squeezed(text: str) -> str:
    return " ".join(re.sub(r"[\W_]+", " ", text.casefold()).split())
