"""Ages where only a date of birth is known: counted in whole years until the analyst's day."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.outcomes import Understood
from assistant.embedded.wording.phrases import restated

_SCHEMA = """
CREATE TABLE teams (team_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, date_of_birth DATE NOT NULL,
    hired_on DATE NOT NULL, team_id INTEGER NOT NULL REFERENCES teams (team_id));
CREATE TABLE reports (report_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employees (employee_id),
    pages INTEGER NOT NULL);
INSERT INTO teams VALUES (1, 'Sales'), (2, 'Lab');
INSERT INTO employees VALUES (1, 'Ada', '1996-11-22', '2020-01-01', 1), (2, 'Bo', '1996-11-23', '2021-01-01', 1),
    (3, 'Cleo', '1976-05-05', '2010-01-01', 2), (4, 'Dirk', '1966-11-22', '2000-01-01', 2);
INSERT INTO reports VALUES (1, 1, 10), (2, 3, 20), (3, 4, 30), (4, 4, 5);
"""


@pytest.fixture(scope="module")
def office(opened):
    return opened("office", _SCHEMA, date(2026, 11, 22))


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("employees older than 29", [("Ada",), ("Cleo",), ("Dirk",)]),  # Ada is 30 today, Bo tomorrow
        ("employees older than 30", [("Cleo",), ("Dirk",)]),
        ("employees who are 30 or older", [("Ada",), ("Cleo",), ("Dirk",)]),
        ("employees younger than 30", [("Bo",)]),
        ("how many employees are over 50 years old?", [(1,)]),
        ("employees aged between 30 and 50", [("Ada",), ("Cleo",)]),
        ("how many employees over 40", [(2,)]),
        ("number of employees over 29 by team", [("Lab", 2), ("Sales", 1)]),
        ("total pages of reports of employees older than 50", [(35,)]),
        ("Who is the oldest employee?", [("Dirk",)]),
    ],
)
def test_ages_are_counted_from_the_date_of_birth(question, rows, office, same_rows):
    analyst, con = office
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


def test_the_average_age_needs_no_definition(office):
    analyst, con = office
    read = analyst.read("average age of employees by team")
    assert isinstance(read, Understood)
    found = dict(con.execute(analyst.sql(read.meaning)).fetchall())
    assert found["Lab"] == pytest.approx((50.55 + 60) / 2, abs=0.02)
    assert found["Sales"] == pytest.approx(30, abs=0.02)


def test_a_condition_on_the_age_is_said_as_it_is_read(office):
    analyst, _ = office
    read = analyst.read("employees older than 50")
    assert isinstance(read, Understood)
    assert restated(read.meaning) == "Employees born before 23 November 1975"
    assert "the age is counted from date of birth until today" in read.assumptions


def test_numbers_of_other_things_are_no_ages(office):
    analyst, con = office
    sql = analyst.sql(analyst.candidates("reports with more than 20 pages")[0].meaning, context=False)
    assert con.execute(sql).fetchall() == [(3,)]
