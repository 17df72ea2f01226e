"""Every reading is weighed: by what stands around a word, by what is left out, by what the question says besides."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood
from assistant.embedded.reading.confidence import ANSWERED, OFFERED, confidences
from assistant.embedded.reading.evidence import NAMES, evidence

_SCHEMA = """
CREATE TABLE pilot (pilot_id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, team TEXT NOT NULL,
    start_year INTEGER NOT NULL);
CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name TEXT NOT NULL, city TEXT NOT NULL);
CREATE TABLE flight (flight_id INTEGER PRIMARY KEY, pilot_id INTEGER NOT NULL REFERENCES pilot (pilot_id),
    hall_id INTEGER NOT NULL REFERENCES hall (hall_id), fare TEXT NOT NULL, level REAL NOT NULL);
CREATE TABLE equipment (equipment_id INTEGER PRIMARY KEY, hall_id INTEGER NOT NULL REFERENCES hall (hall_id),
    kind TEXT NOT NULL);
INSERT INTO pilot VALUES (1, 'Ada', 31, 'Red', 2001), (2, 'Ben', 20, 'Blue', 2001), (3, 'Cleo', 45, 'Red', 2004),
    (4, 'Dora', 36, 'Green', 2009);
INSERT INTO hall VALUES (1, 'Nord', 'Bern'), (2, 'Sued', 'Basel');
INSERT INTO flight VALUES (1, 1, 1, '9.5', 1.5), (2, 1, 1, '10', 2.5), (3, 2, 2, '100', 30.5), (4, 3, 2, '20', 9);
INSERT INTO equipment VALUES (1, 1, 'ramp'), (2, 2, 'crane'), (3, 2, 'radar');
"""


@pytest.fixture(scope="module")
def field(opened):
    return opened("field", _SCHEMA)


def rows_of(field, question):
    """The rows of the likeliest reading, as asked for; whether it would be answered or offered does not matter."""
    analyst, con = field
    outcome = analyst.read(question)
    assert not isinstance(outcome, NotUnderstood), outcome
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    return con.execute(analyst.sql(meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What are the names and ids of all pilots?", [("Ada", 1), ("Ben", 2), ("Cleo", 3), ("Dora", 4)]),
        ("What is the age of the pilot whose name is Ben?", [(20,)]),
        ("Show the names of pilots who flew in a hall with a crane", [("Ben",), ("Cleo",)]),
        ("What are the names of pilots whose age is not 20?", [("Ada",), ("Cleo",), ("Dora",)]),
        ("What are the names of pilots aged 36 or older?", [("Cleo",), ("Dora",)]),
        ("What are the names of pilots who have never flown in hall Sued?", [("Ada",), ("Dora",)]),
        ("Which start years are shared by pilots of team Red and Blue?", [(2001,)]),
        ("Tell me the highest, lowest and average level of flights", [(30.5, 1.5, 10.875)]),
        ("What is the average fare of the flights?", [(34.875,)]),
        ("Which flights have a level between 1.5 and 2.5? List the flight ids", [(1,), (2,)]),
        ("What are the names of pilots with an 'o' in their name?", [("Cleo",), ("Dora",)]),
        ("Show the names of pilots in the descending order of age", [("Cleo",), ("Dora",), ("Ada",), ("Ben",)]),
        ("What are the names and teams of the two oldest pilots?", [("Cleo", "Red"), ("Dora", "Green")]),
        ("List the 2 youngest pilots with their team", [("Ben", "Blue"), ("Ada", "Red")]),
        ("How many pilots are in team Red or older than 35?", [(3,)]),
    ],
)
def test_rows_are_what_was_asked_for(question, rows, field):
    found = rows_of(field, question)
    in_order = "order" in question
    assert (found if in_order else sorted(found, key=repr)) == (rows if in_order else sorted(rows, key=repr))


def test_numbers_kept_as_text_are_compared_as_numbers(field):
    assert sorted(rows_of(field, "What are the flight ids of flights with a fare over 50?")) == [(3,)]


def test_evidence_has_a_number_for_every_name(field):
    analyst, _ = field
    for question in ("How many pilots are there?", "List the pilots who juggle", "halls without equipment"):
        candidates = sorted(analyst.candidates(question), key=lambda c: -c.score)
        for n in range(len(candidates)):
            found = evidence(question, candidates, n)
            assert len(found) == len(NAMES)
            assert 0.0 <= confidences([found])[0] <= 1.0


def test_a_word_left_out_makes_a_reading_less_sure(field):
    analyst, _ = field
    whole = analyst.candidates("What are the names of pilots?")[0]
    partly = analyst.candidates("What are the names of pilots who juggle?")[0]
    assert whole.whole
    assert not partly.whole
    assert partly.ignored == ("juggle",)
    assert partly.confidence < whole.confidence


def test_the_thresholds_are_in_order():
    assert 0 < OFFERED < ANSWERED < 1


@pytest.mark.parametrize(
    "question", ["How many retired pilots are there?", "pilots who are not grounded", "pilots who have 77 medals"]
)
def test_what_may_turn_the_answer_is_never_left_out_silently(question, field):
    analyst, _ = field
    assert isinstance(analyst.read(question), Ambiguous | NotUnderstood)


def test_what_was_left_out_stands_with_the_answer(field):
    analyst, _ = field
    outcome = analyst.read("What are the names of pilots who juggle?")
    said = outcome.assumptions if isinstance(outcome, Understood) else (outcome.text,)
    assert any("“juggle”" in text for text in said)
