"""What is said of the data behind an answer: periods that it does not reach, lest a zero be taken for a figure, rows
that belong to none of the groups, and how dates were read that are noted in a way of their own."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from assistant.embedded.meaning import Meaning, TimeRange
from assistant.embedded.source.schema import Schema
from assistant.embedded.sql.noted import computed_with
from assistant.embedded.wording.answers import as_day


def beyond_data(meaning: Meaning, schema: Schema) -> Iterator[str]:
    """What range the data has, for every period of the meaning that lies wholly outside it."""
    for time in () if meaning.either else meaning.times:
        entity = schema.entities[time.column.table]
        low, high = _ends(time, schema)
        if low is None or high is None:
            continue
        after = time.start is not None and time.start > high
        before = time.end is not None and time.end <= low
        if after or before:
            first, last = (str(low.year), str(high.year)) if time.year_number else (low.isoformat(), high.isoformat())
            when = time.label if time.label.startswith(("in ", "since ", "before ", "until ")) else f"in {time.label}"
            yield f"There are no {entity.many} {when}; they run from {first} to {last}"


def read_as_days(meaning: Meaning, schema: Schema) -> Iterator[str]:
    """How text was read as days, for every column that the meaning does more with than show it."""
    for (_, column), notation in computed_with(meaning, schema).items():
        yield f"“{column}” is read as {notation.spoken}, as in {notation.example}"


def left_out(meaning: Meaning, schema: Schema) -> Iterator[str]:
    """Which rows no group holds, since they need not have what they are grouped by: orders without a store."""
    if not meaning.measures or meaning.limit or meaning.portion:
        return
    conditions = (*meaning.filters, *meaning.times, *meaning.compared, *meaning.among)
    chosen = [step for item in conditions for step in item.column.steps]
    said: list[str] = []
    for dimension in meaning.dimensions:
        for step in dimension.column.steps:
            if step.many or step.left == step.right:
                break
            note = f"{schema.entities[step.left].many} that have no {schema.entities[step.right].one} are left out"
            if step.optional and step not in chosen and note not in said:
                said.append(note)
    yield from said


def _ends(time: TimeRange, schema: Schema) -> tuple[date | None, date | None]:
    """The first and the last day the column holds, where all of it was looked at."""
    profile = schema.attribute(time.column.table, time.column.column).column.profile
    if profile is None or profile.sampled:
        return None, None
    return _day(profile.low, time), _day(profile.high, time)


def _day(value: object, time: TimeRange) -> date | None:
    if time.year_number and value is not None:
        text = str(value).partition(".")[0]
        return date(int(text), 1, 1) if text.isdigit() and 1 <= int(text) <= 9999 else None
    return as_day(value)
