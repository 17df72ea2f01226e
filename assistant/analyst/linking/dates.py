"""Dates and periods in the words of a question."""

from __future__ import annotations

import re
from collections.abc import Iterator
from contextlib import suppress
from datetime import date, timedelta

from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, numbers
from assistant.analyst.parts import Part, Period, Recurring

_YEAR = re.compile(r"(1[5-9]|20)\d\d")
_DECADE = re.compile(r"[2-9]0")
_PARTS = {"quarter": 3, "half": 6}
"""Months in a part of a year."""
_DAY = re.compile(r"\d{4}-\d\d-\d\d")


def periods(words: tuple[Word, ...]) -> Iterator[Part]:
    """Years, months, quarters, days and weekdays that a question names."""
    for at in range(len(words)):
        yield from _years(words, at)
        yield from _months(words, at)
        yield from _others(words, at)


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
    known = section("operators", "weekdays")
    days = known.get(lower, known.get(lower.rstrip("s")))
    if days is not None:
        yield _part(Recurring("weekday", tuple(map(int, str(days).split()))), at, at + 1)
    yield from _parts_of_years(words, at)


def _parts_of_years(words: tuple[Word, ...], at: int) -> Iterator[Part]:
    """ "Q2 2024", "the second quarter of 2024", "the first half of 2024"; a quarter without a year is that of any."""
    if at + 1 >= len(words):
        return
    said, following = words[at].lower, words[at + 1].lower
    if said in ("q", "quarter") and following in ("1", "2", "3", "4"):
        months, number = 3, int(following)
    else:
        months, number = _PARTS.get(following, 0), int(numbers("ordinal numbers").get(said, 0))
    if not months or not 1 <= number <= 12 // months:
        return
    skip = 3 if at + 2 < len(words) and words[at + 2].lower in ("of", "in", ",") else 2
    year = _year(words, at + skip)
    if year is not None:
        first = months * (number - 1) + 1
        yield _part(Period(_first(year, first), _first(year, first + months)), at, at + skip + 1)
    if months == _PARTS["quarter"]:
        yield _part(Recurring("quarter of year", (number,)), at, at + 2)
