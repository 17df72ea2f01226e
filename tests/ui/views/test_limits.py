"""Limits on models are told in words."""

from __future__ import annotations

import pytest

from ui.views import disclosing


@pytest.mark.parametrize(
    ("setting", "limit", "words"),
    [
        ("budgets.turn.calls", 60, "60 calls for each question"),
        ("budgets.session.dollars", 2.5, "2.5 dollars for a conversation"),
        ("budgets.turn.coder.tokens", 40_000, "40,000 tokens for the coder in each question"),
        ("budgets.turn.reviewer.calls", 1, "1 call for the reviewer in each question"),
    ],
)
def test_a_limit_is_told_in_words(setting: str, limit: float, words: str) -> None:
    assert disclosing.describe_limit(setting, limit) == words


def test_a_limit_on_what_is_at_hand_says_so() -> None:
    assert (
        disclosing.describe_scope("budgets.session.planner.calls", is_current=True)
        == "for the planner in this conversation"
    )
