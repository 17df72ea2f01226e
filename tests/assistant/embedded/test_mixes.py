"""What something is made up of, lately, and by head: how the office asks, put as what it asks for."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
Desk = tuple[Analyst, sqlite3.Connection]

_DESK = """
CREATE TABLE employees (
    employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL, gender TEXT NOT NULL, team TEXT NOT NULL, wish TEXT,
    score INTEGER NOT NULL, manager TEXT NOT NULL);
CREATE TABLE calls (
    call_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employees (employee_id), call_date DATE NOT NULL,
    channel TEXT NOT NULL, minutes INTEGER NOT NULL);
INSERT INTO employees VALUES
    (1, 'Ada', 'female', 'Sales', NULL, 4, 'Zoe'), (2, 'Ben', 'male', 'Sales', NULL, 3, 'Zoe'),
    (3, 'Cleo', 'female', 'Help', 'desk', 5, 'Yan'), (4, 'Dora', 'female', 'Help', NULL, 2, 'Yan'),
    (5, 'Emil', 'male', 'Help', 'desk', 1, 'Yan');
INSERT INTO calls VALUES
    (1, 1, '2026-11-01', 'phone', 10), (2, 1, '2026-10-01', 'chat', 20), (3, 2, '2026-01-10', 'phone', 30),
    (4, 3, '2026-09-30', 'phone', 40), (5, 5, '2025-12-01', 'chat', 60);
"""


@pytest.fixture(scope="module")
def desk(opened: Opened) -> Desk:
    return opened("desk", _DESK, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("question", "expected", "title"),
    [
        ("channel mix", [("phone", 60.0), ("chat", 40.0)], "Share of calls by channel"),
        (
            "what's the channel mix this year",
            [("phone", 75.0), ("chat", 25.0)],
            "Share of calls by channel for 2026",
        ),
        (
            "gender split by team",
            [("Help", "female", 2), ("Help", "male", 1), ("Sales", "female", 1), ("Sales", "male", 1)],
            "Number of employees by team and gender",
        ),
        ("split of minutes by channel", [("chat", 50.0), ("phone", 50.0)], "Share of total minutes by channel"),
        ("score split by team", [("Help", 8 / 3), ("Sales", 3.5)], "Average score by team"),
        ("how many calls lately", [(3,)], "Number of calls for 23 August 2026 to 20 November 2026"),
        ("number of calls so far this year", [(4,)], "Number of calls for 2026"),
        ("most common wish", [("desk",)], "Wish with the highest number of employees, where wish is known"),
    ],
)
def test_phrases_of_the_office_are_put_plainly(
    desk: Desk, question: str, expected: list[tuple[object, ...]], title: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = desk
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning, context=False)).fetchall(), expected)
    assert outcome.restated == title


def test_a_head_is_no_manager(desk: Desk) -> None:
    outcome = read("calls per head", desk[0], ())
    assert isinstance(outcome, Understood)
    assert outcome.restated == "Number of calls by employee"
    assert "a head is one employee" in outcome.assumptions


@pytest.mark.parametrize(
    ("question", "sql", "said"),
    [
        (
            "average items per order",
            "SELECT 1.0 * SUM(quantity) / COUNT(DISTINCT order_id) FROM order_lines",
            "items are told by quantity",
        ),
        (
            "customer lifetime value",
            "SELECT SUM(quantity * unit_price) / COUNT(DISTINCT customer_id) FROM order_lines JOIN orders USING (order_id)",
            "“customer lifetime value” is revenue per customer so far",
        ),
    ],
)
def test_what_one_has_is_told_by_what_is_known(
    plain: Analyst, shop: sqlite3.Connection, question: str, sql: str, said: str, same_rows: Callable[..., bool]
) -> None:
    outcome = read(question, plain, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(shop.execute(plain.sql(outcome.meaning, context=False)).fetchall(), shop.execute(sql).fetchall())
    assert said in outcome.assumptions
