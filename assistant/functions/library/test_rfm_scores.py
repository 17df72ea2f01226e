import pandas as pd
import pytest
from functions import rfm_scores

ORDERS = pd.DataFrame(
    {
        "who": ["Ada", "Ada", "Ben", "Cleo", "Dan"],
        "day": ["2026-05-30", "2026-05-01", "2026-05-20", "2026-03-01", "2026-01-01"],
        "eur": [100, 50, 80, 20, 10],
    }
)


def test_the_best_customer_comes_first():
    table = rfm_scores(ORDERS, "who", "day", "eur", classes=4)
    assert table.index.tolist() == ["Ada", "Ben", "Cleo", "Dan"]
    assert table.loc["Ada", ["recency_days", "frequency", "monetary", "r", "f", "m"]].tolist() == [1, 2, 150, 4, 4, 4]


def test_equal_customers_get_equal_scores():
    orders = pd.DataFrame({"who": [1, 2, 3], "day": ["2026-01-01"] * 3, "eur": [5, 5, 5]})
    assert rfm_scores(orders, "who", "day", "eur")["score"].nunique() == 1


def test_recency_counts_from_a_given_day_and_later_orders_are_left_out():
    table = rfm_scores(ORDERS, "who", "day", "eur", as_of="2026-03-02")
    assert table["recency_days"].to_dict() == {"Cleo": 1, "Dan": 60}


def test_an_order_without_an_amount_still_is_an_order():
    orders = pd.DataFrame({"who": [1, 1, 2], "day": ["2026-01-01"] * 3, "eur": [None, 5, 5]})
    assert rfm_scores(orders, "who", "day", "eur")["frequency"].to_dict() == {1: 2, 2: 1}


def test_no_orders_give_no_customers():
    assert rfm_scores(ORDERS.iloc[:0], "who", "day", "eur").empty


def test_one_class_is_refused():
    with pytest.raises(ValueError, match="at least 2 classes"):
        rfm_scores(ORDERS, "who", "day", "eur", classes=1)
