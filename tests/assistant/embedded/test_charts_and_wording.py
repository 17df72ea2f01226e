"""Charts run and show what the result's shape asks for; answers say the true figures, with their units and period."""

from __future__ import annotations

from datetime import date

import pandas as pd
import pytest

from assistant.embedded.wording.answers import notes, word_answer
from assistant.embedded.wording.charts import chart_code, members_of
from assistant.embedded.wording.operations import operations
from assistant.embedded.wording.phrases import restated


def _result(analyst, meaning, shop):
    cursor = shop.execute(analyst.sql(meaning))
    return [c[0] for c in cursor.description], cursor.fetchall()


def _drawn(code, columns, rows):
    scope = {"result": pd.DataFrame(rows, columns=columns)}
    head, _, last = code.rpartition("\nalt.Chart")
    exec(head, scope)
    return eval("alt.Chart" + last, scope).to_dict()


@pytest.mark.parametrize(
    ("question", "mark"),
    [
        ("How many customers by region?", "bar"),
        ("freight per month in 2025", "line"),
        ("orders per year", "line"),
        ("How many customers per country and region?", "bar"),
        ("freight by store per quarter", "line"),
        ("top 3 products by quantity", "bar"),
        ("share of customers by region", "bar"),
        ("How many customers by region as a pie chart", "arc"),
        ("number of orders per customer", "bar"),
    ],
)
def test_chart_fits_the_shape(question, mark, plain, understood, shop):
    meaning = understood(plain, question).meaning
    columns, rows = _result(plain, meaning, shop)
    code = chart_code(meaning, columns, len(rows), "result")
    assert code is not None
    chart = _drawn(code, columns, rows)
    assert (chart["mark"] if isinstance(chart["mark"], str) else chart["mark"]["type"]) == mark
    assert chart["title"].startswith(restated(meaning))
    assert "tooltip" in chart["encoding"]


def test_many_names_stand_on_the_axis_and_few_are_colours(plain, understood, shop):
    meaning = understood(plain, "How many customers per region and country?").meaning
    columns, rows = _result(plain, meaning, shop)
    code = chart_code(meaning, columns, len(rows), "result", members=members_of(meaning, columns, rows))
    assert code is not None
    encoding = _drawn(code, columns, rows)["encoding"]
    assert members_of(meaning, columns, rows) == (3, 4)
    assert (encoding["y"]["field"], encoding["color"]["field"]) == ("country", "region")


def test_no_more_colours_than_can_be_told_apart(plain, understood, shop):
    meaning = understood(plain, "orders by customer per year").meaning
    columns, rows = _result(plain, meaning, shop)
    code = chart_code(meaning, columns, len(rows), "result", members=members_of(meaning, columns, rows))
    assert code is not None
    chart = _drawn(code, columns, rows)
    shown = next(iter(chart["datasets"].values()))
    colour = chart["encoding"]["color"]["field"]
    totals = {}
    for row in shown:
        totals[row[colour]] = totals.get(row[colour], 0) + row["orders"]
    assert len(totals) == 8
    assert "(the 8 largest of" in chart["title"]
    frame = pd.DataFrame(rows, columns=columns)
    everyone = frame.groupby([c for c in columns if c not in ("year", "orders")])["orders"].sum().nlargest(8)
    assert sorted(totals.values()) == sorted(everyone.tolist())


@pytest.mark.parametrize("question", ["How many customers are there?", "customers without orders", "highest price"])
def test_single_values_and_lists_have_no_chart(question, plain, understood, shop):
    meaning = understood(plain, question).meaning
    columns, rows = _result(plain, meaning, shop)
    assert chart_code(meaning, columns, len(rows), "result") is None


def test_answer_says_figure_unit_and_period(informed, understood, shop):
    meaning = understood(informed, "What was net revenue in 2025?").meaning
    columns, rows = _result(informed, meaning, shop)
    text = word_answer(meaning, columns, rows, len(rows))
    assert text == f"Net revenue for 2025: **{rows[0][0]:,.2f} EUR**."


def test_answer_names_the_extremes_and_the_total(informed, understood, shop):
    meaning = understood(informed, "net revenue by category").meaning
    columns, rows = _result(informed, meaning, shop)
    text = word_answer(meaning, columns, rows, len(rows))
    for name, value in (max(rows, key=lambda r: r[1]), min(rows, key=lambda r: r[1])):
        assert f"**{name}**" in text
        assert f"**{value:,.2f} EUR**" in text
    assert f"In total **{sum(r[1] for r in rows):,.2f} EUR** over 4 categories" in text


def test_what_is_the_same_for_each_has_no_extremes(plain, understood):
    meaning = understood(plain, "number of orders and number of customers by country").meaning
    rows = [("France", 40, 10), ("Spain", 30, 10)]
    text = word_answer(meaning, ("country", "orders", "customers"), rows, 2)
    assert "Number of customers: **10** for each." in text
    assert "In total **70** orders over 2 countries" in text


def test_no_total_of_averages_or_rates(informed, understood, shop):
    for question in ("average order value by store", "cancellation rate by store", "average age by country"):
        meaning = understood(informed, question).meaning
        columns, rows = _result(informed, meaning, shop)
        assert "In total" not in word_answer(meaning, columns, rows, len(rows))


def test_no_rows_are_said(plain, understood, shop):
    meaning = understood(plain, "products that cost more than 5000").meaning
    columns, rows = _result(plain, meaning, shop)
    assert rows == []
    assert word_answer(meaning, columns, rows, 0).startswith("No products matched")


def test_list_is_counted_and_cut(plain, understood, shop):
    meaning = understood(plain, "customers from Germany").meaning
    columns, rows = _result(plain, meaning, shop)
    text = word_answer(meaning, columns, rows, len(rows))
    assert f"**{len(rows)}** found" in text
    assert "and 4 more" in text


def test_unfinished_month_is_noted(plain, understood, shop):
    meaning = understood(plain, "orders per month in 2026").meaning
    columns, rows = _result(plain, meaning, shop)
    assert any("not over yet" in note for note in notes(meaning, columns, rows, len(rows), plain.today))
    full = understood(plain, "orders per month in 2025").meaning
    columns, rows = _result(plain, full, shop)
    assert notes(full, columns, rows, len(rows), plain.today) == ()


def test_an_unfinished_year_is_said_once_and_until_when(plain):
    meaning = plain.read("How many orders in 2026?").meaning
    twice = meaning.model_copy(update={"times": meaning.times * 2})
    assert notes(twice, ("orders",), ((3,),), 1, date(2026, 11, 21)) == (
        "2026 is not over yet: the figures are those up to 21 November 2026.",
    )


def test_operations_are_plain_words(informed, understood):
    meaning = understood(informed, "What was net revenue by region last quarter?").meaning
    lines = operations(meaning)
    assert lines[0] == "Read order lines of July to September 2026"
    assert "Compute net revenue" in lines
    assert lines[-1] == "Group by region"


def test_titles_read_like_a_person_wrote_them(plain, understood):
    for question, title in {
        "How many customers are from Germany?": "Number of customers, where country is Germany",
        "top 3 products by quantity": "3 products with the highest total quantity",
        "Which region has the most customers?": "Region with the highest number of customers",
        "customers with at least 12 orders": "Customers, where there are at least 12 orders",
        "how many active customers are there": "Number of customers, where active",
    }.items():
        assert understood(plain, question).restated == title
