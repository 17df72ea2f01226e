"""Each rule finds its mistake and stays silent on the query as it should have been written."""

from __future__ import annotations

import asyncio
import sqlite3
from contextlib import closing
from dataclasses import replace

import pytest
from rights_of_person import PERSON

from assistant.core.catalog import Catalog
from assistant.query.review.findings import review_query
from assistant.sources.addresses import addresses
from assistant.sources.opening import open_source

SCHEMA = """
    CREATE TABLE customers (id INTEGER PRIMARY KEY, name TEXT, city TEXT);
    CREATE TABLE orders (id INTEGER PRIMARY KEY, customer_id INTEGER REFERENCES customers, status TEXT, freight REAL,
                         placed TIMESTAMP, day DATE, seller INTEGER);
    CREATE TABLE order_lines (id INTEGER PRIMARY KEY, order_id INTEGER REFERENCES orders, quantity INTEGER, price REAL);
    INSERT INTO customers VALUES (1, 'Ada', 'Kiel'), (2, 'Bo', 'Lund'), (3, 'Cy', 'Lund');
    INSERT INTO orders VALUES
        (1, 1, 'open', 5.0, '2024-03-01 10:15:00', '2024-03-01', 1), (2, 1, 'shipped', 7.5, '2024-03-02 08:00:00', '2024-03-02', NULL),
        (3, 2, 'shipped', 2.5, '2024-03-31 16:30:00', '2024-03-31', 2);
    INSERT INTO order_lines VALUES (1, 1, 2, 10.0), (2, 1, 1, 4.0), (3, 2, 5, 1.0), (4, 3, 1, 9.0);
"""

CASES = [
    (
        "is too high",
        "SELECT SUM(o.freight) FROM orders o JOIN order_lines l ON l.order_id = o.id",
        "SELECT SUM(o.freight) FROM orders o JOIN customers c ON c.id = o.customer_id",
    ),
    (
        "is too high",
        "SELECT c.city, COUNT(o.id) FROM customers c JOIN orders o ON o.customer_id = c.id"
        " JOIN order_lines l ON l.order_id = o.id GROUP BY c.city",
        "SELECT c.city, COUNT(DISTINCT o.id) FROM customers c JOIN orders o ON o.customer_id = c.id"
        " JOIN order_lines l ON l.order_id = o.id GROUP BY c.city",
    ),
    (
        "is too high",
        "SELECT SUM(freight) FROM orders, order_lines l WHERE l.order_id = orders.id",
        "SELECT SUM(l.quantity * l.price) FROM orders o, order_lines l WHERE l.order_id = o.id",
    ),
    (
        "'customers_left' counts each row of customers once for each row of orders",
        "SELECT c.city, COUNT(*) AS customers_left FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY c.city",
        "SELECT c.city, COUNT(*) AS orders_of_customers FROM customers c JOIN orders o ON o.customer_id = c.id"
        " GROUP BY c.city",
    ),
    (
        "counts each row of customers once for each row of orders",
        "SELECT COUNT(1) AS customer_count FROM customers c JOIN orders o ON o.customer_id = c.id",
        "SELECT COUNT(*) AS order_count FROM customers c JOIN orders o ON o.customer_id = c.id",
    ),
    (
        "the average is weighted",
        "SELECT AVG(o.freight) FROM orders o JOIN order_lines l ON l.order_id = o.id",
        "SELECT AVG(l.price) FROM orders o JOIN order_lines l ON l.order_id = o.id",
    ),
    (
        "drops them again",
        "SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
        " WHERE o.status = 'open' GROUP BY c.id",
        "SELECT c.name, COUNT(o.id) FROM customers c LEFT JOIN orders o ON o.customer_id = c.id"
        " AND o.status = 'open' GROUP BY c.id",
    ),
    (
        "No condition connects",
        "SELECT COUNT(*) FROM customers, orders WHERE status = 'open'",
        "SELECT COUNT(*) FROM customers, orders WHERE status = 'open' AND customers.id = orders.customer_id",
    ),
    ("never true", "SELECT id FROM orders WHERE seller = NULL", "SELECT id FROM orders WHERE seller IS NULL"),
    (
        "Did you mean 'shipped'",
        "SELECT id FROM orders WHERE status IN ('open', 'Shipped')",
        "SELECT id FROM orders WHERE status IN ('open', 'shipped')",
    ),
    ("There are 'open', 'shipped'", "SELECT id FROM orders WHERE status = 'x'", "SELECT id FROM orders WHERE id = 4"),
    ("compares types", "SELECT id FROM orders WHERE day >= 2024", "SELECT id FROM orders WHERE day >= '2024-01-01'"),
    (
        "Write < the day after",
        "SELECT id FROM orders WHERE placed BETWEEN '2024-03-01' AND '2024-03-31'",
        "SELECT id FROM orders WHERE placed >= '2024-03-01' AND placed < '2024-04-01'",
    ),
    (
        "true for no row",
        "SELECT name FROM customers WHERE id NOT IN (SELECT seller FROM orders)",
        "SELECT name FROM customers WHERE id NOT IN (SELECT seller FROM orders WHERE seller IS NOT NULL)",
    ),
    ("computes with identifiers", "SELECT SUM(customer_id) FROM orders", "SELECT COUNT(customer_id) FROM orders"),
    (
        "any row of the group",
        "SELECT city, name, COUNT(*) FROM customers GROUP BY city",
        "SELECT city, COUNT(*) FROM customers GROUP BY 1",
    ),
    (
        "drops the fraction",
        "SELECT SUM(quantity) / COUNT(*) FROM order_lines",
        "SELECT 1.0 * SUM(quantity) / COUNT(*) FROM order_lines",
    ),
    ("keeps any rows", "SELECT id FROM orders LIMIT 5", "SELECT id FROM orders ORDER BY freight LIMIT 5"),
]


