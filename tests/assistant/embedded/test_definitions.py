"""Definitions in prose are used as they are written and cited, or not at all."""

from __future__ import annotations

import sqlite3
from contextlib import closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.definitions.cutting import OPEN, cut
from assistant.embedded.definitions.sentences import definitions
from assistant.embedded.outcomes import Ambiguous, NotUnderstood
from knowledge.documents import Metric, Rule, Term
from knowledge.sources.notes import read_notes

_TODAY = date(2026, 11, 21)
_LINES = "order_lines l JOIN orders o USING (order_id)"
_WORTH = "SUM(l.quantity * l.unit_price)"
_BY_STORE = "JOIN stores s USING (store_id)"
_NINETY = "o.order_date >= date('2026-11-21', '-90 days') AND o.order_date < '2026-11-21'"
_BOUGHT = "EXISTS (SELECT 1 FROM orders o WHERE o.customer_id = c.customer_id"


def _notes(text: str, title: str = "Business definitions"):
    return read_notes(f"# {title}\n\n{text}\n", origin="notes/words.md").documents


def _known(catalog, text: str):
    analyst = Analyst([catalog], _notes(text), _TODAY)
    return next(iter(analyst.sources.values())).known


FIGURES = [
    ("GMV = SUM(order_lines.quantity * order_lines.unit_price)", "GMV by store",
     f"SELECT s.name, {_WORTH} FROM {_LINES} {_BY_STORE} GROUP BY 1"),
    ("AOV (average order value) is the total of quantity times unit_price divided by the number of orders.",
     "What is the average order value?", f"SELECT 1.0 * {_WORTH} / COUNT(DISTINCT order_id) FROM {_LINES}"),
    ("AOV is the total of quantity times unit_price divided by the number of orders.", "AOV in 2025",
     f"SELECT 1.0 * {_WORTH} / COUNT(DISTINCT order_id) FROM {_LINES} WHERE o.order_date LIKE '2025%'"),
    ("CR refers to the cancellation rate, the share of orders that were cancelled.", "CR by store",
     f"SELECT s.name, AVG(status = 'cancelled') FROM orders {_BY_STORE} GROUP BY 1"),
    ("CR refers to the cancellation rate, the share of orders that were cancelled.", "cancellation rate",
     "SELECT AVG(status = 'cancelled') FROM orders"),
    ("Cancellation share is the percentage of orders where status = 'cancelled'.", "cancellation share",
     "SELECT 100.0 * AVG(status = 'cancelled') FROM orders"),
    ("Shipping rate: shipped orders as a percentage of all orders.", "shipping rate",
     "SELECT 100.0 * AVG(status = 'shipped') FROM orders"),
    ("Shipping rate is calculated by dividing the number of orders with status 'shipped' by the total number of orders.",
     "shipping rate by store", f"SELECT s.name, AVG(status = 'shipped') FROM orders {_BY_STORE} GROUP BY 1"),
    ("Shipping rate (in %) = number of shipped orders divided by number of orders, times 100", "shipping rate",
     "SELECT 100.0 * AVG(status = 'shipped') FROM orders"),
    ("Shipping rate = COUNT(CASE WHEN status = 'shipped' THEN 1 END) / COUNT(*)", "shipping rate",
     "SELECT AVG(status = 'shipped') FROM orders"),
    ("The porto ratio is the ratio of freight to the number of orders.", "porto ratio", "SELECT AVG(freight) FROM orders"),
    ("To calculate the porto, take the sum of freight.", "porto by status", "SELECT status, SUM(freight) FROM orders GROUP BY 1"),
    ("To calculate the porto ratio, divide total freight by the number of orders.", "porto ratio",
     "SELECT AVG(freight) FROM orders"),
    ("We define porto as the sum of freight where status = 'shipped'.", "porto",
     "SELECT SUM(freight) FROM orders WHERE status = 'shipped'"),
    ("When asked about the buyer count, use COUNT(DISTINCT orders.customer_id).", "buyer count by status",
     "SELECT status, COUNT(DISTINCT customer_id) FROM orders GROUP BY 1"),
    ("For porto use SUM(freight).", "porto", "SELECT SUM(freight) FROM orders"),
    ("By porto we mean the average freight of shipped orders.", "porto",
     "SELECT AVG(freight) FROM orders WHERE status = 'shipped'"),
    ("Porto is summed freight.\n\nPorto is the sum of freight", "porto", "SELECT SUM(freight) FROM orders"),
    ("Porto is freight, summed over all orders.", "porto", "SELECT SUM(freight) FROM orders"),
    ("Porto is computed as SUM(freight) over the orders table.", "porto", "SELECT SUM(freight) FROM orders"),
    ("GMV stands for gross merchandise value.\n\nGross merchandise value is the sum of quantity * unit_price.",
     "GMV in 2025", f"SELECT {_WORTH} FROM {_LINES} WHERE o.order_date LIKE '2025%'"),
    ("Gross sales = quantity * unit_price\n\nBasket = gross sales / number of orders", "basket by store",
     f"SELECT s.name, 1.0 * {_WORTH} / COUNT(DISTINCT order_id) FROM {_LINES} {_BY_STORE} GROUP BY 1"),
    ("Markup = unit_price - price", "average markup", "SELECT AVG(unit_price - price) FROM order_lines JOIN products USING (product_id)"),
    ("Freight per order = SUM(freight) / COUNT(order_id)", "freight per order by status",
     "SELECT status, AVG(freight) FROM orders GROUP BY 1"),
    ("Basket size is the average quantity per order.", "basket size",
     "SELECT 1.0 * SUM(quantity) / COUNT(DISTINCT order_id) FROM order_lines"),
    ("Shipping delay is the number of days between order_date and shipped_date.", "average shipping delay",
     "SELECT AVG(julianday(shipped_date) - julianday(order_date)) FROM orders"),
    ("Shipping delay = shipped_date - order_date", "highest shipping delay",
     "SELECT MAX(julianday(shipped_date) - julianday(order_date)) FROM orders"),
    ("TOC = Total Order Count, MAF = max(freight)", "TOC by status", "SELECT status, COUNT(*) FROM orders GROUP BY 1"),
    ("TOC = Total Order Count, MAF = max(freight)", "MAF by status", "SELECT status, MAX(freight) FROM orders GROUP BY 1"),
    ("SPM (porto margin) = (total freight - average freight) / total freight * 100", "SPM",
     "SELECT (SUM(freight) - AVG(freight)) / SUM(freight) * 100 FROM orders"),
    ("| Word | Meaning |\n|---|---|\n| Porto | total freight |\n| Age | see HR |", "porto", "SELECT SUM(freight) FROM orders"),
    ("Proceeds (also known as takings) are the total of quantity * unit_price.", "takings", f"SELECT {_WORTH} FROM {_LINES}"),
    ("Shipping hours are the hours between order_date and shipped_date.", "average shipping hours",
     "SELECT AVG(24 * (julianday(shipped_date) - julianday(order_date))) FROM orders"),
    ("Porto ratio = A / B, where A is the total freight and B is the number of orders", "porto ratio",
     "SELECT AVG(freight) FROM orders"),
    ("Shipping rate = COUNT(shipped orders) / COUNT(orders)", "shipping rate", "SELECT AVG(status = 'shipped') FROM orders"),
    ("Shipping rate: shipped orders over all orders", "shipping rate", "SELECT AVG(status = 'shipped') FROM orders"),
    ("The shipping rate is the percentage of orders that are shipped", "shipping rate",
     "SELECT 100.0 * AVG(status = 'shipped') FROM orders"),
    ("ALQ = Average order line quantity", "ALQ", "SELECT AVG(quantity) FROM order_lines"),
    ("Crowd is the number of seats", "crowd", "SELECT SUM(seats) FROM flights"),
    ("Net porto = freight - 1", "average net porto", "SELECT AVG(freight - 1) FROM orders"),
    ("Shipped porto is the total freight of shipped orders.", "shipped porto",
     "SELECT SUM(freight) FROM orders WHERE status = 'shipped'"),
    ("Ship rate = shipped orders / (shipped orders + cancelled orders)", "ship rate",
     "SELECT 1.0 * SUM(status = 'shipped') / SUM(status IN ('shipped', 'cancelled')) FROM orders"),
    ("Shipping delay is the difference between shipped_date and order_date, in days.", "average shipping delay",
     "SELECT AVG(julianday(shipped_date) - julianday(order_date)) FROM orders"),
]  # fmt: skip

