"""How many rows match by each key of a source of files: a person sees at once whether its tables fit together."""

from __future__ import annotations

from collections.abc import Mapping
from typing import TYPE_CHECKING, TypeAlias

from assistant.core.data_errors import DataError
from assistant.core.values import Budget
from assistant.query.quoting import quoted

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.sources.sources import Source

KeyMatches: TypeAlias = Mapping[tuple[str, str], tuple[int, int]]
"""By table and column: how many rows have a value, and how many of these refer to a row."""
_KEYS_MAX = 20
_BUDGET = Budget(rows_max=10, limit_bytes=1 << 20, timeout_s=10)


async def count_matches(source: Source, catalog: Catalog) -> KeyMatches:
    """Count them by the keys of one column; a key that cannot be counted in time, or is masked, is left out."""
    keys = [(table, key) for table in catalog.tables for key in table.foreign_keys if len(key.columns) == 1]
    matches: dict[tuple[str, str], tuple[int, int]] = {}
    for table, key in keys[:_KEYS_MAX]:
        column = quoted(key.columns[0])
        target = f"SELECT t.{quoted(key.target_columns[0])} FROM {quoted(key.table)} AS t"
        sql = (
            f"SELECT count({column}) AS filled, count(*) FILTER (WHERE {column} IN ({target})) AS matched "
            f"FROM {quoted(table.name)}"
        )
        try:
            (row,) = (await source.run(sql, None, _BUDGET)).table.to_pylist()
        except DataError:
            continue
        matches[table.name, key.columns[0]] = (int(row["filled"]), int(row["matched"]))
    return matches
