from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from assistant.record.memory.tokens import cut, estimate


@given(st.text(max_size=300), st.integers(min_value=0, max_value=120))
def test_a_cut_text_never_exceeds_the_tokens_it_was_given(text: str, tokens_max: int) -> None:
    assert estimate(cut(text, tokens_max)) <= tokens_max


@given(st.text(max_size=200))
def test_a_text_that_fits_is_not_cut(text: str) -> None:
    assert cut(text, estimate(text)) == text


@given(st.text(max_size=100), st.text(max_size=100))
def test_joined_texts_never_cost_more_than_both_and_the_break_between(left: str, right: str) -> None:
    assert estimate(left + "\n\n" + right) <= estimate(left) + estimate(right) + 1


def test_the_estimate_is_not_below_the_rule_of_thumb_of_four_characters_a_token() -> None:
    for text in (
        "What was net revenue by region last quarter?",
        "SELECT region, SUM(net_revenue) AS revenue FROM orders WHERE order_date >= '2026-07-01' GROUP BY 1",
        "frame = frame.assign(share=frame['revenue'] / frame['revenue'].sum())",
    ):
        assert estimate(text) >= len(text) / 4


def test_scripts_without_spaces_count_each_character() -> None:
    assert estimate("各地区的净收入是多少") == 10


@pytest.mark.parametrize(
    ("text", "tokens"),
    [
        ("", 0),
        ("abcde", 1),
        ("abcdef", 2),
        ("abcdefghijk", 3),
        ("123", 1),
        ("1234", 2),
        ("a1", 2),
        ("a b", 2),
        ("a  b", 3),
        ("a\n\n\nb", 3),
        ("a\tb", 2),
        ("a,b", 3),
        ("é", 1),
        ("²", 1),
        ("\uffff", 1),
        ("\U00010000", 3),
        ("😀", 3),
    ],
)
def test_words_digits_signs_and_gaps_are_counted(text: str, tokens: int) -> None:
    assert estimate(text) == tokens


@pytest.mark.parametrize(
    ("tokens_max", "text"),
    [(6, "one two three four five six"), (5, "one two […]"), (4, "one […]"), (3, " […]"), (2, "")],
)
def test_what_is_cut_keeps_the_longest_head_that_fits(tokens_max: int, text: str) -> None:
    assert cut("one two three four five six", tokens_max) == text
