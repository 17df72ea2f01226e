"""A trend, growth or forecast for each of several groups, with gaps, a late start and too little data among them."""

from __future__ import annotations

import sqlite3
from collections.abc import Callable, Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from assistant.embedded.analyst import Analyst
from assistant.embedded.studies.outcomes import Recognised, Refused
from assistant.embedded.studies.periods import grain_in
from assistant.embedded.studies.recognising import recognise
from assistant.embedded.studies.study import Figure
from assistant.embedded.studies.telling import in_period, size
from assistant.embedded.studies.writing import cell, operations

Talk = Callable[[str], Any]
StartTalk = Callable[[Path, Path, Sequence[str]], Talk]

MONTHS = 20
QUESTIONS = [
    "is there a trend in the amount by region?",
    "which regions are shrinking?",
    "is the amount growing in every region?",
    "growth of the amount by month and region",
    "running total of the amount by region",
    "forecast the amount by region for the next 3 months",
    "is there a trend in the average amount by region?",
    "is there a trend in the number of visits by page?",
    "only the north",
]
TITLES = [
    ("is there a trend in revenue by region?", "trend", "Trend of net revenue by month for each region"),
    ("is revenue falling in each region?", "trend", "Trend of net revenue by month for each region"),
    ("Which regions are growing?", "trend", "Trend of net revenue by month for each region"),
    ("which categories have a rising trend?", "trend", "Trend of net revenue by month for each category"),
    ("for which channels is the number of orders falling?", "trend", "Trend of number of orders by month for each channel"),
    ("is there a trend in revenue by region in the north?", "trend", "Trend of net revenue by month, where region is North"),
    ("revenue growth by month per region", "growth", "Growth of net revenue by month for each region"),
    ("growth of revenue by region and quarter", "growth", "Growth of net revenue by quarter for each region"),
    ("growth of revenue by region year over year", "growth",
     "Growth of net revenue by month for each region against the year before"),
    ("running total of revenue by channel", "growth", "Running total of net revenue by month for each channel"),
    ("forecast revenue by channel for the next 3 months", "forecast",
     "Forecast of net revenue by month for each channel up to February 2027"),
]  # fmt: skip


@pytest.mark.parametrize(("question", "kind", "title"), TITLES, ids=[q for q, _, _ in TITLES])
def test_a_figure_is_followed_for_each_group(company_analyst: Analyst, question: str, kind: str, title: str) -> None:
    found = recognise(question, company_analyst)
    assert isinstance(found, Recognised), found
    assert (found.study.kind, found.study.title) == (kind, title)
    compile(cell(found.study), "cell", "exec")
    assert operations(found.study)


def test_which_are_growing_says_by_what_figure(company_analyst: Analyst) -> None:
    found = recognise("which regions are growing?", company_analyst)
    assert isinstance(found, Recognised)
    assert "no figure was named, so net revenue is taken" in found.assumptions


def test_what_belongs_to_no_group_is_said_to_be_left_out(company_analyst: Analyst) -> None:
    by_store = recognise("forecast revenue by store", company_analyst)
    assert isinstance(by_store, Recognised)
    assert "orders without a store are left out" in by_store.assumptions, "online orders have none"
    by_region = recognise("forecast revenue by region", company_analyst)
    assert isinstance(by_region, Recognised)
    assert not [said for said in by_region.assumptions if "left out" in said]


def test_two_kinds_of_groups_at_once_are_declined(company_analyst: Analyst) -> None:
    found = recognise("is there a trend in revenue by region and channel?", company_analyst)
    assert isinstance(found, Refused)
    assert "one kind of groups" in found.reason
    assert isinstance(recognise(found.hint.split("“")[1].rstrip("”."), company_analyst), Recognised)


@pytest.mark.parametrize(
    ("text", "rest"),
    [
        ("growth of revenue by month and region", "growth of revenue by region"),
        ("growth of revenue by region and month", "growth of revenue by region"),
        ("growth of revenue by month, by region", "growth of revenue by region"),
    ],
)
def test_a_period_and_groups_share_one_by(text: str, rest: str) -> None:
    assert grain_in(text) == ("month", rest)


