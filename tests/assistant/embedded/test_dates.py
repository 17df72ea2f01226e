"""Time phrases become half-open ranges of days, relative to an injected day."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.embedded.dates import describe, period_start
from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.lexicon import tokens

TODAY = date(2026, 11, 21)

PHRASES = [
    ("last quarter", "2026-07-01", "2026-10-01"),
    ("this quarter", "2026-10-01", "2027-01-01"),
    ("this year", "2026-01-01", "2027-01-01"),
    ("last year", "2025-01-01", "2026-01-01"),
    ("last month", "2026-10-01", "2026-11-01"),
    ("last week", "2026-11-09", "2026-11-16"),
    ("last friday", "2026-11-20", "2026-11-21"),
    ("last saturday", "2026-11-14", "2026-11-15"),
    ("this monday", "2026-11-16", "2026-11-17"),
    ("yesterday", "2026-11-20", "2026-11-21"),
    ("in 2025", "2025-01-01", "2026-01-01"),
    ("2025", "2025-01-01", "2026-01-01"),
    ("since March", "2026-03-01", None),
    ("since December", "2025-12-01", None),
    ("in March 2025", "2025-03-01", "2025-04-01"),
    ("in December", "2025-12-01", "2026-01-01"),
    ("in May", "2026-05-01", "2026-06-01"),
    ("last 30 days", "2026-10-22", "2026-11-21"),
    ("in the last two weeks", "2026-11-07", "2026-11-21"),
    ("over the past 12 months", "2025-11-01", "2026-11-01"),
    ("year to date", "2026-01-01", "2026-11-22"),
    ("ytd", "2026-01-01", "2026-11-22"),
    ("Q3 2024", "2024-07-01", "2024-10-01"),
    ("Q4", "2026-10-01", "2027-01-01"),
    ("in the third quarter of 2025", "2025-07-01", "2025-10-01"),
    ("first half of 2025", "2025-01-01", "2025-07-01"),
    ("between January and March 2025", "2025-01-01", "2025-04-01"),
    ("from 2023 to 2024", "2023-01-01", "2025-01-01"),
    ("from March to June", "2026-03-01", "2026-07-01"),
    ("after 2024-05-01", "2024-05-02", None),
    ("before June 2025", None, "2025-06-01"),
    ("on 5 May 2025", "2025-05-05", "2025-05-06"),
    ("on May 5th, 2025", "2025-05-05", "2025-05-06"),
    ("before 1850", None, "1850-01-01"),
    ("in 1790", "1790-01-01", "1791-01-01"),
    ("in March last year", "2025-03-01", "2025-04-01"),
]


@pytest.mark.parametrize(("phrase", "start", "end"), PHRASES, ids=[p for p, _, _ in PHRASES])
def test_phrase_is_this_range(phrase, start, end):
    cut = tokens(phrase)
    found = time_phrase(cut, 0, TODAY)
    assert found is not None
    period, taken = found
    assert (period.start and period.start.isoformat(), period.end and period.end.isoformat()) == (start, end)
    assert taken == len(cut)


@pytest.mark.parametrize(
    "phrase", ["may", "march on", "in the north", "second", "99999", "on 31 February 2025", "over 2000", "of 1800"]
)
def test_other_words_are_no_time(phrase):
    found = time_phrase(tokens(phrase), 0, TODAY)
    assert found is None or phrase == "march on"


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from(("day", "week", "month", "quarter", "year")))
def test_periods_tile_the_calendar(day, grain):
    start, following = period_start(day, grain), period_start(day, grain, 1)
    assert start <= day < following
    assert period_start(following, grain) == following
    assert period_start(following - timedelta(days=1), grain) == start


@given(st.dates(date(1990, 1, 1), date(2090, 1, 1)), st.sampled_from([p for p, _, _ in PHRASES]))
def test_ranges_are_never_empty_whatever_the_day(today, phrase):
    found = time_phrase(tokens(phrase), 0, today)
    assert found is not None
    start, end = found[0].start, found[0].end
    assert start is None or end is None or start < end
    assert describe(start, end)
