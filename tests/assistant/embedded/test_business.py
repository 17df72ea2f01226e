"""What a business asks and benchmarks seldom do: one figure per another, shares, days between dates, weekdays, the best
of each group, two columns compared. Every answer is checked against a query written by hand."""

from __future__ import annotations

import sqlite3
from contextlib import ExitStack, closing
from datetime import date

import pytest

from assistant.embedded.analyst import Analyst
from assistant.embedded.assembly.chosen import chosen_as_condition
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.outcomes import NotUnderstood

_WEEKDAY = "(strftime('%w', order_date) + 6) % 7"
_REVENUE = "SUM(l.quantity * l.unit_price)"
_LINES = "order_lines l JOIN orders o ON o.order_id = l.order_id JOIN products p ON p.product_id = l.product_id"
_BEST = (
    "WITH sold AS (SELECT c.name AS category, p.name AS product, SUM(l.quantity) AS n FROM order_lines l"
    " JOIN products p ON p.product_id = l.product_id JOIN categories c ON c.category_id = p.category_id GROUP BY 1, 2)"
    " SELECT * FROM sold s WHERE n = (SELECT MAX(n) FROM sold t WHERE t.category = s.category)"
)


_DAYS = "julianday(shipped_date) - julianday(order_date)"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("average days to ship by status", f"SELECT status, AVG({_DAYS}) FROM orders GROUP BY 1"),
        ("average time to ship", f"SELECT AVG({_DAYS}) FROM orders"),
        ("average shipping time by status", f"SELECT status, AVG({_DAYS}) FROM orders GROUP BY 1"),
        ("longest shipping time", f"SELECT MAX({_DAYS}) FROM orders"),
        ("how long does shipping take on average?", f"SELECT AVG({_DAYS}) FROM orders"),
    ],
)
def test_time_that_something_takes(question, gold, plain, shop, same_rows):
    sql = plain.sql(plain.candidates(question)[0].meaning, context=False)
    found, expected = shop.execute(sql).fetchall(), shop.execute(gold).fetchall()
    known = [row for row in expected if row[-1] is not None]
    assert same_rows([row for row in found if row[-1] is not None], known), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "orders by status as percentage",
            "SELECT status, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY 1",
        ),
        (
            "orders by status in %",
            "SELECT status, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY 1",
        ),
        (
            "number of orders by status in percent of the total",
            "SELECT status, COUNT(*), 100.0 * COUNT(*) / (SELECT COUNT(*) FROM orders) FROM orders GROUP BY 1",
        ),
    ],
)
def test_percent_of_the_whole(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "What is the average number of orders per customer?",
            "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders",
        ),
        (
            "How many orders does a customer place on average?",
            "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders",
        ),
        (
            "the average number of orders per customer by country",
            "SELECT country, 1.0 * COUNT(*) / COUNT(DISTINCT o.customer_id) FROM orders o JOIN customers USING"
            " (customer_id) GROUP BY country",
        ),
        (
            "What is the average number of products per order?",
            "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT order_id) FROM order_lines",
        ),
        ("average freight per order", "SELECT AVG(freight) FROM orders"),
        (
            "What is the ratio of orders to customers?",
            "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer_id) FROM orders",
        ),
        (
            "What is the ratio of cancelled orders to all orders?",
            "SELECT 100.0 * SUM(status = 'cancelled') / COUNT(*) FROM orders",
        ),
        (
            "percentage of orders that were cancelled by year",
            "SELECT CAST(strftime('%Y', order_date) AS INTEGER), 100.0 * SUM(status = 'cancelled') / COUNT(*)"
            " FROM orders GROUP BY 1",
        ),
        (
            "What percentage of customers have more than 8 orders?",
            "SELECT 100.0 * SUM((SELECT COUNT(*) FROM orders o WHERE o.customer_id = c.customer_id) > 8) / COUNT(*)"
            " FROM customers c",
        ),
        (
            "What is the average number of days between order date and shipped date?",
            "SELECT AVG(julianday(shipped_date) - julianday(order_date)) FROM orders",
        ),
        (
            "How many days does it take on average to ship an order?",
            "SELECT AVG(julianday(shipped_date) - julianday(order_date)) FROM orders",
        ),
        (
            "the longest time from order date to shipped date by status",
            "SELECT status, MAX(julianday(shipped_date) - julianday(order_date)) FROM orders GROUP BY status",
        ),
        (
            "How many orders are there on each weekday?",
            "SELECT CASE n WHEN 0 THEN 'Monday' WHEN 1 THEN 'Tuesday' WHEN 2 THEN 'Wednesday' WHEN 3 THEN 'Thursday'"
            " WHEN 4 THEN 'Friday' WHEN 5 THEN 'Saturday' ELSE 'Sunday' END, COUNT(*)"
            f" FROM (SELECT {_WEEKDAY} AS n FROM orders) GROUP BY n",
        ),
        (
            "number of orders by month of the year",
            "SELECT CAST(strftime('%m', order_date) AS INTEGER), COUNT(*) FROM orders GROUP BY 1",
        ),
        (
            "Which month had the most orders?",
            "WITH m AS (SELECT date(order_date, 'start of month') AS month, COUNT(*) AS n FROM orders GROUP BY 1)"
            " SELECT month, n FROM m WHERE n = (SELECT MAX(n) FROM m)",
        ),
        (
            "In which year was freight the highest?",
            "SELECT CAST(strftime('%Y', order_date) AS INTEGER), SUM(freight) AS f FROM orders GROUP BY 1"
            " ORDER BY f DESC LIMIT 1",
        ),
        ("What is the best selling product in each category?", _BEST),
        (
            "Which product is the most expensive in each category?",
            "SELECT c.name, p.name, p.price FROM products p JOIN categories c USING (category_id)"
            " WHERE price = (SELECT MAX(price) FROM products q WHERE q.category_id = p.category_id)",
        ),
        (
            "Which store has the most orders in each year?",
            "WITH n AS (SELECT CAST(strftime('%Y', order_date) AS INTEGER) AS y, s.name, COUNT(*) AS n FROM orders"
            " JOIN stores s USING (store_id) GROUP BY 1, 2)"
            " SELECT * FROM n a WHERE n = (SELECT MAX(n) FROM n b WHERE b.y = a.y)",
        ),
        (
            "the highest price in each category",
            "SELECT c.name, MAX(price) FROM products JOIN categories c USING (category_id) GROUP BY c.name",
        ),
        (
            "How many orders have a shipped date after the order date?",
            "SELECT COUNT(*) FROM orders WHERE shipped_date > order_date",
        ),
        (
            "which countries have an average age above the overall average age",
            "SELECT country, AVG(age) FROM customers GROUP BY country HAVING AVG(age) >"
            " (SELECT AVG(age) FROM customers)",
        ),
        (
            "Which categories have more than 1 product and an average price above 100?",
            "SELECT c.name, AVG(price), COUNT(*) FROM products JOIN categories c USING (category_id) GROUP BY c.name"
            " HAVING AVG(price) > 100 AND COUNT(*) > 1",
        ),
        (
            "When did each customer last order?",
            "SELECT first_name, last_name, MAX(order_date) FROM customers JOIN orders"
            " USING (customer_id) GROUP BY customer_id",
        ),
        ("When was the latest order?", "SELECT MAX(order_date) FROM orders"),
        (
            "Which product category has the highest average price?",
            "SELECT c.name, AVG(price) AS a FROM products JOIN categories c USING (category_id) GROUP BY c.name"
            " ORDER BY a DESC LIMIT 1",
        ),
        (
            "Which customers ordered in 2024 but not in 2025?",
            "SELECT first_name, last_name FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE"
            " order_date LIKE '2024%') AND customer_id NOT IN (SELECT customer_id FROM orders WHERE order_date LIKE"
            " '2025%')",
        ),
        (
            "How many customers ordered in both 2024 and 2026?",
            "SELECT COUNT(*) FROM customers WHERE customer_id IN (SELECT customer_id FROM orders WHERE order_date LIKE"
            " '2024%') AND customer_id IN (SELECT customer_id FROM orders WHERE order_date LIKE '2026%')",
        ),
        (
            "How many customers bought nothing in 2025?",
            "SELECT COUNT(*) FROM customers WHERE customer_id NOT IN (SELECT customer_id FROM orders WHERE order_date"
            " LIKE '2025%')",
        ),
        (
            "What is the average number of orders per month in 2025?",
            "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT strftime('%Y-%m', order_date)) FROM orders WHERE order_date LIKE"
            " '2025%'",
        ),
        (
            "Which status has the lowest freight?",
            "SELECT status, SUM(freight) AS f FROM orders GROUP BY status ORDER BY f LIMIT 1",
        ),
        (
            "top 2 statuses of orders",
            "SELECT status, COUNT(*) AS n FROM orders GROUP BY status ORDER BY n DESC LIMIT 2",
        ),
    ],
)
def test_result_equals_that_of_the_query_by_hand(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


def test_so_many_of_each_group_are_exactly_so_many(plain, shop, understood):
    rows = shop.execute(plain.sql(understood(plain, "top 2 products per category by quantity").meaning)).fetchall()
    by_category = {}
    for category, _, quantity in rows:
        by_category.setdefault(category, []).append(quantity)
    assert all(len(found) <= 2 and found == sorted(found, reverse=True) for found in by_category.values())
    assert len(by_category) == 4


def test_part_of_the_whole_is_not_lost_by_a_join(plain, shop, understood):
    sql = plain.sql(understood(plain, "What percentage of orders are from store Alpha?").meaning)
    gold = "SELECT 100.0 * SUM(s.name IS 'Alpha') / COUNT(*) FROM orders o LEFT JOIN stores s USING (store_id)"
    assert shop.execute(sql).fetchone()[0] == pytest.approx(shop.execute(gold).fetchone()[0]), sql


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("percentage of orders that were cancelled by year", "Share of orders where order status is cancelled by year"),
        (
            "What is the best selling product in each category?",
            "Product with the highest total quantity in each category",
        ),
        ("Which product is the most expensive in each category?", "Product with the highest price in each category"),
        ("How many orders have a shipped date after the order date?", "shipped date is after order date"),
        ("average number of orders per customer", "Orders per customer"),
        ("which countries have an average age above the overall average age", "over that of all together"),
    ],
)
def test_what_is_done_is_said(question, said, plain, understood):
    assert said in understood(plain, question).restated


