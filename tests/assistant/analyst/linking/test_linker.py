"""Words are linked to names, values, numbers and dates: in other forms, misspelt, abbreviated."""

from __future__ import annotations

import pytest
from little_shop import catalog

from assistant.analyst.algebra import Column
from assistant.analyst.linking.linker import Linker
from assistant.analyst.linking.tokens import words
from assistant.analyst.parts import Period, Recurring, Thing, Value
from assistant.analyst.schema import Schema


def linked(question: str, category: str) -> list[object]:
    found = Linker(Schema.of(catalog())).anchors(words(question))
    return [part.meaning for part in sorted(found, key=lambda part: -part.score) if part.category == category]


@pytest.mark.parametrize(
    ("question", "column"),
    [
        ("the freight", Column("orders", "freight")),
        ("the freigth", Column("orders", "freight")),
        ("quantities", Column("lines", "quantity")),
        ("the qty", Column("lines", "quantity")),
        ("the category", Column("products", "kind")),
        ("product price", Column("products", "price")),
    ],
)
def test_a_column_is_found_in_other_forms(question: str, column: Column) -> None:
    assert linked(question, "column")[0] == column


def test_a_table_is_found_in_the_singular_and_by_a_synonym() -> None:
    assert linked("each customer", "thing")[0] == Thing("customers")
    assert linked("all clients", "thing")[0] == Thing("customers")


def test_values_are_found_in_any_case_and_missing_markers_are_none() -> None:
    assert linked("in the south", "value") == [Value(Column("customers", "region"), "South")]
    assert linked("books", "value")[0] == Value(Column("products", "kind"), "book")
    assert linked("in NA", "value") == []


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("in 2021", Period("2021-01-01", "2022-01-01")),
        ("the 1990s", Period("1990-01-01", "2000-01-01")),
        ("in March 2021", Period("2021-03-01", "2021-04-01")),
        ("Q2 2021", Period("2021-04-01", "2021-07-01")),
        ("Q4 of 2021", Period("2021-10-01", "2022-01-01")),
        ("in December of 2020", Period("2020-12-01", "2021-01-01")),
        ("on 2021-02-28", Period("2021-02-28", "2021-03-01")),
    ],
)
def test_periods_are_read(question: str, period: Period) -> None:
    assert period in linked(question, "period")


def test_what_comes_again_is_read() -> None:
    assert linked("on Mondays", "recurring") == [Recurring("weekday", 1)]
    assert linked("each december", "recurring") == [Recurring("month of year", 12)]


@pytest.mark.parametrize(
    ("question", "number"), [("over 5 million", 5_000_000), ("$1,250.50", 1250.5), ("twenty", 20), ("3k", 3_000)]
)
def test_numbers_are_read(question: str, number: float) -> None:
    assert number in linked(question, "number")
