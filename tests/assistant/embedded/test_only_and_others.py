"""What "only" leaves out, rows with what they belong to, two numbers of a row, and one order within another."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name TEXT NOT NULL, town TEXT NOT NULL);
CREATE TABLE client_orders (order_id INTEGER PRIMARY KEY, client_id INTEGER NOT NULL REFERENCES clients (client_id),
    status TEXT NOT NULL, ordered DATE NOT NULL, price REAL NOT NULL, cost REAL NOT NULL);
INSERT INTO clients VALUES (1, 'Amsler', 'Ulm'), (2, 'Bolt', 'Ulm'), (3, 'Cruz', 'Jena'), (4, 'Dietz', 'Jena');
INSERT INTO client_orders VALUES (1, 1, 'settled', '2025-02-01', 10, 4), (2, 1, 'open', '2026-03-01', 20, 25),
    (3, 2, 'settled', '2025-05-01', 30, 10), (4, 2, 'settled', '2025-06-01', 10, 11), (5, 3, 'open', '2026-01-01', 5, 1);
"""


@pytest.fixture(scope="module")
def sold(opened):
    return opened("sold", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which clients only have settled client orders?", [("Bolt",)]),
        ("which clients have only client orders with status settled", [("Bolt",)]),
        ("clients who only ordered in 2025", [("Bolt",)]),
        ("how many clients ordered only in 2026?", [(1,)]),
        ("how many clients ordered in 2025?", [(2,)]),  # they are no client orders
        ("show only clients with settled client orders", [("Amsler",), ("Bolt",)]),
        ("show only settled client orders", [(1,), (3,), (4,)]),
    ],
)
def test_only_says_that_there_are_no_others(sold, question, rows, same_rows):
    analyst, con = sold
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    sql = analyst.sql(outcome.meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql
    none_else = " only " in question.lower() and "show only" not in question
    assert ("there are no" in outcome.restated) == none_else


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("List every client order together with its client", [(1, "Amsler"), (2, "Amsler"), (3, "Bolt"), (4, "Bolt"),
                                                             (5, "Cruz")]),
        ("What is the difference between the highest and the lowest price of client orders?", [(25.0,)]),
        ("difference between the lowest and the highest price by status", [("settled", 20.0), ("open", 15.0)]),
        ("Which client orders have a higher cost than price?", [(2,), (4,)]),
        ("How many client orders have a lower cost than price?", [(3,)]),
        ("How many clients have no town?", [(0,)]),
        ("Which client orders belong to which client?", [(1, "Amsler"), (2, "Amsler"), (3, "Bolt"), (4, "Bolt"),
                                                         (5, "Cruz")]),
        ("number of client orders by weekday of ordered", [("Saturday", 1), ("Sunday", 2), ("Thursday", 2)]),
        ("Which clients have more client orders than average?", [("Amsler",), ("Bolt",)]),
        ("clients with fewer client orders than the average client", [("Cruz",)]),
        ("clients with an above average number of client orders", [("Amsler",), ("Bolt",)]),
        ("clients with a total price above the average total", [("Amsler",), ("Bolt",)]),
        ("How many more settled client orders than open client orders are there?", [(1,)]),
        ("ratio of client orders with status settled to those with status open", [(1.5,)]),
        ("Which client order has the highest price and what is it?", [(3, 30.0)]),
        ("What is the lowest price and which client order has it?", [(5, 5.0)]),
    ],
)  # fmt: skip
def test_rows_and_their_others(sold, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(sold, question)
    assert same_rows(found, rows), sql


def test_one_order_within_another_breaks_nothing_down(sold, first_rows):
    found, _, sql = first_rows(sold, "List the clients by town and then by name")
    assert found == [("Cruz",), ("Dietz",), ("Amsler",), ("Bolt",)], sql


def test_the_share_of_rows_that_have_what_all_must_have_is_all_of_them(sold, first_rows):
    found, _, sql = first_rows(sold, "What percentage of client orders have at least one client?")
    assert found == [(100.0,)], sql


def test_rows_are_ranked_from_the_highest_number_down(sold, first_rows):
    found, _, sql = first_rows(sold, "Rank the client orders by price")
    assert [row[0] for row in found[:2]] == [3, 2], sql
