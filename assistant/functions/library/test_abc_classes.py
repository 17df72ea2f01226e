import pandas as pd
import pytest
from functions import abc_classes


def items(*values):
    return pd.DataFrame({"item": list("abcdefgh"[: len(values)]), "value": values})


def test_the_item_that_passes_a_limit_belongs_to_the_class():
    table = abc_classes(items(60, 25, 11, 3, 1), "item", "value")
    assert table["abc_class"].tolist() == ["A", "A", "B", "C", "C"]
    assert table["cumulative_share"].iloc[-1] == pytest.approx(1)


def test_rows_of_an_item_are_added_up():
    table = abc_classes(pd.DataFrame({"item": ["a", "b", "a"], "value": [1, 5, 9]}), "item", "value")
    assert table["value"].to_dict() == {"a": 10, "b": 5}


def test_an_item_of_nothing_is_c_even_if_it_is_first_after_a_limit():
    assert abc_classes(items(10, 0), "item", "value")["abc_class"].tolist() == ["A", "C"]


def test_negative_values_are_refused_with_the_item():
    with pytest.raises(ValueError, match="'b' is negative: -4"):
        abc_classes(items(10, -4), "item", "value")


def test_nothing_at_all_has_no_shares():
    with pytest.raises(ValueError, match="no shares"):
        abc_classes(items(0, 0), "item", "value")


def test_limits_must_rise():
    with pytest.raises(ValueError, match="must rise"):
        abc_classes(items(1), "item", "value", limits=(0.9, 0.8))
