"""Rows with two ends, what is asked for at the end of a question, and who did not do it: ferries, checked by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from knowledge.documents import Metric

_FERRIES = """
CREATE TABLE piers (pier_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, country TEXT NOT NULL,
    depth INTEGER NOT NULL);
CREATE TABLE firms (firm_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, trade TEXT NOT NULL);
CREATE TABLE ferries (ferry_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, year_tax_cred INTEGER NOT NULL,
    firm_id INTEGER NOT NULL REFERENCES firms (firm_id), launched DATE NOT NULL);
CREATE TABLE crossings (crossing_id INTEGER PRIMARY KEY, minutes INTEGER NOT NULL,
    src_pier_id INTEGER NOT NULL REFERENCES piers (pier_id), dst_pier_id INTEGER NOT NULL REFERENCES piers (pier_id),
    ferry_id INTEGER NOT NULL REFERENCES ferries (ferry_id));
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, guest_name TEXT NOT NULL UNIQUE);
CREATE TABLE stays (stay_id INTEGER PRIMARY KEY, ferry_id INTEGER NOT NULL REFERENCES ferries (ferry_id),
    guest_id INTEGER NOT NULL REFERENCES guests (guest_id));
CREATE TABLE cooks (cook_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    galley TEXT NOT NULL, hire_date DATE NOT NULL, ferry_id INTEGER NOT NULL REFERENCES ferries (ferry_id));
INSERT INTO piers VALUES (1, 'Rab', 'Croatia', 9), (2, 'Bari', 'Italy', 14), (3, 'Krk', 'Croatia', 7);
INSERT INTO firms VALUES (1, 'Linda', 'freight'), (2, 'Mare', 'tours'), (3, 'Orca', 'freight');
INSERT INTO ferries VALUES (1, 'Alba', 30, 1, '2001-05-06'), (2, 'Brda', 10, 2, '2007-08-09'),
    (3, 'Cer', 20, 2, '2011-02-03');
