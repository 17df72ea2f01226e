"""Who is named by the lines of a file: those of whom there are none, few or new ones, without a table of their own."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.recognising import recognise

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
Export = tuple[Analyst, sqlite3.Connection]
_GOODS = ("Cap", "Beret", "Boot", "Clog", "Sandal")


def _lines() -> str:
    """90 orders of 1 to 3 lines in three years by 16 customers, of whom some came once, late or no more."""
    random.seed(21)
    script = """CREATE TABLE webshop ("Order No" INTEGER, "Order Date" DATE, Customer TEXT, Country TEXT, Product TEXT,
        Qty INTEGER, "Unit Price" REAL, Discount REAL, Status TEXT, Payment TEXT);"""
    for number in range(1001, 1091):
        year = 2024 + (number - 1001) // 30
        who = random.choice((*range(10), *{2024: (10, 11), 2025: (12,), 2026: (13, 14)}[year]))
        day = date(year, 1, 2) + timedelta(days=random.randrange(300))
        state = random.choice(("shipped", "shipped", "cancelled")) if who % 2 else "shipped"
        for name in random.sample(_GOODS[: 5 if year < 2026 else 4], random.choice((1, 2, 3))):
            row = (
                number,
                day.isoformat(),
                f"Client {who:02}",
                ("Italy", "Malta")[who % 2],
                name,
                1,
                20.0,
                0.1 * (who % 3 == 2),
                state,
                ("Card", "Invoice")[number % 2],
            )
            script += f"INSERT INTO webshop VALUES {row};\n"
    script += (
        "INSERT INTO webshop VALUES (1091, '2025-03-03', 'Client 15', 'Malta', 'Cap', 2, 20.0, 0.0, 'shipped', 'Card');"
    )
    script += "INSERT INTO webshop VALUES (1091, '2025-03-03', 'Client 15', 'Malta', 'Boot', 1, 20.0, 0.0, 'shipped', 'Card');"
    return script


@pytest.fixture(scope="module")
def export(opened: Opened) -> Export:
    return opened("webshop", _lines(), date(2026, 11, 21))


_IN = "SELECT Customer FROM webshop WHERE strftime('%Y', \"Order Date\") = '{}'"
_ALL = "SELECT DISTINCT Customer FROM webshop"
_TIMES = 'SELECT Customer FROM webshop GROUP BY 1 HAVING COUNT(DISTINCT "Order No") {}'


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("customers without orders in 2026", f"{_ALL} EXCEPT {_IN.format(2026)}"),
        ("customers without an order this year", f"{_ALL} EXCEPT {_IN.format(2026)}"),
        ("which customers have not ordered in 2025", f"{_ALL} EXCEPT {_IN.format(2025)}"),
        ("who has not ordered since January 2026", f"{_ALL} EXCEPT {_IN.format(2026)}"),
        ("who ordered nothing in 2024", f"{_ALL} EXCEPT {_IN.format(2024)}"),
        ("who bought nothing in 2024", f"{_ALL} EXCEPT {_IN.format(2024)}"),
        ("who has not bought anything since January 2026", f"{_ALL} EXCEPT {_IN.format(2026)}"),
        ("how many customers have not ordered in 2026", f"SELECT COUNT(*) FROM ({_ALL} EXCEPT {_IN.format(2026)})"),
        ("customers who never ordered a Cap", f"{_ALL} EXCEPT SELECT Customer FROM webshop WHERE Product = 'Cap'"),
        (
            "which customers have never cancelled an order",
            f"{_ALL} EXCEPT SELECT Customer FROM webshop WHERE Status = 'cancelled'",
        ),
        (
            "which products were not sold in 2026",
            "SELECT DISTINCT Product FROM webshop EXCEPT"
            " SELECT Product FROM webshop WHERE strftime('%Y', \"Order Date\") = '2026'",
        ),
        ("which customers have never been discounted", f"{_ALL} EXCEPT SELECT Customer FROM webshop WHERE Discount > 0"),
        ("customers who ordered in 2024 but not in 2025", f"{_IN.format(2024)} EXCEPT {_IN.format(2025)}"),
        ("customers who ordered in both 2024 and 2026", f"{_IN.format(2024)} INTERSECT {_IN.format(2026)}"),
        ("new customers this year", f'{_ALL} EXCEPT SELECT Customer FROM webshop WHERE "Order Date" < \'2026-01-01\''),
        (
            "how many new customers did we get in 2025",
            f"SELECT COUNT(*) FROM ({_IN.format(2025)} EXCEPT {_IN.format(2024)})",
        ),
        (
            "revenue from new customers in 2025",
            "SELECT SUM(Qty * \"Unit Price\" * (1 - Discount)) FROM webshop WHERE strftime('%Y', \"Order Date\") = '2025'"
            f" AND Customer NOT IN ({_IN.format(2024)})",
        ),
        (
            "customers without orders in 2026 from Malta",
            f"SELECT DISTINCT Customer FROM webshop WHERE Country = 'Malta' EXCEPT {_IN.format(2026)}",
        ),
        ("customers with only one order", _TIMES.format("= 1")),
        ("customers who ordered exactly once", _TIMES.format("= 1")),
        ("which customers ordered at least 8 times", _TIMES.format(">= 8")),
        ("how many customers ordered more than once", f"SELECT COUNT(*) FROM ({_TIMES.format('> 1')})"),
        ("how many customers have more than 1 order", f"SELECT COUNT(*) FROM ({_TIMES.format('> 1')})"),
        ("total quantity by payment method", "SELECT Payment, SUM(Qty) FROM webshop GROUP BY 1"),
        ("repeat customers", _TIMES.format("> 1")),
        ("share of repeat customers", f"SELECT 100.0 * COUNT(*) / (SELECT COUNT(*) FROM ({_ALL})) FROM ({_TIMES.format('> 1')})"),
        ("how many customers came back", f"SELECT COUNT(*) FROM ({_TIMES.format('> 1')})"),
        (
            "customers who ordered at least 3 times in 2025",
            "SELECT Customer FROM webshop WHERE strftime('%Y', \"Order Date\") = '2025' GROUP BY 1"
            ' HAVING COUNT(DISTINCT "Order No") >= 3',
        ),
        ("which customers stopped buying in 2025", f"{_ALL} EXCEPT {_IN.format(2026)}"),
    ],
)  # fmt: skip
def test_those_are_found_by_the_lines_that_name_them(
    export: Export, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = export
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    expected = con.execute(sql).fetchall()
    assert expected
    assert expected != [(0,)]
    assert same_rows(con.execute(analyst.sql(outcome.meaning, context=False)).fetchall(), expected)


def test_customers_with_more_than_one_order_are_shown_with_their_number(export: Export) -> None:
    analyst, con = export
    outcome = analyst.read("customers with more than 1 order")
    assert isinstance(outcome, Understood)
    rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert min(number for _, number in rows) == 2


def test_the_most_loyal_are_several(export: Export) -> None:
    analyst, con = export
    outcome = read("our most loyal customers", analyst, ())
    assert isinstance(outcome, Understood)
    assert len(con.execute(analyst.sql(outcome.meaning)).fetchall()) == 10


def test_who_is_not_in_the_file_cannot_be_told(export: Export) -> None:
    outcome = export[0].read("customers without orders")
    assert isinstance(outcome, NotUnderstood)
    assert "those without any are not in it" in outcome.reason


def test_who_stopped_without_a_year_is_told_by_silence(export: Export) -> None:
    assert isinstance(recognise("which customers stopped buying", export[0]), Recognised)
