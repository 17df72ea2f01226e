import pandas as pd
import pytest
from functions import find_outliers

VALUES = pd.DataFrame({"shop": ["a"] * 6 + ["b"] * 6, "eur": [10, 11, 9, 10, 12, 100, 90, 100, 110, 95, 105, 10]})


def test_values_far_from_the_middle_of_their_group_are_found():
    table = find_outliers(VALUES, "eur", "shop")
    assert sorted(table["eur"]) == [10, 100]
    assert table.set_index("shop")["distance"].gt(0).to_dict() == {"a": True, "b": False}


def test_without_groups_all_values_are_compared():
    assert find_outliers(VALUES, "eur").empty


def test_mostly_equal_values_still_show_one_that_is_not():
    assert find_outliers(pd.DataFrame({"x": [5] * 20 + [50]}), "x")["x"].tolist() == [50]


def test_equal_values_have_no_outliers():
    assert find_outliers(pd.DataFrame({"x": [5] * 20}), "x").empty


def test_small_groups_are_left_out():
    assert find_outliers(pd.DataFrame({"x": [1, 1, 1, 900]}), "x").empty


def test_texts_are_refused():
    with pytest.raises(ValueError, match="'shop' holds no numbers"):
        find_outliers(VALUES, "shop")
