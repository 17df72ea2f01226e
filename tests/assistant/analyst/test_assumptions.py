"""What an answer takes for granted is said beside it."""

from __future__ import annotations

from datetime import date

import pytest
from little_shop import catalog

from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Understood


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("number of customers by region", ("Customers without region are a group of their own.",)),
        ("total freight by region", ("Orders without customer region are a group of their own.",)),
        ("average number of customers per region", ("Customers without region are left out.",)),
        ("number of lines by product", ()),
        ("number of customers in North by region", ()),
    ],
)
def test_what_becomes_of_rows_without_a_key_is_said(question: str, said: tuple[str, ...]) -> None:
    outcome = Analyst((catalog(),), (), date(2026, 11, 21)).read(question)
    assert isinstance(outcome, Understood), outcome
    assert outcome.meaning.assumptions == said
