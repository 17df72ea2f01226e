"""Deeds of trade in set words, and rows that are counted among figures: put plainly, and answered as that.

Answers are checked by hand-written SQL on the shop.
"""

from __future__ import annotations

import sqlite3

import pytest

from assistant.agents.embedded.conversing import read
from assistant.embedded.analyst import Analyst
from assistant.embedded.linking import idioms
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.words.sayings import plainly

_NET = "SUM(l.quantity * l.unit_price)"
_SOLD = "order_lines l JOIN orders o USING (order_id) JOIN products p USING (product_id)"
_KEPT = "o.status <> 'cancelled'"


def _plain(analyst: Analyst, question: str) -> str:
    return idioms.plain(plainly(question), [source.linker for source in analyst.sources.values()])[0]


def _rows(analyst: Analyst, shop: sqlite3.Connection, question: str) -> list[tuple[object, ...]]:
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), outcome
    return shop.execute(analyst.sql(outcome.meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "put"),
    [
        ("the two categories that bring in the least", "the two categories with the lowest net revenue"),
        ("Which region brought in the most last month?", "which region has the highest net revenue last month"),
        ("which product makes us the most money", "which product has the highest net revenue"),
        ("Which category makes us the most money, and which the least?", "net revenue by category"),
        ("how did each store do by quarter in 2025", "net revenue by store and quarter in 2025"),
        ("How are the different regions performing this year?", "net revenue by regions this year"),
        ("was October better than September?", "compare net revenue in October with September"),
        ("is this year worse than last year", "compare net revenue in this year with last year"),
        ("which customer has been with us the longest?", "customer with the earliest signup date"),
        ("customers from Spain along with their total spend", "customers from Spain along with their net revenue"),
        ("how many customers came back after their first order", "how many customers have more than 1 order"),
        ("which category do we rely on most", "category with the highest net revenue"),
        ("freight as a percentage of order value", "freight as a percentage of net revenue"),
        ("orders that went out after 1 June 2025", "orders that shipped after 1 June 2025"),
        ("orders and net revenue by region", "number of orders and net revenue by region"),
        ("customers, orders and AOV per country", "number of customers, number of orders and AOV per country"),
        ("which categories bring in under 5000", "categories with net revenue under 5000"),
        (
            "the stores that brought in at least 2000 euros this year",
            "the stores with net revenue at least 2000 this year",
        ),
        ("how much did we sell in Spain compared to Italy?", "compare net revenue in Spain with Italy"),
        ("who are our ten most loyal customers", "who are our ten customers with the most orders"),
        ("our most valuable customers this year", "our 10 customers with the highest net revenue this year"),
        (
            "customers who stopped ordering after 2024",
            "customers who ordered before 1 January 2025 but not since 1 January 2025",
        ),
        ("which month of 2025 was the weakest", "which month had the lowest net revenue in 2025"),
        ("What day of the week is busiest?", "which weekday had the most orders"),
        ("how many orders does a typical customer place", "average number of orders per customer"),
        ("how much money is tied up in our stock", "stock value"),
        ("which regions do our customers live in, and how many in each", "number of customers by regions"),
    ],
)
def test_a_deed_of_trade_is_put_plainly(informed: Analyst, question: str, put: str) -> None:
    assert _plain(informed, question).lower() == put.lower()


@pytest.mark.parametrize(
    "question",
    [
        "which store has the most orders",
        "who made the most orders",
        "how did we ship orders by status",
        "how do orders differ by status",
        "products better than average in price",
        "customers with their orders",
        "orders by region and category",
        "regions and categories by name",
        "how many orders came in last month",
        "cancelled orders as a percentage of orders",
        "customers who went out of business",
        "the most active products",
        "customers who stopped paying after 2024",
        "which month of the plan was the weakest",
        "how many orders does Ada place",
    ],
)
def test_what_is_said_in_full_stays_as_it_is(informed: Analyst, question: str) -> None:
    assert _plain(informed, question) == question


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "the two categories that bring in the least",
            f"SELECT c.name FROM {_SOLD} JOIN categories c USING (category_id) WHERE {_KEPT} GROUP BY 1"
            f" ORDER BY {_NET} LIMIT 2",
        ),
        (
            "Of the products over 50 euros, which one sold best?",
            "SELECT p.name FROM order_lines l JOIN products p USING (product_id) JOIN orders o USING (order_id)"
            f" WHERE p.price > 50 AND {_KEPT} GROUP BY 1 ORDER BY SUM(l.quantity) DESC LIMIT 1",
        ),
        (
            "how many customers came back?",
            f"SELECT COUNT(*) FROM (SELECT customer_id FROM orders o WHERE {_KEPT} GROUP BY 1 HAVING COUNT(*) > 1)",
        ),
        (
            "what's the most expensive thing we sell",
            "SELECT name FROM products ORDER BY price DESC LIMIT 1",
        ),
        (
            "orders that were cancelled, as a share of all, month by month",
            "SELECT DATE(order_date, 'start of month'), 100.0 * SUM(status = 'cancelled') / COUNT(*) FROM orders"
            " GROUP BY 1 ORDER BY 1",
        ),
    ],
)
def test_it_is_answered_as_that(informed: Analyst, shop: sqlite3.Connection, question: str, gold: str) -> None:
    found, wanted = _rows(informed, shop, question), shop.execute(gold).fetchall()
    assert len(found) == len(wanted)
    for row, right in zip(found, wanted, strict=True):
        for value in right:
            assert any(v == value or (isinstance(v, float) and v == pytest.approx(value)) for v in row)


