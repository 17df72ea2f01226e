"""Conditions as people at work say them: whose deed, each at its own time, what rows are worth, what somebody has not."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from assistant.embedded.analyst import Analyst

Opened = tuple[Analyst, sqlite3.Connection]

_SCRIPT = """
CREATE TABLE workers (worker_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, wage REAL NOT NULL,
  boss_id INTEGER REFERENCES workers (worker_id));
CREATE TABLE parks (park_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL);
CREATE TABLE guides (guide_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL UNIQUE, email TEXT, phone TEXT,
  park_id INTEGER NOT NULL REFERENCES parks (park_id));
CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, price REAL NOT NULL,
  ordered_on DATE NOT NULL, finished_on DATE, park_id INTEGER NOT NULL REFERENCES parks (park_id),
  approved_by INTEGER REFERENCES workers (worker_id));
INSERT INTO workers VALUES (1, 'Ada Korn', 9000, NULL), (2, 'Bo Lind', 5200, 1), (3, 'Cy Moe', 4800, 1),
  (4, 'Di Nau', 6000, 2);
INSERT INTO parks VALUES (1, 'Elm', 'Kiel'), (2, 'Oak', 'Bonn'), (3, 'Fir', 'Ulm');
INSERT INTO guides VALUES (1, 'Ann Ray', 'ann@elm.org', '123', 1), (2, 'Ben Sol', 'ben@elm.org', NULL, 1),
  (3, 'Cat Tam', NULL, '456', 2), (4, 'Dan Uhl', NULL, NULL, 3);
INSERT INTO repairs VALUES (1, 'Gate', 12000, '2025-01-10', '2025-03-02', 1, 1),
  (2, 'Roof', 8000, '2025-02-11', '2026-04-02', 1, NULL), (3, 'Pond', 90000, '2025-06-01', NULL, 2, 2),
  (4, 'Path', 3000, '2024-05-05', '2024-09-30', 3, 1), (5, 'Wall', 15000, '2026-02-01', '2026-03-01', 2, 1);
"""


@pytest.fixture(scope="module")
def parks(opened: Callable[..., Opened]) -> Opened:
    """Parks with their repairs, guides and workers."""
    return opened("parks", _SCRIPT)


_BY_ADA = "SELECT title FROM repairs WHERE approved_by = 1"
_ABOVE = "SELECT name FROM parks WHERE park_id IN (SELECT park_id FROM repairs WHERE price > 10000)"


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        # whose deed it was, by a column that is called like it
        ("repairs approved by Ada Korn", _BY_ADA),
        ("Which repairs has Ada Korn approved?", _BY_ADA),
        ("how many repairs were approved by Ada Korn", "SELECT COUNT(*) FROM repairs WHERE approved_by = 1"),
        ("repairs not approved by Ada Korn", "SELECT title FROM repairs WHERE approved_by = 2"),
        ("repairs approved by anyone but Ada Korn", "SELECT title FROM repairs WHERE approved_by = 2"),
        (
            "number of repairs approved by each worker",
            "SELECT name, COUNT(*) FROM repairs JOIN workers ON worker_id = approved_by GROUP BY name",
        ),
        # each at its own time
        (
            "repairs ordered in 2025 and finished in 2026",
            "SELECT title FROM repairs WHERE ordered_on LIKE '2025%' AND finished_on LIKE '2026%'",
        ),
        (
            "repairs ordered before March 2025 and finished after June 2025",
            "SELECT title FROM repairs WHERE ordered_on < '2025-03-01' AND finished_on >= '2025-07-01'",
        ),
        # what rows are worth, where that is the one number they have
        ("parks with repairs over 10000", _ABOVE),
        ("parks with a repair worth more than 10000", _ABOVE),
        ("parks with no repair above 10000", _ABOVE.replace("park_id IN", "park_id NOT IN")),
        ("repairs between 5k and 20k", "SELECT title FROM repairs WHERE price BETWEEN 5000 AND 20000"),
        (
            "parks with more than 1 repair",
            "SELECT name FROM parks WHERE park_id IN (SELECT park_id FROM repairs GROUP BY park_id HAVING COUNT(*) > 1)",
        ),
        # what somebody has, and has not
        ("guides with a phone and an email", "SELECT full_name FROM guides WHERE phone NOTNULL AND email NOTNULL"),
        ("guides with an email but no phone", "SELECT full_name FROM guides WHERE phone IS NULL AND email NOTNULL"),
        ("guides with neither email nor phone", "SELECT full_name FROM guides WHERE phone IS NULL AND email IS NULL"),
        # who is under whom
        ("workers under Ada Korn", "SELECT name FROM workers WHERE boss_id = 1"),
    ],
)
def test_the_rows_that_are_meant(
    parks: Opened, first_rows: Callable[..., tuple[list[object], ...]], said: str, sql: str
) -> None:
    rows, con, ours = first_rows(parks, said)
    assert sorted(rows) == sorted(con.execute(sql).fetchall()), ours
    assert rows


def test_two_things_that_somebody_may_lack_are_not_taken_for_one(parks: Opened) -> None:
    analyst, _ = parks
    for found in analyst.candidates("guides lacking an email or a phone"):
        lacked = {f.column.column for f in found.meaning.filters if f.operator == "missing"}
        assert lacked != {"email"} or found.confidence < 0.5


def test_the_phone_and_the_email_themselves_may_be_asked_for(
    parks: Opened, first_rows: Callable[..., tuple[list[object], ...]]
) -> None:
    rows, con, ours = first_rows(parks, "show the phone and the email of the guides in Elm")
    assert sorted(rows, key=str) == sorted(con.execute("SELECT phone, email FROM guides WHERE park_id = 1"), key=str), (
        ours
    )


def test_who_did_one_thing_need_not_have_done_another(parks: Opened) -> None:
    analyst, _ = parks
    assert not analyst.candidates("repairs finished by Ada Korn")
    assert analyst.candidates("repairs approved by Ada Korn")


def test_whose_deed_it_was_is_shown_where_it_is_asked_for(
    parks: Opened, first_rows: Callable[..., tuple[list[object], ...]]
) -> None:
    rows, con, ours = first_rows(parks, "show the title and approved by of all repairs")
    sql = "SELECT title, name FROM repairs LEFT JOIN workers ON worker_id = approved_by"
    assert sorted(rows, key=str) == sorted(con.execute(sql), key=str), ours
