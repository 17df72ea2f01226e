"""What people ask at work in words of their own: the second best, averages by group, other units, ranges of a number.

The data are a gym's: members of some age, active or not, and their visits. Every answer is checked against a query
written by hand.
"""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date, timedelta

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Ambiguous, NotUnderstood

_SCHEMA = """
CREATE TABLE clubs (club_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE members (
    member_id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL, active INTEGER NOT NULL,
    plan TEXT NOT NULL, club_id INTEGER NOT NULL REFERENCES clubs (club_id),
    joined_date DATE NOT NULL);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, member_id INTEGER NOT NULL REFERENCES members (member_id),
    visit_date DATE NOT NULL, stay_minutes INTEGER NOT NULL, amount REAL NOT NULL, mood INTEGER);
INSERT INTO clubs VALUES (1, 'Harbour'), (2, 'Hill'), (3, 'Station');
"""
_NAMES = ("Abel", "Bibi", "Cleo", "Dora", "Egon", "Fred", "Gwen", "Hans", "Ines", "Jana", "Kurt", "Lola")
_VISITS = "visits JOIN members USING (member_id) JOIN clubs c USING (club_id)"


@pytest.fixture(scope="module")
def gym(tmp_path_factory, catalog_of):
    path = tmp_path_factory.mktemp("gym") / "gym.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(_SCHEMA)
        for n, name in enumerate(_NAMES):
            row = (
                n + 1,
                name,
                17 + 5 * n,
                int(n % 3 > 0),
                ("gold", "basic", "silver")[n % 3],
                n % 3 + 1,
                f"2024-0{n % 9 + 1}-01",
            )
            con.execute("INSERT INTO members VALUES (?, ?, ?, ?, ?, ?, ?)", row)
        for n in range(150):
            day = date(2025, 1, 3) + timedelta(days=4 * n)
            row = (n + 1, (n * n) % 11 + 1, day.isoformat(), 30 + n % 90, 5 + n % 7, n % 5 + 1 if n % 9 else None)
            con.execute("INSERT INTO visits VALUES (?, ?, ?, ?, ?, ?)", row)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), date(2026, 11, 21)), con


@pytest.fixture
def same(gym, understood, same_rows):
    """Whether a question gives what a query gives."""

    def check(question, gold):
        analyst, con = gym
        sql = analyst.sql(understood(analyst, question).meaning)
        assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql

    return check


_BY_CLUB = f"SELECT c.name, COUNT(*) AS n FROM {_VISITS} GROUP BY c.name ORDER BY n DESC"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which club has the second most visits?", f"{_BY_CLUB} LIMIT 1 OFFSET 1"),
        ("the club with the 3rd most visits", f"{_BY_CLUB} LIMIT 1 OFFSET 2"),
        ("who is the second oldest member", "SELECT name, age FROM members ORDER BY age DESC LIMIT 1 OFFSET 1"),
        (
            "What is the second highest amount?",
            "SELECT DISTINCT amount FROM visits ORDER BY amount DESC LIMIT 1 OFFSET 1",
        ),
        (
            "second best club by amount",
            f"SELECT c.name, SUM(amount) AS s FROM {_VISITS} GROUP BY c.name ORDER BY s DESC LIMIT 1 OFFSET 1",
        ),
    ],
)
def test_second_is_not_the_first(question, gold, same):
    same(question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("average stay in hours by plan", f"SELECT plan, AVG(stay_minutes) / 60.0 FROM {_VISITS} GROUP BY plan"),
        ("total stay in hours", "SELECT SUM(stay_minutes) / 60.0 FROM visits"),
        ("average stay in minutes", "SELECT AVG(stay_minutes) FROM visits"),
    ],
)
def test_figure_is_shown_in_the_unit_asked_for(question, gold, same):
    same(question, gold)


