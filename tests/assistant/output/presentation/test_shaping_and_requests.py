"""A look changes what is shown and nothing else; words that ask for other rows are never taken for a look."""

from __future__ import annotations

import pytest
from given_table import EUR, given, shaped
from hypothesis import given as all_of
from hypothesis import strategies as st

from assistant.core.events import Appearance
from assistant.output.presentation.columns import columns_of
from assistant.output.presentation.requests import parse_request, remove_kind
from assistant.output.presentation.shaping import compute_totals, shape

ROWS = [("North", 300.0), ("South", 100.0), ("East", 600.0), (None, 0.0)]


def test_rows_are_sorted_by_any_column_and_nothing_known_comes_last() -> None:
    by_name = shaped("region revenue", ROWS, Appearance(sort="region"), revenue=EUR)
    assert [row[0] for row in by_name.rows] == ["East", "North", "South", None]
    by_size = shaped("region revenue", ROWS, Appearance(sort="revenue", descending=True), revenue=EUR)
    assert [row[1] for row in by_size.rows] == [600.0, 300.0, 100.0, 0.0]


def test_the_first_n_are_the_largest_n_and_it_says_so() -> None:
    made = shaped("region revenue", ROWS, Appearance(top=2), revenue=EUR)
    assert [row[0] for row in made.rows] == ["East", "North"]
    assert made.notes == ("The first 2 of 4 rows are shown.",)


def test_the_first_n_stay_the_largest_n_when_they_are_sorted_by_name() -> None:
    made = shaped("region revenue", [*ROWS, ("Centre", 50.0)], Appearance(top=2, sort="region"), revenue=EUR)
    assert [row[0] for row in made.rows] == ["East", "North"]
    assert made.notes == ("The 2 of 5 rows with the largest figures are shown: Revenue.",)
    by_size = shaped("region revenue", ROWS[:3], Appearance(top=1, sort="revenue"), revenue=EUR)
    assert by_size.rows == (("South", 100.0),), "an order by the figure is kept"
    months = [("2025-01-01", 1.0), ("2025-02-01", 9.0)]
    assert shaped("month revenue", months, Appearance(top=1, sort="month"), revenue=EUR).rows == (months[0],)


def test_shares_are_of_all_rows_even_where_few_are_shown() -> None:
    made = shaped("region revenue", ROWS, Appearance(percent=("revenue",), top=1), revenue=EUR)
    assert made.rows == (("East", 0.6),)
    assert made.columns[1].unit == "share"


def test_a_column_that_does_not_add_up_has_no_share_and_no_total() -> None:
    made = shaped("region average_price", [("N", 2.0), ("S", 4.0)], Appearance(percent=("average_price",)))
    assert made.rows[0] == ("N", 2.0)
    assert compute_totals(made) == {}


def test_a_cut_table_says_that_only_a_part_was_sorted() -> None:
    table = given("a b", [("x", 1), ("y", 2)], total=50)
    made = shape(table, columns_of(table), Appearance(sort="b"))
    assert "Only the first 2 of 50 rows" in made.notes[0]


@all_of(st.lists(st.tuples(st.text(max_size=3), st.floats(0.01, 1e6)), min_size=2, max_size=30))
def test_shares_add_up_to_one_and_no_row_is_lost(rows: list[tuple[str, float]]) -> None:
    made = shaped("name revenue", rows, Appearance(percent=("revenue",), sort="revenue"), revenue=EUR)
    assert len(made.rows) == len(rows)
    assert sum(float(str(row[1])) for row in made.rows) == pytest.approx(1.0)


@pytest.mark.parametrize(
    ("text", "changes"),
    [
        ("as a pie chart", {"chart": "pie"}),
        ("Show it as bars, please", {"chart": "bar"}),
        ("make it a box plot", {"chart": "box"}),
        ("as a stacked bar chart", {"chart": "stacked"}),
        ("as a table", {"chart": "none"}),
        ("as percentages", {"percent": ("region_name", "net_revenue")}),
        ("in thousands", {"scale": "thousands", "percent": ()}),
        ("only the top 3", {"top": 3}),
        ("top three regions", {"top": 3}),
        ("sort by name", {"sort": "region_name", "descending": False}),
        ("sort by net revenue, smallest first", {"sort": "net_revenue", "descending": False}),
        ("largest first", {"sort": "net_revenue", "descending": True}),
        ("on a log scale", {"log": True}),
        ("als Balkendiagramm", {"chart": "bar"}),
        ("horizontal", {"upright": False}),
        ("make the bars vertical", {"chart": "bar", "upright": True}),
        ("as columns", {"chart": "bar", "upright": True}),
        ("without grid lines", {"grid": False}),
        ("label the bars", {"figures": True}),
        ("no labels", {"figures": False}),
        ("make it blue", {"hue": "blue"}),
        ("horizontal, in green, without grid", {"upright": False, "hue": "green", "grid": False}),
        ("highlight North", {"highlight": "North"}),
        ("title: Revenue of 2025", {"title": "Revenue of 2025"}),
        ("call it “Revenue of 2025”", {"title": "Revenue of 2025"}),
    ],
)
def test_words_about_showing_are_a_look(text: str, changes: dict[str, object]) -> None:
    made = parse_request(text, ("region_name", "net_revenue"), Appearance())
    assert made is not None
    assert made.model_dump(exclude_unset=True) == changes


@pytest.mark.parametrize(
    "text",
    [
        "as a pie chart for 2024",
        "without Furniture",
        "revenue by region",
        "by region",
        "why is North highest?",
        "orders without a discount",
        "which region is best",
        "best region",
        "thanks",
        "blue",
        "only red",
        "title by author",
        "red customers",
        "highlight the orders of more than 100 EUR",
        "explain",
        "show me",
        "3",
        "",
    ],
)
def test_words_that_say_more_are_a_question(text: str) -> None:
    assert parse_request(text, ("region_name", "net_revenue"), Appearance()) is None


def test_a_look_is_added_to_the_one_before_until_it_is_reset() -> None:
    before = Appearance(chart="pie", top=3)
    assert parse_request("in thousands", ("a", "b"), before) == Appearance(chart="pie", top=3, scale="thousands")
    shares = before.model_copy(update={"percent": ("b",)})
    assert parse_request("in thousands", ("a", "b"), shares) == Appearance(chart="pie", top=3, scale="thousands")
    assert parse_request("reset", ("a", "b"), before) == Appearance()


@pytest.mark.parametrize(
    ("question", "rest", "kind"),
    [
        ("share of sales by segment as a pie", "share of sales by segment", "pie"),
        ("sales by region in a bar chart for 2016", "sales by region for 2016", "bar"),
        ("Show me a line chart of monthly sales", "monthly sales", "line"),
        ("Profit by category and region as a heat map?", "Profit by category and region ?", "heatmap"),
        ("sales by country on a map", "sales by country", "map"),
        ("heatmap of profit by category and region", "profit by category and region", "heatmap"),
        ("stacked bar chart of sales by region and segment", "sales by region and segment", "stacked"),
    ],
)
def test_a_question_says_its_kind_of_chart_beside_what_it_asks(question: str, rest: str, kind: str) -> None:
    assert remove_kind(question) == (rest, kind)


@pytest.mark.parametrize(
    "question",
    [
        "as a pie chart",
        "sales by line",
        "orders in an area",
        "products in a box",
        "what is a map?",
        "sales in the area",
    ],
)
def test_what_names_no_chart_or_nothing_else_stays_as_it_is(question: str) -> None:
    assert remove_kind(question) == (question, None)
