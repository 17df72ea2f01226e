"""Say how likely a target is missed, from what is known and a forecast of the rest."""

from statistics import NormalDist

import pandas as pd
from functions import forecast_with_backtest, simulate


def target_chance(
    table: pd.DataFrame,
    date: str,
    value: str,
    *,
    target: float,
    start: str,
    end: str,
    shared: float = 0.5,
    seed: int = 1,
) -> pd.DataFrame:
    """Add up the months that are known and simulate those that are not.

    Months after the last one of the table are forecast by the method that did best in a backtest; its errors give the
    band. The last month counts as whole: leave it out of the table where it is not.

    Args:
        table: a row for each thing that counts, such as an order.
        date: the column with its day.
        value: the column that is added up.
        target: what the months should come to.
        start: the first month, "2026-01".
        end: the last month, "2026-12".
        shared: which part of their variance the errors of the months have in common, from 0 to 1.
        seed: of the random numbers.

    Returns:
        As `simulate`: a row for each month behind a first row `Total` with `miss_percent`.

    Raises:
        ValueError: a column is missing, there are fewer than 8 months, or `end` is not after `start`.
    """
    first, last = pd.Period(start, freq="M"), pd.Period(end, freq="M")
    if last < first:
        raise ValueError(f"The last month {end} lies before the first one {start}.")
    known_until = pd.to_datetime(table[date]).max().to_period("M")
    ahead = max(1, (last - known_until).n)
    level = 0.9
    series = forecast_with_backtest(table, date, value, periods=ahead, level=level)
    series = series[(series.index >= first) & (series.index <= last)]
    width = NormalDist().inv_cdf((1 + level) / 2)
    months = pd.DataFrame(
        {
            "month": series.index.astype(str),
            "value": series["value"].fillna(series["forecast"]).to_numpy(),
            "spread": ((series["high"] - series["low"]) / (2 * width)).fillna(0.0).to_numpy(),
        }
    )
    return simulate(months, "month", "value", {}, spread="spread", target=target, shared=shared, seed=seed, level=level)
