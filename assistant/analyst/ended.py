"""Data that ended before the day of a question: its periods count from its own last day, and it says when it ended."""

from __future__ import annotations

from contextlib import suppress
from datetime import date, timedelta

from assistant.analyst.algebra import Column, Query, Within, parts
from assistant.analyst.schema import Schema

_CURRENT = timedelta(days=31)
"""Data that ended less than this before a day goes on: nothing in it "this week" is then an answer."""


def ended(query: Query, schema: Schema, today: date) -> date | None:
    """The last day of data that ended before a period that a query asks for; None where it goes on, or is unknown."""
    asked = [part for part in parts(query) if isinstance(part, Within)]
    days = [last for part in asked if (last := _last_day(part, schema)) is not None]
    past = [last for last in days if last < today - _CURRENT]
    return max(past) if past and len(past) == len(asked) else None


def _last_day(period: Within, schema: Schema) -> date | None:
    """The last day of a period's column, if the whole period comes after it."""
    profile = schema.profiled[period.term].profile if isinstance(period.term, Column) else None
    if profile is None or profile.high is None or profile.sampled or str(profile.high) >= period.start:
        return None
    with suppress(ValueError):  # a year, or no date
        return date.fromisoformat(str(profile.high)[:10])
    return None
