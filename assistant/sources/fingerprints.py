"""Fingerprints of results: equal tables have equal fingerprints, in whatever order the engine gave the rows.

Used to see whether a rebuilt result drifted, and to group candidates that agree. Column names are left out (two right
queries name their columns differently), the order of columns is not. Numbers count to ten significant digits, since
parallel engines sum in varying order; an integer equals the same number as a float. Longer integers are identities
rather than sums, and count to the last digit.
"""

from __future__ import annotations

import hashlib
from functools import cache
from typing import TYPE_CHECKING, Any

import numpy as np
import pyarrow as pa
from sqlglot import exp
from sqlglot.errors import SqlglotError

from assistant.sources.hashing import hash_numbers, hash_texts, mixed
from knowledge.parsing import parse_one

if TYPE_CHECKING:
    from assistant.core.values import ArrowColumn, ArrowTable

_BLOCK_ROWS = 1 << 15  # what is made of them on the way stays in the processor's cache
_DIGITS = 10
_SCALE_EXPONENT_MIN, _SCALE_EXPONENT_MAX = -299, 333  # for the largest and the smallest float
_NULL = 0x9E3779B97F4A7C15
_STEP = 0xBF58476D1CE4E5B9


def fingerprint(table: ArrowTable, *, ordered: bool = False) -> str:
    """16 hexadecimal digits.

    Args:
        table: The result.
        ordered: Whether the order of rows belongs to the result (the query has an ORDER BY).
    """
    total = parity = rows_before = 0
    for block in table.to_batches(max_chunksize=_BLOCK_ROWS):
        rows = np.full(block.num_rows, table.num_columns, dtype=np.uint64)
        with np.errstate(over="ignore"):
            for column in block.columns:
                rows = mixed(rows * np.uint64(31) + _hashes(column))
            if ordered:
                places = np.arange(rows_before, rows_before + len(rows), dtype=np.uint64)
                rows = mixed(rows + places * np.uint64(_STEP))
        total = (total + int(rows.sum(dtype=np.uint64))) % (1 << 64)
        parity ^= int(np.bitwise_xor.reduce(rows))
        rows_before += len(rows)
    summary = f"{table.num_rows}|{table.num_columns}|{total}|{parity}"
    return hashlib.sha256(summary.encode()).hexdigest()[:16]


def fingerprint_of(table: ArrowTable, sql: str, dialect: str) -> str:
    """The fingerprint of a query's result. Blocks: a long statement takes seconds to be parsed."""
    return fingerprint(table, ordered=_is_ordered(sql, dialect))


def _is_ordered(sql: str, dialect: str) -> bool:
    """Whether the outermost query has an ORDER BY. It has passed the guard, so it parses."""
    try:
        tree = parse_one(sql, dialect)
    except SqlglotError:  # EXPLAIN and the like
        return False
    return isinstance(tree, exp.Query) and tree.args.get("order") is not None


def _hashes(column: ArrowColumn) -> np.ndarray[Any, np.dtype[np.uint64]]:
    """One hash per value; nulls all have the same."""
    kind = column.type
    nulls = _array(column.is_null(nan_is_null=True).cast(pa.uint8()), np.uint8).astype(bool)
    if pa.types.is_null(kind):
        hashes = np.zeros(len(column), dtype=np.uint64)
    elif (
        pa.types.is_integer(kind)
        or pa.types.is_floating(kind)
        or pa.types.is_decimal(kind)
        or pa.types.is_boolean(kind)
    ):
        numbers = _array(column.cast(pa.float64(), safe=False), np.float64)
        hashes = hash_numbers(_rounded(numbers))
        if pa.types.is_integer(kind):
            integers = _array(column.cast(pa.int64(), safe=False), np.int64)
            hashes = np.where(np.abs(numbers) >= 10.0**_DIGITS, hash_numbers(integers), hashes)
    elif pa.types.is_temporal(kind) and not pa.types.is_duration(kind) and not pa.types.is_time(kind):
        instants = column.cast(pa.timestamp("us"), safe=False).cast(pa.int64())
        hashes = hash_numbers(_array(instants, np.int64)) ^ np.uint64(_STEP)
    elif pa.types.is_string(kind):
        # Labels repeat: each distinct text is hashed once.
        coded = column.dictionary_encode()
        texts = coded.dictionary.to_pylist()
        places = np.where(nulls, 0, _array(coded.indices, np.int32))
        hashes = hash_texts(texts)[places] if texts else np.zeros(len(column), np.uint64)
    else:
        hashes = hash_texts([str(value) for value in column.to_pylist()])
    return np.where(nulls, np.uint64(_NULL), hashes)


def _array(column: ArrowColumn, kind: type[np.generic]) -> np.ndarray[Any, Any]:
    """The values of a column of numbers, not copied; anything where it is null.

    Arrow's own conversion would import pandas, as would putting numbers in the places of nulls.
    """
    values = column.buffers()[1]
    if values is None or not len(column):
        return np.zeros(len(column), dtype=kind)
    return np.frombuffer(values, dtype=kind, count=len(column), offset=column.offset * np.dtype(kind).itemsize)


def _rounded(numbers: np.ndarray[Any, np.dtype[np.float64]]) -> np.ndarray[Any, np.dtype[np.float64]]:
    finite = np.isfinite(numbers) & (numbers != 0)
    safe = np.where(finite, numbers, 1.0)
    exponents = (_DIGITS - 1 - np.floor(np.log10(np.abs(safe)))).astype(np.intp)
    scale = _powers_of_ten()[exponents - _SCALE_EXPONENT_MIN]
    with np.errstate(over="ignore", invalid="ignore"):
        rounded = np.round(safe * scale) / scale
    return np.where(finite & np.isfinite(rounded), rounded, numbers) + 0.0  # and no negative zero


@cache
def _powers_of_ten() -> np.ndarray[Any, np.dtype[np.float64]]:
    """From the smallest exponent a scale can have to the largest; the last are infinite."""
    with np.errstate(over="ignore"):
        return 10.0 ** np.arange(_SCALE_EXPONENT_MIN, _SCALE_EXPONENT_MAX + 1, dtype=np.float64)
