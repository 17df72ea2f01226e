"""The dates that a text speaks of, to the day or to the month. Pure.

Read are ISO dates (`2026-01-05`, `2026-01`) and English ones (`5 January 2026`, `January 5, 2026`, `January 2026`). A
date written with slashes or dots is left alone: its order cannot be told.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

_MONTHS: Mapping[str, int] = {
    name.casefold(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if name
}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATE = re.compile(
    r"(?<![\w-])(?:"
    r"(?P<iso_y>\d{4})-(?P<iso_m>\d{2})(?:-(?P<iso_d>\d{2}))?(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_NAMES})\.?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_NAMES})\.?\s+(?:(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(?P<y2>\d{{4}})"
    r")(?![\w-])",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True, kw_only=True)
class DateSaid:
    """A date as it is written; `day` None where only the month is said."""

    text: str
    year: int
    month: int
    day: int | None

    def is_among(self, known: frozenset[tuple[int, int, int]]) -> bool:
        """Whether it is one of these days, the month of one, or right before one, as bounds exclude their end."""
        if self.day is None:
            here = 12 * self.year + self.month
            return any(12 * year + month - here in (0, 1) for year, month, _ in known)
        try:
            after = date(self.year, self.month, self.day) + timedelta(days=1)
        except (ValueError, OverflowError):
            return False
        return bool({(self.year, self.month, self.day), (after.year, after.month, after.day)} & known)


def dates_in(text: str) -> Iterator[DateSaid]:
    """The dates of a text; what is no date of the calendar is left out."""
    for found in _DATE.finditer(text):
        year = found["iso_y"] or found["y1"] or found["y2"]
        named = found["m1"] or found["m2"]
        month = _MONTHS[named.casefold()] if named else int(found["iso_m"])
        day = found["iso_d"] or found["d1"] or found["d2"]
        if 1 <= month <= 12 and (day is None or 1 <= int(day) <= 31):
            yield DateSaid(text=found[0], year=int(year), month=month, day=int(day) if day else None)


def without_dates(text: str) -> str:
    """The text with a blank for each date."""
    return _DATE.sub(" ", text)


def day_of(value: object) -> tuple[int, int, int] | None:
    """A cell's date: of a date or time, or of a text that begins with an ISO date or month."""
    if isinstance(value, date):
        return value.year, value.month, value.day
    if isinstance(value, str) and (found := re.match(r"(\d{4})-(\d{2})(?:-(\d{2}))?", value)):
        return int(found[1]), int(found[2]), int(found[3] or 1)
    return None
