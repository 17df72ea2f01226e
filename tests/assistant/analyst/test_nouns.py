"""What one row is called, where a source has one table, and which nouns mean its rows."""

from __future__ import annotations

from datetime import date

import pytest

from assistant.analyst.algebra import Column
from assistant.analyst.interpretation.interpretation import interpret
from assistant.analyst.meaning import Meaning
from assistant.analyst.schema import Schema
from assistant.analyst.source import AnalystSource
from assistant.analyst.starters import starters
from assistant.analyst.wording import sentence
from assistant.core import catalog as found

ROWS = 200


def number(name: str, distinct: int = 40, low: int = 5, high: int = 90, **more: object) -> found.Column:
    profile = found.Profile(distinct=distinct, nulls=0, low=low, high=high, **more)  # pyright: ignore[reportArgumentType]
    return found.Column(name=name, type="", kind="integer", profile=profile)


def text(name: str, *values: str, distinct: int = 0) -> found.Column:
    profile = found.Profile(distinct=distinct or len(values), nulls=0, values=values)
    return found.Column(name=name, type="", kind="text", profile=profile)


def key(name: str) -> found.Column:
    return number(name, distinct=ROWS, low=1, high=ROWS)


def source(name: str, *columns: found.Column) -> AnalystSource:
    table = found.Table(name=name, columns=columns, rows=ROWS)
    return AnalystSource(found.Catalog(source="file", dialect="duckdb", tables=(table,)), (), date(2026, 1, 1))


HOTELS = (key("hotel_id"), text("hotel_name", distinct=190), text("city", "Bonn", "Kiel"), number("stars"))
PEOPLE = (key("column_1"), number("income"), number("age"), text("gender", "F", "M"), text("own_home", "No", "Yes"))
CARS = (number("mpg"), number("cylinders", 3), number("horsepower"), text("maker", "Audi", "Fiat"))
STORMS = (key("column_1"), text("name", distinct=150), number("max_storm_cat", 6), number("year", 9, 1990, 2000))
SALES = (number("price"), text("region", "East", "West"), text("payment", "card", "cash"))


def read(of: AnalystSource, question: str) -> str:
    """The first reading of a question, in words."""
    return sentence(of.schema.said(of.candidates(question).readings[0].query))


@pytest.mark.parametrize(
    ("name", "columns", "called"),
    [
        ("hotel_data", HOTELS, "hotel"),
        ("t_2014_q4", HOTELS[2:], "row"),
        ("sales_data_2019", SALES, "sales"),
        ("cost_data_with_errors", STORMS, "row"),
        ("credit", PEOPLE, "person"),
        ("employee_data", PEOPLE, "employee"),
        ("titanic", (key("PassengerId"), *PEOPLE[1:]), "passenger"),
        ("superstore", (key("Row ID"), number("order id"), *SALES), "row"),
        ("passengers", PEOPLE, "passengers"),
        ("auto_mpg", CARS, "car"),
    ],
)
def test_the_noun_of_a_row_is_found(name: str, columns: tuple[found.Column, ...], called: str) -> None:
    assert source(name, *columns).schema.tables[name].called == called


def test_firms_are_known_by_what_firms_have() -> None:
    firms = source("big_2000", text("name", distinct=ROWS), number("sales"), number("assets"), number("marketvalue"))
    assert read(firms, "how many companies have assets above 50").startswith("Number of")
    assert "firm" in firms.schema.tables["big_2000"].nouns
    assert "firm" not in source("lines", number("sales"), number("profit")).schema.tables["lines"].nouns


def test_beside_other_tables_a_table_keeps_its_name() -> None:
    tables = tuple(found.Table(name=name, columns=HOTELS, rows=ROWS) for name in ("hotel_data", "other"))
    schema = Schema.of(found.Catalog(source="two", dialect="duckdb", tables=tables))
    assert schema.tables["hotel_data"].called == "hotel_data"


def test_sentences_and_starters_use_the_noun() -> None:
    hotels = source("hotel_data", *HOTELS)
    assert read(hotels, "how many hotels are there in each city") == "Number of hotels by city"
    assert "How many hotels are there?" in list(starters(hotels))


@pytest.mark.parametrize("noun", ["people", "customers", "clients", "entries"])
def test_general_nouns_mean_the_rows_without_a_word(noun: str) -> None:
    people = source("credit", *PEOPLE)
    reading = people.candidates(f"how many {noun} have an income above 50").readings[0]
    assert sentence(people.schema.said(reading.query)) == "Number of people, where income is above 50"
    assert reading.guesses == reading.unread == ()


def test_a_general_noun_that_names_a_column_or_a_value_means_that() -> None:
    clients = source("credit", *PEOPLE, text("client", distinct=30), text("kind", "patient", "visitor"))
    assert {"client", "patient"}.isdisjoint(clients.schema.tables["credit"].nouns)
    assert "customer" in clients.schema.tables["credit"].nouns


def test_an_unknown_noun_means_the_rows_and_the_answer_says_so() -> None:
    sales = source("sales_data", *SALES)
    reading = sales.candidates("how many returns were paid by card").readings[0]
    meaning = Meaning(query=reading.query, source="file")
    assert "“returns” was taken for “rows of sales_data”." in sales.assumed(meaning, reading)


def test_a_plural_that_goes_before_a_columns_noun_means_the_rows() -> None:
    storms = source("cost_data_with_errors", *STORMS)
    assert read(storms, "how many storms were there each year") == "Number of rows by year"


