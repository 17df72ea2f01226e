"""How often somebody came: repeat and one-time customers, and what was done so many times."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.wording.phrases import restated

_SCHEMA = """
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL);
CREATE TABLE bookings (booking_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    booked_on DATE NOT NULL, price INTEGER NOT NULL);
CREATE TABLE extras (extra_id INTEGER PRIMARY KEY, booking_id INTEGER NOT NULL REFERENCES bookings (booking_id),
    fee INTEGER NOT NULL);
CREATE TABLE pets (pet_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    called TEXT NOT NULL);
INSERT INTO clients VALUES (1, 'Ada', 'Kiel'), (2, 'Bo', 'Kiel'), (3, 'Cleo', 'Bonn'), (4, 'Dirk', 'Bonn');
INSERT INTO bookings VALUES (1, 1, '2025-01-05', 10), (2, 1, '2025-03-01', 20), (3, 1, '2026-02-01', 30),
    (4, 2, '2025-02-02', 40), (5, 3, '2026-01-01', 50), (6, 3, '2026-03-01', 60);
INSERT INTO extras VALUES (1, 1, 3), (2, 2, 4), (3, 4, 5), (4, 6, 6);
INSERT INTO pets VALUES (1, 1, 'Rex'), (2, 1, 'Mia'), (3, 4, 'Tom');
"""


@pytest.fixture(scope="module")
def hotel(opened):
    return opened("hotel", _SCHEMA, date(2026, 11, 22))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("repeat clients", [("Ada",), ("Cleo",)]),
        ("how many repeat clients do we have?", [(2,)]),
        ("returning clients by town", [("Bonn", 1), ("Kiel", 1)]),
        ("one-time clients", [("Bo",)]),
        ("clients who booked only once", [("Bo",)]),
        ("clients who booked exactly 3 times", [("Ada",)]),
        ("clients that booked at least twice", [("Ada",), ("Cleo",)]),
        ("clients who booked twice in 2025", [("Ada",)]),
        ("total price of bookings of repeat clients", [(170,)]),
        ("total price of bookings of repeat clients in 2026", [(140,)]),
        ("total fee from one-time clients", [(5,)]),
        ("total fee from clients with at least 2 bookings", [(13,)]),
        ("percentage of repeat clients", [(50.0,)]),
    ],
)
def test_how_often_they_came(question, rows, hotel, same_rows):
    analyst, con = hotel
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


def test_what_repeat_means_is_said(hotel):
    analyst, _ = hotel
    read = analyst.read("repeat clients by town")
    assert "repeat clients have more than one booking" in read.assumptions


def test_whose_rows_they_are_is_said_in_words(hotel):
    analyst, _ = hotel
    meaning = analyst.candidates("total fee from clients with at least 2 bookings")[0].meaning
    assert restated(meaning) == "Total fee, where client is one where there are at least 2 bookings"
