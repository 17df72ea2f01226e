"""Studies of a CSV, asked in a real session; every figure is computed a second time from the rows themselves."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

Talk = Callable[[str], Any]
StartTalk = Callable[[Path, Path, Sequence[str]], Talk]

QUESTIONS = [
    "what is in this table?",
    "what is odd in this table?",
    "are there missing values?",
    "distribution of the amount",
    "median quantity in the North",
    "outliers in amount",
    "does the discount depend on the quantity?",
    "is the amount different between North and South?",
    "running total of amount by quarter",
    "growth of amount year over year",
    "compare amount in 2024 with 2023",
    "why did the amount change in 2024?",
    "is there a trend in the amount?",
    "forecast amount for the next 2 months",
    "which customers are at risk?",
    "distribution of amount by customer",
    "forecast the amount in the North in 2025 by month",
    "correlation between quantity and discount on 1 May 2024",
]


@pytest.fixture(scope="module")
def asked(sales_file: Path, tmp_path_factory: pytest.TempPathFactory, talk: StartTalk) -> Talk:
    """The file's answers."""
    return talk(sales_file, tmp_path_factory.mktemp("home"), QUESTIONS)


@pytest.fixture
def months(sales_table: pd.DataFrame) -> pd.Series:
    """The amount by month."""
    days = pd.to_datetime(sales_table["sale_date"])
    return sales_table.groupby(days.dt.to_period("M"))["amount"].sum()


