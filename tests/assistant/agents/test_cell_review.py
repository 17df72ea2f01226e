from __future__ import annotations

import pytest

from assistant.agents.cell_review import is_plain_chart, review_cell
from assistant.core.events import Variable

SALES = Variable(
    name="sales", type="pandas.DataFrame", shape=(9, 3), columns=("region", "revenue", "avg. wait"), size_bytes=1
)

WRONG = [
    pytest.param(
        "from scipy import stats\nstat.skew(sales['revenue'])", "Nothing defines the name stat", id="a misspelt name"
    ),
    pytest.param("sklearn.linear_model", "Nothing defines the name sklearn", id="a library that is not imported"),
    pytest.param("sales['revenu'].sum()", "sales has no column 'revenu'. Did you mean 'revenue'?", id="a column"),
    pytest.param("sales[['region', 'year']]", "sales has no column 'year'. It has region", id="one of several columns"),
    pytest.param(
        "alt.Chart(sales).mark_bar().encode(x='region:N', y='sum(total):Q')",
        "sales has no column 'total'",
        id="a field of a chart",
    ),
    pytest.param(
        "alt.Chart(sales).mark_bar().encode(alt.X('month', title='Month'), y='revenue')",
        "sales has no column 'month'",
        id="a field of a channel",
    ),
    pytest.param(
        "alt.Chart(sales).mark_bar().encode(x='avg. wait:Q')", "reads the dot or bracket", id="a field with a dot"
    ),
    pytest.param("sales.sort_values('revenu').head(3)", "sales has no column 'revenu'", id="a column to sort by"),
    pytest.param("sales.nlargest(3, 'profit')", "sales has no column 'profit'", id="a column of the largest"),
    pytest.param("share = sales['revenue'] / 2\nsales", "share is worked out and neither used", id="an unused result"),
    pytest.param("sales.groupby('region').sum", "sum is named and not called", id="a method that is not called"),
    pytest.param("pd.DataFrame({'region': ['N'], 'revenue': [12]})", "uses no earlier result", id="figures made up"),
]

RIGHT = [
    "sales['revenue'].sum()",
    "sales = sales.rename(columns={'revenue': 'r'})\nsales['r']",
    "sales['share'] = sales['revenue'] / sales['revenue'].sum()\nsales['share']",
    "def share(sales):\n    return sales['x']\nshare(sales)",
    "alt.Chart(sales).transform_calculate(t='datum.revenue * 2').mark_bar().encode(x='t:Q')",
    "alt.Chart(sales).mark_bar().encode(x='region:N', y='sum(revenue):Q', color=alt.value('red'), tooltip=['region'])",
    "alt.Chart(sales).mark_bar().encode(x='count()', y=alt.Y('revenue:Q', bin=True))",
    "alt.Chart(sales).mark_bar().encode(x='avg\\\\. wait:Q')",
    "wide = sales.pivot_table(columns='region', values='revenue')\nwide['North']",
    "sales.groupby(['region'])['revenue'].sum()",
    "top = sales.nlargest(3, 'revenue')\ntop",
    "_ = plt.figure()\nsales.plot()",
    "extra = query('SELECT 1 AS n')\nextra['n']",
    "[x for x in sales['region'] if (y := x)]\ndisplay(sales)",
    "%matplotlib inline",
]


@pytest.mark.parametrize(("code", "said"), WRONG)
def test_what_would_fail_or_draw_nothing_is_found_before_it_runs(code: str, said: str) -> None:
    found = review_cell(code, (SALES,))
    assert any(said in finding.text for finding in found), found
    assert all(finding.level == "warning" for finding in found)


@pytest.mark.parametrize("code", RIGHT)
def test_what_is_right_or_cannot_be_told_is_left_alone(code: str) -> None:
    assert review_cell(code, (SALES,)) == ()


def test_a_frame_whose_columns_are_not_all_known_is_not_judged() -> None:
    wide = SALES.model_copy(update={"shape": (9, 300)})
    assert review_cell("sales['other']", (wide,)) == ()


def test_before_there_is_any_result_a_cell_may_use_none() -> None:
    assert review_cell("pd.DataFrame({'n': [1]})", ()) == ()


@pytest.mark.parametrize(
    "code",
    [
        "alt.Chart(sales).mark_bar().encode(x='region:N', y='revenue:Q')",
        "import altair as alt\nchart = alt.Chart(sales, title='Sales (EUR)').mark_bar().encode(\n"
        "    x=alt.X('region:N', title='Region', sort='-y'), y=alt.Y('revenue:Q', scale=alt.Scale(domain=[-1, 2])))\nchart",
        "base = alt.Chart(sales).encode(x='region')\nboth = base.mark_bar() + base.mark_text().encode(text='revenue')\nboth",
    ],
)
def test_a_cell_that_only_draws_columns_of_results_is_a_plain_chart(code: str) -> None:
    assert is_plain_chart(code, (SALES,))


@pytest.mark.parametrize(
    "code",
    [
        "sales",
        "alt.Chart(sales.head(3)).mark_bar().encode(x='region')",
        "alt.Chart(other).mark_bar().encode(x='region')",
        "alt.Chart(sales).mark_bar().encode(x='region:N', y='sum(revenue):Q')",
        "alt.Chart(sales).mark_bar().encode(x='region:N', y=alt.Y('revenue', aggregate='mean'))",
        "alt.Chart(sales).transform_filter('datum.revenue > 3').mark_bar().encode(x='region')",
        "alt.Chart(sales[sales['revenue'] > 3]).mark_bar().encode(x='region')",
        "sales['share'] = sales['revenue'] / 2\nalt.Chart(sales).mark_bar().encode(x='share')",
        "top = sales.nlargest(3, 'revenue')\nalt.Chart(sales).mark_bar().encode(x='region')",
        "alt.Chart(sales).mark_bar().encode(x='region').save('chart.html')",
        "alt.Chart(sales",
    ],
)
def test_a_cell_that_computes_or_does_more_is_none(code: str) -> None:
    assert not is_plain_chart(code, (SALES,))
