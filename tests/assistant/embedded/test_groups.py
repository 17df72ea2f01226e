"""Groups and the figures beside them: what is counted by what, what is one figure of all, what only says which rows.

Every answer is checked against a query written by hand, on a small haulier.
"""

from __future__ import annotations

import pytest

from assistant.embedded.meaning import ColumnRef, Dimension, Meaning
from assistant.embedded.outcomes import NotUnderstood
from assistant.embedded.wording.phrases import restated

_HAULIER = """
CREATE TABLE depots (
    depot_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, town TEXT NOT NULL, budget REAL NOT NULL,
    ramps INTEGER NOT NULL, latitude REAL NOT NULL);
CREATE TABLE drivers (
    driver_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL, age INTEGER NOT NULL,
    depot_id INTEGER NOT NULL REFERENCES depots (depot_id));
CREATE TABLE tours (
    tour_id INTEGER PRIMARY KEY, tour_type_code TEXT NOT NULL, mileage INTEGER NOT NULL,
    driver_id INTEGER NOT NULL REFERENCES drivers (driver_id));
CREATE TABLE loads (
    load_id INTEGER PRIMARY KEY, tour_id INTEGER NOT NULL REFERENCES tours (tour_id), packed_by TEXT NOT NULL,
    colour TEXT NOT NULL);
INSERT INTO depots VALUES
    (1, 'Harbour', 'Kiel', 900, 4, 54.3), (2, 'Hillside', 'Jena', 400, 4, 50.9), (3, 'Old Mill', 'Jena', 250, 2, 50.8);
INSERT INTO drivers VALUES
    (1, 'Ada', 'Holm', 31, 1), (2, 'Ben', 'Holm', 31, 1), (3, 'Ada', 'Roth', 44, 1), (4, 'Ida', 'Voss', 52, 2),
    (5, 'Ada', 'Holm', 60, 3);
INSERT INTO tours VALUES
    (1, 'night', 120, 1), (2, 'night', 80, 1), (3, 'day', 60, 2), (4, 'day', 75, 3), (5, 'day', 20, 4),
    (6, 'express', 300, 3), (7, 'night', 95, 3);
INSERT INTO loads VALUES
    (1, 1, 'Kim', 'red'), (2, 1, 'Kim', 'blue'), (3, 2, 'Lou', 'red'), (4, 3, 'Lou', 'red'), (5, 6, 'Kim', 'red');
"""


@pytest.fixture(scope="module")
def haulier(opened):
    """An analyst over the haulier's data, and a connection to it."""
    return opened("haulier", _HAULIER)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Show all ages and the corresponding number of drivers.", "SELECT age, COUNT(*) FROM drivers GROUP BY age"),
        ("What is the average age across all drivers?", "SELECT AVG(age) FROM drivers"),
        ("total mileage across drivers", "SELECT SUM(mileage), first_name, last_name FROM tours JOIN drivers"
         " USING (driver_id) GROUP BY driver_id"),
        ("What is the total budget of the Harbour and Hillside depots?",
         "SELECT SUM(budget) FROM depots WHERE name IN ('Harbour', 'Hillside')"),
        ("What is the total mileage by the driver with first name Ida and last name Voss?",
         "SELECT SUM(mileage) FROM tours JOIN drivers USING (driver_id) WHERE first_name = 'Ida'"
         " AND last_name = 'Voss'"),
        ("Which types of tour have more than 2 drivers?",
         "SELECT tour_type_code FROM tours GROUP BY tour_type_code HAVING COUNT(DISTINCT driver_id) > 2"),
        ("List depots that have more than one driver. List the depot name and the number of drivers.",
         "SELECT d.name, COUNT(*) FROM depots d JOIN drivers USING (depot_id) GROUP BY depot_id HAVING COUNT(*) > 1"),
        ("List the towns which have more than one depot and the number of depots.",
         "SELECT town, COUNT(*) FROM depots GROUP BY town HAVING COUNT(*) > 1"),
        ("Show the first and last names of drivers and the number of tours.",
         "SELECT first_name, last_name, COUNT(*) FROM drivers JOIN tours USING (driver_id) GROUP BY driver_id"),
        ("How many ramps are there in Jena?", "SELECT SUM(ramps) FROM depots WHERE town = 'Jena'"),
        ("How many depot ramps are there in total?", "SELECT SUM(ramps) FROM depots"),
        ("On average, how large is the budget of the depots?", "SELECT AVG(budget) FROM depots"),
        ("For each town, show the town and its count.", "SELECT town, COUNT(*) FROM depots GROUP BY town"),
        ("List all packers along with the number of loads packed by each packer.",
         "SELECT packed_by, COUNT(*) FROM loads GROUP BY packed_by"),
        ("Show the colour type and the number of loads of each colour.",
         "SELECT colour, COUNT(*) FROM loads GROUP BY colour"),
        ("For each depot, show its latitude and the average age of its drivers.",
         "SELECT d.name, latitude, AVG(age) FROM depots d JOIN drivers USING (depot_id) GROUP BY depot_id"),
        ("Which drivers are older than average?",
         "SELECT first_name, last_name FROM drivers WHERE age > (SELECT AVG(age) FROM drivers)"),
        ("What is the average budget of depots with more than 2 ramps in total?",
         "SELECT AVG(budget) FROM depots WHERE ramps > 2"),
        ("Which drivers have at least two different loads?",
         "SELECT first_name, last_name FROM drivers WHERE (SELECT COUNT(*) FROM loads JOIN tours USING (tour_id)"
         " WHERE tours.driver_id = drivers.driver_id) >= 2"),
        ("For which towns are there more than one distinct depots?",
         "SELECT town FROM depots GROUP BY town HAVING COUNT(*) > 1"),
        ("Which tours have loads more than once?",
         "SELECT tour_id FROM loads GROUP BY tour_id HAVING COUNT(*) > 1"),
        ("Show the depots and how many drivers work there.",
         "SELECT d.name, COUNT(*) FROM depots d JOIN drivers USING (depot_id) GROUP BY depot_id"),
        ("List the depots, the number of drivers and the average age of the drivers.",
         "SELECT d.name, COUNT(*), AVG(age) FROM depots d JOIN drivers USING (depot_id) GROUP BY depot_id"),
        ("depots sorted by number of drivers", "SELECT DISTINCT d.name FROM depots d JOIN drivers USING (depot_id)"),
        ("How many drivers over 40 does each depot have?",
         "SELECT d.name, COUNT(*) FROM depots d JOIN drivers USING (depot_id) WHERE age > 40 GROUP BY depot_id"),
        ("What is the mileage of the drivers on average?", "SELECT AVG(mileage) FROM tours"),
        ("Which depots have between 2 and 3 drivers?",
         "SELECT name FROM depots d WHERE (SELECT COUNT(*) FROM drivers WHERE depot_id = d.depot_id) BETWEEN 2 AND 3"),
        ("List the depot id, name and the number of drivers of each depot.",
         "SELECT depot_id, d.name, COUNT(*) FROM depots d JOIN drivers USING (depot_id) GROUP BY depot_id"),
        ("Give the codes of tour types that have more than 2 tours.",
         "SELECT tour_type_code FROM tours GROUP BY tour_type_code HAVING COUNT(*) > 2"),
        ("What is the average total budget of the depots?", "SELECT AVG(budget) FROM depots"),
        ("depots with their drivers",
         "SELECT d.name, first_name, last_name FROM depots d JOIN drivers USING (depot_id)"),
        ("drivers with two tours",
         "SELECT first_name, last_name FROM drivers d WHERE"
         " (SELECT COUNT(*) FROM tours WHERE driver_id = d.driver_id) = 2"),
        ("Which drivers have only one day tour?",
         "SELECT first_name, last_name FROM drivers d WHERE"
         " (SELECT COUNT(*) FROM tours WHERE driver_id = d.driver_id AND tour_type_code = 'day') = 1"),
        ("Which towns have between 1 and 2 drivers?",
         "SELECT town FROM depots JOIN drivers USING (depot_id) GROUP BY town HAVING COUNT(*) BETWEEN 1 AND 2"),
        ("What is the average mileage per tour type, for types with more than 2 tours?",
         "SELECT tour_type_code, AVG(mileage) FROM tours GROUP BY tour_type_code HAVING COUNT(*) > 2"),
    ],
)  # fmt: skip
def test_result_of_the_likeliest_reading_equals_that_of_the_query_by_hand(question, gold, haulier):
    analyst, con = haulier
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    ours, theirs = (sorted(sorted(map(str, row)) for row in con.execute(query)) for query in (sql, gold))
    assert ours == theirs, sql


