"""Convert amounts at the rate of their day."""

import pandas as pd
from functions import require_columns


def convert_currency(
    amounts: pd.DataFrame,
    rates: pd.DataFrame,
    date: str,
    currency: str,
    amount: str,
    *,
    rate: str = "rate",
    to: str = "EUR",
    days_max: int = 7,
) -> pd.DataFrame:
    """Multiply each amount by the last rate on or before its day.

    Args:
        amounts: a row for each amount.
        rates: a row for each currency and day: the columns `currency` and `date` under the same names as in
            `amounts`, and the rate: how much of `to` one unit of the currency is worth.
        date: the column with the day, in both tables.
        currency: the column with the currency's code, in both tables.
        amount: the column with the amount.
        rate: the column with the rate.
        to: the currency of the result; amounts in it need no rate.
        days_max: a rate that is older is not used.

    Returns:
        The rows of `amounts` in their order, with `rate`, `rate_date` and `converted`; missing where there is no rate.

    Raises:
        ValueError: a column is missing, a rate is not above 0, or a currency has two rates on a day.
    """
    require_columns(amounts, date, currency, amount)
    require_columns(rates, date, currency, rate)
    table = rates[[date, currency, rate]].dropna().rename(columns={rate: "rate", currency: "_currency"})
    table["rate_date"] = pd.to_datetime(table.pop(date))
    if (table["rate"] <= 0).any():
        raise ValueError(f"Rates must be above 0; one is {table['rate'].min()}.")
    if table.duplicated(["_currency", "rate_date"]).any():
        row = table[table.duplicated(["_currency", "rate_date"])].iloc[0]
        raise ValueError(f"{row['_currency']!r} has two rates on {row['rate_date']:%Y-%m-%d}.")
    left = amounts[[date, currency, amount]].reset_index(drop=True)
    left = left.assign(_row=range(len(left)), _date=pd.to_datetime(left[date]), _currency=left[currency])
    dated = left.dropna(subset=["_date", "_currency"]).sort_values("_date", kind="stable")
    matched = pd.merge_asof(
        dated.astype({"_date": "datetime64[ns]"}),
        table.astype({"rate_date": "datetime64[ns]"}).sort_values("rate_date"),
        left_on="_date",
        right_on="rate_date",
        by="_currency",
        tolerance=pd.Timedelta(days=days_max),
    ).set_index("_row")
    result = amounts.copy()
    result["rate"] = matched["rate"].reindex(range(len(left))).to_numpy(dtype=float, na_value=float("nan"))
    result["rate_date"] = matched["rate_date"].reindex(range(len(left))).to_numpy()
    result.loc[result[currency] == to, "rate"] = 1.0
    result["converted"] = result[amount] * result["rate"]
    return result
