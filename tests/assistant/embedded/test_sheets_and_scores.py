"""Sheets of hours, whose rows are no days, and answers on a scale: the hours of a day, satisfaction, promoters."""

from __future__ import annotations

import random
import sqlite3
from collections.abc import Callable
from datetime import date, timedelta

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.study import Groups

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]
File = tuple[Analyst, sqlite3.Connection]
_TODAY = date(2026, 11, 21)


@pytest.fixture(scope="module")
def sheet(opened: Opened) -> File:
    """Hours of four people, several entries a day."""
    random.seed(2)
    script = "CREATE TABLE timesheets (Day DATE, Employee TEXT, Project TEXT, Hours REAL, Rate REAL);"
    for n in range(200):
        day = date(2026, 3, 2) + timedelta(days=random.randrange(60))
        row = f"'{day}', 'E{n % 4}', 'Project {n % 3}', {random.randrange(1, 9) / 2}, {80 + n % 4}"
        script += f"INSERT INTO timesheets VALUES ({row});\n"
    return opened("timesheets", script, _TODAY)


@pytest.fixture(scope="module")
def answers(opened: Opened) -> File:
    """Answers of a survey, one of them on a scale from 0 to 10."""
    random.seed(9)
    script = """CREATE TABLE responses (response_id INTEGER PRIMARY KEY, day DATE, team TEXT,
        "Recommend (0-10)" INTEGER, csat INTEGER,
        "Would stay" TEXT);"""
    for n in range(120):
        score = "NULL" if n % 13 == 0 else str(random.randrange(11))
        row = f"{n}, '{date(2026, 1, 1) + timedelta(days=n)}', 'Team {n % 3}', {score}, {random.randrange(1, 6)}"
        row += f", '{('yes', 'no', 'maybe')[n % 7 % 3]}'"
        script += f"INSERT INTO responses VALUES ({row});\n"
    return opened("responses", script, _TODAY)


_NPS = """100.0 * (SUM("Recommend (0-10)" >= 9) - SUM("Recommend (0-10)" <= 6)) / COUNT("Recommend (0-10)")"""


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("average hours per day", "SELECT SUM(Hours) / COUNT(DISTINCT Day) FROM timesheets"),
        ("how many hours do we work per day on average", "SELECT SUM(Hours) / COUNT(DISTINCT Day) FROM timesheets"),
        (
            "average hours per day by employee",
            "SELECT Employee, SUM(Hours) / COUNT(DISTINCT Day) FROM timesheets GROUP BY 1",
        ),
        ("average hours per employee", "SELECT SUM(Hours) / COUNT(DISTINCT Employee) FROM timesheets"),
        ("average hours per project", "SELECT Project, AVG(Hours) FROM timesheets GROUP BY 1"),
        ("average rate per month", "SELECT strftime('%Y-%m-01', Day), AVG(Rate) FROM timesheets GROUP BY 1"),
    ],
)
def test_a_day_has_the_hours_of_all_its_rows(
    sheet: File, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = sheet
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning)).fetchall(), con.execute(sql).fetchall())


@pytest.mark.parametrize(
    ("question", "sql"),
    [
        ("what is our NPS", f"SELECT {_NPS} FROM responses"),
        ("net promoter score by team", f"SELECT team, {_NPS} FROM responses GROUP BY 1"),
        (
            "how many people would stay by team",
            "SELECT team, COUNT(*) FROM responses WHERE \"Would stay\" = 'yes' GROUP BY 1",
        ),
        ("what is our customer satisfaction", "SELECT AVG(csat) FROM responses"),
        ("average satisfaction by team", "SELECT team, AVG(csat) FROM responses GROUP BY 1"),
    ],
)
def test_answers_go_by_their_short_names_and_by_what_they_say(
    answers: File, question: str, sql: str, same_rows: Callable[..., bool]
) -> None:
    analyst, con = answers
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), f"{question!r}: {outcome}"
    assert same_rows(con.execute(analyst.sql(outcome.meaning)).fetchall(), con.execute(sql).fetchall())


def test_what_depends_on_a_kind_is_found_by_its_short_name(answers: File) -> None:
    outcome = read("does satisfaction depend on the team?", answers[0], ())
    assert isinstance(outcome, Recognised), outcome
    assert isinstance(outcome.study, Groups)


def test_a_scale_of_another_kind_has_no_promoters(opened: Opened) -> None:
    analyst, _ = opened(
        "films",
        "CREATE TABLE films (title TEXT, recommended INTEGER); INSERT INTO films VALUES ('A', 85), ('B', 40), ('C', 70);",
        _TODAY,
    )
    assert not isinstance(read("what is our NPS", analyst, ()), Understood)


def test_a_margin_in_percent_is_no_amount(opened: Opened) -> None:
    analyst, con = opened(
        "stock",
        """CREATE TABLE stock (sku TEXT, item TEXT, purchase_price REAL, sales_price REAL, received DATE);
        INSERT INTO stock VALUES ('A1', 'Saw', 30, 40, '2026-01-05'), ('A2', 'Nail', 1, 4, '2026-02-05'),
         ('A3', 'Drill', 60, 66, '2026-03-05');""",
        _TODAY,
    )
    outcome = read("items with a margin below 20 percent", analyst, ())
    assert not isinstance(outcome, Understood), "10 of 40 is no 10 percent"
    outcome = read("margin percentage by item", analyst, ())
    assert isinstance(outcome, Understood), outcome
    rows = con.execute(analyst.sql(outcome.meaning)).fetchall()
    assert sorted(round(row[-1], 1) for row in rows) == [9.1, 25.0, 75.0]
