"""Verbs and keys: "rated PG", "shipped by", "support": what belongs together, and people instead of numbers."""

from __future__ import annotations

import pytest

_SCHEMA = """
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL);
CREATE TABLE customers (
    customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL,
    support_rep_id INTEGER NOT NULL REFERENCES employees (employee_id));
CREATE TABLE shippers (shipper_id INTEGER PRIMARY KEY, company_name TEXT NOT NULL UNIQUE);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    ship_via INTEGER NOT NULL REFERENCES shippers (shipper_id), shipped_date DATE NOT NULL);
CREATE TABLE films (
    film_id INTEGER PRIMARY KEY, title TEXT NOT NULL, rating TEXT NOT NULL, rental_rate REAL NOT NULL);
CREATE TABLE artists (artist_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE albums (
    album_id INTEGER PRIMARY KEY, title TEXT NOT NULL, artist_id INTEGER NOT NULL REFERENCES artists (artist_id));
CREATE TABLE tracks (
    track_id INTEGER PRIMARY KEY, name TEXT NOT NULL, album_id INTEGER NOT NULL REFERENCES albums (album_id));
INSERT INTO employees VALUES (3, 'Jane', 'Peacock'), (4, 'Margaret', 'Park');
INSERT INTO customers VALUES (1, 'Acme', 3), (2, 'Bolt', 3), (3, 'Cove', 4);
INSERT INTO shippers VALUES (1, 'Speedy Express'), (2, 'United Package');
INSERT INTO orders VALUES (1, 1, 1, '2024-02-01'), (2, 1, 2, '2024-03-01'), (3, 3, 1, '2025-04-01');
INSERT INTO films VALUES (1, 'ALI', 'PG', 4.99), (2, 'BOA', 'PG', 0.99), (3, 'CAT', 'R', 4.99), (4, 'DOG', 'G', 2.99);
INSERT INTO artists VALUES (1, 'Iron Maiden'), (2, 'Queen');
INSERT INTO albums VALUES (1, 'Killers', 1), (2, 'Powerslave', 1), (3, 'Jazz', 2);
INSERT INTO tracks VALUES (1, 'Iron Maiden', 1), (2, 'Wrathchild', 1), (3, 'Mustapha', 3);
"""


@pytest.fixture(scope="module")
def desk(opened):
    return opened("desk", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("films rated PG with a rental rate over 4", [("ALI", 4.99)]),
        ("number of customers by support rep", [("Jane", "Peacock", 2), ("Margaret", "Park", 1)]),
        ("number of customers by support rep id", [(3, 2), (4, 1)]),
        ("orders shipped by Speedy Express", [(1, "2024-02-01"), (3, "2025-04-01")]),
        ("how many orders were shipped by each shipper?", [("Speedy Express", 2), ("United Package", 1)]),
        ("how many albums does Iron Maiden have?", [(2,)]),
    ],
)
def test_result_is_what_the_words_mean(question, rows, desk, understood, same_rows):
    analyst, con = desk
    sql = analyst.sql(understood(analyst, question).meaning)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


def test_who_supports_the_most_is_read_if_not_surely(desk, first_rows):
    rows, _, sql = first_rows(desk, "which employees support the most customers?")
    assert [row[:2] for row in rows] == [("Jane", "Peacock")], sql


def test_period_outside_the_data_is_named_with_what_there_is(desk, understood):
    outcome = understood(desk[0], "How many orders were there in 2010?")
    assert "There are no orders in 2010; they run from 2024-02-01 to 2025-04-01" in outcome.assumptions
    assert not understood(desk[0], "How many orders were there in 2024?").assumptions


def test_order_goes_by_the_name_of_the_figure(desk, understood):
    sql = desk[0].sql(understood(desk[0], "number of customers by support rep").meaning)
    assert "ORDER BY\n  customers DESC" in sql
