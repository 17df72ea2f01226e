"""Which periods of a series are whole: an unfinished month looks like a fall and is never compared with a whole one.

Pure: days in, days out. What the data holds is told by the profile of its date column.
"""

from __future__ import annotations

import re
from datetime import date, timedelta

from assistant.embedded.dates import month_start, period_start
from assistant.embedded.meaning import Grain, TimeRange
from assistant.embedded.studies.study import Span
from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.wording.answers import period_name
from assistant.embedded.words.lexicon import tokens

_SLACK: dict[Grain, int] = {"day": 0, "week": 1, "month": 3, "quarter": 8, "year": 31}
"""So many days at a period's end may be without rows before it counts as cut off by the end of the data."""
_WORDS: dict[str, Grain] = {
    "day": "day", "daily": "day", "week": "week", "weekly": "week", "month": "month", "monthly": "month",
    "quarter": "quarter", "quarterly": "quarter", "year": "year", "yearly": "year", "annual": "year",
    "annually": "year", "mom": "month", "yoy": "year",
}  # fmt: skip
_GRAIN = re.compile(
    r"\b(?:by|per|each|every|for each) (?P<unit>day|week|month|quarter|year)s?\b"
    r"|\b(?P<word>daily|weekly|monthly|quarterly|yearly|annual(?:ly)?)\b"
    r"|\b(?P<over>day|week|month|quarter|year)[ -](?:over|by|on|to)[ -](?P=over)\b|\b(?P<short>mom|yoy)\b",
    re.IGNORECASE,
)
_UNITS = r"(?P<unit>day|week|month|quarter|year)s?"
_AND_GROUPS = re.compile(rf"\b(?:by|per|for each) {_UNITS}(?:,| and) (?:(?:by|per|for each) )?(?=\w)", re.IGNORECASE)
_GROUPS_AND = re.compile(
    rf"(?P<by>\b(?:by|per|for each) [\w ]+?)(?:,| and) (?:(?:by|per|for each) )?{_UNITS}\b", re.IGNORECASE
)
"""A period and a kind of groups that one "by" names: "by month and region", "by region and month"."""
PERIODS_A_YEAR: dict[Grain, int] = {"day": 365, "week": 52, "month": 12, "quarter": 4, "year": 1}
"""How many periods of a grain make a year."""


def grain_in(question: str) -> tuple[Grain | None, str]:
    """The grain that a question names ("by month", "weekly", "year over year"), and the question without it."""
    question = _AND_GROUPS.sub(r"by \g<unit> by ", _GROUPS_AND.sub(r"\g<by> by \g<unit>", question))
    match = _GRAIN.search(question)
    if match is None:
        return None, question
    word = next(found for found in match.groups() if found).lower()
    rest = f"{question[: match.start()]} {question[match.end() :]}"
    return _WORDS[word], " ".join(rest.split())


def fitting_grain(low: date, high: date) -> Grain:
    """The grain that gives a series enough points to say something, and few enough to look at."""
    days = (high - low).days
    if days < 45:
        return "day"
    return "week" if days < 270 else "month"


def whole(
    low: date, high: date, today: date, grain: Grain, *, days: int | None = None
) -> tuple[date, date, tuple[str, ...]]:
    """The whole periods between the first and the last day of the data.

    Args:
        low: The first day that has data.
        high: The last day that has data.
        today: The day of the clock: its own period is not over.
        grain: How long a period is.
        days: How many different days the data has, where it is known.

    Returns:
        The first day of the first whole period, the day after the last one, and what was left out, in words.
    """
    cut: list[str] = []
    slack = timedelta(days=_SLACK[grain])
    # Where each month has one day only, its rows stand for the whole month.
    months = (high.year - low.year) * 12 + high.month - low.month + 1
    single = days is not None and days <= months if months > 2 else False
    single = single or (low.day == high.day == 1 and months > 2)
    monthly = single and grain in ("month", "quarter", "year")
    last_day = month_start(high, 1) - timedelta(days=1) if monthly else high
    first_day = month_start(low) if monthly else low
    first = period_start(low, grain)
    if first_day > first + slack:
        cut.append(f"{period_name(first, grain)} is left out: the figures begin on {spoken(low)}.")
        first = period_start(low, grain, 1)
    end = period_start(high, grain, 1)
    begun = period_start(today, grain)
    if end > begun and high >= begun:
        cut.append(f"{period_name(begun, grain)} is left out: it is not over yet.")
        end = begun
    elif last_day + slack + timedelta(days=1) < end:
        end = period_start(high, grain)
        cut.append(f"{period_name(end, grain)} is left out: the figures end on {spoken(high)}.")
    return first, max(first, end), tuple(cut)


