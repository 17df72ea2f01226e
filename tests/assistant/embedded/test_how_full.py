"""How full something is, where nobody defined it: by a number of rows that have the room anew each time, by a number that
is there once, or by how many rows there are. Checked by hand-written SQL."""

from __future__ import annotations

import pytest

_FERRIES = """
CREATE TABLE ferry (ferry_id INTEGER PRIMARY KEY, ferry_name TEXT NOT NULL, yard TEXT NOT NULL, seats INTEGER NOT NULL);
CREATE TABLE crossing (crossing_id INTEGER PRIMARY KEY, ferry_id INTEGER NOT NULL REFERENCES ferry, sailed_on DATE NOT NULL,
    passengers INTEGER NOT NULL);
INSERT INTO ferry VALUES (1, 'Gull', 'north', 100), (2, 'Tern', 'north', 50), (3, 'Auk', 'south', 20);
INSERT INTO crossing VALUES (1, 1, '2025-01-01', 50), (2, 1, '2025-02-01', 100), (3, 2, '2025-03-01', 10), (4, 3, '2026-01-01', 20);
"""
_SCHOOL = """
CREATE TABLE workshop (code TEXT PRIMARY KEY, title TEXT NOT NULL, level TEXT NOT NULL, max_places INTEGER NOT NULL);
CREATE TABLE signup (signup_id INTEGER PRIMARY KEY, code TEXT NOT NULL REFERENCES workshop, signed_on DATE NOT NULL);
INSERT INTO workshop VALUES ('A', 'Clay', 'one', 4), ('B', 'Felt', 'one', 8), ('C', 'Wood', 'two', 5);
INSERT INTO signup VALUES (1, 'A', '2025-01-01'), (2, 'A', '2025-01-02'), (3, 'B', '2025-01-02'), (4, 'C', '2025-03-02');
"""
_SAILED = "crossing JOIN ferry USING (ferry_id)"
_FULL = "100.0 * SUM(passengers) / SUM(seats)"


@pytest.fixture(scope="module")
def ferries(opened):
    return opened("ferries", _FERRIES)


@pytest.fixture(scope="module")
def school(opened):
    return opened("workshops", _SCHOOL)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("how full were our crossings in 2025?", f"SELECT {_FULL} FROM {_SAILED} WHERE sailed_on LIKE '2025%'"),
        ("occupancy by yard", f"SELECT yard, {_FULL} FROM {_SAILED} GROUP BY 1"),
        ("how full was each ferry?", f"SELECT ferry_name, {_FULL} FROM {_SAILED} GROUP BY 1"),
        ("which ferry has the lowest occupancy?", "SELECT 'Tern'"),
    ],
)
def test_room_that_is_there_anew_each_time(ferries, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(ferries, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


def test_room_that_is_there_once(school, first_rows, same_rows):
    rows, con, sql = first_rows(school, "how full is each workshop?")
    gold = "SELECT title, 100.0 * COUNT(*) / max_places FROM workshop JOIN signup USING (code) GROUP BY code"
    assert same_rows(rows, con.execute(gold).fetchall()), sql
