"""What is a study and what is not; how it is read, and why it is declined."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable
from contextlib import closing
from dataclasses import replace
from datetime import date, timedelta
from pathlib import Path

import pytest

from assistant.data.catalog import Catalog
from assistant.embedded.analyst import Analyst
from assistant.embedded.meaning import Meaning
from assistant.embedded.outcomes import NotUnderstood, Understood
from assistant.embedded.studies.outcomes import Recognised, Refused, Unsure
from assistant.embedded.studies.queries import queries
from assistant.embedded.studies.recognising import changed, recognise
from assistant.embedded.studies.study import study_of
from assistant.embedded.studies.writing import cell, operations

STUDIES = [
    ("describe the orders", "description", "What is in orders"),
    ("What is odd in the order lines?", "description", "What looks odd in order lines"),
    ("Are there missing values in customers?", "description", "What is missing in customers"),
    ("How is the unit price distributed?", "distribution", "Distribution of unit price over order lines"),
    ("distribution of revenue by customer", "distribution", "Distribution of net revenue by customer"),
    ("median list price", "distribution", "Median of list price over products"),
    ("outliers in list price", "distribution", "Outliers of list price over products"),
    ("correlation between quantity and discount", "relation", "Discount against quantity over order lines"),
    ("does list price depend on unit cost?", "relation", "List price against unit cost over products"),
    ("Is marketing spend related to revenue?", "relation", "Net revenue against marketing spend over months"),
    ("Is there a trend in revenue?", "trend", "Trend of net revenue by month"),
    ("is revenue in the south falling?", "trend", "Trend of net revenue by month, where region is South"),
    ("how did revenue change by month", "growth", "Growth of net revenue by month"),
    ("revenue growth year over year", "growth", "Growth of net revenue by month against the year before"),
    ("revenue year over year", "growth", "Growth of net revenue by month against the year before"),
    ("revenue yoy by quarter", "growth", "Growth of net revenue by quarter against the year before"),
    ("show me our revenue month over month", "growth", "Growth of net revenue by month"),
    ("number of orders qoq", "growth", "Growth of number of orders by quarter"),
    ("running total of revenue in 2025 by quarter", "growth", "Running total of net revenue by quarter, 2025"),
    ("compare revenue in 2025 with 2024", "periods", "Net revenue: 2025 against 2024"),
    ("did revenue grow in 2025?", "periods", "Net revenue: 2025 against 2024"),
    ("How did revenue change in March?", "periods", "Net revenue: March 2026 against February 2026"),
    (
        "compare the number of orders in March 2026 with the same month last year",
        "periods",
        "Number of orders: March 2026 against March 2025",
    ),
    (
        "compare revenue with last year",
        "periods",
        "Net revenue: 1 January to 20 November 2026 against 1 January to 20 November 2025",
    ),
    (
        "revenue by region in March 2026 vs March 2025",
        "causes",
        "Net revenue by region: March 2026 against March 2025",
    ),
    ("compare revenue by channel in 2025 with 2024", "causes", "Net revenue by channel: 2025 against 2024"),
    (
        "Why did revenue fall in March?",
        "causes",
        "What the change of net revenue came from: March 2026 against February 2026",
    ),
    (
        "why was revenue lower in March than a year ago?",
        "causes",
        "What the change of net revenue came from: March 2026 against March 2025",
    ),
    (
        "what drove the increase in revenue in 2025?",
        "causes",
        "What the change of net revenue came from: 2025 against 2024",
    ),
    (
        "Which region grew the most?",
        "causes",
        "Change of net revenue by region: 1 January to 20 November 2026 against 1 January to 20 November 2025",
    ),
    (
        "which categories fell the most in units sold in 2025?",
        "causes",
        "Change of units sold by category: 2025 against 2024",
    ),
    ("forecast revenue for the next 3 months", "forecast", "Forecast of net revenue by month up to February 2027"),
    (
        "How many orders will we get next month?",
        "forecast",
        "Forecast of number of orders by month up to December 2026",
    ),
    ("what will revenue be next quarter?", "forecast", "Forecast of net revenue by month up to March 2027"),
    (
        "Is the average order value different between north and south?",
        "groups",
        "Average order value of “North” and “South”",
    ),
    ("compare revenue of corporate and consumer customers", "groups", "Net revenue of “corporate” and “consumer”"),
    (
        "is there a difference in satisfaction between urgent and low tickets?",
        "groups",
        "Average satisfaction of “urgent” and “low”",
    ),
    ("does satisfaction depend on priority?", "groups", "Average satisfaction of all priorities"),
    ("does satisfaction depend on the priority of the ticket?", "groups", "Average satisfaction of all priorities"),
    ("Which customers are at risk?", "risk", "Customers who have been silent for much longer than usual"),
]

ORDINARY = [
    "revenue by region",
    "revenue by month",
    "show the monthly revenue in 2025",
    "how many orders are there?",
    "top 5 products by units sold",
    "what was net revenue last quarter?",
    "which customers have more than 10 orders?",
    "customers without an order",
    "average order value by channel",
    "orders in March",
    "churn rate by region",
    "how many customers are there per region?",
    "list the customers in the south",
]


@pytest.mark.parametrize(("question", "kind", "title"), STUDIES, ids=[q for q, _, _ in STUDIES])
def test_a_question_is_recognised_with_its_kind_and_what_it_is_about(
    company_analyst: Analyst, question: str, kind: str, title: str
) -> None:
    found = recognise(question, company_analyst)
    assert isinstance(found, Recognised), found
    assert (found.study.kind, found.study.title) == (kind, title)


@pytest.mark.parametrize(("question", "kind", "title"), STUDIES, ids=[q for q, _, _ in STUDIES])
def test_a_study_survives_the_log_and_its_code_is_python_whose_queries_are_given(
    company_analyst: Analyst, question: str, kind: str, title: str
) -> None:
    found = recognise(question, company_analyst)
    assert isinstance(found, Recognised)
    assert study_of(found.study.model_dump_json()) == found.study
    code = cell(found.study)
    compile(code, "<cell>", "exec")
    assert "raise ValueError" in code, "a cell guards itself against too little data"
    assert "alt.Chart" in code
    assert max(len(line) for line in code.splitlines()) <= 200
    for query in queries(found.study, company_analyst):
        assert query.name in code
    assert operations(found.study)


@pytest.mark.parametrize("question", ORDINARY)
def test_ordinary_questions_are_left_to_the_analyst(company_analyst: Analyst, question: str) -> None:
    assert recognise(question, company_analyst) is None


DECLINED = [
    ("correlation between region and colour", "“region” is no number"),
    ("correlation between region and channel", "“region” and “channel” are no numbers"),
    ("which products are at risk?", "not people or companies that come back"),
    ("why did it drop?", "nothing was asked before"),
    ("forecast the flurb for the next 3 months", "flurb"),
    ("is there a trend in active customers?", "defined for today only"),
    ("running total of the average order value", "adds up"),
    ("distribution of the weather", "no distribution"),
    ("is revenue by region related to marketing spend?", "not once for each region"),
    ("forecast revenue by channel and region for 3 months", "one kind of groups"),
    ("forecast revenue for the next 90 months", "further than the past can tell"),
    ("why did active customers fall in March?", "defined for today only"),
]


@pytest.mark.parametrize(("question", "reason"), DECLINED, ids=[q for q, _ in DECLINED])
def test_nonsense_is_declined_with_a_reason(company_analyst: Analyst, question: str, reason: str) -> None:
    found = recognise(question, company_analyst)
    assert isinstance(found, Refused), found
    assert reason in found.reason


def test_this_table_is_asked_back_about_where_there_are_several(company_analyst: Analyst) -> None:
    found = recognise("what is odd in this table?", company_analyst)
    assert isinstance(found, Unsure)
    assert "What looks odd in orders" in [label for label, _ in found.options]


def test_this_table_is_the_only_one_of_a_file(sales_analyst: Analyst) -> None:
    found = recognise("what is odd in this table?", sales_analyst)
    assert isinstance(found, Recognised)
    assert found.study.title == "What looks odd in sales"


def read(analyst: Analyst, question: str) -> Meaning:
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    return outcome.meaning


def test_it_is_the_figure_before_with_its_filters(company_analyst: Analyst) -> None:
    before = read(company_analyst, "revenue by month in the south")
    found = recognise("why did it fall in August?", company_analyst, before)
    assert isinstance(found, Recognised)
    assert found.study.title == (
        "What the change of net revenue came from, where region is South: August 2026 against July 2026"
    )


def test_why_alone_means_the_period_that_was_asked_for(company_analyst: Analyst) -> None:
    found = recognise("why?", company_analyst, read(company_analyst, "revenue in 2025"))
    assert isinstance(found, Recognised)
    assert found.study.title == "What the change of net revenue came from: 2025 against 2024"


def test_why_it_moved_is_asked_of_the_periods_that_were_compared(company_analyst: Analyst) -> None:
    compared = recognise("compare revenue in 2025 with 2023", company_analyst)
    assert isinstance(compared, Recognised)
    why = recognise("why did it rise?", company_analyst, compared.study.rows[0], compared.study)
    assert isinstance(why, Recognised)
    assert why.study.title.endswith("2025 against 2023")


def test_a_question_of_its_own_is_no_follow_up(company_analyst: Analyst) -> None:
    months = company_analyst.read("revenue by month")
    assert isinstance(months, Understood)
    best = company_analyst.read("top 5 customers by revenue", months.meaning)
    assert isinstance(best, Understood)
    assert [d.column.table for d in best.meaning.dimensions] == ["customers"]
    refused = company_analyst.read("and their shoe size", best.meaning)
    assert isinstance(refused, NotUnderstood)


def test_a_follow_up_changes_the_study_before(company_analyst: Analyst) -> None:
    first = recognise("forecast revenue for the next 3 months", company_analyst)
    assert isinstance(first, Recognised)
    second = recognise("only the south", company_analyst, first.study.rows[0], first.study)
    assert isinstance(second, Recognised)
    assert second.study.kind == "forecast"
    assert second.study.title.endswith("where region is South")


def test_a_wish_changes_a_study(company_analyst: Analyst) -> None:
    first = recognise("is there a trend in revenue?", company_analyst)
    assert isinstance(first, Recognised)
    second = changed("in the north please", first.study, company_analyst)
    assert isinstance(second, Recognised)
    assert "where region is North" in second.study.title
    assert isinstance(changed("make it flurbier", first.study, company_analyst), Refused | None)


def test_a_very_large_table_is_read_in_part_and_that_is_said(sales_analyst: Analyst) -> None:
    (catalog,) = sales_analyst.catalogs
    large = replace(catalog, tables=tuple(replace(table, rows=40_000_000) for table in catalog.tables))
    analyst = Analyst([large], (), sales_analyst.today)
    found = recognise("distribution of the amount", analyst)
    assert isinstance(found, Recognised)
    assert any("only the first 500,000 rows" in note for note in found.assumptions)
    assert "LIMIT 500000" in queries(found.study, analyst)[0].sql
    grouped = recognise("is there a trend in the amount?", analyst)
    assert isinstance(grouped, Recognised)
    assert "LIMIT" not in queries(grouped.study, analyst)[0].sql, "what the source adds up is never cut"


def test_rows_are_counted_though_their_number_is_called_like_them(
    tmp_path: Path, catalog_of: Callable[[Path], Catalog]
) -> None:
    path = tmp_path / "help.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.execute(
            "CREATE TABLE tickets (ticket INTEGER NOT NULL, opened DATE NOT NULL, score INTEGER NOT NULL)"
        )
        days = [date(2025, 1, 1) + timedelta(days=2 * n) for n in range(300)]
        connection.executemany(
            "INSERT INTO tickets VALUES (?, ?, ?)", [(n, d.isoformat(), n % 5) for n, d in enumerate(days)]
        )
    analyst = Analyst([catalog_of(path)], (), date(2026, 11, 21))
    found = recognise("forecast tickets for the next month", analyst)
    assert isinstance(found, Recognised)
    assert found.study.title.startswith("Forecast of number of tickets by month")
    scores = recognise("is there a trend in the score?", analyst)
    assert isinstance(scores, Recognised)
    assert scores.study.title.startswith("Trend of average score")


def test_the_sql_of_two_periods_passes_for_every_source(company_analyst: Analyst, sales_analyst: Analyst) -> None:
    """A split compares both periods in one pass, and groups by what it shows."""
    for analyst, question in (
        (company_analyst, "why did revenue fall in March?"),
        (sales_analyst, "why did the amount fall in March 2025?"),
    ):
        found = recognise(question, analyst)
        assert isinstance(found, Recognised)
        (query,) = queries(found.study, analyst)
        assert query.sql.count("UNION ALL") == len(found.study.rows), (
            "one block for each split, and one for the year before"
        )