def test_only_those_that_have_any_are_said_to_count(plain, understood):
    assert (
        "only customers that have orders count"
        in understood(plain, "average number of orders per customer").assumptions
    )


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many customers have an email?", "SELECT COUNT(*) FROM customers WHERE email IS NOT NULL"),
        ("How many orders with a shipped date are there?", "SELECT COUNT(shipped_date) FROM orders"),
        (
            "What share of revenue is from Germany?",
            "SELECT 100.0 * SUM(CASE WHEN country = 'Germany' THEN quantity * unit_price ELSE 0 END)"
            " / SUM(quantity * unit_price) FROM order_lines JOIN orders USING (order_id) JOIN customers USING"
            " (customer_id)",
        ),
        (
            "How many completed and cancelled orders are there?",
            "SELECT status, COUNT(*) FROM orders WHERE status IN ('completed', 'cancelled') GROUP BY status",
        ),
        (
            "total freight by year and status",
            "SELECT CAST(strftime('%Y', order_date) AS INTEGER), status, SUM(freight) FROM orders GROUP BY 1, 2",
        ),
        (
            "How many products have both order lines and tags?",
            "SELECT COUNT(*) FROM products WHERE product_id IN (SELECT product_id FROM order_lines) AND product_id IN"
            " (SELECT product_id FROM product_tags)",
        ),
        (
            "What is the average order value by status?",
            "SELECT status, SUM(quantity * unit_price) / COUNT(DISTINCT order_id) FROM order_lines JOIN orders USING"
            " (order_id) GROUP BY status",
        ),
        (
            "How many orders were shipped in 2025?",
            "SELECT COUNT(*) FROM orders WHERE shipped_date LIKE '2025%'",
        ),
    ],
)
def test_what_is_there_and_its_share(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


_SPENT = "SELECT first_name, last_name FROM customers JOIN orders USING (customer_id) GROUP BY customer_id"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        (
            "For each category, return the number of products and the average price.",
            "SELECT c.name, COUNT(*), AVG(price) FROM products JOIN categories c USING (category_id) GROUP BY c.name",
        ),
        (
            "number of customers and average age per country, highest average first",
            "SELECT country, COUNT(*), AVG(age) FROM customers GROUP BY country ORDER BY 3 DESC",
        ),
        (
            "count orders by status, sorted from fewest to most",
            "SELECT status, COUNT(*) FROM orders GROUP BY 1 ORDER BY 2",
        ),
        ("customers whose total freight exceeds 300", f"{_SPENT} HAVING SUM(freight) > 300"),
        (
            "Show the last 4 orders with their freight and store",
            "SELECT order_id, s.name, freight FROM orders LEFT JOIN stores s USING (store_id) ORDER BY order_date DESC,"
            " order_id LIMIT 4",
        ),
        (
            "average age by country, only for countries with more than 10 customers",
            "SELECT country, AVG(age) FROM customers GROUP BY country HAVING COUNT(*) > 10",
        ),
        (
            "number of different customers who ordered in each month of 2025",
            "SELECT date(order_date, 'start of month'), COUNT(DISTINCT customer_id) FROM orders WHERE order_date LIKE"
            " '2025%' GROUP BY 1",
        ),
        (
            "How many orders were placed by customers from Spain?",
            "SELECT COUNT(*) FROM orders JOIN customers USING (customer_id) WHERE country = 'Spain'",
        ),
        (
            "How many products were sold in 2025?",
            "SELECT SUM(quantity) FROM order_lines JOIN orders USING (order_id) WHERE order_date LIKE '2025%'",
        ),
        ("total quantity sold", "SELECT SUM(quantity) FROM order_lines"),
        (
            "Which products were never sold?",
            "SELECT name FROM products WHERE product_id NOT IN (SELECT product_id FROM order_lines)",
        ),
        (
            "Which stores have more than 10 orders in total?",
            "SELECT name FROM stores WHERE (SELECT COUNT(*) FROM orders o WHERE o.store_id = stores.store_id) > 10",
        ),
    ],
)
def test_request_in_whole_sentences(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning, context=False)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


