"""Numbers that come again and again tell classes apart, wide ranges are cut into bands, classes are compared."""

from __future__ import annotations

from contextlib import closing

import pytest
from row_tables import RowTables
from rows_evaluator import Evaluator

from assistant.analyst.algebra import Aggregate, Band, Column, Compare, Constant, Count, Grouped, Listing, Query, Rows
from assistant.analyst.algebra import parts as parts_of
from assistant.analyst.reading import QuestionReader
from assistant.analyst.schema import Schema
from assistant.analyst.sql.queries import to_sql

VANS = RowTables(
    name="fleet",
    tables={
        "vans": [
            {
                "id": i,
                "name": f"Van {i}",
                "maker": ("Ayd", "Bol", "Cem")[i % 3],
                "cylinders": (4, 6, 8)[i % 3],
                "weight": 900.0 + i * 37 % 1400,
                "balance": 0.0 if i % 4 == 0 else float(i * 53 % 900 - 300),
            }
            for i in range(1, 61)
        ]
    },
    parents=(),
    types={"weight": "DOUBLE", "balance": "DOUBLE"},
)


def column(name: str) -> Column:
    return Column("vans", name)


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(VANS.catalog())


def first(reader: QuestionReader, question: str) -> Query:
    return reader.read(question)[0].query


@pytest.mark.parametrize(
    ("question", "condition"),
    [
        ("how many vans have 8 cylinders", Compare(column("cylinders"), "=", Constant(8))),
        ("vans with zero balance", Compare(column("balance"), "=", Constant(0))),
    ],
)
def test_a_number_before_a_column_that_holds_it_is_its_value(
    reader: QuestionReader, question: str, condition: Compare
) -> None:
    assert condition in set(parts_of(first(reader, question)))


def test_a_number_that_a_column_does_not_hold_is_how_many(reader: QuestionReader) -> None:
    query = first(reader, "top 5 weights")
    assert isinstance(query, Listing)
    assert query.limit is not None
    assert query.limit.n == 5


@pytest.mark.parametrize("said", ["by cylinders", "by number of cylinders", "for each number of cylinders"])
def test_whole_numbers_that_come_again_group(reader: QuestionReader, said: str) -> None:
    query = first(reader, f"average weight {said}")
    assert query == Grouped(Rows("vans"), (column("cylinders"),), (Aggregate("mean", column("weight")),))


@pytest.mark.parametrize(
    ("said", "key"),
    [
        ("by weight range", Band(column("weight"), 200)),
        ("per balance bracket", Band(column("balance"), 100)),
        ("by weight in bands of 500", Band(column("weight"), 500)),
    ],
)
def test_a_wide_range_is_cut_into_bands(reader: QuestionReader, said: str, key: Band) -> None:
    assert first(reader, f"number of vans {said}") == Grouped(Rows("vans"), (key,), (Count(),))


@pytest.mark.parametrize("word", ["best", "highest", "higher"])
def test_classes_are_compared_by_the_whole_of_each(reader: QuestionReader, word: str) -> None:
    query = first(reader, f"which maker has the {word} average weight")
    assert isinstance(query, Grouped)
    assert query.keys == (column("maker"),)


def test_the_class_of_one_row_is_no_answer_where_classes_are_asked_for(reader: QuestionReader) -> None:
    for reading in reader.read("which maker has the highest balance")[:2]:
        assert isinstance(reading.query, Grouped)
    named = first(reader, "the maker of the van with the highest balance")
    assert isinstance(named, Listing)


def test_bands_are_the_same_on_each_engine_and_below_zero() -> None:
    query = Grouped(Rows("vans"), (Band(column("balance"), 100),), (Count(),))
    expected = sorted(map(tuple, Evaluator(VANS.database).run(query)))
    assert expected[0][0] == -300
    for dialect, opened in (("sqlite", VANS.sqlite), ("duckdb", VANS.duckdb)):
        with closing(opened()) as connection:
            found = connection.execute(to_sql(query, Schema.of(VANS.catalog(dialect)))).fetchall()
        assert sorted(map(tuple, found)) == expected


DRIVERS = RowTables(
    name="drivers",
    tables={
        "drivers": [
            {"id": i, "name": f"Driver {i}", "age": 20 + i, "sex": ("female", "male")[i % 2], "points": i % 7}
            for i in range(1, 41)
        ]
    },
    parents=(),
    types={},
)


@pytest.mark.parametrize(
    "question",
    ["how many drivers are over 50", "average points of women over 50", "number of drivers over 50 for each sex"],
)
def test_a_bare_number_of_rows_that_have_an_age_is_an_age(question: str) -> None:
    older = Compare(Column("drivers", "age"), ">", Constant(50))
    assert older in set(parts_of(first(QuestionReader(DRIVERS.catalog()), question)))
