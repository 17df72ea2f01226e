"""How long deeds take in a file of rows with a first day and a last: who is fastest, what is kept longest."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, datetime, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
File = tuple[Analyst, sqlite3.Connection]
_TODAY = date(2026, 11, 21)


def _rows(file: File, question: str) -> tuple[Understood, list[tuple[object, ...]]]:
    analyst, con = file
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    return outcome, con.execute(analyst.sql(outcome.meaning)).fetchall()


@pytest.fixture(scope="module")
def cases(opened: Opened) -> File:
    """Cases of a help desk; what is closed is called resolved, and some are open."""
    random.seed(3)
    script = """CREATE TABLE cases ("Case ID" TEXT, Created TIMESTAMP, Resolved TIMESTAMP, Agent TEXT, Priority TEXT,
        Status TEXT, Company TEXT);"""
    for n in range(200):
        start = datetime(2026, 1, 1) + timedelta(hours=random.randrange(6000))
        agent = ("Ida", "Jo", "Kim")[n % 3]
        end = start + timedelta(hours=random.randrange(2, 60) * (1 + n % 3))
        done, state = (f"'{end}'", "Closed") if n % 9 else ("NULL", "Open")
        row = f"'C-{n}', '{start}', {done}, '{agent}', '{('low', 'high')[n % 2]}', '{state}', 'Firm {n % 5}'"
        script += f"INSERT INTO cases VALUES ({row});\n"
    return opened("cases", script, _TODAY)


@pytest.fixture(scope="module")
def lines(opened: Opened) -> File:
    """Lines of orders with a day that is required, which nothing has to do with how long shipping takes."""
    random.seed(4)
    script = """CREATE TABLE sales ("Order ID" INTEGER, "Order Date" DATE, "Required Date" DATE, "Shipped Date" DATE,
        Shipper TEXT, Seller TEXT, Country TEXT, Product TEXT, "Unit Price" REAL, Quantity INTEGER);"""
    for n in range(90):
        day = date(2026, 1, 1) + timedelta(days=random.randrange(300))
        shipped = day + timedelta(days=random.randrange(1, 9) + n % 3)
        row = f"{500 + n // 2}, '{day}', '{day + timedelta(days=20)}', '{shipped}', 'Line {n % 3}', 'S{n % 4}'"
        script += (
            f"INSERT INTO sales VALUES ({row}, '{('Oslo', 'Bonn')[n % 2]}', 'P{n % 7}', {5 + n % 6}, {1 + n % 4});\n"
        )
    return opened("sales", script, _TODAY)


@pytest.fixture(scope="module")
def loans(opened: Opened) -> File:
    """Loans of films, some still out; how long a film is has nothing to do with how long it is kept."""
    random.seed(6)
    script = """CREATE TABLE loans (loan_id INTEGER, loan_date TIMESTAMP, return_date TIMESTAMP, customer TEXT,
        clerk TEXT, film TEXT, category TEXT, length_min INTEGER);"""
    for n in range(150):
        start = datetime(2026, 1, 1) + timedelta(hours=random.randrange(6000))
        back = f"'{start + timedelta(hours=random.randrange(10, 240))}'" if n % 11 else "NULL"
        row = (
            f"{n}, '{start}', {back}, 'Client {n % 9}', 'Staff {n % 2}', 'Film {n % 20}', 'Kind {n % 3}', {60 + n % 20}"
        )
        script += f"INSERT INTO loans VALUES ({row});\n"
    return opened("loans", script, _TODAY)


_CASE = "AVG(JULIANDAY(Resolved) - JULIANDAY(Created))"
_LINE = 'AVG(JULIANDAY("Shipped Date") - JULIANDAY("Order Date"))'
_LOAN = "JULIANDAY(return_date) - JULIANDAY(loan_date)"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("which agent closes cases fastest", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1 ORDER BY 2 LIMIT 1"),
        ("which agent is the slowest", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("who is the fastest agent", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1 ORDER BY 2 LIMIT 1"),
        ("who resolves cases the slowest", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        ("how quickly does each agent resolve cases", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1"),
        ("how long does it take to close a case", f"SELECT {_CASE} FROM cases"),
        ("how long does it take Kim to close a case", f"SELECT {_CASE} FROM cases WHERE Agent = 'Kim'"),
        ("how long do high cases take to close", f"SELECT {_CASE} FROM cases WHERE Priority = 'high'"),
        ("how long does each agent take to close a case", f"SELECT Agent, {_CASE} FROM cases GROUP BY 1"),
        ("average time to close by priority", f"SELECT Priority, {_CASE} FROM cases GROUP BY 1"),
    ],
)
def test_who_closes_resolves(cases: File, question: str, sql: str, same_rows: Callable[..., bool]) -> None:
    outcome, rows = _rows(cases, question)
    assert same_rows(rows, cases[1].execute(sql).fetchall())
    assert any("from created to resolved" in said for said in outcome.assumptions)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("how fast do we ship", f"SELECT {_LINE} FROM sales"),
        ("average delivery time per shipper", f"SELECT Shipper, {_LINE} FROM sales GROUP BY 1"),
        ("how long do orders take to ship", f"SELECT {_LINE} FROM sales"),
        ("how long does it take to ship orders to Bonn", f"SELECT {_LINE} FROM sales WHERE Country = 'Bonn'"),
        ("how long does each shipper take to deliver", f"SELECT Shipper, {_LINE} FROM sales GROUP BY 1"),
        ("which shipper is the slowest", f"SELECT Shipper, {_LINE} FROM sales GROUP BY 1 ORDER BY 2 DESC LIMIT 1"),
        (
            "how many orders took more than 5 days to ship",
            'SELECT COUNT(DISTINCT "Order ID") FROM sales WHERE JULIANDAY("Shipped Date") - JULIANDAY("Order Date") > 5',
        ),
        ("who ships fastest", f"SELECT Shipper, {_LINE} FROM sales GROUP BY 1 ORDER BY 2 LIMIT 1"),
    ],
)
def test_days_that_are_foreseen_end_nothing(
    lines: File, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    outcome, rows = _rows(lines, question)
    assert same_rows(rows, lines[1].execute(sql).fetchall())
    assert any("from order date to shipped date" in said for said in outcome.assumptions)


@pytest.mark.parametrize("question", ["which product is the slowest", "which country is the fastest"])
def test_goods_and_places_do_nothing_fast(lines: File, question: str) -> None:
    assert not isinstance(read(question, lines[0], ()), Understood)


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        (
            "which categories are the slowest to come back",
            f"SELECT category, AVG({_LOAN}) FROM loans GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        ("how long does it take to return a film", f"SELECT AVG({_LOAN}) FROM loans"),
        ("average loan duration by category", f"SELECT category, AVG({_LOAN}) FROM loans GROUP BY 1"),
        (
            "who kept a film the longest",
            f"SELECT customer, MAX({_LOAN}) FROM loans GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "which customer keeps films the longest",
            f"SELECT customer, AVG({_LOAN}) FROM loans GROUP BY 1 ORDER BY 2 DESC LIMIT 1",
        ),
        (
            "what share of loans came back within 5 days",
            "SELECT 100.0 * AVG(CASE WHEN JULIANDAY(DATE(return_date)) - JULIANDAY(DATE(loan_date)) BETWEEN 0 AND 5"
            " THEN 1 ELSE 0 END) FROM loans",
        ),
    ],
)
def test_what_is_kept_is_no_length(loans: File, question: str, sql: str, same_rows: Callable[..., bool]) -> None:
    outcome, rows = _rows(loans, question)
    assert same_rows(rows, loans[1].execute(sql).fetchall())
    assert outcome.assumptions


@pytest.mark.parametrize("question", ["longest campaign", "which campaign ran the longest"])
def test_what_has_an_end_lasts_until_then(opened: Opened, question: str) -> None:
    analyst, con = opened(
        "campaigns",
        """CREATE TABLE campaigns (campaign TEXT, channel TEXT, start_date DATE, end_date DATE, spend REAL);
        INSERT INTO campaigns VALUES ('Spring', 'Print', '2026-03-01', '2026-03-20', 50),
         ('Summer', 'Web', '2026-06-01', '2026-07-15', 90), ('Autumn', 'Web', '2026-09-01', '2026-09-15', 70);""",
        _TODAY,
    )
    outcome, rows = _rows((analyst, con), question)
    assert rows == [("Summer", 44.0)]
    assert outcome.assumptions == ("the time is that from start date to end date",)


def test_the_longest_loan_is_no_long_film(loans: File) -> None:
    outcome, rows = _rows(loans, "longest loan")
    gold = loans[1].execute(f"SELECT MAX({_LOAN}) FROM loans").fetchall()
    assert rows[0][-1] == gold[0][0]
    assert "length" not in outcome.restated


def test_clerks_bring_nothing_back(loans: File) -> None:
    assert not isinstance(read("which clerk is the slowest", loans[0], ()), Understood)


def test_most_days_are_not_the_highest_most(loans: File) -> None:
    outcome, _ = _rows(loans, "who kept a film the longest")
    assert outcome.restated == "Customer with the most days from loan date to return date"