def spoken(day: date) -> str:
    """A day as people write it."""
    return period_name(day, "day")


def grain_of(start: date, end: date) -> Grain | None:
    """The grain of a range that is exactly one calendar period; None otherwise."""
    grains: tuple[Grain, ...] = ("year", "quarter", "month", "week", "day")
    return next((g for g in grains if period_start(start, g) == start and period_start(start, g, 1) == end), None)


def before(start: date, end: date) -> tuple[date, date]:
    """The period of the same length just before a range: the month before March is February, not 31 days."""
    grain = grain_of(start, end)
    if grain is not None:
        return period_start(start, grain, -1), start
    if start.day == 1 and end.day == 1:
        months = (end.year - start.year) * 12 + end.month - start.month
        return month_start(start, -months), start
    return start - (end - start), start


def year_before(start: date, end: date) -> tuple[date, date]:
    """The same days of the year before."""
    return _back(start), _back(end)


def _back(day: date, years: int = 1) -> date:
    try:
        return day.replace(year=day.year - years)
    except ValueError:
        return day.replace(year=day.year - years, day=28)


def months_or_days(start: date, end: date) -> str:
    """A range as people call it."""
    grain = grain_of(start, end)
    if grain is not None:
        return period_name(start, grain)
    last = end - timedelta(days=1)
    if start.day == 1 and end.day == 1:
        first, final = period_name(start, "month"), period_name(last, "month")
        return f"{first.rpartition(' ')[0] if start.year == last.year else first} to {final}"
    first = spoken(start)
    return f"{first.rpartition(' ')[0] if start.year == last.year else first} to {spoken(last)}"


def span(start: date, end: date, partial: str = "") -> Span:
    """A range with its name."""
    return Span(start=start, end=end, label=months_or_days(start, end), partial=partial)


def like_for_like(
    start: date, end: date, previous: tuple[date, date], *, today: date, high: date | None
) -> tuple[Span, Span]:
    """Two periods that can be compared: where the later one is not over, both stop after as many days.

    Args:
        start: First day of the later period.
        end: The day after its last.
        previous: The earlier period, likewise.
        today: The day of the clock.
        high: The last day that has data, where it is known.
    """
    known = min(today, high + timedelta(days=1)) if high is not None else today
    if not start < known < end or ((end - known).days <= 3 and known != today):
        return span(start, end), span(*previous)
    shown = months_or_days(start, end)
    note = f"{shown} is not over yet, so only its days up to {spoken(known - timedelta(days=1))} are compared."
    earlier = previous[0] + (known - start)
    if (start.month, start.day) == (previous[0].month, previous[0].day):
        earlier = _back(known, start.year - previous[0].year)
    return span(start, known, note), span(previous[0], min(earlier, previous[1]), note)


def period_in(question: str, today: date) -> tuple[date, date, str, str] | None:
    """The first period a text names: its start, its end, what was assumed, and the text without it."""
    cut = tokens(question)
    for at in range(len(cut)):
        found = time_phrase(cut, at, today)
        if found is None or found[0].start is None or found[0].end is None:
            continue
        rest = " ".join(t.text for n, t in enumerate(cut) if not at <= n < at + found[1])
        return found[0].start, found[0].end, found[0].assumption, rest
    return None


def within(times: tuple[TimeRange, ...], low: date, high: date) -> tuple[date, date]:
    """The days of the data that the ranges of a meaning leave."""
    for time in times:
        low = max(low, time.start) if time.start else low
        high = min(high, time.end - timedelta(days=1)) if time.end else high
    return low, high
