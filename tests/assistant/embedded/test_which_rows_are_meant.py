"""Which rows are meant, said in other words: bounds, days, texts, what is left out, and what is asked for last."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.words.sayings import plainly

Same = Callable[[list[tuple[object, ...]], list[tuple[object, ...]]], bool]


def _rows(analyst: Analyst, shop: sqlite3.Connection, question: str) -> list[tuple[object, ...]]:
    found = [candidate for candidate in analyst.candidates(question) if candidate.whole]
    assert found, analyst.read(question)
    return shop.execute(analyst.sql(found[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("said", "put"),
    [
        # bounds
        ("customers with 8 orders or more", "customers with at least 8 orders"),
        ("Which customers have eight orders or fewer?", "Which customers have at most 8 orders?"),
        ("customers who placed 3 to 5 orders", "customers with between 3 and 5 orders"),
        ("products with a price from 40 to 130", "products with a price between 40 and 130"),
        ("products with prices of 40 to 130", "products with a price between 40 and 130"),
        ("products whose price lies anywhere between 40 and 130", "products whose price is between 40 and 130"),
        ("products in the 40 to 130 price range", "products with a price between 40 and 130"),
        ("customers in their thirties", "customers aged between 30 and 39"),
        ("customers between the ages of 30 and 40", "customers with age between 30 and 40"),
        ("products priced no lower than the average", "products whose price is not below the average"),
        ("products costing 60 at most", "products that cost at most 60"),
        ("products with a maximum price of 60", "products that cost at most 60"),
        ("customers with several cancelled orders", "customers with at least 2 cancelled orders"),
        ("stores with upwards of 50 orders", "stores with more than 50 orders"),
        ("35-year-old customers", "customers aged 35"),
        ("products that are pricier than the Desk Lamp", "products that cost more than Desk Lamp"),
        ("products that cost more than the Textiles products on average", "products that cost more than the average of the Textiles products"),
        ("flights that start in Berlin and end in Bonn", "flights from Berlin to Bonn"),
        ("flights from a store in Berlin to one in Bonn", "flights from Berlin to Bonn"),
        # days
        ("orders from the 1st to the 5th of March 2025", "orders between 1 March 2025 and 5 March 2025"),
        ("orders in the years 2024 to 2025", "orders from 2024 to 2025"),
        ("orders up to and including March 2025", "orders until March 2025"),
        ("orders no later than March 2025", "orders until March 2025"),
        ("orders not before March 2025", "orders since March 2025"),
        ("orders since the start of 2025", "orders since 2025"),
        ("orders dated March 2025", "orders in March 2025"),
        ("orders placed at any time after March 2025", "orders after March 2025"),
        # texts
        ("Count the products that have lamp in their name", "How many products have a name that contains lamp?"),
        ("products with lamp somewhere in the name", "products whose name contains lamp"),
        ("customers with an a in their first name", "customers whose first name contains a"),
        ("customers with C as the first letter of their last name", "customers whose last name starts with C"),
        # what is left out, and what is not there
        ("Leaving Spain aside, how many customers are there?", "how many customers are not from Spain"),
        ("how many orders if we leave out the cancelled ones", "how many orders are not cancelled"),
        ("customers from anywhere but Spain", "customers not from Spain"),
        ("how many customers are there, Spain aside?", "how many customers are not from Spain"),
        ("which customers have yet to place an order", "customers without orders"),
        ("customers with no email on file", "customers without email"),
        ("customers with not one order", "customers without orders"),
        ("customers that lack an email", "customers without email"),
        ("products that have not been ordered by anyone", "products that have never been ordered"),
        # one or the other
        ("customers from Spain, plus anyone older than 50", "customers from Spain or older than 50"),
        ("customers from Spain and those older than 50", "customers from Spain or older than 50"),
        # what is asked for last
        ("Desk Lamp belongs to which category?", "which category does Desk Lamp belong to?"),
        ("The customers from Spain ordered which products?", "which products did customers from Spain order?"),
        ("Customers in the North region come from how many countries?", "how many countries do customers in the North region come from?"),
        ("Some customers are from Spain. Give me their emails.", "emails of customers from Spain"),
        ("Ada bought some products. What are they called?", "names of products that Ada bought"),
        ("There are customers without orders. What are their emails?", "emails of customers without orders"),
    ],
)  # fmt: skip
def test_both_wordings_have_the_same_rows(
    plain: Analyst, shop: sqlite3.Connection, same_rows: Same, said: str, put: str
) -> None:
    assert same_rows(_rows(plain, shop, said), _rows(plain, shop, put))
    assert _rows(plain, shop, said), "a test on no rows would tell nothing"


@pytest.mark.parametrize(
    "question",
    [
        "orders from 2024 to 2025",
        "trips from 9 to 17 o'clock",
        "compare customers from Spain and those from France",
        "customers with more than 5 orders or more than 3 returns",
        "customers with no orders in their name",
        "revenue by which region?",
        "products no cheaper than 100",
        "Who bought what?",
        "Some customers are from Spain. How many orders were there?",
        "leave requests by team",
        "projects that start in May and end in June",
        "customers with more orders than returns",
        "revenue from customers with 5 orders at the most expensive store",
    ],
)
def test_words_that_only_look_like_it_are_left_as_they_are(question: str) -> None:
    assert plainly(question) == question


@pytest.mark.parametrize(
    "said",
    ["customers in Ada Cramer's region", "customers living in the same region as Ada Cramer"],
)
def test_whose_place_it_is_is_one_row_by_both_its_names(
    plain: Analyst, shop: sqlite3.Connection, same_rows: Same, said: str
) -> None:
    sql = """SELECT first_name, last_name FROM customers WHERE region_id IN
             (SELECT region_id FROM customers WHERE first_name = 'Ada' AND last_name = 'Cramer')"""
    assert same_rows(_rows(plain, shop, said), shop.execute(sql).fetchall())


def test_the_place_of_rows_of_another_kind_is_no_place_that_they_share(
    plain: Analyst, shop: sqlite3.Connection
) -> None:
    rows = _rows(plain, shop, "customers in the North region")
    assert len(rows) == shop.execute("SELECT COUNT(*) FROM customers WHERE region_id = 1").fetchone()[0]


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        (
            "countries with both active and inactive customers",
            "SELECT country FROM customers GROUP BY country HAVING COUNT(DISTINCT active) = 2",
        ),
        (
            "countries with active customers but no inactive ones",
            "SELECT country FROM customers GROUP BY country HAVING MIN(active) = 1",
        ),
        (
            "regions with active customers but no inactive ones",
            """SELECT name FROM regions WHERE region_id IN
               (SELECT region_id FROM customers GROUP BY region_id HAVING MIN(active) = 1)""",
        ),
        (
            "how many active and inactive customers are there",
            "SELECT active, COUNT(*) FROM customers GROUP BY active",
        ),
        ("customers that are not inactive", "SELECT first_name, last_name FROM customers WHERE active"),
    ],
)
def test_nothing_is_active_and_inactive_at_once(
    opened: Callable[..., tuple[Analyst, sqlite3.Connection]], same_rows: Same, said: str, sql: str
) -> None:
    analyst, con = opened(
        "either",
        """CREATE TABLE regions (region_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE);
           CREATE TABLE customers (customer_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
             country TEXT NOT NULL, active BOOLEAN NOT NULL, region_id INTEGER NOT NULL REFERENCES regions (region_id));
           INSERT INTO regions VALUES (1, 'North'), (2, 'South'), (3, 'West');
           INSERT INTO customers VALUES (1, 'Ada', 'Korn', 'Spain', 1, 1), (2, 'Bo', 'Lind', 'Spain', 0, 2),
             (3, 'Cy', 'Moe', 'France', 1, 1), (4, 'Di', 'Nau', 'Norway', 0, 2), (5, 'Ed', 'Orr', 'Spain', 1, 2),
             (6, 'Flo', 'Poe', 'Norway', 0, 3);""",
    )
    ours = list(dict.fromkeys(_rows(analyst, con, said)))
    assert same_rows(ours, con.execute(sql).fetchall())


@pytest.mark.parametrize(
    "said", ["customers who ordered from every store", "customers who have bought all the products"]
)
def test_each_and_every_one_is_not_taken_for_some(plain: Analyst, said: str) -> None:
    assert not plain.candidates(said)


def test_each_one_still_tells_the_groups(plain: Analyst) -> None:
    found = plain.candidates("show the number of orders of every store")
    assert found
    assert found[0].meaning.dimensions


def test_who_never_bought_anything_from_a_place_need_not_live_elsewhere(plain: Analyst) -> None:
    assert not plain.candidates("customers who never bought anything from Spain")
    assert plain.candidates("customers who are not from Spain")


_MILLS = """
CREATE TABLE makers (maker_id INTEGER PRIMARY KEY, first_name TEXT NOT NULL, last_name TEXT NOT NULL,
  nationality TEXT NOT NULL, age INTEGER NOT NULL);
