"""Further places of what was ranked, and the ends of a ranking that chose what is shown; compared with SQL by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import NotUnderstood
from assistant.embedded.wording.answers import word_answer
from assistant.embedded.wording.operations import operations
from assistant.embedded.wording.phrases import restated

_QUANTITY = "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1"
_ORDERS = (
    "SELECT first_name, last_name, COUNT(*) AS n FROM orders JOIN customers USING (customer_id) GROUP BY customer_id"
    " ORDER BY n DESC, 1, 2"
)


def _beside(chosen: str) -> str:
    """Orders and quantity of the customers that are chosen by their number of orders."""
    return (
        "SELECT first_name, last_name, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.customer_id),"
        " (SELECT SUM(quantity) FROM orders o JOIN order_lines USING (order_id) WHERE o.customer_id = c.customer_id)"
        " FROM customers c WHERE customer_id IN (SELECT customer_id FROM orders JOIN customers USING (customer_id)"
        f" GROUP BY 1 ORDER BY {chosen})"
    )


DIALOGUES = [
    (["quantity by product", "top 2", "the next 2"], f"{_QUANTITY} ORDER BY q DESC LIMIT 2 OFFSET 2"),
    (["quantity by product", "top 2", "show more"], f"{_QUANTITY} ORDER BY q DESC LIMIT 2 OFFSET 2"),
    (["quantity by product", "top 2", "and the next three products?", "another 1"],
     f"{_QUANTITY} ORDER BY q DESC LIMIT 1 OFFSET 5"),
    (["quantity by product", "top 2", "the next one"], f"{_QUANTITY} ORDER BY q DESC LIMIT 1 OFFSET 2"),
    (["quantity by product", "top 2", "the next 2", "the next 2", "the previous 2"],
     f"{_QUANTITY} ORDER BY q DESC LIMIT 2 OFFSET 2"),
    (["quantity by product", "top 2", "the next 4", "the previous 5"], f"{_QUANTITY} ORDER BY q DESC LIMIT 2"),
    (["quantity by product", "top 2", "places 3 to 6"], f"{_QUANTITY} ORDER BY q DESC LIMIT 4 OFFSET 2"),
    (["quantity by product", "top 2", "the next 2", "top 3"], f"{_QUANTITY} ORDER BY q DESC LIMIT 3"),
    (["quantity by product", "top 2", "the next 2", "the other way round"], f"{_QUANTITY} ORDER BY q LIMIT 2 OFFSET 2"),
    (["quantity by product", "top 2", "the next 2", "show all"], _QUANTITY),
    (["quantity by product", "top 2", "the next 2", "without Furniture"],
     f"{_QUANTITY.replace('GROUP', 'WHERE category_id <> 1 GROUP')} ORDER BY q DESC LIMIT 2 OFFSET 2"),
    (["quantity by product", "top 2", "the next 2", "by category instead"],
     "SELECT c.name, SUM(quantity) AS q FROM order_lines JOIN products USING (product_id)"
     " JOIN categories c USING (category_id) GROUP BY 1 ORDER BY q DESC LIMIT 2"),
    (["quantity by product", "top 2", "the rest"], f"{_QUANTITY} ORDER BY q DESC LIMIT -1 OFFSET 2"),
    (["quantity by product", "top 2", "the rest", "top 1"], f"{_QUANTITY} ORDER BY q DESC LIMIT 1"),
    (["the 3 most expensive products", "what about the others?"],
     "SELECT name, price FROM products ORDER BY price DESC LIMIT -1 OFFSET 3"),
    (["the 3 most expensive products", "the next 3"],
     "SELECT name, price FROM products ORDER BY price DESC LIMIT 3 OFFSET 3"),
    (["the most expensive product", "the next one"], "SELECT name, price FROM products ORDER BY price DESC LIMIT 1 OFFSET 1"),
    (["the most expensive product", "and the third?"],
     "SELECT name, price FROM products ORDER BY price DESC LIMIT 1 OFFSET 2"),
    (["quantity by product", "top 2", "the second one"], f"{_QUANTITY} ORDER BY q DESC LIMIT 1 OFFSET 1"),
    (["orders from Berlin", "the last 4", "and the 4 before that"],
     "SELECT order_id, order_date, shipped_date, status, freight FROM orders JOIN stores USING (store_id)"
     " WHERE city = 'Berlin' ORDER BY order_date DESC, 1 LIMIT 4 OFFSET 4"),
    (["best selling product in each category", "the next one"],
     "SELECT category, name, q FROM (SELECT c.name AS category, p.name, SUM(quantity) AS q,"
     " RANK() OVER (PARTITION BY category_id ORDER BY SUM(quantity) DESC) AS place FROM order_lines"
     " JOIN products p USING (product_id) JOIN categories c USING (category_id) GROUP BY 1, 2) WHERE place = 2"),
    (["top 1 products per category by quantity", "the next 1"],
     "SELECT category, name, q FROM (SELECT c.name AS category, p.name, SUM(quantity) AS q,"
     " RANK() OVER (PARTITION BY category_id ORDER BY SUM(quantity) DESC) AS place FROM order_lines"
     " JOIN products p USING (product_id) JOIN categories c USING (category_id) GROUP BY 1, 2) WHERE place = 2"),
    (["top 3 customers by number of orders", "the next 3"], f"{_ORDERS} LIMIT 3 OFFSET 3"),
    (["top 3 customers by number of orders", "the next 3", "which of them are active?"],
     "SELECT first_name, last_name FROM customers WHERE active AND customer_id IN (SELECT customer_id FROM orders"
     " JOIN customers USING (customer_id) GROUP BY 1 ORDER BY COUNT(*) DESC, first_name, last_name LIMIT 3 OFFSET 3)"),
    (["top 3 customers by number of orders", "and their total quantity", "the next 3"],
     _beside("COUNT(*) DESC, first_name, last_name LIMIT 3 OFFSET 3")),
    (["top 3 customers by number of orders", "and their total quantity", "the bottom 2"],
     _beside("COUNT(*), first_name, last_name LIMIT 2")),
    (["top 3 customers by number of orders", "and their total quantity", "the other way round"],
     _beside("COUNT(*), first_name, last_name LIMIT 3")),
    (["top 3 customers by number of orders", "and their total quantity", "the bottom 2", "show all"],
     _beside("1").replace("LIMIT", "")),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "by_hand"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_other_places_of_a_ranking_are_shown(turns, by_hand, plain, meaning_after, shop, same_rows):
    meaning = meaning_after(plain, turns)
    sql = plain.sql(meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


@pytest.mark.parametrize(
    ("turns", "follow_up", "reason"),
    [
        (["quantity by product"], "the next 3", "none follow"),
        (["customers from France"], "show more", "none follow"),
        (["quantity by product", "top 2"], "the previous 2", "none come before"),
        (["quantity by product", "top 2"], "the next 2 customers", "not “customers” that were ranked"),
        (["the most expensive product"], "the next 3", "top 10"),
        (["the most expensive product"], "the others", "share one place"),
    ],
)
def test_where_no_others_are_that_is_said(turns, follow_up, reason, plain, meaning_after):
    meaning = meaning_after(plain, turns)
    outcome = plain.read(follow_up, meaning)
    assert isinstance(outcome, NotUnderstood), outcome
    assert reason in outcome.reason


def test_after_the_last_place_no_further_ones_are_told_or_offered(plain, understood, shop):
    ranked = understood(plain, "top 3 regions by number of customers").meaning
    rows = shop.execute(plain.sql(ranked)).fetchall()
    beyond = understood(plain, "the next 50", ranked).meaning
    assert shop.execute(plain.sql(beyond)).fetchall() == []
    assert word_answer(beyond, (), (), 0) == "There are no further regions: the list ends before place 4."
    assert len(rows) == 3
    assert not [ask for ask in plain.follow_ups(ranked, 3) if ask.startswith("the next")], "it holds all there are"
    products = understood(plain, "top 2 products by quantity").meaning
    assert plain.follow_ups(products, 2)[0] == "the next 2"
    assert not [ask for ask in plain.follow_ups(products, 1) if ask.startswith("the next")], "it was not filled"


@pytest.mark.parametrize(
    "text", ["the next month", "more details", "more customers than last year", "the next 3 months"]
)
def test_words_that_ask_for_something_else_are_no_page(text, plain, understood):
    meaning = understood(plain, "top 2", understood(plain, "quantity by product").meaning).meaning
    outcome = plain.read(text, meaning)
    assert not hasattr(outcome, "meaning") or not outcome.meaning.offset


def test_the_sentence_names_the_places(plain, understood, shop):
    meaning = understood(plain, "top 2", understood(plain, "quantity by product").meaning).meaning
    after = understood(plain, "the next 2", meaning).meaning
    assert restated(after) == "Places 3 to 4 of the products with the highest total quantity"
    assert "Keep places 3 to 4" in operations(after)
    one = understood(plain, "the next one", after).meaning
    assert restated(one) == "Place 5 of the products with the highest total quantity"
    cursor = shop.execute(plain.sql(after))
    said = word_answer(after, [c[0] for c in cursor.description], rows := cursor.fetchall(), len(rows))
    assert said.startswith("Places 3 to 4 of the products with the highest total quantity: **")
    rest = understood(plain, "the rest", after).meaning
    assert restated(rest) == "All but the first 4 of the products with the highest total quantity"
    listed = understood(plain, "the 3 most expensive products").meaning
    assert restated(understood(plain, "the next 3", listed).meaning) == (
        "Places 4 to 6 of the products with the highest price"
    )
