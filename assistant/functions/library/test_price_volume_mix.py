import pandas as pd
import pytest
from functions import price_volume_mix


def sold(**items):
    rows = [(item, quantity, quantity * price) for item, (quantity, price) in items.items()]
    return pd.DataFrame(rows, columns=["item", "n", "eur"])


def split(before, after):
    return price_volume_mix(before, after, "item", "n", "eur")


def test_a_dearer_item_is_price_alone():
    total = split(sold(a=(10, 5)), sold(a=(10, 6))).loc["Total"]
    assert (total["price"], total["volume"], total["mix"]) == (10, 0, 0)


def test_more_of_everything_is_volume_alone():
    total = split(sold(a=(10, 5), b=(10, 1)), sold(a=(20, 5), b=(20, 1))).loc["Total"]
    assert total["price"] == 0
    assert total["volume"] == pytest.approx(60)
    assert total["mix"] == pytest.approx(0)


def test_dearer_items_instead_of_cheap_ones_are_mix_alone():
    total = split(sold(a=(10, 5), b=(10, 1)), sold(a=(20, 5), b=(0, 1))).loc["Total"]
    assert (total["price"], total["volume"]) == (0, 0)
    assert total["mix"] == pytest.approx(40)


def test_the_parts_add_up_for_new_and_gone_items_too():
    table = split(sold(a=(10, 5), b=(4, 2)), sold(a=(12, 4), c=(3, 9)))
    assert table[["price", "volume", "mix"]].sum(axis=1).tolist() == pytest.approx(table["change"].tolist())
    assert table["state"].to_dict() == {"a": "both", "b": "gone", "c": "new", "Total": ""}


def test_nothing_sold_before_is_refused():
    with pytest.raises(ValueError, match="Nothing was sold"):
        split(sold(a=(0, 5)), sold(a=(1, 5)))
