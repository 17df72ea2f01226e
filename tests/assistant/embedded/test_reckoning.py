"""How many and how much in other words: "three stops or more", "a depth of 2 to 5", "how many in each"."""

from __future__ import annotations

import pytest

from assistant.embedded.words.reckoning import reckoned

_SCHEMA = """
CREATE TABLE pier (pier_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, depth REAL NOT NULL);
CREATE TABLE ferry (
    ferry_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, pier_id INTEGER NOT NULL REFERENCES pier (pier_id),
    built INTEGER NOT NULL, fare REAL NOT NULL);
CREATE TABLE crossing (
    crossing_id INTEGER PRIMARY KEY, ferry_id INTEGER NOT NULL REFERENCES ferry (ferry_id), tickets INTEGER NOT NULL);
INSERT INTO pier VALUES (1, 'Ness', 'Oban', 2.0), (2, 'Holm', 'Oban', 5.0), (3, 'Skerry', 'Mull', 9.0), (4, 'Voe', 'Mull', 4.0);
INSERT INTO ferry VALUES
    (1, 'Auk', 1, 1988, 7), (2, 'Brent', 1, 1999, 8), (3, 'Coot', 1, 2004, 4), (4, 'Dunlin', 2, 2011, 6), (5, 'Eider', 3, 2015, 5);
INSERT INTO crossing VALUES (1, 1, 10), (2, 1, 40), (3, 2, 8), (4, 3, 60), (5, 4, 5), (6, 5, 12);
"""


@pytest.fixture(scope="module")
def harbour(opened):
    analyst, con = opened("harbour", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which piers have three ferries or more?", [("Ness",)]),
        ("piers with just a single ferry", [("Holm",), ("Skerry",)]),
        ("piers that have only one ferry", [("Holm",), ("Skerry",)]),
        ("names of piers with a depth of 2 to 4.5", [("Ness",), ("Voe",)]),
        ("names of piers where the depth is 4 to 6", [("Holm",), ("Voe",)]),
        ("names of ferries with an id from 2 to 4", [("Brent",), ("Coot",), ("Dunlin",)]),
        ("count of pre 2000 ferries", [(2,)]),
        ("names of post-2010 ferries", [("Dunlin",), ("Eider",)]),
        ("cheapest ferry and how much it costs", [("Coot", 4.0)]),
        ("ferries per town, count and town", [("Oban", 4), ("Mull", 1)]),
        ("In which towns are the piers, and how many are there in each one?", [("Mull", 2), ("Oban", 2)]),
        ("Count the ferries per town, keeping only the towns more than two ferries belong to.", [("Oban", 4)]),
        ("Which piers lack a ferry?", [("Voe",)]),
        ("names of ferries that average over 20 tickets", [("Coot",), ("Auk",)]),
        ("names of ferries where on average fewer than 10 tickets were sold", [("Brent",), ("Dunlin",)]),
    ],
)
def test_amounts_may_be_said_in_other_words(question, rows, harbour):
    assert harbour(question) == rows


@pytest.mark.parametrize(
    "question",
    [
        "ferries with three crossings and more than 20 tickets",
        "ratio of 1 to 3",
        "places 3 to 5",
        "which ferry costs the most, and how much?",
        "ferries built before 2000",
        "average fare by town, count of ferries",
        "revenue from 2024 to 2025",
    ],
)
def test_what_is_said_plainly_stays(question):
    assert reckoned(question) == question
