"""Periods told by today count from the last day of data that ended long before, and an empty one says when that was."""

from __future__ import annotations

from dataclasses import replace
from datetime import date, timedelta

import pytest
from row_tables import RowTables

from assistant.analyst.algebra import Within, parts
from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Understood
from assistant.analyst.presenting.answers import AnswerRows, notes

FIRST, LAST = date(2016, 3, 1), date(2018, 2, 19)
SHOP = RowTables(
    name="shop",
    tables={
        "sales": [
            {
                "sale_id": i,
                "town": ("Ulm", "Bonn")[i % 2],
                "amount": 5.0 + i,
                "sale_date": str(LAST - timedelta(days=i)),
            }
            for i in range((LAST - FIRST).days)
        ]
    },
    parents=(),
    types={"sale_date": "DATE", "amount": "DOUBLE"},
)


def understood(question: str, today: date) -> tuple[Understood, Analyst]:
    analyst = Analyst((SHOP.catalog(),), (), today)
    outcome = analyst.read(question)
    assert isinstance(outcome, Understood), outcome
    return outcome, analyst


def period(outcome: Understood) -> tuple[str, str]:
    (found,) = {(part.start, part.end) for part in parts(outcome.meaning.query) if isinstance(part, Within)}
    return found


@pytest.mark.parametrize(
    ("said", "start", "end"),
    [("last year", "2017-01-01", "2018-01-01"), ("last month", "2018-01-01", "2018-02-01")],
)
def test_a_period_counts_from_the_last_day_of_data_that_ended_and_the_answer_says_so(
    said: str, start: str, end: str
) -> None:
    outcome, _ = understood(f"total amount {said}", date(2025, 6, 1))
    assert period(outcome) == (start, end)
    assert any(str(LAST) in note and "not from today" in note for note in outcome.meaning.assumptions)


def test_a_period_counts_from_today_where_the_data_goes_on() -> None:
    today = LAST + timedelta(days=12)  # in March, with nothing sold in it yet
    outcome, _ = understood("total amount this month", today)
    assert period(outcome) == ("2018-03-01", "2018-04-01")
    assert not any("not from today" in note for note in outcome.meaning.assumptions)


def test_a_period_that_the_data_reaches_into_counts_from_today() -> None:
    outcome, _ = understood("total amount last year", date(2019, 5, 5))
    assert period(outcome) == ("2018-01-01", "2019-01-01")


@pytest.mark.parametrize(("start", "end"), [("2020-01-01", "2021-01-01"), ("2011-01-01", "2012-01-01")])
def test_an_empty_answer_says_when_the_data_begins_and_ends(start: str, end: str) -> None:
    outcome, analyst = understood("total amount in 2017", date(2025, 6, 1))
    schema, meaning = analyst.schema_of(outcome.meaning), outcome.meaning
    (within,) = {part for part in parts(meaning.query) if isinstance(part, Within)}
    query = replace(meaning.query, of=replace(meaning.query.of, where=replace(within, start=start, end=end)))
    empty = AnswerRows(columns=("amount",), rows=[(None,)], total=1)
    assert any(str(LAST) in note for note in notes(replace(meaning, query=query), empty, schema))
    assert not any(str(LAST) in note for note in notes(meaning, empty, schema))
    full = AnswerRows(columns=("amount",), rows=[(4.5,)], total=1)
    assert not any(str(LAST) in note for note in notes(replace(meaning, query=query), full, schema))
