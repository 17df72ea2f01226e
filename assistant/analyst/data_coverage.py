"""Data that ends before the day of a question, or holds nothing of a period: when it begins and ends."""

from __future__ import annotations

from datetime import date, timedelta

from assistant.analyst.algebra import Column, Query, Term, Within, parts
from assistant.analyst.schema import Schema

_CURRENT = timedelta(days=31)
"""Data that ended less than this before a day goes on: nothing in it "this week" is then an answer."""


def data_coverage(query: Query, schema: Schema, today: date) -> date | None:
    """The last day of data that ended before a period that a query asks for; None where it goes on, or is unknown."""
    windows = [part for part in parts(query) if isinstance(part, Within)]
    days = [
        days_covered[1]
        for part in windows
        if (days_covered := days_held(part.term, schema)) and str(days_covered[1]) < part.start
    ]
    past = [last for last in days if last < today - _CURRENT]
    return max(past) if past and len(past) == len(windows) else None


def empty_periods(query: Query, schema: Schema) -> list[tuple[date, date]]:
    """The first and last days of the data that holds nothing of a period that a query asks for."""
    windows = [(part, days_held(part.term, schema)) for part in parts(query) if isinstance(part, Within)]
    outside = [days for part, days in windows if days and _is_outside(part, days)]
    return list(dict.fromkeys(outside))


def _is_outside(period: Within, days: tuple[date, date]) -> bool:
    return (period.start or "0") > str(days[1]) or (bool(period.end) and period.end <= str(days[0]))


def days_held(term: Term, schema: Schema) -> tuple[date, date] | None:
    """The first and the last day of a column; None where they are not known, or it holds no days."""
    profile = schema.profiled[term].profile if isinstance(term, Column) else None
    return None if profile is None else profile.days
