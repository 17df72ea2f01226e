import pandas as pd
import pytest
from functions import compare_periods


def sales(first, values):
    return pd.DataFrame({"day": pd.period_range(first, periods=len(values), freq="M").to_timestamp(), "eur": values})


def test_a_month_stands_beside_the_one_before_and_that_of_last_year():
    row = compare_periods(sales("2025-01", [100] * 11 + [50, 120]), "day", "eur").loc["2026-01"]
    assert row["before"] == 50
    assert row["change"] == pytest.approx(1.4)
    assert row["change_to_year_before"] == pytest.approx(0.2)
    assert row["moving_average"] == pytest.approx(90)


def test_a_month_without_rows_is_zero_and_nothing_is_compared_with_it():
    table = compare_periods(sales("2026-01", [10, 20, 30]).drop(index=1), "day", "eur")
    assert table["value"].tolist() == [10, 0, 30]
    assert pd.isna(table["change"].iloc[2])


def test_the_first_periods_have_nothing_to_compare_with():
    table = compare_periods(sales("2026-01", [10, 20, 30]), "day", "eur", window=2)
    assert table["moving_average"].isna().tolist() == [True, False, False]
    assert table["year_before"].isna().all()


def test_no_rows_give_no_periods():
    assert compare_periods(sales("2026-01", []), "day", "eur").empty


def test_an_empty_window_is_refused():
    with pytest.raises(ValueError, match="at least 1 period"):
        compare_periods(sales("2026-01", [1]), "day", "eur", window=0)
