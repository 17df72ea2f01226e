"""A deed before a period names the date that the periods go by, also where its word is a state of the rows, too."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, boat TEXT NOT NULL, state TEXT NOT NULL,
    opened_date DATE NOT NULL, closed_date DATE);
INSERT INTO repair VALUES (1, 'Alba', 'closed', '2026-01-05', '2026-02-03'), (2, 'Boreas', 'open', '2026-02-10', NULL),
    (3, 'Alba', 'closed', '2026-02-11', '2026-02-27'), (4, 'Ciara', 'waiting', '2026-03-02', NULL),
    (5, 'Dune', 'closed', '2025-12-30', '2026-03-04');
"""


@pytest.fixture(scope="module")
def yard(opened):
    return opened("yard", _SCHEMA)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How many repairs were closed per month in 2026?", [("2026-02-01", 2), ("2026-03-01", 1)]),
        ("How many repairs were opened per month in 2026?", [("2026-01-01", 1), ("2026-02-01", 2), ("2026-03-01", 1)]),
        ("repairs closed per weekday", [("Tuesday", 1), ("Wednesday", 1), ("Friday", 1)]),
        ("number of closed repairs", [(3,)]),
    ],
)
def test_periods_go_by_the_date_of_the_deed(yard, question, rows):
    analyst, con = yard
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    answer = con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert [row for row in answer if row[0] is not None] == rows
    said = any("time goes by the closed date" in assumption for assumption in outcome.assumptions)
    assert said == ("closed per" in question)


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("number of repairs by month of closing", [("2026-02-01", 2), ("2026-03-01", 1)]),
        ("number of repairs by month of closed date", [("2026-02-01", 2), ("2026-03-01", 1)]),
        ("repairs by year of opening", [(2025, 1), (2026, 4)]),
        (
            "repairs by boat and year of opening",
            [("Alba", 2026, 2), ("Boreas", 2026, 1), ("Ciara", 2026, 1), ("Dune", 2025, 1)],
        ),
    ],
)
def test_periods_go_by_the_moment_that_is_named_behind_them(yard, question, rows, first_rows, same_rows):
    found, _, sql = first_rows(yard, question)
    known = [row for row in found if None not in row]
    width = len(rows[0])
    assert same_rows(
        [tuple(sorted(map(str, row[:width]))) for row in known], [tuple(sorted(map(str, row))) for row in rows]
    ), sql
