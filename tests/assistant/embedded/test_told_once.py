"""A file that tells what an order came to, and what sending it cost, on each of its lines: neither counts twice."""

from __future__ import annotations

import random
from collections.abc import Callable, Iterator
from datetime import date, timedelta

import duckdb
import pytest

from assistant.data.adapters.duckdb_catalog import read_catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.recognising import recognise

Export = tuple[Analyst, duckdb.DuckDBPyConnection]
_TODAY = date(2026, 11, 21)
_GOODS = (("Tea", 4.0), ("Coffee", 7.0), ("Cocoa", 5.5), ("Honey", 9.0))
_ORDERS = 'SELECT DISTINCT "Order No", "Order Date", "Shipped Date", Customer, Country, Status, Freight, "Order Total" FROM export'
"""The orders, made of their lines."""


@pytest.fixture(scope="module")
def export() -> Iterator[Export]:
    random.seed(8)
    with duckdb.connect() as con:
        con.execute(
            'CREATE TABLE export ("Order No" INTEGER, "Order Date" DATE, "Shipped Date" DATE, "Customer ID" INTEGER,'
            ' Customer VARCHAR, Country VARCHAR, Status VARCHAR, Product VARCHAR, Quantity INTEGER, Freight DOUBLE, "Order Total" DOUBLE)'
        )
        for number in range(1, 121):
            day, who = date(2026, 1, 3) + timedelta(days=random.randrange(300)), random.randrange(26)
            lines = [
                (name, random.randrange(1, 6), price) for name, price in random.sample(_GOODS, random.randrange(1, 5))
            ]
            shipped = None if number % 9 == 0 else day + timedelta(days=random.randrange(1, 12))
            state = random.choice(("paid", "paid", "cancelled"))
            order = (number, day, shipped, 700 + who, f"Client {who:02}", ("Italy", "Malta", "Spain")[who % 3], state)
            freight, total = round(random.uniform(4, 90), 2), round(sum(q * p for _, q, p in lines), 2)
            for name, quantity, _ in lines:
                con.execute(
                    "INSERT INTO export VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
                    [*order, name, quantity, freight, total],
                )
        yield Analyst([read_catalog(con, source="export")], (), today=_TODAY), con


