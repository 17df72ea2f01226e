"""Words of size take the column that measures their things; what each row has its own of is never many."""

from __future__ import annotations

import pytest
from row_tables import RowTables

from assistant.analyst.algebra import Aggregate, Column, Compare, Constant, Count, Grouped, Listing, Query, Rows, parts
from assistant.analyst.reading import QuestionReader

ISLES = RowTables(
    name="isles",
    tables={
        "towns": [
            {"town_name": f"Town {i}", "isle": ("Sark", "Herm")[i % 2], "population": 900 + i * 37}
            for i in range(1, 25)
        ],
        "ponds": [{"pond_name": f"Pond {i}", "area": float(3 + i * i)} for i in range(1, 25)],
        "hills": [
            {"hill_name": f"Hill {i}", "altitude": 40 + i * 3, "food": ("Fern", "Moss")[i % 2]} for i in range(1, 25)
        ],
    },
    parents=(),
    types={"area": "DOUBLE"},
)
AREA, POPULATION, ALTITUDE = Column("ponds", "area"), Column("towns", "population"), Column("hills", "altitude")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(ISLES.catalog())


def first(reader: QuestionReader, question: str) -> Query:
    return reader.read(question)[0].query


@pytest.mark.parametrize(
    ("question", "column"),
    [("largest town in Sark", POPULATION), ("which pond is the biggest", AREA), ("highest hill", ALTITUDE)],
)
def test_the_largest_is_so_by_what_measures_it(reader: QuestionReader, question: str, column: Column) -> None:
    query = first(reader, question)
    assert isinstance(query, Listing)
    assert query.outputs[query.order[0].place] == column
    assert query.order[0].descending


def test_larger_than_a_number_is_said_of_a_size_and_not_of_how_many(reader: QuestionReader) -> None:
    larger = Compare(AREA, ">", Constant(100))
    assert first(reader, "how many ponds are larger than 100") == Grouped(Rows("ponds", larger), (), (Count(),))
    for reading in reader.read("ponds with more than 100 things"):
        assert not any(isinstance(part, Grouped) and part.having != Rows("").where for part in parts(reading.query))


@pytest.mark.parametrize("said", ["what kinds of food are there", "which types of food are there"])
def test_kinds_of_something_are_listed_once(reader: QuestionReader, said: str) -> None:
    query = first(reader, said)
    assert isinstance(query, Listing)
    assert query.distinct


def test_a_word_that_names_a_column_ranks_nothing() -> None:
    rows: list[dict[str, object]] = [
        {"id": i, "name": f"Name {i}", "rank": ("Major", "Private")[i % 2]} for i in range(20)
    ]
    army = RowTables(name="army", tables={"captains": rows}, parents=(), types={})
    query = first(QuestionReader(army.catalog()), "how many different ranks are there")
    assert query == Grouped(Rows("captains"), (), (Aggregate("distinct", Column("captains", "rank")),))