def test_a_table_is_described_column_by_column(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("what is in this table?")
    rows = {str(r["column"]): r for r in told.rows}
    assert set(rows) == set(sales_table.columns)
    assert "**902** rows and **11** columns" in told.text
    assert "runs from 2023-01-01 to 2025-06-30" in told.text
    assert int(str(rows["customer"]["distinct"])) == sales_table["customer"].nunique()
    assert float(str(rows["shipped_date"]["missing %"])) == pytest.approx(
        100 * sales_table["shipped_date"].isna().mean()
    )
    assert rows["quantity"]["middle"] == f"{sales_table['quantity'].median():.0f}"


def test_what_was_put_wrong_is_found_and_nothing_else(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("what is odd in this table?")
    found = {(str(r["what"]), str(r["column"])): int(str(r["rows"])) for r in told.rows}
    assert found.pop(("rows alike in all but their key", "")) == 2
    assert found.pop(("sale_date after shipped_date", "sale_date")) == 1
    assert found.pop(("a column with one value only", "currency")) == 0
    spelled = found.pop(("one value spelled in several ways", "channel"))
    assert spelled == sales_table["channel"].str.lower().eq("web").sum()
    amount = sales_table["amount"]
    low, high = amount.quantile([0.25, 0.75])
    far = ((amount > high + 3 * (high - low)) | (amount < low - 3 * (high - low))).sum()
    assert found.pop(("values far outside the usual", "amount")) == far
    assert found == {}


def test_missing_values_are_counted_by_column(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("are there missing values?")
    missing = int(sales_table["shipped_date"].isna().sum())
    assert f"**shipped_date** in {missing}" in told.text
    assert int(str(told.rows[0]["rows without a gap"])) == 902 - missing


def test_a_distribution_has_the_quartiles_of_the_rows(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("distribution of the amount")
    amount = sales_table["amount"]
    for name, share in (("lower quartile", 0.25), ("median", 0.5), ("upper quartile", 0.75), ("maximum", 1.0)):
        assert told.measures[name] == pytest.approx(amount.quantile(share))
    assert told.measures["average"] == pytest.approx(amount.mean())
    assert "the median says better what is usual" in told.text


def test_a_median_heeds_its_filter(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("median quantity in the North")
    north = sales_table[sales_table["region"] == "North"]["quantity"]
    assert told.measures["values"] == len(north)
    assert told.text.startswith(f"The median quantity is **{north.median():.0f}**")


def test_outliers_are_those_beyond_the_fences(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("outliers in amount")
    amount = sales_table["amount"]
    low, high = amount.quantile([0.25, 0.75])
    fences = low - 1.5 * (high - low), high + 1.5 * (high - low)
    expected = amount[(amount < fences[0]) | (amount > fences[1])]
    assert sorted(float(str(r["value"])) for r in told.rows) == pytest.approx(sorted(expected))
    assert "The furthest out is **25,000**" in told.text


def test_a_regression_has_slope_and_p_value(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("does the discount depend on the quantity?")
    fit = stats.linregress(sales_table["quantity"], sales_table["discount"])
    assert told.measures["slope"] == pytest.approx(fit.slope)
    assert told.measures["r squared"] == pytest.approx(fit.rvalue**2)
    assert told.measures["p-value"] == pytest.approx(fit.pvalue)
    assert f"explains **{100 * fit.rvalue**2:.0f} %**" in told.text
    assert any("does not say that one causes the other" in note for note in told.answer.notes)


def test_groups_differ_by_more_than_chance_or_not(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("is the amount different between North and South?")
    north, south = (sales_table[sales_table["region"] == name]["amount"] for name in ("North", "South"))
    assert told.rows[0]["test"] == "Welch's t test"
    expected = stats.ttest_ind(north, south, equal_var=False).pvalue
    assert float(str(told.rows[0]["p-value"])) == pytest.approx(expected)
    found = {str(r["region"]): float(str(r["average"])) for r in told.rows}
    assert found == pytest.approx({"North": north.mean(), "South": south.mean()})


def test_a_running_total_ends_at_the_whole(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("running total of amount by quarter")
    assert len(told.rows) == 10
    assert float(str(told.rows[-1]["running total"])) == pytest.approx(sales_table["amount"].sum())


def test_growth_against_the_year_before(asked: Talk, months: pd.Series) -> None:
    told = asked("growth of amount year over year")
    last = told.rows[-1]
    expected = 100 * (months.iloc[-1] / months.iloc[-13] - 1)
    assert float(str(last["change %"])) == pytest.approx(expected)
    assert "on the year before" in told.text


def test_two_years_side_by_side(asked: Talk, months: pd.Series) -> None:
    told = asked("compare amount in 2024 with 2023")
    years = months.groupby(months.index.year).sum()  # type: ignore[attr-defined]
    whole, *parts = told.rows
    assert float(str(whole["2024"])) == pytest.approx(years[2024])
    assert float(str(whole["2023"])) == pytest.approx(years[2023])
    assert [str(p["part"]) for p in parts][:2] == ["January", "February"]
    assert float(str(parts[0]["2024"])) == pytest.approx(months["2024-01"])


def test_the_parts_of_a_change_add_up(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("why did the amount change in 2024?")
    years = pd.to_datetime(sales_table["sale_date"]).dt.year
    by = sales_table.pivot_table(index="region", columns=years, values="amount", aggfunc="sum")
    expected = (by[2024] - by[2023]).to_dict()
    found = {str(r["member"]): float(str(r["change"])) for r in told.rows if r["split_by"] == "region"}
    assert found == pytest.approx(expected)
    assert {str(r["split_by"]) for r in told.rows} >= {"region", "channel", "customer"}


def test_a_trend_through_noise_is_only_called_one_where_it_is(asked: Talk, months: pd.Series) -> None:
    told = asked("is there a trend in the amount?")
    assert told.measures["whole periods"] == len(months) == 30
    sure = told.measures["p-value"] < 0.05
    assert told.text.startswith("Yes" if sure else "There is no clear trend")


def test_a_forecast_begins_where_the_data_ends(asked: Talk) -> None:
    told = asked("forecast amount for the next 2 months")
    assert [str(r["period"])[:7] for r in told.rows] == ["2025-07", "2025-08"]
    assert any("the figures end in June 2025" in note for note in told.answer.notes)


def test_silence_is_counted_to_the_end_of_the_data(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("which customers are at risk?")
    assert any("up to 30 June 2025" in note for note in told.answer.notes)
    late: set[str] = set()
    for customer, rows in sales_table.groupby("customer"):
        days = pd.to_datetime(rows["sale_date"]).drop_duplicates().sort_values()
        gaps = days.diff().dt.days.dropna()
        silent = (pd.Timestamp("2025-06-30") - days.max()).days
        if len(days) >= 4 and silent > 3 * gaps.median() and silent > gaps.max():
            late.add(str(customer))
    assert {str(r["customer"]) for r in told.rows if r["customer"] is not None} == late
    assert all(f"**{name}**" in told.text for name in late), "a name is told as it is"


def test_the_spread_of_a_figure_over_groups(asked: Talk, sales_table: pd.DataFrame) -> None:
    told = asked("distribution of amount by customer")
    sums = sales_table.groupby("customer")["amount"].sum()
    assert told.measures["values"] == len(sums)
    assert told.measures["median"] == pytest.approx(np.median(sums))


def test_too_few_months_are_declined_before_anything_runs(asked: Talk) -> None:
    found = asked("forecast the amount in the North in 2025 by month")
    assert found.answer.status == "declined"
    assert "only 6 whole months" in found.answer.text


def test_too_few_rows_are_declined_by_the_cells_own_guard(asked: Talk) -> None:
    found = asked("correlation between quantity and discount on 1 May 2024")
    assert found.answer.status == "declined"
    assert "a correlation needs at least 8" in found.answer.text
    assert found.answer.table is not None, "the rows that were read are there to look at"
