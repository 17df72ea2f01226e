"""Questions about the rows that the answer before was about; compared with SQL written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import NotUnderstood

_FRENCH = "SELECT first_name, last_name FROM customers WHERE country = 'France'"
_TOP = (
    "SELECT customer_id FROM orders JOIN customers USING (customer_id) GROUP BY 1"
    " ORDER BY COUNT(*) DESC, first_name, last_name LIMIT 3"
)

DIALOGUES = [
    (["customers from France", "how many are they?"], "SELECT COUNT(*) FROM customers WHERE country = 'France'"),
    (["customers from France", "how many?"], "SELECT COUNT(*) FROM customers WHERE country = 'France'"),
    (["How many customers are from France?", "who are they?"], _FRENCH),
    (["How many customers are from France?", "list them"], _FRENCH),
    (["customers from France", "their emails"],
     "SELECT first_name, last_name, email FROM customers WHERE country = 'France'"),
    (["How many customers are from France?", "show their emails"],
     "SELECT first_name, last_name, email FROM customers WHERE country = 'France'"),
    (["customers from France", "how many of them are active?"],
     "SELECT COUNT(*) FROM customers WHERE country = 'France' AND active"),
    (["customers from France", "how many are active?"],
     "SELECT COUNT(*) FROM customers WHERE country = 'France' AND active"),
    (["customers from France", "which of these are older than 40?"],
     "SELECT first_name, last_name, age FROM customers WHERE country = 'France' AND age > 40"),
    (["customers from France", "how many orders do they have?"],
     "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE country = 'France'"),
    (["customers from France", "how many orders do they have?", "and those from Spain?"],
     "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE country = 'Spain'"),
    (["customers from France", "how many orders is that?"],
     "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE country = 'France'"),
    (["top 3 customers by number of orders", "which of them are active?"],
     f"SELECT first_name, last_name FROM customers WHERE active AND customer_id IN ({_TOP})"),
    (["top 3 customers by number of orders", "how many of them ordered in 2025?"],
     f"SELECT COUNT(*) FROM customers c WHERE customer_id IN ({_TOP}) AND EXISTS"
     " (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND order_date LIKE '2025%')"),
    (["How many orders in 2025?", "how many of them are cancelled?"],
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status = 'cancelled'"),
    (["How many orders by store?", "how many of them are cancelled?"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) WHERE status = 'cancelled' GROUP BY 1"),
    (["How many orders in 2025?", "show these orders"],
     "SELECT order_id, order_date, shipped_date, status, freight FROM orders WHERE order_date LIKE '2025%'"),
    (["customers from France", "which is the oldest?"],
     "SELECT first_name, last_name, age FROM customers WHERE country = 'France' AND age ="
     " (SELECT MAX(age) FROM customers WHERE country = 'France')"),
    (["customers from France", "only the oldest"],
     "SELECT first_name, last_name, age FROM customers WHERE country = 'France' AND age ="
     " (SELECT MAX(age) FROM customers WHERE country = 'France')"),
    (["products over 100", "how many are there?", "the cheapest?"],
     "SELECT name, price FROM products WHERE price > 100 AND price = (SELECT MIN(price) FROM products WHERE price > 100)"),
    (["How many orders by store?", "who ordered in 2025?"],
     "SELECT first_name, last_name FROM customers c WHERE EXISTS"
     " (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND order_date LIKE '2025%')"),
    (["customers from France", "who ordered in 2025?"],
     "SELECT first_name, last_name FROM customers c WHERE country = 'France' AND EXISTS"
     " (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND order_date LIKE '2025%')"),
    (["customers from France", "who spent the most?"],
     "SELECT first_name, last_name, SUM(quantity * unit_price) AS r FROM customers JOIN orders USING (customer_id)"
     " JOIN order_lines USING (order_id) WHERE country = 'France' GROUP BY customer_id ORDER BY r DESC LIMIT 1"),
    (["the most expensive product", "which category is it in?"],
     "SELECT name FROM categories WHERE category_id = (SELECT category_id FROM products ORDER BY price DESC LIMIT 1)"),
    (["top 2 categories by quantity", "their products"],
     "SELECT p.name, c.name FROM products p JOIN categories c USING (category_id) WHERE category_id IN"
     " (SELECT category_id FROM order_lines JOIN products USING (product_id) GROUP BY 1 ORDER BY SUM(quantity) DESC LIMIT 2)"),
    (["customers from France", "how much did each spend?"],
     "SELECT first_name, last_name, SUM(quantity * unit_price) FROM customers JOIN orders USING (customer_id)"
     " JOIN order_lines USING (order_id) WHERE country = 'France' GROUP BY customer_id"),
    (["How many customers are from France?", "how many per region?"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE country = 'France' GROUP BY 1"),
    (["How many customers ordered in 2025?", "which customers?"],
     "SELECT first_name, last_name FROM customers c WHERE EXISTS"
     " (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id AND order_date LIKE '2025%')"),
    (["How many orders in 2025?", "which stores?"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) WHERE order_date LIKE '2025%' GROUP BY 1"),
    (["stores in Bonn", "details"], "SELECT * FROM stores WHERE city = 'Bonn'"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "by_hand"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_they_are_the_rows_of_the_answer_before(turns, by_hand, plain, meaning_after, shop, same_rows):
    meaning = meaning_after(plain, turns)
    sql = plain.sql(meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "follow_up"),
    [
        ("total freight", "who are they?"),
        ("customers from France", "what did they eat?"),
        ("How many customers by country?", "their shoe size"),
        ("top 3 customers by number of orders", "which products?"),
    ],
)
def test_what_nobody_can_tell_of_them_is_declined(question, follow_up, plain, understood):
    before = understood(plain, question).meaning
    assert isinstance(plain.read(follow_up, before), NotUnderstood)


def test_words_that_change_the_answer_ask_nothing_of_its_rows(plain, understood):
    before = understood(plain, "How many customers by region?").meaning
    assert understood(plain, "show them as a pie chart", before).meaning.chart == "pie"
    assert understood(plain, "sort them by name", before).meaning.order[0].by == "dimension"


def test_a_standing_rule_gives_way_to_what_is_asked_of_the_rows(informed, understood, shop):
    before = understood(informed, "How many orders in 2025?").meaning
    after = understood(informed, "how many of them are cancelled?", before).meaning
    expected = "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status = 'cancelled'"
    assert shop.execute(informed.sql(after)).fetchall() == shop.execute(expected).fetchall()