def test_what_belongs_to_one_at_most_is_never_counted_as_several(haulier):
    analyst, _ = haulier
    assert isinstance(analyst.read("Which drivers have more than one depot?"), NotUnderstood)


def test_list_whose_columns_only_explain_is_called_by_its_rows():
    age = Dimension(column=ColumnRef(table="drivers", column="age"), label="age", context=True)
    assert restated(Meaning(source="haulier", base="drivers", base_label="drivers", columns=(age,))) == "Drivers"


def test_what_stands_behind_by_is_a_table_before_it_is_a_value(opened):
    analyst, con = opened(
        "bakery",
        """
        CREATE TABLE kiosks (kiosk_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
        CREATE TABLE orders (order_id INTEGER PRIMARY KEY, channel TEXT NOT NULL, placed_on DATE NOT NULL,
            kiosk_id INTEGER REFERENCES kiosks (kiosk_id));
        INSERT INTO kiosks VALUES (1, 'Quay'), (2, 'Square');
        INSERT INTO orders VALUES (1, 'kiosk', '2025-01-02', 1), (2, 'kiosk', '2025-02-03', 1),
            (3, 'online', '2025-02-04', NULL), (4, 'kiosk', '2025-03-04', 2);
        """,
    )
    by_table = analyst.read("orders by kiosk")
    assert con.execute(analyst.sql(by_table.meaning)).fetchall() == [("Quay", 2), ("Square", 1)]
    only = analyst.read("How many orders came through the kiosk?")
    assert not hasattr(only, "meaning") or con.execute(analyst.sql(only.meaning)).fetchall() == [(3,)]


def test_rows_of_which_only_the_value_is_said_are_counted(opened):
    analyst, con = opened(
        "stays",
        """CREATE TABLE stay (stay_id INTEGER PRIMARY KEY, country TEXT, status TEXT);
        INSERT INTO stay VALUES (1, 'Italy', 'no show'), (2, 'Spain', 'no show'), (3, 'Italy', 'no show'),
         (4, 'Italy', 'cancelled'), (5, 'Spain', 'done');""",
    )
    for question, rows in (
        ("no shows by country", [("Italy", 2), ("Spain", 1)]),
        ("cancelled per country", [("Italy", 1)]),
    ):
        found = analyst.candidates(question)[0]
        assert con.execute(analyst.sql(found.meaning)).fetchall() == rows
    listed = analyst.candidates("countries with no shows")[0]
    assert con.execute(analyst.sql(listed.meaning, context=False)).fetchall() == [("Italy",), ("Spain",)]
