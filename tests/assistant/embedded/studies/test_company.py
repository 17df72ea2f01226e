"""Studies of the sample company, asked in a real session; every figure is computed a second time from its database."""

from __future__ import annotations

import math
import sqlite3
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import Any

import numpy as np
import pandas as pd
import pytest
from scipy import stats

from assistant.cells.charts import chart_of
from assistant.events import Execution, Proposal

NET = "l.quantity * l.unit_price * (1 - l.discount) - l.refunded"
FROM = "FROM order_lines l JOIN orders o ON o.order_id = l.order_id JOIN regions r ON r.region_id = o.region_id"
KEPT = "o.status <> 'cancelled'"

Talk = Callable[[str], Any]
StartTalk = Callable[[Path, Path, Sequence[str]], Talk]

QUESTIONS = [
    "what is odd in the orders?",
    "correlation between quantity and discount",
    "Is there a trend in revenue?",
    "growth of revenue by month",
    "compare revenue with last year",
    "Why did revenue fall in February?",
    "only the south",
    "forecast revenue for the next 3 months",
    "is the average order value different between north and south?",
    "compare the north with the south",
    "which customers are at risk?",
    "why did the percentage of cancelled orders rise in 2025?",
    "why did the average number of orders per day fall last month?",
    "did revenue fall in 2025?",
    "which category grew the most in 2025?",
    "forecast revenue by month until the end of the year",
    "for the next 5 months",
    "why did the return rate change in October?",
    "correlation between region and colour",
    "revenue by month in 2025",
    "why did it drop in February?",
]


@pytest.fixture(scope="module")
def asked(company: Path, tmp_path_factory: pytest.TempPathFactory, talk: StartTalk) -> Talk:
    """The company's answers."""
    return talk(company, tmp_path_factory.mktemp("home"), QUESTIONS)


@pytest.fixture
def months(company_rows: sqlite3.Connection) -> pd.Series:
    """Net revenue by whole month."""
    sql = f"SELECT strftime('%Y-%m', o.order_date) AS m, SUM({NET}) {FROM} WHERE {KEPT} GROUP BY 1 ORDER BY 1"
    found = dict(company_rows.execute(sql).fetchall())
    return pd.Series({k: v for k, v in found.items() if "2023-12" <= k <= "2026-10"}, dtype=float)


def one(connection: sqlite3.Connection, sql: str) -> float:
    return float(connection.execute(sql).fetchone()[0])


@pytest.mark.parametrize("question", [q for q in QUESTIONS if "colour" not in q and q != "revenue by month in 2025"])
def test_every_study_is_answered_with_a_chart_and_figures_in_bold(asked: Talk, question: str) -> None:
    found = asked(question)
    assert "**" in found.text
    assert found.chart
    assert found.rows
    assert found.answer.how


def test_a_study_is_a_query_and_one_python_step_that_were_both_proposed(asked: Talk) -> None:
    turn = asked("Is there a trend in revenue?").turn
    assert [p.language for p in turn if isinstance(p, Proposal)] == ["sql", "python"]
    assert [e.status for e in turn if isinstance(e, Execution)] == ["ok", "ok"]


def test_the_trend_is_the_slope_beside_an_effect_of_each_month(asked: Talk, months: pd.Series) -> None:
    time = np.arange(len(months), dtype=float)
    dummies = np.array([[float(int(key[5:]) == month) for month in range(1, 13)] for key in months.index])
    design = np.column_stack([time, dummies])
    beta, *_ = np.linalg.lstsq(design, months.to_numpy(), rcond=None)
    told = asked("Is there a trend in revenue?")
    assert told.measures["whole periods"] == 35
    assert told.measures["change per period"] == pytest.approx(beta[0])
    residual = months.to_numpy() - design @ beta
    error = math.sqrt(residual @ residual / (35 - 13) * np.linalg.inv(design.T @ design)[0, 0])
    assert told.measures["p-value"] == pytest.approx(2 * stats.t.sf(abs(beta[0]) / error, 35 - 13))
    assert told.text.startswith("Yes: net revenue rises by about **2,")
    assert "November 2026 is left out: it is not over yet." in told.answer.notes


def test_growth_compares_every_month_with_the_one_before(asked: Talk, months: pd.Series) -> None:
    rows = asked("growth of revenue by month").rows
    change = months.pct_change() * 100
    assert len(rows) == 35
    assert rows[0]["change %"] is None
    assert float(str(rows[-1]["change %"])) == pytest.approx(change.iloc[-1])


