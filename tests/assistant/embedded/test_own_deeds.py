"""What people do most of, by the verb of a file's rows: who rents, orders and sells the most, and when."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.study import Relation

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
File = tuple[Analyst, sqlite3.Connection]
_TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def rentals(opened: Opened) -> File:
    """Rentals by some customers at two shops."""
    random.seed(14)
    script = """CREATE TABLE rentals (rental_id INTEGER, rental_date TIMESTAMP, customer TEXT, category TEXT,
        clerk TEXT, damaged TEXT);"""
    for n in range(120):
        start = datetime(2026, 2, 1) + timedelta(hours=random.randrange(5000))
        who, what = f"C{random.choice((1, 2, 2, 3, 4, 4, 4))}", f"Kind {random.choice((1, 1, 2, 3))}"
        row = f"{n}, '{start}', '{who}', '{what}', 'Clerk {random.choice((1, 2, 2))}'"
        script += f"INSERT INTO rentals VALUES ({row}, '{random.choice(('no', 'no', 'yes'))}');\n"
    return opened("rentals", script, _TODAY)


@pytest.fixture(scope="module")
def sales(opened: Opened) -> File:
    """Lines of orders, some of which were shipped late."""
    random.seed(13)
    script = """CREATE TABLE sales ("Order ID" INTEGER, "Order Date" DATE, "Required Date" DATE, "Shipped Date" DATE,
        Customer TEXT, Salesperson TEXT, Product TEXT, "Unit Price" REAL, Quantity INTEGER, Discount REAL);"""
    for n in range(60):
        day = date(2026, 1, 1) + timedelta(days=random.randrange(300))
        shipped = day + timedelta(days=random.randrange(1, 14))
        head = f"{400 + n}, '{day}', '{day + timedelta(days=10)}', '{shipped}', 'C{n % 7}', 'S{random.randrange(3)}'"
        for product in random.sample(range(5), random.choice((1, 2, 3))):
            tail = f"'P{product}', {5 + product}, {random.randrange(1, 9)}, {random.choice((0, 0, 0.1))}"
            script += f"INSERT INTO sales VALUES ({head}, {tail});\n"
    return opened("sales", script, _TODAY)


def _most(group: str, figure: str, table: str, end: str = "DESC") -> str:
    return f"SELECT {group}, {figure} FROM {table} GROUP BY 1 ORDER BY 2 {end} LIMIT 1"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which customer rents the most", _most("customer", "COUNT(*)", "rentals")),
        ("who rents the most", _most("customer", "COUNT(*)", "rentals")),
        ("which category is rented most", _most("category", "COUNT(*)", "rentals")),
        ("which category is rented least often", _most("category", "COUNT(*)", "rentals", "")),
        ("which clerk handled more rentals", _most("clerk", "COUNT(*)", "rentals")),
        (
            "which category gets damaged the most",
            "SELECT category, SUM(damaged = 'yes') FROM rentals GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "category with the most damaged rentals",
            "SELECT category, SUM(damaged = 'yes') FROM rentals GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "busiest hour",
            _most("CAST(strftime('%H', rental_date) AS INTEGER)", "COUNT(*)", "rentals"),
        ),
        (
            "what hour do people rent the most",
            _most("CAST(strftime('%H', rental_date) AS INTEGER)", "COUNT(*)", "rentals"),
        ),
    ],
)
def test_who_rents_has_rentals(rentals: File, question: str, sql: str, same_rows: Callable[..., bool]) -> None:
    analyst, con = rentals
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning)).fetchall(), con.execute(sql).fetchall())


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which customer orders the most", _most("Customer", 'COUNT(DISTINCT "Order ID")', "sales")),
        ("who orders most often", _most("Customer", 'COUNT(DISTINCT "Order ID")', "sales")),
        ("who sold the most", _most("Salesperson", "SUM(Quantity)", "sales")),
        ("who bought the least", _most("Customer", "SUM(Quantity)", "sales", "")),
        ("which customer buys the most", _most("Customer", "SUM(Quantity)", "sales")),
        (
            "what share of orders was shipped late",
            'SELECT 100.0 * COUNT(DISTINCT CASE WHEN "Shipped Date" > "Required Date" THEN "Order ID" END)'
            ' / COUNT(DISTINCT "Order ID") FROM sales',
        ),
    ],
)
def test_orders_are_those_of_the_lines(sales: File, question: str, sql: str, same_rows: Callable[..., bool]) -> None:
    analyst, con = sales
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    gold = con.execute(sql).fetchall()
    rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert gold[0] in [tuple(row) for row in rows] or same_rows(rows, gold)


def test_a_discount_is_set_against_the_quantity(sales: File) -> None:
    outcome = read("do we sell more with a discount?", sales[0], ())
    assert isinstance(outcome, Recognised), outcome
    assert isinstance(outcome.study, Relation)
    assert outcome.study.title == "Quantity against discount over sales"


def test_a_season_is_shown_and_not_tested(sales: File) -> None:
    outcome = read("is there seasonality in sales?", sales[0], ())
    assert isinstance(outcome, Understood), outcome
    assert outcome.restated == "Revenue by month"
    assert any("not tested" in said for said in outcome.assumptions)


def test_those_who_are_many_are_not_told_apart(rentals: File) -> None:
    assert not isinstance(read("which customers handled more rentals", rentals[0], ()), Understood)


def test_what_all_rows_share_is_no_rank(opened: Opened) -> None:
    analyst, _ = opened(
        "book",
        """CREATE TABLE book (day DATE, payee TEXT, currency TEXT, amount REAL);
        INSERT INTO book VALUES ('2026-01-02', 'Ada', 'EUR', 5), ('2026-01-03', 'Bo', 'EUR', 7),
         ('2026-02-03', 'Bo', 'EUR', 9), ('2026-02-05', 'Cy', 'EUR', 9);""",
        _TODAY,
    )
    assert not isinstance(read("which payee has the most currencies", analyst, ()), Understood)
