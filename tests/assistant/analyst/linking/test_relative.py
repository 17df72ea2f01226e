"""Periods that the day of the question tells."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.analyst.linking.relative import RelativeDates
from assistant.analyst.linking.tokens import words
from assistant.analyst.parts import Period

TODAY = date(2026, 11, 21)  # a Saturday


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("yesterday", "2026-11-20", "2026-11-21"),
        ("the last 6 months", "2026-05-01", "2026-11-01"),
        ("the past three years", "2023-01-01", "2026-01-01"),
        ("the last 7 days", "2026-11-14", "2026-11-21"),
        ("last week", "2026-11-09", "2026-11-16"),
    ],
)
def test_a_relative_period_is_whole_and_ends_before_today(said: str, start: str, end: str) -> None:
    found = [part.meaning for part in RelativeDates(TODAY).anchors(words(f"orders in {said}"))]
    assert found == [Period(start, end)]


def test_other_words_are_no_periods() -> None:
    assert list(RelativeDates(TODAY).anchors(words("the last 5 orders of this customer"))) == []
