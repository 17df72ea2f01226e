"""What files hold of lines, reviews, tickets and readings: nothing is counted, listed or added up that nobody asked for."""

from __future__ import annotations

from dataclasses import replace
from datetime import date

import pytest

from assistant.analyst import algebra as al
from assistant.analyst.meaning import Meaning
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
    assert any(
        one.endswith("by year, of support tickets, where (created at is in 2023 or created at is in 2024)")
        for one in said
    )
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
        (LINES, "how many orders were placed in 2023", "Number of different order id, of shop orders"),
        (LINES, "which sub-category loses money", "Each sub-category, of shop orders, where total profit is below 0"),
        (
            LINES,
            "which month had the highest sales",
            "month, of shop orders, ordered by total sales amount, highest first, the first 1",
        ),
        (REVIEWS, "total helpful votes by hotel", "Total helpful votes by hotel name"),
        (
            REVIEWS,
            "lowest rated hotel in Rome",
            "hotel name, of hotel reviews, where city is “Rome”, ordered by average",
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
        (ENERGY, "which building uses the most energy", "Each building, of campus energies, ordered by number"),
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
