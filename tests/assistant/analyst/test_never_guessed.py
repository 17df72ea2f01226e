"""Kinds of questions that were once answered wrong in silence: now converted, asked about, or said."""

from __future__ import annotations

from contextlib import closing
from datetime import date
from functools import cache

import numpy as np
import pytest
from row_tables import RowTables

from assistant.analyst.analyst import Analyst
from assistant.analyst.confidence import ResultSummary
from assistant.analyst.deciding import QueryRuns
from assistant.analyst.outcomes import Ambiguous, Declined, Outcome, Understood
from assistant.evaluation.comparison import are_equal

TRIPS = RowTables(
    name="rides",
    tables={
        "rides": [
            {
                "ride_id": i,
                "started": f"2025-{1 + i % 12:02}-{1 + i % 28:02}",
                "duration_sec": 60 * (i * 7 % 95) + 30,
                "distance_m": 100 * (i * 11 % 120) + 100,
                "bike": ("classic", "electric", "cargo")[i % 3],
            }
            for i in range(1, 121)
        ]
    },
    parents=(),
    types={"started": "DATE"},
)
SALES = RowTables(
    name="purchases",
    tables={
        "purchases": [
            {
                "purchase_id": i,
                "month": f"2025-{1 + i % 12:02}",
                "area": ("North", "South", "West")[i * i % 3],
                "item": ("Kettle", "Toaster", "Grill", "Mixer")[i % 4],
                "discount": (0, 0, 5, 10)[i * 3 % 4],
                "tip": None if i % 5 == 0 else i % 3,
                "revenue": 10 * (i * 13 % 70) + 20,
            }
            for i in range(1, 161)
        ]
    },
    parents=(),
    types={},
)
MAKERS = RowTables(
    name="makers",
    tables={
        "makers": [
            {
                "key": f"m{i}",
                "badge": 4000 + i,
                "founded": 1900 + i * 7 % 90,
                "town": ("Ulm", "Bonn")[i % 2],
                "turnover": i * 31 % 400,
            }
            for i in range(60)
        ]
    },
    parents=(),
    types={},
)
TEAMS = RowTables(
    name="teams",
    tables={
        "teams": [
            {
                "row": n,
                "month": f"2025-{1 + n // 3:02}-01",
                "team": ("Red", "Blue", "Gold")[n % 3],
                "staff": 20 + n % 7,
                "hires": n % 4,
            }
            for n in range(36)
        ]
    },
    parents=(),
    types={"month": "DATE"},
)
SHEETS = RowTables(
    name="quarters",
    tables={
        f"{quarter}_sales": [
            {"area": area, "total": 100 * n + at * (3 - 2 * n)} for at, area in enumerate(("North", "South", "West"))
        ]
        for n, quarter in enumerate(("spring", "autumn"), start=1)
    },
    parents=(),
    types={},
)
BY_ID = {data.name: data for data in (TRIPS, SALES, MAKERS, TEAMS, SHEETS)}


def _alike(texts: object, names: object) -> np.ndarray:
    """Likeness in meaning as an encoder tells it: earnings of any kind lie near revenue."""
    near = {"profit", "benefit", "surplus"}
    return np.array([[0.7 if t in near and n == "revenue" else 0.0 for n in names] for t in texts], dtype=np.float32)  # type: ignore[attr-defined]


@cache
def analyst_of(name: str) -> Analyst:
    return Analyst((BY_ID[name].catalog(),), (), date(2026, 1, 1), alike=_alike)  # type: ignore[arg-type]


def ask(data: RowTables, question: str) -> tuple[Outcome, list[tuple[object, ...]]]:
    """What a question comes to once its likely readings were run, and the rows of an answer."""
    analyst, runs = analyst_of(data.name), QueryRuns()
    with closing(data.sqlite()) as connection:
        outcome = analyst.read(question, None, runs)
        runs.add({key: ResultSummary.of(tuple(connection.execute(key[1]).fetchall())) for key in runs.wanted})
        outcome = analyst.read(question, None, runs) if runs.known else outcome
        if not isinstance(outcome, Understood):
            return outcome, []
        return outcome, connection.execute(analyst.sql(outcome.meaning)).fetchall()


BY_MONTH = "(SELECT area, month, SUM(revenue) AS n FROM purchases GROUP BY 1, 2)"
RIGHT = (
    (TRIPS, "average ride duration in minutes", "SELECT AVG(duration_sec / 60.0) FROM rides"),
    (TRIPS, "total duration in hours by bike", "SELECT bike, SUM(duration_sec / 3600.0) FROM rides GROUP BY 1"),
    (TRIPS, "average duration in seconds", "SELECT AVG(duration_sec) FROM rides"),
    (TRIPS, "total distance in km", "SELECT SUM(distance_m / 1000.0) FROM rides"),
    (SALES, "how many purchases had a discount", "SELECT COUNT(*) FROM purchases WHERE discount > 0"),
    (SALES, "purchases with a discount by area", "SELECT area, COUNT(*) FROM purchases WHERE discount > 0 GROUP BY 1"),
    (SALES, "share of purchases with a discount", "SELECT AVG(discount > 0) FROM purchases"),
    (SALES, "how many purchases without a discount", "SELECT COUNT(*) FROM purchases WHERE discount = 0"),
    (SALES, "average monthly revenue per area", f"SELECT area, AVG(n) FROM {BY_MONTH} GROUP BY 1"),
    (
        SALES,
        "average monthly revenue",
        "SELECT AVG(n) FROM (SELECT month, SUM(revenue) AS n FROM purchases GROUP BY 1)",
    ),
    (TEAMS, "total staff", "SELECT SUM(staff) FROM teams WHERE month = '2025-12-01'"),
    (TEAMS, "staff by team in March 2025", "SELECT team, staff FROM teams WHERE month = '2025-03-01'"),
    (TEAMS, "how many people work in Blue", "SELECT staff FROM teams WHERE month = '2025-12-01' AND team = 'Blue'"),
    (TEAMS, "average staff by team", "SELECT team, AVG(staff) FROM teams GROUP BY 1"),
    (TEAMS, "staff by month", "SELECT substr(month, 1, 7), SUM(staff) FROM teams GROUP BY 1"),
    (TEAMS, "total hires by team", "SELECT team, SUM(hires) FROM teams GROUP BY 1"),
    (
        SALES,
        "revenue by quarter",
        "SELECT '2025-Q' || ((substr(month, 6) + 2) / 3), SUM(revenue) FROM purchases GROUP BY 1",
    ),
)


