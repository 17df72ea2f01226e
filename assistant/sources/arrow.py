"""From what an engine gave to one Arrow table, and from there to a file that the kernel maps.

What SQL gave is what arrives: nothing is parsed here, text that looks like a date stays text. Only two things are
changed, because pandas could not hold them: repeated column names get a number, and types that exist in Arrow alone
become the nearest common one.
"""

from __future__ import annotations

import os
from collections.abc import Callable, Iterable, Sequence
from contextlib import suppress
from datetime import timedelta
from itertools import count
from pathlib import Path
from tempfile import NamedTemporaryFile
from typing import TYPE_CHECKING, Any

import pyarrow as pa
import pyarrow.compute as pc

from assistant.core.data_errors import QueryRefused

if TYPE_CHECKING:
    from assistant.core.values import ArrowColumn, ArrowTable, ArrowType, Budget

_CHUNK_BYTES = 8 * 1024 * 1024
_STRING_LIMIT_BYTES = 2**31 - 1  # Arrow's plain strings have 32-bit offsets


def unique_names(names: Iterable[str]) -> tuple[str, ...]:
    """Column names made unique: `id, id` becomes `id, id_2`; a blank one becomes `column_3`, by its place."""
    used_names: set[str] = set()
    unique: list[str] = []
    for place, raw in enumerate(names, start=1):
        base = raw.strip() or f"column_{place}"
        name = base
        numbers = count(2)
        while name.casefold() in used_names:
            name = f"{base}_{next(numbers)}"
        used_names.add(name.casefold())
        unique.append(name)
    return tuple(unique)


class Spending:
    """Counts rows and bytes of one result against its budget."""

    def __init__(self, budget: Budget) -> None:
        self._budget = budget
        self._rows = 0
        self._bytes = 0

    def add(self, rows: int, size_bytes: int) -> None:
        """Count a chunk.

        Raises:
            QueryRefused: The result is over its budget.
        """
        self._rows += rows
        self._bytes += size_bytes
        if self._rows > self._budget.rows_max:
            raise QueryRefused(
                f"The query gives more than {self._budget.rows_max:,} rows and was stopped. "
                "Aggregate or filter it in SQL (GROUP BY, WHERE, LIMIT) and propose it again."
            )
        if self._bytes > self._budget.limit_bytes:
            raise QueryRefused(
                f"The query gives more than {self._budget.limit_bytes / 2**20:,.0f} MB and was stopped. "
                "Select fewer columns or rows, or aggregate in SQL, and propose it again."
            )


