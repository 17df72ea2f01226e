import pandas as pd
import pytest
from functions import require_columns


def test_a_table_with_all_columns_passes():
    require_columns(pd.DataFrame({"a": [1], "b": [2]}), "a", "b")


def test_no_column_is_asked_for():
    require_columns(pd.DataFrame())


def test_a_missing_column_is_named_with_those_that_are_there():
    with pytest.raises(ValueError, match=r"no column 'c'\. It has 'a', 'b'"):
        require_columns(pd.DataFrame({"a": [1], "b": [2]}), "a", "c")
