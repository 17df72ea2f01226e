"""What is said around a question changes nothing: both wordings have the same rows."""

from __future__ import annotations

import sqlite3

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.linking import wishes
from assistant.embedded.words.sayings import plainly


def _rows(analyst: Analyst, shop: sqlite3.Connection, question: str) -> list[tuple[object, ...]]:
    found = [candidate for candidate in analyst.candidates(question) if candidate.whole]
    assert found, analyst.read(question)
    return shop.execute(analyst.sql(found[0].meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("said", "put"),
    [
        ("I'd like to see the number of orders per status", "number of orders per status"),
        ("Hi, I would like to know how many customers are from Spain.", "how many customers are from Spain"),
        ("we're looking for the products over 100 in price", "products over 100 in price"),
        ("For each store, I need to know how many orders it had", "For each store, how many orders did it have"),
        (
            "Looking at customers from Spain, how many orders do they have?",
            "how many orders do customers from Spain have",
        ),
        ("Count the customers from France.", "How many customers are from France?"),
        ("Count all the orders", "how many orders are there"),
        ("customer count by country", "number of customers by country"),
        ("customers from France, how many?", "how many customers are from France"),
        ("products costing 40 to 130, names", "names of products that cost between 40 and 130"),
        ("customers with 10+ orders", "customers with at least 10 orders"),
        ("Which customer has placed more orders than anyone else?", "Which customer has placed the most orders?"),
        ("product names, cheapest to priciest", "product names from the cheapest to the priciest"),
        ("product names sorted from highest price to lowest", "product names in descending order of price"),
        ("Products, with the highest price on top", "products in descending order of price"),
        ("product names with Lamp in them", "names of products whose name contains Lamp"),
        ("products with Lamp in their name", "products whose name contains Lamp"),
        ("countries of customers, no duplicates", "distinct countries of customers"),
        ("List the cities of stores, without repeats.", "list the distinct cities of stores"),
        ("cities that have stores - each city just once", "distinct cities of stores"),
        ("customers from Spain, just the email", "email of customers from Spain"),
        ("Which customers are from Spain? Emails only.", "Which customers are from Spain? Show the emails."),
        ("Which stores are in Berlin? Its name is enough.", "Which stores are in Berlin? Show the name."),
        ("customers who haven't placed a single order", "customers who have not placed any order"),
        (
            "One store has more orders than any other; what is its city?",
            "the city of the store that has the most orders",
        ),
        (
            "I need to call the customer behind the latest order. What is their email?",
            "email of the customer behind the latest order",
        ),
        ("busiest store by number of orders", "store with the most orders"),
        ("which stores have just a single order", "which stores have exactly one order"),
        ("customers in order of seniority, from the lowest age to the highest", "customers in ascending order of age"),
        (
            "Leaving out the ones where the email is missing, which customers are from Spain?",
            "which customers are from Spain and have an email that is not missing",
        ),
        ("Apart from stores located in Bonn, how many stores are there?", "how many stores are not located in Bonn"),
        ("Over the years 2024 to 2025, how many orders did each store have?", "orders per store from 2024 to 2025"),
        ("products priced under 50, plus those over 200", "products priced under 50 or over 200"),
        ("total freight by all the customers together", "total freight across all the customers together"),
        ("customers surnamed Birk", "customers whose last name is Birk"),
        ("stores located somewhere other than Bonn", "stores not located in Bonn"),
        (
            "customers who have one order marked shipped and another one marked cancelled",
            "customers who have an order marked shipped and an order marked cancelled",
        ),
        (
            "order statuses from the one with the fewest orders to the one with the most",
            "order statuses in ascending order of the number of orders",
        ),
        ("freight of orders from the oldest date to the newest", "freight of orders in ascending order of date"),
    ],
)
def test_what_is_said_around_a_question_changes_nothing(
    informed: Analyst, shop: sqlite3.Connection, said: str, put: str
) -> None:
    assert _rows(informed, shop, said) == _rows(informed, shop, put)


@pytest.mark.parametrize(
    "question",
    [
        "revenue by region, month",
        "How many orders did we get in March?",
        "average price of products by category, highest first",
        "orders between 1 March 2026 and 5 April 2026",
        "name the customers from Spain",
        "customers from Spain or France, and their emails",
        "compare orders from Spain and those from France",
        "revenue by all customers",
        "one customer with two orders and another customer",
        "stores with the highest number of orders and the average price",
    ],
)
def test_a_question_that_says_only_what_it_asks_is_left_as_it_is(question: str) -> None:
    assert plainly(question) == question


def test_only_columns_of_the_data_are_wished_for() -> None:
    assert wishes.in_front("customers in Spain, happily ever after", ()) == "customers in Spain, happily ever after"
    assert wishes.in_front("revenue by region, country", ()) == "revenue by region, country"
