import pandas as pd
import pytest
from functions import basket_pairs

LINES = pd.DataFrame(
    [(1, "tea"), (1, "milk"), (2, "tea"), (2, "milk"), (2, "milk"), (3, "tea"), (4, "rice"), (5, "rice"), (5, "tea")],
    columns=["order", "item"],
)


def test_a_pair_counts_once_in_a_basket():
    row = basket_pairs(LINES, "order", "item").iloc[0]
    assert (row["first"], row["second"], row["baskets"]) == ("milk", "tea", 2)
    assert (row["support"], row["confidence"]) == (0.4, 1.0)
    assert row["lift"] == pytest.approx(2 * 5 / (2 * 4))


def test_rare_pairs_are_left_out():
    assert len(basket_pairs(LINES, "order", "item")) == 1
    assert len(basket_pairs(LINES, "order", "item", baskets_min=1)) == 2


def test_baskets_of_one_item_give_no_pairs():
    assert basket_pairs(pd.DataFrame({"order": [1, 2], "item": ["a", "b"]}), "order", "item").empty


def test_a_minimum_below_one_is_refused():
    with pytest.raises(ValueError, match="at least 1"):
        basket_pairs(LINES, "order", "item", baskets_min=0)
