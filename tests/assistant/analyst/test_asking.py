"""It asks where readings of the same words are as near to the rows, and not where the others only go farther."""

from __future__ import annotations

import pytest
from sample_analyst import sample_analyst

from assistant.analyst.outcomes import Ambiguous, Understood


@pytest.mark.parametrize("question", ["orders by channel", "orders by status", "how many orders were there in 2025"])
def test_a_reading_of_the_named_table_is_not_doubted_for_readings_that_go_farther(question: str) -> None:
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood)
    assert outcome.meaning.tables == ("orders",)


def test_two_readings_that_are_as_near_are_offered() -> None:
    outcome = sample_analyst().read("How many products cost more than 100?")
    assert isinstance(outcome, Ambiguous)
    assert {label for label, _ in outcome.options} >= {
        "Number of products, where list price is above 100",
        "Number of products, where unit cost is above 100",
    }
