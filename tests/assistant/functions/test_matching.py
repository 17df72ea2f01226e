"""A model is told of the functions that a question asks for by name, and of no others."""

from __future__ import annotations

import pytest

from assistant.functions.library import list_shipped
from assistant.functions.matching import describe_functions_for, find_matching


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("RFM of our customers", ["rfm_scores"]),
        ("Forecast revenue for six months", ["forecast_with_backtest"]),
        ("Which products are bought together?", ["basket_pairs"]),
        ("How many working days does a delivery take, and are there outliers?", ["find_outliers", "working_days"]),
        ("Show me monthly cohorts", ["cohort_table"]),
        ("Revenue by region in 2025", []),
        ("Which customers bought something?", []),
    ],
)
def test_only_what_is_asked_for_is_told(question: str, names: list[str]) -> None:
    assert [function.name for function in find_matching(question, list_shipped())] == names


def test_a_function_is_told_as_it_is_imported_and_called() -> None:
    text = describe_functions_for("retention by month", list_shipped)
    assert text.startswith(
        "from functions import retention_table  # retention_table(events, customer, date, period='month'): "
    )
    assert describe_functions_for("Revenue?", list_shipped) == ""
