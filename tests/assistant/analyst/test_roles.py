"""Columns get their role from names, kinds, keys and values."""

from __future__ import annotations

import pytest

from assistant.analyst.names import words_of
from assistant.analyst.roles import Typed, typed
from assistant.core.catalog import Column, ColumnKind, Profile

ROWS = 1000


def typed_as(name: str, kind: ColumnKind, **profile: object) -> Typed:
    seen = Profile(**({"distinct": 500, "nulls": 0} | profile))  # pyright: ignore[reportArgumentType]
    return typed(Column(name=name, type="", kind=kind, profile=seen), rows=ROWS, is_key=False)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("unitPrice", ("unit", "price")),
        ("lifeExp", ("life", "expectancy")),
        ("dep_delay", ("departure", "delay")),
        ("OrderQty", ("order", "quantity")),
        ("Order Dates", ("order", "date")),
        ("orderdate", ("order", "date")),
        ("HTTPServer2", ("http", "server", "2")),
    ],
)
def test_names_are_read_as_words(name: str, words: tuple[str, ...]) -> None:
    assert words_of(name) == words


@pytest.mark.parametrize(
    ("name", "kind", "profile", "role"),
    [
        ("flight_number", "integer", {"low": 1, "high": 8500}, "identifier"),
        ("zip", "integer", {"low": 10000, "high": 99999}, "identifier"),
        ("amount", "number", {"low": 0.5, "high": 900.0}, "measure"),
        ("number_of_rooms", "integer", {"low": 1, "high": 9}, "measure"),
        ("unit_price", "number", {"low": 0.5, "high": 900.0}, "rate"),
        ("discount", "number", {"low": 0.0, "high": 0.3}, "rate"),
        ("population", "integer", {"low": 100, "high": 9_000_000}, "stock"),
        ("runtime_minutes", "integer", {"low": 60, "high": 200}, "duration"),
        ("year", "integer", {"low": 1952, "high": 2007, "distinct": 12}, "part"),
        ("month", "integer", {"low": 1, "high": 12, "distinct": 12}, "part"),
        ("is_active", "integer", {"low": 0, "high": 1, "distinct": 2}, "flag"),
        ("OverTime", "text", {"values": ("No", "Yes"), "distinct": 2}, "flag"),
        ("region", "text", {"values": ("East", "North", "South"), "distinct": 3}, "category"),
        ("title", "text", {"top": (("Vertigo", 1),), "distinct": 990}, "name"),
        ("order_date", "date", {"low": "2024-01-01", "high": "2024-12-31"}, "date"),
        ("payload", "binary", {}, "other"),
        ("column_1", "integer", {"low": 1, "high": ROWS, "distinct": ROWS}, "identifier"),
        ("column_1", "integer", {"low": 1, "high": ROWS + 1, "distinct": ROWS}, "measure"),
        ("score_sum", "integer", {"low": 1, "high": ROWS, "distinct": ROWS, "running": True}, "stock"),
        ("Cumulative trips (since launch):", "integer", {"low": 1, "high": 900}, "stock"),
        ("Miles traveled to date:", "integer", {"low": 1, "high": 900}, "stock"),
        ("Trips over the past 24-hours", "integer", {"low": 1, "high": 900}, "measure"),
        ("modelyear", "integer", {"low": 70, "high": 82, "distinct": 13}, "part"),
        ("years_at_company", "integer", {"low": 0, "high": 40, "distinct": 41}, "measure"),
        ("origin", "integer", {"low": 1, "high": 3, "distinct": 3}, "category"),
    ],
)
def test_a_column_has_the_role_its_name_and_values_tell(
    name: str, kind: ColumnKind, profile: dict[str, object], role: str
) -> None:
    assert typed_as(name, kind, **profile).role == role


def test_a_key_is_a_key_whatever_it_is_called() -> None:
    amount = Column(name="amount", type="", kind="integer")
    assert typed(amount, rows=ROWS, is_key=True).role == "key"


def test_texts_that_stand_for_no_value_are_missing_values() -> None:
    sex = typed_as("sex", "text", values=("FEMALE", "MALE", "NA"), distinct=3)
    assert sex.missing == ("NA",)
    assert sex.role == "category"


def test_a_missing_marker_does_not_keep_a_flag_from_being_one() -> None:
    assert typed_as("smoker", "text", values=("-", "no", "yes"), distinct=3).role == "flag"


def test_the_end_of_a_validity_says_which_value_is_still_open() -> None:
    assert typed_as("to_date", "date", low="1990-01-01", high="9999-01-01").open_until == "9999-01-01"
    assert typed_as("end_date", "date", low="1990-01-01", high="2020-01-01", nulls=7).open_until is None
    assert typed_as("order_date", "date", low="1990-01-01", high="2020-01-01", nulls=7).open_until == ""


def test_the_unit_is_read_from_the_name() -> None:
    assert typed_as("weight_kg", "number", low=1.0, high=9.0).unit == "kg"
    assert typed_as("discount_pct", "number", low=1.0, high=9.0).unit == "percent"
