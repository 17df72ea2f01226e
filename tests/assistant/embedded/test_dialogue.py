"""Follow-ups edit what was meant before; each result is checked against SQL written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.analyst import NotUnderstood, Understood

DIALOGUES = [
    (["How many orders per month?", "only 2025"],
     "SELECT substr(order_date, 1, 7) || '-01', COUNT(*) FROM orders WHERE order_date LIKE '2025%' GROUP BY 1"),
    (["How many customers by region?", "by country instead"], "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
    (["How many customers by region?", "and by country"],
     "SELECT r.name, country, COUNT(*) FROM customers JOIN regions r USING (region_id) GROUP BY 1, 2"),
    (["How many customers by country?", "just the North"],
     "SELECT country, COUNT(*) FROM customers WHERE region_id = 1 GROUP BY 1"),
    (["How many orders in 2025?", "what about 2024?"], "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2024%'"),
    (["quantity by product", "top 2"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q DESC LIMIT 2"),
    (["quantity by product", "top 2", "by category instead"],
     "SELECT c.name, SUM(quantity) AS q FROM order_lines JOIN products USING (product_id)"
     " JOIN categories c USING (category_id) GROUP BY 1 ORDER BY q DESC LIMIT 2"),
    (["How many orders by store?", "without cancelled"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) WHERE status <> 'cancelled' GROUP BY 1"),
    (["How many orders by store?", "only completed orders"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) WHERE status = 'completed' GROUP BY 1"),
    (["How many orders by store?", "only completed orders", "only shipped orders"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) WHERE status = 'shipped' GROUP BY 1"),
    (["How many orders by month in 2025?", "top 2 products by quantity"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q DESC LIMIT 2"),
    (["quantity by product", "bottom 3", "top 2"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q DESC LIMIT 2"),
    (["How many orders by month?", "top 2 stores"],
     "SELECT s.name, COUNT(*) AS n FROM orders JOIN stores s USING (store_id) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 2"),
    (["customers from France", "older than 40"],
     "SELECT first_name, last_name, age FROM customers WHERE country = 'France' AND age > 40"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "by_hand"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_follow_up_edits_the_last_meaning(turns, by_hand, plain, understood, shop, same_rows):
    meaning = None
    for text in turns:
        meaning = understood(plain, text, meaning).meaning
    sql = plain.sql(meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


def test_chart_wish_changes_nothing_else(plain, understood):
    before = understood(plain, "How many customers by region?").meaning
    after = understood(plain, "as a pie chart", before).meaning
    assert after.chart == "pie"
    assert after.model_copy(update={"chart": None}) == before


def test_sort_by_name_orders_by_the_group(plain, understood, shop):
    before = understood(plain, "How many customers by region?").meaning
    after = understood(plain, "sort by name", before).meaning
    names = [row[0] for row in shop.execute(plain.sql(after))]
    assert names == sorted(names)


def test_new_question_is_not_taken_for_a_follow_up(plain, understood):
    before = understood(plain, "How many customers by region?").meaning
    assert understood(plain, "How many stores are there?", before).meaning.base == "stores"


def test_words_not_understood_are_declined_in_follow_ups_too(plain, understood):
    before = understood(plain, "How many customers by region?").meaning
    assert isinstance(plain.read("only the purple ones", before), NotUnderstood)


def test_reason_of_a_rejection_edits_like_a_follow_up(plain, understood, shop):
    before = understood(plain, "How many orders in 2025?").meaning
    outcome = plain.read("only completed orders", before)
    assert isinstance(outcome, Understood)
    expected = shop.execute("SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status = 'completed'")
    assert shop.execute(plain.sql(outcome.meaning)).fetchall() == expected.fetchall()