def table_from_rows(
    names: Sequence[str], fetch: Callable[[int], Sequence[Sequence[Any]]], budget: Budget
) -> ArrowTable:
    """Build a table from an engine whose columns have no fixed type (SQLite), or that gives Python values.

    A column of integers stays integers, of integers and floats becomes floats; a column that mixes text with
    anything else becomes text. A column without a single value has Arrow's null type.

    Args:
        names: Column names as the engine gave them.
        fetch: Gives up to n more rows, an empty sequence at the end.
        budget: How much may be read.

    Raises:
        QueryRefused: The result is over its budget.
    """
    spending = Spending(budget)
    chunks: list[list[ArrowColumn]] = [[] for _ in names]
    size = 64
    while rows := fetch(size):
        arrays = [_array(values) for values in zip(*rows, strict=True)]
        chunk_bytes = sum(int(array.nbytes) for array in arrays)
        spending.add(len(rows), chunk_bytes)
        for column, array in zip(chunks, arrays, strict=True):
            column.append(array)
        size = max(1, min(10_000, _CHUNK_BYTES * len(rows) // max(1, chunk_bytes)))
    columns = [_joined(column) for column in chunks]
    return pa.table(columns, names=list(unique_names(names)))


def _array(values: Sequence[Any]) -> ArrowColumn:
    kinds = {type(value) for value in values} - {type(None)}
    try:
        if kinds == {int, float}:
            return pa.array([None if value is None else float(value) for value in values], pa.float64())
        if kinds in ({bytearray}, {memoryview}):
            return pa.array([None if value is None else bytes(value) for value in values])
        if len(kinds) <= 1:
            return pa.array(values)
    except (pa.ArrowInvalid, pa.ArrowTypeError, pa.ArrowNotImplementedError, OverflowError):
        pass  # integers beyond 64 bits, or values Arrow has no type for: text keeps every digit
    return pa.array([_text(value) for value in values], pa.string())


def _text(value: Any) -> str | None:
    if value is None or isinstance(value, str):
        return value
    if isinstance(value, bytes | bytearray | memoryview):
        return bytes(value).decode("utf-8", "replace")
    if hasattr(value, "nanoseconds"):  # an interval
        parts = ((value.months, "months"), (value.days, "days"), (value.nanoseconds / 1e9, "seconds"))
        return " ".join(f"{amount:g} {unit}" for amount, unit in parts if amount) or "0 seconds"
    return str(value)


def _joined(chunks: list[ArrowColumn]) -> ArrowColumn:
    """One column from its chunks, which may have come out as different types."""
    types = {chunk.type for chunk in chunks if not pa.types.is_null(chunk.type)}
    if not types:
        return pa.chunked_array(chunks or [pa.nulls(0)], type=pa.null())
    if len(types) == 1:
        target = types.pop()
    elif all(pa.types.is_integer(kind) or pa.types.is_floating(kind) for kind in types):
        target = pa.float64()
    elif all(pa.types.is_decimal(kind) for kind in types):
        digits = max(kind.precision - kind.scale for kind in types)
        scale = max(kind.scale for kind in types)
        target = pa.decimal256(min(76, digits + scale), scale)
    else:
        target = pa.string()
    return pa.chunked_array([_converted(chunk, target) for chunk in chunks], type=target)


def _converted(chunk: ArrowColumn, target: ArrowType) -> ArrowColumn:
    if chunk.type == target:
        return chunk
    if pa.types.is_string(target):
        return pa.array([_text(value) for value in chunk.to_pylist()], target)
    return chunk.cast(target, safe=False)


def portable(table: ArrowTable) -> ArrowTable:
    """The same table in types that survive the way into pandas.

    Integers become 64 bits wide (a product of two 32-bit columns overflows silently in pandas); whole decimals that
    fit become integers (DuckDB sums integers as HUGEINT); dictionaries become their values; unions, intervals and
    other types pandas has no place for become text.
    """
    columns: list[ArrowColumn] = []
    for column in table.columns:
        kind = column.type
        if pa.types.is_dictionary(kind):
            columns.append(column.cast(kind.value_type))
        elif pa.types.is_uint64(kind) or (pa.types.is_decimal(kind) and kind.scale == 0):
            try:
                columns.append(column.cast(pa.int64()))
            except pa.ArrowInvalid:  # beyond 64 bits
                columns.append(column)
        elif pa.types.is_integer(kind):
            columns.append(column.cast(pa.int64()))
        elif pa.types.is_float32(kind) or pa.types.is_float16(kind):
            columns.append(column.cast(pa.float64()))
        elif pa.types.is_union(kind) or pa.types.is_interval(kind) or isinstance(kind, pa.BaseExtensionType):
            columns.append(pa.chunked_array([_texts_or_lengths(column.to_pylist(), kind)]))
        elif pa.types.is_large_string(kind) or pa.types.is_string_view(kind):
            columns.append(column.cast(pa.string()) if column.nbytes < _STRING_LIMIT_BYTES else column)
        elif pa.types.is_fixed_size_list(kind):
            columns.append(pc.cast(column, pa.list_(kind.value_type)))
        else:
            columns.append(column)
    return pa.table(columns, names=list(unique_names(str(name) for name in table.column_names)))


def _texts_or_lengths(values: Sequence[Any], kind: ArrowType) -> ArrowColumn:
    """Values as text, but intervals as lengths of time, unless one has months, which have no length."""
    if not pa.types.is_interval(kind) or any(value is not None and value.months for value in values):
        return pa.array([_text(value) for value in values], pa.string())
    lengths = [value and timedelta(days=value.days, microseconds=value.nanoseconds / 1e3) for value in values]
    return pa.array(lengths, pa.duration("us"))


def write_file(table: ArrowTable, path: Path, *, mode: int) -> None:
    """Write a table as an Arrow IPC file that appears at once and whole, with these permission bits.

    Raises:
        OSError: The folder is missing or full.
    """
    with NamedTemporaryFile(dir=path.parent, prefix=".writing-", delete=False) as file:
        try:
            os.fchmod(file.fileno(), mode)
            with pa.ipc.new_file(file, table.schema) as writer:
                writer.write_table(table, max_chunksize=1 << 20)
            file.flush()
            Path(file.name).replace(path)
        except BaseException:
            with suppress(FileNotFoundError):
                Path(file.name).unlink()
            raise