INSERT INTO crossings VALUES (1, 60, 1, 2, 1), (2, 80, 2, 3, 1), (3, 35, 1, 3, 2), (4, 50, 3, 1, 2);
INSERT INTO guests VALUES (1, 'Jure'), (2, 'Maja'), (3, 'Luka');
INSERT INTO stays VALUES (1, 1, 1), (2, 2, 1), (3, 2, 2), (4, 3, 1);
INSERT INTO cooks VALUES (1, 'Ana', 'Bel', 'G 10', '2015-01-01', 1), (2, 'Iva', 'Kos', 'G 11', '2018-02-02', 2);
"""


@pytest.fixture(scope="module")
def ferries(opened):
    """An analyst over the ferries' data, and a connection to it."""
    return opened("ferries", _FERRIES)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many crossings end at a Croatian pier?", "SELECT 3"),
        ("Which ferries sailed both from Rab and from Bari?", "SELECT 'Alba'"),
        ("Which ferries sailed both to Rab and to Krk?", "SELECT 'Brda'"),
        ("Which ferries have never departed from Bari?", "SELECT name FROM ferries WHERE name IN ('Brda', 'Cer')"),
        ("How many ferries have arrived at Krk?", "SELECT 2"),
        ("Which ferries never sailed from Bari?", "SELECT name FROM ferries WHERE name IN ('Brda', 'Cer')"),
        ("How many crossings start at each pier?",
         "SELECT p.name, COUNT(*) FROM crossings JOIN piers p ON p.pier_id = src_pier_id GROUP BY 1"),
        ("For each crossing, show the depth of its ending pier.",
         "SELECT crossing_id, depth FROM crossings JOIN piers ON pier_id = dst_pier_id"),
        ("For each src pier id, what is its name, depth and the average minutes of the crossings started there?",
         "SELECT src_pier_id, name, depth, AVG(minutes) FROM crossings JOIN piers ON pier_id = src_pier_id"
         " GROUP BY 1, 2, 3"),
    ],
)  # fmt: skip
def test_a_word_says_which_end(ferries, question, gold, first_rows):
    rows, con, sql = first_rows(ferries, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many ferries are there that Mare does not own?", "SELECT 1"),
        ("What are the names of ferries that Jure stayed on but Maja did not stay on?", "SELECT name FROM ferries"
         " WHERE name <> 'Brda'"),
    ],
)  # fmt: skip
def test_who_did_not_stands_before(ferries, question, gold, first_rows):
    rows, con, sql = first_rows(ferries, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What is the last name of the cook whose galley is G 10, and when were they hired?",
         "SELECT 'Bel', '2015-01-01'"),
        ("What are the trades of the firms without ferries and what are the firms?", "SELECT 'freight', 'Orca'"),
        ("List in alphabetical order all names of ferries and their firm names.",
         "SELECT ferries.name, firms.name FROM ferries JOIN firms USING (firm_id)"),
        ("What are the names of all ferries ordered in alphabetical order?", "SELECT name FROM ferries"),
        ("List the names of the ferries in the order of the year tax credit.",
         "SELECT name FROM ferries ORDER BY year_tax_cred"),
        ("What is the lowest and highest depth across all piers?", "SELECT 7, 14"),
    ],
)  # fmt: skip
def test_what_else_is_asked_for(ferries, question, gold, first_rows):
    rows, con, sql = first_rows(ferries, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_numbers_that_are_text_may_be_blank(opened, first_rows):
    script = """
        CREATE TABLE gauges (gauge_id INTEGER PRIMARY KEY, site TEXT NOT NULL, water_level INTEGER, flow INTEGER);
        INSERT INTO gauges VALUES (1, 'Ems', '30', 4), (2, 'Ems', '', 5), (3, 'Elbe', '9', ''), (4, 'Elbe', '21', 8),
            (5, 'Elbe', '12', 2), (6, 'Ems', '50', 9);
    """
    gauges = opened("gauges", script)
    rows, _, sql = first_rows(gauges, "What is the average water level for each site?")
    assert sorted(rows) == [("Elbe", 14.0), ("Ems", 40.0)], sql
    rows, _, sql = first_rows(gauges, "Which gauges have a water level over 20?")
    assert len(rows) == 3, sql
    rows, _, sql = first_rows(gauges, "Show the site and the flow of the top 3 gauges with the highest water level.")
    assert rows == [("Ems", 9), ("Ems", 4), ("Elbe", 8)], sql


@pytest.fixture(scope="module")
def races(opened):
    """An analyst over boat races, whose keys are called by what they refer to, and a connection to them."""
    script = """
        CREATE TABLE boats (boat_id INTEGER PRIMARY KEY, boat_name TEXT NOT NULL, cost INTEGER NOT NULL);
        CREATE TABLE rowers (rower_id INTEGER PRIMARY KEY, name TEXT NOT NULL, age INTEGER NOT NULL);
        CREATE TABLE races (race_id INTEGER PRIMARY KEY, lake TEXT NOT NULL,
            winning_boat INTEGER NOT NULL REFERENCES boats (boat_id),
            fastest_rower INTEGER NOT NULL REFERENCES rowers (rower_id));
        INSERT INTO boats VALUES (11, 'Swift', 90), (12, 'Heron', 40), (13, 'Teal', 70);
        INSERT INTO rowers VALUES (21, 'Mira', 24), (22, 'Noel', 31), (23, 'Odo', 19);
        INSERT INTO races VALUES (1, 'Como', 11, 22), (2, 'Garda', 13, 21), (3, 'Como', 11, 21);
    """
    return opened("races", script)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Show the lake and the winning boat of each race.",
         "SELECT lake, boat_name FROM races JOIN boats ON boat_id = winning_boat"),
        ("What is the lake and the name of the winning boat?",
         "SELECT lake, boat_name FROM races JOIN boats ON boat_id = winning_boat"),
        ("How old is the youngest fastest rower and what is their name?", "SELECT 24, 'Mira' UNION ALL SELECT 24, 'Mira'"),
        ("Which boats cost more than 60?", "SELECT boat_name FROM boats WHERE cost > 60"),
        ("List the number of races for all the lakes that have at least 2 races.", "SELECT 'Como', 2"),
        ("Show the ages of rowers without the letter o in their names.", "SELECT 24"),
    ],
)  # fmt: skip
def test_keys_are_shown_as_names_and_rows_told_by_words(races, question, gold, first_rows):
    rows, con, sql = first_rows(races, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


_TILLS = """
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, sold_on DATE NOT NULL, amount REAL NOT NULL);
CREATE TABLE budgets (budget_id INTEGER PRIMARY KEY, budget_month DATE NOT NULL, sum_planned REAL NOT NULL);
INSERT INTO sales VALUES (1, '2026-01-05', 10), (2, '2026-02-07', 50), (3, '2026-02-08', 5), (4, '2026-03-01', 30);
INSERT INTO budgets VALUES (1, '2026-01-01', 40), (2, '2026-02-01', 20);
"""


@pytest.mark.parametrize(
    ("question", "month"),
    [
        ("Which month had the highest total amount?", "2026-02-01"),
        ("Which month had the most sales?", "2026-02-01"),
        ("Which month had the highest sum planned?", "2026-01-01"),
    ],
)
def test_a_month_that_is_asked_for_is_time_though_another_table_has_a_column_of_that_name(
    opened, first_rows, question, month
):
    rows, _, sql = first_rows(opened("tills", _TILLS), question)
    assert [str(row[0]) for row in rows] == [month], sql


def test_what_something_is_spent_on_is_no_other_thing_to_count(opened, same_rows):
    script = """
        CREATE TABLE teams (team_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE training_spend (spend_id INTEGER PRIMARY KEY, team_id INTEGER NOT NULL REFERENCES teams (team_id),
            paid_on DATE NOT NULL, amount REAL NOT NULL);
        INSERT INTO teams VALUES (1, 'Lab'), (2, 'Sales');
        INSERT INTO training_spend VALUES (1, 1, '2026-01-02', 900), (2, 2, '2026-01-03', 10), (3, 2, '2026-02-03', 20);
    """
    plain, con = opened("trainings", script)
    metric = Metric(name="training spend", expression="SUM(amount)", table="training_spend", date_column="paid_on")
    analyst = Analyst(plain.catalogs, (metric,), plain.today)
    read = analyst.read("Which team spends the most on training?")
    assert isinstance(read, Understood), read
    assert same_rows(con.execute(analyst.sql(read.meaning, context=False)).fetchall(), [("Lab",)])
