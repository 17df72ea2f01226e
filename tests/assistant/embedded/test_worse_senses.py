"""A worse sense of a word that cannot be computed does not silence a reading by its better sense."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from datetime import date
from pathlib import Path

import pytest

from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Ambiguous, NotUnderstood

_SCHEMA = """
CREATE TABLE employees (employee_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE products (product_id INTEGER PRIMARY KEY, name TEXT NOT NULL, units_on_order INTEGER NOT NULL);
CREATE TABLE orders (
    order_id INTEGER PRIMARY KEY, employee_id INTEGER NOT NULL REFERENCES employees, freight NUMERIC NOT NULL
);
CREATE TABLE order_lines (
    order_line_id INTEGER PRIMARY KEY,
    order_id INTEGER NOT NULL REFERENCES orders,
    product_id INTEGER NOT NULL REFERENCES products
);
INSERT INTO employees VALUES (1, 'Ada'), (2, 'Bo'), (3, 'Cy');
INSERT INTO products VALUES (1, 'Lamp', 4), (2, 'Rug', 0), (3, 'Vase', 9);
INSERT INTO orders VALUES (1, 1, 5.5), (2, 1, 7.25), (3, 2, 3), (4, 3, 9.75);
INSERT INTO order_lines VALUES (1, 1, 1), (2, 1, 2), (3, 2, 3), (4, 3, 1), (5, 4, 2);
"""


@pytest.fixture
def works(tmp_path: Path, catalog_of: Callable[[Path], Catalog]) -> Analyst:
    """An analyst of orders, whose products have a column that is called like them."""
    path = tmp_path / "works.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(_SCHEMA)
    return Analyst([catalog_of(path)], (), date(2026, 11, 23))


@pytest.mark.parametrize(
    ("question", "word", "offered"),
    [
        ("which employee closes the most orders", "closes", "Employee with the highest number of orders"),
        ("how much freight do we pay on average per order", "pay", "Average freight"),
    ],
)
def test_a_reading_without_the_unknown_word_is_offered(works: Analyst, question: str, word: str, offered: str) -> None:
    outcome = works.read(question)
    assert isinstance(outcome, Ambiguous)
    assert f"“{word}”" in outcome.text
    assert [label for label, _ in outcome.options] == [offered]


def test_what_would_count_several_times_is_still_declined(works: Analyst) -> None:
    outcome = works.read("total freight by product")
    assert isinstance(outcome, NotUnderstood)
    assert "several times" in outcome.reason
