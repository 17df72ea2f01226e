"""What rows go by, what there is most of, and figures of each kind: a small fishing port, checked by hand."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Ambiguous

_PORT = """
CREATE TABLE boats (
    boat_id INTEGER PRIMARY KEY, boat_name TEXT NOT NULL, shipyard TEXT NOT NULL, age INTEGER NOT NULL,
    crew_type TEXT NOT NULL, fuel_cost REAL NOT NULL);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, boat_id INTEGER NOT NULL REFERENCES boats (boat_id), order_date DATE NOT NULL,
    price REAL NOT NULL, channel_code TEXT NOT NULL);
CREATE TABLE pilots (
    pilot_id INTEGER PRIMARY KEY, pilot_name TEXT NOT NULL, home TEXT NOT NULL, age INTEGER NOT NULL,
    height INTEGER NOT NULL, grade INTEGER NOT NULL);
CREATE TABLE pilot_letters (
    letter_id INTEGER PRIMARY KEY, pilot_id INTEGER NOT NULL REFERENCES pilots (pilot_id),
    sent_on DATE NOT NULL, pages INTEGER NOT NULL);
INSERT INTO pilots VALUES
    (1, 'Ahlers', 'Husum', 61, 180, 2), (2, 'Boje', 'Husum', 44, 192, 2), (3, 'Carstens', 'Varel', 37, 171, 1),
    (4, 'Dirks', 'Husum', 29, 175, 3);
INSERT INTO pilot_letters VALUES (1, 1, '2025-01-02', 3), (2, 3, '2025-05-06', 1), (3, 2, '2024-07-08', 9);
CREATE TABLE festivals (month TEXT NOT NULL, visitors INTEGER NOT NULL);
INSERT INTO boats VALUES
    (1, 'Heron', 'Blohm', 12, 'family', 80), (2, 'Tern', 'Blohm', 4, 'hired', 120), (3, 'Gull', 'Rickmers', 33,
    'hired', 40), (4, 'Skua', 'Ottensen', 8, 'mixed', 120), (5, 'Heron', 'Blohm', 20, 'family', 95);
INSERT INTO orders VALUES
    (1, 1, '2025-03-04', 70, 'web'), (2, 1, '2025-01-09', 20, 'web'), (3, 2, '2025-06-11', 55, 'phone'),
    (4, 3, '2024-12-24', 31, 'web'), (5, 4, '2025-02-01', 90, 'desk');
INSERT INTO festivals VALUES ('May', 300), ('May', 250), ('June', 90), ('May', 410), ('June', 120);
"""


@pytest.fixture(scope="module")
def port(opened):
    """An analyst over the port's data, and a connection to it."""
    return opened("port", _PORT)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("List the shipyards of boats in ascending order by age.", "SELECT shipyard FROM boats ORDER BY age"),
        ("Show the ages of boats by decreasing fuel cost.", "SELECT age FROM boats ORDER BY fuel_cost DESC"),
        ("List the crew types of boats by ascending order of age.", "SELECT crew_type FROM boats ORDER BY age"),
        ("List the order ids of orders ordered by order date.", "SELECT order_id FROM orders ORDER BY order_date"),
        ("List the ages of boats ordered by the amount of fuel cost.", "SELECT age FROM boats ORDER BY fuel_cost"),
    ],
)
def test_rows_go_by_a_column_that_is_not_shown(port, question, gold, first_rows):
    rows, con, sql = first_rows(port, question)
    ordered = con.execute(gold).fetchall()
    assert sorted(rows) == sorted(ordered), sql
    assert rows[0] in (ordered[0], ordered[1]), sql


