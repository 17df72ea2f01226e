"""Each study on the sample company: read from a question, its query run, its cell executed, its answer worded."""

from __future__ import annotations

import ast
from typing import Any

import pandas as pd
import pytest
from sample_analyst import AS_OF, meant, rows_of, sample_analyst

from assistant.agents.cell_review import review_cell
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Declined, Understood
from assistant.analyst.presenting.answers import AnswerRows
from assistant.analyst.presenting.headings import column_names
from assistant.analyst.studies.cells import computation
from assistant.analyst.studies.study_descriptions import describe_study
from assistant.core.events import Variable

EACH = (
    "Is there a trend in net revenue?",
    "Forecast net revenue for the next 6 months",
    "Is there a correlation between discount and quantity?",
    "What is the distribution of refund amount?",
    "Are there outliers in refund amount?",
    "Does satisfaction differ significantly between topics?",
    "Why did net revenue fall last month?",
)
"""A question for each kind of study."""


def rows_read(meaning: Meaning) -> pd.DataFrame:
    """What the query of a study gives."""
    return pd.DataFrame(rows_of(sample_analyst().sql(meaning)), columns=list(column_names(meaning.query)))


def ran(meaning: Meaning, rows: pd.DataFrame) -> tuple[pd.DataFrame, dict[str, Any]]:
    """The table that the cell of a study displays for rows, and the specification of its chart."""
    shown: list[pd.DataFrame] = []
    scope: dict[str, Any] = {"rows_read": rows, "display": shown.append}
    tree = ast.parse(computation(meaning, frame="rows_read", today=AS_OF))
    last = tree.body.pop()
    assert isinstance(last, ast.Expr)
    exec(compile(tree, "cell", "exec"), scope)
    chart = eval(compile(ast.Expression(last.value), "cell", "eval"), scope)
    return shown[-1], chart.to_dict()


def computed(meaning: Meaning) -> pd.DataFrame:
    """The table that the cell of a study displays."""
    return ran(meaning, rows_read(meaning))[0]


def answer(meaning: Meaning) -> str:
    table = computed(meaning)
    rows = [tuple(row) for row in table.itertuples(index=False)]
    return describe_study(meaning, AnswerRows(columns=list(table.columns), rows=rows, total=len(rows)))[0]


def values(table: pd.DataFrame) -> dict[str, float]:
    return dict(zip(table["measure"], table["value"], strict=True))


def test_a_trend_is_the_slope_of_the_whole_months() -> None:
    meaning = meant("Is there a trend in net revenue?")
    found = values(computed(meaning))
    assert found["months"] == 36  # November is not over
    assert found["change per month"] > 0
    assert "rises by" in answer(meaning)


def test_a_forecast_goes_as_far_ahead_as_was_asked() -> None:
    table = computed(meant("Forecast net revenue for the next 6 months"))
    assert list(table["period"]) == ["2026-11", "2026-12", "2027-01", "2027-02", "2027-03", "2027-04"]
    assert (table["low"] <= table["forecast"]).all()
    assert (table["forecast"] <= table["high"]).all()


def test_a_quarter_ahead_is_three_months() -> None:
    study = meant("forecast units sold for the next quarter").study
    assert study is not None
    assert (study.grain, study.ahead) == ("month", 3)


@pytest.mark.parametrize(
    "question", ["scatter plot of discount and quantity", "discount against quantity as a scatter plot"]
)
def test_a_scatter_plot_is_drawn_by_the_correlation(question: str) -> None:
    asked = meant("Is there a correlation between discount and quantity?")
    assert (meant(question).study, meant(question).query) == (asked.study, asked.query)


def test_a_correlation_is_that_of_the_rows() -> None:
    meaning = meant("Is there a correlation between discount and quantity?")
    pairs = pd.DataFrame(
        rows_of("SELECT discount, quantity FROM order_lines JOIN orders USING (order_id) WHERE status <> 'cancelled'")
    )
    assert values(computed(meaning))["correlation r"] == pytest.approx(pairs[0].corr(pairs[1]))
    assert "does not say" not in answer(meaning)


def test_a_distribution_has_the_median_in_the_middle() -> None:
    found = values(computed(meant("What is the distribution of refund amount?")))
    assert found["least"] <= found["lower quartile"] <= found["median"] <= found["upper quartile"] <= found["greatest"]
    assert found["values"] == rows_of("SELECT COUNT(refund_amount) FROM returns")[0][0]