def test_rows_among_figures_are_counted(informed: Analyst, shop: sqlite3.Connection) -> None:
    found = _rows(informed, shop, "net revenue, orders and average order value by country, best country on top")
    gold = shop.execute(
        f"SELECT c.country, COUNT(DISTINCT o.order_id), {_NET} AS net FROM order_lines l JOIN orders o USING (order_id)"
        f" JOIN customers c USING (customer_id) WHERE {_KEPT} GROUP BY 1 ORDER BY net DESC"
    ).fetchall()
    assert [row[0] for row in found] == [row[0] for row in gold]
    for row, right in zip(found, gold, strict=True):
        assert right[1] in row


def test_suppliers_are_no_customers() -> None:
    """People who face each other are never taken for one another, however alike their words may be."""
    from assistant.embedded.linking.likeness import _is_another  # pyright: ignore[reportPrivateUsage]

    assert _is_another("supplier", "customer")
    assert _is_another("teacher", "student")
    assert not _is_another("shopper", "customer")


def test_money_is_no_percentage_of_a_number_of_rows(plain: Analyst) -> None:
    assert all("percent_of_orders" not in plain.sql(c.meaning) for c in plain.candidates("freight as a % of orders"))


def test_no_row_tells_of_days_on_which_nothing_was(plain: Analyst) -> None:
    outcome = read("days without orders in 2025", plain, ())
    assert not isinstance(outcome, Understood), outcome


@pytest.mark.parametrize(
    ("question", "put"),
    [
        ("customers who bought something last month", "customers with orders last month"),
        ("customers who bought in Berlin last month", "customers with orders last month in Berlin"),
        ("which customers bought something in 2025", "which customers have orders in 2025"),
        ("how many customers have purchased something this year", "how many customers have orders this year"),
        ("how many orders a day do we get on average", "average number of orders per day"),
        ("average orders per week by status", "average number of orders per week by status"),
        ("net revenue per store, best first", "net revenue per store, highest first"),
        ("customers who have not bought anything this year", "customers who have not bought anything this year"),
        ("what has Ada Adler bought last month", "what has Ada Adler bought last month"),
        ("customers who bought a Desk Lamp", "customers who bought a Desk Lamp"),
    ],
)
def test_who_bought_and_how_many_a_day_are_put_plainly(informed: Analyst, question: str, put: str) -> None:
    assert _plain(informed, question) == put


def test_who_bought_last_month_is_told_by_orders(informed: Analyst, shop: sqlite3.Connection) -> None:
    found = _rows(informed, shop, "how many customers bought something in October 2025")
    gold = shop.execute(
        "SELECT COUNT(DISTINCT customer_id) FROM orders o WHERE order_date >= '2025-10-01' AND"
        f" order_date < '2025-11-01' AND {_KEPT}"
    )
    assert found == gold.fetchall()


@pytest.mark.parametrize(
    ("question", "put"),
    [
        ("what did we earn in the second quarter of 2026", "net revenue in the second quarter of 2026"),
        ("how much did each store make last year", "net revenue by store last year"),
        ("compare the regions", "net revenue by regions"),
        ("Where do our customers come from?", "number of customers by country"),
        ("are we growing?", "is there a trend in net revenue"),
        (
            "which store takes longest to ship",
            "store with the highest average days between order date and shipped date",
        ),
        (
            "which region is the fastest to ship in 2025",
            "region with the lowest average days between order date and shipped date in 2025",
        ),
        ("how many new customers did we win each quarter", "how many new customers were there each quarter"),
        ("freight of the whole order book", "total freight of the order book"),
        ("how much do we spend on freight a month", "freight spend by month"),
        ("compare the north with the south", "compare the north with the south"),
        ("average freight of orders over 500 euros", "average freight of orders over 500 euros"),
    ],
)
def test_other_deeds_are_put_plainly(informed: Analyst, question: str, put: str) -> None:
    assert _plain(informed, question) == put


