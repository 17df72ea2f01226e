"""A word that nothing goes by may be like a name in meaning; where something goes by it, nothing is asked."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import date

import numpy as np
import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.deciding import Decider
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood
from knowledge.documents import Metric
from knowledge.embedding import choose_embedder

TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def embed():
    found = choose_embedder().by_meaning
    if found is None:
        pytest.skip("all-MiniLM-L6-v2 is not installed")
    return found


def test_a_synonym_that_no_list_has_finds_its_table(catalog, embed):
    without = Analyst([catalog], (), TODAY).candidates("How many garments and manufactures are there?")
    analyst = Analyst([catalog], (), TODAY, embed)
    found = [c for c in analyst.candidates("How many manufactures are there?") if c.meaning.base == "products"]
    assert found
    assert not any(c.meaning.base == "products" for c in without)


def test_nothing_is_embedded_for_a_question_of_known_words(catalog):
    asked: list[str] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        asked.extend(texts)
        return np.ones((len(texts), 4), dtype=np.float32) / 2

    Analyst([catalog], (), TODAY, embed).read("How many customers are there by country?")
    assert asked == []


def test_vectors_are_made_once(catalog):
    batches: list[list[str]] = []

    def embed(texts: Sequence[str]) -> np.ndarray:
        batches.append(list(texts))
        return np.eye(512, dtype=np.float32)[: len(texts)]

    analyst = Analyst([catalog], (), TODAY, embed)
    for _ in range(2):
        analyst.read("How many zorbs are there?")
    assert sum(batch.count("zorbs") for batch in batches) == 1


def test_a_word_like_nothing_stays_unknown(catalog):
    def embed(texts: Sequence[str]) -> np.ndarray:
        return np.eye(512, dtype=np.float32)[: len(texts)]

    outcome = Analyst([catalog], (), TODAY, embed).read("How many zorbs are there?")
    assert isinstance(outcome, NotUnderstood)
    assert "zorbs" in outcome.words


def _alike(**pairs: str):
    """Every text is like itself alone, but for the pairs."""
    places: dict[str, int] = {}

    def embed(texts: Sequence[str]) -> np.ndarray:
        named = [pairs.get(text.replace(" ", "_"), text) for text in texts]
        return np.eye(512, dtype=np.float32)[[places.setdefault(text, len(places)) for text in named]]

    return embed


def test_unknown_words_side_by_side_may_be_one_name(catalog):
    analyst = Analyst([catalog], (), TODAY, _alike(vending_spots="store"))
    best = analyst.candidates("How many vending spots are there?")[0]
    assert best.meaning.base == "stores"
    assert not best.unknown


def test_a_word_that_is_like_a_name_may_still_be_left_out_by_itself(catalog):
    analyst = Analyst([catalog], (), TODAY, _alike(grumpy="price", clientela="customer"))
    found = analyst.candidates("How many grumpy clientela are there?")
    assert any(c.meaning.base == "customers" and [s.text for s in c.unknown] == ["grumpy"] for c in found)


def test_leaving_out_what_a_name_is_much_like_costs(catalog):
    question = "How many customers like wares?"
    plain = next(c for c in Analyst([catalog], (), TODAY).candidates(question) if c.unknown)
    alike = Analyst([catalog], (), TODAY, _alike(wares="product")).candidates(question)
    left = next(c for c in alike if c.unknown and c.meaning == plain.meaning)
    assert left.score < plain.score


def test_what_is_said_by_its_name_has_no_second_one(catalog):
    analyst = Analyst([catalog], (), TODAY, _alike(clientela="customer"))
    found = analyst.candidates("How many orders does each clientela have by customer?")
    assert all(any(s.text == "clientela" for s in c.unknown) for c in found)


def test_a_prefix_makes_another_thing_of_a_name(catalog):
    embed = _alike(backorders="backorder", order="backorder")
    outcome = Analyst([catalog], (), TODAY, embed).read("How many backorders are there?")
    assert isinstance(outcome, NotUnderstood)
    assert "backorders" in outcome.words


def test_a_word_that_is_but_like_a_name_is_asked_about_beside_a_metric(catalog):
    metric = Metric(name="turnover", expression="SUM(orders.freight)", table="orders", origin="metrics.yaml")
    analyst = Analyst([catalog], (metric,), TODAY)
    decider = Decider(analyst.sources, hint=str)
    sure = replace(analyst.candidates("turnover by status")[0], confidence=0.5)
    liked = replace(sure, spans=tuple(replace(span, likened=span.text == "status") for span in sure.spans))
    assert isinstance(decider.decided([sure]), Understood)
    assert isinstance(decider.decided([liked]), Ambiguous)


def test_a_place_is_not_told_by_a_smaller_one(catalog):
    analyst = Analyst([catalog], (), TODAY, _alike(continent="city", burg="city"))
    assert any(c.meaning.dimensions for c in analyst.candidates("number of stores by burg"))
    assert not any(c.meaning.dimensions for c in analyst.candidates("number of stores by continent"))
