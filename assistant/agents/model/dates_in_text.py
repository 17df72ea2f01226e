"""The dates that a text speaks of, to the day or to the month. Pure.

Read are ISO dates (`2026-01-05`, `2026-01`), English ones (`5 January 2026`, `January 5, 2026`, `January 2026`), and
dates with dots or slashes (`5.1.2026`, `05/01/2026`, `2026/01/05`, `01/2026`). A day without its year (`5 January`) may
be of any year. A date with slashes has two readings where the order of day and month cannot be told; one with dots
begins with its day.
"""

from __future__ import annotations

import calendar
import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date, timedelta

Day = tuple[int, int, int]
"""Year, month and day; the year is 0 where none is written."""

_MONTHS: Mapping[str, int] = {
    name.casefold(): n for names in (calendar.month_name, calendar.month_abbr) for n, name in enumerate(names) if name
}
_NAMES = "|".join(sorted(_MONTHS, key=len, reverse=True))
_CAPITALISED = f"(?-i:{_NAMES.title()})"
"""Without a year only these are months: "12 may differ" is no date."""
_TIME = r"(?:[T ]\d{2}:\d{2}(?::\d{2}(?:\.\d+)?)?)?"
_DATE = re.compile(
    r"(?<![\w./-])(?:"
    rf"(?P<iso_y>\d{{4}})-(?P<iso_m>\d{{2}})(?:-(?P<iso_d>\d{{2}}))?{_TIME}"
    rf"|(?P<slash_y>\d{{4}})/(?P<slash_m>\d{{1,2}})/(?P<slash_d>\d{{1,2}}){_TIME}"
    rf"|(?P<one>\d{{1,2}})(?P<sign>[./])(?P<two>\d{{1,2}})(?P=sign)(?P<year>\d{{4}}){_TIME}"
    r"|(?P<short_m>\d{1,2})/(?P<short_y>\d{4})"
    rf"|(?P<d1>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m1>{_NAMES})\.?,?\s+(?P<y1>\d{{4}})"
    rf"|(?P<m2>{_NAMES})\.?\s+(?:(?P<d2>\d{{1,2}})(?:st|nd|rd|th)?,?\s+)?(?P<y2>\d{{4}})"
    rf"|(?P<d3>\d{{1,2}})(?:st|nd|rd|th)?\s+(?:of\s+)?(?P<m3>{_CAPITALISED})"
    rf"|(?P<m4>{_CAPITALISED})\.?\s+(?P<d4>\d{{1,2}})(?:st|nd|rd|th)?(?!,\d|\s?%)"
    r")(?![\w-]|[./]\d)",
    re.IGNORECASE,
)
_YEARS = range(1000, 3000)
_LEAP_YEAR = 2000
_CELL_CHARS = 40
_STARTS = re.compile(r"(\d{4})-(\d{2})(?:-(\d{2}))?")


@dataclass(frozen=True, slots=True, kw_only=True)
class DateInText:
    """A date as it is written, with each day that it may mean; the first of the month where only a month is said."""

    text: str
    days: tuple[Day, ...]
    is_month: bool

    @property
    def day_without_year(self) -> int | None:
        """The day of a date that has no year, which may be a figure after all ("in March 12 orders came")."""
        year, _, day = self.days[0]
        return None if year else day

    def is_among(self, days: frozenset[Day]) -> bool:
        """Whether it is one of these days, the month of one, or right before one, as bounds exclude their end."""
        if self.is_month:
            month_index = 12 * self.days[0][0] + self.days[0][1]
            return any(12 * year + month - month_index in (0, 1) for year, month, _ in days)
        if self.day_without_year is not None:
            ends = {day[1:] for candidate in days for day in (candidate, _preceding_day(candidate))}
            return any(day[1:] in ends for day in self.days)
        return any(day in days or _following_day(day) in days for day in self.days)


def find_dates(text: str) -> Iterator[DateInText]:
    """The dates of a text; what is no date of the calendar is left out."""
    for match in _DATE.finditer(text):
        if date_in_text := _parse_match(match):
            yield date_in_text


def exclude_dates(text: str) -> str:
    """The text with a blank for each date."""
    return _DATE.sub(lambda match: " " if _parse_match(match) else match[0], text)


def find_days(value: object) -> Iterator[Day]:
    """The days that a cell may mean: of a date or time, or of a text that is a date or begins with an ISO one."""
    if isinstance(value, date):
        yield value.year, value.month, value.day
    elif isinstance(value, str) and value[:1].isdigit():
        if match := _STARTS.match(value):
            yield int(match[1]), int(match[2]), int(match[3] or 1)
        elif len(value) <= _CELL_CHARS:
            yield from (day for date_in_text in find_dates(value) for day in date_in_text.days)


def _parse_match(match: re.Match[str]) -> DateInText | None:
    """The date of a match; None where the calendar has no such day."""
    parts = match.groupdict()
    month_name = parts["m1"] or parts["m2"] or parts["m3"] or parts["m4"]
    years = (parts[key] for key in ("iso_y", "slash_y", "year", "short_y", "y1", "y2"))
    year = next((int(digits) for digits in years if digits), 0)
    readings: list[tuple[str, str | None]]
    if month_name:
        readings = [(str(_MONTHS[month_name.casefold()]), parts["d1"] or parts["d2"] or parts["d3"] or parts["d4"])]
    elif parts["sign"]:
        first, second = parts["one"], parts["two"]
        readings = [(second, first)] if parts["sign"] == "." else [(second, first), (first, second)]
    else:
        readings = [
            (parts["iso_m"] or parts["slash_m"] or parts["short_m"], parts["iso_d"] or parts["slash_d"]),
        ]
    days = [(year, int(month), int(day or 1)) for month, day in readings]
    valid_days = tuple(dict.fromkeys(day for day in days if _is_day(day)))
    return DateInText(text=match[0], days=valid_days, is_month=readings[0][1] is None) if valid_days else None


def _is_day(day: Day) -> bool:
    year, month, number = day
    if year and year not in _YEARS:
        return False
    return 1 <= month <= 12 and 1 <= number <= calendar.monthrange(year or _LEAP_YEAR, month)[1]


def _following_day(day: Day) -> Day:
    return _move_day(day, days=1)


def _preceding_day(day: Day) -> Day:
    return _move_day(day, days=-1)


def _move_day(day: Day, *, days: int) -> Day:
    try:
        moved_day = date(day[0] or _LEAP_YEAR, *day[1:]) + timedelta(days=days)
    except (OverflowError, ValueError):
        return day
    return moved_day.year, moved_day.month, moved_day.day