def test_unit_that_nothing_tells_is_asked_about(gym):
    analyst, _ = gym
    outcome = analyst.read("average mood in hours")
    assert isinstance(outcome, Ambiguous)
    assert "in hours" in outcome.text


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("amount per visit by plan", f"SELECT plan, AVG(amount) FROM {_VISITS} GROUP BY plan"),
        ("members over 50", "SELECT name, age FROM members WHERE age > 50"),
        ("How many members are under 30?", "SELECT COUNT(*) FROM members WHERE age < 30"),
        ("members between 30 and 50", "SELECT name, age FROM members WHERE age BETWEEN 30 AND 50"),
    ],
)
def test_plain_words_of_figures_and_people(question, gold, same):
    same(question, gold)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What share of revenue comes from the top 3 members?",
            "SELECT 100.0 * (SELECT SUM(s) FROM (SELECT SUM(amount) AS s FROM visits GROUP BY member_id ORDER BY s DESC"
            " LIMIT 3)) / (SELECT SUM(amount) FROM visits)",
        ),
        (
            "revenue of the top 2 members in 2025 as part of the total",
            "SELECT 100.0 * (SELECT SUM(s) FROM (SELECT SUM(amount) AS s FROM visits WHERE visit_date LIKE '2025%' GROUP"
            " BY member_id ORDER BY s DESC LIMIT 2)) / (SELECT SUM(amount) FROM visits WHERE visit_date LIKE '2025%')",
        ),
        (
            "Which clubs have more than a third of revenue?",
            f"SELECT c.name, SUM(amount) AS s FROM {_VISITS} GROUP BY c.name HAVING 3 * s > (SELECT SUM(amount) FROM"
            " visits)",
        ),
        (
            "clubs with less than 30% of all visits",
            f"SELECT c.name, COUNT(*) AS n FROM {_VISITS} GROUP BY c.name HAVING n < 0.3 * (SELECT COUNT(*) FROM"
            " visits)",
        ),
        (
            "members with no visits in the last 5 months",
            "SELECT name FROM members m WHERE NOT EXISTS (SELECT 1 FROM visits v WHERE v.member_id = m.member_id AND"
            " visit_date >= '2026-06-21')",
        ),
        (
            "What is the ratio of active to inactive members?",
            "SELECT 1.0 * SUM(active = 1) / SUM(active = 0) FROM members",
        ),
        (
            "ratio of gold to basic members by club",
            "SELECT c.name, 1.0 * SUM(plan = 'gold') / NULLIF(SUM(plan = 'basic'), 0) FROM members JOIN clubs c USING"
            " (club_id) GROUP BY c.name",
        ),
        (
            "Which members had the most visits in the first half of 2026?",
            "SELECT name, COUNT(*) AS n FROM visits JOIN members USING (member_id) WHERE visit_date >= '2026-01-01' AND"
            " visit_date < '2026-07-01' GROUP BY name ORDER BY n DESC LIMIT 1",
        ),
        ("How many inactive members are there?", "SELECT COUNT(*) FROM members WHERE active = 0"),
    ],
)
def test_kinds_of_rows_and_a_figure_for_each(question, gold, same):
    same(question, gold)


def test_rows_of_one_kind_with_their_total_are_read_if_not_surely(gym, first_rows):
    rows, con, sql = first_rows(gym, "members of Hill with their total amount")
    gold = f"SELECT members.name, SUM(amount) FROM {_VISITS} WHERE c.name = 'Hill' GROUP BY member_id"
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_both_ends_at_once_are_not_half_answered(gym):
    analyst, _ = gym
    assert isinstance(analyst.read("top and bottom 3 members by revenue"), NotUnderstood)


_AGES = "CASE WHEN age < 20 THEN 'under 20' WHEN age >= 70 THEN '70 and over' ELSE (age / 10) || '0 to ' || (age / 10) || '9' END"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many members are there by age group?", f"SELECT {_AGES} AS r, COUNT(*) FROM members GROUP BY r"),
        ("members per age range", f"SELECT {_AGES} AS r, COUNT(*) FROM members GROUP BY r"),
        (
            "average amount by age group and club",
            f"SELECT {_AGES} AS r, c.name, AVG(amount) FROM {_VISITS} GROUP BY r, c.name",
        ),
    ],
)
def test_number_is_cut_into_ranges(question, gold, same):
    same(question, gold)


def test_ranges_stand_in_their_order_and_cover_all(gym, understood):
    analyst, con = gym
    rows = con.execute(analyst.sql(understood(analyst, "visits by stay range").meaning)).fetchall()
    assert [name for name, _ in rows] == sorted((name for name, _ in rows), key=_lowest)
    assert sum(count for _, count in rows) == 150


def _lowest(name):
    return 0 if name.startswith("under") else int(name.split()[0])


_CLIENTS = ("Mona", "Adam", "Piet", "Rosa", "Olaf")
_FILE = """
CREATE TABLE bookings_export (
    "Booking No" TEXT, "Booking Date" DATE, "Client Name" TEXT, "Client Age" INTEGER, "Product" TEXT, "Booking Total" REAL,
    "Quantity" INTEGER);
"""


@pytest.fixture(scope="module")
def export(tmp_path_factory, catalog_of):
    path = tmp_path_factory.mktemp("export") / "export.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(_FILE)
        for n in range(120):
            day = date(2025, 1, 3) + timedelta(days=5 * n)
            name = _CLIENTS[n % 5] if n < 90 else "Mona"
            row = (
                f"S-{n + 100}",
                day.isoformat(),
                name,
                20 + n % 5,
                ("Soap", "Comb", "Brush")[n * n % 3],
                4.5 + n % 11,
                1 + n % 4,
            )
            con.execute("INSERT INTO bookings_export VALUES (?, ?, ?, ?, ?, ?, ?)", row)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), date(2026, 11, 21)), con


def test_client_of_a_file_is_a_name_and_a_booking_its_number(export, understood):
    analyst, con = export
    sql = analyst.sql(understood(analyst, "clients with no bookings in the last 3 months").meaning)
    assert sorted(row[0] for row in con.execute(sql)) == ["Adam", "Olaf", "Piet", "Rosa"]
    sql = analyst.sql(understood(analyst, "which 2 products sold the most?").meaning)
    gold = 'SELECT "Product", SUM("Quantity") AS n FROM bookings_export GROUP BY 1 ORDER BY n DESC LIMIT 2'
    assert con.execute(sql).fetchall() == con.execute(gold).fetchall()
    sql = analyst.sql(understood(analyst, "bookings over 14").meaning)
    assert {row[0] for row in con.execute(sql)} == {f"S-{n + 100}" for n in range(120) if n % 11 > 9}
