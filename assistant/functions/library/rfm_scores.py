"""Score customers by how recently, how often and for how much they bought."""

import pandas as pd
from functions import require_columns


def rfm_scores(
    orders: pd.DataFrame, customer: str, date: str, amount: str, *, as_of: object = None, classes: int = 5
) -> pd.DataFrame:
    """Rank customers by recency, frequency and money.

    Equal values get equal scores. Orders without a customer or a date are left out; an amount that is missing counts
    as an order and adds nothing.

    Args:
        orders: a row for each order.
        customer: the column that names the customer.
        date: the column with the order's day.
        amount: the column with its value.
        as_of: the day from which recency is counted; the day after the last order where it is not given. Later orders
            are left out.
        classes: how many scores there are; the best is `classes`, the lowest 1.

    Returns:
        A row for each customer (index `customer`): `recency_days`, `frequency`, `monetary`, `r`, `f`, `m` and `score`,
        their sum; best first.

    Raises:
        ValueError: a column is missing, or `classes` is below 2.
    """
    require_columns(orders, customer, date, amount)
    if classes < 2:
        raise ValueError(f"There must be at least 2 classes, not {classes}.")
    complete = orders[[customer, date, amount]].dropna(subset=[customer, date])
    days = pd.to_datetime(complete[date]).dt.normalize()
    until = pd.Timestamp(as_of) if as_of is not None else days.max() + pd.Timedelta(days=1)
    frame = pd.DataFrame({"customer": complete[customer], "day": days, "amount": complete[amount]})[days < until]
    table = frame.groupby("customer").agg(day=("day", "max"), frequency=("day", "size"), monetary=("amount", "sum"))
    table.insert(0, "recency_days", (until - table.pop("day")).dt.days)
    table["r"] = _score(-table["recency_days"], classes)
    table["f"] = _score(table["frequency"], classes)
    table["m"] = _score(table["monetary"], classes)
    table["score"] = table[["r", "f", "m"]].sum(axis=1)
    return table.sort_values(["score", "monetary"], ascending=False)


def _score(values: pd.Series, classes: int) -> pd.Series:
    """Equal shares of customers in each class, by rank; 1 is lowest."""
    share = values.rank(method="average", pct=True)
    return (share * classes).apply(lambda part: min(classes, max(1, -int(-part // 1)))).astype("int64")
