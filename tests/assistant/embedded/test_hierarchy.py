"""Rows of one table that refer to each other: who reports to whom, and what belongs to what is above it."""

from __future__ import annotations

import pytest

from assistant.embedded.wording.phrases import restated

_SCHEMA = """
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
    job_title TEXT NOT NULL, ReportsTo INTEGER REFERENCES employees (employee_id));
CREATE TABLE topics (topic_id INTEGER PRIMARY KEY, topic_name TEXT NOT NULL, parent_id INTEGER);
CREATE TABLE calls (call_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employees (employee_id),
    minutes INTEGER NOT NULL);
INSERT INTO employees VALUES (1, 'Ada', 'Korn', 'director', NULL), (2, 'Bo', 'Lind', 'lead', 1),
    (3, 'Cy', 'Moll', 'clerk', 2), (4, 'Di', 'Nord', 'clerk', 2), (5, 'Ed', 'Ott', 'lead', 1);
INSERT INTO topics VALUES (1, 'Sports', NULL), (2, 'Ski', 1), (3, 'Golf', 1), (4, 'Food', NULL), (5, 'Wine', 4);
INSERT INTO calls VALUES (1, 3, 10), (2, 4, 20), (3, 5, 30), (4, 3, 5), (5, 1, 50);
"""
_WITH_MANAGERS = [
    ("Ada", "Korn", None, None),
    ("Bo", "Lind", "Ada", "Korn"),
    ("Cy", "Moll", "Bo", "Lind"),
    ("Di", "Nord", "Bo", "Lind"),
    ("Ed", "Ott", "Ada", "Korn"),
]


@pytest.fixture(scope="module")
def firm(opened):
    return opened("firm", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which employees report to Ada Korn?", [("Bo", "Lind"), ("Ed", "Ott")]),
        ("employees who report to Lind", [("Cy", "Moll"), ("Di", "Nord")]),
        ("Who reports to Bo Lind?", [("Cy", "Moll"), ("Di", "Nord")]),
        ("How many employees report to Korn?", [(2,)]),
        ("employees managed by Bo Lind", [("Cy", "Moll"), ("Di", "Nord")]),
        ("employees whose manager is Korn", [("Bo", "Lind"), ("Ed", "Ott")]),
        ("Who does Cy Moll report to?", [("Bo", "Lind")]),
        ("Who is the manager of Cy Moll?", [("Bo", "Lind")]),
        ("Ed Ott's boss", [("Ada", "Korn")]),
        ("Who manages Di Nord?", [("Bo", "Lind")]),
        ("What is the job title of the manager of Di Nord?", [("lead",)]),
        ("How many calls were taken by employees who report to Bo Lind?", [(3,)]),
        ("total minutes of calls of employees who report to Bo Lind", [(35,)]),
        ("number of employees per manager", [("Ada", "Korn", 2), ("Bo", "Lind", 2)]),
        ("which manager has the most calls?", [("Bo", "Lind")]),
        ("Who does each employee report to?", _WITH_MANAGERS),
        ("Who do the employees report to?", _WITH_MANAGERS),
        ("Show the employees and who they report to", _WITH_MANAGERS),
        ("list employees with their manager", _WITH_MANAGERS),
        ("number of topics by parent", [("Sports", 2), ("Food", 1)]),
        (
            "topics and their parent",
            [("Sports", None), ("Ski", "Sports"), ("Golf", "Sports"), ("Food", None), ("Wine", "Food")],
        ),
        ("show the parent id of each topic", [("Sports", None), ("Ski", 1), ("Golf", 1), ("Food", None), ("Wine", 4)]),
        ("topics whose parent is Sports", [("Ski",), ("Golf",)]),
        ("What is the parent of Wine?", [("Food",)]),
    ],
)
def test_those_above_and_below_are_found(question, rows, firm, same_rows):
    analyst, con = firm
    meaning = analyst.candidates(question)[0].meaning
    sql = analyst.sql(meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("Which employees report to Ada Korn?", "reports to is Ada Korn"),
        ("Who does Cy Moll report to?", "Cy Moll reports to them"),
        ("What is the parent of Wine?", "they are the parent of Wine"),
    ],
)
def test_the_relation_is_said_in_words(question, said, firm):
    analyst, _ = firm
    assert said in restated(analyst.candidates(question)[0].meaning)


def test_those_above_the_rows_before_are_shown_beside_them(firm, understood):
    analyst, con = firm
    before = understood(analyst, "top 2 employees by total minutes").meaning
    after = understood(analyst, "who do they report to?", before).meaning
    assert con.execute(analyst.sql(after)).fetchall() == [("Ada", "Korn", None, None), ("Ed", "Ott", "Ada", "Korn")]
    beside = understood(analyst, "their managers", before).meaning
    assert con.execute(analyst.sql(beside)).fetchall() == [
        ("Ada", "Korn", None, None, 50),
        ("Ed", "Ott", "Ada", "Korn", 30),
    ]
