"""Rows that name others of a kind in a role, how often something was done, and what a number says: a farm's machines."""

from __future__ import annotations

import pytest

_FARM = """
CREATE TABLE farmers (farmer TEXT PRIMARY KEY, town TEXT NOT NULL, age INTEGER NOT NULL);
CREATE TABLE bequests (
    farmer TEXT NOT NULL REFERENCES farmers (farmer), heir TEXT NOT NULL REFERENCES farmers (farmer), share REAL);
CREATE TABLE machines_for_rent (
    machine_id INTEGER PRIMARY KEY, machine_name TEXT NOT NULL, maker TEXT NOT NULL, depot TEXT NOT NULL,
    price_in_dollars REAL NOT NULL, price_in_euros REAL NOT NULL);
CREATE TABLE rentals (
    rental_id INTEGER PRIMARY KEY, machine_id INTEGER NOT NULL REFERENCES machines_for_rent (machine_id));
CREATE TABLE tractors (
    brand TEXT NOT NULL, engine_model_name TEXT PRIMARY KEY, farmer_in_charge TEXT REFERENCES farmers (farmer));
CREATE TABLE drivers (driver_id INTEGER PRIMARY KEY, driver_name TEXT NOT NULL);
CREATE TABLE trips (
    trip_id INTEGER PRIMARY KEY, trip_name TEXT NOT NULL, driver_on_duty_id INTEGER REFERENCES drivers (driver_id));
CREATE TABLE inspections (
    inspection_id INTEGER PRIMARY KEY, machine_id INTEGER NOT NULL REFERENCES machines_for_rent (machine_id),
    approval_code TEXT NOT NULL);
INSERT INTO farmers VALUES
    ('Ada', 'Kappeln', 70), ('Bo', 'Tarp', 41), ('Cleo', 'Tarp', 38), ('Dirk', 'Kappeln', 66), ('Elke', 'Leck', 29);
INSERT INTO bequests VALUES ('Ada', 'Bo', 0.5), ('Ada', 'Elke', 0.5), ('Dirk', 'Cleo', 1), ('Bo', 'Dirk', 1);
INSERT INTO machines_for_rent VALUES
    (1, 'Plough', 'Grayson', 'north', 800, 720), (2, 'Baler', 'Claas', 'south', 650, 600),
    (3, 'Mower', 'Murray', 'north', 120, 110), (4, 'Seeder', 'Murray', 'south', 900, 830);
INSERT INTO tractors VALUES ('Fendt', 'Vario', 'Ada'), ('Fendt', 'Xylon', 'Bo'), ('Deutz', 'Agrotron', 'Ada');
INSERT INTO drivers VALUES (1, 'Hanne'), (2, 'Ingo');
INSERT INTO trips VALUES (1, 'mill', 1), (2, 'market', 1), (3, 'port', 2);
INSERT INTO rentals VALUES (1, 1), (2, 1), (3, 1), (4, 2), (5, 2), (6, 3);
INSERT INTO inspections VALUES (1, 1, '1'), (2, 2, '0'), (3, 3, '1'), (4, 4, '0');
"""


@pytest.fixture(scope="module")
def farm(opened):
    """An analyst over the farm's data, and a connection to it."""
    return opened("farm", _FARM)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many heirs does Ada have?", "SELECT 2"),
        ("Which farmers have the heir Cleo?", "SELECT 'Dirk'"),
        ("Find the heirs who are from Tarp.", "SELECT 'Bo' UNION SELECT 'Cleo'"),
        ("What are the different names of heirs who are younger than 40?", "SELECT 'Elke' UNION SELECT 'Cleo'"),
    ],
)
def test_who_stands_in_a_role_is_asked_for_by_it(farm, question, gold, first_rows):
    rows, con, sql = first_rows(farm, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What are the names of the machines that were rented 3 times?", "SELECT 'Plough'"),
        ("Which machines were rented twice?", "SELECT 'Baler'"),
        ("What is the id of the machine that was rented once?", "SELECT 3"),
    ],
)
def test_done_so_often_is_counted(farm, question, gold, first_rows):
    rows, con, sql = first_rows(farm, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("Which machines have the approval code 0?", "SELECT 'Baler' UNION SELECT 'Seeder'"),
        ("Which machines have a price above 700 dollars? Show their makers.", "SELECT 'Grayson' UNION SELECT 'Murray'"),
        ("Which machines have a price below 700 euros? Show their makers.", "SELECT 'Claas' UNION SELECT 'Murray'"),
        ("Which machine names start from \"M\"?", "SELECT 'Mower'"),
        ("Which makers have the substring \"ray\" in their names?", "SELECT 'Grayson' UNION SELECT 'Murray'"),
        ("Which makers are shared by the north depot and the south depot?", "SELECT 'Murray'"),
    ],
)  # fmt: skip
def test_a_number_or_a_text_says_which_column_is_meant(farm, question, gold, first_rows):
    rows, con, sql = first_rows(farm, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql


def test_machines_for_rent_are_machines(farm):
    analyst, _ = farm
    assert analyst.candidates("How many machines are there?")[0].meaning.base_label == "machines for rent"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("What are the names of Ada's heirs?", "SELECT 'Bo' UNION SELECT 'Elke'"),
        ("What is the name of the driver on duty with the greatest number of trips?", "SELECT 'Hanne'"),
        ("Which brands have more than one tractor model?", "SELECT 'Fendt'"),
        ("Which brand has the least number of tractor models? Show the number of tractor models made by that brand.",
         "SELECT 'Deutz', 1"),
        ("Find the details for all drivers.", "SELECT * FROM drivers"),
    ],
)  # fmt: skip
def test_rows_are_meant_by_what_they_are_called(farm, question, gold, first_rows):
    rows, con, sql = first_rows(farm, question)
    assert sorted(rows) == sorted(con.execute(gold).fetchall()), sql
