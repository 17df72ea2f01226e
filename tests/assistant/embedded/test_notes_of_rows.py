"""Files of rows that nothing tells apart: time sheets, readings of sensors, a stock list. What they add up to is asked."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.study import Groups

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
File = tuple[Analyst, sqlite3.Connection]

_TODAY = date(2026, 11, 21)


def _sheet() -> str:
    script = """CREATE TABLE timesheets (
        Date DATE, Employee TEXT, Department TEXT, Project TEXT, Hours REAL, Billable TEXT, "Hourly Rate" REAL);"""
    people = (("Ada Adler", "Design", 90.0), ("Ben Birk", "Build", 110.0), ("Cleo Dorn", "Build", 110.0))
    for n in range(90):
        name, team, rate = people[n % 3]
        day = date(2026, 9, 1) + timedelta(days=n % 60)
        row = (
            day.isoformat(),
            name,
            team,
            ("App", "Shop")[n % 2],
            1.0 + n % 4,
            ("yes", "yes", "no", "yes")[n % 4],
            rate,
        )
        script += f"INSERT INTO timesheets VALUES {row};"
    return script


def _readings() -> str:
    script = "CREATE TABLE sensors (Timestamp DATETIME, Sensor TEXT, Temperature REAL, State TEXT);"
    for n in range(60):
        row = (f"2026-11-{1 + n // 4:02} 08:00:00", f"S{n % 4}", 15.0 + n % 7, "error" if n % 9 == 0 else "ok")
        script += f"INSERT INTO sensors VALUES {row};"
    return script


def _list() -> str:
    script = """CREATE TABLE stock (
        SKU TEXT, Item TEXT, Supplier TEXT, Stock INTEGER, "Minimum Stock" INTEGER, "Purchase Price" REAL, "Last Received" DATE);"""
    for n in range(30):
        row = (f"A{n}", f"Thing {n}", ("Lux", "Sol")[n % 2], (0, 4, 9)[n % 3], 5, 2.0 + n, f"2026-{1 + n % 9:02}-11")
        script += f"INSERT INTO stock VALUES {row};"
    return script


@pytest.fixture(scope="module")
def sheet(opened: Opened) -> File:
    return opened("timesheets", _sheet(), _TODAY)


@pytest.fixture(scope="module")
def readings(opened: Opened) -> File:
    return opened("sensors", _readings(), _TODAY)


@pytest.fixture(scope="module")
def stock(opened: Opened) -> File:
    return opened("stock", _list(), _TODAY)


def _check(file: File, question: str, sql: str, title: str) -> None:
    analyst, con = file
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    expected = con.execute(sql).fetchall()
    assert expected
    assert sorted(con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()) == sorted(expected)
    assert outcome.restated == title


@pytest.mark.parametrize(
    ("question", "sql", "title"),
    [
        (
            "hours last month",
            "SELECT SUM(Hours) FROM timesheets WHERE Date >= '2026-10-01' AND Date < '2026-11-01'",
            "Total hours for October 2026",
        ),
        ("hours by employee", "SELECT Employee, SUM(Hours) FROM timesheets GROUP BY 1", "Total hours by employee"),
        (
            "billable hours by employee",
            "SELECT Employee, SUM(Hours) FROM timesheets WHERE Billable = 'yes' GROUP BY 1",
            "Total hours by employee, where billable",
        ),
        (
            "most expensive employee",
            "SELECT 'Ben Birk' UNION SELECT 'Cleo Dorn'",
            "Employee of timesheet with the highest hourly rate",
        ),
    ],
)
def test_hours_are_added_up(sheet: File, question: str, sql: str, title: str) -> None:
    _check(sheet, question, sql, title)


@pytest.mark.parametrize("question", ["hours App vs Shop", "hours for App versus the Shop", "hours of Design vs Build"])
def test_a_figure_is_set_side_by_side_for_two(sheet: File, question: str) -> None:
    outcome = read(question, sheet[0], ())
    assert isinstance(outcome, Recognised)
    assert isinstance(outcome.study, Groups)
    assert outcome.study.title.startswith("Total hours of “")


@pytest.mark.parametrize(
    ("question", "sql", "title"),
    [
        ("how many sensors do we have", "SELECT COUNT(DISTINCT Sensor) FROM sensors", "Number of sensors"),
        (
            "which sensor has the most errors",
            "SELECT Sensor FROM sensors WHERE State = 'error' GROUP BY 1 HAVING COUNT(*) = (SELECT MAX(n) FROM"
            " (SELECT COUNT(*) AS n FROM sensors WHERE State = 'error' GROUP BY Sensor))",
            "Sensor with the highest number of rows, where state is error",
        ),
    ],
)
def test_readings_are_not_the_sensors_that_their_file_is_called_by(
    readings: File, question: str, sql: str, title: str
) -> None:
    _check(readings, question, sql, title)


@pytest.mark.parametrize(
    ("question", "sql", "title"),
    [
        ("stock value", 'SELECT SUM(Stock * "Purchase Price") FROM stock', "Stock value"),
        (
            "stock value by supplier",
            'SELECT Supplier, SUM(Stock * "Purchase Price") FROM stock GROUP BY 1',
            "Stock value by supplier",
        ),
        (
            "how many items are out of stock",
            "SELECT COUNT(*) FROM stock WHERE Stock = 0",
            "Number of items, where “out of stock”",
        ),
        (
            "when did we last receive anything from Lux",
            "SELECT MAX(\"Last Received\") FROM stock WHERE Supplier = 'Lux'",
            "Last received, where supplier is Lux",
        ),
        ("items in stock", "SELECT Item FROM stock WHERE Stock > 0", "Item of rows, where “in stock”"),
    ],
)
def test_a_stock_list_is_asked_for_what_is_left(stock: File, question: str, sql: str, title: str) -> None:
    _check(stock, question, sql, title)


def test_the_spread_within_groups_is_not_that_of_their_totals(readings: File) -> None:
    within = read("standard deviation of temperature per sensor", readings[0], ())
    assert isinstance(within, Refused)
    assert "within each group" in within.reason
    assert isinstance(read("median temperature", readings[0], ()), Recognised)
    assert isinstance(read("median of average temperature by sensor", readings[0], ()), Recognised)
