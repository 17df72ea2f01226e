"""Say which share of each cohort was active in each later period."""

import pandas as pd
from functions import cohort_table


def retention_table(events: pd.DataFrame, customer: str, date: str, period: str = "month") -> pd.DataFrame:
    """Divide the customers of each age by those of age 0.

    Args:
        events: a row for each event, such as an order.
        customer: the column that names the customer.
        date: the column with the event's day.
        period: "week", "month", "quarter" or "year".

    Returns:
        A row for each cohort, `customers` (its size) and a column for each age; shares from 0 to 1. Ages that lie after
        the last event are missing.

    Raises:
        ValueError: a column is missing, or the period is none of the four.
    """
    counts = cohort_table(events, customer, date, period)
    if counts.empty:
        return counts
    shares = counts.astype("Float64").div(counts[0].astype("Float64"), axis=0)
    shares.insert(0, "customers", counts[0])
    return shares
