"""Amounts before what they are of, the answer behind a yes-or-no column, and what a key's owner has."""

from __future__ import annotations

import pytest

from assistant.embedded.linking.said_amounts import behind_their_column

_SCHEMA = """
CREATE TABLE coaches (
    coach_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, stage_name TEXT NOT NULL, licence TEXT NOT NULL);
CREATE TABLE towns (town_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, population INTEGER NOT NULL);
CREATE TABLE runners (
    runner_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town_id INTEGER NOT NULL REFERENCES towns (town_id),
    coach INTEGER NOT NULL REFERENCES coaches (coach_id), prize_money INTEGER NOT NULL, insured TEXT NOT NULL,
    paid_up BOOLEAN NOT NULL, joined_on DATE NOT NULL, left_year INTEGER NOT NULL);
INSERT INTO coaches VALUES (1, 'Kim', 'Comet', 'gold'), (2, 'Lou', 'Bison', 'gold'), (3, 'Max', 'Ember', 'basic');
INSERT INTO towns VALUES (1, 'Zell', 400), (2, 'Auen', 90000), (3, 'Moor', 26000);
INSERT INTO runners VALUES (1, 'Ada', 1, 1, 900, 'Yes', 1, '2020-01-05', 2024), (2, 'Bo', 2, 2, 300, 'No', 0, '2019-03-02', 2022),
    (3, 'Cy', 2, 3, 0, 'Yes', 1, '2023-08-09', 2025), (4, 'Di', 3, 1, 450, 'No', 1, '2021-06-01', 2023);
"""


@pytest.fixture(scope="module")
def races(opened):
    analyst, con = opened("races", _SCHEMA)

    def rows(question):
        found = analyst.candidates(question)
        return con.execute(analyst.sql(found[0].meaning, context=False)).fetchall(), found[0]

    return rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("runners with more than 400 in prize money", [("Ada",), ("Di",)]),
        ("names of runners worth under 400 in prize money", [("Bo",), ("Cy",)]),
        ("How many runners live in towns with over 20000 people?", [(3,)]),
        ("towns with at least 26000 inhabitants", [("Auen",), ("Moor",)]),
        ("How many runners are there where insured is No?", [(2,)]),
        ("runners whose insured is yes", [("Ada",), ("Cy",)]),
        ("runners where paid up is false", [("Bo",)]),
        ("number of runners by the coach's licence", [("gold", 3), ("basic", 1)]),
        ("runners by coach Comet", [("Ada",), ("Di",)]),
        ("number of runners by coach", [("Kim", 2), ("Lou", 1), ("Max", 1)]),
        ("Which runner was the first to join?", [("Bo",)]),
        ("Who was the last one to join?", [("Cy",)]),
        ("How much prize money did each runner win in total? Show the name.", [
            ("Ada", 900), ("Di", 450), ("Bo", 300), ("Cy", 0),
        ]),
    ],
)  # fmt: skip
def test_rows_are_those_that_are_meant(question, rows, races):
    assert races(question)[0] == rows


def test_logged_in_is_not_passed_over(races):
    _, found = races("How many runners are logged in?")
    assert found.unknown or found.left


@pytest.mark.parametrize(
    "question",
    ["runners with over 5 races in March", "towns with more than 3 runners", "runners with more than 400 in total"],
)
def test_amount_of_no_column_stays_where_it_is(question):
    assert behind_their_column(question, ()) == question
