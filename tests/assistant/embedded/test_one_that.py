"""What one of somebody's rows is like, however the others are: owners with a boat that was never let; by hand."""

from __future__ import annotations

import pytest

_HARBOUR = """
CREATE TABLE owners (owner_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL);
CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, label TEXT NOT NULL UNIQUE, colour TEXT NOT NULL,
    owner_id INTEGER NOT NULL REFERENCES owners (owner_id));
CREATE TABLE lettings (letting_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boats (boat_id),
    fee REAL NOT NULL);
INSERT INTO owners VALUES (1, 'Ada', 'Bonn'), (2, 'Bo', 'Kiel'), (3, 'Cleo', 'Kiel'), (4, 'Dirk', 'Ulm');
INSERT INTO boats VALUES (1, 'Ibis', 'red', 1), (2, 'Gull', 'blue', 1), (3, 'Tern', 'red', 2), (4, 'Crane', 'blue', 3),
    (5, 'Heron', 'blue', 2);
INSERT INTO lettings VALUES (1, 1, 10), (2, 1, 12), (3, 3, 9), (4, 5, 8), (5, 3, 7), (6, 5, 9);
"""


@pytest.fixture(scope="module")
def harbour(opened):
    return opened("harbour", _HARBOUR)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which owners have a boat with no lettings?", [("Ada",), ("Cleo",)]),
        ("Which owners have a boat that has no lettings?", [("Ada",), ("Cleo",)]),
        ("Find the owners who have a red boat without any letting.", []),
        ("How many owners from Kiel have a boat that has more than 1 letting?", [(1,)]),
        ("Which owners have a boat with at least 3 lettings?", []),
        ("Which owners have no lettings?", [("Cleo",), ("Dirk",)]),
    ],
)
def test_one_row_is_enough(harbour, question, rows, first_rows):
    found, _, sql = first_rows(harbour, question)
    assert sorted(found) == rows, sql