def test_a_second_sentence_says_in_which_order(port, first_rows):
    question = "How many boats are there per shipyard? Order the shipyards by decreasing number of boats."
    rows, _, sql = first_rows(port, question)
    assert [n for _, n in rows] == [3, 1, 1], sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which months have more than 2 festivals?", "SELECT month FROM festivals GROUP BY month HAVING COUNT(*) > 2"),
        ("What are the names of shipyards that have made two or more boats?",
         "SELECT shipyard FROM boats GROUP BY shipyard HAVING COUNT(*) >= 2"),
        ("Which crew type is used the most often?",
         "SELECT crew_type FROM boats GROUP BY 1 HAVING COUNT(*) = 2"),
        ("What is the channel code that was used the least often?",
         "SELECT channel_code FROM orders GROUP BY 1 HAVING COUNT(*) = 1"),
        ("Which channel codes were used less than 3 times?",
         "SELECT channel_code FROM orders GROUP BY 1 HAVING COUNT(*) < 3"),
        ("Which channel codes have more than 2 records?",
         "SELECT channel_code FROM orders GROUP BY 1 HAVING COUNT(*) > 2"),
    ],
)  # fmt: skip
def test_kinds_are_counted_by_their_rows(port, question, gold, first_rows):
    rows, con, sql = first_rows(port, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What are the average and maximum ages for each of the different crew types?",
         "SELECT crew_type, AVG(age), MAX(age) FROM boats GROUP BY 1"),
        ("Find the average fuel cost for boats with different crew types.",
         "SELECT crew_type, AVG(fuel_cost) FROM boats GROUP BY 1"),
        ("What is the number and average age of boats for each crew type?",
         "SELECT crew_type, COUNT(*), AVG(age) FROM boats GROUP BY 1"),
        ("Find the number and the total fuel cost of boats.", "SELECT COUNT(*), SUM(fuel_cost) FROM boats"),
        ("What is the total fuel cost of family and hired boats?",
         "SELECT SUM(fuel_cost) FROM boats WHERE crew_type <> 'mixed'"),
    ],
)  # fmt: skip
def test_figures_of_each_kind(port, question, gold, first_rows):
    rows, con, sql = first_rows(port, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_ages_of_two_kinds_are_of_each_or_of_both(port):
    analyst, con = port
    outcome = analyst.read("What are the average ages for family and hired boats?")
    assert isinstance(outcome, Ambiguous)
    offered = [con.execute(analyst.sql(meaning, context=False)).fetchall() for _, meaning in outcome.options]
    chosen = "FROM boats WHERE crew_type <> 'mixed'"
    assert con.execute(f"SELECT AVG(age) {chosen}").fetchall() in offered
    assert con.execute(f"SELECT crew_type, AVG(age) {chosen} GROUP BY 1 ORDER BY 2 DESC").fetchall() in offered


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("For each boat name, show its average fuel cost.",
         "SELECT boat_name, AVG(fuel_cost) FROM boats GROUP BY boat_name"),
        ("What are the boat names with an average age above 10?",
         "SELECT boat_name FROM boats GROUP BY boat_name HAVING AVG(age) > 10"),
        ("Show the top 2 boat crew types sorted by the average fuel cost in descending order.",
         "SELECT crew_type FROM boats GROUP BY crew_type ORDER BY AVG(fuel_cost) DESC LIMIT 2"),
    ],
)  # fmt: skip
def test_figures_of_rows_that_share_a_name_are_taken_together(port, question, gold, first_rows):
    rows, con, sql = first_rows(port, question)
    rows = [row[: len(con.execute(gold).fetchone())] for row in rows]
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How old is the tallest pilot?", "SELECT age FROM pilots WHERE height = 192"),
        ("How tall is Carstens?", "SELECT 171"),
        ("Which pilots are shorter than average?",
         "SELECT pilot_name FROM pilots WHERE height < (SELECT AVG(height) FROM pilots)"),
        ("Who wrote the latest pilot letter?", "SELECT 'Carstens'"),
        ("What is the most common grade of pilots?", "SELECT 2"),
        ("How many homes have more than 2 pilots?", "SELECT 1"),
        ("How many homes of pilots with grade 2 have more than 1 pilot?", "SELECT 1"),
        ("Which home has the fewest number of pilots?", "SELECT 'Varel'"),
        ("Which boats have an age larger than or equal to 20?",
         "SELECT boat_name, boat_id FROM boats WHERE age >= 20"),
        ("Show the highest and lowest ages of boats in alphabetical order of crew type.",
         "SELECT crew_type, MAX(age), MIN(age) FROM boats GROUP BY crew_type"),
        ("What are the different grades of pilots? Show each grade along with the number of pilots of that grade.",
         "SELECT grade, COUNT(*) FROM pilots GROUP BY grade"),
    ],
)  # fmt: skip
def test_what_is_asked_of_rows_is_what_is_shown(port, question, gold, first_rows):
    rows, con, sql = first_rows(port, question)
    expected = con.execute(gold).fetchall()
    assert sorted(row[: len(expected[0])] for row in rows) == sorted(row[: len(rows[0])] for row in expected), sql


def test_each_column_of_an_order_has_its_own_direction(port, first_rows):
    question = "List the age of boats, sorted first by fuel cost in descending order, and then by age."
    rows, con, sql = first_rows(port, question)
    assert rows == con.execute("SELECT age FROM boats ORDER BY fuel_cost DESC, age").fetchall(), sql


def test_the_most_of_a_quality_ranks_rows(tmp_path, catalog_of):
    path = tmp_path / "repairs.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE repairs (repair_id INTEGER PRIMARY KEY, title TEXT NOT NULL, costly INTEGER)")
        con.execute("INSERT INTO repairs VALUES (1, 'Mast', 40), (2, 'Keel', 90), (3, 'Sail', 10), (4, 'Hull', 60)")
        analyst = Analyst([catalog_of(path)], (), date(2026, 11, 21))
        found = analyst.candidates("What are the two most costly repairs?")[0]
        assert con.execute(analyst.sql(found.meaning, context=False)).fetchall() == [("Keel",), ("Hull",)]
