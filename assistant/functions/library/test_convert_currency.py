import pandas as pd
import pytest
from functions import convert_currency

RATES = pd.DataFrame(
    {"day": ["2026-01-02", "2026-01-05", "2026-01-02"], "cur": ["USD", "USD", "GBP"], "rate": [0.9, 0.8, 1.2]}
)


def convert(*rows, **options):
    amounts = pd.DataFrame(rows, columns=["day", "cur", "sum"])
    return convert_currency(amounts, RATES, "day", "cur", "sum", **options)


def test_a_weekend_takes_the_rate_before_it():
    table = convert(("2026-01-04", "USD", 100), ("2026-01-05", "USD", 100))
    assert table["converted"].tolist() == [90, 80]


def test_the_target_s_own_currency_needs_no_rate():
    assert convert(("2026-01-01", "EUR", 7))["converted"].tolist() == [7]


def test_an_old_or_later_rate_is_not_used():
    table = convert(("2026-03-01", "GBP", 1), ("2026-01-01", "GBP", 1), ("2026-01-03", "CHF", 1))
    assert table["converted"].isna().all()


def test_rows_keep_their_order_and_index():
    amounts = pd.DataFrame({"day": ["2026-01-06", "2026-01-02"], "cur": "USD", "sum": [1, 1]}, index=[7, 3])
    table = convert_currency(amounts, RATES, "day", "cur", "sum")
    assert table.index.tolist() == [7, 3]
    assert table["converted"].tolist() == [0.8, 0.9]


def test_two_rates_on_a_day_are_refused():
    twice = pd.concat([RATES, RATES.iloc[:1]])
    with pytest.raises(ValueError, match="'USD' has two rates on 2026-01-02"):
        convert_currency(pd.DataFrame({"day": [], "cur": [], "sum": []}), twice, "day", "cur", "sum")
