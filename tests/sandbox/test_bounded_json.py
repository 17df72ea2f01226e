"""JSON at the door: any bytes become a value that everything else can hold, or a reason."""

from __future__ import annotations

import contextlib
import json
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from sandbox.bounded_json import DEPTH_MAX, VALUES_MAX, JsonRefused, read_json

values = st.recursive(
    st.none() | st.booleans() | st.integers(-(10**18), 10**18) | st.floats() | st.text(st.characters()),
    lambda inner: st.lists(inner) | st.dictionaries(st.text(st.characters()), inner),
)


def nested(levels: int) -> bytes:
    return b"[" * levels + b"]" * levels


@given(st.binary())
def test_any_bytes_are_a_value_or_unfit(raw: bytes) -> None:
    with contextlib.suppress(JsonRefused):
        read_json(raw)


@given(values)
def test_any_value_can_be_stored_afterwards(value: Any) -> None:
    with contextlib.suppress(JsonRefused):
        json.dumps(read_json(json.dumps(value).encode()), ensure_ascii=False, allow_nan=False).encode()


@given(values)
def test_what_can_be_stored_comes_through_unchanged(value: Any) -> None:
    try:
        raw = json.dumps(value, ensure_ascii=False, allow_nan=False).encode()
    except ValueError:
        return
    assert read_json(raw) == value


@pytest.mark.parametrize("levels", [DEPTH_MAX + 1, 700, 960, 100_000])
def test_depth_is_a_limit_with_its_own_words(levels: int) -> None:
    read_json(nested(DEPTH_MAX))
    with pytest.raises(JsonRefused, match=f"nested deeper than {DEPTH_MAX} levels"):
        read_json(nested(levels))


def test_the_number_of_values_is_a_limit_and_commas_in_text_are_none() -> None:
    assert len(read_json(b'["' + b",[{" * VALUES_MAX + b'"]')[0]) == 3 * VALUES_MAX
    with pytest.raises(JsonRefused, match="values"):
        read_json(b"[" + b"0," * VALUES_MAX + b"0]")


def test_infinite_numbers_are_replaced_at_every_level() -> None:
    raw = b'[1e999, [-1e999, 0.5], {"a": 1e999, "b": "x", "c": 1.5}]'
    assert read_json(raw) == [None, [None, 0.5], {"a": None, "b": "x", "c": 1.5}]


def test_what_no_file_can_hold_is_replaced() -> None:
    raw = b'{"a\\ud800": ["\\udfff", "\\ud83d\\ude00", NaN, 1e999, "\xff"]}'
    assert read_json(raw) == {"a\ufffd": ["\ufffd", "\U0001f600", None, None, "\ufffd"]}
