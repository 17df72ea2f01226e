"""A bank statement, whose amounts go both ways: what was spent, what was earned, and what stands there now."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
Account = tuple[Analyst, sqlite3.Connection]

_STATEMENT = """
CREATE TABLE account (
    "Booking Date" DATE, Payee TEXT, Category TEXT, Amount REAL, Balance REAL, Currency TEXT);
INSERT INTO account VALUES
    ('2026-09-01', 'Acme Ltd', 'Sales', 900, 1900, 'EUR'), ('2026-09-05', 'Landlord', 'Rent', -400, 1500, 'EUR'),
    ('2026-09-28', 'Staff', 'Salaries', -700, 800, 'EUR'), ('2026-10-02', 'Globex', 'Sales', 1200, 2000, 'EUR'),
    ('2026-10-05', 'Landlord', 'Rent', -400, 1600, 'EUR'), ('2026-10-28', 'Staff', 'Salaries', -700, 900, 'EUR'),
    ('2026-11-03', 'Acme Ltd', 'Sales', 300, 1200, 'EUR'), ('2026-11-05', 'Landlord', 'Rent', -400, 800, 'EUR');
"""


@pytest.fixture(scope="module")
def account(opened: Opened) -> Account:
    return opened("account", _STATEMENT, date(2026, 11, 21))


@pytest.mark.parametrize(
    ("question", "expected", "title"),
    [
        ("how much did we spend in October", [(1100.0,)], "Spending for October 2026"),
        ("how much did we earn last month", [(1200.0,)], "Income for October 2026"),
        ("cash flow in September", [(-200.0,)], "Net cash flow for September 2026"),
        ("income vs expenses", [(2400.0, 2600.0)], "Income and spending"),
        ("how much rent did we pay in 2026", [(1200.0,)], "Spending, where category is Rent for 2026"),
        ("how much did Acme pay us", [(1200.0,)], "Income, where payee is Acme Ltd"),
        ("what did we pay the landlord", [(1200.0,)], "Spending, where payee is Landlord"),
        ("latest balance", [(800.0,)], "Balance of row with the latest booking date"),
        ("what is our current balance", [(800.0,)], "Balance of row with the latest booking date"),
    ],
)
def test_money_that_goes_both_ways(
    account: Account, question: str, expected: list[tuple[object, ...]], title: str
) -> None:
    analyst, con = account
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == expected
    assert outcome.restated == title


def test_what_was_spent_by_category_is_no_income(account: Account) -> None:
    analyst, con = account
    outcome = analyst.read("spend by category")
    assert isinstance(outcome, Understood)
    rows = con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert sorted(rows) == [("Rent", 1200.0), ("Salaries", 1400.0), ("Sales", 0.0)]


def test_the_first_few_of_one_figure_are_of_nothing(account: Account) -> None:
    analyst, _ = account
    for candidate in analyst.candidates("top 5 expenses in October"):
        assert candidate.meaning.dimensions or candidate.meaning.columns


def test_the_newest_of_each_is_no_maximum(account: Account) -> None:
    analyst, con = account
    outcome = analyst.read("latest amount by payee")
    assert isinstance(outcome, Understood)
    rows = con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert sorted(row[:2] for row in rows) == [
        ("Acme Ltd", 300.0), ("Globex", 1200.0), ("Landlord", -400.0), ("Staff", -700.0)
    ]  # fmt: skip
