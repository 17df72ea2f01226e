"""What is done most, what was claimed, at most the average, and those who have something, before a breakdown."""

from __future__ import annotations

import pytest

from assistant.embedded.words.sayings import plainly

_SCHEMA = """
CREATE TABLE branch (
    branch_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, city TEXT NOT NULL, number_desks INTEGER NOT NULL);
CREATE TABLE agent (
    agent_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, branch_id INTEGER NOT NULL REFERENCES branch (branch_id),
    salary REAL NOT NULL, bonus REAL NOT NULL, hired_on DATE NOT NULL);
CREATE TABLE guide (
    guide_id INTEGER PRIMARY KEY, title TEXT NOT NULL UNIQUE, view_count INTEGER NOT NULL, keeper TEXT NOT NULL);
CREATE TABLE refund (
    refund_id INTEGER PRIMARY KEY, agent_id INTEGER NOT NULL REFERENCES agent (agent_id),
    amount_requested REAL NOT NULL, amount_granted REAL NOT NULL);
CREATE TABLE people (people_id INTEGER PRIMARY KEY, full_name TEXT NOT NULL UNIQUE);
CREATE TABLE crash (
    crash_id INTEGER PRIMARY KEY, people_id INTEGER NOT NULL REFERENCES people (people_id), road TEXT NOT NULL,
    injured INTEGER NOT NULL);
CREATE TABLE town (town_id INTEGER PRIMARY KEY, town TEXT NOT NULL UNIQUE, county_population INTEGER NOT NULL);
INSERT INTO town VALUES (1, 'Hull', 9000), (2, 'Ely', 700), (3, 'Bath', 6000);
INSERT INTO people VALUES (1, 'Kim'), (2, 'Lea'), (3, 'Max');
INSERT INTO crash VALUES (1, 1, 'A1', 60), (2, 2, 'A1', 5), (3, 3, 'B2', 70);
INSERT INTO branch VALUES (1, 'old', 'Kiel', 4), (2, 'new', 'Ulm', 8);
INSERT INTO agent VALUES
    (1, 'Ada', 1, 10, 0, '2019-01-01'), (2, 'Bo', 1, 20, 5, '2020-01-01'), (3, 'Cy', 2, 30, 7, '2021-01-01'), (4, 'Di', 2, 60, 0, '2022-01-01');
INSERT INTO guide VALUES (1, 'Start', 50, 'Eva'), (2, 'Rules', 90, 'Eva'), (3, 'Forms', 20, 'Jo');
INSERT INTO refund VALUES (1, 1, 100, 80), (2, 2, 50, 50), (3, 3, 30, 0);
"""


@pytest.fixture(scope="module")
def office(opened):
    analyst, con = opened("office", _SCHEMA)
    return lambda question: con.execute(analyst.sql(analyst.candidates(question)[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("most viewed guide, title and view count", [("Rules", 90)]),
        ("how much was requested?", [(180.0,)]),
        ("All refunds added together, how much was granted?", [(130.0,)]),
        ("names of agents whose salary is at or below the average salary", [("Ada",), ("Bo",), ("Cy",)]),
        ("names of agents whose salary is at least the average salary", [("Cy",), ("Di",)]),
        ("names of agents whose salary is above the average salary", [("Di",)]),
        ("number of agents with a bonus by city", [("Kiel", 1), ("Ulm", 1)]),
        ("How many desks are there on average?", [(6.0,)]),
        ("Who has been keeper most often, and how many times?", [("Eva", 2)]),
        ("number of agents of each branch, with the branch's id", [(1, 2), (2, 2)]),
        ("name, salary and branch number of the agents with a bonus", [("Bo", 20, 1), ("Cy", 30, 2)]),
        ("roads of crashes that injured over 65 people", [("B2",)]),
        ("roads with a crash that injured over 50 people and another that injured under 20", [("A1",)]),
        ("towns with over 5000 in the county", [("Bath",), ("Hull",)]),
        ("number of agents of each branch", [("new", 2), ("old", 2)]),
    ],
)
def test_figures_may_be_said_otherwise(question, rows, office):
    assert sorted(office(question)) == sorted(rows)


@pytest.mark.parametrize("question", ["which agent is in which branch?", "who was the keeper of Rules?", "all agents"])
def test_what_is_said_plainly_stays(question):
    assert plainly(question) == question
