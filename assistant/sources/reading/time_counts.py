"""Times written as numbers: seconds since 1970 and parts of them, and days as spreadsheets count them. Pure.

A column whose name says that it holds times is read as such, and doubted; another with numbers that look so is doubted.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from typing import Literal

from assistant.sources.reading.guesses import Guess, TypeName, convert_matching, is_matching
from assistant.sources.reading.quantities import is_measure
from assistant.sources.reading.words import names_code, names_day, names_instant

Count = Literal["seconds", "milliseconds", "microseconds", "nanoseconds", "spreadsheet"]

_DIGITS: Mapping[Count, int] = {"seconds": 9, "milliseconds": 12, "microseconds": 15, "nanoseconds": 18}
"""The digits behind the first of a point in time from September 2001 to May 2033."""
_COUNTS: tuple[Count, ...] = ("seconds", "milliseconds", "microseconds", "nanoseconds")
_MICROSECONDS: dict[Count, str] = {
    "seconds": "CAST(round(CAST($v AS DOUBLE) * 1000000) AS BIGINT)",
    "milliseconds": "CAST(round(CAST($v AS DOUBLE) * 1000) AS BIGINT)",
    "microseconds": "CAST(CAST($v AS DECIMAL(38, 3)) AS BIGINT)",
    "nanoseconds": "CAST(CAST($v AS DECIMAL(38, 3)) AS BIGINT) // 1000",
}
_MONTH = r"(19|20)\d{2}(0[1-9]|1[0-2])"
_SERIAL = r"[345]\d{4}(\.\d+)?"
_SERIAL_OF_TIME = r"[345]\d{4}\.\d{2,}"
_NUMBER = r"-?\d{1,19}(\.\d+)?"
_NAMELESS_MIN = 5
"""So many different numbers must look like times where the column's name does not say that they are."""
_RECENT = (1_260_000_000, 1_900_000_000)
"""Seconds of 2009 to 2030, which numbers have to be then."""


def guess_time_count(values: Sequence[str], name: str) -> Guess | None:
    """What numbers are that may count time from a day on; None where they do not look like it."""
    if names_code(name) or is_measure(name):
        return None
    if (names_day(name) and is_matching(_SERIAL, values)) or (
        names_instant(name) and is_matching(_SERIAL_OF_TIME, values)
    ):
        return _read_as("spreadsheet", values)
    if len(set(values)) >= _NAMELESS_MIN and is_matching(_MONTH, values):
        return _doubt_number("BIGINT", "They may be months: year and month.", "date %Y%m")
    counts: list[Count] = [count for count in _COUNTS if is_matching(_pattern(_DIGITS[count]), values)]
    if not counts or not any(value.startswith("1") for value in values):
        return None
    count = counts[0]
    if names_instant(name):
        return _read_as(count, values)
    seconds = [int(re.split(r"\.", value)[0]) / 10 ** (_DIGITS[count] - 9) for value in values]
    if len(set(values)) < _NAMELESS_MIN or not all(_RECENT[0] < second < _RECENT[1] for second in seconds):
        return None
    type_: TypeName = "DOUBLE" if any("." in value for value in values) else "BIGINT"
    return _doubt_number(type_, f"They may be times: {count} since 1970.", f"datetime {count}")


def _doubt_number(type_: TypeName, rival: str, rival_type: str) -> Guess:
    return Guess(
        type=type_,
        sql=convert_matching(_NUMBER, f"TRY_CAST($v AS {type_})"),
        note="read as numbers",
        doubt="column_type",
        rival=rival,
        rival_type=rival_type,
    )


def count_sql(count: Count) -> tuple[TypeName, str]:
    """The type of a time that is counted so, and the SQL that reads it."""
    if count == "spreadsheet":
        days = "TIMESTAMP '1899-12-30' + to_microseconds(CAST(round(CAST($v AS DOUBLE) * 86400) AS BIGINT) * 1000000)"
        return "TIMESTAMP", convert_matching(_NUMBER, days)
    return "TIMESTAMP", convert_matching(_NUMBER, f"make_timestamp({_MICROSECONDS[count]})")


def parse_count(word: str) -> Count | None:
    """The way of counting that a person names."""
    return next((count for count in (*_COUNTS, "spreadsheet") if count == word), None)


def _pattern(digits: int) -> str:
    """Numbers of so many digits behind a 1, one digit fewer, or 0 for none."""
    return rf"(1\d{{{digits}}}|[1-9]\d{{{digits - 1}}})(\.\d+)?"


def _read_as(count: Count, values: Sequence[str]) -> Guess:
    type_, sql = count_sql(count)
    is_day = count == "spreadsheet" and all(float(value).is_integer() for value in values)
    description = "days as spreadsheets count them" if count == "spreadsheet" else f"{count} since 1970, in UTC"
    return Guess(
        type="DATE" if is_day else type_,
        sql=f"CAST({sql} AS DATE)" if is_day else sql,
        note=f"read as {'dates' if is_day else 'times'}: {description}",
        doubt="column_type",
        rival="They may be numbers.",
        rival_type="number" if any("." in value for value in values) else "integer",
    )
