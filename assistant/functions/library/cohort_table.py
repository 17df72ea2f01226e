"""Count how many customers of each cohort were active in each later period."""

import pandas as pd
from functions import require_columns

_ALIASES = {"week": "W", "month": "M", "quarter": "Q", "year": "Y"}


def cohort_table(events: pd.DataFrame, customer: str, date: str, period: str = "month") -> pd.DataFrame:
    """Count active customers by cohort and age.

    A customer belongs to the period of the first event. Events without a customer or a date are left out.

    Args:
        events: a row for each event, such as an order.
        customer: the column that names the customer.
        date: the column with the event's day.
        period: "week", "month", "quarter" or "year".

    Returns:
        A row for each cohort (index `cohort`), a column for each age in periods from 0 on, without gaps; customers as
        whole numbers. Ages that lie after the last event are missing, not 0.

    Raises:
        ValueError: a column is missing, or the period is none of the four.
    """
    require_columns(events, customer, date)
    if period not in _ALIASES:
        raise ValueError(f"The period {period!r} is none of {', '.join(_ALIASES)}.")
    complete = events[[customer, date]].dropna()
    active = pd.to_datetime(complete[date]).dt.to_period(_ALIASES[period])
    frame = pd.DataFrame({"customer": complete[customer], "active": active}).drop_duplicates()
    if frame.empty:
        return pd.DataFrame(index=pd.Index([], name="cohort"))
    first = frame.groupby("customer")["active"].transform("min")
    age = active_age(frame["active"], first)
    last = frame["active"].max()
    cohorts = pd.period_range(first.min(), last, freq=_ALIASES[period], name="cohort")
    counts = pd.crosstab(first, age).reindex(index=cohorts[cohorts.isin(first)], columns=range(int(age.max()) + 1))
    lies_ahead = [[cohort + n > last for n in counts.columns] for cohort in counts.index]
    return counts.fillna(0).astype("Int64").mask(pd.DataFrame(lies_ahead, counts.index, counts.columns))


def active_age(active: pd.Series, first: pd.Series) -> pd.Series:
    """How many periods after the first each one lies."""
    return (active - first).map(lambda offset: offset.n)
