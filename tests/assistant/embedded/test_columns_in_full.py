"""Names of columns and values hold words that also say what to do: "rent per month", "market share", "After the War"."""

from __future__ import annotations

import pytest

_LODGINGS = """
CREATE TABLE lodging (lodging_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL,
    rent_per_month REAL NOT NULL, no_of_rooms INTEGER NOT NULL);
CREATE TABLE rooms (room_id INTEGER PRIMARY KEY, lodging_id INTEGER NOT NULL REFERENCES lodging (lodging_id),
    built DATE NOT NULL);
INSERT INTO lodging VALUES (1, 'Elm Lane', 'Bern', 900, 3), (2, 'Oak Row', 'Bern', 1400, 5),
    (3, 'Ash Way', 'Basel', 700, 2);
INSERT INTO rooms VALUES (1, 1, '2020-02-01'), (2, 2, '2021-03-01'), (3, 2, '2021-04-01');
"""

_BILLS = """
CREATE TABLE bills (bill_id INTEGER PRIMARY KEY, client TEXT NOT NULL, total REAL NOT NULL);
CREATE TABLE bill_lines (line_id INTEGER PRIMARY KEY, bill_id INTEGER NOT NULL REFERENCES bills (bill_id),
    pieces INTEGER NOT NULL);
CREATE TABLE parts (part_id INTEGER PRIMARY KEY, part_name TEXT NOT NULL, weight REAL NOT NULL,
    parent_part_id INTEGER REFERENCES parts (part_id));
INSERT INTO bills VALUES (1, 'Kern', 30), (2, 'Kern', 12), (3, 'Lutz', 7);
INSERT INTO bill_lines VALUES (1, 1, 4), (2, 1, 1), (3, 2, 2), (4, 3, 5);
INSERT INTO parts VALUES (1, 'frame', 9.5, NULL), (2, 'wheel', 2.5, 1), (3, 'spoke', 0.1, 2), (4, 'tyre', 0.8, 2);
"""


_MUSEUM = """
CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, hall_name TEXT NOT NULL, kind TEXT NOT NULL, market_share REAL NOT NULL,
    keeper TEXT NOT NULL, cost REAL NOT NULL);
CREATE TABLE show (show_id INTEGER PRIMARY KEY, hall_id INTEGER NOT NULL REFERENCES hall (hall_id), theme TEXT NOT NULL);
CREATE TABLE lamp (lamp_id INTEGER PRIMARY KEY, hall_id INTEGER NOT NULL REFERENCES hall (hall_id),
    lamp_name TEXT NOT NULL, colour TEXT NOT NULL, voltage TEXT NOT NULL, state TEXT NOT NULL);
INSERT INTO lamp VALUES (1, 1, 'Alba', 'red', 'Any', 'played'), (2, 1, 'Bora', 'white', 'Low', 'idle'),
    (3, 2, 'Cima', 'red', 'High', 'broken');
INSERT INTO hall VALUES (1, 'Harbour', 'Harbour', 20, 'Ada', 5), (2, 'Garden', 'Harbour', 30, 'Ben', 9),
    (3, 'Tower', 'Town', 10, 'Cleo', 4);
INSERT INTO show VALUES (1, 1, 'After the War'), (2, 1, 'The Sea'), (3, 2, 'The Sea'), (4, 3, 'After the War'),
    (5, 1, 'Sea');
"""


@pytest.fixture(scope="module")
def museum(opened):
    return opened("museum", _MUSEUM)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("What is the average market share of all halls?", [(20.0,)]),
        ("number of shows with theme After the War per hall", [("Harbour", 1), ("Tower", 1)]),
        ("How many shows have the theme The Sea?", [(2,)]),
        ("How many shows does the hall Harbour have?", [(3,)]),  # it is a kind of halls as well
        ("Which lamps have the colour red?", [("Alba",), ("Cima",)]),
        ("How many lamps have the voltage Any or Low?", [(2,)]),
        ("How many lamps have the state idle or played?", [(2,)]),
        ("List every lamp together with its hall", [("Alba", "Harbour"), ("Bora", "Harbour"), ("Cima", "Garden")]),
        ("average cost for each keeper", [("Ada", 5.0), ("Ben", 9.0), ("Cleo", 4.0)]),  # who each have one
        ("What is the cost of each hall?", [("Harbour", 5.0), ("Garden", 9.0), ("Tower", 4.0)]),
        ("What are the kind and the cost of each hall?", [("Harbour", 5.0), ("Harbour", 9.0), ("Town", 4.0)]),
    ],
)
def test_what_is_written_so_is_meant(museum, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(museum, question)
    assert same_rows(found, rows), sql


@pytest.fixture(scope="module")
def lodgings(opened):
    return opened("lodgings", _LODGINGS)


@pytest.fixture(scope="module")
def bills(opened):
    return opened("bills", _BILLS)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average rent per month by town", [("Bern", 1150.0), ("Basel", 700.0)]),
        ("which lodging has the lowest rent per month", [("Ash Way",)]),
        ("lodgings with rent per month over 1000", [("Oak Row",)]),
        ("average no of rooms by town", [("Bern", 4.0), ("Basel", 2.0)]),
        ("lodgings with no of rooms below 3", [("Ash Way",)]),
        ("rooms per year", [(2020, 1), (2021, 2)]),
    ],
)
def test_a_column_that_is_named_word_by_word_is_meant(lodgings, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(lodgings, question)
    assert same_rows(found, rows), sql


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total pieces per client", [("Kern", 7), ("Lutz", 5)]),
        ("total of the bills per client", [("Kern", 42.0), ("Lutz", 7.0)]),
        ("the 2 parts with the largest weight", [("frame",), ("wheel",)]),
    ],
)
def test_a_word_for_what_to_do_is_no_column_beside_a_number(bills, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(bills, question)
    assert same_rows(found, rows), sql
