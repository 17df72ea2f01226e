"""A query that keeps other days than its step says is warned of; one that says the same otherwise is not."""

from __future__ import annotations

import pytest

from assistant.agents.model.dates_of_step import find_missing_days

FIRST_QUARTER = "Net revenue in Q1 2026 (2026-01-01 to 2026-03-31) by category."


@pytest.mark.parametrize(
    "sql",
    [
        "SELECT 1 WHERE day BETWEEN '2026-01-01' AND '2026-03-31'",
        "SELECT 1 WHERE day >= '2026-01-01' AND day < '2026-04-01'",
        "SELECT 1 WHERE day > '2025-12-31' AND day < '2026-04-01 00:00:00'",
        "SELECT 1 WHERE strftime('%Y-%m', day) BETWEEN '2026-01' AND '2026-03'",
        "SELECT 1 WHERE day >= '2026-01-01' AND strftime('%Y-%m', day) <= '2026-03'",
        "SELECT 1 WHERE date_trunc('quarter', day) = DATE '2026-01-01'",
        "SELECT 1 WHERE day >= '2026-01-01' AND day < date('2026-01-01', '+3 months')",
        "SELECT 1 WHERE year = 2026 AND day >= '2026-01-01'",
        "SELECT 1 FROM orders",
    ],
)
def test_days_that_are_held_in_other_ways_are_no_finding(sql: str) -> None:
    assert find_missing_days(FIRST_QUARTER, [sql]) == ()


@pytest.mark.parametrize(
    ("sql", "missing"),
    [
        ("SELECT 1 WHERE day BETWEEN '2026-01-01' AND '2026-03-01'", "2026-03-31"),
        ("SELECT 1 WHERE day >= '2025-01-01' AND day < '2025-04-01'", "2026-01-01, 2026-03-31"),
    ],
)
def test_days_that_the_step_says_and_the_query_lacks_are_told(sql: str, missing: str) -> None:
    (found,) = find_missing_days(FIRST_QUARTER, [sql])
    assert (found.level, found.text) == (
        "warning",
        f"The step says {missing}, and the query compares with other days only.",
    )


def test_a_step_without_days_says_nothing_of_a_query() -> None:
    assert (
        find_missing_days("Net revenue of March 2026, on 5 January too.", ["SELECT 1 WHERE day > '2026-02-01'"]) == ()
    )
