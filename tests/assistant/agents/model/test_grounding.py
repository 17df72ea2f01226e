"""Figures and names of an answer stand in its results or follow from them; others are found out."""

from __future__ import annotations

from decimal import Decimal

import pytest

from assistant.agents.model.grounding import not_found
from assistant.cells.tables import TableView

SALES = TableView(
    columns=("genre", "revenue", "orders"),
    rows=(("Rock", 61.38, 1240), ("Jazz", Decimal("20.10"), 310), ("Latin", 18.52, 250)),
    total=3,
)


def missing(text: str, *said: str) -> tuple[str, ...]:
    return not_found(text, tables=(SALES,), said=said)


@pytest.mark.parametrize(
    "text",
    [
        "Rock brought **61.38 EUR**, about 61.4.",
        "All three genres brought 100.00 EUR in 1,800 orders.",
        "Rock has 61.4 % of the revenue, and 61 percent when rounded.",
        "Rock brought 41.28 EUR more than Jazz, 3.05 times as much, or 205.4 % more.",
        "On average a genre brought 33.33 EUR.",
        "The two largest, **Rock** and **Jazz**, brought 81.48 EUR.",
        "Rock leads with 1.24k orders.",
    ],
)
def test_figures_that_follow_from_the_results_are_known(text: str) -> None:
    assert missing(text) == ()


@pytest.mark.parametrize(
    ("text", "wrong"),
    [
        ("Rock brought 999,999.99 EUR.", ("999,999.99",)),
        ("Rock brought 61.39 EUR.", ("61.39",)),
        ("Rock brought 61.38 million EUR.", ("61.38 million",)),
        ("**Techno** brought 61.38 EUR.", ("Techno",)),
        ("In 1987 Rock brought 61.38 EUR.", ("1987",)),
    ],
)
def test_figures_and_names_that_do_not_are_found_out(text: str, wrong: tuple[str, ...]) -> None:
    assert missing(text) == wrong


def test_what_the_person_or_the_plan_said_is_known() -> None:
    assert missing("In 1987 **Techno** fans bought Rock for 61.38 EUR.", "How did Techno fans buy in 1987?") == ()
