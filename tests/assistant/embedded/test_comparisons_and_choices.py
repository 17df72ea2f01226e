"""Comparisons as people write them: with signs, by a verb, without a column's name; and one of several conditions."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE crew (crew_id INTEGER PRIMARY KEY, name TEXT NOT NULL, salary REAL NOT NULL, age INTEGER NOT NULL,
    weight REAL NOT NULL, port TEXT NOT NULL, joined_year INTEGER NOT NULL);
CREATE TABLE cabin (cabin_id INTEGER PRIMARY KEY, cabin_name TEXT NOT NULL, max_occupancy INTEGER NOT NULL,
    depth INTEGER NOT NULL, built INTEGER NOT NULL);
CREATE TABLE mast (mast_id INTEGER PRIMARY KEY, mast_name TEXT NOT NULL, metres INTEGER NOT NULL);
INSERT INTO crew VALUES (1, 'Ada', 900, 31, 60, 'Oslo', 1890), (2, 'Ben', 1500, 20, 95, 'Bergen', 1925),
    (3, 'Cleo', 2500, 45, 70, 'Oslo', 1926), (4, 'Dora', 1500, 36, 82, 'Turku', 1940);
INSERT INTO cabin VALUES (1, 'Blue', 2, -5, 3), (2, 'Gold', 4, 2, 7), (3, 'Rose', 9, -40, 8);
INSERT INTO mast VALUES (1, 'Fore', 31), (2, 'Main', 44);
"""


@pytest.fixture(scope="module")
def ship(opened):
    return opened("ship", _SCHEMA)


def rows_of(ship, question):
    """The rows of the likeliest reading, as asked for."""
    analyst, con = ship
    best = analyst.candidates(question)[0]
    return con.execute(analyst.sql(best.meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("names of crew with salary > 1500", ["Cleo"]),
        ("names of crew with salary >= 1500", ["Ben", "Cleo", "Dora"]),
        ("names of crew with salary ≤ 1500 and age < 32", ["Ada", "Ben"]),
        ("names of crew where salary = 900", ["Ada"]),
        ("names of crew where age != 20", ["Ada", "Cleo", "Dora"]),
        ("names of crew who earn more than 1000", ["Ben", "Cleo", "Dora"]),
        ("names of crew who weigh less than 80", ["Ada", "Cleo"]),
        ("names of cabins that can hold at least 4 crew", ["Gold", "Rose"]),
        ("names of masts of more than 40", ["Main"]),
        ("names of cabins with a depth between -10 and 3", ["Blue", "Gold"]),
        ("names of crew with a salary above 2000 or below 1000", ["Ada", "Cleo"]),
        ("names of crew with a weight over 90 or a salary over 2000", ["Ben", "Cleo"]),
        ("names of crew aged either 20 or 36", ["Ben", "Dora"]),
        ("names of crew who joined in 1925 or 1940", ["Ben", "Dora"]),
        ("names of crew who joined in 1926 or later", ["Cleo", "Dora"]),
        ("names of crew who joined after 1930 or before 1900", ["Ada", "Dora"]),
        ("names of crew from Oslo or Turku older than 32", ["Cleo", "Dora"]),
        ("names of crew whose weight is over 90 or who joined in 1940", ["Ben", "Dora"]),
    ],
)
def test_rows_are_those_that_fulfil_the_condition(question, names, ship):
    assert [row[0] for row in rows_of(ship, question)] == names


def test_column_that_was_not_named_is_said(ship):
    analyst, _ = ship
    best = analyst.candidates("names of masts of more than 40")[0]
    assert any("metres" in said for said in best.assumptions)


def test_alternative_period_is_said_as_a_condition(ship, understood):
    analyst, _ = ship
    outcome = understood(analyst, "names of crew who joined after 1930 or before 1900")
    assert " or " in outcome.restated
