"""Words with a meaning of their own work in any question: signs, denied flags, places, listed months, classes, worth."""

from __future__ import annotations

from datetime import date

import pytest
from row_tables import RowTables

from assistant.analyst.algebra import (
    Aggregate,
    Arithmetic,
    Column,
    Combined,
    Compare,
    Constant,
    Count,
    Either,
    Grain,
    Grouped,
    Limit,
    Listing,
    Query,
    Within,
    parts,
)
from assistant.analyst.reading import QuestionReader
from assistant.analyst.source import AnalystSource

STALLS = RowTables(
    name="market",
    tables={
        "stalls": [
            {
                "id": i,
                "name": f"Stall {i}",
                "town": ("Ulm", "Bonn", "Trier")[i % 3],
                "profit": float(i * 7 % 23 - 9),
                "active": "no" if i % 4 == 0 else "yes",
                "age_group": ("18-24", "25-34", "35-44")[i % 3],
                "price": 1.5 * (1 + i * 5 % 11),
                "quantity": 1 + i * 3 % 8,
                "opened": f"202{i % 3}-{1 + i % 12:02}-10",
            }
            for i in range(1, 31)
        ]
    },
    parents=(),
    types={"opened": "DATE", "profit": "DOUBLE", "price": "DOUBLE"},
)


def column(name: str) -> Column:
    return Column("stalls", name)


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(STALLS.catalog())


def readings(reader: QuestionReader, question: str) -> list[Query]:
    return [reading.query for reading in reader.read(question)[:3]]


def first(reader: QuestionReader, question: str) -> Query:
    return reader.read(question)[0].query


LOSS = Compare(column("profit"), "<", Constant(0))
"""What "lose money" says of one row."""


@pytest.mark.parametrize("question", ["which stalls lose money", "stalls in the red", "how many stalls are at a loss"])
def test_a_word_for_a_side_of_zero_is_a_condition_on_the_column_that_it_measures(
    reader: QuestionReader, question: str
) -> None:
    assert any(LOSS in set(parts(query)) for query in readings(reader, question))


def test_a_word_for_a_side_of_zero_is_one_on_the_total_of_each_group(reader: QuestionReader) -> None:
    total = Aggregate("sum", column("profit"))
    found = [q for q in readings(reader, "which towns lose money") if isinstance(q, Grouped) and total in q.figures]
    assert [query.keys for query in found] == [(column("town"),)] * len(found) != []


@pytest.mark.parametrize("question", ["how many stalls are inactive", "how many stalls are retired"])
def test_a_word_that_denies_a_flag_is_the_flag_not_set(reader: QuestionReader, question: str) -> None:
    assert Compare(column("active"), "=", Constant("no")) in set(parts(first(reader, question)))


@pytest.mark.parametrize(
    ("question", "skipped"),
    [
        ("stall with the second highest profit", 1),
        ("which stall has the 3rd lowest price", 2),
        ("the third most recent stall", 2),
    ],
)
def test_an_ordinal_before_an_extreme_passes_over_those_before_it(
    reader: QuestionReader, question: str, skipped: int
) -> None:
    query = first(reader, question)
    assert isinstance(query, Listing)
    assert query.limit == Limit(1, skip=skipped)


def test_an_ordinal_gives_the_group_at_its_place(reader: QuestionReader) -> None:
    query = first(reader, "town with the second highest total profit")
    assert isinstance(query, Grouped)
    assert (query.keys, query.limit) == ((column("town"),), Limit(1, skip=1))


def test_an_ordinal_within_groups_gives_the_one_at_its_place_in_each(reader: QuestionReader) -> None:
    query = first(reader, "stall with the second highest profit in each town")
    assert isinstance(query, Listing)
    assert query.limit == Limit(1, (0,), ties=True, skip=1)


def test_months_that_are_listed_are_alternatives(reader: QuestionReader) -> None:
    months = set(parts(first(reader, "how many stalls opened in June, July and August")))
    wanted = {Compare(Grain(column("opened"), "month of year"), "=", Constant(n)) for n in (6, 7, 8)}
    assert wanted <= months
    assert any(isinstance(part, Either) for part in months)


def test_revenue_is_price_times_quantity_where_nothing_is_called_so(reader: QuestionReader) -> None:
    worth = Arithmetic("*", column("price"), column("quantity"))
    query = first(reader, "total revenue by town")
    assert isinstance(query, Grouped)
    assert (query.keys, query.figures) == ((column("town"),), (Aggregate("sum", worth),))


@pytest.mark.parametrize("said", ["25 to 34", "25-34", "25 through 34"])
def test_a_class_of_numbers_is_found_however_its_ends_are_joined(reader: QuestionReader, said: str) -> None:
    query = first(reader, f"how many stalls with age group {said}")
    assert Compare(column("age_group"), "=", Constant("25-34")) in set(parts(query))


def test_a_thing_that_is_said_twice_is_read_twice(reader: QuestionReader) -> None:
    reading = reader.read("stalls in Ulm as a percentage of all stalls")[0]
    assert reading.unread == ()
    share = [part for part in parts(reading.query) if isinstance(part, Combined)]
    assert [(part.how, part.right) for part in share] == [("ratio", Count())]


def test_so_many_things_are_still_named_where_their_number_stands_before_them(reader: QuestionReader) -> None:
    query = first(reader, "which 2 towns have the lowest average profit")
    assert isinstance(query, Grouped)
    assert query.keys == (column("town"),)
    assert (query.limit, query.order[0].descending) == (Limit(2), False)


def test_a_difference_of_periods_is_the_later_less_the_earlier(reader: QuestionReader) -> None:
    for question in ("difference in total profit between 2020 and 2021", "difference in total profit of 2021 and 2020"):
        found = [p for q in readings(reader, question) for p in parts(q) if isinstance(p, Combined)]
        sides = [(part.left, part.right) for part in found if part.how == "difference"]
        years = [[p.start[:4] for p in parts(side) if isinstance(p, Within)] for side in sides[0]]
        assert years == [["2021"], ["2020"]], question


def test_a_difference_of_two_figures_is_the_first_less_the_second(reader: QuestionReader) -> None:
    query = first(reader, "difference between highest and lowest price")
    assert isinstance(query, Grouped)
    (figure,) = query.figures
    assert isinstance(figure, Combined)
    assert [getattr(side, "function", "") for side in (figure.left, figure.right)] == ["max", "min"]


def test_a_question_of_nothing_that_is_known_is_not_about_the_only_table(reader: QuestionReader) -> None:
    assert reader.read("what is the weather today?") == []


@pytest.mark.parametrize(
    "question", ["which month had the highest average price?", "in what month is the average price highest?"]
)
def test_a_part_of_time_that_is_asked_for_is_what_is_grouped_by(question: str) -> None:
    source = AnalystSource(STALLS.catalog(), (), date(2024, 1, 1))
    first = source.candidates(question).readings[0].query
    assert isinstance(first, Grouped)
    assert first.keys == (Grain(column("opened"), "month"),)
    assert first.limit == Limit(1)
