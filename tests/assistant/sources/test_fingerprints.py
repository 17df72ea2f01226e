"""Equal results have equal fingerprints, different ones do not."""

from __future__ import annotations

import random
from datetime import date, datetime
from decimal import Decimal

import pyarrow as pa
import pytest
from hypothesis import example, given, settings
from hypothesis import strategies as st

from assistant.sources.fingerprints import fingerprint

values = st.none() | st.integers(-(2**40), 2**40)
rows = st.lists(st.tuples(values, st.none() | st.text(max_size=5)), max_size=20)


def table(content: list[tuple[int | None, str | None]]) -> pa.Table:
    return pa.table(
        {
            "n": pa.array([row[0] for row in content], pa.int64()),
            "t": pa.array([row[1] for row in content], pa.string()),
        }
    )


@settings(deadline=None)
@given(content=rows, seed=st.integers(0, 100))
def test_the_order_of_rows_does_not_matter_unless_it_is_asked_for(
    content: list[tuple[int | None, str | None]], seed: int
) -> None:
    shuffled = random.Random(seed).sample(content, len(content))
    assert fingerprint(table(content)) == fingerprint(table(shuffled))
    if shuffled != content:
        assert fingerprint(table(content), ordered=True) != fingerprint(table(shuffled), ordered=True)


@settings(deadline=None)
@given(one=rows, two=rows)
@example(one=[(-1_099_511_627_500, None)], two=[(-1_099_511_627_501, None)])
def test_different_rows_differ(
    one: list[tuple[int | None, str | None]], two: list[tuple[int | None, str | None]]
) -> None:
    same = sorted(map(repr, one)) == sorted(map(repr, two))
    assert (fingerprint(table(one)) == fingerprint(table(two))) == same


def test_names_do_not_count_places_do() -> None:
    assert fingerprint(pa.table({"a": [1], "b": [2]})) == fingerprint(pa.table({"x": [1], "y": [2]}))
    assert fingerprint(pa.table({"a": [1], "b": [2]})) != fingerprint(pa.table({"a": [2], "b": [1]}))


def test_a_number_is_the_same_in_any_type_and_to_ten_digits_but_a_long_integer_to_the_last() -> None:
    same = [pa.array([3]), pa.array([3.0]), pa.array([Decimal("3.00")]), pa.array([3.0000000000001])]
    assert len({fingerprint(pa.table({"a": array})) for array in same}) == 1
    assert fingerprint(pa.table({"a": [3.00001]})) != fingerprint(pa.table({"a": [3.0]}))
    long = [pa.table({"a": [number]}) for number in (-1_099_511_627_500, -1_099_511_627_501, 2**62, 2**62 + 1)]
    assert len(set(map(fingerprint, long))) == 4
    assert fingerprint(pa.table({"a": [0.1 + 0.2]})) == fingerprint(pa.table({"a": [0.3]}))


def test_null_text_and_number_are_not_confused() -> None:
    marks = [
        fingerprint(pa.table({"a": array})) for array in (pa.array(["0"]), pa.array([0]), pa.array([None], pa.int64()))
    ]
    assert len(set(marks)) == 3
    nan = pa.table({"a": pa.array([float("nan")])})
    assert fingerprint(nan) == fingerprint(pa.table({"a": pa.array([None], pa.float64())}))


@pytest.mark.parametrize(
    "array",
    [
        pa.array([date(2024, 1, 1), None]),
        pa.array([datetime(2024, 1, 1, 2), None]),
        pa.array([b"x", None]),
        pa.array([[1, 2], None]),
        pa.array([{"a": 1}, None]),
        pa.array([None, None]),
        pa.array([True, None]),
        pa.array([float("inf"), None]),
        pa.array([], pa.string()),
    ],
)
def test_every_type_has_a_fingerprint(array: pa.Array) -> None:
    assert len(fingerprint(pa.table({"a": array}))) == 16


def test_a_fingerprint_that_was_kept_stays_the_same() -> None:
    kept = pa.table(
        {
            "number": pa.array([1.5, -2.0, 1e-300, 1.7e308, 5e-324, None]),
            "whole": pa.array([1, 2**62, -3, 0, None, 7]),
            "text": pa.array(["a", "b", None, "a", "", "c"]),
            "day": pa.array([date(2024, 1, 1), None, date(1969, 1, 1), date(2024, 1, 1), None, None]),
            "flag": pa.array([True, False, None, True, True, False]),
        }
    )
    assert (fingerprint(kept), fingerprint(kept, ordered=True)) == ("bcd4a42f21e94550", "d30428a2b2580120")


def test_how_a_long_result_came_in_pieces_does_not_matter() -> None:
    numbers = pa.table({"n": pa.array(range(100_000)), "t": pa.array([str(n % 7) for n in range(100_000)])})
    pieces = pa.concat_tables([numbers.slice(0, 10), numbers.slice(10, 70_001), numbers.slice(70_011)])
    for ordered in (False, True):
        assert fingerprint(pieces, ordered=ordered) == fingerprint(numbers, ordered=ordered)
    late = pa.concat_tables([numbers.slice(0, 99_998), numbers.slice(99_999), numbers.slice(99_998, 1)])
    assert fingerprint(late) == fingerprint(numbers)
    assert fingerprint(late, ordered=True) != fingerprint(numbers, ordered=True)
