"""The hashes that pandas gives to values (`pandas.util.hash_array`), for few values without importing pandas.

Importing pandas takes longer than answering a small question, and fingerprints that are kept in logs must stay equal:
so the same functions are computed here. Many texts are left to pandas, which is faster by far.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING, Any

import numpy as np

if TYPE_CHECKING:
    Hashes = np.ndarray[Any, np.dtype[np.uint64]]

_KEY = b"0123456789123456"
"""The key that pandas hashes texts with."""
_FEW_CHARS = 4_000
"""Characters of all texts together that are hashed here: some 10 ms of work."""
_MASK = (1 << 64) - 1
_STEP = 0xBF58476D1CE4E5B9


def mixed(values: Hashes) -> Hashes:
    """Spread every bit over all bits (Source: the finalizer of splitmix64)."""
    values = (values ^ (values >> np.uint64(30))) * np.uint64(_STEP)
    values = (values ^ (values >> np.uint64(27))) * np.uint64(0x94D049BB133111EB)
    return values ^ (values >> np.uint64(31))


def hash_numbers(values: np.ndarray[Any, Any]) -> Hashes:
    """A hash for each number of an array of 64-bit integers or floats, none of them NaN."""
    with np.errstate(over="ignore", invalid="ignore"):
        return mixed(np.ascontiguousarray(values + values.dtype.type(0)).view(np.uint64))  # and no negative zero


def hash_texts(texts: Sequence[str]) -> Hashes:
    """A hash for each text."""
    if sum(map(len, texts)) + 8 * len(texts) <= _FEW_CHARS:
        with np.errstate(over="ignore"):
            return mixed(np.array([siphash(text.encode("utf-8"), _KEY) for text in texts], dtype=np.uint64))
    import pandas as pd

    return pd.util.hash_array(np.array(texts, dtype=object), categorize=False)


def siphash(data: bytes, key: bytes) -> int:
    """SipHash-2-4 of some bytes under a key of 16 bytes: 64 bits.

    Source: Aumasson and Bernstein, SipHash: a fast short-input PRF, 2012.
    """
    first, second = int.from_bytes(key[:8], "little"), int.from_bytes(key[8:], "little")
    state = [
        first ^ 0x736F6D6570736575,
        second ^ 0x646F72616E646F6D,
        first ^ 0x6C7967656E657261,
        second ^ 0x7465646279746573,
    ]
    full_bytes = len(data) // 8 * 8
    words = [int.from_bytes(data[at : at + 8], "little") for at in range(0, full_bytes, 8)]
    words.append(int.from_bytes(data[full_bytes:], "little") | (len(data) & 0xFF) << 56)
    for word in words:
        state[3] ^= word
        _rounds(state, 2)
        state[0] ^= word
    state[2] ^= 0xFF
    _rounds(state, 4)
    return state[0] ^ state[1] ^ state[2] ^ state[3]


def _rounds(state: list[int], times: int) -> None:
    a, b, c, d = state
    for _ in range(times):
        a = (a + b) & _MASK
        b = _turned(b, 13) ^ a
        a = _turned(a, 32)
        c = (c + d) & _MASK
        d = _turned(d, 16) ^ c
        a = (a + d) & _MASK
        d = _turned(d, 21) ^ a
        c = (c + b) & _MASK
        b = _turned(b, 17) ^ c
        c = _turned(c, 32)
    state[:] = a, b, c, d


def _turned(value: int, bits: int) -> int:
    return (value << bits | value >> (64 - bits)) & _MASK
