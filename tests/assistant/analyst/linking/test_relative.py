"""Periods that the day of the question tells."""

from __future__ import annotations

from datetime import date

import pytest
from row_tables import RowTables

from assistant.analyst.linking.relative import RelativeDates
from assistant.analyst.linking.tokens import words
from assistant.analyst.parts import Period
from assistant.analyst.reading import QuestionReader

TODAY = date(2026, 11, 21)  # a Saturday


def periods(question: str) -> list[object]:
    found = RelativeDates(TODAY).anchors(words(question))
    return [part.meaning for part in found if part.category == "period"]


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("last quarter", "2026-07-01", "2026-10-01"),
        ("last year", "2025-01-01", "2026-01-01"),
        ("this month", "2026-11-01", "2026-12-01"),
        ("yesterday", "2026-11-20", "2026-11-21"),
        ("the last 6 months", "2026-05-01", "2026-11-01"),
        ("the past three years", "2023-01-01", "2026-01-01"),
        ("the last 7 days", "2026-11-14", "2026-11-21"),
        ("last week", "2026-11-09", "2026-11-16"),
    ],
)
def test_a_relative_period_is_whole_and_ends_before_today(said: str, start: str, end: str) -> None:
    assert periods(f"orders in {said}") == [Period(start, end)]


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [
        ("more than 5 years ago", "", "2021-11-21"),
        ("over two months ago", "", "2026-09-21"),
        ("less than 30 days ago", "2026-10-22", ""),
        ("at least 9 months ago", "", "2026-02-21"),
    ],
)
def test_so_long_ago_is_counted_from_today(said: str, start: str, end: str) -> None:
    assert periods(f"employees hired {said}") == [Period(start, end)]


def test_the_last_day_of_a_shorter_month_stands_for_a_day_that_it_lacks() -> None:
    found = RelativeDates(date(2024, 2, 29)).anchors(words("hired more than 1 year ago"))
    assert Period("", "2023-02-28") in [part.meaning for part in found]


def test_older_than_an_age_is_born_before_the_day_that_gives_it() -> None:
    people = RowTables(
        name="club",
        tables={"members": [{"id": n, "name": f"M{n}", "birth_date": f"{1950 + 5 * n}-11-21"} for n in range(1, 9)]},
        parents=(),
        types={"birth_date": "DATE"},
    )
    reader = QuestionReader(people.catalog()).beside((RelativeDates(TODAY),))
    for question, wanted in (("members older than 60", {1, 2, 3}), ("how many members are younger than 51 years", 3)):
        rows = people.sqlite().execute(reader.read(question)[0].sql).fetchall()
        assert wanted in ({int(str(row[0]).strip("M")) for row in rows}, rows[0][0]), rows


def test_other_words_are_no_periods() -> None:
    assert periods("the last 5 orders of this customer") == []
