"""Which periods are whole, and which two can be compared."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.embedded.dates import period_start
from assistant.embedded.meaning import Grain
from assistant.embedded.studies.periods import (
    before,
    fitting_grain,
    grain_in,
    grain_of,
    like_for_like,
    period_in,
    whole,
    year_before,
)

TODAY = date(2026, 11, 21)


def test_an_unfinished_month_is_left_out_and_said() -> None:
    first, end, cut = whole(date(2023, 11, 21), date(2026, 11, 20), TODAY, "month")
    assert (first, end) == (date(2023, 12, 1), date(2026, 11, 1))
    assert "November 2023 is left out" in cut[0]
    assert "November 2026 is left out: it is not over yet." in cut


def test_a_month_in_which_the_data_ends_is_left_out_though_the_clock_is_years_ahead() -> None:
    first, end, cut = whole(date(2023, 1, 1), date(2025, 6, 18), TODAY, "month")
    assert (first, end) == (date(2023, 1, 1), date(2025, 6, 1))
    assert cut == ("June 2025 is left out: the figures end on 18 June 2025.",)


def test_a_last_sale_two_days_before_the_end_of_the_month_leaves_it_whole() -> None:
    assert whole(date(2023, 1, 2), date(2025, 6, 28), TODAY, "month")[:2] == (date(2023, 1, 1), date(2025, 7, 1))


def test_rows_on_the_first_of_each_month_stand_for_their_months() -> None:
    assert whole(date(2024, 1, 1), date(2025, 12, 1), TODAY, "month")[:2] == (date(2024, 1, 1), date(2026, 1, 1))


def test_one_day_in_each_month_stands_for_its_month() -> None:
    low, high = date(2024, 1, 15), date(2025, 12, 15)
    assert whole(low, high, date(2026, 1, 5), "month", days=24)[:2] == (date(2024, 1, 1), date(2026, 1, 1))
    assert whole(low, high, date(2026, 1, 5), "month", days=300)[:2] == (date(2024, 2, 1), date(2025, 12, 1))


@given(
    st.dates(date(2000, 1, 1), date(2030, 1, 1)),
    st.integers(0, 3000),
    st.dates(date(2000, 1, 1), date(2040, 1, 1)),
    st.sampled_from(["day", "week", "month", "quarter", "year"]),
)
def test_whole_periods_begin_and_end_on_their_borders_and_never_hold_today(
    low: date, length: int, today: date, grain: Grain
) -> None:
    high = low + timedelta(days=length)
    first, end, _ = whole(low, high, today, grain)
    assert period_start(first, grain) == first
    assert period_start(end, grain) == end
    assert first <= end
    if high >= period_start(today, grain):
        assert end <= max(first, period_start(today, grain))


def test_the_month_before_march_is_february() -> None:
    assert before(date(2026, 3, 1), date(2026, 4, 1)) == (date(2026, 2, 1), date(2026, 3, 1))
    assert before(date(2026, 1, 1), date(2027, 1, 1)) == (date(2025, 1, 1), date(2026, 1, 1))
    assert before(date(2026, 1, 10), date(2026, 1, 20)) == (date(2025, 12, 31), date(2026, 1, 10))
    assert year_before(date(2024, 2, 29), date(2024, 3, 1)) == (date(2023, 2, 28), date(2023, 3, 1))


def test_a_year_that_is_not_over_is_compared_with_the_same_days_of_the_one_before() -> None:
    now, then = like_for_like(
        date(2026, 1, 1), date(2027, 1, 1), (date(2025, 1, 1), date(2026, 1, 1)), today=TODAY, high=date(2026, 11, 20)
    )
    assert (now.start, now.end) == (date(2026, 1, 1), TODAY)
    assert (then.start, then.end) == (date(2025, 1, 1), date(2025, 11, 21))
    assert "not over yet" in now.partial


def test_whole_periods_are_compared_as_they_are() -> None:
    now, then = like_for_like(
        date(2025, 1, 1), date(2026, 1, 1), (date(2024, 1, 1), date(2025, 1, 1)), today=TODAY, high=date(2026, 11, 20)
    )
    assert (now.label, then.label, now.partial) == ("2025", "2024", "")


@pytest.mark.parametrize(
    ("text", "grain", "rest"),
    [
        ("growth of revenue by month", "month", "growth of revenue"),
        ("weekly growth of orders", "week", "growth of orders"),
        ("revenue growth year over year", "year", "revenue growth"),
        ("revenue by region", None, "revenue by region"),
    ],
)
def test_grains_are_found_in_words(text: str, grain: str | None, rest: str) -> None:
    assert grain_in(text) == (grain, rest)


def test_a_period_is_taken_out_of_its_words() -> None:
    found = period_in("revenue in the south in March 2026", TODAY)
    assert found is not None
    assert found[:2] == (date(2026, 3, 1), date(2026, 4, 1))
    assert found[3] == "revenue in the south"
    assert grain_of(*found[:2]) == "month"


def test_the_grain_fits_the_length_of_the_data() -> None:
    assert fitting_grain(date(2026, 1, 1), date(2026, 1, 20)) == "day"
    assert fitting_grain(date(2026, 1, 1), date(2026, 5, 1)) == "week"
    assert fitting_grain(date(2023, 1, 1), date(2026, 5, 1)) == "month"
