"""A time sheet: hours times their rate are revenue where nothing else is, of those hours alone that are billed."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood, Understood

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
Sheet = tuple[Analyst, sqlite3.Connection]
_WHO = (("Ada", 90.0), ("Bo", 110.0), ("Cem", 75.0), ("Dot", 120.0))


def _sheet(more: str = "", value: str = "") -> str:
    random.seed(4)
    script = f"""CREATE TABLE timesheets (Date DATE, Employee TEXT, Client TEXT, Hours REAL, Billable TEXT,
        "Hourly Rate" REAL{more});\n"""
    for n in range(120):
        day = date(2026, 1, 1) + timedelta(days=n)
        who, rate = _WHO[n % (3 if 40 <= n < 80 else 4)]
        client = random.choice(("Acme", "Globex", "Own"))
        row = (
            day.isoformat(),
            who,
            client,
            random.randrange(1, 9),
            "no" if client == "Own" or n % 5 == 0 else "yes",
            rate,
        )
        script += f"INSERT INTO timesheets VALUES ({', '.join(map(repr, row))}{value});\n"
    return script


@pytest.fixture(scope="module")
def sheet(opened: Opened) -> Sheet:
    return opened("timesheets", _sheet(), date(2026, 6, 1))


_BILLED = "SUM(CASE WHEN Billable = 'yes' THEN Hours * \"Hourly Rate\" ELSE 0 END)"


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("revenue by client", f"SELECT Client, {_BILLED} FROM timesheets GROUP BY 1"),
        ("total revenue in March 2026", f"SELECT {_BILLED} FROM timesheets WHERE strftime('%m', Date) = '03'"),
        (
            "top 2 employees by revenue",
            f"SELECT Employee, {_BILLED} FROM timesheets GROUP BY 1 ORDER BY 2 DESC LIMIT 2",
        ),
        (
            "employees without hours between 12 February 2026 and 18 March 2026",
            "SELECT DISTINCT Employee FROM timesheets EXCEPT"
            " SELECT Employee FROM timesheets WHERE Date BETWEEN '2026-02-12' AND '2026-03-18'",
        ),
    ],
)
def test_what_hours_come_to_and_who_has_none(
    sheet: Sheet, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = sheet
    found = analyst.candidates(question)
    assert found, analyst.read(question)
    expected = con.execute(sql).fetchall()
    assert expected
    assert same_rows(con.execute(analyst.sql(found[0].meaning, context=False)).fetchall(), expected)


def test_what_it_is_taken_for_is_said(sheet: Sheet) -> None:
    outcome = sheet[0].read("revenue by client")
    assert isinstance(outcome, Understood)
    assert any("hours times hourly rate, where billable" in said for said in outcome.assumptions)


def test_a_revenue_that_the_file_tells_goes_before(opened: Opened) -> None:
    analyst, con = opened("invoiced", _sheet(', "Revenue" REAL', ", 10.0"), date(2026, 6, 1))
    outcome = analyst.read("total revenue")
    assert isinstance(outcome, Understood)
    assert con.execute(analyst.sql(outcome.meaning)).fetchall() == [(1200.0,)]


def test_without_a_rate_there_is_none(opened: Opened) -> None:
    script = _sheet().replace('"Hourly Rate"', '"Room Number"')
    assert isinstance(opened("unpriced", script, date(2026, 6, 1))[0].read("revenue by client"), NotUnderstood)
