"""What is not read and would make the answer another one is never left out without a word: it is asked, or declined."""

from __future__ import annotations

import pytest
from sample_analyst import answered, asked, restated, rows_of

from assistant.analyst.algebra import Grouped, Limit
from assistant.analyst.linking.tokens import of_class, words
from assistant.analyst.outcomes import Ambiguous, Declined, Message, Understood
from assistant.analyst.unread import unbound_words

UNREAD = """
median revenue by region
standard deviation of revenue by month
which category lost revenue
which categories lost revenue in 2025 compared to 2024
how many customers have no phone
customers who do not have a phone
orders between 100 and 200 euros
top 10% of customers by revenue
revenue per employee
net revenue last month vs the month before
is revenue increasing?
customers who only bought online
how many orders were placed at night
average zest by month
how many zesty orders are there
revenue of products that were recalled
customers who are also suppliers
which customers bought in 2025 but not in 2026
median order value by region
how many countries do we have
net revenue by region zebra
zebra net revenue by region
why is revenue in March highest?
why did revenue drop in March?
why is revenue high?
"""
PAID = "l.quantity * l.unit_price * (1 - l.discount) - l.refunded"
SALES = "order_lines l JOIN orders o USING (order_id) WHERE o.status <> 'cancelled'"


@pytest.mark.parametrize("question", UNREAD.strip().splitlines())
def test_a_question_with_an_unread_operator_is_not_answered_unasked(question: str) -> None:
    assert isinstance(asked(question), Ambiguous | Declined)


@pytest.mark.parametrize("question", ["only online orders by status", "net revenue by region for online orders only"])
def test_only_of_the_rows_that_are_counted_changes_nothing(question: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Understood)
    assert "online" in outcome.restated


def test_a_value_of_the_key_that_is_left_out_is_no_group() -> None:
    gold = rows_of(f"SELECT channel, SUM({PAID}) FROM {SALES} AND channel <> 'phone' GROUP BY 1")
    found = answered("net revenue by channel excluding phone")
    assert dict(found) == pytest.approx(dict(gold))  # pyright: ignore


def test_what_minus_what_is_as_it_was_said() -> None:
    (first,), (second,) = (
        answered("difference in revenue 2024 minus 2025"),
        answered("difference in revenue 2024 and 2025"),
    )
    assert first[0] == -second[0]  # pyright: ignore[reportOperatorIssue]


def test_a_mean_of_things_is_told_apart_by_the_other_key() -> None:
    of_customers = f"SELECT region_id, o.customer_id, SUM({PAID}) AS paid FROM {SALES} GROUP BY 1, 2"
    gold = rows_of(f"SELECT name, AVG(paid) FROM ({of_customers}) JOIN regions USING (region_id) GROUP BY region_id")
    assert dict(answered("average revenue per customer by region")) == pytest.approx(dict(gold))  # pyright: ignore


def test_rows_are_not_counted_by_what_only_one_of_them_is_called() -> None:
    assert not isinstance(asked("least popular category"), Understood)


def test_a_size_is_no_number_of_things() -> None:
    assert not isinstance(asked("how many customers are older than 60"), Understood)


def test_a_reading_of_an_operator_comes_before_one_without_it() -> None:
    assert restated("median net revenue per order").startswith("Median net revenue")


def test_how_many_of_things_that_meet_a_condition_a_row_has() -> None:
    gold = "SELECT customer_id FROM support_tickets WHERE closed_date IS NULL GROUP BY 1 HAVING COUNT(*) >= 2"
    assert len(answered("customers with at least 2 open tickets")) == len(rows_of(gold)) > 0


def test_a_term_is_known_by_a_part_of_its_synonym_only_where_its_thing_is_said() -> None:
    assert isinstance(asked("how many lost customers are there"), Understood)
    assert "churned" not in str(asked("which category lost revenue"))


def test_why_a_group_is_highest_compares_it_with_the_others() -> None:
    assert restated("why is revenue highest in the north?") == "What makes net revenue of North differ from the others"


def test_function_words_are_a_closed_class() -> None:
    assert 0 < len(of_class("function words")) <= 60


@pytest.mark.parametrize(
    ("question", "read", "unbound"),
    [
        ("show the orders", (2,), []),
        ("orders zebra", (0,), [1]),
        ("orders and list customers", (0, 3), []),
        ("orders located in Bern", (0, 3), []),
        ("orders located in zebra", (0,), [1, 3]),
        ("only the orders", (2,), [0]),
    ],
)
def test_a_word_is_bound_by_what_it_stands_beside(question: str, read: tuple[int, ...], unbound: list[int]) -> None:
    assert unbound_words(words(question), sum(1 << at for at in read)) == unbound


def test_highest_first_only_orders() -> None:
    outcome = asked("net revenue by region, highest first")
    assert isinstance(outcome, Understood)
    query = outcome.meaning.query
    assert isinstance(query, Grouped)
    assert query.limit is None
    assert query.order[0].descending


@pytest.mark.parametrize(
    ("question", "words_of_restatement"),
    [
        ("how did we do last month?", "net revenue"),
        ("what was net revenue between March 1 and May 31", "from 2026-03-01 to 2026-05-31"),
        ("how much revenue did we make", "net revenue"),
        ("share of orders cancelled", "share of orders"),
        ("why did net revenue change in June 2026 compared with May", "in june 2026 against may 2026"),
        ("profit margin by region", "margin"),
    ],
)
def test_ordinary_questions_are_answered_at_once(question: str, words_of_restatement: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Understood)
    assert words_of_restatement in outcome.restated.lower()


def test_the_first_rows_are_as_many_as_were_asked_for() -> None:
    outcome = asked("show the first 5 orders")
    assert isinstance(outcome, Understood)
    assert getattr(outcome.meaning.query, "limit", None) == Limit(5)


@pytest.mark.parametrize(
    ("question", "column"), [("what columns are there?", "refund_amount"), ("describe the orders table", "order_date")]
)
def test_the_columns_of_tables_are_told(question: str, column: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Message)
    assert column in outcome.text


@pytest.mark.slow
@pytest.mark.parametrize(
    "question",
    [
        "revenue by region, 2025 compared to 2024",
        "compare revenue of North and South by category",
        "compare revenue of North and South by month in 2025",
    ],
)
def test_the_two_that_are_compared_are_never_one_total(question: str) -> None:
    outcome = asked(question)
    assert isinstance(outcome, Understood | Ambiguous)
    meanings = [outcome.meaning] if isinstance(outcome, Understood) else [meaning for _, meaning in outcome.options]
    assert any(isinstance(m.query, Grouped) and len(m.query.figures) == 2 for m in meanings), "side by side"


def test_what_is_compared_is_said_in_short() -> None:
    assert restated("revenue in 2025 vs 2024") == "Net revenue in 2025 and net revenue in 2024"
    assert restated("compare revenue in North and South") == "Net revenue for “North” and net revenue for “South”"
