"""Words that nothing else links are taken for names near them in meaning, and the person is told."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

import numpy as np
from little_shop import catalog

from assistant.analyst.algebra import Column
from assistant.analyst.analyst import Analyst
from assistant.analyst.linking.embedding_links import Cosines
from assistant.analyst.linking.linker import Linker
from assistant.analyst.linking.tokens import words
from assistant.analyst.outcomes import Understood
from assistant.analyst.parts import Part
from assistant.analyst.schema import Schema
from assistant.core.catalog import Catalog, Profile, Table
from assistant.core.catalog import Column as Column_

NEAR = {("patron", "customer"): 0.7, ("postage", "freight"): 0.6, ("thing", "product"): 0.45, ("order", "date"): 0.9}


class Alike:
    """Tells likeness by a table, and notes what it was asked."""

    def __init__(self) -> None:
        self.asked: list[str] = []

    def __call__(self, said: Sequence[str], names: Sequence[str]) -> Cosines:
        self.asked.extend(said)
        return np.array([[NEAR.get((word, name), 0.1) for name in names] for word in said], dtype=np.float32)


def guessed(question: str, alike: Alike) -> list[Part]:
    return [part for part in Linker(Schema.of(catalog()), alike).anchors(words(question)) if part.guesses]


def test_a_word_stands_for_the_name_near_it() -> None:
    found = guessed("the highest postage", Alike())
    assert Column("orders", "freight") in [part.meaning for part in found]
    assert [(guess.said, guess.meant) for guess in found[0].guesses] == [("postage", "freight")]


def test_a_word_that_the_data_names_is_not_guessed_at() -> None:
    alike = Alike()
    assert guessed("orders by freight", alike) == []
    assert alike.asked == []


def test_what_is_not_near_enough_stands_for_nothing() -> None:
    assert guessed("the strangest thing", Alike()) == []


def test_a_guess_in_an_answer_is_told() -> None:
    analyst = Analyst([catalog()], (), date(2026, 11, 21), alike=Alike())
    outcome = analyst.read("How many patrons are there?")
    assert isinstance(outcome, Understood)
    assert outcome.meaning.assumptions == ("“patron” was taken for “customer”.",)


def test_where_nobody_can_tell_a_word_that_is_linked_poorly_stays_as_it_is() -> None:
    assert guessed("average second of orders", lambda said, names: None) == []


def test_without_anybody_to_tell_the_word_stays_unread() -> None:
    outcome = Analyst([catalog()], (), date(2026, 11, 21)).read("How many patrons are there?")
    assert not isinstance(outcome, Understood)


def test_a_name_of_one_thing_is_no_name_of_a_column() -> None:
    assert guessed("orders from Postage", Alike()) == []


LANDS = {
    ("swiss", "switzerland"): 0.9,
    ("swiss", "france"): 0.66,
    ("alpine", "switzerland"): 0.7,
    ("alpine", "france"): 0.65,
}


def firms() -> Schema:
    lands = Profile(distinct=3, nulls=0, values=("France", "Switzerland", "Trading companies"))
    columns = (
        Column_(name="land", type="", kind="text", profile=lands),
        Column_(name="sales", type="", kind="integer", profile=Profile(distinct=40, nulls=0, low=1, high=90)),
    )
    return Schema.of(Catalog(source="f", dialect="duckdb", tables=(Table(name="firms", columns=columns, rows=50),)))


def values_guessed(question: str) -> list[tuple[str, object]]:
    def alike(said: Sequence[str], names: Sequence[str]) -> Cosines:
        near = {**LANDS, ("companies", "trading companies"): 0.8, ("swiss", "land"): 0.7}
        return np.array([[near.get((word, name), 0.1) for name in names] for word in said], dtype=np.float32)

    found = [part for part in Linker(firms(), alike).anchors(words(question)) if part.guesses]
    return [(part.guesses[0].said, getattr(part.meaning, "value", part.meaning)) for part in found]


def test_a_word_stands_for_the_value_near_it_rather_than_for_a_name_less_near() -> None:
    assert values_guessed("total sales in swiss firms") == [("swiss", "Switzerland")]


def test_a_word_as_near_to_two_values_stands_for_neither() -> None:
    assert values_guessed("total sales in alpine firms") == []


def test_a_later_word_of_a_value_is_no_sign_of_it() -> None:
    assert "Trading companies" not in [meant for _, meant in values_guessed("total sales of big companies")]
