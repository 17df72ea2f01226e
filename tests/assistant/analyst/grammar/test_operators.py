"""Operators of the grammar meet each other: in figures, groups, first ones, related rows, and in one another."""

from __future__ import annotations

import pytest
from little_shop import catalog

from assistant.analyst.algebra import (
    Aggregate,
    Column,
    Combined,
    Compare,
    Constant,
    Count,
    Grain,
    Grouped,
    Groups,
    Listing,
    Missing,
    Not,
    Query,
    Related,
    Rows,
    Share,
    Window,
    Within,
    parts,
)
from assistant.analyst.reading import QuestionReader

REGION, FREIGHT, DAY = Column("customers", "region"), Column("orders", "freight"), Column("orders", "day")
TOTAL = Aggregate("sum", FREIGHT)


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(catalog())


def readings(reader: QuestionReader, question: str) -> list[Query]:
    return [reading.query for reading in reader.read(question)[:4]]


def holding(reader: QuestionReader, question: str, *values: object) -> list[Query]:
    """The first readings that have all of some values in them."""
    return [query for query in readings(reader, question) if all(value in set(parts(query)) for value in values)]


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("customers with at least 2 orders", (Related("customers", Rows("orders"), "at least", 2),)),
        ("customers without orders", (Related("customers", Rows("orders"), "none"),)),
        (
            "customers without orders in 2021",
            (Related("customers", Rows("orders", Within(DAY, "2021-01-01", "2022-01-01")), "none"),),
        ),
        (
            "customers whose every order has a freight over 10",
            (Related("customers", Rows("orders", Compare(FREIGHT, ">", Constant(10))), "every"),),
        ),
        ("share of orders by region", (Share(Count()),)),
        ("percentage of orders from the north region", (Compare(REGION, "=", Constant("North")), Count())),
        ("running total of freight by year", (Window("running", TOTAL), Grain(DAY, "year"))),
        ("3 year moving average of freight", (Window("moving", TOTAL, n=3),)),
        ("median freight by region and year", (Aggregate("median", FREIGHT), REGION, Grain(DAY, "year"))),
        ("orders of customers without a region", (Missing(REGION),)),
        ("products other than books", (Not(Compare(Column("products", "kind"), "=", Constant("book"))),)),
    ],
)
def test_a_question_is_made_of_its_operators(reader: QuestionReader, question: str, values: tuple[object, ...]) -> None:
    assert holding(reader, question, *values)


@pytest.mark.parametrize(
    ("question", "values"),
    [
        ("total freight of orders from 2020 on", (Within(DAY, "2020-01-01", ""),)),
        ("orders with a freight of no more than 10", (Compare(FREIGHT, "<=", Constant(10)),)),
        ("orders from customers in the north region", (Rows("orders", Compare(REGION, "=", Constant("North"))),)),
        ("customers with fewer than 3 orders", (Related("customers", Rows("orders"), "at most", 2),)),
    ],
)
def test_the_longest_phrase_is_the_one_that_is_meant(
    reader: QuestionReader, question: str, values: tuple[object, ...]
) -> None:
    assert all(value in set(parts(reader.read(question)[0].query)) for value in values)


def test_values_are_compared_with_each_other_where_they_are_joined_by_and(reader: QuestionReader) -> None:
    joined = "compare the total freight of the north {} the south region"
    (first, *_) = readings(reader, joined.format("and"))
    assert isinstance(first, Grouped)
    assert len(first.figures) == 2
    read = [r.query for r in reader.read(joined.format("or")) if not r.unread]
    assert not any(isinstance(query, Grouped) and len(query.figures) == 2 for query in read)


def test_places_of_groups_are_not_computed_with(reader: QuestionReader) -> None:
    found = readings(reader, "rank of each region by maximum freight of orders")
    assert any(Window("rank", Aggregate("max", FREIGHT)) in set(parts(q)) for q in found[:1])


def test_growth_is_between_the_ends_of_a_span(reader: QuestionReader) -> None:
    years = [Aggregate("sum", FREIGHT, Within(DAY, f"{y}-01-01", f"{y + 1}-01-01")) for y in (2019, 2021)]
    assert holding(reader, "growth of freight from 2019 to 2021", Combined("growth", *years))


def test_figures_of_all_groups_are_figures_of_a_query(reader: QuestionReader) -> None:
    (found, *_) = [q for q in readings(reader, "average number of orders per customer") if isinstance(q, Grouped)]
    assert isinstance(found.of, Groups)
    (figure,) = found.figures
    assert isinstance(figure, Aggregate)
    assert figure.function == "mean"


def test_groups_that_meet_a_condition_are_counted(reader: QuestionReader) -> None:
    found = readings(reader, "how many regions have more than 2 customers")
    assert any(isinstance(q, Grouped) and isinstance(q.of, Groups) and q.figures == (Count(),) for q in found)


def test_the_first_of_each_group_is_limited_within_its_key(reader: QuestionReader) -> None:
    found = readings(reader, "the order with the highest freight in each region")
    listed = [q for q in found if isinstance(q, Listing) and q.limit is not None and q.limit.within == (0,)]
    assert listed
    assert listed[0].outputs[0] == REGION


def test_a_thing_before_another_that_it_has_only_says_which(reader: QuestionReader) -> None:
    plain, compound = (readings(reader, f"total freight by {key}")[0] for key in ("customer", "order customer"))
    assert compound == plain