def test_what_is_asked_for_stands_before_what_is_shown_beside_it(plain, shop, same_rows):
    likeliest = plain.candidates("List the 3 most expensive products with their category name")[0]
    gold = "SELECT p.name, c.name FROM products p JOIN categories c USING (category_id) ORDER BY price DESC LIMIT 3"
    assert same_rows(
        shop.execute(plain.sql(likeliest.meaning, context=False)).fetchall(), shop.execute(gold).fetchall()
    )


@pytest.fixture(scope="module")
def made(tmp_path_factory, catalog_of):
    """Makes a database of its own by a script, and gives an analyst over it and a connection to it."""
    with ExitStack() as opened:

        def make(script):
            path = tmp_path_factory.mktemp("made") / "made.sqlite"
            with closing(sqlite3.connect(path)) as con, con:
                con.executescript(script)
            con = opened.enter_context(closing(sqlite3.connect(f"file:{path}?mode=ro", uri=True)))
            return Analyst([catalog_of(path)], (), date(2026, 11, 21)), con

        yield make


@pytest.fixture(scope="module")
def ratings(made):
    return made(
        "CREATE TABLE hotels (hotel_id INTEGER PRIMARY KEY, name TEXT NOT NULL, city TEXT NOT NULL);"
        "CREATE TABLE ratings (rating_id INTEGER PRIMARY KEY, hotel_id INTEGER NOT NULL REFERENCES hotels (hotel_id),"
        " stars INTEGER NOT NULL);"
        "INSERT INTO hotels VALUES (1, 'Adler', 'Bern'), (2, 'Krone', 'Basel'), (3, 'Post', 'Bern');"
        "INSERT INTO ratings VALUES (1, 1, 3), (2, 1, 5), (3, 2, 2), (4, 2, 2), (5, 3, 1), (6, 3, 4);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("average rating per hotel", [("Adler", 4.0), ("Krone", 2.0), ("Post", 2.5)]),
        ("What is the highest rating by city?", [("Bern", 5), ("Basel", 2)]),
        ("Which hotel has the lowest average rating?", [("Krone", 2.0)]),
        ("Which hotels have a rating id above 5?", [("Post",)]),
    ],
)
def test_rows_that_say_one_number_are_that_number(question, rows, ratings, same_rows):
    analyst, con = ratings
    sql = analyst.sql(analyst.candidates(question)[0].meaning)
    assert same_rows(con.execute(sql).fetchall(), rows), sql


