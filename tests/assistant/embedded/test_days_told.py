"""The day that a question counts from, where it says one, and parts of longer periods."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.embedded.time_phrases import time_phrase
from assistant.embedded.words.lexicon import tokens

_SCHEMA = """
CREATE TABLE agents (agent_id INTEGER PRIMARY KEY, agent_name TEXT, hired_on DATE, desk TEXT);
CREATE TABLE calls (call_id INTEGER PRIMARY KEY, agent_id INTEGER REFERENCES agents, called_on DATE, country_code TEXT);
INSERT INTO agents VALUES (1, 'Ada', '2020-05-01', 'north'), (2, 'Bo', '2022-09-01', 'south');
INSERT INTO calls VALUES (1, 1, '2023-01-10', 'SE'), (2, 1, '2023-08-20', 'DK'), (3, 2, '2023-11-02', 'SE'),
    (4, 2, '2024-02-14', 'DE'), (5, 2, '2024-03-09', 'SE');
"""


@pytest.fixture(scope="module")
def desk(opened):
    return opened("desk", _SCHEMA)


@pytest.mark.parametrize(
    ("text", "start", "end"),
    [
        ("in the last 6 months of 2023", date(2023, 7, 1), date(2024, 1, 1)),
        ("the first two weeks of March 2024", date(2024, 3, 1), date(2024, 3, 15)),
        ("in Mar-24", date(2024, 3, 1), date(2024, 4, 1)),
        ("in 2024-03", date(2024, 3, 1), date(2024, 4, 1)),
        ("in the last 6 months", date(2026, 5, 1), date(2026, 11, 1)),
    ],
)
def test_parts_of_periods_and_months_as_sheets_write_them(text, start, end):
    cut = tokens(text)
    found = time_phrase(cut, 0, date(2026, 11, 21))
    assert found is not None
    assert found[1] == len(cut)
    assert (found[0].start, found[0].end) == (start, end)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many calls were there in the last 30 days? Assume that today is 2024-03-10.", [(2,)]),
        ("Assuming today is March 1, 2024, how many calls were made last month?", [(1,)]),
        ("number of calls in the last 3 months of the data", [(2,)]),
        ("How many calls from Sweden were there?", [(3,)]),
        ("How many calls from Sweden or Denmark in 2023?", [(3,)]),
        ("Who was the most recently hired agent, and what is the desk?", [("Bo", "south")]),
    ],
)
def test_days_count_from_the_day_that_is_told(question, rows, desk, same_rows):
    analyst, con = desk
    sql = analyst.sql(analyst.candidates(question)[0].meaning, context=False)
    assert same_rows(con.execute(sql).fetchall(), rows), sql
