import pandas as pd
import pytest
from functions import working_days


def count(start, end, **options):
    return working_days(pd.Series([start]), pd.Series([end]), **options)[0]


def test_a_weekend_does_not_count():
    assert count("2026-11-27", "2026-11-30") == 1


def test_a_day_to_itself_is_none():
    assert count("2026-11-27", "2026-11-27") == 0


def test_holidays_and_other_weeks():
    assert count("2026-12-24", "2026-12-28", holidays=["2026-12-25"]) == 1
    assert count("2026-11-27", "2026-11-30", week="1111111") == 3


def test_an_end_before_its_start_is_negative():
    assert count("2026-11-27", "2026-11-25") == -2


def test_a_missing_day_gives_a_missing_count_and_the_index_stays():
    counts = working_days(pd.Series(["2026-11-26", None], index=[5, 9]), pd.Series(["2026-11-27", "2026-11-27"]))
    assert counts.index.tolist() == [5, 9]
    assert counts.isna().tolist() == [False, True]


def test_a_week_without_working_days_is_refused():
    with pytest.raises(ValueError, match="seven figures"):
        count("2026-11-26", "2026-11-27", week="0000000")
