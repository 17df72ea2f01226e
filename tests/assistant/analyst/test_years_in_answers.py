"""A year that an answer tells is written as a year: no amount of years, and not "2,006"."""

from __future__ import annotations

import pytest

from assistant.analyst.presenting.answers import said
from assistant.analyst.presenting.columns import Shown, _named


@pytest.mark.parametrize(
    ("column", "values", "text"),
    [
        (Shown(name="highest_release_year", words="highest release year", kind="figure", unit="years"), [2006], "2006"),
        (Shown(name="average_year", words="average year", kind="figure", unit="years"), [1978.5, 2001.25], "1978.5"),
        (Shown(name="zip_code", words="zip code", kind="value"), [1930], "1930"),
        (Shown(name="number_of_orders", words="number of orders", kind="figure", adds_up=True), [2006], "2,006"),
        (Shown(name="orders_by_year", words="orders by year", kind="figure", adds_up=True), [2006], "2,006"),
        (Shown(name="different_code", words="different code", kind="figure"), [2006], "2,006"),
        (
            Shown(name="total_budget", words="total budget", kind="figure", unit="EUR", adds_up=True),
            [1930],
            "1,930 EUR",
        ),
    ],
)
def test_a_year_is_written_bare(column: Shown, values: list[float], text: str) -> None:
    assert said(values[0], _named(column, values)) == text
