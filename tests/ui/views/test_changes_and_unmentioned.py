"""What changed since the version before, and what the question says that is not found in what is put forward."""

from __future__ import annotations

import pytest

from ui.views.plan import find_unmentioned
from ui.views.proposal import describe_changes, is_narrower

OLD = "SELECT region,\n  SUM(amount)\nFROM sales\nWHERE year = 2025\nGROUP BY 1"


def test_changes_are_counted_in_words() -> None:
    assert describe_changes(OLD, OLD) == ""
    assert describe_changes(OLD, OLD.replace("2025", "2024")) == "1 line added, 1 line removed"


def test_a_query_that_only_adds_conditions_is_narrower() -> None:
    assert is_narrower(OLD, OLD.replace("GROUP BY", "  AND region = 'North'\nGROUP BY"))
    assert not is_narrower(OLD, OLD.replace("2025", "2024"))
    assert not is_narrower(OLD, OLD)


@pytest.mark.parametrize(
    ("question", "told", "missing"),
    [
        ("revenue by region in 2025", ["Revenue by region", "WHERE year = 2025"], ()),
        ("revenue by region in 2025", ["Revenue by region"], ("2025",)),
        ("the 5 best customers", ["customers LIMIT 5"], ()),
        ("sales since 1,000 euros", ["amount >= 1000"], ()),
        ("revenue in the North", ["Revenue by region"], ("North",)),
        ("revenue in the North", ["region = 'North'"], ()),
        ("orders of “Red Lamp”", ["orders"], ("Red Lamp",)),
        ("Umsatz by Stadt for Kunden", ["revenue by city"], ()),
        ("", ["x"], ()),
    ],
)
def test_numbers_and_names_that_are_missing_are_told(question: str, told: list[str], missing: tuple[str, ...]) -> None:
    assert find_unmentioned(question, told) == missing
