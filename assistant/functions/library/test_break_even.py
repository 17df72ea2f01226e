import pandas as pd
import pytest
from functions import break_even

SALES = pd.DataFrame({"units": [60, 40], "left": [300.0, 200.0]})


def test_fixed_costs_are_divided_by_the_margin_of_one_unit():
    row = break_even(SALES, "units", "left", fixed_cost=400).iloc[0]
    assert row["margin_per_unit"] == 5
    assert row["break_even_quantity"] == 80
    assert row["safety_percent"] == pytest.approx(20)


def test_a_change_of_the_margin_moves_it():
    assert break_even(SALES, "units", "left", fixed_cost=400, change=-0.2).iloc[0]["break_even_quantity"] == 100


@pytest.mark.parametrize(("units", "left", "message"), [(0, 5, "Nothing was sold"), (5, -1, "no volume")])
def test_what_has_no_answer_is_refused(units, left, message):
    with pytest.raises(ValueError, match=message):
        break_even(pd.DataFrame({"units": [units], "left": [left]}), "units", "left", fixed_cost=1)
