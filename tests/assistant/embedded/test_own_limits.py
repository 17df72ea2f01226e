"""Rows beyond a limit of their own, which no number says. A film studio, checked by hand-written SQL."""

from __future__ import annotations

import pytest

_STUDIO = """
CREATE TABLE film (film_id INTEGER PRIMARY KEY, title TEXT NOT NULL, budget REAL NOT NULL);
CREATE TABLE expense (expense_id INTEGER PRIMARY KEY, film_id INTEGER NOT NULL REFERENCES film, amount REAL NOT NULL);
CREATE TABLE costume (costume_id INTEGER PRIMARY KEY, costume_name TEXT NOT NULL, unit_cost REAL NOT NULL,
    min_stock INTEGER NOT NULL);
CREATE TABLE stock (stock_id INTEGER PRIMARY KEY, costume_id INTEGER NOT NULL REFERENCES costume, quantity INTEGER NOT NULL);
INSERT INTO film VALUES (1, 'Mist', 100), (2, 'Noon', 200), (3, 'Opal', 50);
INSERT INTO expense VALUES (1, 1, 80), (2, 1, 40), (3, 2, 150), (4, 3, 50);
INSERT INTO costume VALUES (1, 'cape', 3, 5), (2, 'hat', 20, 9);
INSERT INTO stock VALUES (1, 1, 4), (2, 1, 3), (3, 2, 2);
"""


@pytest.fixture(scope="module")
def studio(opened):
    return opened("studio", _STUDIO)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("which films are over budget?", "SELECT 'Mist'"),
        ("films below budget", "SELECT 'Noon'"),
        ("costumes below minimum stock", "SELECT 'hat'"),
    ],
)
def test_rows_beyond_a_limit_of_their_own(studio, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(studio, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql
