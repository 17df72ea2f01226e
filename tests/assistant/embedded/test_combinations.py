"""Conditions together: one of two, both at once, none of those that lie behind another table."""

from __future__ import annotations

import pytest

_BOUGHT = (
    "SELECT o.customer_id FROM orders o JOIN order_lines l ON o.order_id = l.order_id"
    " JOIN products p ON l.product_id = p.product_id WHERE p.name = '{}'"
)
_FIRST, _SECOND = _BOUGHT.format("Oak Table"), _BOUGHT.format("Desk Lamp")


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "how many customers are from France or older than 50",
            "SELECT COUNT(*) FROM customers WHERE country = 'France' OR age > 50",
        ),
        (
            "how many orders are from store Alpha or have a freight over 30",
            "SELECT COUNT(*) FROM orders LEFT JOIN stores USING (store_id) WHERE stores.name = 'Alpha' OR freight > 30",
        ),
        (
            "products that have the word 'lamp' in their name",
            "SELECT name FROM products WHERE name LIKE '%lamp%'",
        ),
        (
            "How many customers did not make any orders?",
            "SELECT COUNT(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)",
        ),
        (
            "How many customers are from France and have orders?",
            "SELECT COUNT(*) FROM customers WHERE country = 'France' AND customer_id IN (SELECT customer_id FROM orders)",
        ),
    ],
)
def test_result_equals_that_of_the_query_by_hand(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


def test_both_of_two_products_are_asked_for_of_each_customer(plain, shop):
    likeliest = plain.candidates("How many customers bought both Oak Table and Desk Lamp?")[0]
    gold = f"SELECT COUNT(*) FROM customers WHERE customer_id IN ({_FIRST}) AND customer_id IN ({_SECOND})"
    assert shop.execute(plain.sql(likeliest.meaning)).fetchall() == shop.execute(gold).fetchall()


def test_nothing_can_have_both_of_two_values_of_its_own(plain):
    outcome = plain.read("customers that are from both France and Spain")
    assert not hasattr(outcome, "meaning")


def test_alternatives_are_said_as_such(plain, understood):
    outcome = understood(plain, "customers from France or older than 50")
    assert "country is France or age is over 50" in outcome.restated


def test_guessed_figure_can_be_followed_up(catalog_of, tmp_path, understood):
    import sqlite3
    from contextlib import closing
    from datetime import date

    from assistant.embedded.analyst import Analyst

    path = tmp_path / "sales.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            "CREATE TABLE payments (payment_id INTEGER PRIMARY KEY, city TEXT, paid_on DATE, amount REAL);"
            "INSERT INTO payments VALUES (1, 'Bonn', '2024-01-02', 3), (2, 'Bonn', '2024-02-02', 4),"
            " (3, 'Kiel', '2024-02-03', 5);"
        )
    analyst = Analyst([catalog_of(path)], (), date(2026, 11, 21))
    first = understood(analyst, "revenue by city").meaning
    changed = understood(analyst, "by month instead", first).meaning
    with closing(sqlite3.connect(path)) as con:
        assert con.execute(analyst.sql(changed)).fetchall() == [("2024-01-01", 3.0), ("2024-02-01", 9.0)]


def test_absence_is_not_read_beside_its_own_presence(plain, understood):
    meaning = understood(plain, "customers without orders of products").meaning
    assert [(r.operator, r.count, r.steps[-1].right) for r in meaning.related] == [("=", 0, "products")]
    assert not meaning.filters