@pytest.mark.parametrize(("data", "question", "gold"), RIGHT, ids=[question for _, question, _ in RIGHT])
def test_it_is_computed_as_it_is_meant(data: RowTables, question: str, gold: str) -> None:
    outcome, rows = ask(data, question)
    assert isinstance(outcome, Understood), outcome
    with closing(data.sqlite()) as connection:
        right = connection.execute(gold).fetchall()
    assert are_equal(rows, right, ordered=False), (outcome.restated, rows, right)


def test_without_of_blanks_and_zeros_is_asked_about() -> None:
    outcome, _ = ask(SALES, "how many purchases without tip")
    assert isinstance(outcome, Ambiguous), outcome
    assert {text.partition("where ")[2] for text, _ in outcome.options[:2]} == {
        "tip is missing",
        "(tip is missing or tip is 0)",
    }


def test_a_level_is_said_to_be_that_of_the_last_date() -> None:
    outcome, _ = ask(TEAMS, "total staff by team")
    assert isinstance(outcome, Understood)
    assert outcome.restated == "Total staff by team, where month is the last one"


def test_a_conversion_is_said() -> None:
    outcome, _ = ask(TRIPS, "average ride duration in minutes")
    assert isinstance(outcome, Understood)
    assert outcome.restated == "Average duration sec in minutes of rides"


@pytest.mark.parametrize("question", ["average revenue in minutes", "longest ride in kg", "average distance in hours"])
def test_a_unit_of_another_kind_is_not_answered_unasked(question: str) -> None:
    outcome, _ = ask(SALES if "revenue" in question else TRIPS, question)
    assert not isinstance(outcome, Understood), outcome


@pytest.mark.parametrize(
    "question",
    ["which items are bought together", "items in combination by area", "which items are bought with each other"],
)
def test_what_goes_together_is_no_list(question: str) -> None:
    outcome, _ = ask(SALES, question)
    assert not isinstance(outcome, Understood), outcome


@pytest.mark.parametrize("question", ["average revenue per tip by area", "revenue per discount"])
def test_a_figure_per_a_quantity_is_no_figure_of_each_size(question: str) -> None:
    outcome, _ = ask(SALES, question)
    assert not isinstance(outcome, Understood), outcome


def test_the_total_of_things_is_not_what_they_bring_in() -> None:
    outcome, _ = ask(MAKERS, "total makers by town")
    assert not isinstance(outcome, Understood) or "turnover" not in outcome.restated


@pytest.mark.parametrize("question", ["profit by area", "total benefit by item", "average surplus per area"])
def test_a_measure_that_is_not_there_is_asked_about(question: str) -> None:
    outcome, _ = ask(SALES, question)
    assert isinstance(outcome, Ambiguous), outcome
    assert outcome.text.startswith(f"There is no “{next(w for w in question.split() if w in _MISSING)}” in this data.")
    assert "revenue" in outcome.options[0][0]


_MISSING = {"profit", "benefit", "surplus"}


def test_the_month_with_the_highest_revenue_is_not_that_of_one_row() -> None:
    outcome, rows = ask(SALES, "which month had the highest revenue")
    assert isinstance(outcome, Understood)
    with closing(SALES.sqlite()) as connection:
        by = "SELECT month FROM purchases GROUP BY 1 ORDER BY SUM(revenue) DESC LIMIT 1"
        assert rows[0][0] == connection.execute(by).fetchone()[0]


@pytest.mark.parametrize(
    ("question", "is_foreign"),
    [
        ("how do our wonderful shiny brand ambassadors perform", False),
        ("wie hoch ist der durchschnittliche umsatz pro gebiet", True),
    ],
)
def test_only_a_question_in_another_language_is_told_so(question: str, is_foreign: bool) -> None:
    outcome, _ = ask(SALES, question)
    assert isinstance(outcome, Declined), outcome
    assert ("in English" in outcome.reason) is is_foreign


def test_no_starter_adds_up_years_or_numbers_of_rows() -> None:
    starters = analyst_of("makers").starters()
    assert starters[0] == "Total turnover by town"
    assert not [text for text in starters if "founded" in text or "badge" in text]


@pytest.mark.parametrize(
    "question", ["how many rows by area", "number of purchases per area", "how many rows for each area"]
)
def test_what_follows_by_is_a_key_and_not_what_is_counted(question: str) -> None:
    outcome, _ = ask(SALES, question)
    assert isinstance(outcome, Understood), outcome
    assert "by area" in outcome.restated


@pytest.mark.parametrize("question", ["total by area", "average total by area", "which area has the highest total"])
def test_columns_of_one_name_in_two_tables_are_asked_about(question: str) -> None:
    outcome, _ = ask(SHEETS, question)
    assert isinstance(outcome, Ambiguous), outcome
    assert {"spring", "autumn"} <= {word for text, _ in outcome.options for word in text.split()}
