"""What stands beside the columns that are listed: whose rows they are, in which order, and by which way they belong."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE guests (guest_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL);
CREATE TABLE cooks (cook_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, rank INTEGER NOT NULL);
CREATE TABLE dishes (
    dish TEXT NOT NULL PRIMARY KEY, card_id INTEGER NOT NULL UNIQUE, price REAL NOT NULL, rank INTEGER NOT NULL,
    cook_id INTEGER NOT NULL REFERENCES cooks (cook_id));
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests (guest_id), day DATE NOT NULL,
    status TEXT NOT NULL, total REAL NOT NULL);
CREATE TABLE lines (
    line_id INTEGER PRIMARY KEY, order_id INTEGER NOT NULL REFERENCES orders (order_id),
    dish TEXT NOT NULL REFERENCES dishes (dish));
CREATE TABLE reviews (
    review_id INTEGER PRIMARY KEY, guest_id INTEGER NOT NULL REFERENCES guests (guest_id),
    dish TEXT NOT NULL REFERENCES dishes (dish));
INSERT INTO guests VALUES (1, 'Ada', 'Bonn'), (2, 'Bo', 'Bonn'), (3, 'Cy', 'Kiel'), (4, 'Dee', 'Jena');
INSERT INTO cooks VALUES (1, 'Moe', 2), (2, 'Nia', 1);
INSERT INTO dishes VALUES ('Stew', 501, 9, 3, 1), ('Soup', 502, 5, 1, 2), ('Tart', 503, 7, 2, 1);
INSERT INTO orders VALUES (11, 1, '2025-01-05', 'paid', 14), (12, 2, '2025-02-05', 'open', 5), (13, 1, '2025-03-01', 'paid', 7);
INSERT INTO lines VALUES (1, 11, 'Stew'), (2, 11, 'Soup'), (3, 12, 'Soup'), (4, 13, 'Tart');
INSERT INTO reviews VALUES (1, 3, 'Soup'), (2, 2, 'Stew');
"""


@pytest.fixture(scope="module")
def kitchen(opened):
    analyst, con = opened("kitchen", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("List the order id, guest and total of all paid orders", [(11, "Ada", 14.0), (13, "Ada", 7.0)]),
        ("Show the price, cook and rank of the dishes ordered by price", [(5, "Nia", 1), (7, "Moe", 2), (9, "Moe", 3)]),
        ("What is the total of all paid orders?", [(21.0,)]),
        ("order ids, guest cities and totals of open orders", [(12, "Bonn", 5.0)]),
        ("dishes sorted by descending rank", [("Stew",), ("Tart",), ("Soup",)]),
        ("What is the id of the dishes over 6?", [(501,), (503,)]),
        ("For cities with more than one guest, show the names of the guests", [("Ada",), ("Bo",)]),
        ("names of guests with open orders and where they are from", [("Bo", "Bonn")]),
    ],
)
def test_columns_are_those_of_the_rows_listed(question, rows, kitchen):
    assert [row[: len(rows[0])] for row in kitchen(question)] == rows


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("Who ordered Soup?", ["Ada", "Bo"]),
        ("Which guests reviewed Soup?", ["Cy"]),
        ("dishes nobody reviewed", ["Tart"]),
        ("dishes that cannot be found in the reviews", ["Tart"]),
        ("guests from neither Bonn nor Kiel", ["Dee"]),
    ],
)
def test_way_goes_over_what_was_done(question, names, kitchen):
    assert sorted(row[0] for row in kitchen(question)) == names


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which dishes have reviews of the most guests?", [("Soup",), ("Stew",)]),
        ("guest names that cannot be found in the orders", [("Cy",), ("Dee",)]),
        ("How many kinds of guests are there?", [(4,)]),
        ("names of the guests whose name is the same as their city", []),
    ],
)
def test_those_asked_for_are_counted(question, rows, kitchen):
    assert sorted(row[:1] for row in kitchen(question)) == rows


def test_rows_without_a_name_are_told_by_more_than_their_number(opened):
    analyst, con = opened("pantry", _SCHEMA)
    paid = analyst.read("list the paid orders").meaning
    assert con.execute(analyst.sql(paid)).fetchall() == [(11, "2025-01-05", 14), (13, "2025-03-01", 7)]
    assert con.execute(analyst.sql(paid, context=False)).fetchall() == [(11,), (13,)]
    dishes = analyst.read("list the dishes").meaning
    assert con.execute(analyst.sql(dishes)).fetchall() == [("Soup",), ("Stew",), ("Tart",)]
