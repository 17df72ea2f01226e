"""Columns asked for by small questions, behind a dash or along with another; and the first and the last of rows."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE people (
    person_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, birthplace TEXT NOT NULL, height INTEGER NOT NULL,
    weight INTEGER NOT NULL);
CREATE TABLE jugglers (
    juggler_id INTEGER PRIMARY KEY, person_id INTEGER NOT NULL REFERENCES people (person_id), style TEXT NOT NULL);
CREATE TABLE stages (
    stage_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, description TEXT NOT NULL, town TEXT NOT NULL,
    seats INTEGER NOT NULL, rent INTEGER NOT NULL, opened_on DATE NOT NULL, renovated_on DATE NOT NULL);
CREATE TABLE performances (
    performance_id INTEGER PRIMARY KEY, stage_id INTEGER NOT NULL REFERENCES stages (stage_id), day DATE NOT NULL,
    takings INTEGER NOT NULL);
CREATE TABLE coaches (
    coach_id INTEGER PRIMARY KEY, line TEXT NOT NULL, origin TEXT NOT NULL, destination TEXT NOT NULL,
    price INTEGER NOT NULL);
INSERT INTO people VALUES (1, 'Ada', 'Kiel', 180, 70), (2, 'Bo', 'Ulm', 165, 82), (3, 'Cy', 'Ulm', 172, 60),
    (4, 'Di', 'Bonn', 190, 64);
INSERT INTO jugglers VALUES (1, 2, 'clubs'), (2, 4, 'rings');
INSERT INTO stages VALUES (1, 'Anker', 'by the sea', 'Kiel', 90, 500, '2001-04-01', '2020-01-09'),
    (2, 'Bude', 'a small one', 'Ulm', 40, 300, '2010-06-01', '2021-02-03'),
    (3, 'Casa', 'with a garden', 'Ulm', 60, 800, '1999-03-05', '2019-07-07');
INSERT INTO performances VALUES (1, 1, '2026-03-01', 700), (2, 1, '2026-05-09', 900), (3, 3, '2026-01-20', 400);
INSERT INTO coaches VALUES (1, 'red', 'Kiel', 'Ulm', 30), (2, 'blue', 'Ulm', 'Bonn', 12), (3, 'green', 'Kiel', 'Ulm', 25);
"""


@pytest.fixture(scope="module")
def theatre(opened):
    analyst, con = opened("theatre", _SCHEMA)
    return lambda question: (
        con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()
        if analyst.candidates(question)
        else []
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("The stage in Kiel - what is it called and how is it described?", [("Anker", "by the sea")]),
        ("What is the stage with the highest rent called and which town is it in?", [("Casa", "Ulm")]),
        ("How many seats does each stage have, and which town is it in?", [(40, "Ulm"), (60, "Ulm"), (90, "Kiel")]),
        ("For coaches with a price over 20, where do they leave from and where do they go?", [("Kiel", "Ulm")] * 2),
        ("For every stage, when was it opened and when was it renovated?", [
            ("Anker", "2001-04-01", "2020-01-09"), ("Bude", "2010-06-01", "2021-02-03"),
            ("Casa", "1999-03-05", "2019-07-07"),
        ]),
        ("How tall is each person, and how much do they weigh?", [
            ("Ada", 180, 70), ("Bo", 165, 82), ("Cy", 172, 60), ("Di", 190, 64),
        ]),
        ("Where do the fewest coaches go?", [("Bonn",)]),
    ],
)  # fmt: skip
def test_small_questions_ask_for_columns(question, rows, theatre):
    assert sorted(theatre(question)) == sorted(rows)


def test_a_small_question_for_what_the_data_has_not_is_left_as_it_is(theatre):
    from assistant.embedded.linking.inquiries import as_columns

    for question in (
        "For each stage, what is its colour and when was it sold?",
        "Which stage has the most seats, and how many performances did it have?",
        "How many performances were there, and what did they bring in?",
    ):
        assert as_columns(question, ()) == question


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("stages in Ulm - name and seats", [("Bude", 40), ("Casa", 60)]),
        ("I need the stages in Ulm in alphabetical order, showing seats, name and town for each.", [
            (40, "Bude", "Ulm"), (60, "Casa", "Ulm"),
        ]),
        ("the name of the stage whose rent is the lowest, along with that rent", [("Bude", 300)]),
        ("stage with the lowest rent, name and how many seats", [("Bude", 40)]),
        ("names of stages with the rents", [("Anker", 500), ("Bude", 300), ("Casa", 800)]),
        ("Give me all the stages by name.", [("Anker",), ("Bude",), ("Casa",)]),
        ("performances per stage, with stage name", [("Anker", 2), ("Casa", 1)]),
        ("Which stage had the most performances? Show the name and town.", [("Anker", "Kiel")]),
        ("towns of stages that have performances, each name once", [("Kiel",), ("Ulm",)]),
        ("juggler names", [("Bo",), ("Di",)]),
        ("Who are the jugglers?", [("Bo",), ("Di",)]),
        ("ids of the jugglers", [(1,), (2,)]),
    ],
)  # fmt: skip
def test_columns_said_behind_are_shown(question, rows, theatre):
    assert sorted(theatre(question)) == rows


def test_order_said_before_a_request_is_not_by_what_is_requested(theatre):
    assert theatre("stages in alphabetical order. Show the seats and the name") == [
        (90, "Anker"), (40, "Bude"), (60, "Casa"),
    ] or theatre("stages in alphabetical order. Show the seats and the name") == [
        (40, "Bude"), (60, "Casa"), (90, "Anker"),
    ]  # fmt: skip
    assert theatre("stages in alphabetical order of town, name only")[0] == ("Anker",)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("When was the first performance?", [("2026-01-20",)]),
        ("takings of the last performance", [(900,)]),
        ("Which stage had the very first performance?", [("Casa",)]),
        ("takings of the first 2 performances", [(400,), (700,)]),
        ("last performance", [(2,)]),
        ("takings of Casa's last performance", [(400,)]),
        ("Which stage was the last to be renovated?", [("Bude",)]),
        ("Which stage was the first one to open?", [("Casa",)]),
    ],
)
def test_first_and_last_of_rows_go_by_their_day(question, rows, theatre):
    assert theatre(question) == rows


def test_first_of_something_else_is_left_as_it_is():
    from assistant.embedded.linking.first_one import by_day

    for question in ("the first names of people", "first performance of each stage", "the last 3 performances"):
        assert by_day(question, ()) == question


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How much does the shortest person weigh?", [(82.0,)]),
        ("weight of the tallest person", [(64,)]),
        ("the highest weight", [(82,)]),
    ],
)
def test_an_adjective_chooses_by_the_number_that_it_speaks_of(question, rows, theatre):
    assert theatre(question) == rows


def test_newest_of_what_has_no_day_is_not_the_highest(theatre):
    assert theatre("How much is the newest coach price?") == []
