"""What uses each word and computes something else is not answered: of all rows, of another way, of other things."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from functools import cache

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.outcomes import Ambiguous, Outcome, Understood
from assistant.evaluation.comparison import are_equal

WARDS = ("Surgery", "Maternity", "Cardiology")
KINDS = ("Hotel", "Hostel", "Inn")
CLINIC = RowTables(
    name="clinic",
    tables={
        "wards": [{"ward_id": i + 1, "ward_name": name} for i, name in enumerate(WARDS)],
        "nurses": [{"nurse_id": i, "nurse_name": f"Nurse {i}", "ward_id": 1 + i % 3} for i in range(1, 7)],
        "admissions": [
            {
                "admission_id": i,
                "ward_id": 1 + i * i % 3,
                "kind": ("emergency", "planned")[i % 5 % 2],
                "admitted_on": f"2025-{1 + i % 12:02}-{1 + i % 28:02}",
                "left_on": None if i % 6 == 5 else f"2026-01-{1 + i % 28:02}",
            }
            for i in range(1, 41)
        ],
        "falls": [{"fall_id": i, "admission_id": 1 + i * 7 % 40, "reported_by": 1 + i % 6} for i in range(1, 25)],
        "bills": [
            {
                "bill_id": i,
                "admission_id": 1 + i * 3 % 40,
                "billed_on": f"2025-{1 + i % 12:02}-11",
                "amount": 10.5 * (i % 17),
            }
            for i in range(1, 61)
        ],
    },
    parents=(
        Parent("nurses", "ward_id", "wards", "ward_id"),
        Parent("admissions", "ward_id", "wards", "ward_id"),
        Parent("falls", "admission_id", "admissions", "admission_id"),
        Parent("falls", "reported_by", "nurses", "nurse_id"),
        Parent("bills", "admission_id", "admissions", "admission_id"),
    ),
    types={"admitted_on": "DATE", "left_on": "DATE", "billed_on": "DATE", "amount": "DOUBLE"},
)
HOTELS = RowTables(
    name="hotels",
    tables={
        "hotels": [
            {
                "hotel_id": 900 + i,
                "hotel_name": f"House {i}",
                "hotel_type": KINDS[i % 3],
                "city": ("Rome", "Oslo")[i % 2],
                "review_count": 7 * i % 90,
            }
            for i in range(60)
        ]
    },
    parents=(),
    types={},
)
EXPENSES = RowTables(
    name="expenses",
    tables={
        "expenses": [
            {
                "expense_id": 500 + i,
                "booked": f"2025-{1 + i % 12:02}-{1 + i % 28:02}",
                "office": ("Sales", "Legal")[i % 2],
                "quantity": 1 + i % 5,
                "cost": 3.25 * (i % 40),
                "approved": ("yes", "no")[i % 3 % 2],
            }
            for i in range(120)
        ]
    },
    parents=(),
    types={"booked": "DATE", "cost": "DOUBLE"},
)
OF_WARD = "JOIN admissions USING (admission_id) JOIN wards USING (ward_id)"
RIGHT = (
    (CLINIC, "falls per ward", f"SELECT ward_name, COUNT(*) FROM falls {OF_WARD} GROUP BY 1"),
    (CLINIC, "admissions by month", "SELECT SUBSTR(admitted_on, 1, 7), COUNT(*) FROM admissions GROUP BY 1"),
    (
        CLINIC,
        "how did we do in March 2025?",
        "SELECT SUM(amount) FROM bills WHERE billed_on LIKE '2025-03%'",
    ),
    (
        HOTELS,
        "how many hostels are in Rome",
        "SELECT COUNT(*) FROM hotels WHERE city = 'Rome' AND hotel_type = 'Hostel'",
    ),
    (HOTELS, "how many reviews do the inns have", "SELECT SUM(review_count) FROM hotels WHERE hotel_type = 'Inn'"),
    (EXPENSES, "how much did we spend in total", "SELECT SUM(cost) FROM expenses"),
    (EXPENSES, "total spend by office", "SELECT office, SUM(cost) FROM expenses GROUP BY 1"),
    (EXPENSES, "monthly spend", "SELECT SUBSTR(booked, 1, 7), SUM(cost) FROM expenses GROUP BY 1"),
    (EXPENSES, "average expense for Legal", "SELECT AVG(cost) FROM expenses WHERE office = 'Legal'"),
    (EXPENSES, "total cost in March 2025", "SELECT SUM(cost) FROM expenses WHERE booked LIKE '2025-03%'"),
)
UNASKED = (
    (CLINIC, "how many nurses are still here"),
    (CLINIC, "admissions in the last 7 days of August"),
    (EXPENSES, "how much was not approved"),
    (EXPENSES, "cost per unit by office"),
)


@cache
def analyst_of(name: str) -> Analyst:
    (data,) = (tables for tables in (CLINIC, HOTELS, EXPENSES) if tables.name == name)
    return Analyst((data.catalog(),), (), date(2026, 11, 28))


def ask(data: RowTables, question: str) -> tuple[Outcome, list[tuple[object, ...]]]:
    """What a question comes to once its likely readings were run, and the rows of an answer."""
    analyst, runs = analyst_of(data.name), QueryRuns()
    with closing(data.sqlite()) as connection:
        analyst.read(question, None, runs)
        runs.add({key: ResultSummary.of(tuple(connection.execute(key[1]).fetchall())) for key in runs.wanted})
        outcome = analyst.read(question, None, runs)
        if not isinstance(outcome, Understood):
            return outcome, []
        return outcome, connection.execute(analyst.sql(outcome.meaning)).fetchall()


@pytest.mark.parametrize(("data", "question", "gold"), RIGHT, ids=[question for _, question, _ in RIGHT])
def test_it_computes_what_the_words_mean(data: RowTables, question: str, gold: str) -> None:
    outcome, rows = ask(data, question)
    assert isinstance(outcome, Understood), outcome
    with closing(data.sqlite()) as connection:
        right = connection.execute(gold).fetchall()
    assert are_equal(rows, right, ordered=False), (outcome.restated, rows, right)


@pytest.mark.parametrize(("data", "question"), UNASKED, ids=[question for _, question in UNASKED])
def test_what_no_reading_computes_is_not_answered_unasked(data: RowTables, question: str) -> None:
    outcome, _ = ask(data, question)
    assert not isinstance(outcome, Understood), outcome


def test_a_share_that_is_hardly_likely_is_offered_first() -> None:
    outcome, _ = ask(HOTELS, "share of hostels by city")
    assert isinstance(outcome, Ambiguous), outcome
    right = "SELECT city, AVG(hotel_type = 'Hostel') FROM hotels GROUP BY 1"
    with closing(HOTELS.sqlite()) as connection:
        rows = connection.execute(analyst_of(HOTELS.name).sql(outcome.options[0][1])).fetchall()
        assert are_equal(rows, connection.execute(right).fetchall(), ordered=False)


def test_the_largest_order_is_not_the_most_orders() -> None:
    outcome, rows = ask(CLINIC, "which ward has the largest bill")
    if isinstance(outcome, Understood):
        with closing(CLINIC.sqlite()) as connection:
            bills = f"SELECT ward_name FROM bills {OF_WARD} ORDER BY amount DESC LIMIT 1"
            assert rows[0][0] == connection.execute(bills).fetchone()[0]


def test_a_comparison_that_brings_a_duration_does_not_fail() -> None:
    ask(CLINIC, "admissions longer than 3 days")
    ask(CLINIC, "admissions longer than their ward")


def test_a_bound_of_groups_beside_a_condition_that_keeps_one_value_does_not_fail() -> None:
    ask(CLINIC, "how many bills with amount of at least 37 or where the kind is emergency are there grouped by ward")
    ask(EXPENSES, "how many expenses with cost of at least 37 or where approved is yes are there grouped by approved")
