"""Metrics, terms, rules and verified queries are used as they are written, cited, and said."""

from __future__ import annotations

import pytest

REVENUE = "SUM(l.quantity * l.unit_price)"
LINES = "order_lines l JOIN orders o USING (order_id)"

ANSWERED = [
    ("What was net revenue by region last quarter?",
     f"SELECT r.name, {REVENUE} FROM {LINES} JOIN customers c USING (customer_id) JOIN regions r USING (region_id)"
     " WHERE o.status <> 'cancelled' AND o.order_date >= '2026-07-01' AND o.order_date < '2026-10-01' GROUP BY 1"),
    ("net revenue per month in 2025",
     f"SELECT substr(o.order_date, 1, 7) || '-01', {REVENUE} FROM {LINES}"
     " WHERE o.status <> 'cancelled' AND o.order_date LIKE '2025%' GROUP BY 1"),
    ("net revenue in Q3 2026 vs Q2 2026",
     f"SELECT CASE WHEN o.order_date < '2026-07-01' THEN '2026-04-01' ELSE '2026-07-01' END, {REVENUE} FROM {LINES}"
     " WHERE o.status <> 'cancelled' AND o.order_date >= '2026-04-01' AND o.order_date < '2026-10-01' GROUP BY 1"),
    ("top 3 customers by sales",
     f"SELECT c.first_name, c.last_name, {REVENUE} AS v FROM {LINES} JOIN customers c USING (customer_id)"
     " WHERE o.status <> 'cancelled' GROUP BY c.customer_id ORDER BY v DESC LIMIT 3"),
    ("Which category had the highest net revenue in 2025?",
     f"SELECT k.name, {REVENUE} AS v FROM {LINES} JOIN products USING (product_id) JOIN categories k USING (category_id)"
     " WHERE o.status <> 'cancelled' AND o.order_date LIKE '2025%' GROUP BY 1 ORDER BY v DESC LIMIT 1"),
    ("AOV by store",
     f"SELECT s.name, {REVENUE} / COUNT(DISTINCT o.order_id) FROM {LINES} JOIN stores s USING (store_id)"
     " WHERE o.status <> 'cancelled' GROUP BY 1"),
    ("cancellation rate by store",
     "SELECT s.name, 100.0 * SUM(status = 'cancelled') / COUNT(*) FROM orders JOIN stores s USING (store_id) GROUP BY 1"),
    ("How many young customers are there in the North?",
     "SELECT COUNT(*) FROM customers WHERE age <= 30 AND region_id = 1"),
    ("recent customers", "SELECT first_name, last_name FROM customers WHERE signup_date >= date('2026-11-21', '-365 days')"),
    ("How many orders in 2025?",
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status <> 'cancelled'"),
    ("How many orders were cancelled in 2025?",
     "SELECT COUNT(*) FROM orders WHERE order_date LIKE '2025%' AND status = 'cancelled'"),
    ("How many orders by status?", "SELECT status, COUNT(*) FROM orders GROUP BY 1"),
    ("How many customers have no orders?",
     "SELECT COUNT(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE status <> 'cancelled')"),
    ("share of net revenue by category",
     f"SELECT k.name, {REVENUE}, 100.0 * {REVENUE} / (SELECT {REVENUE} FROM {LINES} WHERE o.status <> 'cancelled')"
     f" FROM {LINES} JOIN products USING (product_id) JOIN categories k USING (category_id)"
     " WHERE o.status <> 'cancelled' GROUP BY 1"),
    ("customers with net revenue over 5000",
     f"SELECT c.first_name, c.last_name, {REVENUE} AS v FROM {LINES} JOIN customers c USING (customer_id)"
     " WHERE o.status <> 'cancelled' GROUP BY c.customer_id HAVING v > 5000"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "by_hand"), ANSWERED, ids=[q for q, _ in ANSWERED])
def test_answer_equals_sql_written_by_hand(question, by_hand, informed, understood, shop, same_rows):
    outcome = understood(informed, question)
    sql = informed.sql(outcome.meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql


def test_metric_is_cited_and_a_synonym_is_said(informed, understood):
    outcome = understood(informed, "revenue in 2025")
    assert outcome.cited == ("metric:net-revenue",)
    assert "“revenue” means net revenue (metrics.yaml)" in outcome.assumptions
    assert informed.cited(outcome.meaning) == outcome.cited


def test_rule_is_cited_and_said(informed, understood):
    outcome = understood(informed, "How many orders in 2025?")
    assert "rule:cancelled-orders-never-count" in outcome.cited
    assert any("rules.md" in text for text in outcome.assumptions)


def test_verified_query_is_used_as_it_is(informed, understood, shop):
    outcome = understood(informed, "what are our 3 dearest products")
    assert outcome.trust == "verified"
    assert informed.sql(outcome.meaning) == "SELECT name AS product, price FROM products ORDER BY price DESC LIMIT 3"
    assert outcome.cited == ("query:what-are-our-3-dearest-products",)


def test_verified_query_with_other_literals_is_adapted(informed, understood, shop):
    outcome = understood(informed, "What are our five dearest products?")
    assert outcome.trust == "adapted"
    assert len(shop.execute(informed.sql(outcome.meaning)).fetchall()) == 5


def test_follow_up_of_a_verified_query_is_adapted(informed, understood, shop):
    first = understood(informed, "number of customers by country")
    assert first.trust == "verified"
    second = understood(informed, "only the South", first.meaning)
    assert second.trust == "adapted"
    assert "query:number-of-customers-by-country" in second.cited
    expected = shop.execute(
        "SELECT country, COUNT(*) AS n FROM customers WHERE region_id = 2 GROUP BY 1 ORDER BY n DESC, 1"
    )
    assert shop.execute(informed.sql(second.meaning)).fetchall() == expected.fetchall()


def test_another_question_than_the_verified_one_is_new(informed, understood):
    assert understood(informed, "How many customers are there?").trust == "new"


def test_knowledge_about_other_tables_is_left_aside(catalog, plain, understood):
    from datetime import date

    from assistant.embedded.analyst import Analyst
    from knowledge.documents import Metric, Term

    documents = (
        Metric(name="customers", expression="COUNT(*)", table="warehouse"),
        Term(name="store", definition="A place.", sql="x = 1", table="nowhere"),
    )
    analyst = Analyst([catalog], documents, date(2026, 1, 1))
    assert understood(analyst, "How many customers are there?").cited == ()
