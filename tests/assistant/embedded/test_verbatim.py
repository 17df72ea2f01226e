"""Evidence: how far a reading says what its question says in other words, and of what it is made."""

from __future__ import annotations

import pytest

from assistant.embedded.reading.evidence import NAMES, evidence
from assistant.embedded.reading.shape import shape
from assistant.embedded.reading.verbatim import NAMES as VERBATIM
from assistant.embedded.reading.verbatim import verbatim

_SCHEMA = """
CREATE TABLE shop (shop_id INTEGER PRIMARY KEY, shop_name TEXT NOT NULL, city TEXT NOT NULL,
    staff_count INTEGER NOT NULL);
CREATE TABLE worker (worker_id INTEGER PRIMARY KEY, worker_name TEXT NOT NULL, salary REAL NOT NULL,
    shop_id INTEGER NOT NULL REFERENCES shop (shop_id));
INSERT INTO shop VALUES (1, 'Nord', 'Kiel', 3), (2, 'Sued', 'Ulm', 4);
INSERT INTO worker VALUES (1, 'Ada', 3000, 1), (2, 'Bo', 2500, 1), (3, 'Cy', 4000, 2);
"""


@pytest.fixture(scope="module")
def shops(opened):
    return opened("shops", _SCHEMA)[0]


def found(analyst, question):
    """The likeliest reading of a question."""
    return analyst.candidates(question)[0]


def test_a_reading_in_the_words_of_the_question_leaves_nothing_unsaid(shops):
    told = verbatim(found(shops, "What is the salary of each worker?"))
    assert set(told) == set(VERBATIM)
    assert told["words"] == 2
    assert told["words_elsewhere"] == told["part_elsewhere"] == told["base_unsaid"] == told["tables_unsaid"] == 0


def test_synonyms_are_words_that_only_the_question_says(shops):
    told = verbatim(found(shops, "What is the pay of each employee?"))
    assert told["words_elsewhere"] == 2
    assert told["part_elsewhere"] == 1
    assert told["base_unsaid"]
    assert told["names_unsaid"] > 0.5


def test_values_are_words_of_the_reading_too(shops):
    told = verbatim(found(shops, "workers in Kiel"))
    assert told["words_elsewhere"] == 0
    assert told["conditions_unsaid"] == 1  # the city is not named
    assert told["tables_unsaid"] == 1  # nor the shop


def test_half_of_a_name_is_not_the_name(shops):
    told = verbatim(found(shops, "staff of the shops"))
    assert told["shown_half_said"] > 0
    whole = verbatim(found(shops, "staff count of the shops"))
    assert whole["shown_half_said"] < told["shown_half_said"]


def test_the_shape_counts_conditions_wherever_they_stand(shops):
    plain = shape(found(shops, "workers").meaning)
    assert plain["conditions"] == plain["filters"] == plain["values"] == plain["texts"] == 0
    chosen = shape(found(shops, "How many workers in Kiel earn more than 2600?").meaning)
    assert chosen["conditions"] == 2
    assert chosen["values"] == 2
    assert chosen["texts"] == chosen["equal"] == 1
    grouped = shape(found(shops, "top 1 city by number of workers").meaning)
    assert grouped["dimensions"] == grouped["places"] == grouped["orders"] == 1


def test_every_piece_has_a_name_of_its_own(shops):
    candidates = shops.candidates("workers in Kiel")
    assert len(set(NAMES)) == len(NAMES) == len(evidence("workers in Kiel", candidates, 0))
