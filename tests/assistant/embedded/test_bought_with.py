"""What is bought together with one thing: counted by the orders that hold both, in a shop and in a file of lines."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import NotUnderstood

_LINES = """
SELECT o.order_id AS "Order No", o.order_date AS "Order Date", p.name AS Product, l.quantity AS Quantity
FROM order_lines AS l JOIN orders AS o USING (order_id) JOIN products AS p USING (product_id)
"""
_EXPECTED = """
SELECT p.name, COUNT(DISTINCT l.order_id) AS n FROM order_lines AS l JOIN products AS p USING (product_id)
WHERE p.name <> 'Wool Rug' AND l.order_id IN
    (SELECT order_id FROM order_lines JOIN products USING (product_id) WHERE name = 'Wool Rug')
GROUP BY p.name ORDER BY n DESC, p.name LIMIT 10
"""
Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]


@pytest.fixture(scope="module")
def lines(opened: Opened, shop_file) -> tuple[Analyst, sqlite3.Connection]:
    """The shop's order lines as an export: one table, no key."""
    with sqlite3.connect(f"file:{shop_file}?mode=ro", uri=True) as con:
        rows = con.execute(_LINES).fetchall()
    script = 'CREATE TABLE export ("Order No" INTEGER, "Order Date" DATE, Product TEXT, Quantity INTEGER);\n'
    return opened("export", script + "\n".join(f"INSERT INTO export VALUES {(1000 + n, *rest)};" for n, *rest in rows))


_ASKED = (
    "which products are bought together with Wool Rug",
    "which products are most often sold together with Wool Rug",
    "what is often bought along with Wool Rug",
    "what do people buy with Wool Rug",
)


@pytest.mark.parametrize("question", _ASKED)
@pytest.mark.parametrize("source", ["shop", "file"])
def test_counted_are_the_orders_that_hold_both(plain: Analyst, shop, lines, question: str, source: str) -> None:
    analyst, con = (plain, shop) if source == "shop" else lines
    found = analyst.candidates(question)
    assert found, analyst.read(question)
    rows = con.execute(analyst.sql(found[0].meaning)).fetchall()
    assert rows == shop.execute(_EXPECTED).fetchall()
    assert rows[0][1] > rows[-1][1]


def test_it_is_said_what_goes_together(plain: Analyst) -> None:
    found = plain.candidates(_ASKED[0])[0]
    assert "what goes together with Wool Rug is told by the orders that hold both" in found.assumptions


def test_pairs_are_not_looked_for(plain: Analyst) -> None:
    outcome = plain.read("which products are often bought together")
    assert isinstance(outcome, NotUnderstood)
    assert "name one of the two" in outcome.reason


def test_other_things_than_those_bought_are_not_ranked_so(plain: Analyst) -> None:
    assert all(not c.meaning.limit for c in plain.candidates("which stores are bought with Wool Rug"))
