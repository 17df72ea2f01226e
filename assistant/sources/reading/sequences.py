"""What the order of rows says about dates that can be read both day first and month first. Pure.

Days of a log go on in one direction and by even steps. `01/01/2019, 01/02/2019, 01/03/2019` are months, read day first:
no two neighbours lie closer, and none goes back.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from datetime import date
from itertools import pairwise

_DAY = re.compile(r"\s*(\d{1,2})([-/.])(\d{1,2})\2(\d{4}|\d{2})\b")
_DAYS_MAX = 2_000
_CLEAR = 0.03


def day_first_by_sequence(values: Sequence[str]) -> bool | None:
    """Whether the first part of dates is the day, by the steps between neighbours; None where both read as well.

    Args:
        values: Dates in the order of their rows.
    """
    parts = [
        (int(match[1]), int(match[3]), int(match[4])) for value in values[:_DAYS_MAX] if (match := _DAY.match(value))
    ]
    day_first = _evenness([_day(year, second, first) for first, second, year in parts])
    month_first = _evenness([_day(year, first, second) for first, second, year in parts])
    if day_first is None or month_first is None or abs(day_first - month_first) <= _CLEAR:
        return None
    return day_first > month_first


def _day(year: int, month: int, day: int) -> date | None:
    try:
        return date(year if year > 99 else year + (2000 if year < 70 else 1900), month, day)
    except ValueError:
        return None


def _evenness(days: Sequence[date | None]) -> float | None:
    """How regular the steps between neighbours are and how steady their direction; None of too few."""
    moves = [(day, next_day) for day, next_day in pairwise(days) if day and next_day and day != next_day]
    if len(moves) < 2:
        return None
    steps = Counter((next_day - day).days for day, next_day in moves)
    months = Counter(
        (next_day.year - day.year) * 12 + next_day.month - day.month
        for day, next_day in moves
        if day.day == next_day.day
    )
    regular = max(steps.most_common(1)[0][1], months.most_common(1)[0][1] if months else 0)
    ahead = sum(count for step, count in steps.items() if step > 0)
    is_first_of_month = all(day.day == 1 for day in days if day)
    return (regular + max(ahead, len(moves) - ahead)) / len(moves) + 0.5 * is_first_of_month
