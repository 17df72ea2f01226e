"""How many something has room for, flags whose value is told, numbers in lists, and the first among others in front."""

from __future__ import annotations

import pytest

from assistant.embedded.words.sayings import plainly

_SCHEMA = """
CREATE TABLE valley (
    valley_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, altitude INTEGER NOT NULL);
CREATE TABLE hut (
    hut_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, valley_id INTEGER NOT NULL REFERENCES valley (valley_id),
    max_occupancy INTEGER NOT NULL, heated TEXT NOT NULL CHECK (heated IN ('Yes', 'No')), built INTEGER NOT NULL,
    approval TEXT NOT NULL CHECK (approval IN ('Yes', 'No')));
CREATE TABLE hiker (hiker_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, joined_on DATE NOT NULL);
CREATE TABLE stay (
    stay_id INTEGER PRIMARY KEY, hut_id INTEGER NOT NULL REFERENCES hut (hut_id),
    hiker_id INTEGER NOT NULL REFERENCES hiker (hiker_id), season TEXT NOT NULL);
CREATE TABLE warden (
    warden_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, valley_id INTEGER NOT NULL REFERENCES valley (valley_id),
    years_working INTEGER NOT NULL, wage REAL NOT NULL);
CREATE TABLE pastime (hiker_id INTEGER NOT NULL REFERENCES hiker (hiker_id), pastime_name TEXT NOT NULL, hours INTEGER NOT NULL);
INSERT INTO valley VALUES (1, 'Anta', 900), (2, 'Bresa', 1400), (3, 'Corno', 1100);
INSERT INTO hut VALUES (11, 'Alm', 1, 20, 'Yes', 1950, 'Yes'), (12, 'Berg', 1, 30, 'No', 1960, 'No'), (13, 'Col', 2, 50, 'Yes', 1970, 'Yes'), (14, 'Dosso', 3, 10, 'No', 1980, 'No');
INSERT INTO hiker VALUES (1, 'Ada', '2019-01-01'), (2, 'Bo', '2020-01-01'), (3, 'Cy', '2021-01-01'), (4, 'Di', '2022-01-01');
INSERT INTO stay VALUES (1, 11, 1, 'summer'), (2, 12, 1, 'winter'), (3, 11, 2, 'summer'), (4, 13, 3, 'winter'), (5, 11, 3, 'winter');
INSERT INTO warden VALUES (1, 'Ede', 1, 4, 30), (2, 'Fee', 2, 6, 50), (3, 'Gus', 2, 9, 70);
INSERT INTO pastime VALUES (1, 'chess', 1), (2, 'chess', 2), (3, 'go', 1), (1, 'go', 3);
"""


@pytest.fixture(scope="module")
def alps(opened):
    analyst, con = opened("alps", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many hikers can all of the huts hold put together?", [(110,)]),
        ("how many people can the huts in Anta sleep in total?", [(50,)]),
        ("How many hikers can each hut hold?", [("Col", 50), ("Berg", 30), ("Alm", 20), ("Dosso", 10)]),
        ("Which huts have room for over 25 hikers?", [("Berg",), ("Col",)]),
        ("How many hikers stayed in the hut Alm?", [(3,)]),
    ],
)
def test_room_is_no_count_of_those_who_are_there(question, rows, alps):
    assert alps(question) == rows


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("names of huts that have heated set to Yes", [("Alm",), ("Col",)]),
        ("huts where heated is no", [("Berg",), ("Dosso",)]),
        ("heated huts", [("Alm",), ("Col",)]),
        ("show the id, name and approval of the huts in Anta", [(11, "Alm", "Yes"), (12, "Berg", "No")]),
        ("names of huts 11, 12 and 14", [("Alm",), ("Berg",), ("Dosso",)]),
        ("number of different pastimes", [(2,)]),
        ("How many people work in each valley?", [("Bresa", 2), ("Anta", 1)]),
        ("In the valley with the highest altitude, what is the average wage of the wardens?", [(60.0,)]),
        ("In the valley that has the most huts, how many wardens are there?", [(1,)]),
        ("Since when has Bo been a hiker?", [("2020-01-01",)]),
        ("names of hikers who had a stay in summer and another in winter", [("Ada",)]),
        ("huts built in 1960", [("Berg",)]),
        ("Please name the huts built after 1965.", [("Col",), ("Dosso",)]),
        ("What do the wages of wardens come to in total, and what is the average?", [(150.0, 50.0)]),
    ],
)
def test_what_is_told_beside_a_name_is_read(question, rows, alps):
    assert sorted(alps(question)) == sorted(rows)


@pytest.mark.parametrize(
    "question",
    [
        "huts in the valley with the highest altitude",
        "a hut with a stove and one of the beds",
        "how many hikers went into the hut",
        "how does the money come to us?",
    ],
)
def test_what_is_said_plainly_stays(question):
    assert plainly(question) == question
