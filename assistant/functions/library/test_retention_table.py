import pandas as pd
import pytest
from functions import retention_table

ORDERS = pd.DataFrame(
    {"who": [1, 2, 3, 4, 1, 2, 1], "day": pd.to_datetime(["2026-01-01"] * 4 + ["2026-02-01"] * 2 + ["2026-03-01"])}
)


def test_shares_are_of_the_cohort():
    row = retention_table(ORDERS, "who", "day").iloc[0]
    assert row.tolist() == [4, 1.0, 0.5, 0.25]


def test_a_single_month_has_only_itself():
    table = retention_table(ORDERS[:4], "who", "day")
    assert table.columns.tolist() == ["customers", 0]


def test_no_events_give_an_empty_table():
    assert retention_table(ORDERS.iloc[:0], "who", "day").empty


def test_a_missing_column_is_named():
    with pytest.raises(ValueError, match="no column 'when'"):
        retention_table(ORDERS, "who", "when")