CONDITIONS = [
    ("**Churn**: customers with no order in the last 90 days", "How many customers churned?",
     f"SELECT COUNT(*) FROM customers c WHERE NOT {_BOUGHT} AND {_NINETY})"),
    ("Sleeping customers are customers without any orders.", "How many sleeping customers are there by country?",
     f"SELECT country, COUNT(*) FROM customers c WHERE NOT {_BOUGHT}) GROUP BY 1"),
    ("Lost orders are those with status 'cancelled'.", "How many lost orders are there in 2025?",
     "SELECT COUNT(*) FROM orders WHERE status = 'cancelled' AND order_date LIKE '2025%'"),
    ("Lost orders means orders where `status = 'cancelled'`.", "How many lost orders are there?",
     "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'"),
    ("Lost orders have the status cancelled.", "How many lost orders are there?",
     "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'"),
    ("- Lost: status = 'cancelled'\n- Found: status = 'shipped'", "How many lost orders are there?",
     "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'"),
    ("Running orders: orders with status 'completed' or 'shipped'", "How many running orders are there?",
     "SELECT COUNT(*) FROM orders WHERE status <> 'cancelled'"),
    ("An order is pending if shipped_date is null.", "How many pending orders are there?",
     "SELECT COUNT(*) FROM orders WHERE shipped_date IS NULL"),
    ("Pending orders are orders that have no shipped date.", "How many pending orders are there?",
     "SELECT COUNT(*) FROM orders WHERE shipped_date IS NULL"),
    ("An order counts as slow when shipped_date is after 2025-06-01.", "number of slow orders",
     "SELECT COUNT(*) FROM orders WHERE shipped_date > '2025-06-01'"),
    ("Same-day orders: orders where the shipped date is the order date", "How many same-day orders are there?",
     "SELECT COUNT(*) FROM orders WHERE shipped_date = order_date"),
    ("A heavy order is an order with a freight above 20 and status 'completed'.", "How many heavy orders are there?",
     "SELECT COUNT(*) FROM orders WHERE freight > 20 AND status = 'completed'"),
    ("An order is big if it has more than 2 order lines.", "How many big orders are there?",
     "SELECT COUNT(*) FROM orders o WHERE (SELECT COUNT(*) FROM order_lines l WHERE l.order_id = o.order_id) > 2"),
    ("Purchasers are customers who have at least one order.", "How many purchasers are there?",
     f"SELECT COUNT(*) FROM customers c WHERE {_BOUGHT})"),
    ("Dormant customers are customers that are not active.", "How many dormant customers are there?",
     "SELECT COUNT(*) FROM customers WHERE NOT active"),
    ("Contacts: customers whose email is not empty", "How many contacts are there?",
     "SELECT COUNT(*) FROM customers WHERE email IS NOT NULL"),
    ("Seniors are customers aged at least 50.\n\nOldies: customers with an age of at least 50", "How many oldies are there?",
     "SELECT COUNT(*) FROM customers WHERE age >= 50"),
    ("Lamps are products whose name ends with 'Lamp'", "How many lamps are there?",
     "SELECT COUNT(*) FROM products WHERE name LIKE '%Lamp'"),
    ("Continentals: customers from Germany, France or Spain\n\nEUC: customers with country in ('Germany', 'France', 'Spain')",
     "How many EUC are there?", "SELECT COUNT(*) FROM customers WHERE country <> 'United Kingdom'"),
    ("Early birds are customers with a signup date before 2025-01-01", "How many early birds are there?",
     "SELECT COUNT(*) FROM customers WHERE signup_date < '2025-01-01'"),
    ("Early orders: orders shipped before March 2025", "How many early orders are there?",
     "SELECT COUNT(*) FROM orders WHERE shipped_date < '2025-03-01'"),
    ("TCO = Total completed orders shipped after January 1, 2025", "TCO",
     "SELECT COUNT(*) FROM orders WHERE status = 'completed' AND shipped_date > '2025-01-01'"),
    ("When asked about gone orders, filter by status = 'shipped'.", "How many gone orders are there?",
     "SELECT COUNT(*) FROM orders WHERE status = 'shipped'"),
    ("Elder means age >= 55.", "How many elder customers are there?", "SELECT COUNT(*) FROM customers WHERE age >= 55"),
]  # fmt: skip

