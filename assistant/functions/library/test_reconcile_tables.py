import pandas as pd
import pytest
from functions import reconcile_tables

BOOK = pd.DataFrame({"id": [1, 2, 3], "eur": [10.0, 20.0, None], "state": ["paid", "open", None]})


def differences(second, **options):
    table = reconcile_tables(BOOK, second, ["id"], ["eur", "state"], **options)
    return table[["id", "column", "state"]].to_numpy().tolist()


def test_equal_tables_have_no_differences_in_any_order():
    assert differences(BOOK.iloc[::-1]) == []


def test_cells_and_rows_that_differ_are_listed():
    bank = pd.DataFrame({"id": [1, 2, 4], "eur": [10.0, 21.5, 5.0], "state": ["paid", "paid", "paid"]})
    assert differences(bank) == [
        [3, "", "only in first"],
        [4, "", "only in second"],
        [2, "eur", "different"],
        [2, "state", "different"],
    ]
    table = reconcile_tables(BOOK, bank, ["id"], ["eur"])
    assert table["difference"].tolist()[-1] == 1.5


def test_a_tolerance_is_for_numbers():
    bank = BOOK.assign(eur=[10.004, 20.0, None])
    assert differences(bank) == [[1, "eur", "different"]]
    assert differences(bank, tolerance=0.005) == []


def test_a_value_on_one_side_alone_differs():
    assert differences(BOOK.assign(eur=[10.0, 20.0, 1.0])) == [[3, "eur", "different"]]


def test_a_key_twice_is_refused():
    with pytest.raises(ValueError, match=r"stands twice in the second table"):
        differences(pd.concat([BOOK, BOOK.iloc[:1]]))
