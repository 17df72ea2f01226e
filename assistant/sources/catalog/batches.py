"""Many columns in several queries: one that measures hundreds at once takes more memory than a worker has.

Every query costs DuckDB time for each column of its table, read or not; so of a wide table each batch is copied first.
"""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import TYPE_CHECKING, TypeVar

if TYPE_CHECKING:
    import duckdb

T = TypeVar("T")
COLUMNS_AT_ONCE = 20
"""DuckDB takes some 4 MB for the different values of each column, however few they are."""
_WIDE = 20 * COLUMNS_AT_ONCE
_COPIED_ROWS_MAX = 50_000
_COPY = "temp.few_columns"


def batches(columns: Sequence[T], size: int = COLUMNS_AT_ONCE) -> Iterator[Sequence[T]]:
    """The columns in order, at most `size` at a time."""
    return (columns[first : first + size] for first in range(0, len(columns), size))


@contextmanager
def narrowed(
    con: duckdb.DuckDBPyConnection, origin: str, columns: Sequence[str], *, of: int, rows: int
) -> Generator[str]:
    """What a batch of columns, as SQL writes them, is to be read from: of a wide table a copy of the batch.

    Args:
        con: The database.
        origin: The table, or a query in brackets.
        columns: The batch.
        of: How many columns the table has.
        rows: How many rows there are at most.
    """
    if of <= _WIDE or rows > _COPIED_ROWS_MAX:
        yield origin
        return
    con.execute(f"CREATE OR REPLACE TEMP TABLE few_columns AS SELECT {', '.join(columns)} FROM {origin}")
    try:
        yield _COPY
    finally:
        con.execute(f"DROP TABLE IF EXISTS {_COPY}")