@pytest.fixture(scope="module")
def catalog(tmp_path_factory: pytest.TempPathFactory) -> Catalog:
    folder = tmp_path_factory.mktemp("shop")
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(SCHEMA)

    async def read() -> Catalog:
        source = await open_source(addresses(f"shop={path}", PERSON)[0], folder=folder)
        try:
            return await source.catalog()
        finally:
            await source.close()

    return asyncio.run(read())


@pytest.mark.parametrize(("said", "wrong", "right"), CASES)
def test_a_mistake_is_found_and_the_right_query_passes(catalog: Catalog, said: str, wrong: str, right: str) -> None:
    assert any(said in finding.text for finding in review_query(wrong, catalog)), review_query(wrong, catalog)
    assert review_query(right, catalog) == ()


@pytest.mark.parametrize(
    "sql",
    [
        "WITH per_order AS (SELECT order_id, SUM(price) AS total FROM order_lines GROUP BY order_id)"
        " SELECT SUM(o.freight), SUM(p.total) FROM orders o JOIN per_order p ON p.order_id = o.id",
        "SELECT c.name, SUM(l.price) FROM customers c JOIN orders o ON o.customer_id = c.id"
        " JOIN order_lines l ON l.order_id = o.id GROUP BY c.id ORDER BY 2 DESC LIMIT 1",
        "SELECT status, COUNT(*) * 1.0 / SUM(COUNT(*)) OVER () FROM orders GROUP BY status",
        "SELECT name FROM customers c WHERE NOT EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.id)",
        "SELECT day, freight - LAG(freight) OVER (ORDER BY day) FROM orders ORDER BY day",
        "SELECT c.city FROM customers c LEFT JOIN orders o ON o.customer_id = c.id WHERE o.id IS NULL",
        "SELECT c.name, COUNT(*) FROM customers c JOIN orders o ON o.customer_id = c.id GROUP BY o.customer_id",
        "SELECT MAX(freight), status FROM orders",
        "SELECT COUNT(*) FROM orders o JOIN order_lines l ON l.order_id = o.id",
        "SELECT id FROM orders WHERE status = ? AND day >= :since",
    ],
)
def test_sound_queries_raise_no_finding(catalog: Catalog, sql: str) -> None:
    assert review_query(sql, catalog) == ()


def test_what_cannot_be_parsed_or_is_not_known_raises_nothing(catalog: Catalog) -> None:
    assert review_query("SELECT FROM WHERE", catalog) == ()
    assert review_query("SELECT SUM(x) FROM elsewhere JOIN other USING (id)", replace(catalog, tables=())) == ()
