"""Words are linked to names, values, numbers and dates: in other forms, misspelt, abbreviated."""

from __future__ import annotations

from dataclasses import replace

import pytest
from little_shop import catalog

from assistant.analyst.algebra import Arithmetic, Column, Constant
from assistant.analyst.grammar.conditions import converted
from assistant.analyst.linking.column_values import beginnings
from assistant.analyst.linking.linker import Linker
from assistant.analyst.linking.names import NameVocabulary, likeness, word_likeness
from assistant.analyst.linking.tokens import words
from assistant.analyst.parts import Amount, ColumnValue, Period, Recurring, Thing
from assistant.analyst.schema import Schema
from assistant.core import catalog as found


def linked(question: str, category: str) -> list[object]:
    anchors = Linker(Schema.of(catalog())).anchors(words(question))
    return [part.meaning for part in sorted(anchors, key=lambda part: -part.score) if part.category == category]


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


def test_misspelt_words_of_the_lexicon_are_put_right_unless_they_are_something_else() -> None:
    linker = Linker(Schema.of(catalog()))

    def spelt(question: str) -> str:
        return " ".join(word.lower for word in linker.spelt(words(question)))

    assert (
        spelt("how mnay orders whithout avrage or hihgest lenght")
        == "how many orders without average or highest length"
    )
    kept = "freigth of Avrage Ltd and 'hihgest' lise sold by quark"  # a name, a text, no slip, another word
    assert spelt(kept) == kept.lower().replace("'", "")
    mean = next(part for part in linker.anchors(linker.spelt(words("avrage freight"))) if part.category == "function")
    assert [(guess.said, guess.meant) for guess in mean.guesses] == [("avrage", "average")]


def test_a_table_is_found_in_the_singular_and_by_a_synonym() -> None:
    assert linked("each customer", "thing")[0] == Thing("customers")
    assert linked("all clients", "thing")[0] == Thing("customers")


def test_values_are_found_in_any_case_and_missing_markers_are_none() -> None:
    assert linked("in the south", "value") == [ColumnValue(Column("customers", "region"), "South")]
    assert linked("books", "value")[0] == ColumnValue(Column("products", "kind"), "book")
    assert linked("in NA", "value") == []


@pytest.mark.parametrize(
    ("question", "period"),
    [
        ("in 2021", Period("2021-01-01", "2022-01-01")),
        ("the 1990s", Period("1990-01-01", "2000-01-01")),
        ("in March 2021", Period("2021-03-01", "2021-04-01")),
        ("Q2 2021", Period("2021-04-01", "2021-07-01")),
        ("Q4 of 2021", Period("2021-10-01", "2022-01-01")),
        ("in the second quarter of 2021", Period("2021-04-01", "2021-07-01")),
        ("the first half of 2021", Period("2021-01-01", "2021-07-01")),
        ("in December of 2020", Period("2020-12-01", "2021-01-01")),
        ("on 2021-02-28", Period("2021-02-28", "2021-03-01")),
    ],
)
def test_periods_are_read(question: str, period: Period) -> None:
    assert period in linked(question, "period")


def test_what_comes_again_is_read() -> None:
    assert linked("on Mondays", "recurring") == [Recurring("weekday", (1,))]
    assert linked("at weekends", "recurring") == [Recurring("weekday", (6, 0))]
    assert linked("each december", "recurring") == [Recurring("month of year", (12,))]
    assert linked("the third quarter", "recurring") == [Recurring("quarter of year", (3,))]
    assert linked("the fifth quarter", "recurring") == linked("the second half", "recurring") == []


@pytest.mark.parametrize(
    ("question", "number"), [("over 5 million", 5_000_000), ("$1,250.50", 1250.5), ("twenty", 20), ("3k", 3_000)]
)
def test_numbers_are_read(question: str, number: float) -> None:
    assert number in linked(question, "number")


def one_table(*columns: found.Column) -> Schema:
    table = found.Table(name="log2", columns=columns, rows=100)
    return Schema.of(found.Catalog(source="log", dialect="sqlite", tables=(table,)))


def text(name: str, *values: str) -> found.Column:
    profile = found.Profile(distinct=len(values), nulls=0, values=values)
    return found.Column(name=name, type="TEXT", kind="text", profile=profile)


def number(name: str, high: float) -> found.Column:
    return found.Column(name=name, type="REAL", kind="number", profile=found.Profile(distinct=50, nulls=0, high=high))