CREATE TABLE clocks (clock_id INTEGER PRIMARY KEY, name TEXT NOT NULL UNIQUE, style TEXT NOT NULL,
  built_year INTEGER NOT NULL, tested_on TEXT NOT NULL, maker_id INTEGER NOT NULL REFERENCES makers (maker_id));
INSERT INTO makers VALUES (1, 'Ada', 'Korn', 'Dutch', 30), (2, 'Bo', 'Lind', 'Dutch', 60), (3, 'Cy', 'Moe', 'Swiss', 25),
  (4, 'Di', 'Nau', 'Swiss', 50), (5, 'Ed', 'Orr', 'Swiss', 70);
INSERT INTO clocks VALUES (1, 'Rex', 'wall', 1950, '3 January 2020', 1), (2, 'Vox', 'tower', 1960, '9 May 2021', 3),
  (3, 'Nox', 'wall', 1970, '7 January 2022', 4), (4, 'Lux', 'mantel', 1980, '5 June 2023', 2);
"""


@pytest.mark.parametrize(
    ("said", "sql"),
    [
        (
            "Dutch makers have built clocks of which styles? List each style once.",
            "SELECT DISTINCT style FROM clocks JOIN makers USING (maker_id) WHERE nationality = 'Dutch'",
        ),
        (
            "Dutch makers over 40 together with Swiss makers under 40",
            """SELECT first_name, last_name FROM makers
               WHERE (nationality = 'Dutch' AND age > 40) OR (nationality = 'Swiss' AND age < 40)""",
        ),
        (
            "Dutch makers or Swiss makers over 40",
            "SELECT first_name, last_name FROM makers WHERE nationality = 'Dutch' OR (nationality = 'Swiss' AND age > 40)",
        ),
        (
            "Dutch or Swiss makers over 40",
            "SELECT first_name, last_name FROM makers WHERE age > 40",
        ),
        ("names of clocks with January in their test date", "SELECT name FROM clocks WHERE tested_on LIKE '%January%'"),
        (
            "Which makers have a wall clock among their clocks?",
            "SELECT first_name, last_name FROM makers WHERE maker_id IN (1, 4)",
        ),
    ],
)
def test_two_sides_and_what_was_done(
    opened: Callable[..., tuple[Analyst, sqlite3.Connection]], same_rows: Same, said: str, sql: str
) -> None:
    analyst, con = opened("clocks", _MILLS)
    assert same_rows(_rows(analyst, con, said), con.execute(sql).fetchall())


def test_nothing_has_a_value_and_has_it_not(plain: Analyst) -> None:
    for candidate in plain.candidates("customers from Spain other than Spain"):
        said = [(f.column.column, f.operator, f.values) for f in candidate.meaning.filters]
        assert not {("country", "=", ("Spain",)), ("country", "!=", ("Spain",))} <= set(said)