def test_this_year_is_compared_with_the_same_days_of_last_year(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("compare revenue with last year")
    year = f"SELECT SUM({NET}) {FROM} WHERE {KEPT} AND o.order_date >= "
    now = one(company_rows, f"{year}'2026-01-01'")
    then = one(company_rows, f"{year}'2025-01-01' AND o.order_date < '2025-11-21'")
    whole = told.rows[0]
    assert float(str(whole["1 January to 20 November 2026"])) == pytest.approx(now)
    assert float(str(whole["1 January to 20 November 2025"])) == pytest.approx(then)
    assert f"{now:,.0f} EUR" in told.text
    assert any("not over yet" in note for note in told.answer.notes)


def test_the_parts_of_a_change_are_those_of_the_database(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("Why did revenue fall in February?")
    change = f"""SELECT r.name, SUM(CASE WHEN o.order_date >= '2026-02-01' THEN {NET} ELSE 0 END)
        - SUM(CASE WHEN o.order_date < '2026-02-01' THEN {NET} ELSE 0 END) {FROM}
        WHERE {KEPT} AND o.order_date >= '2026-01-01' AND o.order_date < '2026-03-01' GROUP BY 1"""
    expected = dict(company_rows.execute(change).fetchall())
    found = {str(r["member"]): float(str(r["change"])) for r in told.rows if r["split_by"] == "region"}
    assert found == pytest.approx(expected)
    assert told.rows[0]["split_by"] == "everything"
    assert float(str(told.rows[0]["change"])) == pytest.approx(sum(expected.values()))
    assert min(expected, key=lambda name: expected[name]) in told.text
    earlier = change.replace("2026", "2025")
    season = next(r for r in told.rows if r["split_by"] == "a year before")
    assert float(str(season["change"])) == pytest.approx(sum(dict(company_rows.execute(earlier)).values()))
    assert "A year before, the same step was" in told.text
    assert any("not what caused it" in note for note in told.answer.notes)
    assert any("By store" in note for note in told.answer.notes), "orders without a store make its parts incomplete"


def test_a_share_that_rose_stays_a_share(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("why did the percentage of cancelled orders rise in 2025?")
    share = "SELECT 100.0 * SUM(status = 'cancelled') / COUNT(*) FROM orders WHERE order_date LIKE '{}%'"
    before, now = (one(company_rows, share.format(year)) for year in (2024, 2025))
    assert float(str(told.rows[0]["now"])) == pytest.approx(now)
    assert float(str(told.rows[0]["before"])) == pytest.approx(before)
    assert f"**{before:.1f} %** (2024) to **{now:.1f} %** (2025)" in told.text
    assert "of the change" not in told.text, "the parts of a share do not add up to it"


def test_the_parts_of_a_ratio_are_not_added_up(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("why did the average number of orders per day fall last month?")
    rate = (
        "SELECT 1.0 * COUNT(*) / COUNT(DISTINCT order_date) FROM orders WHERE status <> 'cancelled'"
        " AND order_date LIKE '2026-10%'"
    )
    assert float(str(told.rows[0]["now"])) == pytest.approx(one(company_rows, rate))
    assert "of the change" not in told.text


def test_a_follow_up_narrows_the_question_why(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("only the south")
    assert "where region is South" in told.plan.restated
    south = f"SELECT SUM({NET}) {FROM} WHERE {KEPT} AND r.name = 'South' AND o.order_date >= '2026-02-01'"
    expected = one(company_rows, f"{south} AND o.order_date < '2026-03-01'")
    assert float(str(told.rows[0]["now"])) == pytest.approx(expected)


def test_why_it_fell_speaks_of_the_figure_before(asked: Talk) -> None:
    assert asked("why did it drop in February?").plan.restated.startswith("What the change of net revenue came from")


def test_a_forecast_covers_the_unfinished_month_and_the_three_after_it(asked: Talk, months: pd.Series) -> None:
    told = asked("forecast revenue for the next 3 months")
    assert [str(r["period"])[:7] for r in told.rows] == ["2026-11", "2026-12", "2027-01", "2027-02"]
    assert "December 2026 about" in told.text
    assert "November 2026 about" not in told.text
    for row in told.rows:
        assert 0 <= float(str(row["low"])) <= float(str(row["forecast"])) <= float(str(row["high"]))
    december, january = (float(str(told.rows[n]["forecast"])) for n in (1, 2))
    assert december > 1.4 * january, "the season is carried forward"
    naive = np.abs(months.to_numpy()[-11:] - months.to_numpy()[-23:-12]).mean()
    assert float(str(told.rows[0]["typical error"])) <= naive + 1e-6, "no worse than repeating the year before"
    assert "was off by" in told.text
    (chart,) = filter(None, (chart_of(event) for event in told.turn if isinstance(event, Execution)))
    past, ahead = sorted(chart["datasets"].values(), key=lambda rows: rows[0]["period"])
    assert ahead[0]["period"] == past[-1]["period"], "the line goes on where the known one ends"
    assert ahead[0]["forecast"] == ahead[0]["low"] == past[-1]["value"]


def test_two_groups_are_compared_by_their_orders(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("is the average order value different between north and south?")
    sql = f"SELECT SUM({NET}) {FROM} WHERE {KEPT} AND r.name = '%s' GROUP BY o.order_id"
    north, south = ([row[0] for row in company_rows.execute(sql % name)] for name in ("North", "South"))
    rows = {str(r["region"]): r for r in told.rows}
    assert float(str(rows["North"]["average_order_value"])) == pytest.approx(np.mean(north))
    assert int(str(rows["South"]["values"])) == len(south)
    expected = stats.ttest_ind(north, south, equal_var=False).pvalue
    assert float(str(rows["North"]["p-value"])) == pytest.approx(expected)
    assert "Welch's t test" in told.text
    assert ("more than chance would explain" in told.text) == (expected < 0.05)


def test_groups_without_a_named_figure_are_compared_by_the_companys_own(asked: Talk) -> None:
    told = asked("compare the north with the south")
    columns = set(told.rows[0])
    assert {"net_revenue", "gross_margin", "average_order_value", "units_sold"} <= columns
    assert "Wilcoxon" in told.text


def test_customers_at_risk_are_late_by_their_own_rhythm(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("which customers are at risk?")
    visits = pd.read_sql_query(
        "SELECT DISTINCT customer_id, order_date FROM orders WHERE status <> 'cancelled'", company_rows
    )
    visits["day"] = pd.to_datetime(visits["order_date"])
    expected: set[int] = set()
    for customer, days in visits.sort_values("day").groupby("customer_id")["day"]:
        gaps = days.diff().dt.days.dropna()
        silent = (pd.Timestamp("2026-11-21") - days.max()).days
        if len(days) >= 4 and silent <= 365 and silent > 3 * gaps.median() and silent > gaps.max():
            expected.add(int(customer))  # type: ignore[call-overload]
    assert {int(str(r["customer_id"])) for r in told.rows} == expected
    assert f"**{len(expected):,}** of" in told.text
    assert any(note.startswith("The rule:") for note in told.answer.notes)


def test_the_doubled_day_stands_out_among_the_orders(asked: Talk) -> None:
    told = asked("what is odd in the orders?")
    repeated = next(r for r in told.rows if str(r["what"]).startswith("rows alike"))
    assert int(str(repeated["rows"])) > 50


def test_a_weak_correlation_is_called_weak_however_sure_it_is(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("correlation between quantity and discount")
    pairs = company_rows.execute(f"SELECT l.quantity, l.discount {FROM} WHERE {KEPT}").fetchall()
    expected = stats.pearsonr([p[0] for p in pairs], [p[1] for p in pairs])
    assert told.measures["correlation r"] == pytest.approx(expected.statistic)
    assert told.measures["pairs"] == len(pairs)
    assert told.text.startswith("Hardly")


def test_a_question_with_a_direction_gets_a_yes_or_a_no(asked: Talk, months: pd.Series) -> None:
    told = asked("did revenue fall in 2025?")
    assert told.text.startswith("No: net revenue rose from")
    assert float(str(told.rows[0]["2025"])) == pytest.approx(sum(v for k, v in months.items() if "2025" in str(k)))


def test_who_grew_most_is_the_largest_change(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("which category grew the most in 2025?")
    sql = f"""SELECT c.name, SUM(CASE WHEN o.order_date >= '2025-01-01' THEN {NET} ELSE 0 END)
        - SUM(CASE WHEN o.order_date < '2025-01-01' THEN {NET} ELSE 0 END) {FROM}
        JOIN products p ON p.product_id = l.product_id JOIN categories c ON c.category_id = p.category_id
        WHERE {KEPT} AND o.order_date >= '2024-01-01' AND o.order_date < '2026-01-01' GROUP BY 1"""
    changes = dict(company_rows.execute(sql).fetchall())
    top = max(changes, key=lambda name: changes[name])
    assert told.text.startswith(f"**{top}** grew most")
    assert f"{changes[top]:+,.0f} EUR" in told.text


def test_a_follow_up_moves_the_horizon(asked: Talk) -> None:
    assert [str(r["period"])[:7] for r in asked("forecast revenue by month until the end of the year").rows] == [
        "2026-11",
        "2026-12",
    ]
    assert str(asked("for the next 5 months").rows[-1]["period"])[:7] == "2027-04"


def test_a_rate_is_split_without_contributions(asked: Talk, company_rows: sqlite3.Connection) -> None:
    told = asked("why did the return rate change in October?")
    rate = f"""SELECT o.channel, 100.0 * SUM(l.returned_quantity) / SUM(l.quantity) {FROM} WHERE {KEPT}
        AND o.order_date >= '2026-10-01' AND o.order_date < '2026-11-01' GROUP BY 1"""
    found = {str(r["member"]): float(str(r["now"])) for r in told.rows if r["split_by"] == "channel"}
    assert found == pytest.approx(dict(company_rows.execute(rate).fetchall()))
    assert "share of change %" not in told.rows[0]
    assert "percentage points" in told.text


def test_a_correlation_of_names_is_declined(asked: Talk) -> None:
    found = asked("correlation between region and colour")
    assert found.answer.status == "declined"
    assert "two numbers" in found.answer.text
