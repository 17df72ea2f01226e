"""What files hold of lines, reviews, tickets and readings: nothing is counted, listed or added up that nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.analyst import algebra as al
from assistant.analyst.analyst import Analyst
from assistant.analyst.interpretation.interpretation import empty
from assistant.analyst.meaning import Meaning
from assistant.analyst.outcomes import Ambiguous, Understood
from assistant.analyst.presenting.columns import shown_columns
from assistant.analyst.source import AnalystSource
from assistant.analyst.wording import sentence
from assistant.core import catalog as found

ROWS = 200


def number(name: str, distinct: int = 150, low: int = 0, high: int = 900, kind: str = "integer") -> found.Column:
    profile = found.Profile(distinct=distinct, nulls=0, low=low, high=high)
    return found.Column(name=name, type="", kind=kind, profile=profile)  # pyright: ignore[reportArgumentType]


def text(name: str, *values: str, distinct: int = 0) -> found.Column:
    profile = found.Profile(distinct=distinct or len(values), nulls=0, values=values or None)
    return found.Column(name=name, type="", kind="text", profile=profile)


def day(name: str, nulls: int = 0) -> found.Column:
    profile = found.Profile(distinct=90, nulls=nulls, low="2023-01-01", high="2024-12-31")
    return found.Column(name=name, type="", kind="date", profile=profile)


def source(name: str, *columns: found.Column) -> AnalystSource:
    table = found.Table(name=name, columns=columns, rows=ROWS)
    return AnalystSource(found.Catalog(source="file", dialect="duckdb", tables=(table,)), (), date(2026, 1, 1))


LINES = source(
    "shop_orders",
    text("Order ID", distinct=80),
    day("OrderDate"),
    day("ShipDate"),
    text("Category", "Chairs", "Phones"),
    text("Sub-Category", "Desk", "Stool", "Mobile"),
    number("SalesAmount"),
    number("Profit", low=-90),
)
REVIEWS = source(
    "hotel_reviews",
    number("review_id", distinct=ROWS, low=1, high=ROWS),
    text("hotel_name", "Old Mill", "Sea View"),
    text("city", "Rome", "Kyoto"),
    number("star_rating", distinct=5, low=1, high=5),
    number("helpful_votes"),
)
TICKETS = source(
    "support_tickets",
    text("ticket_id", distinct=ROWS),
    day("created_at"),
    day("resolved_at", nulls=60),
    text("priority", "Low", "High"),
)
ENERGY = source("campus_energy", day("date"), text("building", "Gym", "Lab"), number("kwh"), number("cost_eur"))


def found_column(of: AnalystSource, name: str) -> al.Column:
    return next(column for column in of.schema.typed if column.name == name)


def readings(of: AnalystSource, question: str) -> list[str]:
    """All readings of a question, in words."""
    return [sentence(of.schema.said(reading.query)) for reading in of.candidates(question).readings]


def test_a_size_before_a_column_is_shown_with_it() -> None:
    daily = found.Column(name="date", type="", kind="date", profile=found.Profile(distinct=ROWS, nulls=0))
    (first, *_) = readings(source("weather", daily, number("wind")), "second lowest wind and its date")
    assert first.startswith("Date and wind of")


@pytest.mark.parametrize(("name", "unit"), [("Miles_per_Gallon", ""), ("Distance (miles)", "miles")])
def test_a_rate_of_two_units_is_not_told_in_the_first(name: str, unit: str) -> None:
    cars = source("cars", text("origin", "Japan", "USA"), number(name))
    column = found_column(cars, name)
    meaning = Meaning(source="file", query=al.Grouped(al.Rows("cars"), (), (al.Aggregate("mean", column),)))
    (shown,) = shown_columns(meaning, ("average",), ((23.5,),), cars.schema)
    assert shown.unit == unit


def test_times_that_are_named_may_be_the_groups_of_a_share() -> None:
    said = readings(TICKETS, "what share of tickets were low priority in 2023 and in 2024")
    assert any(one.endswith("by year, where (created at is in 2023 or created at is in 2024)") for one in said)
    months = readings(TICKETS, "share of low tickets in July and December")
    assert any("by month of year of created at" in one for one in months)


def test_a_text_behind_contains_needs_no_quotation_marks() -> None:
    songs = source("songs", text("name", distinct=ROWS), text("comments", distinct=120))
    assert readings(songs, "songs whose name contains winter")[0] == "Name of songs whose name contains “winter”"
    assert "comments contains “rain”" in readings(songs, "songs whose comments mention rain")[0]


def test_a_comparison_without_its_number_is_no_name_of_a_column() -> None:
    birds = source("birds", text("species", "Gentoo", "Adelie"), number("weight"))
    (first, *_) = readings(birds, "gentoos heavier than the average gentoo")
    assert not first.startswith("Average weight")


@pytest.mark.parametrize(
    ("of", "question", "read"),
    [
        (LINES, "how many orders were placed in 2023", "Number of different order IDs of shop orders"),
        (LINES, "which sub-category loses money", "Each sub-category of shop orders, where total profit is below 0"),
        (
            LINES,
            "which month had the highest sales",
            "Month with the highest total sales amount of shop orders",
        ),
        (REVIEWS, "total helpful votes by hotel", "Total helpful votes of hotel reviews by hotel name"),
        (
            REVIEWS,
            "lowest rated hotel in Rome",
            "Hotel name with the lowest average star rating of hotel reviews, where city is “Rome”",
        ),
        (TICKETS, "tickets per month", "Number of support tickets by month"),
    ],
)
def test_a_question_is_about_what_it_names(of: AnalystSource, question: str, read: str) -> None:
    assert read in readings(of, question)[0]


def test_rows_are_dated_by_what_always_comes() -> None:
    months = [reading for reading in TICKETS.candidates("tickets per month").readings if "resolved_at" in reading.sql]
    assert not months


@pytest.mark.parametrize(
    ("of", "question", "never"),
    [
        (
            ENERGY,
            "which building uses the most energy",
            "Building with the highest number of campus energies (names only)",
        ),
        (ENERGY, "which month had the highest cost", "Highest cost"),
    ],
)
def test_nothing_is_computed_that_nobody_asked_for(of: AnalystSource, question: str, never: str) -> None:
    said = [reading for reading in of.candidates(question).readings if not reading.unread]
    assert not [words for one in said if (words := sentence(of.schema.said(one.query))).startswith(never)]


def test_a_column_that_is_named_is_not_left_out_of_figures() -> None:
    first = TICKETS.candidates("average resolution time by priority").readings[0]
    assert "resolved_at" in first.sql or "resolution" in first.unread


def test_a_word_before_a_noun_names_no_rows() -> None:
    assert not any(
        guess.said == "unresolved"
        for one in TICKETS.candidates("how many unresolved tickets").readings
        for guess in one.guesses
    )


def test_codes_are_said_by_their_labels_and_words_as_they_are_written() -> None:
    age = replace(number("v1", low=18, high=90), comment="Age of respondent")
    gender = replace(text("gndr", "Male", "Female"), comment="Gender; 1 = Male, 2 = Female")
    hours = replace(number("hours"), comment="Weekly working time")
    schema = source("survey", age, gender, hours).schema
    said = {column.name: schema.typed[column].words for column in schema.typed}
    assert said == {"v1": ("age", "of", "respondent"), "gndr": ("gender",), "hours": ("hour",)}


SPENDING = source(
    "expenses", day("Date"), text("Category", "Meals", "Travel"), number("Spend"), day("Paid On", nulls=40)
)
WEATHER = source(
    "weather",
    found.Column(
        name="date",
        type="",
        kind="date",
        profile=found.Profile(distinct=ROWS, nulls=0, low="2023-01-01", high="2024-12-31"),
    ),
    number("temp_max"),
    number("temp_min"),
    number("wind"),
)


@pytest.mark.parametrize(
    ("of", "question", "read"),
    [
        (LINES, "top categories by profit", "Top 10 categories by total profit of shop orders"),
        (LINES, "top category by profit", "Category with the highest total profit of shop orders"),
        (LINES, "top 3 categories by profit", "Top 3 categories by total profit of shop orders"),
        (TICKETS, "most common priorities", "Top 10 priorities by number of support tickets"),
        (WEATHER, "hottest days", "Date and temp max of the 10"),
        (WEATHER, "windiest month", "Month with the highest average wind of"),
        (WEATHER, "coldest day", "Date and temp min of the"),
        (WEATHER, "hottest day", "Date and temp max of the"),
        (
            SPENDING,
            "spend between March 1 and May 31",
            "Total spend of expenses, where date is from 2024-03-01 to 2024-05-31",
        ),
        (SPENDING, "spend by month", "Total spend of expenses by month"),
    ],
)
def test_several_things_are_ranked_and_an_exact_name_is_the_measure(
    of: AnalystSource, question: str, read: str
) -> None:
    assert readings(of, question)[0].startswith(read)


def test_no_group_is_counted_by_its_own_different_values() -> None:
    assert not [words for words in readings(TICKETS, "top priorities") if "different priorit" in words]


def test_a_total_of_a_time_without_data_is_offered() -> None:
    analyst = Analyst((SPENDING.catalog,), (), date(2026, 1, 1))
    match analyst.read("total spend in 1997"):
        case Understood(restated=words):
            assert words.startswith("Total spend")
        case Ambiguous(options=options):
            assert options[0][0].startswith("Total spend")
        case outcome:
            pytest.fail(str(outcome))


def test_periods_are_offered_of_dates_that_stand_for_no_end() -> None:
    until = found.Column(
        name="valid_to",
        type="",
        kind="date",
        profile=found.Profile(distinct=90, nulls=0, low="2023-01-01", high="9999-01-01"),
    )
    prices = source("prices", text("item", "pen", "cup"), number("price"), until)
    offered = empty(prices).replace(measure="average price").choices("Period")
    assert offered
    assert not [choice.text for choice in offered if "9999" in choice.text]


YEARS_OF_COUNTRIES = source(
    "gapminder",
    text("country", "Chad", "Peru", "Togo", distinct=20),
    text("continent", "Africa", "Americas"),
    number("year", distinct=10, low=1952, high=2007),
    number("lifeExp", low=30, high=80),
    number("pop", distinct=ROWS, low=60_000),
    number("gdpPercap"),
)
"""A row for each country and year."""


@pytest.mark.parametrize("name", ["gapminder", "countries"])
@pytest.mark.parametrize("question", ["how many countries are there in each continent", "how many countries in 2007"])
def test_a_thing_whose_name_is_on_several_rows_is_counted_once(name: str, question: str) -> None:
    of = source(name, *(column for table in YEARS_OF_COUNTRIES.catalog.tables for column in table.columns))
    query = of.candidates(question).readings[0].query
    assert isinstance(query, al.Grouped)
    assert query.figures == (al.Aggregate("distinct", al.Column(name, "country")),)


def test_rows_without_a_name_are_no_groups_of_themselves() -> None:
    stocks = source("stocks", text("symbol", "IBM", "AMZN"), day("date"), number("price"))
    for reading in stocks.candidates("highest price of each stock").readings:
        assert al.Column("stocks", "price") not in getattr(reading.query, "keys", ())


@pytest.mark.parametrize(
    ("question", "adds_up"), [("total pop by year", False), ("total pop by continent in 2007", True)]
)
def test_levels_do_not_add_up_over_time(question: str, adds_up: bool) -> None:
    of = YEARS_OF_COUNTRIES
    meaning = Meaning(source="file", query=of.candidates(question).readings[0].query)
    *_, total = shown_columns(meaning, ("group", "total_pop"), [], of.schema)
    assert total.adds_up is adds_up
