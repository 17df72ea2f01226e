""" "The clerks in Kiel, by first and last name" lists names; "the first order" is the earliest, and no first name."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE clerk (
    clerk_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, middle_name TEXT, town TEXT NOT NULL);
CREATE TABLE parcel (
    parcel_id INTEGER PRIMARY KEY, clerk_id INTEGER NOT NULL REFERENCES clerk (clerk_id), weight REAL NOT NULL,
    sent_on DATE NOT NULL, email TEXT NOT NULL);
CREATE TABLE badge (
    badge_id INTEGER PRIMARY KEY, clerk_id INTEGER NOT NULL REFERENCES clerk (clerk_id), badge_number INTEGER NOT NULL);
CREATE TABLE depot (depot_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, street TEXT NOT NULL, note TEXT NOT NULL);
INSERT INTO clerk VALUES (1, 'Ada', 'Moor', 'Z', 'Kiel'), (2, 'Bo', 'Lund', NULL, 'Kiel'), (3, 'Cy', 'Aman', 'Y', 'Ulm');
INSERT INTO parcel VALUES
    (1, 1, 4, '2025-02-01', 'x@mail.com'), (2, 3, 9, '2025-01-01', 'y@post.org'), (3, 2, 5, '2025-03-01', 'z@mail.com');
INSERT INTO badge VALUES (1, 1, 71), (2, 1, 72), (3, 2, 73);
INSERT INTO depot VALUES (1, 'North Gate', 'Elm Way', 'gate'), (2, 'South Gate', 'Oak Row', 'none'), (3, 'Gatehouse', 'Elm Way', 'x');
"""


@pytest.fixture(scope="module")
def post(opened):
    analyst, con = opened("post", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Please list clerks living in Kiel by first and last name.", [("Ada", "Moor"), ("Bo", "Lund")]),
        ("Clerks in Kiel, by first name and last name", [("Ada", "Moor"), ("Bo", "Lund")]),
        ("names of clerks, first middle and last",
         [("Ada", "Moor", "Z"), ("Bo", "Lund", None), ("Cy", "Aman", "Y")]),
        ("Which clerk sent the first parcel? Last name only.", [("Aman",)]),
        ("last name of the clerk with the parcel that was sent first of all", [("Aman",)]),
        ("On what day did we send our very first parcel?", [("2025-01-01",)]),
        ("weight of the last parcel", [(5.0,)]),
        ("number of badges of each clerk", [("Ada", "Moor", 2), ("Bo", "Lund", 1)]),
        ("badge numbers of Bo Lund", [(73,)]),
        ("count of parcels with a mail.com address", [(2,)]),
        ("depots with Gate somewhere in the name", [("Gatehouse",), ("North Gate",), ("South Gate",)]),
        ("where are North Gate and Gatehouse? the street", [("Elm Way",)]),
        ("streets, without repeats, of depots", [("Elm Way",), ("Oak Row",)]),
        ("List, once each, the streets of depots.", [("Elm Way",), ("Oak Row",)]),
        ("Which depots are there? Please list each street once.", [("Elm Way",), ("Oak Row",)]),
        ("clerks from anywhere but Kiel, last names", [("Aman",)]),
    ],
)  # fmt: skip
def test_names_are_listed_and_the_first_is_the_earliest(question, rows, post):
    assert post(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of parcels by first and last name", [("Ada", "Moor", 1), ("Bo", "Lund", 1), ("Cy", "Aman", 1)]),
        ("first and last names of clerks by last name", [("Cy", "Aman"), ("Bo", "Lund"), ("Ada", "Moor")]),
        ("when was each clerk's first parcel?", None),
    ],
)
def test_a_figure_by_name_and_an_order_by_it_stay(question, rows, post):
    found = post(question)
    assert sorted(map(str, found)) == sorted(map(str, rows)) if rows else len(found) == 3
