import pandas as pd
import pytest
from functions import draw_sample

TABLE = pd.DataFrame({"region": ["north"] * 60 + ["south"] * 30 + [None] * 10, "n": range(100)})


def test_the_same_seed_draws_the_same_rows():
    assert draw_sample(TABLE, 10).equals(draw_sample(TABLE, 10))
    assert not draw_sample(TABLE, 10).equals(draw_sample(TABLE, 10, seed=1))


def test_groups_keep_their_proportion_and_missing_is_a_group():
    sample = draw_sample(TABLE, 10, by="region")
    assert sample["region"].fillna("none").value_counts().to_dict() == {"north": 6, "south": 3, "none": 1}


def test_the_smallest_group_is_in_the_sample():
    table = pd.DataFrame({"region": ["north"] * 500 + ["south"] * 499 + ["east"]})
    assert draw_sample(table, 3, by="region")["region"].tolist() == ["north", "south", "east"]


def test_weights_add_up_to_the_table():
    assert draw_sample(TABLE, 10, by="region")["weight"].sum() == pytest.approx(100)
    assert draw_sample(TABLE, 7)["weight"].sum() == pytest.approx(100)


def test_all_rows_are_the_table():
    assert draw_sample(TABLE, 100, by="region")["n"].tolist() == list(range(100))


def test_more_rows_than_there_are_is_refused():
    with pytest.raises(ValueError, match="between 1 and 100 rows, not 101"):
        draw_sample(TABLE, 101)


def test_more_groups_than_rows_is_refused():
    with pytest.raises(ValueError, match="3 groups"):
        draw_sample(TABLE, 2, by="region")
