"""Periods told by the day of the question: "last quarter", "this year", "yesterday", "the last 6 months"."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from assistant.analyst.lexicon.files import section
from assistant.analyst.linking.tokens import Word, numbers
from assistant.analyst.parts import Part, Period

_MONTHS = {"month": 1, "quarter": 3, "year": 12}
_DAYS = {"day": 1, "week": 7}
_SURE = 1.3


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
                for found in self._said(phrase, words[at : at + size]):
                    mask = ((1 << (at + size)) - 1) ^ ((1 << at) - 1)
                    yield Part("period", found, mask, at, at + size, _SURE + 0.1 * size, (f"knows {size} today",))

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
            n = _number(words[1]) if len(words) == 3 else None
            if n and words[0].lower in section("time", "several"):
                yield self._whole(unit, -n, n)

    def _whole(self, unit: str, back: int, n: int) -> Period:
        """`n` whole periods, the first `back` from the one that holds the day; days end before the day."""
        return Period(self._start(unit, back).isoformat(), self._start(unit, back + n).isoformat())

    def _start(self, unit: str, back: int) -> date:
        if unit in _DAYS:
            first = self.today - timedelta(days=self.today.weekday() if unit == "week" else 0)
            return first + timedelta(days=back * _DAYS[unit])
        size = _MONTHS[unit]
        month = self.today.year * 12 + (self.today.month - 1) // size * size + back * size
        return date(month // 12, month % 12 + 1, 1)


def _number(word: Word) -> int | None:
    if word.lower.isdigit():
        return int(word.lower)
    said = numbers("numbers").get(word.lower)
    return int(said) if said else None