def test_a_row_without_a_name_is_shown_with_all_that_it_holds() -> None:
    """A measure or a row number is no name."""
    schema = source("auto_mpg", *CARS).schema
    assert schema.tables["auto_mpg"].label == schema.tables["auto_mpg"].columns
    label = source("credit", *PEOPLE).schema.tables["credit"].label
    assert [column.name for column in label] == ["income", "age", "gender", "own_home"]


def test_the_name_of_what_a_number_repeats_is_no_name_of_a_row() -> None:
    lines = (number("line"), number("customer_id"), text("customer_name", distinct=150), number("amount"))
    assert Column("lines", "customer_name") not in source("lines", *lines).schema.tables["lines"].label[:1]


def test_a_row_with_a_date_of_its_own_is_named_by_it() -> None:
    day = found.Column(name="day", type="", kind="date", profile=found.Profile(distinct=ROWS, nulls=0))
    assert source("trips", day, number("rides")).schema.tables["trips"].label == (Column("trips", "day"),)


def test_names_are_said_without_remarks_and_signs_at_the_end() -> None:
    columns = ("Trips today (midnight to 11:59pm)", "Miles to date:", "Weight (kg)", "Rain (May to July)", "Rain")
    of = source("rides", *map(number, columns))
    assert [of.schema.said(Column("rides", name)).name for name in columns] == [
        "Trips today",
        "Miles to date",
        "Weight (kg)",  # a unit
        "Rain (May to July)",  # else there were two of one name
        "Rain",
    ]
    assert read(of, "average trips today") == "Average trips today of rides"


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many people are over 60", "Number of people, where age is above 60"),
        ("average income of customers under 30", "Average income of people, where age is below 30"),
        ("how many people have an income over 60", "Number of people, where income is above 60"),
    ],
)
def test_a_comparison_of_people_without_a_name_is_one_of_ages(question: str, said: str) -> None:
    assert read(source("credit", *PEOPLE), question) == said


def test_chips_use_the_noun() -> None:
    people = source("credit", *PEOPLE)
    query = people.candidates("how many people have an income above 50").readings[0].query
    assert list(map(str, interpret(query, people).chips)) == ["Measure: number of people", "Filter: income is above 50"]


def test_rows_with_a_day_of_their_own_are_days() -> None:
    day = found.Column(name="date", type="DATE", kind="date", profile=found.Profile(distinct=ROWS, nulls=0))
    trips, since = number("trips"), number("trips since launch", distinct=ROWS, running=True)
    of = source("t_2014_q4", day, trips, since)
    assert of.schema.tables["t_2014_q4"].noun == "day"
    assert "whose trips is above 40" in read(of, "days with more than 40 trips")


def test_rows_without_a_value_are_no_group_that_could_be_the_first() -> None:
    brand = found.Column(
        name="brand", type="", kind="text", profile=found.Profile(distinct=2, nulls=90, values=("Loews", "Ritz"))
    )
    of = source("hotel_data", *HOTELS, brand)
    assert "brand is known" in read(of, "which brand has the most hotels")
    assert "brand is known" not in read(of, "number of hotels by brand")


def test_where_rows_were_not_counted_no_column_is_said_to_have_a_value_for_each() -> None:
    table = found.Table(name="cities", columns=HOTELS, rows=None)
    schema = Schema.of(found.Catalog(source="file", dialect="duckdb", tables=(table,)))
    assert not schema.is_one_each(Column("cities", "hotel_id"))
    assert source("cities", *HOTELS).schema.is_one_each(Column("cities", "hotel_id"))


def test_a_word_before_the_noun_of_the_rows_is_not_swallowed_by_it() -> None:
    """Were "rich" the rows, rich and poor people would be counted as if nothing was said of money."""
    first = source("credit", *PEOPLE).candidates("how many rich people have a home").readings[0]
    assert "rich" in first.unread


READINGS = (
    *(text("name", "Ana", "Bob", distinct=40), text("status", "hurricane", "storm"), number("hurricane_force", 30)),
    number("year", 9, 1990, 2000),
    number("month", 12, 1, 12),
)


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("how many different storms were there", "Number of different names of storms"),
        ("how many storms in March 1995", "Number of storms, where year is 1995 and month is 3"),
        ("how many are not hurricanes", "Number of storms, where status is not “hurricane”"),
    ],
)
def test_rows_of_a_thing_that_is_seen_many_times(question: str, said: str) -> None:
    assert read(source("storms", *READINGS), question) == said


@pytest.mark.parametrize(
    ("question", "said"),
    [
        ("average mpg by origin", "Average miles per gallon of cars by origin"),
        ("average weight of heavy cars", "Average weight in lbs of cars"),
        ("average mass by origin", "Average weight in lbs of cars by origin"),
        (
            "heaviest car",
            "Name and weight in lbs of the car with the highest weight in lbs",
        ),
    ],
)
def test_initials_of_a_long_name_are_that_name(question: str, said: str) -> None:
    miles, weight = number("Miles_per_Gallon"), number("Weight_in_lbs", low=1500, high=5100)
    assert (
        read(source("cars", text("Name", distinct=190), miles, weight, text("Origin", "USA", "Japan")), question)
        == said
    )


def test_a_size_is_not_counted() -> None:
    found = source("cars", text("Name", distinct=190), number("Weight_in_lbs", low=1500, high=5100))
    assert "distinct" not in str(found.candidates("how many heavy cars are there").readings[0].query)
