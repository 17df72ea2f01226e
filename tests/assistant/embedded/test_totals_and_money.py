"""Totals, money and rows in words that no schema spells out: what is taken for granted is said, text is not added."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Ambiguous, NotUnderstood

_TODAY = date(2026, 11, 21)
_SHOP = """
CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, name TEXT NOT NULL, weight TEXT);
CREATE TABLE invoices (
    invoice_id INTEGER PRIMARY KEY, customer_id INTEGER NOT NULL REFERENCES customers (customer_id),
    invoice_date DATE NOT NULL, total REAL NOT NULL);
CREATE TABLE genres (genre_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE invoice_lines (
    invoice_line_id INTEGER PRIMARY KEY, invoice_id INTEGER NOT NULL REFERENCES invoices (invoice_id),
    genre_id INTEGER NOT NULL REFERENCES genres (genre_id), unit_price REAL NOT NULL, quantity INTEGER NOT NULL);
INSERT INTO customers VALUES (1, 'Acme', '70 kg'), (2, 'Bolt', 'n/a'), (3, 'Cove', '65');
INSERT INTO invoices VALUES (1, 1, '2024-01-05', 30), (2, 1, '2024-02-05', 20), (3, 2, '2025-02-07', 40);
INSERT INTO genres VALUES (1, 'Rock'), (2, 'Jazz');
INSERT INTO invoice_lines VALUES (1, 1, 1, 10, 3), (2, 2, 2, 10, 2), (3, 3, 1, 5, 4), (4, 3, 2, 20, 1);
"""
_DAMAGES = """
CREATE TABLE settlements (settlement_id INTEGER PRIMARY KEY, amount_claimed REAL NOT NULL, amount_settled REAL NOT NULL);
INSERT INTO settlements VALUES (1, 90, 60), (2, 40, 40);
"""
_MIXED = """
CREATE TABLE mixed (city TEXT, weight TEXT, amount REAL);
INSERT INTO mixed VALUES ('Bonn', '3', 1.5), ('Bonn', 'x', 2.5), ('Kiel', '4', 4.0);
"""


@pytest.fixture(scope="module")
def opened(tmp_path_factory, catalog_of):
    made = {}
    for name, schema in (("shop", _SHOP), ("mixed", _MIXED), ("damages", _DAMAGES)):
        path = tmp_path_factory.mktemp(name) / f"{name}.sqlite"
        with closing(sqlite3.connect(path)) as con, con:
            con.executescript(schema)
        con = sqlite3.connect(f"file:{path}?mode=ro", uri=True)
        made[name] = (Analyst([catalog_of(path)], (), _TODAY), con)
    yield made
    for _, con in made.values():
        con.close()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total of invoices", [(90.0,)]),
        ("total invoices by month", [("2024-01-01", 30.0), ("2024-02-01", 20.0), ("2025-02-01", 40.0)]),
        ("revenue by customer", [("Acme", 50.0), ("Bolt", 40.0)]),
        ("total sales by year", [(2024, 50.0), (2025, 40.0)]),
        ("sales per genre", [("Rock", 50.0), ("Jazz", 40.0)]),
        ("how much did each customer spend?", [("Acme", 50.0), ("Bolt", 40.0)]),
        ("which customer spent the most?", [("Acme", 50.0)]),
        ("how many rows are in customers", [(3,)]),
        ("how many customers are there", [(3,)]),
    ],
)
def test_money_and_rows_are_what_the_data_says(question, rows, opened, understood, same_rows):
    analyst, con = opened["shop"]
    sql = analyst.sql(understood(analyst, question).meaning)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


@pytest.mark.parametrize(
    ("question", "rows"), [("total amount of settlements", [(100.0,)]), ("number of settlements", [(2,)])]
)
def test_of_two_amounts_the_one_called_like_the_rows_is_their_total(question, rows, opened):
    analyst, con = opened["damages"]
    assert con.execute(analyst.sql(analyst.candidates(question)[0].meaning)).fetchall() == rows


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("total of invoices", "the total of invoices is their total added up"),
        ("revenue by customer", "“revenue” is taken to mean the sum of invoice total, for nothing defines it"),
    ],
)
def test_what_was_taken_for_granted_is_said(question, said, opened, understood):
    outcome = understood(opened["shop"][0], question)
    assert said in outcome.assumptions
    assert not outcome.cited


def test_definition_of_the_company_comes_before_any_guess(informed, understood):
    outcome = understood(informed, "sales by region")
    assert outcome.meaning.measures[0].metric == "net revenue"


def test_what_was_spent_on_a_part_is_that_of_its_lines(opened):
    analyst, con = opened["shop"]
    best = analyst.candidates("How much did each customer spend on Rock?")[0].meaning
    assert con.execute(analyst.sql(best)).fetchall() == [("Acme", 30.0), ("Bolt", 20.0)]


def test_data_without_money_knows_no_revenue(opened):
    outcome = opened["mixed"][0].read("revenue by city")
    assert isinstance(outcome, NotUnderstood)
    assert "revenue" in outcome.reason


@pytest.mark.parametrize("question", ["total weight", "average weight by city", "what is the total weight?"])
def test_text_is_not_added_up_and_it_is_said_why(question, opened):
    outcome = opened["mixed"][0].read(question)
    assert isinstance(outcome, NotUnderstood)
    assert "“weight” holds text" in outcome.reason


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("how many rows are there?", [(3,)]),
        ("How many rows are there per city?", [("Bonn", 2), ("Kiel", 1)]),
        ("number of records by city", [("Bonn", 2), ("Kiel", 1)]),
        ("how many entries are there in mixed", [(3,)]),
    ],
)
def test_rows_of_the_only_table_need_no_name(question, rows, opened, understood, same_rows):
    analyst, con = opened["mixed"]
    assert same_rows(con.execute(analyst.sql(understood(analyst, question).meaning)).fetchall(), rows)


def test_rows_of_one_of_several_tables_must_be_named(opened):
    outcome = opened["shop"][0].read("How many rows are there?")
    assert isinstance(outcome, NotUnderstood | Ambiguous)
    assert "which table" in getattr(outcome, "reason", "which table")


def test_starters_of_a_single_table_speak_of_its_rows(opened):
    asks = opened["mixed"][0].starters()
    assert "How many rows are there per city?" in asks
    assert not any("mixeds" in ask for ask in asks)
