"""Who left and who is still here, by the day on which that ended, and rows without the one whom a key refers to. A
choir, checked by hand-written SQL."""

from __future__ import annotations

import pytest

_CHOIR = """
CREATE TABLE coach (coach_id INTEGER PRIMARY KEY, coach_name TEXT NOT NULL);
CREATE TABLE singer (singer_id INTEGER PRIMARY KEY, singer_name TEXT NOT NULL, voice TEXT NOT NULL,
    since_date DATE NOT NULL, end_date DATE, mentor_coach_id INTEGER REFERENCES coach (coach_id));
INSERT INTO coach VALUES (1, 'Ada'), (2, 'Bo');
INSERT INTO singer VALUES (1, 'Cleo', 'alto', '2019-01-01', NULL, 1), (2, 'Dag', 'bass', '2020-03-01', '2025-05-01', 2),
    (3, 'Eva', 'alto', '2021-03-01', '2026-02-01', NULL), (4, 'Finn', 'tenor', '2024-04-04', NULL, NULL);
"""


@pytest.fixture(scope="module")
def choir(opened):
    return opened("choir", _CHOIR)


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("which singers have left?", "end_date IS NOT NULL"),
        ("singers who are no longer with us", "end_date IS NOT NULL"),
        ("which singers are still here?", "end_date IS NULL"),
        ("singers who left this year", "end_date LIKE '2026%'"),
        ("singers without a mentor", "mentor_coach_id IS NULL"),
        ("which singers have no mentor?", "mentor_coach_id IS NULL"),
    ],
)
def test_who_is_gone_and_who_has_nobody(choir, question, condition, first_rows, same_rows):
    rows, con, sql = first_rows(choir, question)
    assert same_rows(rows, con.execute(f"SELECT singer_name FROM singer WHERE {condition}").fetchall()), sql
