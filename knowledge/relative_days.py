"""Dates in stored SQL that move with today, such as those of "last quarter".

A stored text names such a date as `{today}`, `{today-90 days}`, `{today:start of month-1}`, `{today:end of year}`,
`{today:month}` (as 2026-09) or `{today:year-1}`. The words of the question decide which of these a date was: the first
of a month is the start of a quarter only where the question says "quarter". A date that no word explains stays fixed.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from typing import Literal

Unit = Literal["year", "quarter", "month", "week"]

_UNITS: tuple[Unit, ...] = ("year", "quarter", "month", "week")
_DISTANCE_MAX = {"year": 12, "quarter": 24, "month": 60, "week": 110}
"""Periods away from today: what lies further off is a fixed day."""

_PLACEHOLDER = re.compile(
    r"\{today(?:(?P<days>[+-]\d+) days?|(?P<months>[+-]\d+) months?"
    r"|:(?:(?P<edge>start|end) of (?P<period>year|quarter|month|week)|(?P<part>year|month))(?P<shift>[+-]\d+)?)?\}"
)
_DATE = re.compile(r"(?<![\w.])(?P<year>(?:19|20)\d\d)(?:-(?P<month>\d\d)(?:-(?P<day>\d\d))?)?(?=T\d\d:|(?![\w.]|-\d))")
_YEAR = re.compile(r"(?<![\d.,])(?:19|20)\d\d(?!\d)")
_RELATIVE = re.compile(
    r"\b(today|yesterday|tomorrow|now|nowadays|current(ly)?|recent(ly)?|latest|ago|so far|to date"
    r"|ytd|qtd|mtd|overdue|late"
    r"|(this|last|past|previous|prior|next|coming|these)( [\w-]+)?"
    r" (days?|weeks?|months?|quarters?|years?|weekends?))\b",
    re.IGNORECASE,
)
_ROLLING = re.compile(
    r"\b(today|now|so far|to date|ytd|qtd|mtd|within"
    r"|(last|past|previous|next) (\d+|two|three|four|five|six|seven|ten|twelve))\b"
)
_MENTIONED: dict[Unit, str] = {
    "year": r"\b(years?|yearly|annual|ytd|12 months)\b",
    "quarter": r"\b(quarters?|quarterly|qtd)\b",
    "month": r"\b(months?|monthly|mtd)\b",
    "week": r"\b(weeks?|weekly|weekends?)\b",
}
_NUMBERS = ("zero", "one", "two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")


def depends_on_today(code: str, question: str) -> bool:
    """Whether code with dates in it answers the question only for the day on which it was asked."""
    dates = list(_DATE.finditer(code))
    if not dates:
        return False
    fixed = _find_fixed_years(question)
    closes = {int(match["year"]) for match in dates if (match["month"], match["day"]) == ("01", "01")}
    fixed |= {year + 1 for year in fixed if year + 1 in closes}
    return _RELATIVE.search(question) is not None or any(int(match["year"]) not in fixed for match in dates)


def has_placeholder(code: str) -> bool:
    """Whether a text names a day that moves."""
    return _PLACEHOLDER.search(code) is not None


def generalise_days(code: str, *, question: str, words: str, today: date) -> str | None:
    """Code whose days move with today, as they moved with the question; None where a day cannot be explained.

    Args:
        code: SQL or Python as it ran.
        question: What was asked: the years it names stay.
        words: All that was said about what is computed: the question, replies, the plan.
        today: The day on which it ran.
    """
    if not depends_on_today(code, question):
        return code
    if has_placeholder(code):
        return None  # it would be filled in where it was meant otherwise
    fixed = _find_fixed_years(question)
    unexplained: list[str] = []

    def replace(match: re.Match[str]) -> str:
        year, month, day = int(match["year"]), match["month"], match["day"]
        if year in fixed or (year - 1 in fixed and (month, day) == ("01", "01")):
            return match[0]
        placeholder = _name_day(match, words.casefold(), today)
        if placeholder is None:
            unexplained.append(match[0])
        return placeholder or match[0]

    text = _DATE.sub(replace, code)
    return None if unexplained else text


def fill_days(code: str, today: date) -> str:
    """Code with the days that its placeholders stand for on a day."""

    def fill(match: re.Match[str]) -> str:
        shift = int(match["shift"] or 0)
        if match["days"]:
            return (today + timedelta(days=int(match["days"]))).isoformat()
        if match["months"]:
            return add_months(today, int(match["months"])).isoformat()
        if match["part"] == "year":
            return str(today.year + shift)
        if match["part"] == "month":
            return _find_start("month", today, shift).isoformat()[:7]
        if (unit := _find_unit(match["period"])) is not None:
            is_end = match["edge"] == "end"
            start = _find_start(unit, today, shift + is_end)
            return (start - timedelta(days=is_end)).isoformat()
        return today.isoformat()

    return _PLACEHOLDER.sub(fill, code)


def _find_unit(name: str | None) -> Unit | None:
    return next((unit for unit in _UNITS if unit == name), None)


def _find_fixed_years(question: str) -> set[int]:
    return {int(year) for year in _YEAR.findall(question.replace(",", ""))}


def _name_day(match: re.Match[str], words: str, today: date) -> str | None:
    """The placeholder of a day, a month or a year; None where no word explains it."""
    year, month, day = int(match["year"]), match["month"], match["day"]
    units: list[Unit] = [unit for unit in _UNITS if re.search(_MENTIONED[unit], words)]
    if month is None:
        near = abs(year - today.year) <= _DISTANCE_MAX["year"]
        return _format("today:year", year - today.year) if near and "year" in units else None
    try:
        day_in_text = date(year, int(month), int(day or 1))
    except ValueError:
        return None
    if day is None:
        shift = (year - today.year) * 12 + int(month) - today.month
        return _format("today:month", shift) if {"month", "quarter", "year"} & set(units) else None
    return next(_list_names(day_in_text, units, words, today), None)


def _list_names(day: date, units: Sequence[Unit], words: str, today: date) -> Iterator[str]:
    """What a day may be called by these words, the likeliest first."""
    if day == today and (not units or _ROLLING.search(words)):
        yield "{today}"  # on the first of a month the words decide whether the month or the day is meant
    for edge, shifted in (("start", day), ("end", day + timedelta(days=1))):
        for unit in units:
            shift = _count_periods(unit, shifted, today)
            if shift is not None:
                yield _format(f"today:{edge} of {unit}", shift - (edge == "end"))
    if day == today:
        yield "{today}"
    numbers = {int(number) for number in re.findall(r"\d+", words)}
    numbers |= {n for n, name in enumerate(_NUMBERS) if re.search(rf"\b{name}\b", words)}
    away = (day - today).days
    lengths = {*numbers, *(7 * n for n in numbers if "week" in units)}
    lengths |= {7} if "week" in units else set()
    lengths |= {1} if re.search(r"\b(yesterday|tomorrow|days?)\b", words) else set()
    if any(abs(away) in (length - 1, length, length + 1) for length in lengths if length):
        yield f"{{today{away:+d} days}}"
    months = (day.year - today.year) * 12 + day.month - today.month
    spans = {n for n in numbers if "month" in units} | {12 * n for n in numbers if "year" in units}
    spans |= {1} if "month" in units else set()
    spans |= {12} if "year" in units else set()
    if months and abs(months) in spans and add_months(today, months) == day:
        yield f"{{today{months:+d} months}}"


def _format(name: str, shift: int) -> str:
    return f"{{{name}{shift:+d}}}" if shift else f"{{{name}}}"


def _count_periods(unit: Unit, day: date, today: date) -> int | None:
    """How many periods after the one of today a day begins one; None where it begins none, or far away."""
    if _find_start(unit, day, 0) != day:
        return None
    if unit == "week":
        shift = (day - _find_start(unit, today, 0)).days // 7
    else:
        months = {"year": 12, "quarter": 3, "month": 1}[unit]
        start = _find_start(unit, today, 0)
        shift = ((day.year - start.year) * 12 + day.month - start.month) // months
    return shift if abs(shift) <= _DISTANCE_MAX[unit] else None


def _find_start(unit: Unit, day: date, shift: int) -> date:
    """The first day of the period that holds a day, or of one before or after it."""
    match unit:
        case "week":
            return day - timedelta(days=day.weekday()) + timedelta(weeks=shift)
        case "month":
            return add_months(day.replace(day=1), shift)
        case "quarter":
            return add_months(date(day.year, 3 * ((day.month - 1) // 3) + 1, 1), 3 * shift)
        case "year":
            return date(day.year + shift, 1, 1)


def add_months(day: date, months: int) -> date:
    """The same day of another month, or that month's last."""
    count = day.year * 12 + day.month - 1 + months
    year, month = divmod(count, 12)
    following = date(year + (month == 11), (month + 1) % 12 + 1, 1)
    return date(year, month + 1, min(day.day, (following - timedelta(days=1)).day))
