"""Days that move with today: told by the words that asked for them, filled in on another day, never guessed."""

from __future__ import annotations

from datetime import date

import pytest

from knowledge.relative_days import depends_on_today, fill_days, generalise_days, has_placeholder

TODAY = date(2026, 9, 1)


@pytest.mark.parametrize(
    ("question", "sql", "is_moving"),
    [
        ("Revenue by region?", "SELECT 1", False),
        ("Revenue in 2025", "d >= '2025-01-01' AND d < '2026-01-01'", False),
        ("Revenue in March 2025", "d >= '2025-03-01' AND d < '2025-04-01'", False),
        ("Orders over 2,000", "amount > 2000", False),
        ("Orders over 2000", "amount > 2000", False),
        ("Revenue last quarter", "d >= '2026-07-01'", True),
        ("Revenue last quarter", "d >= date('now', '-3 months')", False),
        ("Churned customers", "last_order < '2026-08-25'", True),
        ("Revenue in 2025 to date", "d >= '2025-01-01'", True),
        ("Revenue in 2025", "d >= '2025-01-01' AND d < '2026-02-01'", True),
    ],
)
def test_code_that_holds_for_one_day_alone_is_told_from_what_lasts(question: str, sql: str, is_moving: bool) -> None:
    assert depends_on_today(sql, question) is is_moving


@pytest.mark.parametrize(
    ("question", "sql", "kept", "on", "later"),
    [
        (
            "Revenue last quarter",
            "d >= '2026-04-01' AND d < '2026-07-01'",
            "d >= '{today:start of quarter-1}' AND d < '{today:start of quarter}'",
            date(2027, 2, 3),
            "d >= '2026-10-01' AND d < '2027-01-01'",
        ),
        (
            "Revenue last month",
            "d BETWEEN '2026-08-01' AND '2026-08-31'",
            "d BETWEEN '{today:start of month-1}' AND '{today:end of month-1}'",
            date(2027, 3, 31),
            "d BETWEEN '2027-02-01' AND '2027-02-28'",
        ),
        (
            "Revenue of the last 90 days",
            "d > '2026-06-03' AND d <= '2026-09-01'",
            "d > '{today-90 days}' AND d <= '{today}'",
            date(2026, 9, 2),
            "d > '2026-06-04' AND d <= '2026-09-02'",
        ),
        (
            "Revenue this year by month",
            "strftime('%Y', d) = '2026' AND d >= TIMESTAMP '2026-01-01T00:00:00'",
            "strftime('%Y', d) = '{today:year}' AND d >= TIMESTAMP '{today:start of year}T00:00:00'",
            date(2027, 5, 5),
            "strftime('%Y', d) = '2027' AND d >= TIMESTAMP '2027-01-01T00:00:00'",
        ),
        (
            "This year compared with 2019",
            "d >= '2019-01-01' AND d < '2020-01-01' OR d >= '2026-01-01'",
            "d >= '2019-01-01' AND d < '2020-01-01' OR d >= '{today:start of year}'",
            date(2027, 5, 5),
            "d >= '2019-01-01' AND d < '2020-01-01' OR d >= '2027-01-01'",
        ),
        ("Orders of yesterday", "d = '2026-08-31'", "d = '{today-1 days}'", date(2027, 1, 1), "d = '2026-12-31'"),
        (
            "Orders last week",
            "d >= '2026-08-24'",
            "d >= '{today:start of week-1}'",
            date(2026, 9, 8),
            "d >= '2026-08-31'",
        ),
        (
            "Orders this month",
            "d >= '2026-09-01'",
            "d >= '{today:start of month}'",
            date(2026, 10, 5),
            "d >= '2026-10-01'",
        ),
        ("Orders since three months ago", "d >= '2026-06-01'", None, TODAY, ""),
    ],
)
def test_days_are_kept_as_the_words_meant_them(question: str, sql: str, kept: str | None, on: date, later: str) -> None:
    if kept is None:
        kept, later = "d >= '{today:start of month-3}'", sql
    generalised = generalise_days(sql, question=question, words=question, today=TODAY)
    assert generalised == kept
    assert fill_days(kept, TODAY) == sql, "on the day it was marked it is what ran"
    assert fill_days(kept, on) == later


def test_a_day_that_no_word_explains_is_not_guessed() -> None:
    sql = "last_order < '2026-06-03'"
    assert generalise_days(sql, question="Churned customers", words="Churned customers", today=TODAY) is None
    told = "Churned customers: no order within 90 days"
    assert (
        generalise_days(sql, question="Churned customers", words=told, today=TODAY) == "last_order < '{today-90 days}'"
    )


def test_a_text_that_looks_like_a_day_is_never_filled_by_chance() -> None:
    code = "print(f'{today}')\nquery(\"SELECT * FROM t WHERE d >= '2026-08-01'\")"
    assert has_placeholder(code)
    assert generalise_days(code, question="last month", words="last month", today=TODAY) is None
