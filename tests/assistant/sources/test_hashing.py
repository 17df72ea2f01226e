"""Hashes without pandas are those of pandas: fingerprints that were kept in logs stay equal."""

from __future__ import annotations

import numpy as np
import pandas as pd
from hypothesis import given
from hypothesis import strategies as st

from assistant.sources.hashing import hash_numbers, hash_texts, siphash

TEXT = st.text(st.characters(exclude_categories=["Cs"]), max_size=60)


@given(st.lists(TEXT, max_size=20))
def test_texts_have_the_hashes_of_pandas(texts: list[str]) -> None:
    expected = pd.util.hash_array(np.array(texts, dtype=object), categorize=False) if texts else []
    assert list(hash_texts(texts)) == list(expected)


def test_many_texts_have_the_hashes_of_few() -> None:
    texts = [f"row {number} with a text of its own" for number in range(5_000)]
    assert list(hash_texts(texts)[:10]) == list(hash_texts(texts[:10]))


@given(st.lists(st.floats(width=64, allow_nan=False)), st.lists(st.integers(-(2**63), 2**63 - 1)))
def test_numbers_have_the_hashes_of_pandas(floats: list[float], whole: list[int]) -> None:
    for values in (np.array(floats, dtype=np.float64), np.array(whole, dtype=np.int64)):
        assert list(hash_numbers(values)) == list(pd.util.hash_array(values))


def test_siphash_gives_what_its_paper_gives() -> None:
    assert siphash(bytes(range(15)), bytes(range(16))) == 0xA129CA6149BE45E5
