"""A file whose rows are the lines of orders, as a web shop exports them: the orders are counted, not their lines."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood, Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
Export = tuple[Analyst, sqlite3.Connection]

_GOODS = (("Cap", "Hats", 20.0), ("Beret", "Hats", 30.0), ("Boot", "Shoes", 120.0), ("Clog", "Shoes", 45.0))
_LANDS = ("Germany", "France", "Spain")
_STATES = ("shipped", "shipped", "shipped", "cancelled")


def _lines() -> str:
    """The export: 60 orders of 1 to 3 lines by 12 customers."""
    random.seed(5)
    script = """CREATE TABLE webshop (
        "Order No" INTEGER, "Order Date" DATE, Customer TEXT, Country TEXT, Product TEXT, Category TEXT, Qty INTEGER,
        "Unit Price" REAL, Shipping REAL, Status TEXT);"""
    for number in range(1001, 1061):
        day = date(2026, 1, 5) + timedelta(days=random.randrange(300))
        who = random.randrange(12)
        state = random.choice(_STATES)
        for name, kind, price in random.sample(_GOODS, random.choice((1, 2, 3))):
            row = (number, day.isoformat(), f"Client {who:02}", _LANDS[who % 3], name, kind, random.randrange(1, 4))
            script += f"INSERT INTO webshop VALUES {(*row, price, 4.9, state)};\n"
    return script


@pytest.fixture(scope="module")
def export(opened: Opened) -> Export:
    return opened("webshop", _lines(), date(2026, 11, 21))


def _understood(export: Export, question: str) -> tuple[Understood, list[tuple[object, ...]]]:
    analyst, con = export
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    return outcome, con.execute(analyst.sql(outcome.meaning)).fetchall()


@pytest.mark.parametrize(
    ("question", "sql", "title"),
    [
        ("how many orders did we get", 'SELECT COUNT(DISTINCT "Order No") FROM webshop', "Number of orders"),
        (
            "orders by country",
            'SELECT Country, COUNT(DISTINCT "Order No") FROM webshop GROUP BY 1',
            "Number of orders by country",
        ),
        (
            "customers by country",
            "SELECT Country, COUNT(DISTINCT Customer) FROM webshop GROUP BY 1",
            "Number of customers by country",
        ),
        (
            "orders per month",
            'SELECT strftime(\'%Y-%m-01\', "Order Date"), COUNT(DISTINCT "Order No") FROM webshop GROUP BY 1',
            "Number of orders by month",
        ),
        (
            "percentage of orders that were cancelled",
            "SELECT 100.0 * (SELECT COUNT(DISTINCT \"Order No\") FROM webshop WHERE Status = 'cancelled')"
            ' / COUNT(DISTINCT "Order No") FROM webshop',
            "Share of orders where row status is cancelled",
        ),
        (
            "average number of orders per customer",
            'SELECT 1.0 * COUNT(DISTINCT "Order No") / COUNT(DISTINCT Customer) FROM webshop',
            "Orders per customer",
        ),
        (
            "average quantity per order",
            'SELECT 1.0 * SUM(Qty) / COUNT(DISTINCT "Order No") FROM webshop',
            "Qty per order",
        ),
        (
            "average revenue per order",
            'SELECT SUM(Qty * "Unit Price") / COUNT(DISTINCT "Order No") FROM webshop',
            "Revenue per order",
        ),
    ],
)
def test_what_the_lines_name_is_counted_once(
    export: Export, question: str, sql: str, title: str, same_rows: Callable[..., bool]
) -> None:
    outcome, rows = _understood(export, question)
    expected = export[1].execute(sql).fetchall()
    assert expected != export[1].execute("SELECT COUNT(*) FROM webshop").fetchall()
    assert same_rows(rows, expected)
    assert outcome.restated == title


@pytest.mark.parametrize("question", ["average order no", "total order no", "biggest order ever"])
def test_a_running_number_is_no_figure(export: Export, question: str) -> None:
    analyst, _ = export
    outcome = analyst.read(question)
    assert not isinstance(outcome, Understood) or "Order No" not in str(
        [m for m in outcome.meaning.measures if m.aggregate != "distinct"]
    )
    for candidate in analyst.candidates(question):
        aggregates = {m.aggregate for m in candidate.meaning.measures if m.column and m.column.column == "Order No"}
        assert aggregates <= {"distinct"}


_REVENUE = 'SUM(Qty * "Unit Price")'


@pytest.mark.parametrize(
    ("question", "sql", "title"),
    [
        (
            "customers with more than 5 orders",
            'SELECT Customer, COUNT(DISTINCT "Order No") FROM webshop GROUP BY 1 HAVING COUNT(DISTINCT "Order No") > 5',
            "Number of orders by customer with number of orders over 5",
        ),
        (
            "who is our best customer",
            f"SELECT Customer, {_REVENUE} FROM webshop GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
            "Customer with the highest revenue",
        ),
        (
            "top 3 products",
            f"SELECT Product, {_REVENUE} FROM webshop GROUP BY 1 ORDER BY 2 DESC LIMIT 3",
            "3 products with the highest revenue",
        ),
        (
            "biggest order",
            f'SELECT "Order No", {_REVENUE} FROM webshop GROUP BY 1 ORDER BY 2 DESC LIMIT 1',
            "Order no with the highest revenue",
        ),
    ],
)
def test_what_the_lines_name_is_bound_and_ranked(
    export: Export, question: str, sql: str, title: str, same_rows: Callable[..., bool]
) -> None:
    outcome, rows = _understood(export, question)
    expected = export[1].execute(sql).fetchall()
    assert expected
    assert same_rows(rows, expected)
    assert outcome.restated == title


def test_a_list_that_is_asked_for_stays_one(export: Export) -> None:
    outcome, _ = _understood(export, "list the products by category")
    assert not outcome.meaning.measures


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("what is the cheapest product", [("Cap",)]),
        ("list the products by category", [("Hats", "Beret"), ("Hats", "Cap"), ("Shoes", "Boot"), ("Shoes", "Clog")]),
    ],
)
def test_names_that_lines_repeat_are_listed_once(
    export: Export, question: str, expected: list[tuple[object, ...]]
) -> None:
    analyst, con = export
    outcome, _ = _understood(export, question)
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == expected


def test_nothing_is_said_of_a_word_that_was_left_out(export: Export) -> None:
    analyst, _ = export
    outcome = analyst.read("what share of orders was cancelled")
    assert not isinstance(outcome, NotUnderstood)
    for candidate in analyst.candidates("how many different products do we ship"):
        for said in candidate.assumptions:
            column = said.rpartition("is read as webshop.")[2] if "is read as webshop." in said else ""
            assert column in candidate.meaning.model_dump_json()


@pytest.mark.parametrize("question", ["customers without orders", "customers who never ordered"])
def test_nobody_is_looked_for_without_a_number_that_every_line_has(export: Export, question: str) -> None:
    analyst, _ = export
    outcome = analyst.read(question)
    assert isinstance(outcome, NotUnderstood)
    assert outcome.reason.startswith("Each customer in this file has some")
    assert not any(item.operator == "missing" for c in analyst.candidates(question) for item in c.meaning.filters)


def _superstore() -> str:
    """A retailer's export: each row has a number of its own, and customers and goods have a number and a name."""
    random.seed(3)
    script = """CREATE TABLE superstore ("Row ID" INTEGER, "Order ID" TEXT, "Order Date" DATE, "Customer ID" TEXT,
        "Customer Name" TEXT, Category TEXT, "Product ID" TEXT, "Product Name" TEXT, Sales REAL, Quantity INTEGER,
        Profit REAL);"""
    row = 0
    for number in range(1, 61):
        who, day = random.randrange(12), date(2025, 1, 5) + timedelta(days=random.randrange(600))
        for name, kind, price in random.sample(_GOODS, random.choice((1, 2, 3))):
            row, count = row + 1, random.randrange(1, 4)
            profit = round(price * count * (-0.1 if name == "Clog" else 0.2), 2)
            order = (row, f"CA-{number:04}", day.isoformat(), f"C-{who * 7:03}", f"Client {who:02}", kind)
            script += f"INSERT INTO superstore VALUES {(*order, f'P-{name}', name, price * count, count, profit)};\n"
    return script


