"""Questions in people's own words: verbs for what is measured, states in other words, people, sizes; a zoo by hand."""

from __future__ import annotations

import pytest

_ZOO = """
CREATE TABLE keepers (keeper_id INTEGER PRIMARY KEY, keeper_name TEXT NOT NULL UNIQUE, duty TEXT NOT NULL,
    wage REAL NOT NULL, joined DATE NOT NULL, town TEXT NOT NULL);
CREATE TABLE enclosures (enclosure_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, hectares REAL NOT NULL,
    capacity INTEGER NOT NULL, part TEXT NOT NULL, opened_on DATE NOT NULL);
CREATE TABLE beasts (beast_id INTEGER PRIMARY KEY, pet_name TEXT NOT NULL UNIQUE, species TEXT NOT NULL,
    enclosure_id INTEGER NOT NULL REFERENCES enclosures (enclosure_id), origin_country TEXT NOT NULL);
CREATE TABLE feedings (feeding_id INTEGER PRIMARY KEY, keeper_id INTEGER NOT NULL REFERENCES keepers (keeper_id),
    beast_id INTEGER NOT NULL REFERENCES beasts (beast_id), started_at TIMESTAMP NOT NULL,
    ended_at TIMESTAMP NOT NULL, kilos REAL NOT NULL, outcome TEXT NOT NULL);
INSERT INTO keepers VALUES (1, 'Ana Poe', 'vet', 3100, '2015-03-01', 'Ghent'),
    (2, 'Ben Ray', 'warden', 2100, '2012-07-01', 'Ghent'), (3, 'Cat Sun', 'warden', 2300, '2020-01-09', 'Bruges');
INSERT INTO enclosures VALUES (1, 'Savanna', 4.5, 30, 'North', '1990-05-01'), (2, 'Reef', 0.5, 90, 'South', '2004-05-01'),
    (3, 'Aviary', 1.2, 60, 'North', '1985-05-01');
INSERT INTO beasts VALUES (1, 'Zuri', 'lion', 1, 'Kenya'), (2, 'Taj', 'tiger', 1, 'India'),
    (3, 'Pip', 'parrot', 3, 'Brazil'), (4, 'Kofi', 'lion', 1, 'Kenya');
INSERT INTO feedings VALUES (1, 1, 1, '2026-01-01 08:00:00', '2026-01-01 09:00:00', 12, 'completed'),
    (2, 2, 1, '2026-01-02 08:00:00', '2026-01-02 10:00:00', 9, 'cancelled'),
    (3, 2, 3, '2026-02-01 08:00:00', '2026-02-01 08:30:00', 1, 'completed'),
    (4, 2, 4, '2026-02-02 08:00:00', '2026-02-02 08:30:00', 30, 'delayed');
"""


@pytest.fixture(scope="module")
def zoo(opened):
    """An analyst over the zoo's data, and a connection to it."""
    return opened("zoo", _ZOO)


_MEANT = {
    "measured by a verb": (
        ("How much do wardens earn on average?", "SELECT AVG(wage) FROM keepers WHERE duty = 'warden'"),
        ("What do keepers make per duty?", "SELECT duty, AVG(wage) FROM keepers GROUP BY 1"),
        ("Who earns the least?", "SELECT keeper_name FROM keepers WHERE wage = 2100"),
        ("Which enclosure can hold the most visitors?", "SELECT title FROM enclosures WHERE capacity = 90"),
        ("How long does a feeding last on average?", "SELECT AVG(julianday(ended_at) - julianday(started_at))"
         " FROM feedings"),
        ("How many hours did feedings take on average?", "SELECT 1.0"),
    ),
    "how much there was": (
        ("How much did lions get?", "SELECT SUM(kilos) FROM feedings JOIN beasts USING (beast_id)"
         " WHERE species = 'lion'"),
    ),
    "states in other words": (
        ("How many feedings were called off?", "SELECT 1"),
        ("How many late feedings were there?", "SELECT 1"),
        ("How many Kenyans are there?", "SELECT 2"),
    ),
    "size and age by the only column for it": (
        ("What is the largest enclosure?", "SELECT 'Savanna'"),
        ("Which enclosures are bigger than average?", "SELECT 'Savanna'"),
        ("Which is the oldest enclosure?", "SELECT 'Aviary'"),
        ("Which keeper has been with us the longest?", "SELECT 'Ben Ray'"),
    ),
    "the most without a noun": (
        ("Where do most of our keepers live?", "SELECT 'Ghent'"),
        ("Which part do most enclosures lie in?", "SELECT 'North'"),
        ("Who is the most active keeper?", "SELECT 'Ben Ray'"),
    ),
    "people of whatever kind": (
        ("How many people live in Ghent?", "SELECT 2"),
        ("List the people from Bruges", "SELECT 'Cat Sun'"),
    ),
}  # fmt: skip


@pytest.mark.parametrize(("question", "gold"), [case for cases in _MEANT.values() for case in cases])
def test_what_is_said_in_other_words_is_found(zoo, question, gold, first_rows):
    rows, con, sql = first_rows(zoo, question)
    held = [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in rows]
    wanted = [tuple(round(v, 6) if isinstance(v, float) else v for v in row) for row in con.execute(gold).fetchall()]
    assert sorted(held) == sorted(wanted), sql


def test_what_grows_somewhere_is_no_growth(opened, first_rows):
    """ "which plots grow beans" asks for rows, "how did the yield grow" for a study."""
    plots = opened("plots", """
        CREATE TABLE plots (plot_id INTEGER PRIMARY KEY, plot_name TEXT NOT NULL UNIQUE, plant TEXT NOT NULL);
        INSERT INTO plots VALUES (1, 'A1', 'Beans'), (2, 'B2', 'Peas');
    """)  # fmt: skip
    rows, _, sql = first_rows(plots, "Which plots grow beans?")
    assert rows == [("A1",)], sql
