"""Periods told by the day of the question: "last quarter", "yesterday", "the last 6 months", "5 years ago"."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass
from datetime import date, timedelta

from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, numbers, operators, whole_number
from assistant.analyst.parts import Part, Period

_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}
_SURE = 1.3
TOLD_BY_DAY = " today"
"""How the name of a rule ends that reads a period by the day."""
_AGE_MAX = 120


@dataclass(frozen=True, slots=True)
class RelativeDates:
    """Finds periods relative to a day."""

    today: date

    def anchors(self, words: tuple[Word, ...]) -> Iterator[Part]:
        """Every period that is told by the day."""
        for at in range(len(words)):
            for size in (3, 2, 1):
                phrase = " ".join(word.lower for word in words[at : at + size])
                if at + size > len(words):
                    continue
                for period in self._said(phrase, words[at : at + size]):
                    yield _part("period", period, at, at + size, f"knows {size}{TOLD_BY_DAY}")
            yield from self._ago(words, at)
            yield from self._day_and_month(words, at)
            yield from self._aged(words, at)

    def _ago(self, words: tuple[Word, ...], at: int) -> Iterator[Part]:
        """ "more than 5 years ago" """
        after = [word.lower for word in words[at + 2 : at + 3]]
        n = whole_number(words[at]) if after and after[0] in section("time", "ago") else None
        for size in (1, 2, 3) if n else ():
            readings = operators().get(" ".join(word.lower for word in words[max(0, at - size) : at]), ())
            op = next((meaning for category, meaning in readings if category == "compare"), "")
            day = self._before(n or 0, words[at + 1].lemma)
            if day and op in ("<", "<=", ">", ">="):
                period = Period("", day) if op.startswith(">") else Period(day, "")
                yield _part("period", period, at - size, at + 3, f"knows {size + 3}{TOLD_BY_DAY}")

    def _day_and_month(self, words: tuple[Word, ...], at: int) -> Iterator[Part]:
        """ "March 1": the last such day until today, where no year follows"""
        pair = [word.lower for word in words[at : at + 2]]
        month = next((int(numbers("months")[word]) for word in pair if word in numbers("months")), 0)
        days = [int(number[1]) for word in pair if (number := re.fullmatch(r"(\d{1,2})(st|nd|rd|th)?", word))]
        after = [word.lower for word in words[at + 2 : at + 4]]
        if len(pair) < 2 or not month or len(days) != 1 or any(re.fullmatch(r"(1[5-9]|20)\d\d", w) for w in after):
            return
        with suppress(ValueError):  # there is no 31 June
            day = date(self.today.year, month, days[0])
            day = day if day <= self.today else day.replace(year=day.year - 1)
            period = Period(day.isoformat(), (day + timedelta(days=1)).isoformat())
            yield _part("period", period, at, at + 2, f"knows 2{TOLD_BY_DAY}")

    def _aged(self, words: tuple[Word, ...], at: int) -> Iterator[Part]:
        """ "older than 60": the day on which one who is so old was born, of a column that says when"""
        n = whole_number(words[at])
        if n and n <= _AGE_MAX:
            day = date.fromisoformat(self._before(n, "year"))
            born = Period(day.isoformat(), (day + timedelta(days=1)).isoformat())
            size = 2 if at + 1 < len(words) and words[at + 1].lemma == "year" else 1
            yield _part("age", born, at, at + size)

    def _before(self, n: int, unit: str) -> str:
        """The day so many days, weeks, months, quarters or years before; empty for other words."""
        if unit in _DAYS:
            return (self.today - timedelta(days=n * _DAYS[unit])).isoformat()
        if unit not in _MONTHS:
            return ""
        month = self.today.year * 12 + self.today.month - 1 - n * _MONTHS[unit]
        year, number = month // 12, month % 12 + 1
        return date(year, number, min(self.today.day, monthrange(year, number)[1])).isoformat()

    def _said(self, phrase: str, words: tuple[Word, ...]) -> Iterator[Period]:
        days = section("time", "days").get(phrase)
        if days is not None:
            first = self.today + timedelta(days=int(str(days)))
            yield Period(first.isoformat(), (first + timedelta(days=1)).isoformat())
        which = section("time", "which")
        if len(words) >= 2 and words[-1].lemma in (*_MONTHS, *_DAYS):
            unit = words[-1].lemma
            if len(words) == 2 and (back := which.get(words[0].lower)) is not None:
                yield self._whole(unit, int(str(back)), 1)
            n = whole_number(words[1]) if len(words) == 3 else None
            if n and words[0].lower in section("time", "several"):
                yield self._whole(unit, -n, n)

    def _whole(self, unit: str, back: int, n: int) -> Period:
        """`n` whole periods, the first `back` from the one that holds the day; days end before the day."""
        first, after = (begin_period(self.today, unit, shift) for shift in (back, back + n))
        return Period(first.isoformat(), after.isoformat())


def begin_period(day: date, unit: str, shift: int = 0) -> date:
    """The first day of the day, week, month, quarter or year that a day is in, or of that so many periods later."""
    if unit in _DAYS:
        first = day - timedelta(days=day.weekday() if unit == "week" else 0)
        return first + timedelta(days=shift * _DAYS[unit])
    size = _MONTHS[unit]
    month = day.year * 12 + (day.month - 1) // size * size + shift * size
    return date(month // 12, month % 12 + 1, 1)


def _part(category: str, meaning: object, start: int, end: int, *rules: str) -> Part:
    return Part.over(category, meaning, start, end, _SURE + 0.1 * (end - start), rules=rules)
