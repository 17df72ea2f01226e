"""The same question in other words gives the same rows: "in total", "most number of", letters for a sex, alphabetical."""

from __future__ import annotations

import pytest

from assistant.embedded.wording.phrases import restated

_SCHEMA = """
CREATE TABLE Student (StuID INTEGER PRIMARY KEY, LName TEXT NOT NULL, Fname TEXT NOT NULL, Sex TEXT NOT NULL);
CREATE TABLE Club (ClubID INTEGER PRIMARY KEY, ClubName TEXT NOT NULL UNIQUE, votes INTEGER NOT NULL);
CREATE TABLE Membership (
    MembershipID INTEGER PRIMARY KEY, StuID INTEGER NOT NULL REFERENCES Student (StuID),
    ClubID INTEGER NOT NULL REFERENCES Club (ClubID));
INSERT INTO Student VALUES (1, 'Kim', 'Tracy', 'F'), (2, 'Smith', 'Linda', 'F'), (3, 'Jones', 'Eric', 'M');
INSERT INTO Club VALUES (1, 'Chess', 10), (2, 'Archery', 30);
INSERT INTO Membership VALUES (1, 1, 1), (2, 2, 1), (3, 3, 2);
"""


@pytest.fixture(scope="module")
def campus(opened):
    return opened("campus", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many female students are there?", [(2,)]),
        ("How many male students are there?", [(1,)]),
        ("What is the last name of the students?", [("Kim",), ("Smith",), ("Jones",)]),
        ("How many students are there in total?", [(3,)]),
        ("Which club has most number of memberships?", [("Chess", 2)]),
        ("What is the average number of votes of clubs?", [(20.0,)]),
    ],
)
def test_rows_are_those_of_the_plain_wording(question, rows, campus, understood, same_rows):
    analyst, con = campus
    sql = analyst.sql(understood(analyst, question).meaning)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("List the club names in ascending alphabetical order", ["Archery", "Chess"]),
        ("List the club names in descending alphabetical order", ["Chess", "Archery"]),
    ],
)
def test_alphabetical_order_goes_the_way_that_is_said(question, names, campus, understood):
    analyst, con = campus
    rows = con.execute(analyst.sql(understood(analyst, question).meaning)).fetchall()
    assert [row[0] for row in rows] == names


@pytest.mark.parametrize(
    ("column", "said"), [("launch_date", "with launch date in 2025"), ("launched_on", "of what was launched in 2025")]
)
def test_a_day_of_what_the_rows_belong_to_is_named(opened, column, said):
    script = f"""
        CREATE TABLE lamps (lamp_id INTEGER PRIMARY KEY, name TEXT NOT NULL, {column} DATE NOT NULL);
        CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, lamp_id INTEGER NOT NULL REFERENCES lamps (lamp_id),
            sale_date DATE NOT NULL, amount REAL NOT NULL);
        INSERT INTO lamps VALUES (1, 'Lux', '2025-02-03'), (2, 'Ray', '2023-04-05');
        INSERT INTO sales VALUES (1, 1, '2026-01-05', 10), (2, 2, '2025-02-07', 50), (3, 1, '2025-12-08', 5);
    """
    analyst, _ = opened("lamps", script)
    launched = analyst.candidates("total amount of sales of lamps launched in 2025")[0].meaning
    assert restated(launched) == f"Total sale amount {said}"
    sold = analyst.candidates("total amount of sales in 2025")[0].meaning
    assert restated(sold) == "Total sale amount for 2025"
