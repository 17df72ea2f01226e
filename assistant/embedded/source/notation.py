"""How dates are noted in a column of text: 8/29/2013, 1950-6-12, 21-Mar-2014.

SQLite has no type for dates, and only ISO text sorts as days do. What is noted otherwise is told from the values that
are known; where a day and a month could be taken for one another in all of them, it stays text.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Literal

from assistant.data.catalog import Column
from assistant.embedded.dates import MONTHS
from assistant.embedded.source.schema import known_of

Part = Literal["year", "month", "day"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Notation:
    """The order of a date's parts, the mark between them, whether months are `named`, and one `example`.

    `short`: years have two digits; below 70 they are of this century. Without a day it is the first of a month.
    """

    parts: tuple[Part, ...]
    mark: str
    example: str
    named: bool = False
    short: bool = False

    @property
    def spoken(self) -> str:
        """The order as people say it: "month/day/year"."""
        return self.mark.join(self.parts)


_DATE = re.compile(r"(\d{1,4})([/.-])(\d{1,2}|[A-Za-z]{3})\2(\d{4}|\d{1,2})(?:[ T]\d{1,2}:\d\d(?::\d\d)?(?: ?[AP]M)?)?")
MONTHS_SHORT = tuple(name[:3] for name in MONTHS)
"""How months are named in a date, in lower case."""
YEARS = (1000, 2200)
"""Between which numbers are years where something says that they are."""


_MONTH = re.compile(r"(?P<first>[A-Za-z]{3,9}|\d{4}|\d{1,2})(?P<mark>[-/.])(?P<last>\d{1,4})")


def month_notation_of(column: Column) -> Notation | None:
    """How a text column notes months, by all that is known of its values: Mar-24, 2024-03, 3/2024."""
    texts = [text for value in known_of(column) if (text := str(value).strip())]
    found = [match for text in texts if (match := _MONTH.fullmatch(text))]
    if column.kind != "text" or not texts or len(found) < len(texts) or len({m["mark"] for m in found}) > 1:
        return None
    first, last = [match["first"] for match in found], [match["last"] for match in found]
    named = not first[0].isdigit()
    if named and any(text.lower()[:3] not in MONTHS_SHORT for text in first):
        return None
    year_first = not named and all(len(text) == _YEAR_LENGTH for text in first)
    years, months = (first, last) if year_first else (last, first)
    short = named and all(len(year) == 2 for year in years)
    if not short and not all(len(year) == _YEAR_LENGTH and YEARS[0] <= int(year) <= YEARS[1] for year in years):
        return None
    if not named and not all(month.isdigit() and 1 <= int(month) <= len(MONTHS) for month in months):
        return None
    parts: tuple[Part, ...] = ("year", "month") if year_first else ("month", "year")
    return Notation(parts=parts, mark=found[0]["mark"], example=texts[0], named=named, short=short)


_YEAR_LENGTH = 4


def notation_of(column: Column) -> Notation | None:
    """How a text column notes its dates, by all that is known of its values; None where they are no such dates."""
    texts = [text for value in known_of(column) if (text := str(value).strip())]
    found = [match for text in texts if (match := _DATE.fullmatch(text))]
    if column.kind != "text" or not texts or len(found) < len(texts) or len({m[2] for m in found}) > 1:
        return None
    first, middle, last = ([match[n] for match in found] for n in (1, 3, 4))
    named = not middle[0].isdigit()
    if any(text.isdigit() == named or (named and text.lower() not in MONTHS_SHORT) for text in middle):
        return None
    parts = _order(first, middle, last, mark=found[0][2], named=named)
    if parts is None:
        return None
    years = first if parts[0] == "year" else last
    short = all(len(year) == 2 for year in years)
    if not short and not all(YEARS[0] <= int(year) <= YEARS[1] for year in years):
        return None
    return Notation(parts=parts, mark=found[0][2], example=texts[0], named=named, short=short)


def _order(
    first: list[str], middle: list[str], last: list[str], *, mark: str, named: bool
) -> tuple[Part, Part, Part] | None:
    """Which part is which: a part over 12 is no month."""
    if all(len(text) == 4 for text in first):
        return ("year", "month", "day")
    if any(int(text) > 31 for text in first):
        return None
    if named:
        return ("day", "month", "year")
    if any(len(text) != 4 for text in last):
        return None  # two digits may be anything
    day_first, day_second = (any(int(text) > 12 for text in texts) for texts in (first, middle))
    if day_first != day_second:
        return ("day", "month", "year") if day_first else ("month", "day", "year")
    return ("day", "month", "year") if mark == "." and not day_first else None


def as_date(column: Column, notation: Notation) -> Column:
    """The column as one of dates in ISO text, which is what queries make of it; its ends, if all values are known."""
    profile = column.profile
    days = sorted(_iso(value, notation) for value in (profile.values or ()) if value.strip()) if profile else []
    low, high = (days[0], days[-1]) if days else (None, None)
    known = replace(profile, low=low, high=high, top=(), values=None) if profile else None
    return replace(column, kind="date", stored_as_text=True, profile=known)


def _iso(text: str, notation: Notation) -> str:
    """A date as ISO text."""
    said = dict(zip(notation.parts, re.split(r"[ T](?=\d{1,2}:)", text.strip())[0].split(notation.mark), strict=False))
    month = said["month"]
    year = int(said["year"]) + ((2000 if int(said["year"]) < CENTURY_FROM else 1900) if notation.short else 0)
    number = MONTHS_SHORT.index(month.lower()[:3]) + 1 if notation.named else int(month)
    return f"{year:04d}-{number:02d}-{int(said.get('day', '1')):02d}"


CENTURY_FROM = 70
"""Years of two digits below it are of this century."""
