"""Periods: half-open ranges of days (`start <= day < end`; None is open), their first days, and how people call them.

Nothing here knows columns. How periods are read from a question is in `time_phrases`.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date, timedelta

from assistant.embedded.meaning import Grain

MONTHS = (
    *("january", "february", "march", "april", "may", "june"),
    *("july", "august", "september", "october", "november", "december"),
)
WEEKDAYS = ("monday", "tuesday", "wednesday", "thursday", "friday", "saturday", "sunday")


@dataclass(frozen=True, slots=True, kw_only=True)
class Period:
    """A half-open range of days and how people call it."""

    start: date | None
    end: date | None
    label: str
    assumption: str = ""


def month_start(day: date, months: int = 0) -> date:
    """The first day of the month that lies `months` after that of `day`."""
    index = day.year * 12 + day.month - 1 + months
    return date(index // 12, index % 12 + 1, 1)


def period_start(day: date, grain: Grain, shift: int = 0) -> date:
    """The first day of the day's period, `shift` periods later. Weeks begin on Monday."""
    match grain:
        case "day":
            return day + timedelta(days=shift)
        case "week":
            return day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        case "month":
            return month_start(day, shift)
        case "quarter":
            return month_start(date(day.year, (day.month - 1) // 3 * 3 + 1, 1), 3 * shift)
        case "year":
            return date(day.year + shift, 1, 1)


def describe(start: date | None, end: date | None) -> str:
    """A range in words: "July to September 2026", "2025", "since 1 March 2026"."""
    if start is None and end is None:
        return "all time"
    if start is None:
        assert end is not None
        return f"before {day_words(end)}"
    if end is None:
        return f"since {day_words(start)}"
    last = end - timedelta(days=1)
    if start == last:
        return day_words(start)
    if start.day == 1 and end.day == 1:
        if start.month == 1 and end.month == 1:
            return str(start.year) if end.year == start.year + 1 else f"{start.year} to {last.year}"
        if month_start(start, 1) == end:
            return f"{MONTHS[start.month - 1].title()} {start.year}"
        first = MONTHS[start.month - 1].title() + ("" if start.year == last.year else f" {start.year}")
        return f"{first} to {MONTHS[last.month - 1].title()} {last.year}"
    return f"{day_words(start)} to {day_words(last)}"


def day_words(day: date) -> str:
    """A day as people write it: "1 March 2026"."""
    return f"{day.day} {MONTHS[day.month - 1].title()} {day.year}"
