"""Rows with some of what is counted for them, nouns behind values, and what is never guessed of people."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

_SCHEMA = """
CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, room_name TEXT NOT NULL, beds INTEGER NOT NULL, bed_type TEXT NOT NULL,
    base_price REAL NOT NULL);
CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, room_id INTEGER NOT NULL REFERENCES rooms (room_id),
    last_name TEXT NOT NULL, check_in DATE NOT NULL, kids INTEGER NOT NULL);
INSERT INTO rooms VALUES (1, 'Attic', 1, 'King', 90), (2, 'Barn', 2, 'Queen', 60), (3, 'Cabin', 2, 'King', 80);
INSERT INTO stays VALUES (1, 1, 'Amin', '2026-01-05', 0), (2, 2, 'Bose', '2026-01-07', 2), (3, 2, 'Chan', '2026-02-01', 1),
    (4, 3, 'Dale', '2026-03-09', 0);
"""


@pytest.fixture(scope="module")
def inn(opened):
    return opened("inn", _SCHEMA)


def _rows(inn, question):
    analyst, con = inn
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood | Ambiguous), outcome
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    return con.execute(analyst.sql(meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many stays with kids", [(2,)]),
        ("share of stays with kids", [(50.0,)]),
        ("how many stays without kids", [(2,)]),
        ("number of stays with kids by month", [("2026-01-01", 1), ("2026-02-01", 1)]),
        ("names of rooms with a king bed", [("Attic",), ("Cabin",)]),
        ("cheapest room with a king bed", [("Cabin",)]),
    ],
)
def test_with_some_is_more_than_none_and_a_noun_says_what_kind_of_value_it_is(question, rows, inn):
    assert _rows(inn, question) == rows


def test_what_is_told_of_rows_chooses_none_of_them(inn):
    assert len(_rows(inn, "rooms with their beds")) == 3


def test_how_often_something_happened_is_no_number_of_something_else(inn):
    assert isinstance(inn[0].read("rooms that came more than once"), NotUnderstood)


def test_what_was_done_last_has_the_latest_day(inn):
    assert _rows(inn, "which stay was checked in last") == [("Dale",)]
