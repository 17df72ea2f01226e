"""The dates that a question says are the dates of its plan, studies included; otherwise it asks or declines."""

from __future__ import annotations

import pytest
from sample_analyst import sample_analyst

from assistant.analyst.algebra import Within, parts
from assistant.analyst.outcomes import Declined, Understood

JUNE = ("2026-06-01", "2026-07-01")
MAY = ("2026-05-01", "2026-06-01")


def _periods(question: str) -> set[tuple[str, str]]:
    """The periods of what a question means."""
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood), outcome
    return {(part.start, part.end) for part in parts(outcome.meaning.query) if isinstance(part, Within)}


@pytest.mark.parametrize(
    ("question", "periods"),
    [
        ("why did net revenue change in June 2026 compared with May 2026", {JUNE, MAY}),
        ("why did net revenue change in June 2026 compared with May", {JUNE, MAY}),
        ("why did net revenue fall from May to June 2026", {JUNE, MAY}),
        ("why did net revenue fall in June 2026", {JUNE, MAY}),
        (
            "why did net revenue fall from December to January 2026",
            {("2025-12-01", "2026-01-01"), ("2026-01-01", "2026-02-01")},
        ),
        (
            "why did net revenue fall in Q2 2026 compared with Q1 2026",
            {("2026-04-01", "2026-07-01"), ("2026-01-01", "2026-04-01")},
        ),
        (
            "what drove the change in net revenue between 2024 and 2025",
            {("2024-01-01", "2025-01-01"), ("2025-01-01", "2026-01-01")},
        ),
        ("trend in net revenue in 2025", {("2025-01-01", "2026-01-01")}),
        ("forecast net revenue since 2024", {("2024-01-01", "")}),
        ("net revenue in June 2026 compared with May", {JUNE, MAY}),
        ("net revenue in Q1 2026 vs Q1 2025", {("2026-01-01", "2026-04-01"), ("2025-01-01", "2025-04-01")}),
        ("how many orders were there on March 3, 2026", {("2026-03-03", "2026-03-04")}),
        ("net revenue between March 1 and May 31", {("2026-03-01", "2026-06-01")}),
        ("how many orders were there on 15th March 2026", {("2026-03-15", "2026-03-16")}),
    ],
)
def test_the_dates_of_a_question_are_those_of_its_plan(question: str, periods: set[tuple[str, str]]) -> None:
    assert _periods(question) == periods


@pytest.mark.parametrize(
    "question",
    [
        "why did net revenue change since 2025",
        "why did net revenue change in 2023, 2024 and 2025",
        "why did net revenue fall in March",
        "forecast net revenue for 2027",
    ],
)
def test_a_study_that_cannot_go_by_its_dates_is_declined(question: str) -> None:
    assert isinstance(sample_analyst().read(question), Declined)


@pytest.mark.parametrize(
    "question",
    [
        "customers who bought in 2025 but not in 2026",
        "net revenue in 05/2026",
    ],
)
def test_a_date_without_a_place_is_asked_about(question: str) -> None:
    assert not isinstance(sample_analyst().read(question), Understood)
