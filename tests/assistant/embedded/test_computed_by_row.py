"""Numbers computed for each row as the question says it, one kind less another, days of the week, what was spent."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.lexicon import tokens

_SCHEMA = """
CREATE TABLE guides (guide_id INTEGER PRIMARY KEY, name TEXT);
CREATE TABLE tours (tour_id INTEGER PRIMARY KEY, guide_id INTEGER REFERENCES guides, tour_date DATE, kind TEXT,
    guests INTEGER, ticket_price REAL, fee REAL, rebate REAL, rating INTEGER, returned TEXT);
CREATE TABLE purchases (purchase_id INTEGER PRIMARY KEY, bought_on DATE, item TEXT, cost REAL);
INSERT INTO guides VALUES (1, 'Ada'), (2, 'Bo');
INSERT INTO tours VALUES (1, 1, '2025-05-02', 'city', 10, 5.0, 20, 2, 4, 'Y'), (2, 1, '2025-05-03', 'boat', 4, 25.0, 30, 0, 5, 'N'),
    (3, 2, '2025-05-09', 'city', 20, 6.0, 25, 5, 2, 'N'), (4, 2, '2025-12-12', 'boat', 6, 20.0, 40, 1, 3, 'Y');
INSERT INTO purchases VALUES (1, '2025-01-04', 'rope', 12.5), (2, '2025-02-04', 'paint', 40), (3, '2025-03-04', 'rope', 20);
"""


@pytest.fixture(scope="module")
def agency(opened):
    return opened("agency", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("total fee minus rebate by guide", [("Ada", 48.0), ("Bo", 59.0)]),
        ("What are the total takings (guests times ticket price) by kind?", [("city", 170.0), ("boat", 220.0)]),
        ("Total takings per kind, where takings is guests times ticket price?", [("city", 170.0), ("boat", 220.0)]),
        ("What is the difference in average rating between boat and city?", [(1.0,)]),
        ("How many tours were on a Friday?", [(3,)]),
        ("What did we spend on rope?", [(32.5,)]),
        ("What percentage of the boat tours returned?", [(50.0,)]),
        ("number of tours in the last quarter of 2025", [(1,)]),
    ],
)
def test_figures_that_the_question_makes(question, rows, agency, same_rows):
    analyst, con = agency
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


def test_the_last_month_of_a_year_is_december():
    found = time_phrase(tokens("the last month of 2024"), 0, date(2026, 11, 21))
    assert found is not None
    assert found[0].start == date(2024, 12, 1)
