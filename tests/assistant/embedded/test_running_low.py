"""What is to be reordered, and multiples of what groups have on average."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Understood

_SCHEMA = """
CREATE TABLE items (item_id INTEGER PRIMARY KEY, item_name TEXT NOT NULL, units_in_stock INTEGER NOT NULL,
    units_on_order INTEGER NOT NULL, reorder_level INTEGER NOT NULL, kind TEXT NOT NULL);
CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL REFERENCES items (item_id),
    sale_date DATE NOT NULL, total REAL NOT NULL);
INSERT INTO items VALUES (1, 'Anvil', 3, 0, 5, 'tool'), (2, 'Bolt', 90, 10, 50, 'part'), (3, 'Crane', 2, 1, 2, 'tool'),
    (4, 'Drill', 8, 0, 4, 'tool');
INSERT INTO sales VALUES (1, 2, '2026-01-01', 5), (2, 2, '2026-01-02', 5), (3, 2, '2026-01-03', 5), (4, 2, '2026-01-04', 5),
    (5, 2, '2026-01-05', 5), (6, 2, '2026-01-06', 5), (7, 1, '2026-01-07', 5), (8, 3, '2026-01-08', 50), (9, 4, '2026-01-09', 5);
"""


@pytest.fixture(scope="module")
def depot(opened):
    return opened("depot", _SCHEMA)


def _read(depot, question):
    analyst, con = depot
    read = analyst.read(question)
    assert isinstance(read, Understood), read
    return read, con.execute(analyst.sql(read.meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    "question",
    [
        *("items to reorder", "which items need reordering?", "items running low", "items low on stock"),
        *("which items should be reordered", "what should we reorder", "what's our reorder list?"),
    ],
)
def test_what_is_at_its_reorder_level_is_to_be_reordered(question, depot):
    assert _read(depot, question)[1] == [("Anvil",), ("Crane",)]


def test_what_that_means_is_said_in_words(depot):
    read, _ = _read(depot, "items to reorder")
    assert read.assumptions == ("“to reorder” means units in stock <= reorder level",)
    assert read.restated == "Items to reorder"
    assert "tems low on stock by kind" in _read(depot, "number of items low on stock by kind")[0].restated


@pytest.mark.parametrize(
    ("question", "names"),
    [
        ("items with more than twice the average number of sales", ["Bolt"]),
        ("items with at least 2 times the average number of sales", ["Bolt"]),
        ("items with over 2 times the average revenue", ["Crane"]),
        ("items with less than half of the average revenue", ["Anvil", "Drill"]),
    ],
)
def test_figures_of_groups_are_held_against_a_multiple_of_their_average(question, names, depot):
    assert sorted(row[0] for row in _read(depot, question)[1]) == names


def test_the_multiple_is_said(depot):
    read, _ = _read(depot, "items with more than twice the average number of sales")
    assert "over 2 times the average" in read.restated