def _rows(export: Export, question: str) -> list[tuple[object, ...]]:
    analyst, con = export
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    return con.execute(analyst.sql(outcome.meaning)).fetchall()


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("total freight", "SELECT SUM(Freight) FROM orders"),
        ("total freight by country", "SELECT Country, SUM(Freight) FROM orders GROUP BY 1"),
        ("average freight by country", "SELECT Country, AVG(Freight) FROM orders GROUP BY 1"),
        ("total revenue", 'SELECT SUM("Order Total") FROM orders'),
        ("revenue by country", 'SELECT Country, SUM("Order Total") FROM orders GROUP BY 1'),
        (
            "revenue by month",
            'SELECT DATE_TRUNC(\'month\', "Order Date")::DATE, SUM("Order Total") FROM orders GROUP BY 1',
        ),
        (
            "top 3 customers by revenue",
            'SELECT Customer, SUM("Order Total") AS r FROM orders GROUP BY 1 ORDER BY r DESC LIMIT 3',
        ),
        (
            "which country has the highest freight",
            "SELECT Country, SUM(Freight) AS f FROM orders GROUP BY 1 ORDER BY f DESC LIMIT 1",
        ),
        (
            "customers with a total freight over 250",
            "SELECT Customer, SUM(Freight) FROM orders GROUP BY 1 HAVING SUM(Freight) > 250",
        ),
        (
            "total freight of orders with Tea",
            'SELECT SUM(Freight) FROM orders WHERE "Order No" IN (SELECT "Order No" FROM export WHERE Product = \'Tea\')',
        ),
        (
            "share of freight that went to Italy",
            "SELECT 100.0 * SUM(CASE WHEN Country = 'Italy' THEN Freight ELSE 0 END) / SUM(Freight) FROM orders",
        ),
        (
            "average days between order date and shipped date by country",
            'SELECT Country, AVG(DATE_DIFF(\'day\', "Order Date", "Shipped Date")) FROM orders GROUP BY 1',
        ),
        (
            "revenue and freight by country",
            'SELECT Country, SUM("Order Total"), SUM(Freight) FROM orders GROUP BY 1',
        ),
        (
            "total quantity and total freight by country",
            "SELECT Country, (SELECT SUM(Quantity) FROM export AS e WHERE e.Country = orders.Country), SUM(Freight)"
            " FROM orders GROUP BY 1",
        ),
        (
            "cancellation rate by country",
            "SELECT Country, 100.0 * COUNT(*) FILTER (Status = 'cancelled') / COUNT(*) FROM orders GROUP BY 1",
        ),
        ("how many rows are there per country", "SELECT Country, COUNT(*) FROM export GROUP BY 1"),
        ("total quantity by product", "SELECT Product, SUM(Quantity) FROM export GROUP BY 1"),
    ],
)
def test_a_figure_of_orders_is_made_of_each_of_them_once(
    export: Export, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    ours = _rows(export, question)
    assert same_rows(ours, export[1].execute(f"WITH orders AS ({_ORDERS}) {sql}").fetchall())


def test_it_would_count_several_times_otherwise(export: Export) -> None:
    (((once,),), ((lines,),)) = (
        _rows(export, "total freight"),
        export[1].execute("SELECT SUM(Freight) FROM export").fetchall(),
    )
    assert isinstance(once, float)
    assert lines > 1.5 * once


def test_it_is_told_with_the_answer(export: Export) -> None:
    outcome = export[0].read("total freight by country")
    assert isinstance(outcome, Understood)
    assert "each order's freight counts once, however many rows tell of it" in outcome.assumptions


@pytest.mark.parametrize("question", ["total freight by product", "revenue by product", "share of revenue by product"])
def test_what_part_of_it_a_line_has_nothing_tells(export: Export, question: str) -> None:
    outcome = export[0].read(question)
    assert isinstance(outcome, NotUnderstood)
    assert outcome.reason.startswith("Each order has one")


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("orders with freight over 60", 'SELECT "Order No" FROM orders WHERE Freight > 60'),
        (
            "orders with freight above average",
            'SELECT "Order No" FROM orders WHERE Freight > (SELECT AVG(Freight) FROM orders)',
        ),
        ("orders not shipped", 'SELECT "Order No" FROM orders WHERE "Shipped Date" IS NULL'),
        ("which orders contain Tea", "SELECT DISTINCT \"Order No\" FROM export WHERE Product = 'Tea'"),
    ],
)
def test_a_list_holds_each_order_once(export: Export, question: str, sql: str) -> None:
    ours = _rows(export, question)
    theirs = export[1].execute(f"WITH orders AS ({_ORDERS}) {sql}").fetchall()
    assert sorted(row[0] for row in ours) == sorted(row[0] for row in theirs)


def test_the_last_orders_are_as_many_orders(export: Export) -> None:
    rows = _rows(export, "the 5 latest orders")
    expected = export[1].execute(f'SELECT "Order Date" FROM ({_ORDERS}) ORDER BY 1 DESC LIMIT 5').fetchall()
    assert len({row[0] for row in rows}) == len(rows) == 5
    assert [row[1] for row in rows] == [row[0] for row in expected]


def test_a_study_splits_by_what_orders_have_alone(export: Export) -> None:
    outcome = recognise("why did revenue fall in March 2026?", export[0], None)
    assert isinstance(outcome, Recognised)
    labels = [d.label for rows in outcome.study.rows for d in rows.dimensions]
    assert "country" in labels
    assert "product" not in labels
    assert all(rows.once == "Order No" for rows in outcome.study.rows)


def test_what_the_customer_settles_the_order_does(export: Export) -> None:
    (table,) = read_catalog(export[1], source="export").tables
    settled = {c.name: c.profile.settled_by for c in table.columns if c.profile is not None}
    assert (settled["Country"], settled["Customer ID"]) == ("Customer ID", "Order No")


def test_what_is_most_common_goes_by_orders_too(export: Export) -> None:
    outcome = export[0].read("which country is the most common")
    assert isinstance(outcome, Understood)
    most = f"SELECT Country, COUNT(*) AS n FROM ({_ORDERS}) GROUP BY 1 QUALIFY RANK() OVER (ORDER BY n DESC) = 1 ORDER BY 1"
    expected = export[1].execute(most).fetchall()
    assert export[1].execute(export[0].sql(outcome.meaning)).fetchall() == expected
    assert not any("number of rows" in said for said in outcome.assumptions)
