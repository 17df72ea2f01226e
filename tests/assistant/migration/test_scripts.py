"""Scripts of pandas: what they name is given, and what reaches outside is an error with its line."""

from __future__ import annotations

import pytest

from assistant.migration.scripts import read_script
from assistant.migration.statements import MigrationError

TABLES = ("orders", "lines")


def test_the_last_line_is_the_result_and_its_tables_are_named() -> None:
    reading = read_script("import pandas as pd\nbig = orders[orders.n > 1]\nbig.merge(lines)", TABLES)
    assert reading.names == ("orders", "lines")
    assert reading.code.endswith("result = big.merge(lines)")


@pytest.mark.parametrize(
    ("text", "message"),
    [
        ("import pandas as pd\npd.read_csv('a.csv')", "Line 2: read_csv needs a file"),
        ("import requests", "Line 1: requests needs"),
        ("from os import path", "Line 1: os needs"),
        ("x = 1\nopen('a')", "Line 2: open needs"),
        ("orders.to_excel('a.xlsx')", "Line 1: to_excel needs"),
        ("x = 1\norderz.head()", "Line 2: there is no 'orderz'. The source has lines, orders."),
        ("x = (", "Line 1: the script is not valid"),
        ("x = 1", "has no result"),
    ],
)
def test_what_cannot_run_is_refused_with_its_line(text: str, message: str) -> None:
    with pytest.raises(MigrationError, match=message):
        read_script(text, TABLES)