@pytest.mark.parametrize(
    "question", ["which products are often bought together", "what would revenue have been without discounts"]
)
def test_what_it_cannot_do_is_said(informed: Analyst, question: str) -> None:
    outcome = read(question, informed, ())
    assert isinstance(outcome, NotUnderstood), outcome


def test_the_top_customer_is_one(informed: Analyst, shop: sqlite3.Connection) -> None:
    assert len(_rows(informed, shop, "top product in each category")) < len(_rows(informed, shop, "top products"))
    assert len(_rows(informed, shop, "top country by net revenue")) == 1


def test_what_takes_longest_is_ranked_by_the_days(informed: Analyst, shop: sqlite3.Connection) -> None:
    gold = shop.execute(
        "SELECT s.name FROM orders o JOIN stores s USING (store_id) GROUP BY 1"
        " ORDER BY AVG(JULIANDAY(shipped_date) - JULIANDAY(order_date)) DESC LIMIT 1"
    ).fetchall()
    asked = "which store has the highest average days between order date and shipped date"
    for question in (asked, "which store takes longest to ship"):
        outcome = read(question, informed, ())
        assert isinstance(outcome, Understood), outcome
        assert "shipped_date" in informed.sql(outcome.meaning)
        assert len(shop.execute(informed.sql(outcome.meaning)).fetchall()) == len(gold) == 1


def test_days_are_neither_averaged_nor_added(plain: Analyst) -> None:
    sql = [plain.sql(found.meaning) for found in plain.candidates("store with the highest average shipped date")]
    assert not any("AVG(orders.shipped_date" in text for text in sql)


def test_both_of_two_rows(opened):
    analyst, con = opened(
        "halls",
        """CREATE TABLE hall (hall_id INTEGER PRIMARY KEY, name TEXT);
        CREATE TABLE play (play_id INTEGER PRIMARY KEY, title TEXT);
        CREATE TABLE showing (showing_id INTEGER PRIMARY KEY, hall_id INTEGER REFERENCES hall (hall_id),
         play_id INTEGER REFERENCES play (play_id));
        INSERT INTO hall VALUES (1, 'Red'), (2, 'Blue');
        INSERT INTO play VALUES (1, 'Storm'), (2, 'Calm');
        INSERT INTO showing VALUES (1, 1, 1), (2, 2, 1), (3, 1, 2), (4, 1, 2);""",
    )
    for question in ("which plays are in both halls?", "plays in both halls"):
        outcome = read(question, analyst, ())
        assert isinstance(outcome, Understood), outcome
        assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == [("Storm",)]


def test_so_many_euros_are_a_price(opened):
    """Several columns could hold the number; only one of them is money."""
    analyst, con = opened(
        "goods",
        """CREATE TABLE dish (dish_id INTEGER PRIMARY KEY, name TEXT, unit_price REAL, units_in_stock INTEGER, weight REAL);
        INSERT INTO dish VALUES (1, 'cup', 4.5, 20, 12), (2, 'jug', 18.0, 3, 40), (3, 'pan', 9.9, 0, 8);""",
    )
    outcome = read("dishes under 10 dollars", analyst, ())
    assert isinstance(outcome, Understood), outcome
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == [("cup",), ("pan",)]
    assert not isinstance(read("dishes under 10", analyst, ()), Understood)


def test_what_was_spent_is_never_called_revenue(opened):
    analyst, con = opened(
        "outlays",
        """CREATE TABLE expenses (expense_id INTEGER PRIMARY KEY, day DATE, employee TEXT, vendor TEXT, amount REAL);
        INSERT INTO expenses VALUES (1, '2026-01-02', 'Ana', 'Acme', 10), (2, '2026-01-05', 'Bo', 'Acme', 30),
         (3, '2026-02-01', 'Ana', 'Umbra', 25), (4, '2026-02-07', 'Cy', 'Globex', 5);""",
    )
    for question, rows in (
        ("spend by vendor", [("Acme", 40.0), ("Umbra", 25.0), ("Globex", 5.0)]),
        ("top vendor", [("Acme", 40.0)]),
    ):
        outcome = read(question, analyst, ())
        assert isinstance(outcome, Understood), outcome
        assert "revenue" not in outcome.restated.lower()
        assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == rows
