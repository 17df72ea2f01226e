"""Words that are part of a column's name name that column, and a function is said of all columns that follow it."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.analyst.analyst import Analyst
from assistant.analyst.outcomes import Ambiguous, Outcome, Understood
from assistant.core.catalog import Catalog, Column, Table

DONATIONS = Catalog(
    source="donations",
    dialect="duckdb",
    tables=(
        Table(
            name="donations",
            columns=(
                Column(name="project_code", type="VARCHAR", kind="text"),
                Column(name="trend_group", type="VARCHAR", kind="text"),
                Column(name="amount", type="DOUBLE", kind="number"),
                Column(name="refund", type="DOUBLE", kind="number"),
                Column(name="received_on", type="DATE", kind="date"),
            ),
            rows=180,
        ),
    ),
)


def read(question: str) -> Outcome:
    return Analyst([DONATIONS], (), date(2026, 6, 1)).read(question)


@pytest.mark.parametrize(
    "question",
    ["What is the total amount by project?", "which project has the highest amount", "amount by trend group"],
)
def test_a_word_of_a_name_begins_no_study(question: str) -> None:
    outcome = read(question)
    assert isinstance(outcome, Understood | Ambiguous)
    meanings = [outcome.meaning] if isinstance(outcome, Understood) else [meaning for _, meaning in outcome.options]
    assert meanings
    assert not any(meaning.study for meaning in meanings)


def test_the_verb_still_does() -> None:
    outcome = read("project the total amount by month")
    assert isinstance(outcome, Understood)
    assert outcome.meaning.study is not None
    assert outcome.meaning.study.kind == "forecast"


def test_a_function_is_said_of_each_column_that_follows() -> None:
    outcome = read("average amount and refund by project code")
    analyst = Analyst([DONATIONS], (), date(2026, 6, 1))
    first = outcome.meaning if isinstance(outcome, Understood) else outcome.options[0][1]  # type: ignore[union-attr]
    sql = analyst.sql(first)
    assert sql.count("AVG(") == 2
    assert "SUM(" not in sql
