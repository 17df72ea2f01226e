"""Two of a kind against each other, periods chosen by a figure of theirs, and margins, stock and takings that nobody
defined. The data are a nursery of plants, checked by hand-written SQL."""

from __future__ import annotations

import pytest

_NURSERY = """
CREATE TABLE plant (plant_id INTEGER PRIMARY KEY, plant_name TEXT NOT NULL, buying_price REAL NOT NULL,
    selling_price REAL NOT NULL);
CREATE TABLE garden (garden_id INTEGER PRIMARY KEY, garden_name TEXT NOT NULL, beds INTEGER NOT NULL);
CREATE TABLE stock (garden_id INTEGER NOT NULL REFERENCES garden, plant_id INTEGER NOT NULL REFERENCES plant,
    qty_on_hand INTEGER NOT NULL);
CREATE TABLE bill (bill_id INTEGER PRIMARY KEY, garden_id INTEGER NOT NULL REFERENCES garden, billed_on DATE NOT NULL,
    total REAL NOT NULL, paid_amount REAL NOT NULL, channel TEXT NOT NULL, visitors INTEGER NOT NULL);
INSERT INTO plant VALUES (1, 'Fern', 2, 5), (2, 'Rose', 4, 4.5), (3, 'Oak', 10, 30);
INSERT INTO garden VALUES (1, 'Hill', 10), (2, 'Dale', 4), (3, 'Moor', 7);
INSERT INTO stock VALUES (1, 1, 10), (1, 2, 5), (2, 3, 2);
INSERT INTO bill VALUES (1, 1, '2025-01-03', 50, 50, 'web', 3), (2, 1, '2025-02-04', 70, 0, 'shop', 9),
    (3, 2, '2025-02-08', 40, 40, 'shop', 4), (4, 2, '2026-03-01', 90, 10, 'web', 5), (5, 3, '2026-03-05', 20, 20, 'web', 1),
    (6, 3, '2026-12-24', 15, 0, 'web', 2);
"""
_BOTH = "bill JOIN garden USING (garden_id)"


@pytest.fixture(scope="module")
def nursery(opened):
    return opened("nursery", _NURSERY)


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("did Hill sell more than Dale last year?",
         f"SELECT garden_name, SUM(total) FROM {_BOTH} WHERE garden_id < 3 AND billed_on LIKE '2025%' GROUP BY 1"),
        ("did web bring in more than shop?", "SELECT channel, SUM(total) FROM bill GROUP BY 1"),
        ("did Hill have more visitors than Moor?",
         f"SELECT garden_name, SUM(visitors) FROM {_BOTH} WHERE garden_id <> 2 GROUP BY 1"),
        ("did we have more visitors in Hill or in Moor?",
         f"SELECT garden_name, SUM(visitors) FROM {_BOTH} WHERE garden_id <> 2 GROUP BY 1"),
        ("does Hill have more bills than Dale?",
         f"SELECT garden_name, COUNT(*) FROM {_BOTH} WHERE garden_id < 3 GROUP BY 1"),
    ],
)  # fmt: skip
def test_two_of_a_kind_against_each_other(nursery, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(nursery, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "having"),
    [
        ("months in which revenue was above 60", "SUM(total) > 60"),
        ("which months had more than 1 bill?", "COUNT(*) > 1"),
        ("in which months was the average total below 30?", "AVG(total) < 30"),
    ],
)
def test_periods_chosen_by_their_figure(nursery, question, having, first_rows, same_rows):
    rows, con, sql = first_rows(nursery, question)
    gold = f"SELECT DATE(billed_on, 'start of month') FROM bill GROUP BY 1 HAVING {having}"
    assert same_rows(rows, con.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("what do we make on each plant?", "SELECT plant_name, selling_price - buying_price FROM plant"),
        ("markup per plant", "SELECT plant_name, selling_price - buying_price FROM plant"),
        (
            "what is our stock worth per garden?",
            "SELECT garden_name, SUM(qty_on_hand * buying_price) FROM stock JOIN garden USING (garden_id) JOIN plant"
            " USING (plant_id) GROUP BY 1",
        ),
        ("revenue by garden", f"SELECT garden_name, SUM(total) FROM {_BOTH} GROUP BY 1"),
        ("upcoming bills", "SELECT 6"),
    ],
)
def test_figures_and_states_that_nobody_defined(nursery, question, gold, first_rows, same_rows):
    rows, con, sql = first_rows(nursery, question)
    assert same_rows(rows, con.execute(gold).fetchall()), sql
