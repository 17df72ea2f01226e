"""What one of something has or is worth in a file whose rows are lines of orders, and how many have more than so much."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
File = tuple[Analyst, sqlite3.Connection]
_LANDS = ("Germany", "France", "Spain")
_REVENUE = 'SUM(Quantity * "Unit Price")'
_WORTH = f'{_REVENUE} / COUNT(DISTINCT "Order ID")'


@pytest.fixture(scope="module")
def lines(opened: Opened) -> File:
    """Lines of 80 orders; a customer buys some products again, and one country has one customer."""
    random.seed(8)
    script = """CREATE TABLE sales ("Order ID" INTEGER, "Order Date" DATE, Customer TEXT, Country TEXT,
        Salesperson TEXT, Product TEXT, "Unit Price" REAL, Quantity INTEGER);"""
    for n in range(80):
        day = date(2026, 1, 1) + timedelta(days=random.randrange(300))
        who = random.randrange(10)
        land = "Malta" if who == 9 else _LANDS[who % 3]
        for product in random.sample(range(6), random.choice((1, 2, 3, 5))):
            row = f"{700 + n}, '{day}', 'C{who}', '{land}', 'S{random.randrange(3)}', 'P{product}'"
            script += f"INSERT INTO sales VALUES ({row}, {5 + 7 * product}, {random.randrange(1, 5)});\n"
    return opened("sales", script, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average order value by country", f"SELECT Country, {_WORTH} FROM sales GROUP BY 1"),
        ("what is our AOV", f"SELECT {_WORTH} FROM sales"),
        ("average basket size", f"SELECT {_WORTH} FROM sales"),
        ("how much does a customer spend per order", f"SELECT {_WORTH} FROM sales"),
        (
            "which country spends the most per order",
            f"SELECT Country, {_WORTH} FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "which salesperson has the lowest revenue per order",
            f"SELECT Salesperson, {_WORTH} FROM sales GROUP BY 1 ORDER BY 2 LIMIT 1",
        ),
        (
            "how many orders does a customer place on average",
            'SELECT 1.0 * COUNT(DISTINCT "Order ID") / COUNT(DISTINCT Customer) FROM sales',
        ),
        (
            "average orders per customer",
            'SELECT 1.0 * COUNT(DISTINCT "Order ID") / COUNT(DISTINCT Customer) FROM sales',
        ),
        (
            "how many different products does an average order have",
            'SELECT AVG(n) FROM (SELECT 1.0 * COUNT(DISTINCT Product) AS n FROM sales GROUP BY "Order ID")',
        ),
        (
            "how many products are in an order on average",
            'SELECT AVG(n) FROM (SELECT 1.0 * COUNT(DISTINCT Product) AS n FROM sales GROUP BY "Order ID")',
        ),
        (
            "average number of products per customer",
            "SELECT AVG(n) FROM (SELECT 1.0 * COUNT(DISTINCT Product) AS n FROM sales GROUP BY Customer)",
        ),
        (
            "how much does a typical order contain",
            'SELECT 1.0 * SUM(Quantity) / COUNT(DISTINCT "Order ID") FROM sales',
        ),
        (
            "which country has the highest average revenue per customer",
            f"SELECT Country, {_REVENUE} / COUNT(DISTINCT Customer) FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "which country has the most orders per customer",
            'SELECT Country, 1.0 * COUNT(DISTINCT "Order ID") / COUNT(DISTINCT Customer) FROM sales'
            " GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "salesperson with the lowest average number of orders per month",
            'SELECT Salesperson, 1.0 * COUNT(DISTINCT "Order ID") / COUNT(DISTINCT strftime(\'%Y-%m\', "Order Date"))'
            " FROM sales GROUP BY 1 ORDER BY 2 LIMIT 1",
        ),
        (
            "which month had the most orders",
            'SELECT strftime(\'%Y-%m-01\', "Order Date"), COUNT(DISTINCT "Order ID") FROM sales GROUP BY 1'
            " ORDER BY 2 DESC LIMIT 1",
        ),
    ],
)
def test_one_is_no_line(lines: File, question: str, sql: str, same_rows: Callable[..., bool]) -> None:
    analyst, con = lines
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning)).fetchall(), con.execute(sql).fetchall())


@pytest.mark.parametrize(
    ("question", "group", "having"),
    [
        ("how many customers have more than 8 orders", "Customer", 'COUNT(DISTINCT "Order ID") > 8'),
        ("how many customers have revenue over 1000", "Customer", f"{_REVENUE} > 1000"),
        ("how many orders have more than 2 products", '"Order ID"', "COUNT(DISTINCT Product) > 2"),
        ("how many orders had revenue over 100", '"Order ID"', f"{_REVENUE} > 100"),
        ("how many countries have only one customer", "Country", "COUNT(DISTINCT Customer) = 1"),
    ],
)
def test_those_above_are_counted(
    lines: File, question: str, group: str, having: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = lines
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    gold = con.execute(f"SELECT COUNT(*) FROM (SELECT {group} FROM sales GROUP BY 1 HAVING {having})").fetchall()
    assert 0 < gold[0][0] < con.execute(f"SELECT COUNT(DISTINCT {group}) FROM sales").fetchone()[0]
    assert same_rows(con.execute(analyst.sql(outcome.meaning)).fetchall(), gold)


@pytest.mark.parametrize("question", ["countries with only one customer", "which countries have exactly 1 customer"])
def test_one_may_be_all_there_are(lines: File, question: str) -> None:
    analyst, con = lines
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert con.execute(analyst.sql(outcome.meaning)).fetchall() == [("Malta", 1)]


def test_orders_of_a_table_are_no_freight(plain: Analyst, shop: sqlite3.Connection) -> None:
    outcome = read("average orders per customer", plain, ())
    assert isinstance(outcome, Understood)
    gold = shop.execute("SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders").fetchall()
    assert shop.execute(plain.sql(outcome.meaning)).fetchall() == gold
