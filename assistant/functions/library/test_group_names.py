import pandas as pd
import pytest
from functions import group_names


def groups(*names):
    return dict(group_names(pd.Series(names))[["name", "group"]].itertuples(index=False, name=None))


def test_spellings_are_grouped_under_the_most_frequent_one():
    assert groups("Café Müller", "Cafe Muller", "Café Müller", "MÜLLER, CAFÉ") == {
        "Cafe Muller": "Café Müller",
        "MÜLLER, CAFÉ": "Café Müller",
    }


def test_a_slip_of_a_letter_is_found():
    assert groups("Hamburg", "Hamburg", "Hambrug") == {"Hambrug": "Hamburg"}


def test_numbered_names_are_different():
    assert groups("Store 1", "Store 2", "Store 12") == {}


def test_missing_names_are_left_out():
    assert groups("Ada", None, "Ada") == {}


def test_a_likeness_of_nothing_is_refused():
    with pytest.raises(ValueError, match="between 0 and 1"):
        group_names(pd.Series(["a"]), likeness_min=0)