@pytest.fixture(scope="module")
def superstore(opened: Opened) -> Export:
    return opened("superstore", _superstore(), date(2026, 11, 21))


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "top 5 customers by profit",
            'SELECT "Customer Name", SUM(Profit) FROM superstore GROUP BY 1 ORDER BY 2 DESC LIMIT 5',
        ),
        (
            "customers without orders in 2026",
            'SELECT DISTINCT "Customer Name" FROM superstore EXCEPT'
            ' SELECT "Customer Name" FROM superstore WHERE "Order Date" >= \'2026-01-01\'',
        ),
        ("total sales by customer id", 'SELECT "Customer ID", SUM(Sales) FROM superstore GROUP BY 1'),
        ("profit margin by category", "SELECT Category, 100.0 * SUM(Profit) / SUM(Sales) FROM superstore GROUP BY 1"),
        (
            "which products lose money",
            'SELECT "Product Name" FROM superstore GROUP BY 1 HAVING SUM(Profit) < 0',
        ),
    ],
)
def test_an_export_with_numbers_and_names_is_told_by_names(
    superstore: Export, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = superstore
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    expected = con.execute(sql).fetchall()
    assert expected
    assert same_rows(con.execute(analyst.sql(outcome.meaning, context=False)).fetchall(), expected)


def test_goods_that_several_orders_hold_count_for_each_of_them(superstore: Export) -> None:
    analyst, con = superstore
    found = analyst.candidates("how many different products does an average order have")[0]
    ours = con.execute(analyst.sql(found.meaning)).fetchall()
    sql = 'SELECT AVG(n) FROM (SELECT COUNT(DISTINCT "Product Name") AS n FROM superstore GROUP BY "Order ID")'
    assert ours == [(pytest.approx(con.execute(sql).fetchone()[0]),)]


def test_a_year_that_is_offered_is_one_that_the_file_tells_of(opened: Opened) -> None:
    old = _superstore().replace("'2026-", "'2011-").replace("'2025-", "'2010-")
    for today, year in ((date(2026, 11, 21), "only 2011"), (date(2011, 11, 21), "only 2010")):
        analyst, _ = opened(f"old_{today.year}", old, today)
        outcome = analyst.read("total quantity by month and category")
        assert isinstance(outcome, Understood)
        assert year in analyst.follow_ups(outcome.meaning)
