"""Questions on a schema with no knowledge at all, each against SQL written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.meaning import Meaning
from assistant.embedded.sql.headings import column_names

LINES = "order_lines l JOIN orders o USING (order_id)"

ANSWERED = [
    ("How many customers are there?", "SELECT COUNT(*) FROM customers"),
    ("How many customers are from Germany?", "SELECT COUNT(*) FROM customers WHERE country = 'Germany'"),
    ("number of customers in the united kingdom", "SELECT COUNT(*) FROM customers WHERE country = 'United Kingdom'"),
    ("How many customers per country?", "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
    ("customers by region", "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) GROUP BY 1"),
    (
        "How many customers are there per country and region?",
        "SELECT country, r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) GROUP BY 1, 2",
    ),
    ("What is the average age of customers?", "SELECT AVG(age) FROM customers"),
    ("average age of customers from France or Spain", "SELECT AVG(age) FROM customers WHERE country IN ('France', 'Spain')"),
    ("highest price", "SELECT MAX(price) FROM products"),
    ("lowest and highest price per category",
     "SELECT c.name, MIN(price), MAX(price) FROM products JOIN categories c USING (category_id) GROUP BY 1"),
    ("total freight", "SELECT SUM(freight) FROM orders"),
    ("Total freight by store in 2025",
     "SELECT s.name, SUM(freight) FROM orders JOIN stores s USING (store_id)"
     " WHERE order_date BETWEEN '2025-01-01' AND '2025-12-31' GROUP BY 1"),
    ("freight per month in 2025",
     "SELECT substr(order_date, 1, 7) || '-01', SUM(freight) FROM orders WHERE order_date LIKE '2025%' GROUP BY 1"),
    ("How many orders per quarter since January 2025?",
     "SELECT substr(order_date, 1, 4) || CASE WHEN substr(order_date, 6, 2) < '04' THEN '-01-01'"
     " WHEN substr(order_date, 6, 2) < '07' THEN '-04-01' WHEN substr(order_date, 6, 2) < '10' THEN '-07-01'"
     " ELSE '-10-01' END, COUNT(*) FROM orders WHERE order_date >= '2025-01-01' GROUP BY 1"),
    ("orders per year", "SELECT CAST(substr(order_date, 1, 4) AS INTEGER), COUNT(*) FROM orders GROUP BY 1"),
    ("How many orders were placed last month?", "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2026-10-%'"),
    ("orders shipped in March 2025",
     "SELECT order_id, shipped_date, order_date, status, freight FROM orders WHERE shipped_date LIKE '2025-03-%'"),
    ("quantity by category",
     "SELECT c.name, SUM(quantity) FROM order_lines JOIN products USING (product_id)"
     " JOIN categories c USING (category_id) GROUP BY 1"),
    ("top 3 products by quantity",
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q DESC LIMIT 3"),
    ("bottom 2 categories by number of products",
     "SELECT c.name, COUNT(*) AS n FROM products JOIN categories c USING (category_id) GROUP BY 1 ORDER BY n, 1 LIMIT 2"),
    ("Which region has the most customers?",
     "SELECT r.name, COUNT(*) AS n FROM customers JOIN regions r USING (region_id) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 1"),
    ("Which product has the highest price?", "SELECT name, price FROM products ORDER BY price DESC LIMIT 1"),
    ("the 3 cheapest products", "SELECT name, price FROM products ORDER BY price LIMIT 3"),
    ("list products that cost more than 100", "SELECT name, price FROM products WHERE price > 100"),
    ("products with a price between 40 and 130", "SELECT name, price FROM products WHERE price BETWEEN 40 AND 130"),
    ("products that are not in Furniture",
     "SELECT p.name, c.name FROM products p JOIN categories c USING (category_id) WHERE c.name <> 'Furniture'"),
    ("products more expensive than average",
     "SELECT name, price FROM products WHERE price > (SELECT AVG(price) FROM products)"),
    ("products whose name contains \"lamp\"", "SELECT name FROM products WHERE name LIKE '%lamp%'"),
    ("customers older than 55", "SELECT first_name, last_name, age FROM customers WHERE age > 55"),
    ("How many customers have no email?", "SELECT COUNT(*) FROM customers WHERE email IS NULL"),
    ("how many active customers are there", "SELECT COUNT(*) FROM customers WHERE active = 1"),
    ("How many customers are not active?", "SELECT COUNT(*) FROM customers WHERE active = 0"),
    ("customers without orders",
     "SELECT first_name, last_name FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders)"),
    ("how many customers have more than 8 orders",
     "SELECT COUNT(*) FROM (SELECT customer_id FROM orders GROUP BY 1 HAVING COUNT(*) > 8)"),
    ("customers with at least 12 orders",
     "SELECT first_name, last_name FROM customers JOIN orders USING (customer_id) GROUP BY customer_id HAVING COUNT(*) >= 12"),
    ("how many customers ordered in 2026",
     "SELECT COUNT(DISTINCT customer_id) FROM orders WHERE order_date LIKE '2026%'"),
    ("How many products are there per tag?",
     "SELECT t.name, COUNT(*) FROM product_tags JOIN tags t USING (tag_id) GROUP BY 1"),
    ("products without tags", "SELECT name FROM products WHERE product_id NOT IN (SELECT product_id FROM product_tags)"),
    ("how many different countries do customers come from", "SELECT COUNT(DISTINCT country) FROM customers"),
    ("share of customers by region",
     "SELECT r.name, COUNT(*), 100.0 * COUNT(*) / 40 FROM customers JOIN regions r USING (region_id) GROUP BY 1"),
    ("What percentage of orders were cancelled?",
     "SELECT 100.0 * SUM(status = 'cancelled') / COUNT(*) FROM orders"),
    ("How many stores are in Berlin?", "SELECT COUNT(*) FROM stores WHERE city = 'Berlin'"),
    ("most common status of orders", "SELECT status, COUNT(*) AS n FROM orders GROUP BY 1 ORDER BY n DESC LIMIT 1"),
    ("Show the first name and last name of customers sorted by age descending",
     "SELECT first_name, last_name, age FROM customers"),
    ("How many custmers are from France?", "SELECT COUNT(*) FROM customers WHERE country = 'France'"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "by_hand"), ANSWERED, ids=[q for q, _ in ANSWERED])
def test_answer_equals_sql_written_by_hand(question, by_hand, plain, understood, shop, same_rows):
    outcome = understood(plain, question)
    sql = plain.sql(outcome.meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


@pytest.mark.parametrize("question", [q for q, _ in ANSWERED])
def test_meaning_survives_json_and_names_its_columns(question, plain, understood, shop):
    meaning = understood(plain, question).meaning
    assert Meaning.model_validate_json(meaning.model_dump_json()) == meaning
    cursor = shop.execute(plain.sql(meaning))
    assert tuple(c[0] for c in cursor.description) == column_names(meaning)


def test_order_of_rows_is_kept(plain, understood, shop):
    meaning = understood(plain, "products sorted by price descending").meaning
    prices = [row[1] for row in shop.execute(plain.sql(meaning))]
    assert prices == sorted(prices, reverse=True)
    assert len(prices) == 8


def test_columns_shown_for_context_can_be_left_out(plain, understood, shop):
    meaning = understood(plain, "Which region has the most customers?").meaning
    assert len(shop.execute(plain.sql(meaning, context=False)).fetchone()) == 1


def test_starters_and_follow_ups_are_answered(plain, informed, understood):
    for analyst in (plain, informed):
        assert len(analyst.starters()) == 3
        for question in analyst.starters():
            meaning = understood(analyst, question).meaning
            for text in analyst.follow_ups(meaning):
                understood(analyst, text, meaning)


def test_assumptions_say_which_date_is_meant(plain, understood):
    outcome = understood(plain, "How many orders in 2025?")
    assert any("order date" in text for text in outcome.assumptions)
    assert outcome.restated == "Number of orders for 2025"
