"""Words that say by what things are measured, and names of things that are no keys and no dates."""

from __future__ import annotations

from datetime import date, timedelta

import pytest
from row_tables import RowTables
from rows_evaluator import Parent

from assistant.analyst.algebra import Aggregate, Column, Count, Grain, Grouped, Limit, Query, parts
from assistant.analyst.names import lemma, plural
from assistant.analyst.reading import QuestionReader

CITIES = ("Ulm", "Bonn", "Trier")
FIRST = date(2024, 1, 3)
COUNTER = RowTables(
    name="counter",
    tables={
        "customer": [{"customer_id": i, "name": f"Customer {i}", "city": CITIES[i % 3]} for i in range(1, 8)],
        "purchase": [
            {
                "purchase_id": 100 + i,
                "customer_id": 1 + i * i % 7,
                "amount": float(5 + i * 13 % 71),
                "purchase_date": (FIRST + timedelta(days=13 * i)).isoformat(),
            }
            for i in range(40)
        ],
    },
    parents=(Parent("purchase", "customer_id", "customer", "customer_id"),),
    types={"purchase_date": "DATE", "amount": "DOUBLE"},
)
AMOUNT, CITY, NAME = Column("purchase", "amount"), Column("customer", "city"), Column("customer", "name")


@pytest.fixture(scope="module")
def reader() -> QuestionReader:
    return QuestionReader(COUNTER.catalog())


def queries(reader: QuestionReader, question: str) -> list[Query]:
    return [reading.query for reading in reader.read(question)[:5]]


def first(reader: QuestionReader, question: str) -> Grouped:
    query = queries(reader, question)[0]
    assert isinstance(query, Grouped)
    return query


@pytest.mark.parametrize("question", ["which city spends the most", "the city that spent the most"])
def test_who_spends_the_most_is_told_by_the_total_of_all_rows(reader: QuestionReader, question: str) -> None:
    query = first(reader, question)
    assert (query.keys, query.figures, query.limit) == ((CITY,), (Aggregate("sum", AMOUNT),), Limit(1))


def test_the_best_are_those_of_the_greatest_sales_in_the_table_that_holds_them(reader: QuestionReader) -> None:
    query = first(reader, "who are our 3 best customers")
    assert NAME in query.keys
    assert (query.figures, query.limit) == ((Aggregate("sum", AMOUNT),), Limit(3))


def test_the_most_frequent_are_counted_where_they_occur(reader: QuestionReader) -> None:
    query = first(reader, "most frequent customer")
    assert NAME in query.keys
    assert (query.of.table, query.figures) == ("purchase", (Count(),))  # type: ignore[union-attr]


def test_no_date_is_big(reader: QuestionReader) -> None:
    dated = Aggregate("max", Column("purchase", "purchase_date"))
    assert dated not in {part for query in queries(reader, "the biggest purchase") for part in parts(query)}
    assert dated in {part for query in queries(reader, "the maximum purchase date") for part in parts(query)}


def test_rows_are_not_counted_one_by_one(reader: QuestionReader) -> None:
    counted = [q for q in queries(reader, "most popular customer") if isinstance(q, Grouped) and q.keys]
    assert all(query.of.table == "purchase" for query in counted)  # type: ignore[union-attr]


def test_several_months_are_asked_for_as_one_is(reader: QuestionReader) -> None:
    query = first(reader, "which months had a total amount over 100")
    assert [key.grain for key in query.keys if isinstance(key, Grain)] == ["month"]
    assert Aggregate("sum", AMOUNT) in query.figures


def test_an_aside_leaves_nothing_unread(reader: QuestionReader) -> None:
    reading = reader.read("I was wondering how many purchases there are")[0]
    assert (reading.query.figures, reading.unread) == ((Count(),), ())  # type: ignore[union-attr]


def test_the_best_are_not_goods() -> None:
    assert lemma("best") == "best"


@pytest.mark.parametrize(
    ("name", "said"),
    [
        ("order line", "order lines"),
        ("orders", "orders"),
        ("category", "categories"),
        ("address", "addresses"),
        ("person", "people"),
        ("staff", "staff"),
        ("people", "people"),
    ],
)
def test_a_name_is_said_in_the_plural(name: str, said: str) -> None:
    assert plural(name) == said
