"""What a follow-up takes away: conditions, periods, groups, figures and limits; compared with SQL written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import NotUnderstood

_BY_STATUS = "SELECT status, COUNT(*) FROM orders GROUP BY 1"

DIALOGUES = [
    (["How many orders by status?", "only 2025", "drop the filter"], _BY_STATUS),
    (["How many orders by status?", "only 2025", "remove the date"], _BY_STATUS),
    (["How many orders by status?", "only 2025", "for all years"], _BY_STATUS),
    (["How many orders by status?", "only 2025", "only Berlin", "drop all filters"],
     "SELECT status, COUNT(*) FROM orders WHERE order_date LIKE '2025%' GROUP BY 1"),
    (["How many customers by region?", "just the North", "for all regions again"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) GROUP BY 1"),
    (["How many customers by country?", "just the North", "only active", "remove the region filter"],
     "SELECT country, COUNT(*) FROM customers WHERE active GROUP BY 1"),
    (["How many customers by country and region?", "not by region"], "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
    (["How many orders by month?", "by status too", "not by month"], _BY_STATUS),
    (["How many orders by status?", "in total"], "SELECT COUNT(*) FROM orders"),
    (["How many orders by status?", "leave out the cancelled ones"],
     "SELECT status, COUNT(*) FROM orders WHERE status <> 'cancelled' GROUP BY 1"),
    (["How many customers by region?", "leave Germany out"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE country <> 'Germany' GROUP BY 1"),
    (["How many customers by region?", "ignore the North"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE r.name <> 'North' GROUP BY 1"),
    (["How many orders by status?", "and the total freight", "without the number of orders"],
     "SELECT status, SUM(freight) FROM orders GROUP BY 1"),
    (["customers from France", "all customers"], "SELECT first_name, last_name FROM customers"),
    (["customers", "without email"], "SELECT first_name, last_name FROM customers WHERE email IS NULL"),
    (["products", "with their category", "without the category"], "SELECT name FROM products"),
    (["average freight by status", "and the maximum", "drop the maximum"], "SELECT status, AVG(freight) FROM orders GROUP BY 1"),
    (["average freight by status", "the maximum too", "without the average"], "SELECT status, MAX(freight) FROM orders GROUP BY 1"),
    (["quantity by product", "top 2", "everything"],
     "SELECT p.name, SUM(quantity) FROM order_lines JOIN products p USING (product_id) GROUP BY 1"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "by_hand"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_what_is_named_is_taken_away_and_nothing_else(turns, by_hand, plain, meaning_after, shop, same_rows):
    meaning = meaning_after(plain, turns)
    sql = plain.sql(meaning, context=False)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


@pytest.mark.parametrize(
    ("turns", "follow_up", "reason"),
    [
        (["How many customers by country?"], "for all regions", "no condition"),
        (["How many customers by country?"], "show all", "already"),
        (
            ["How many customers by country?", "only active", "only the North"],
            "drop the filter",
            "more than one condition",
        ),
        (["How many customers by country?"], "all years", "no period"),
    ],
)
def test_what_is_not_there_cannot_be_taken_away(turns, follow_up, reason, plain, meaning_after):
    meaning = meaning_after(plain, turns)
    outcome = plain.read(follow_up, meaning)
    assert isinstance(outcome, NotUnderstood), outcome
    assert reason in outcome.reason
