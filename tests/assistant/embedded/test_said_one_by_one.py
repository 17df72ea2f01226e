"""Figures said one by one, orders and lists by name said in few words: read as the same said at length."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE rower (
    rower_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, age INTEGER NOT NULL,
    wage REAL NOT NULL, town TEXT NOT NULL);
CREATE TABLE boat (
    boat_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, kind TEXT NOT NULL, berths INTEGER NOT NULL,
    length REAL NOT NULL, num_of_oars INTEGER NOT NULL, port TEXT NOT NULL);
CREATE TABLE trip (
    trip_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boat (boat_id),
    rower_id INTEGER NOT NULL REFERENCES rower (rower_id), pier TEXT NOT NULL, started_on DATE NOT NULL,
    distance REAL NOT NULL);
CREATE TABLE regatta (regatta_id INTEGER PRIMARY KEY, regatta TEXT NOT NULL, prize REAL NOT NULL, date TEXT NOT NULL);
INSERT INTO rower VALUES
    (1, 'Ada', 'Moor', 31, 900, 'Kiel'), (2, 'Bo', 'Lund', 24, 1200, 'Ulm'), (3, 'Cy', 'Aman', 52, 700, 'Kiel'),
    (4, 'Di', 'Roth', 25, 1500, 'Bonn');
INSERT INTO boat VALUES
    (1, 'Gull', 'skiff', 4, 6.5, 2, 'Kiel'), (2, 'Heron', 'barge', 9, 14, 8, 'Ulm'), (3, 'International', 'barge', 6, 11, 6, 'Kiel'),
    (4, 'Database', 'skiff', 2, 5, 4, 'Bonn');
INSERT INTO trip VALUES
    (1, 1, 1, 'North', '2025-02-01', 4), (2, 2, 3, 'South', '2025-01-01', 9), (3, 2, 1, 'West', '2025-03-01', 5),
    (4, 2, 2, 'East', '2025-04-01', 7), (5, 3, 1, 'North', '2025-05-01', 3), (6, 1, 4, 'Mole', '2025-06-01', 8);
INSERT INTO regatta VALUES (1, 'Spring Cup', 50, 'May 3rd'), (2, 'Autumn Cup', 70, 'October 4th');
"""


@pytest.fixture(scope="module")
def club(opened):
    return opened("club", _SCHEMA)


def _rows(club, question):
    analyst, con = club
    found = [candidate for candidate in analyst.candidates(question) if candidate.whole]
    assert found, analyst.read(question)
    return con.execute(analyst.sql(found[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Rowers below the average age: list their first names.", [("Ada",), ("Bo",), ("Di",)]),
        ("first names of rowers older than average", [("Cy",)]),
        ("rowers who earn more than the average wage of their town, first names", [("Ada",)]),
    ],
)
def test_a_wish_behind_an_average_does_not_say_whose_average(question, rows, club):
    assert sorted(row[:1] for row in _rows(club, question)) == rows


def test_behind_a_comma_a_figure_begins_and_is_not_compared(club):
    asked = "for rowers with an age over 25, the sum of wages by town"
    assert _rows(club, asked) == [("Kiel", 1600)]
    assert _rows(club, "for boats with a length over 6, sum of berths") == [(19,)]


def test_what_has_no_order_in_time_is_not_ordered_by_something_else(club):
    analyst, _ = club
    assert not analyst.candidates("regatta names, latest first")