NAMES = [
    ("Patrons are customers.", "How many patrons are there?", "SELECT COUNT(*) FROM customers"),
    ("The porto is stored in orders.freight.", "total porto by status", "SELECT status, SUM(freight) FROM orders GROUP BY 1"),
    ("Use orders.shipped_date when asked about the departure.", "How many orders with departure in 2025?",
     "SELECT COUNT(*) FROM orders WHERE shipped_date LIKE '2025%'"),
    ("Nationality refers to the country column of the customers table.", "How many customers are there by nationality?",
     "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
    ("status 'cancelled' means withdrawn", "How many orders were withdrawn?", "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'"),
    ("Allemagne is another name for Germany.", "How many customers in Allemagne?",
     "SELECT COUNT(*) FROM customers WHERE country = 'Germany'"),
    ("The country column holds the homeland.", "How many customers are there by homeland?",
     "SELECT country, COUNT(*) FROM customers GROUP BY 1"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "question", "by_hand"), [*FIGURES, *CONDITIONS, *NAMES])
def test_answer_by_a_definition_equals_sql_written_by_hand(
    text, question, by_hand, catalog, understood, shop, same_rows
):
    analyst = Analyst([catalog], _notes(text), _TODAY)
    outcome = understood(analyst, question)
    sql = analyst.sql(outcome.meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(by_hand).fetchall()), sql
    assert "note:notes/words.md#business-definitions" in outcome.cited
    assert any("means" in said and "(knowledge: Business definitions)" in said for said in outcome.assumptions)


UNUSED = [
    "Conversion is freight minus quantity divided by seats.",
    "Margin = total freight minus average freight divided by total freight",
    "Refund cost is the sum of refund_amount.",
    "Porto is the sum of freight. Exclude cancelled orders.",
    "Porto is the sum of freight, but only for good orders.",
    "Porto is the sum of freight (excluding tax).",
    "Loyal customers are customers who love us.",
    "Loyal customers are customers who signed up early.",
    "Big spenders are customers with an income above 1000.",
    "Orders are requests for goods.",
    "Our company is a retailer from Berlin.",
    "We report every week. The numbers are checked by finance.",
    "Last month means the last 30 days.",
    "Name quality is the average name.",
    "Crowding is the total of seats divided by the number of orders.",
    "Trend means DROP TABLE orders",
    "Leak = (SELECT MAX(freight) FROM orders)",
    "Length = load_extension('x')",
    "Net = freight - the seats nobody took",
    "Porto is the total price before quantity",
    "Porto is the average freight of the 10 largest orders",
    "Porto is the total freight by month",
    "Porto is roughly the total freight",
    "Porto is half the total freight",
    "Porto is not the total freight",
    "Odd customers: customers with no orders or no email",
    "Dear orders are orders whose freight is 10% above average",
    "Products: price > 100",
    "Young orders: orders, the ones from 2025",
    "Deep = " + "(" * 200 + "freight",
]


@pytest.mark.parametrize("text", UNUSED)
def test_what_cannot_be_read_to_the_end_is_not_used(text, catalog):
    known = _known(catalog, text)
    assert (known.metrics, known.terms, known.aliases) == ((), (), ())


def test_a_definition_that_was_not_read_is_said_where_its_word_is_used(catalog, understood):
    text = "Shoppers are whoever comes in.\n\nProducts are whatever we like to sell."
    analyst = Analyst([catalog], _notes(text), _TODAY)
    said = understood(analyst, "How many shoppers are there?").assumptions
    assert "what the knowledge base says of “Shoppers” (Business definitions) cannot be computed with" in said
    assert not any("knowledge base" in text for text in understood(analyst, "How many products are there?").assumptions)


def test_two_definitions_of_one_word_are_not_used(catalog):
    analyst = Analyst([catalog], _notes("Porto is the sum of freight.\n\nPorto is the average freight."), _TODAY)
    outcome = analyst.read("porto by status")
    assert isinstance(outcome, NotUnderstood | Ambiguous)
    assert not next(iter(analyst.sources.values())).known.metrics


def test_one_definition_said_twice_is_used(catalog, understood):
    analyst = Analyst([catalog], _notes("Porto is the sum of freight.\n\nPorto = SUM(freight)"), _TODAY)
    assert understood(analyst, "porto by status").meaning.measures[0].metric == "Porto"


def test_prose_never_overrides_what_is_typed(catalog, understood):
    typed = Metric(
        name="porto", synonyms=("postage",), expression="AVG(freight)", table="orders", origin="metrics.yaml",
        date_column="order_date",
    )  # fmt: skip
    text = "Porto is the sum of freight.\n\nPostage is the sum of freight.\n\nCarriage is the total porto."
    analyst = Analyst([catalog], (typed, *_notes(text)), _TODAY)
    for word in ("porto", "postage"):
        outcome = understood(analyst, f"{word} by status")
        assert outcome.meaning.measures[0].expression == "AVG(freight)"
        assert outcome.cited == ("metric:porto",)


def test_a_term_without_sql_is_read_and_cited(catalog, understood, shop):
    term = Term(name="lost order", definition="An order with status 'cancelled'.", origin="glossary.yaml")
    analyst = Analyst([catalog], (term,), _TODAY)
    outcome = understood(analyst, "How many lost orders are there?")
    assert outcome.cited == ("term:lost-order",)
    assert shop.execute(analyst.sql(outcome.meaning)).fetchone() == shop.execute(
        "SELECT COUNT(*) FROM orders WHERE status = 'cancelled'"
    ).fetchone()  # fmt: skip


def test_a_rule_in_words_defines_too(catalog, understood):
    rule = Rule(name="Porto", statement="Porto is calculated as the sum of freight.", origin="rules.md")
    outcome = understood(Analyst([catalog], (rule,), _TODAY), "porto by status")
    assert outcome.cited == ("rule:porto",)


def test_definitions_of_another_source_are_left_aside(catalog):
    text = "---\nsource: elsewhere\n---\n# Words\n\nPorto is the sum of freight.\n"
    analyst = Analyst([catalog], read_notes(text, origin="words.md").documents, _TODAY)
    assert not next(iter(analyst.sources.values())).known.metrics


def test_a_ratio_of_each_row_is_asked_back_where_its_name_stands_alone(catalog, understood):
    analyst = Analyst([catalog], _notes("Price level = unit_price / price"), _TODAY)
    assert understood(analyst, "average price level").meaning.measures[0].metric == "average Price level"
    outcome = analyst.read("price level")
    assert isinstance(outcome, Ambiguous)


def test_chosen_readings_cite_the_definition_too(catalog, understood):
    analyst = Analyst([catalog], _notes("Porto is the sum of freight."), _TODAY)
    outcome = understood(analyst, "porto by status")
    assert analyst.cited(outcome.meaning) == outcome.cited


@pytest.mark.parametrize(
    ("text", "found"),
    [
        ("ADR (average daily rate) is the total of a divided by b.", [(("ADR", "average daily rate"), "the total of a divided by b")]),
        ("**Churn**: customers with no order", [(("Churn",), "customers with no order")]),
        ("- `AOV` = revenue / orders\n- CR — orders / visits", [(("AOV",), "revenue / orders"), (("CR",), "orders / visits")]),
        ("| Word | Meaning |\n|--|--|\n| Porto | total freight |", [(("Word",), "Meaning"), (("Porto",), "total freight")]),
        ("Net revenue is the sum of\namount for all paid orders.", [(("Net revenue",), "the sum of amount for all paid orders")]),
        ("It is the sum of a.", []),
        ("There are three stores.", []),
        ("Porto is the sum of freight. It must never include tax.", []),
        ("Porto is the sum of freight. Finance owns it.", [(("Porto",), "the sum of freight")]),
    ],
)  # fmt: skip
def test_sentences_that_define_are_found(text, found):
    assert [(d.names, d.body) for d in definitions(_notes(text))] == found


def test_rows_of_a_table_are_not_taken_for_a_date_of_another(tmp_path, catalog_of):
    path = tmp_path / "clients.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.executescript(
            "CREATE TABLE clients (client_id INTEGER PRIMARY KEY, name TEXT NOT NULL, last_order_date DATE);"
            "CREATE TABLE orders (order_id INTEGER PRIMARY KEY, order_date DATE NOT NULL,"
            " client_id INTEGER NOT NULL REFERENCES clients (client_id));"
            "INSERT INTO clients VALUES (1, 'Ada', '2026-05-01'), (2, 'Ben', NULL);"
            "INSERT INTO orders VALUES (1, '2025-05-01', 1), (2, '2026-05-01', 1);"
        )
    analyst = Analyst([catalog_of(path)], _notes("Early clients are clients with an order in 2025."), _TODAY)
    (term,) = next(iter(analyst.sources.values())).known.terms
    assert "orders.order_date" in str(term.sql)


def test_a_heading_over_one_paragraph_is_the_word(catalog, understood):
    notes = read_notes(
        "# Glossary\n\n## Porto\n\nSum of freight.\n\n## Lost orders\n\nOrders with status 'cancelled'.\n",
        origin="g.md",
    )
    analyst = Analyst([catalog], notes.documents, _TODAY)
    assert understood(analyst, "porto by status").cited == ("note:g.md#glossary-porto",)


@pytest.mark.parametrize(
    ("text", "parts"),
    [
        ("a minus b", ("a", "-", "b")),
        ("a minus b, divided by c", ("a minus b", "/", "c")),
        ("(a minus b) divided by c", ("(a minus b)", "/", "c")),
        ("a times b divided by c", ("a times b", "/", "c")),
        ("a divided by b times c", ("a divided by b times c", OPEN, "")),
        ("a minus b divided by c", ("a minus b divided by c", OPEN, "")),
        ("a - b / c", ("a", "-", "b / c")),
        ("COUNT(a / b)", None),
        ("on-time orders", None),
    ],
)
def test_a_formula_is_cut_only_where_its_order_is_plain(text, parts):
    assert cut(text) == parts
