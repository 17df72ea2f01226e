from __future__ import annotations

import pytest
from hypothesis import given
from hypothesis import strategies as st

from knowledge.lexical import Lexicon, stem, tokens

TEXTS = {
    "orders": ("orders", "Every order with its customer and its total."),
    "order_lines": ("order_lines", "The lines of an order: product, quantity, price."),
    "churn": ("churn", "A customer without an order in the last 180 days."),
    "stores": ("stores", "Where we sell."),
}


@pytest.mark.parametrize("spelling", ["order_lines", "OrderLines", "orderLines", "Order-Lines", "order lines"])
def test_spellings_of_an_identifier_are_alike(spelling: str):
    assert tokens(spelling) == tokens("order line")


def test_accents_and_case_do_not_matter():
    assert tokens("KÜNDIGUNGEN") == tokens("kundigungen")


@pytest.mark.parametrize(
    "words",
    [
        ("customer", "customers"),
        ("category", "categories"),
        ("price", "prices", "priced", "pricing"),
        ("ship", "ships", "shipped", "shipping"),
        ("churn", "churned", "churning"),
        ("sell", "sells", "selling"),
        ("address", "addresses"),
        ("purchase", "purchases", "purchased"),
    ],
)
def test_inflections_are_alike(words: tuple[str, ...]):
    assert len({stem(word) for word in words}) == 1, [stem(word) for word in words]


@pytest.mark.parametrize("pair", [("status", "state"), ("gas", "gal"), ("red", "ring"), ("business", "busy")])
def test_different_words_stay_different(pair: tuple[str, str]):
    assert stem(pair[0]) != stem(pair[1])


def test_the_document_of_that_name_comes_first():
    lexicon = Lexicon(TEXTS)

    assert lexicon.search("orders", 3)[0][0] == "orders"
    assert lexicon.search("order lines", 3)[0][0] == "order_lines"


def test_a_rare_word_weighs_more_than_a_common_one():
    found = Lexicon(TEXTS).search("order price", 4)

    assert found[0][0] == "order_lines"
    assert found[0][1] > found[1][1]


def test_a_question_without_a_known_word_finds_nothing():
    assert Lexicon(TEXTS).search("how many are there of the weather?", 5) == ()


def test_a_search_can_be_narrowed():
    assert [id_ for id_, _ in Lexicon(TEXTS).search("order", 5, among=["churn"])] == ["churn"]


def test_nothing_indexed_finds_nothing():
    assert Lexicon({}).search("order", 5) == ()
    assert Lexicon({"a": ("", "")}).search("order", 5) == ()


@given(st.dictionaries(st.text(min_size=1), st.tuples(st.text(), st.text())), st.text(), st.integers(1, 5))
def test_scores_are_positive_and_fall(texts: dict[str, tuple[str, str]], query: str, k: int):
    scores = [score for _, score in Lexicon(texts).search(query, k)]

    assert len(scores) <= k
    assert all(score > 0 for score in scores)
    assert scores == sorted(scores, reverse=True)
