import numpy as np
import pandas as pd
import pytest
from functions import forecast_with_backtest


def series(values, freq="M"):
    days = pd.period_range("2020-01", periods=len(values), freq=freq).to_timestamp()
    return pd.DataFrame({"day": days, "eur": values})


def test_a_constant_series_goes_on():
    table = forecast_with_backtest(series([5.0] * 12), "day", "eur", periods=3)
    assert table["forecast"].tail(3).tolist() == [5, 5, 5]
    assert table.attrs["mean_absolute_error"] == 0


def test_a_line_goes_on_with_its_drift():
    table = forecast_with_backtest(series(list(range(20))), "day", "eur", periods=2)
    assert table.attrs["method"] == "last value with drift"
    assert table["forecast"].tail(2).tolist() == [20, 21]


def test_a_season_with_growth_is_found():
    values = [100 + 30 * np.sin(n * np.pi / 6) + 24 * (n // 12) for n in range(60)]
    table = forecast_with_backtest(series(values), "day", "eur", periods=12)
    assert table.attrs["method"] == "last season with drift"
    expected = [100 + 30 * np.sin(n * np.pi / 6) + 24 * 5 for n in range(12)]
    assert table["forecast"].tail(12).tolist() == pytest.approx(expected)


def test_the_band_holds_the_forecast_and_never_narrows():
    noise = np.random.default_rng(1).normal(0, 5, 48)
    tail = forecast_with_backtest(series(100 + noise), "day", "eur", periods=6).tail(6)
    assert (tail["low"] < tail["forecast"]).all()
    assert ((tail["high"] - tail["low"]).diff().dropna() >= -1e-9).all()


def test_months_without_rows_are_zero():
    table = forecast_with_backtest(series([1.0] * 12).drop(index=5), "day", "eur")
    assert table["value"].iloc[5] == 0


def test_a_short_series_is_refused_with_its_length():
    with pytest.raises(ValueError, match="at least 8 periods; the table has 3"):
        forecast_with_backtest(series([1, 2, 3]), "day", "eur")
