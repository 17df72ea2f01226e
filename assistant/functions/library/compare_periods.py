"""Set each period beside its moving average, the period before and the same period of the year before."""

import pandas as pd
from functions import require_columns

_ALIASES = {"month": ("M", 12), "quarter": ("Q", 4), "year": ("Y", 1)}


def compare_periods(table: pd.DataFrame, date: str, value: str, period: str = "month", window: int = 3) -> pd.DataFrame:
    """Add up a value by period and compare it.

    Rows without a date are left out. A period without rows is 0: it had none.

    Args:
        table: a row for each thing that counts, such as an order.
        date: the column with its day.
        value: the column that is added up.
        period: "month", "quarter" or "year".
        window: how many periods the moving average spans, the period itself and those before it.

    Returns:
        A row for each period from the first to the last (index `period`): `value`, `moving_average`, `before`,
        `change` (share of the period before), `year_before`, `change_to_year_before`. Where there is nothing to
        compare with, or it is 0, the cell is missing.

    Raises:
        ValueError: a column is missing, the period is none of the three, or the window is below 1.
    """
    require_columns(table, date, value)
    if period not in _ALIASES:
        raise ValueError(f"The period {period!r} is none of {', '.join(_ALIASES)}.")
    if window < 1:
        raise ValueError(f"The window must be at least 1 period, not {window}.")
    alias, in_a_year = _ALIASES[period]
    complete = table.dropna(subset=[date])
    totals = complete[value].groupby(pd.to_datetime(complete[date]).dt.to_period(alias).rename("period")).sum()
    if len(totals):
        totals = totals.reindex(pd.period_range(totals.index.min(), totals.index.max(), freq=alias, name="period"))
    totals = totals.fillna(0)
    result = pd.DataFrame({"value": totals, "moving_average": totals.rolling(window).mean()})
    result["before"] = totals.shift()
    result["change"] = _change(totals, totals.shift())
    result["year_before"] = totals.shift(in_a_year)
    result["change_to_year_before"] = _change(totals, totals.shift(in_a_year))
    return result


def _change(values: pd.Series, base: pd.Series) -> pd.Series:
    """As a share of the base; missing where that is 0."""
    return (values - base) / base.abs().where(base != 0)
