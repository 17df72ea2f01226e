"""Forecast a series by the method that would have forecast its last periods best."""

import numpy as np
import pandas as pd
from functions import require_columns

_SEASONS = {"day": ("D", 7), "week": ("W", 52), "month": ("M", 12), "quarter": ("Q", 4), "year": ("Y", 1)}


def forecast_with_backtest(
    table: pd.DataFrame, date: str, value: str, *, periods: int = 6, period: str = "month", level: float = 0.9
) -> pd.DataFrame:
    """Forecast sums by period, and say how well the method did on periods that it had not seen.

    Four methods are tried: the last value, the last value with the mean change, the same period of the last season,
    and that with the mean change from season to season. Each forecasts the last periods of the series from different
    starts; the one with the smallest mean absolute error one period ahead is used. Rows without a date are left out,
    periods without rows are 0. The last period counts as whole: leave it out of the table where it is not.

    Args:
        table: a row for each thing that counts, such as an order.
        date: the column with its day.
        value: the column that is added up.
        periods: how many periods are forecast.
        period: "day", "week", "month", "quarter" or "year".
        level: the share of outcomes that the band should hold, by the errors of the backtest.

    Returns:
        A row for each period (index `period`), those of the past first: `value`, `forecast`, `low`, `high`. Its
        `.attrs` hold `method`, `mean_absolute_error`, `share_of_mean` (the error as a share of the mean value) and
        `backtests` (how many forecasts were compared).

    Raises:
        ValueError: a column is missing, the series is shorter than 8 periods, or an argument is out of range.
    """
    require_columns(table, date, value)
    if period not in _SEASONS:
        raise ValueError(f"The period {period!r} is none of {', '.join(_SEASONS)}.")
    if periods < 1 or not 0 < level < 1:
        raise ValueError(f"periods must be at least 1 and level between 0 and 1, not {periods} and {level}.")
    alias, season = _SEASONS[period]
    complete = table.dropna(subset=[date])
    sums = complete[value].groupby(pd.to_datetime(complete[date]).dt.to_period(alias)).sum()
    if len(sums):
        sums = sums.reindex(pd.period_range(sums.index.min(), sums.index.max(), freq=alias)).fillna(0)
    if len(sums) < 8:
        raise ValueError(f"A forecast needs at least 8 periods; the table has {len(sums)}. Use a shorter period.")
    past = sums.to_numpy(dtype=float)
    errors = {name: _backtest(past, name, season, periods) for name in _methods(len(past), season)}
    method = min(errors, key=lambda name: float(np.mean(np.abs(errors[name][:, 0]))))
    ahead = _forecast(past, method, season, periods)
    band = _quantiles(errors[method], periods, level)
    index = pd.period_range(sums.index[0], periods=len(past) + periods, freq=alias, name="period")
    padding = np.full(len(past), np.nan)
    result = pd.DataFrame({"value": [*past, *[np.nan] * periods], "forecast": [*padding, *ahead]}, index=index)
    result["low"], result["high"] = [*padding, *(ahead - band)], [*padding, *(ahead + band)]
    error = float(np.mean(np.abs(errors[method][:, 0])))
    mean = float(np.mean(np.abs(past)))
    share = error / mean if mean else float("nan")
    result.attrs = {"method": method, "mean_absolute_error": error, "share_of_mean": share}
    result.attrs["backtests"] = len(errors[method])
    return result


def _methods(length: int, season: int) -> list[str]:
    """Those that the series is long enough for; a season must have been seen twice before the first backtest."""
    seasonal = season > 1 and length >= 2 * season + 4
    return ["last value", "last value with drift", *(["last season", "last season with drift"] if seasonal else [])]


def _forecast(past: np.ndarray, method: str, season: int, periods: int) -> np.ndarray:
    """The next periods by one method."""
    steps = np.arange(1, periods + 1)
    if method == "last value":
        return np.full(periods, past[-1])
    if method == "last value with drift":
        return past[-1] + steps * (past[-1] - past[0]) / (len(past) - 1)
    repeated = np.resize(past[-season:], periods)
    if method == "last season":
        return repeated
    growth = (past[-season:] - past[-2 * season : -season]).mean()
    return repeated + growth * ((steps - 1) // season + 1)


def _backtest(past: np.ndarray, method: str, season: int, periods: int) -> np.ndarray:
    """Errors of forecasts from the last third of the series: a row for each start, a column for each step ahead."""
    needed = 2 * season + 1 if method.startswith("last season") else 4
    starts = range(max(needed, len(past) - max(4, len(past) // 3)), len(past))
    errors = np.full((len(starts), periods), np.nan)
    for row, start in enumerate(starts):
        actual = past[start : start + periods]
        errors[row, : len(actual)] = _forecast(past[:start], method, season, periods)[: len(actual)] - actual
    return errors


def _quantiles(errors: np.ndarray, periods: int, level: float) -> np.ndarray:
    """Half the width of the band at each step; steps that were seen too seldom widen the one before by its root."""
    widths: list[float] = []
    for step in range(periods):
        distances = np.abs(errors[:, step][~np.isnan(errors[:, step])])
        extended = widths[-1] * np.sqrt((step + 1) / step) if step else 0.0
        widths.append(
            max(widths[-1] if step else 0.0, float(np.quantile(distances, level)) if len(distances) >= 4 else extended)
        )
    return np.array(widths)