def test_outliers_lie_beyond_the_fences() -> None:
    table = computed(meant("Are there outliers in refund amount?"))
    amounts = table["refund_amount"]
    assert ((amounts < table["usual from"]) | (amounts > table["usual to"])).all()
    assert table["unusual"].iloc[0] >= len(table)


def test_groups_are_tested_for_a_difference() -> None:
    meaning = meant("Does satisfaction differ significantly between topics?")
    table = computed(meaning)
    assert table["average"].is_monotonic_decreasing
    assert "differ clearly" in answer(meaning)


def test_the_parts_of_a_change_add_up_to_it() -> None:
    table = computed(meant("Why did net revenue fall last month?"))
    before = rows_of(sample_analyst().sql(meant("net revenue in September 2026")))[0][0]
    now = rows_of(sample_analyst().sql(meant("net revenue in October 2026")))[0][0]
    assert table["change"].iloc[0] == pytest.approx(now - before)  # type: ignore[operator]
    assert "it rose" in answer(meant("Why did net revenue fall last month?"))


def test_the_splits_of_a_change_are_named_in_words() -> None:
    meaning = meant("Why did net revenue fall last month?")
    assert any("_" in name for name in column_names(meaning.query)), "a split of two words"
    assert not [name for name in computed(meaning)["split by"] if "_" in name]
    assert "_" not in answer(meaning)


def test_a_group_is_held_against_the_mean_of_the_others() -> None:
    table = computed(meant("net revenue by region", "why is North highest?"))
    revenue = dict(rows_of(sample_analyst().sql(meant("net revenue by region"))))
    others = [value for name, value in revenue.items() if name != "North"]
    assert table["now"].iloc[0] == pytest.approx(revenue["North"])
    assert table["before"].iloc[0] == pytest.approx(sum(others) / len(others))  # type: ignore[arg-type]


def test_a_group_of_percentages_is_explained_by_its_whole_figure() -> None:
    table = computed(meant("net revenue by region", "as percentages", "why is North highest?"))
    assert table["now"].iloc[0] == computed(meant("net revenue by region", "why is North highest?"))["now"].iloc[0]


def test_a_rate_is_not_split_into_parts() -> None:
    outcome = sample_analyst().read("Why did the gross margin rate fall last month?")
    assert isinstance(outcome, Declined)
    assert "no sum of its parts" in outcome.reason


@pytest.mark.parametrize("question", ["how many products are there", "top 5 products by units sold"])
def test_an_ordinary_question_is_no_study(question: str) -> None:
    outcome = sample_analyst().read(question)
    assert isinstance(outcome, Understood)
    assert outcome.meaning.study is None


def test_the_two_sides_have_their_names_in_the_table_and_in_words() -> None:
    from assistant.agents.analyst.studying import name_sides

    meaning = meant("net revenue by region", "why is North highest?")
    assert name_sides(meaning) == (("before", "Mean of the other 4"), ("now", "North"))
    assert "the mean of the other 4 is " in answer(meaning)
    assert name_sides(meant("net revenue by region")) == ()


@pytest.mark.parametrize("question", EACH)
def test_the_cell_of_a_study_passes_its_own_review(question: str) -> None:
    code = computation(meant(question), frame="rows_read", today=AS_OF)
    assert review_cell(code, (Variable(name="rows_read", type="DataFrame"),)) == ()


def test_the_bars_of_a_distribution_stand_on_the_axis_and_it_says_what_they_leave_out() -> None:
    meaning = meant("What is the distribution of refund amount?")
    rows = rows_read(meaning)
    _, every = ran(meaning, rows)
    assert every["encoding"]["x"]["bin"] == "binned"
    assert not every["title"]["subtitle"]
    rows.iloc[0, -1] = 99_999.0
    _, without = ran(meaning, rows)
    assert "values lie further out and are not drawn." in without["title"]["subtitle"]


@pytest.mark.parametrize("question", EACH[2:3])
def test_a_chart_of_a_part_of_the_rows_says_so(question: str) -> None:
    _, chart = ran(meant(question), rows_read(meant(question)))
    assert chart["title"]["subtitle"].startswith("2,000 of ")


@pytest.mark.parametrize("question", [*EACH[:2], EACH[-1]])
def test_the_figures_of_a_study_have_the_currency_of_their_metric(question: str) -> None:
    assert " EUR" in answer(meant(question))