# --- asked in a session ---


def amounts() -> pd.DataFrame:
    """Twenty months of sales in groups of every sort; each amount is the month's only one."""
    random = np.random.default_rng(3)
    months = pd.date_range("2024-01-01", periods=MONTHS, freq="MS")
    time = np.arange(MONTHS)
    wanted = {
        "North": 1000 + 40 * time + random.normal(0, 30, MONTHS),
        "South": 900 - 20 * time + random.normal(0, 30, MONTHS),
        "East": 600 + random.normal(0, 60, MONTHS),
        "West": 300 + random.normal(0, 40, MONTHS),
        "New": 200 + 5 * time,
        "Rare": 50 + time,
        None: np.full(MONTHS, 10.0),
    }
    table = pd.DataFrame(wanted, index=months).round(2)
    table.loc[months[[4, 9]], "West"] = np.nan
    table.loc[months[:15], "New"] = np.nan
    table.loc[months[[n for n in range(1, MONTHS) if n % 3]], "Rare"] = np.nan
    return table


@pytest.fixture(scope="module")
def shop(tmp_path_factory: pytest.TempPathFactory) -> Path:
    path = tmp_path_factory.mktemp("shop") / "shop.sqlite"
    with closing(sqlite3.connect(path)) as connection, connection:
        connection.executescript(
            "CREATE TABLE sales (sale_id INTEGER PRIMARY KEY, sold_on DATE NOT NULL, region TEXT, amount REAL NOT NULL);"
            "CREATE TABLE visits (visit_id INTEGER PRIMARY KEY, seen_on DATE NOT NULL, page TEXT NOT NULL);"
        )
        long = amounts().melt(ignore_index=False, var_name="region", value_name="amount").dropna(subset=["amount"])
        for month, region, amount in long.itertuples(name=None):
            row = (date(month.year, month.month, 20).isoformat(), region, amount)
            connection.execute("INSERT INTO sales (sold_on, region, amount) VALUES (?, ?, ?)", row)
        for n in range(5):
            connection.execute("INSERT INTO visits (seen_on, page) VALUES (?, ?)", (f"2025-0{n + 1}-01", f"p{n}"))
    return path


@pytest.fixture(scope="module")
def asked(shop: Path, tmp_path_factory: pytest.TempPathFactory, talk: StartTalk) -> Talk:
    return talk(shop, tmp_path_factory.mktemp("home"), QUESTIONS)


def test_each_line_is_that_of_least_squares_and_tested_for_their_number(asked: Talk) -> None:
    told = asked("is there a trend in the amount by region?")
    rows = {str(r["region"]): r for r in told.rows}
    table = amounts().rename(columns={None: "(no region)"}).fillna({"West": 0.0})
    lines = {name: stats.linregress(np.arange(MONTHS), table[name]) for name in ("North", "South", "East", "West")}
    for name, line in lines.items():
        assert rows[name]["change per month"] == pytest.approx(line.slope)
        assert rows[name]["p-value"] == pytest.approx(line.pvalue)
    ordered = sorted(lines, key=lambda name: lines[name].pvalue)
    raised = 0.0
    for place, name in enumerate(ordered):
        raised = max(raised, min(1.0, lines[name].pvalue * (len(ordered) - place)))
        assert rows[name]["corrected p-value"] == pytest.approx(raised)
    assert [r["trend"] for r in told.rows[:2]] == ["rises", "falls"]
    assert list(rows)[:2] == ["North", "South"], "the largest change comes first"
    assert told.chart