def test_numbers_that_stand_for_people_are_counted(made):
    analyst, con = made(
        "CREATE TABLE pupils (pupil_id INTEGER PRIMARY KEY, name TEXT NOT NULL, tutor INTEGER NOT NULL);"
        "INSERT INTO pupils VALUES (1, 'Ada', 1121), (2, 'Ben', 7134), (3, 'Cleo', 1121);"
    )
    sql = analyst.sql(analyst.candidates("How many tutors are there?")[0].meaning)
    assert con.execute(sql).fetchall() == [(2,)], sql


def test_return_says_what_is_asked_though_there_are_returns(made, understood):
    analyst, con = made(
        "CREATE TABLE items (item_id INTEGER PRIMARY KEY, name TEXT NOT NULL, kind TEXT NOT NULL, price REAL NOT NULL);"
        "CREATE TABLE returns (return_id INTEGER PRIMARY KEY, item_id INTEGER NOT NULL REFERENCES items (item_id));"
        "INSERT INTO items VALUES (1, 'Mug', 'Kitchen', 4), (2, 'Pan', 'Kitchen', 20), (3, 'Rug', 'Living', 50);"
        "INSERT INTO returns VALUES (1, 1), (2, 1);"
    )
    asked = understood(analyst, "For each kind, return the number of items and the average price.")
    assert sorted(con.execute(analyst.sql(asked.meaning)).fetchall()) == [("Kitchen", 2, 12.0), ("Living", 1, 50.0)]


@pytest.fixture(scope="module")
def films(made):
    return made(
        "CREATE TABLE films (film_id INTEGER PRIMARY KEY, title TEXT NOT NULL, length INTEGER NOT NULL,"
        " preview_seconds INTEGER NOT NULL, size_bytes INTEGER NOT NULL);"
        "INSERT INTO films VALUES (1, 'Ahab', 46, 60, 5000000), (2, 'Bea', 121, 150, 20000000),"
        " (3, 'Cid', 185, 240, 90000000);"
    )


@pytest.mark.parametrize(
    ("question", "count"),
    [
        ("How many films have preview seconds over 2 minutes?", 2),
        ("How many films have size bytes over 10 megabytes?", 2),
        ("How many films have a length over 120 minutes?", 2),
        ("How many films have a length between 100 and 150 minutes?", 1),
        ("How many films have a length over 2 hours?", 2),
    ],
)
def test_number_is_put_into_the_unit_of_the_column(question, count, films, understood):
    analyst, con = films
    assert con.execute(analyst.sql(understood(analyst, question).meaning)).fetchone() == (count,)


def test_unit_that_the_column_cannot_have_is_asked_about(films):
    outcome = films[0].read("How many films have a length over 2 weeks?")
    assert "runs from 46 to 185 and does not say in which unit" in outcome.reason


@pytest.fixture(scope="module")
def tickets(made):
    """A table as a file gives it: without keys, with its customers in a column."""
    rows = ((f"T{n}", f"2025-0{n % 9 + 1}-11", ("Blue", "Red")[n % 2], f"C{n % 5}", n / 4) for n in range(40))
    return made(
        "CREATE TABLE tickets (ticket TEXT, created DATE, team TEXT, customer TEXT, cost REAL);"
        f"INSERT INTO tickets VALUES {', '.join(str(row) for row in rows)};"
    )


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many tickets per team?", "SELECT team, COUNT(*) FROM tickets GROUP BY team"),
        ("average number of tickets per customer", "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT customer) FROM tickets"),
        ("average cost per ticket by team", "SELECT team, AVG(cost) FROM tickets GROUP BY team"),
        ("Which team has the highest cost?", "SELECT 'Red', SUM(cost) FROM tickets WHERE team = 'Red'"),
    ],
)
def test_file_without_keys_is_asked_the_same(question, gold, tickets, understood, same_rows):
    analyst, con = tickets
    sql = analyst.sql(understood(analyst, question).meaning)
    assert same_rows(con.execute(sql).fetchall(), con.execute(gold).fetchall()), sql


@pytest.fixture(scope="module")
def halls(made):
    return made(
        "CREATE TABLE halls (hall_id INTEGER PRIMARY KEY, name TEXT NOT NULL, opened_date DATE NOT NULL,"
        " closed_date DATE);"
        "INSERT INTO halls VALUES (1, 'Nord', '2020-01-01', NULL), (2, 'Sued', '2021-01-01', '2025-05-01'),"
        " (3, 'Ost', '2022-01-01', NULL);"
    )


@pytest.mark.parametrize(
    ("question", "rows"),
    [
        ("Which halls are closed?", [("Sued",)]),
        ("How many halls are still open?", [(2,)]),
        ("How many closed halls are there?", [(1,)]),
        ("How many halls were closed in 2025?", [(1,)]),
        ("How many halls were closed in 2024?", [(0,)]),
        ("When was Sued closed?", [("2025-05-01",)]),
    ],
)
def test_date_tells_the_state(question, rows, halls, understood):
    analyst, con = halls
    outcome = understood(analyst, question)
    assert con.execute(analyst.sql(outcome.meaning, context=False)).fetchall() == rows


def test_state_is_said_and_cites_nothing(halls, understood):
    outcome = understood(halls[0], "How many halls are open?")
    assert "“open” means that there is no closed date" in outcome.assumptions
    assert outcome.cited == ()
    assert halls[0].cited(outcome.meaning) == ()


