"""A time goes by the date that a question names, else by the date that is called as its rows; events tell how often."""

from __future__ import annotations

from contextlib import closing

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.algebra import (
    Aggregate,
    Column,
    Count,
    Function,
    Grain,
    Grouped,
    Limit,
    OneOf,
    Rows,
    Within,
    parts,
)
from assistant.analyst.confidence import RUN_MAX, ResultSummary
from assistant.analyst.deciding import decide
from assistant.analyst.ranking import weights
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql
from assistant.analyst.wording import sentence

CLINIC = RowTables(
    name="clinic",
    tables={
        "findings": [{"finding_id": i, "name": f"Finding {i}"} for i in range(1, 5)],
        "visits": [
            {
                "visit_id": i,
                "finding_id": 1 + i * i % 4,
                "visit_date": f"202{i % 3}-{1 + i % 12:02}-10",
                "paid_date": f"202{i % 3}-{1 + i % 12:02}-25",
            }
            for i in range(1, 41)
        ],
        "notes": [{"note_id": i, "visit_id": 1 + i % 40, "author": f"Author {i % 3}"} for i in range(1, 61)],
    },
    parents=(
        Parent("visits", "finding_id", "findings", "finding_id"),
        Parent("notes", "visit_id", "visits", "visit_id"),
    ),
    types={"visit_date": "DATE", "paid_date": "DATE"},
)
VISITED, PAID = Column("visits", "visit_date"), Column("visits", "paid_date")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(CLINIC.catalog())


def dates(query: object) -> set[object]:
    return {
        part.of if isinstance(part, Grain) else part.term for part in parts(query) if isinstance(part, Grain | Within)
    }


@pytest.mark.parametrize(
    ("question", "date"),
    [
        ("visits per month in 2021", VISITED),
        ("number of visits per month", VISITED),
        ("number of visits paid in 2021 per month", PAID),
    ],
)
def test_a_time_goes_by_one_date(reader: QuestionReader, question: str, date: Column) -> None:
    first, *others = reader.read(question)
    assert dates(first.query) == {date}
    assert all(first.score - other.score > 1 for other in others if dates(other.query) - {date})


def test_the_most_common_is_counted_by_the_nearest_events(reader: QuestionReader) -> None:
    query = reader.read("what is the most common finding")[0].query
    assert isinstance(query, Grouped)
    assert query.of == Rows("visits")


def test_that_nothing_is_found_speaks_against_a_reading_only_where_the_data_reaches_its_period(
    reader: QuestionReader,
) -> None:
    sure: dict[int, float] = {}
    for year in (1997, 2021):
        readings = reader.read(f"visits per month in {year}")
        sure[year] = decide(readings, [ResultSummary.of([])] * min(RUN_MAX, len(readings)), weights()).confidence
    assert sure[1997] > sure[2021] + 0.2


@pytest.mark.parametrize(
    ("said", "years"), [("in 2020 and 2022", {2020, 2022}), ("between 2020 and 2022", {2020, 2021, 2022})]
)
def test_two_years_are_those_two_and_between_them_are_all(reader: QuestionReader, said: str, years: set[int]) -> None:
    query = reader.read(f"how many visits were there {said}")[0].query
    with closing(CLINIC.sqlite()) as connection:
        found = connection.execute(to_sql(query, Schema.of(CLINIC.catalog()))).fetchall()
    assert found == [(sum(int(str(row["visit_date"])[:4]) in years for row in CLINIC.tables["visits"]),)]


def test_a_date_that_nothing_cuts_is_no_group(reader: QuestionReader) -> None:
    for reading in reader.read("number of findings with a visit date"):
        assert not isinstance(reading.query, Grouped) or VISITED not in reading.query.keys


@pytest.mark.parametrize(
    ("question", "grain"),
    [
        ("busiest month for visits", "month"),
        ("the busiest day of the week for visits", "weekday"),
        ("busiest month of the year for visits", "month of year"),
    ],
)
def test_what_comes_first_may_be_a_part_of_the_date(reader: QuestionReader, question: str, grain: str) -> None:
    query = reader.read(question)[0].query
    assert isinstance(query, Grouped)
    assert (query.keys, query.figures, query.limit) == ((Grain(VISITED, grain),), (Count(),), Limit(1))  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("question", "function", "date"),
    [
        ("when was the first visit", "min", VISITED),
        ("date of the last visit", "max", VISITED),
        ("first paid date", "min", PAID),
        ("last visit date", "max", VISITED),
    ],
)
def test_the_first_and_last_dates_are_ends(
    reader: QuestionReader, question: str, function: Function, date: Column
) -> None:
    query = reader.read(question)[0].query
    assert isinstance(query, Grouped)
    assert (query.keys, query.figures) == ((), (Aggregate(function, date),))


def test_the_first_of_some_rows_is_no_least_value(reader: QuestionReader) -> None:
    first = reader.read("first visit of 2021")[:3]
    assert not any(part.function == "min" for r in first for part in parts(r.query) if isinstance(part, Aggregate))


def test_the_weekend_is_two_days(reader: QuestionReader) -> None:
    query = reader.read("how many visits on weekends")[0].query
    assert OneOf(Grain(VISITED, "weekday"), (6, 0)) in set(parts(query))
    assert sentence(query).endswith("weekday of visit date is Saturday or Sunday")


def test_weekdays_and_weekends_are_put_side_by_side(reader: QuestionReader) -> None:
    query = reader.read("how many visits on weekdays vs weekends")[0].query
    assert isinstance(query, Grouped)
    days = (OneOf(Grain(VISITED, "weekday"), values) for values in ((1, 2, 3, 4, 5), (6, 0)))
    assert query.figures == tuple(map(Count, days))