def test_what_was_not_tested_and_what_counts_as_zero_is_said(asked: Talk) -> None:
    told = asked("is there a trend in the amount by region?")
    rows = {str(r["region"]): r for r in told.rows}
    assert rows["New"]["trend"] == "too few months"
    assert rows["Rare"]["trend"] == "mostly without rows"
    assert rows["(no region)"]["trend"] == "always the same"
    notes = " ".join(told.answer.notes)
    assert "Some months have no rows and count as zero: " in notes
    assert "2 of West" in notes
    assert "New (too few months)" in notes
    assert "Holm's correction" in notes
    assert "rises in 1 of the 4 regions that could be tested: **North** by **" in told.text
    assert "falls in 1 of the 4 regions that could be tested: **South** by **" in told.text
    assert "no clear trend in **East** and **West**" in told.text or "**West** and **East**" in told.text


def test_an_average_has_no_value_where_there_are_no_rows(asked: Talk) -> None:
    told = asked("is there a trend in the average amount by region?")
    west = next(r for r in told.rows if r["region"] == "West")
    values = amounts()["West"]
    known = values.notna().to_numpy()
    line = stats.linregress(np.arange(MONTHS)[known], values[known])
    assert west["change per month"] == pytest.approx(line.slope), "months keep their places around a gap"
    assert west["whole months"] == 18
    assert any("no rows and are left out: " in note for note in told.answer.notes)


def test_the_way_that_was_asked_for_comes_first(asked: Talk) -> None:
    assert asked("which regions are shrinking?").text.index("**South**") < asked(
        "which regions are shrinking?"
    ).text.index("**North**")
    assert asked("is the amount growing in every region?").text.startswith("No, not all of them: ")


def test_growth_is_a_table_of_periods_by_groups(asked: Talk) -> None:
    told = asked("growth of the amount by month and region")
    table = amounts()
    last = told.rows[-1]
    assert len(told.rows) == MONTHS
    assert last["North"] == pytest.approx(table["North"].iloc[-1])
    change = 100 * (table["North"].iloc[-1] / table["North"].iloc[-2] - 1)
    assert last["North change %"] == pytest.approx(change)
    assert told.rows[4]["West"] == 0
    assert told.rows[5]["West change %"] is None, "a change from zero has no percentage"
    assert told.rows[0]["New"] is None, "before its first rows a group is not there"
    assert told.text.startswith("In August 2025 total sale amount rose in ")
    assert "**North**" in told.text
    assert told.chart


def test_running_totals_end_at_each_groups_whole(asked: Talk) -> None:
    told = asked("running total of the amount by region")
    assert told.rows[-1]["South"] == pytest.approx(amounts()["South"].sum())


def test_a_forecast_is_made_of_each_groups_own_past(asked: Talk) -> None:
    told = asked("forecast the amount by region for the next 3 months")
    ahead = [r for r in told.rows if r["region"] == "North"]
    assert [str(r["period"])[:7] for r in ahead] == ["2025-09", "2025-10", "2025-11"]
    line = stats.linregress(np.arange(MONTHS), amounts()["North"])
    assert ahead[0]["way"] == "a straight line"
    assert ahead[0]["forecast"] == pytest.approx(line.intercept + line.slope * MONTHS)
    assert len({r["region"] for r in told.rows}) == 6, "the largest six of the seven"
    notes = " ".join(told.answer.notes)
    assert "Only the 6 regions with the largest total are followed; 1 is left out." in notes
    assert "Not carried forward: New (too few months)" in notes
    assert told.chart


def test_a_percentage_moves_by_points_and_a_small_count_is_not_nothing() -> None:
    share, count = Figure(column="s", label="share", unit="%"), Figure(column="n", label="number", aggregate="count")
    assert [size(v, share) for v in (-0.3, 0.04)] == ["0.3 percentage points", "0.04 percentage points"]
    assert [size(v, count) for v in (-0.03, 1.2, 15.4)] == ["0.03", "1.20", "15"]
    assert in_period(date(2026, 3, 4), "day") == "On 4 March 2026"


def test_groups_that_all_have_too_little_are_declined(asked: Talk) -> None:
    declined = asked("is there a trend in the number of visits by page?").answer
    assert declined.status == "declined"
