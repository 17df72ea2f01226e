"""Dates and periods in the words of a question, and whether a query goes by them."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from contextlib import suppress
from datetime import date, timedelta

from assistant.analyst.algebra import Column, Constant, OneOf, Query, Within, parts
from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, numbers
from assistant.analyst.parts import Part, Period, Recurring

_YEAR = re.compile(r"(1[5-9]|20)\d\d")
_DECADE = re.compile(r"[2-9]0")
_PARTS = {"quarter": 3, "half": 6}
"""Months in a part of a year."""
_DAY_SIGNS = frozenset((",", "of", "th", "st", "nd", "rd"))
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def periods(words: tuple[Word, ...]) -> list[Part]:
    """Years, months, quarters, days and weekdays that a question names.

    A month without a year is that of the year of another month: "June 2026 compared with May".
    """
    parts = [part for at in range(len(words)) for ways in (_years, _days, _months, _others) for part in ways(words, at)]
    dated = [p for p in parts if _is_month(p.meaning)]
    return [_of_year(part, dated[0]) if dated else part for part in parts]


def _is_month(meaning: object) -> bool:
    return isinstance(meaning, Period) and meaning.start[:7] != meaning.end[:7] and meaning.start[4:] != meaning.end[4:]


def _of_year(part: Part, dated: Part) -> Part:
    """A month of any year as that of a dated one; the first of two that follow each other is not the later one."""
    if not isinstance(part.meaning, Recurring) or part.meaning.grain != "month of year" or part.start == dated.start:
        return part
    assert isinstance(dated.meaning, Period), "it is dated"
    year, (month,) = int(dated.meaning.start[:4]), part.meaning.values
    year -= part.start < dated.start and _first(year, month) > dated.meaning.start
    return _part(Period(_first(year, month), _first(year, month + 1)), part.start, part.end)


def longest(parts: Iterable[Part]) -> list[Part]:
    """The longest of the dates and periods, in the order in which they are said."""
    selected: list[Part] = []
    for part in sorted(parts, key=lambda part: part.start - part.end):
        if part.category in ("period", "recurring") and not any(
            p.start < part.end and part.start < p.end for p in selected
        ):
            selected.append(part)
    return sorted(selected, key=lambda part: part.start)


def unbound(date_parts: Iterable[Part], query: Query) -> list[Part]:
    """Of the dates that a question says those that no bound or value of a query is."""
    inside = list(parts(query))
    days = {day for part in inside if isinstance(part, Within) for day in (part.start, part.end) if day}
    days |= {str(part.value) for part in inside if isinstance(part, Constant)}
    days |= {str(value) for part in inside if isinstance(part, OneOf) for value in part.values}
    names = " ".join(part.name for part in inside if isinstance(part, Column))

    def is_bound(meaning: object) -> bool:
        if isinstance(meaning, Recurring):
            return not days.isdisjoint(map(str, meaning.values))
        assert isinstance(meaning, Period), "it is a date"
        bounds = (meaning.start, meaning.end, *(day[:4] for day in (meaning.start, meaning.end) if day[4:] == "-01-01"))
        in_two = {
            meaning.start[:4],
            meaning.start[5:7].lstrip("0"),
        } <= days  # a year and a month in columns of their own
        return in_two or not days.isdisjoint(bounds) or meaning.start[:4] in names

    return [part for part in date_parts if not is_bound(part.meaning)]


def _part(meaning: Period | Recurring, start: int, end: int) -> Part:
    category = "period" if isinstance(meaning, Period) else "recurring"
    return Part.over(category, meaning, start, end, 0.9 + 0.1 * (end - start))


def _year(words: tuple[Word, ...], at: int) -> int | None:
    return int(words[at].lower) if at < len(words) and _YEAR.fullmatch(words[at].lower) else None


def _first(year: int, month: int) -> str:
    return f"{year + (month - 1) // 12:04d}-{(month - 1) % 12 + 1:02d}-01"


def _years(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    year = _year(words, at)
    decade = _DECADE.fullmatch(words[at].lower)
    if decade and at + 1 < len(words) and words[at + 1].lower in ("s", "'s"):
        yield _part(Period(f"19{decade[0]}-01-01", _first(1910 + int(decade[0]), 1)), at, at + 2)
    if year is None:
        return
    if at + 1 < len(words) and words[at + 1].lower in ("s", "'s"):
        yield _part(Period(_first(year, 1), _first(year + 10, 1)), at, at + 2)
    yield _part(Period(_first(year, 1), _first(year + 1, 1)), at, at + 1)


def _days(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "3 March 2026", "March 3rd, 2026" """
    tokens = [(place, word) for place, word in enumerate(words[at : at + 6], at) if word.lower not in _DAY_SIGNS][:3]
    if len(tokens) < 3 or tokens[0][0] != at:
        return
    (_, first), (_, second), (last, _) = tokens
    day, month = (second, first) if first.lower in numbers("months") else (first, second)
    number = re.match(r"\d{1,2}", day.lower)
    year = _year(words, last)
    if number and year and month.lower in numbers("months"):
        with suppress(ValueError):  # there is no 31 June
            first_day = date(year, int(numbers("months")[month.lower]), int(number[0]))
            yield _part(Period(first_day.isoformat(), (first_day + timedelta(days=1)).isoformat()), at, last + 1)


def _months(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    month = int(numbers("months").get(words[at].lower, 0))
    if not month:
        return
    for skip in (1, 2):
        year = _year(words, at + skip)
        if year is not None and (skip == 1 or words[at + 1].lower in ("of", ",", "in")):
            yield _part(Period(_first(year, month), _first(year, month + 1)), at, at + skip + 1)
    if words[at].lower != "may" or words[at].text[0].isupper():
        yield _part(Recurring("month of year", (month,)), at, at + 1)


def _others(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    lower = words[at].lower
    if _DAY.fullmatch(lower):
        with suppress(ValueError):  # 2021-02-30 is no day
            yield _part(Period(lower, (date.fromisoformat(lower) + timedelta(days=1)).isoformat()), at, at + 1)
    weekdays = section("operators", "weekdays")
    days = weekdays.get(lower, weekdays.get(lower.rstrip("s")))
    if days is not None:
        yield _part(Recurring("weekday", tuple(map(int, str(days).split()))), at, at + 1)
    yield from _parts_of_years(words, at)


def _parts_of_years(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "Q2 2024", "the second quarter of 2024", "the first half of 2024"; a quarter without a year is that of any."""
    if at + 1 >= len(words):
        return
    word, following = words[at].lower, words[at + 1].lower
    if word in ("q", "quarter") and following in ("1", "2", "3", "4"):
        months, number = 3, int(following)
    else:
        months, number = _PARTS.get(following, 0), int(numbers("ordinal numbers").get(word, 0))
    if not months or not 1 <= number <= 12 // months:
        return
    skip = 3 if at + 2 < len(words) and words[at + 2].lower in ("of", "in", ",") else 2
    year = _year(words, at + skip)
    if year is not None:
        first = months * (number - 1) + 1
        yield _part(Period(_first(year, first), _first(year, first + months)), at, at + skip + 1)
    if months == _PARTS["quarter"]:
        yield _part(Recurring("quarter of year", (number,)), at, at + 2)
