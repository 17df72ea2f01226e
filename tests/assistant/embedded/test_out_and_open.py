"""What is lent and comes back, and how old rows are that may not have ended: both told by two dates of a table.

Answers are checked by hand-written SQL.
"""

from __future__ import annotations

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.outcomes import Understood

_SCRIPT = """
CREATE TABLE reader (reader_id INTEGER PRIMARY KEY, name TEXT, town TEXT);
CREATE TABLE book (book_id INTEGER PRIMARY KEY, title TEXT, pages INTEGER, length INTEGER);
CREATE TABLE loan (loan_id INTEGER PRIMARY KEY, reader_id INTEGER REFERENCES reader (reader_id),
 book_id INTEGER REFERENCES book (book_id), loan_date DATE, return_date DATE);
CREATE TABLE repair (repair_id INTEGER PRIMARY KEY, topic TEXT, opened_on DATE, closed_on DATE);
INSERT INTO reader VALUES (1, 'Ana', 'Ulm'), (2, 'Bo', 'Ulm'), (3, 'Cy', 'Jena'), (4, 'Di', 'Jena');
INSERT INTO book VALUES (1, 'Tides', 120, 20), (2, 'Peaks', 300, 24), (3, 'Dunes', 210, 19);
INSERT INTO loan VALUES (1, 1, 1, '2026-01-01', '2026-01-11'), (2, 1, 2, '2026-02-01', NULL),
 (3, 2, 1, '2026-02-03', '2026-02-09'), (4, 3, 3, '2026-03-01', NULL), (5, 4, 2, '2026-01-05', '2026-01-09');
INSERT INTO repair VALUES (1, 'roof', '2026-11-01', NULL), (2, 'roof', '2026-10-02', '2026-10-12'),
 (3, 'door', '2026-11-11', NULL), (4, 'door', '2026-09-01', '2026-09-05');
"""


@pytest.fixture(scope="module")
def answer(opened):
    """The rows of the one reading of a question; today is 21 November 2026."""
    analyst, con = opened("library", _SCRIPT)

    def answered(question: str) -> list[tuple[object, ...]]:
        outcome = read(question, analyst, ())
        assert isinstance(outcome, Understood), outcome
        return con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()

    return answered


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("How long do people keep a book on average?", [(20 / 3,)]),
        ("how long are books kept", [(20 / 3,)]),
        ("readers who still have a book out", [("Ana",), ("Cy",)]),
        ("Which books are still out?", [("Dunes",), ("Peaks",)]),
        ("which books are currently on loan", [("Dunes",), ("Peaks",)]),
        ("how old are our open repairs?", [(15.0,)]),
        ("how long have repairs been open on average", [(15.0,)]),
        ("average age of open repairs by topic", [("roof", 20.0), ("door", 10.0)]),
    ],
)
def test_two_dates_tell_it(answer, question, rows):
    found = answer(question)
    assert [tuple(pytest.approx(v) if isinstance(v, float) else v for v in row) for row in rows] == found


def test_the_length_of_a_book_is_asked_in_its_own_words(answer):
    assert answer("average length of books") == [(21.0,)]
