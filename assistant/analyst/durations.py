"""How long things take, and how late they are: the days between two dates of one row, as their values tell."""

from __future__ import annotations

from contextlib import suppress
from datetime import datetime, time, timedelta

from assistant.analyst.algebra import Column, Days
from assistant.analyst.lexicon.files import listed
from assistant.analyst.schema import Schema

_Moments = tuple[datetime, datetime, int]
"""The first and the last moment of a date, and in how many rows it is missing."""


def lasted(schema: Schema, end: Column) -> Days | None:
    """The days up to a date from the one date that comes before it in a row; None where none or several do."""
    return _spans(schema, end.table).get(end)


def lasting(schema: Schema) -> dict[str, tuple[Days, ...]]:
    """What rows take from their first to their last date ("duration"), and how much later than planned ("delay")."""
    durations: list[Days] = []
    delays: list[Days] = []
    for name, table in schema.tables.items():
        spans = list(_spans(schema, name).values())
        planned = [column for column in table.columns if _is_planned(schema, column)]
        if len(spans) == 1:
            durations += spans
            delays += [Days(planned[0], spans[0].end)] if len(planned) == 1 else []
    return {"duration": tuple(durations), "delay": tuple(delays)}


def _is_planned(schema: Schema, column: Column) -> bool:
    """Whether a date says when something should be done, rather than when it was."""
    typed = schema.typed[column]
    return typed.role == "date" and not listed("columns", "planned").isdisjoint(typed.words)


def _spans(schema: Schema, table: str) -> dict[Column, Days]:
    """The dates of a table that one other date alone comes before, each with the days from that."""
    dates = {column: moments for column in schema.tables[table].columns if (moments := _moments(schema, column))}
    starts = {end: [c for c in dates if _comes_before(dates[c], dates[end])] for end in dates}
    return {end: Days(moments[0], end) for end, moments in starts.items() if len(moments) == 1}


def _comes_before(start: _Moments, end: _Moments) -> bool:
    """Whether the values of two dates follow each other by days: those of a birth and a hiring lie too far apart."""
    (first, last, open_starts), (low, high, open_ends) = start, end
    is_after = (first, last) < (low, high) or open_starts < open_ends
    is_close = first <= low <= last and open_starts <= open_ends
    return is_close and is_after and (low - first >= timedelta(days=1) or first.time() == low.time() == time.min)


def _moments(schema: Schema, column: Column) -> _Moments | None:
    """None of what is no event."""
    typed, profile = schema.typed[column], schema.profiled[column].profile
    if profile and typed.role == "date" and not typed.open_until and not _is_planned(schema, column):
        with suppress(ValueError):  # a day that no calendar has
            low, high = (datetime.fromisoformat(str(at)).replace(tzinfo=None) for at in (profile.low, profile.high))
            return low, high, profile.nulls
    return None
