"""A question that says itself what one of its words means is read by that; what merely sounds so is left alone."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.definitions.stated import cut
from assistant.embedded.outcomes import Understood


@pytest.mark.parametrize(
    ("question", "asked", "defined"),
    [
        (
            "What is the margin by shelf, where margin is the price minus the cost?",
            "What is the margin by shelf?",
            "margin is the price minus the cost.",
        ),
        ("What is the APR per month? APR = total price / number of jars", "What is the APR per month?",
         "APR is total price / number of jars."),
        ("the yield by shelf (yield = price - cost)", "the yield by shelf?", "yield is price - cost."),
        ("Show jars where the status is open", "Show jars where the status is open", ""),
        ("Which jars, where the price is 30?", "Which jars, where the price is 30?", ""),
        ("How many jars are there? The shelf is full.", "How many jars are there? The shelf is full.", ""),
    ],
)  # fmt: skip
def test_definition_is_cut_off(question, asked, defined):
    assert cut(question) == (asked, defined)


@pytest.fixture(scope="module")
def jars(tmp_path_factory, catalog_of):
    """Jars on shelves, with what they cost and sell for."""
    path = tmp_path_factory.mktemp("jars") / "jars.sqlite"
    rows = [(n, ("top", "low")[n % 2], 2.0 + n % 5, 1.0 + n % 3, f"2026-0{n % 9 + 1}-11") for n in range(1, 31)]
    with closing(sqlite3.connect(path)) as con, con:
        con.execute(
            "CREATE TABLE jars (jar_id INTEGER PRIMARY KEY, shelf TEXT NOT NULL, price REAL NOT NULL,"
            " cost REAL NOT NULL, filled_on DATE NOT NULL)"
        )
        con.executemany("INSERT INTO jars VALUES (?, ?, ?, ?, ?)", rows)
    with closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)) as con:
        yield Analyst([catalog_of(path)], (), date(2026, 11, 21)), con


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the cost share by shelf, where cost share is the total cost divided by the total price?",
            "SELECT shelf, SUM(cost) / SUM(price) FROM jars GROUP BY 1",
        ),
        (
            "What is the APJ by shelf in 2026? APJ is the total price divided by the number of jars.",
            "SELECT shelf, SUM(price) / COUNT(*) FROM jars GROUP BY 1",
        ),
        (
            "average difference between the price and the cost in March 2026",
            "SELECT AVG(price - cost) FROM jars WHERE filled_on LIKE '2026-03%'",
        ),
    ],
)
def test_question_is_read_by_its_own_words(question, gold, jars, same_rows):
    analyst, con = jars
    likeliest = analyst.candidates(question)[0]
    sql = analyst.sql(likeliest.meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql
    assert not likeliest.cited


def test_figure_of_the_question_is_kept_by_a_follow_up(jars, same_rows):
    analyst, con = jars
    asked = analyst.candidates("What is the average difference between the price and the cost?")[0]
    added = analyst.read("by shelf", asked.meaning)
    assert isinstance(added, Understood)
    sql = analyst.sql(added.meaning, context=False)
    gold = "SELECT shelf, AVG(price - cost) FROM jars GROUP BY 1"
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql
