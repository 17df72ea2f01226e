"""Set phrases of the office ("how are we doing?", "best month ever") and what they leave unsaid.

Answers are checked by hand-written SQL on the shop, the words that a phrase is put into by reading them.
"""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from dataclasses import replace
from datetime import date

import pytest

from assistant.agents.embedded.conversing import read
from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.deciding import Decider
from assistant.embedded.linking import idioms
from assistant.embedded.outcomes import Ambiguous, NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised
from assistant.embedded.studies.study import Distribution, Periods
from knowledge.documents import Metric, VerifiedQuery

_VALUE = "SELECT o.order_id, SUM(l.quantity * l.unit_price) AS worth FROM orders o JOIN order_lines l USING (order_id)"
_SPENT = (
    "SELECT customer_id, SUM(worth) AS spent FROM orders"
    f" JOIN ({_VALUE} WHERE o.status <> 'cancelled' GROUP BY 1) USING (order_id) GROUP BY 1"
)


def _plain(analyst: Analyst, question: str) -> tuple[str, str]:
    return idioms.plain(question, [source.linker for source in analyst.sources.values()])


def _rows(analyst: Analyst, shop: sqlite3.Connection, question: str) -> list[tuple[object, ...]]:
    outcome = read(question, analyst, ())
    assert isinstance(outcome, Understood), outcome
    return shop.execute(analyst.sql(outcome.meaning, context=False)).fetchall()


@pytest.mark.parametrize(
    ("question", "put"),
    [
        ("How are we doing?", "net revenue this year vs last year"),
        ("how's business this year", "net revenue this year vs last year"),
        ("how did we do in October?", "compare net revenue in October with the same period last year"),
        ("How are sales going since March", "compare net revenue since March with the same period last year"),
        ("what's our best month ever?", "which month had the highest net revenue"),
        ("best month in 2025", "which month had the highest net revenue in 2025"),
        ("worst quarter for freight", "which quarter had the lowest freight"),
        ("busiest day of the week", "which weekday had the most orders"),
        ("give me a quick overview of sales last quarter", "sales last quarter"),
        ("median order value", "median net revenue per order"),
        ("orders over 500 euros last month", "orders with net revenue over 500 last month"),
        ("customers who haven't ordered in 6 months", "customers who haven't ordered in the last 6 months"),
    ],
)
def test_a_set_phrase_is_put_plainly(informed: Analyst, question: str, put: str) -> None:
    assert _plain(informed, question)[0] == put


@pytest.mark.parametrize(
    "question",
    [
        "How many customers are there?",
        "how do we ship orders by status",
        "best product in 2025",
        "average order value by month",
        "orders over 30 days old",
        "overview of products",
        "orders not shipped within 3 days of the order",
        "How did revenue change in March?",
        "number of orders by month",
    ],
)
def test_a_question_that_says_all_stays_as_it_is(informed: Analyst, question: str) -> None:
    assert _plain(informed, question) == (question, "")


def test_how_we_are_doing_is_what_was_sold_against_the_year_before_and_says_so(informed: Analyst) -> None:
    outcome = read("how are we doing?", informed, ())
    assert isinstance(outcome, Recognised)
    assert isinstance(outcome.study, Periods)
    assert outcome.assumptions[0] == "“how are we doing” is told by net revenue"


def test_the_value_of_an_order_is_what_it_was_sold_for(informed: Analyst) -> None:
    outcome = read("distribution of order values", informed, ())
    assert isinstance(outcome, Recognised)
    assert isinstance(outcome.study, Distribution)
    assert outcome.assumptions[0] == "“order values” is net revenue per order"


def test_a_period_against_last_year_is_the_same_period_of_last_year(informed: Analyst) -> None:
    outcome = read("net revenue in October compared with last year", informed, ())
    assert isinstance(outcome, Recognised)
    assert isinstance(outcome.study, Periods)
    assert outcome.study.before.start == date(2025, 10, 1)
    assert outcome.study.before.end == date(2025, 11, 1)


def test_two_neighbouring_periods_are_set_side_by_side(informed: Analyst) -> None:
    outcome = read("net revenue last quarter vs the quarter before", informed, ())
    assert isinstance(outcome, Recognised)
    assert isinstance(outcome.study, Periods)
    assert (outcome.study.now.start, outcome.study.before.start) == (date(2026, 7, 1), date(2026, 4, 1))


def test_the_best_month_has_the_most_of_what_was_sold(informed: Analyst, shop: sqlite3.Connection) -> None:
    best = shop.execute(
        f"SELECT strftime('%Y-%m-01', order_date) FROM orders JOIN ({_VALUE} WHERE o.status <> 'cancelled' GROUP BY 1)"
        " USING (order_id) GROUP BY 1 ORDER BY SUM(worth) DESC LIMIT 1"
    ).fetchone()
    assert _rows(informed, shop, "whats our best month ever")[0][0] == best[0]


def test_who_spent_more_than_so_much_is_counted(informed: Analyst, shop: sqlite3.Connection) -> None:
    expected = shop.execute(f"SELECT COUNT(*) FROM ({_SPENT}) WHERE spent > 3000").fetchall()
    assert 0 < expected[0][0] < shop.execute("SELECT COUNT(*) FROM customers").fetchone()[0]
    assert _rows(informed, shop, "how many customers spent more than 3000?") == expected


def test_a_count_of_rows_bound_by_a_sum_says_its_conditions(informed: Analyst, shop: sqlite3.Connection) -> None:
    expected = shop.execute(
        f"SELECT COUNT(*) FROM ({_VALUE} WHERE o.status <> 'cancelled' AND o.order_date >= '2025-01-01'"
        " AND o.order_date < '2026-01-01' GROUP BY 1) WHERE worth > 500"
    ).fetchall()
    outcome = read("how many orders over 500 euros in 2025", informed, ())
    assert isinstance(outcome, Understood | Ambiguous)
    meaning = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]
    label = outcome.restated if isinstance(outcome, Understood) else outcome.options[0][0]
    assert shop.execute(informed.sql(meaning, context=False)).fetchall() == expected
    assert label == "Number of orders, where order is one with net revenue over 500 for 2025"


def test_the_top_ten_of_a_period_go_by_what_was_sold(informed: Analyst) -> None:
    outcome = read("top 10 customers last 12 months", informed, ())
    assert isinstance(outcome, Understood)
    assert outcome.restated.startswith("10 customers with the highest net revenue for")


def test_a_set_phrase_that_was_marked_right_is_answered_by_what_was_marked(catalog: Catalog) -> None:
    marked = VerifiedQuery(
        question="What is our best month ever?",
        sql="SELECT order_date FROM orders",
        verifier="Ada",
        verified_on=date(2026, 10, 1),
        tables=("orders",),
    )
    outcome = read("what is our best month ever", Analyst([catalog], (marked,), date(2026, 11, 21)), ())
    assert isinstance(outcome, Understood)
    assert (outcome.trust, outcome.meaning.verified_sql) == ("verified", "SELECT order_date FROM orders")


def test_a_metric_that_is_the_plain_sum_of_a_column_is_no_second_reading_of_it(catalog: Catalog) -> None:
    metrics = (
        Metric(name="freight spend", expression="SUM(orders.freight)", table="orders", origin="metrics.yaml"),
        Metric(name="freight peak", expression="MAX(orders.freight)", table="orders", origin="metrics.yaml"),
    )
    analyst = Analyst([catalog], metrics, date(2026, 11, 21))
    spend, total, peak = (
        replace(analyst.candidates(f"{figure} by status")[0], score=0.95)
        for figure in ("freight spend", "total freight", "freight peak")
    )
    decider = Decider(analyst.sources, hint=str)
    assert isinstance(one := decider.outcome([spend, total]), Understood)
    assert one.meaning == spend.meaning
    assert isinstance(decider.outcome([spend, peak]), Ambiguous)


def test_whose_are_new_is_asked_where_nothing_says_when(catalog: Catalog) -> None:
    documents = (
        Metric(
            name="net revenue", expression="SUM(order_lines.quantity * order_lines.unit_price)", table="order_lines",
            joins=("orders",), date_column="orders.order_date", origin="metrics.yaml",
        ),
        Metric(
            name="new customers", expression="COUNT(DISTINCT customers.customer_id)", table="customers",
            date_column="customers.signup_date", origin="metrics.yaml",
        ),
    )  # fmt: skip
    analyst = Analyst([catalog], documents, date(2026, 11, 21))
    when = analyst.read("net revenue from new customers")
    assert isinstance(when, NotUnderstood)
    assert "New when?" in when.reason
    assert isinstance(analyst.read("net revenue from new customers in 2025"), Understood)


_CLINIC = """
CREATE TABLE clinics (clinic_id INTEGER PRIMARY KEY, name TEXT NOT NULL, closed_date DATE);
CREATE TABLE visits (
    visit_id INTEGER PRIMARY KEY, clinic_id INTEGER NOT NULL REFERENCES clinics (clinic_id), visit_date DATE NOT NULL,
    fee REAL NOT NULL, discount REAL NOT NULL);
CREATE TABLE refusals (
    refusal_id INTEGER PRIMARY KEY, visit_id INTEGER NOT NULL REFERENCES visits (visit_id), reason TEXT NOT NULL);
INSERT INTO clinics VALUES (1, 'North', NULL), (2, 'South', '2025-03-01'), (3, 'West', NULL);
INSERT INTO visits VALUES
    (1, 1, '2025-01-02', 40, 0), (2, 1, '2025-02-03', 50, 5), (3, 2, '2025-02-04', 60, 0), (4, 3, '2026-01-05', 70, 10);
INSERT INTO refusals VALUES (1, 1, 'late'), (2, 2, 'late'), (3, 2, 'no card');
"""

Opened = Callable[..., tuple[Analyst, sqlite3.Connection]]


@pytest.fixture(scope="module")
def clinic(opened: Opened) -> tuple[Analyst, sqlite3.Connection]:
    return opened("clinic", _CLINIC, date(2026, 6, 15))


def test_why_something_happens_is_told_by_its_reasons(clinic: tuple[Analyst, sqlite3.Connection]) -> None:
    analyst, con = clinic
    assert sorted(_rows(analyst, con, "why are there refusals?")) == [("late", 2), ("no card", 1)]
    changed = "why did visits fall in February?"
    assert _plain(analyst, changed) == (changed, "")


@pytest.mark.parametrize(
    ("question", "expected"),
    [
        ("visits without discount", [(1,), (3,)]),
        ("which clinics had no discount", [("South",)]),
    ],
)
def test_none_of_a_number_that_every_row_has_is_zero(
    clinic: tuple[Analyst, sqlite3.Connection], question: str, expected: list[tuple[object, ...]]
) -> None:
    analyst, con = clinic
    found = analyst.candidates(question)[0]
    assert [row[:1] for row in con.execute(analyst.sql(found.meaning, context=False)).fetchall()] == expected


def test_a_state_of_the_rows_above_is_not_that_of_the_rows_named(clinic: tuple[Analyst, sqlite3.Connection]) -> None:
    analyst, con = clinic
    assert not isinstance(analyst.read("how many visits are still open?"), Understood)
    assert _rows(analyst, con, "how many visits of open clinics are there?") == [(3,)]


_STOCK = """
CREATE TABLE makers (maker_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
CREATE TABLE lamps (
    lamp_id INTEGER PRIMARY KEY, name TEXT NOT NULL, maker_id INTEGER NOT NULL REFERENCES makers (maker_id),
    units_in_stock INTEGER NOT NULL, reorder_level INTEGER NOT NULL, betrag REAL NOT NULL);
INSERT INTO makers VALUES (1, 'Lux'), (2, 'Sol');
INSERT INTO lamps VALUES (1, 'Arc', 1, 0, 5, 10), (2, 'Beam', 1, 7, 5, 20), (3, 'Coil', 2, 0, 5, 40), (4, 'Disc', 2, 3, 5, 30);
"""


@pytest.mark.parametrize(
    ("question", "expected", "title"),
    [
        ("lamps out of stock", [("Arc",), ("Coil",)], "Out of stock lamps"),
        ("how many lamps are out of stock?", [(2,)], "Number of out of stock lamps"),
        ("how many lamps are in stock", [(2,)], "Number of in stock lamps"),
        ("share of betrag by maker", [("Sol", 70.0), ("Lux", 30.0)], "Share of total betrag by maker"),
    ],
)
def test_what_has_run_out_and_what_a_part_is_of(
    opened: Opened, question: str, expected: list[tuple[object, ...]], title: str
) -> None:
    analyst, con = opened("lamps", _STOCK)
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood)
    rows = con.execute(analyst.sql(outcome.meaning, context=False)).fetchall()
    assert [(row[0], row[-1]) if len(row) > 1 else row for row in rows] == expected
    assert outcome.restated == title


def test_the_best_by_kind_are_the_best_of_each(informed: Analyst) -> None:
    outcome = informed.read("most expensive product by category")
    assert isinstance(outcome, Understood)
    assert outcome.restated == "Product with the highest price in each category"


def test_money_is_not_bound_by_a_percentage(informed: Analyst) -> None:
    outcome = informed.read("products with net revenue under 20%")
    assert isinstance(outcome, NotUnderstood)
    assert "no percentage" in outcome.reason
