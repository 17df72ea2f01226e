"""Follow-ups edit what was meant before; each result is checked against SQL written by hand."""

from __future__ import annotations

import pytest

from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood

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
    (["number of orders on weekends", "by status"],
     "SELECT status, COUNT(*) FROM orders WHERE strftime('%w', order_date) IN ('0', '6') GROUP BY 1"),
    (["freight as a percentage of the number of orders", "by status"],
     "SELECT status, 100.0 * SUM(freight) / COUNT(*) FROM orders GROUP BY 1"),
    (["freight as a percentage of the number of orders by month", "only 2025"],
     "SELECT substr(order_date, 1, 7) || '-01', 100.0 * SUM(freight) / COUNT(*) FROM orders"
     " WHERE order_date LIKE '2025%' GROUP BY 1"),
    (["customers from France", "orders by status"], "SELECT status, COUNT(*) FROM orders GROUP BY 1"),
    (["customers from France", "orders by status in percent"],
     "SELECT status, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY 1"),
    (["average freight by store", "How many customers does each country have?"],
     "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
    (["How many orders by month?", "top 2 stores"],
     "SELECT s.name, COUNT(*) AS n FROM orders JOIN stores s USING (store_id) GROUP BY 1 ORDER BY n DESC, 1 LIMIT 2"),
    (["customers from France", "older than 40"],
     "SELECT first_name, last_name, age FROM customers WHERE country = 'France' AND age > 40"),
    (["quantity by product", "top 2", "the bottom 3"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q LIMIT 3"),
    (["quantity by product", "top 2", "the other way round"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q LIMIT 2"),
    (["quantity by product", "top 2", "show all"],
     "SELECT p.name, SUM(quantity) FROM order_lines JOIN products p USING (product_id) GROUP BY 1"),
    (["quantity by product", "the three highest"],
     "SELECT p.name, SUM(quantity) AS q FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY q DESC LIMIT 3"),
    (["How many customers by country?", "only those over 9"],
     "SELECT country, COUNT(*) FROM customers GROUP BY 1 HAVING COUNT(*) > 9"),
    (["average freight by status", "only above average"],
     "SELECT status, AVG(freight) FROM orders GROUP BY 1 HAVING AVG(freight) > (SELECT AVG(freight) FROM orders)"),
    (["average freight by status", "as maximum"], "SELECT status, MAX(freight) FROM orders GROUP BY 1"),
    (["average freight by status", "the maximum too"], "SELECT status, AVG(freight), MAX(freight) FROM orders GROUP BY 1"),
    (["How many orders by store?", "and the total freight"],
     "SELECT s.name, COUNT(*), SUM(freight) FROM orders JOIN stores s USING (store_id) GROUP BY 1"),
    (["How many customers by country?", "as percentage"],
     "SELECT country, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM customers) FROM customers GROUP BY 1"),
    (["How many customers by region?", "just the North", "and the West?"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE r.name IN ('North', 'West') GROUP BY 1"),
    (["How many customers by country?", "just the North", "and the West?"],
     "SELECT country, COUNT(*) FROM customers WHERE region_id = 3 GROUP BY 1"),
    (["How many customers by country?", "just the North", "the West too"],
     "SELECT country, COUNT(*) FROM customers WHERE region_id IN (1, 3) GROUP BY 1"),
    (["customers from France", "or Spain"],
     "SELECT first_name, last_name FROM customers WHERE country IN ('France', 'Spain')"),
    (["How many customers by region?", "without France", "without Spain"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id)"
     " WHERE country NOT IN ('France', 'Spain') GROUP BY 1"),
    (["How many customers by region?", "without France", "only France"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE country = 'France' GROUP BY 1"),
    (["How many orders in 2025?", "by status", "split by month too"],
     "SELECT substr(order_date, 1, 7) || '-01', status, COUNT(*) FROM orders WHERE order_date LIKE '2025%' GROUP BY 1, 2"),
    (["How many customers by country?", "now for orders"],
     "SELECT country, COUNT(*) FROM orders JOIN customers USING (customer_id) GROUP BY 1"),
    (["How many orders in Q3 2024?", "what about Q2?"],
     "SELECT COUNT(*) FROM orders WHERE order_date >= '2024-04-01' AND order_date < '2024-07-01'"),
    (["products", "with their category"],
     "SELECT p.name, c.name FROM products p JOIN categories c USING (category_id)"),
    (["products with a price over 100", "only those over 200"], "SELECT name, price FROM products WHERE price > 200"),
    (["customers with more than 8 orders", "and fewer than 5?"],
     "SELECT first_name, last_name FROM customers c WHERE (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.customer_id) < 5"),
    (["quantity by product", "top 2", "split by country"],
     "SELECT p.name, country, SUM(quantity) FROM order_lines JOIN products p USING (product_id) JOIN orders USING (order_id)"
     " JOIN customers USING (customer_id) WHERE product_id IN"
     " (SELECT product_id FROM order_lines GROUP BY 1 ORDER BY SUM(quantity) DESC LIMIT 2) GROUP BY 1, 2"),
    (["top 3 customers by number of orders", "and their total quantity"],
     "SELECT first_name, last_name, (SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.customer_id),"
     " (SELECT SUM(quantity) FROM orders o JOIN order_lines USING (order_id) WHERE o.customer_id = c.customer_id)"
     " FROM customers c WHERE customer_id IN"
     " (SELECT customer_id FROM orders JOIN customers USING (customer_id) GROUP BY 1"
     " ORDER BY COUNT(*) DESC, first_name, last_name LIMIT 3)"),
    (["top 3 customers by number of orders", "their emails"],
     "SELECT first_name, last_name, email, COUNT(*) FROM customers JOIN orders USING (customer_id)"
     " GROUP BY customer_id ORDER BY 4 DESC, 1, 2 LIMIT 3"),
    (["number of customers by country", "no, I meant by region"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) GROUP BY 1"),
    (["stores", "how many orders does each have?"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) GROUP BY 1"),
    (["How many orders by status?", "without cancelled", "include cancelled ones"],
     "SELECT status, COUNT(*) FROM orders GROUP BY 1"),
    (["average freight by status", "maximum instead of average"], "SELECT status, MAX(freight) FROM orders GROUP BY 1"),
    (["average freight by status", "over 20", "under 10"],
     "SELECT status, AVG(freight) FROM orders GROUP BY 1 HAVING AVG(freight) < 10"),
    (["average freight by status", "only negative ones"],
     "SELECT status, AVG(freight) FROM orders GROUP BY 1 HAVING AVG(freight) < 0"),
    (["average freight by status", "not average but maximum"], "SELECT status, MAX(freight) FROM orders GROUP BY 1"),
    (["customers from Germany", "and France"],
     "SELECT first_name, last_name FROM customers WHERE country IN ('Germany', 'France')"),
    (["customers from Germany", "and France?"], "SELECT first_name, last_name FROM customers WHERE country = 'France'"),
    (["How many customers by region?", "Germany"],
     "SELECT r.name, COUNT(*) FROM customers JOIN regions r USING (region_id) WHERE country = 'Germany' GROUP BY 1"),
    (["How many orders since March 2025?", "until June 2025"],
     "SELECT COUNT(*) FROM orders WHERE order_date >= '2025-03-01' AND order_date < '2025-07-01'"),
    (["How many orders in March 2025?", "average freight by status, highest first"],  # a question of its own
     "SELECT status, AVG(freight) FROM orders GROUP BY 1 ORDER BY 2 DESC"),
    (["How many orders in March 2025?", "by status, highest first"],
     "SELECT status, COUNT(*) FROM orders WHERE order_date LIKE '2025-03%' GROUP BY 1 ORDER BY 2 DESC"),
    (["How many orders in March 2025?", "the month before"],
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025-02%'"),
    (["How many orders in March 2025?", "and one year earlier?"],
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2024-03%'"),
    (["How many customers by country?", "as percentage", "without the North"],
     "SELECT country, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM customers WHERE region_id <> 1)"
     " FROM customers WHERE region_id <> 1 GROUP BY 1"),
    (["How many orders by store in 2025?", "only those with a signup date in 2024"],
     "SELECT s.name, COUNT(*) FROM orders JOIN stores s USING (store_id) JOIN customers USING (customer_id)"
     " WHERE order_date LIKE '2025%' AND signup_date LIKE '2024%' GROUP BY 1"),
    (["products with a price over 100", "under 50"], "SELECT name, price FROM products WHERE price < 50"),
    (["top 3 customers by number of orders", "and their freight"],
     "SELECT first_name, last_name, COUNT(*), SUM(freight) FROM customers JOIN orders USING (customer_id)"
     " GROUP BY customer_id ORDER BY 3 DESC, 1, 2 LIMIT 3"),
    (["quantity by product", "with their category"],
     "SELECT p.name, c.name, SUM(quantity) FROM order_lines JOIN products p USING (product_id)"
     " JOIN categories c USING (category_id) GROUP BY 1, 2"),
    (["How many customers by country?", "which one has the most?"],
     "SELECT country, COUNT(*) AS n FROM customers GROUP BY 1 HAVING n = (SELECT MAX(n) FROM"
     " (SELECT COUNT(*) AS n FROM customers GROUP BY country))"),
    (["orders from Berlin", "the last 4"],
     "SELECT order_id, order_date, shipped_date, status, freight FROM orders JOIN stores USING (store_id)"
     " WHERE city = 'Berlin' ORDER BY order_date DESC, 1 LIMIT 4"),
    (["How many orders by status?", "and by year", "only 2024 and 2025"],
     "SELECT CAST(substr(order_date, 1, 4) AS INTEGER), status, COUNT(*) FROM orders WHERE order_date < '2026-01-01' GROUP BY 1, 2"),
    (["How many orders by status?", "in 2024 and 2025"],
     "SELECT CAST(substr(order_date, 1, 4) AS INTEGER), status, COUNT(*) FROM orders WHERE order_date < '2026-01-01' GROUP BY 1, 2"),
    (["top 2 customers by number of orders", "in 2024 and 2025"],
     "SELECT first_name, last_name, COUNT(*) AS n FROM customers JOIN orders USING (customer_id)"
     " WHERE order_date < '2026-01-01' GROUP BY customer_id ORDER BY n DESC, 1, 2 LIMIT 2"),
    (["top 2 customers by orders", "and by freight?"],
     "SELECT first_name, last_name, SUM(freight) AS f FROM customers JOIN orders USING (customer_id)"
     " GROUP BY customer_id ORDER BY f DESC LIMIT 2"),
    (["the best product by quantity", "by number of order lines instead"],
     "SELECT p.name, COUNT(*) AS n FROM order_lines JOIN products p USING (product_id) GROUP BY 1 HAVING n ="
     " (SELECT MAX(n) FROM (SELECT COUNT(*) AS n FROM order_lines GROUP BY product_id))"),
    (["active customers", "and inactive ones?"], "SELECT first_name, last_name FROM customers WHERE NOT active"),
    (["inactive customers", "and active ones?"], "SELECT first_name, last_name FROM customers WHERE active"),
    (["How many orders by status?", "as percentage", "average freight instead"],
     "SELECT status, AVG(freight) FROM orders GROUP BY 1"),
    (["How many orders by status?", "only 2025", "which status is most frequent?"],
     "SELECT status, COUNT(*) AS n FROM orders WHERE order_date LIKE '2025%' GROUP BY 1 ORDER BY n DESC LIMIT 1"),
    (["How many orders in March 2025?", "and the same month last year?"],
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2024-03%'"),
    (["How many customers by country?", "only the top country"],
     "SELECT country, COUNT(*) AS n FROM customers GROUP BY 1 HAVING n = (SELECT MAX(n) FROM"
     " (SELECT COUNT(*) AS n FROM customers GROUP BY country))"),
    (["How many customers by country?", "the best one"],
     "SELECT country, COUNT(*) AS n FROM customers GROUP BY 1 HAVING n = (SELECT MAX(n) FROM"
     " (SELECT COUNT(*) AS n FROM customers GROUP BY country))"),
    (["average freight by status", "which status has the highest?"],
     "SELECT status, AVG(freight) AS f FROM orders GROUP BY 1 ORDER BY f DESC LIMIT 1"),
    (["How many orders by month in 2025?", "worst month"],
     "SELECT substr(order_date, 1, 7) || '-01', COUNT(*) AS n FROM orders WHERE order_date LIKE '2025%' GROUP BY 1"
     " HAVING n = (SELECT MIN(n) FROM (SELECT COUNT(*) AS n FROM orders WHERE order_date LIKE '2025%'"
     " GROUP BY substr(order_date, 1, 7)))"),
    (["How many customers by country?", "alphabetically"], "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
]  # fmt: skip


@pytest.mark.parametrize(("turns", "by_hand"), DIALOGUES, ids=[" / ".join(t) for t, _ in DIALOGUES])
def test_follow_up_edits_the_last_meaning(turns, by_hand, plain, meaning_after, shop, same_rows):
    meaning = meaning_after(plain, turns)
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


@pytest.mark.parametrize(
    ("question", "follow_up", "rows"),
    [
        ("How many customers by country?", "alphabetically", "SELECT country FROM customers GROUP BY 1 ORDER BY 1"),
        ("quantity by product", "ascending",
         "SELECT p.name FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY SUM(quantity), 1"),
        ("quantity by product", "lowest first",
         "SELECT p.name FROM order_lines JOIN products p USING (product_id) GROUP BY 1 ORDER BY SUM(quantity), 1"),
        ("How many orders and what total quantity by status?", "sort by total quantity",
         "SELECT status FROM orders JOIN order_lines USING (order_id) GROUP BY 1 ORDER BY SUM(quantity), 1"),
    ],
)  # fmt: skip
def test_order_is_turned(question, follow_up, rows, plain, understood, shop):
    before = understood(plain, question).meaning
    after = understood(plain, follow_up, before).meaning
    assert [r[0] for r in shop.execute(plain.sql(after))] == [r[0] for r in shop.execute(rows)]


DECLINED = [
    (["How many orders by store?", "and the total freight"], "only those over 100", "more than one figure"),
    (["How many customers by country?"], "as maximum", "another aggregate"),
    (["How many customers in 2025?"], "both years", "name both"),
    (["How many customers by region?"], "by colour", "colour"),
    (["How many customers by region?", "only the North"], "without the North", "nothing would be left"),
    (["customers from France"], "the first 10", "by which figure"),
    (["quantity by product", "top 3"], "ascending", "bottom 3"),
    (["customers from France"], "oldest first", "which column"),
    (["quantity by product", "top 3"], "the orders of the first", "name the one you mean"),
    (["top 3 customers by number of orders"], "with their last name", "shown already"),
    (["How many orders by status?"], "include cancelled ones", "included already"),
    (["How many customers by country?"], "remove that", "no period"),
    (["How many customers by country?"], "the month before", "before what"),
    (["customers from France or older than 40"], "only active", "losing a part"),
]


@pytest.mark.parametrize(("turns", "follow_up", "reason"), DECLINED, ids=[f for _, f, _ in DECLINED])
def test_what_cannot_be_changed_is_declined_with_the_reason(turns, follow_up, reason, plain, meaning_after):
    meaning = meaning_after(plain, turns)
    outcome = plain.read(follow_up, meaning)
    assert isinstance(outcome, NotUnderstood), outcome
    assert reason in outcome.reason


def test_what_chooses_the_groups_of_a_ranking_is_told(plain, understood):
    before = understood(plain, "How many customers by country?").meaning
    bound = understood(plain, "only those over 9", before).meaning
    ranked = understood(plain, "top 2", bound)
    assert (
        ranked.restated
        == "2 countries with the highest number of customers among those with number of customers over 9"
    )


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


def test_the_way_that_was_chosen_is_kept(plain, understood):
    asked = plain.read("How many flights by store?")
    assert isinstance(asked, Ambiguous)
    for _, meaning in asked.options:
        after = understood(plain, "top 2", meaning).meaning
        assert after.dimensions == meaning.dimensions


def test_company_words_for_one_column_take_each_others_place(informed, understood):
    young = understood(informed, "How many young customers by country?").meaning
    recent = understood(informed, "recent customers instead", young)
    assert recent.restated == "Number of recent customers by country"


@pytest.mark.parametrize(
    "question",
    [
        "Between 2024 and 2025 how many orders were placed?",
        "Per store, how many orders?",
        "Show the top 2 products by price",
        "How many customers have orders and how many of them are from France?",
    ],
)
def test_what_asks_for_something_itself_is_read_alone(question, plain, understood):
    before = understood(plain, "How many customers by region in 2025?").meaning
    assert understood(plain, question, before).meaning == understood(plain, question).meaning


def test_figures_that_stand_side_by_side_are_changed_further(plain, understood, shop, same_rows):
    ranked = understood(plain, "top 3 customers by number of orders").meaning
    both = understood(plain, "and their total quantity", ranked).meaning
    drawn = understood(plain, "as a bar chart", both).meaning
    assert drawn.chart == "bar"
    assert same_rows(shop.execute(plain.sql(drawn)).fetchall(), shop.execute(plain.sql(both)).fetchall())
