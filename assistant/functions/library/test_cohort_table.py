import pandas as pd
import pytest
from functions import cohort_table

ORDERS = pd.DataFrame(
    {
        "who": ["Ada", "Ada", "Ben", "Cleo", "Ben", "Ada"],
        "day": ["2026-01-03", "2026-01-30", "2026-01-09", "2026-03-01", "2026-03-31", "2026-03-02"],
    }
)


def test_customers_are_counted_once_in_each_month():
    table = cohort_table(ORDERS, "who", "day")
    assert [str(cohort) for cohort in table.index] == ["2026-01", "2026-03"]
    assert table.loc["2026-01"].tolist() == [2, 0, 2]


def test_ages_after_the_last_event_are_missing():
    table = cohort_table(ORDERS, "who", "day")
    assert table.loc["2026-03"].isna().tolist() == [False, True, True]


def test_quarters_are_periods_too():
    table = cohort_table(ORDERS, "who", "day", period="quarter")
    assert table.to_numpy().tolist() == [[3]]


def test_events_without_customer_or_day_are_left_out():
    events = pd.DataFrame({"who": ["Ada", None, "Ben"], "day": ["2026-01-01", "2026-01-01", None]})
    assert cohort_table(events, "who", "day").to_numpy().tolist() == [[1]]


def test_no_events_give_no_cohorts():
    assert cohort_table(ORDERS.iloc[:0], "who", "day").empty


def test_an_unknown_period_is_named():
    with pytest.raises(ValueError, match="'day' is none of week, month"):
        cohort_table(ORDERS, "who", "day", period="day")