def meant(schema: Schema, question: str, category: str) -> list[object]:
    return [p.meaning for p in Linker(schema).anchors(words(question)) if p.category == category]


def test_a_gender_is_linked_to_its_letter_in_columns_of_genders_alone() -> None:
    schema = one_table(text("gender", "F", "M"), text("grade", "F", "A", "M"))
    assert meant(schema, "female", "value") == [ColumnValue(Column("log2", "gender"), "F")]


def test_a_noun_that_nothing_explains_is_what_the_rows_of_the_only_table_are() -> None:
    schema = one_table(text("gender", "F", "M"))
    assert Thing("log2") in meant(schema, "how many penguins", "thing")
    assert meant(schema, "how many gender", "thing") == [Thing("log2", Column("log2", "gender"))]


def test_revenue_is_price_times_quantity_less_a_discount_where_nothing_is_called_so() -> None:
    price, quantity, discount = number("unit_price", 90.0), number("quantity", 12.0), number("discount", 0.3)
    columns = [Column("log2", name) for name in ("unit_price", "quantity", "discount")]
    less = Arithmetic("-", Constant(1), columns[2])
    worth = Arithmetic("*", Arithmetic("*", columns[0], columns[1]), less)
    assert meant(one_table(price, quantity, discount), "total revenue", "quantity") == [worth]
    assert meant(one_table(price, quantity, number("revenue", 900.0)), "total revenue", "quantity") == []


def test_the_nineties_are_a_decade() -> None:
    assert Period("1990-01-01", "2000-01-01") in linked("the 90s", "period")


def test_a_number_keeps_its_unit() -> None:
    assert linked("longer than 30 minutes", "amount") == [Amount(30, "minute")]
    assert linked("more than an hour", "amount") == [Amount(1, "hour")]


def test_the_beginning_of_a_value_stands_for_it_where_it_is_written_with_a_capital() -> None:
    values = {"united air lines": ((Column("a", "name"), "United Air Lines"),)}
    assert beginnings(values)["united"] == ((Column("a", "name"), "United Air Lines"),)
    two = {**values, "united kingdom": ((Column("a", "name"), "United Kingdom"),)}
    assert "united" not in beginnings(two)


@pytest.mark.parametrize(
    ("unit", "n", "expected"), [("second", 120, 2), ("hour", 1, 60), ("minute", 5, 5), ("kg", 5, None), ("", 5, 5)]
)
def test_a_number_is_converted_to_the_unit_of_a_column(unit: str, n: float, expected: float | None) -> None:
    schema = Schema.of(catalog())
    freight = Column("orders", "freight")
    typed = {**schema.typed, freight: replace(schema.typed[freight], role="duration", unit="minute")}
    assert converted(replace(schema, typed=typed), freight, n, unit) == expected


@pytest.mark.parametrize("said", [("customer",), ("custmer", "name"), ("order", "date"), ("region",), ("zebra",)])
def test_no_name_that_a_span_may_say_is_passed_over(said: tuple[str, ...]) -> None:
    """Names are found by their words; what is left out is like the span in nothing."""
    schema = Schema.of(catalog())
    vocabulary = NameVocabulary.of(schema)
    near = set(vocabulary.near(said))
    assert all(likeness(said, name) == 0.0 for name in vocabulary.names if name not in near)
    assert near or said == ("zebra",)


@pytest.mark.parametrize(
    ("question", "numbers"),
    [
        ("between 1 and 2 million", {1_000_000, 2_000_000}),
        ("from 1.5 to 2k", {1_500, 2_000}),
        ("between 100 and 2 million", {100, 2_000_000}),
        ("5 customers and 2 million", {5, 2_000_000}),
    ],
)
def test_both_ends_of_a_range_are_counted_in_what_the_second_is(question: str, numbers: set[float]) -> None:
    assert set(linked(question, "number")) == numbers


@pytest.mark.parametrize(
    ("said", "word"), [("driver", "drv"), ("parcel", "prcl"), ("service", "svc"), ("hourly", "hrly")]
)
def test_a_word_without_its_vowels_is_that_word(said: str, word: str) -> None:
    assert word_likeness(said, word) > 0.7


@pytest.mark.parametrize(("said", "word"), [("rider", "drv"), ("dragon", "drv"), ("drove", "dov"), ("drive", "dr")])
def test_other_letters_are_no_shorter_word(said: str, word: str) -> None:
    assert word_likeness(said, word) == 0.0