def test_best_month_needs_a_figure(plain):
    assert "by which figure?" in plain.read("What is our best order date?").reason


_ORDERS = "SELECT country, COUNT(*) AS n FROM orders JOIN customers USING (customer_id) GROUP BY country"
_CUSTOMERS = "SELECT country, COUNT(*) AS n FROM customers GROUP BY country"


@pytest.mark.parametrize(
    ("question", "gold"),
    [
        ("How many customers and orders are there?", "SELECT (SELECT COUNT(*) FROM customers), COUNT(*) FROM orders"),
        (
            "number of customers and number of orders by country",
            f"SELECT country, c.n, o.n FROM ({_CUSTOMERS}) c JOIN ({_ORDERS}) o USING (country)",
        ),
        (
            "total freight and number of customers by region",
            "SELECT r.name, (SELECT SUM(freight) FROM orders JOIN customers USING (customer_id) WHERE region_id ="
            " r.region_id), (SELECT COUNT(*) FROM customers c WHERE c.region_id = r.region_id) FROM regions r",
        ),
        (
            "freight as a percentage of seats",
            "SELECT a, b, 100 * a / b FROM (SELECT (SELECT SUM(freight) FROM orders) AS a, (SELECT SUM(seats) FROM"
            " flights) AS b)",
        ),
        (
            "ratio of freight to seats",
            "SELECT a, b, a / b FROM (SELECT (SELECT SUM(freight) FROM orders) AS a, (SELECT SUM(seats) FROM flights)"
            " AS b)",
        ),
    ],
)
def test_figures_of_different_tables_stand_side_by_side(question, gold, plain, shop, understood, same_rows):
    sql = plain.sql(understood(plain, question).meaning)
    assert same_rows(shop.execute(sql).fetchall(), shop.execute(gold).fetchall()), sql


def test_what_comes_first_by_two_tables_is_refused_and_not_chosen_for_ever(plain):
    schema = next(iter(plain.sources.values())).schema
    customers, stores = schema.entities["customers"], schema.entities["stores"]
    figures = [(Wanted(aggregate="count", entity=entity), True) for entity in (customers, stores)]
    choice = Draft(schema=schema, pieces=[], ranked=customers, groups=[customers], order=figures, limit=1)
    with pytest.raises(Misfit, match="chosen by their figure"):
        chosen_as_condition(choice)


def test_groups_that_only_one_table_has_are_kept(plain, shop, understood):
    sql = plain.sql(understood(plain, "number of customers and number of orders by country").meaning)
    gold = "SELECT COUNT(DISTINCT country) FROM customers"
    assert len(shop.execute(sql).fetchall()) == shop.execute(gold).fetchone()[0]


def test_follow_up_keeps_both_figures(plain, understood):
    before = understood(plain, "number of customers and number of orders by country").meaning
    after = plain.read("by region instead", before).meaning
    assert [m.label for m in after.figures] == ["customers", "orders"]
    assert after.dimensions[0].label == "region"


def test_figures_without_groups_in_common_are_refused(plain):
    outcome = plain.read("total freight and total seats by country")
    assert isinstance(outcome, NotUnderstood)
    assert "no key that leads from flights to customers" in outcome.reason


@pytest.mark.parametrize("question", ["number of visits by hour of the day", "How many visits are there per hour?"])
def test_hours_are_those_of_the_day(question, made, understood):
    analyst, con = made(
        "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, visited_at TIMESTAMP NOT NULL);"
        "INSERT INTO visits VALUES (1, '2025-03-01 09:30:00'), (2, '2025-04-02 09:00:01'), (3, '2025-04-02 23:59:59'),"
        " (4, '2025-05-07 00:00:00');"
    )
    outcome = understood(analyst, question)
    assert con.execute(analyst.sql(outcome.meaning)).fetchall() == [(0, 1), (9, 2), (23, 1)]


def test_hour_of_a_mere_date_is_refused(plain):
    outcome = plain.read("number of orders by hour of the day")
    assert "does not know the hour" in outcome.reason


def test_follow_up_keeps_what_is_divided_and_ranked_within(plain, shop, understood):
    before = understood(plain, "average number of orders per customer").meaning
    after = plain.read("by country", before).meaning
    assert after.measures[0].per == before.measures[0].per
    best = understood(plain, "What is the best selling product in each category?").meaning
    only = plain.read("only 2025", best).meaning
    assert (only.within, only.limit) == (1, 1)
    assert shop.execute(plain.sql(only)).fetchall()
