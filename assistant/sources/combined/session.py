"""The DuckDB database that a query over several sources runs on: what crossed, as tables, in a file of ours.

It is made by this process, of Arrow tables that were checked on arrival; the query itself runs in a confined worker, on
the file opened read-only (`assistant.sources.workers`).
"""

from __future__ import annotations

from collections.abc import Sequence
from contextlib import closing
from pathlib import Path

import pyarrow as pa

from assistant.core.catalog import Column
from assistant.core.values import ArrowTable
from assistant.query.quoting import quoted
from assistant.sources.combined.transfers import Transfer

_TYPES = {
    "integer": "BIGINT",
    "number": "DOUBLE",
    "date": "DATE",
    "datetime": "TIMESTAMP",
    "time": "TIME",
    "duration": "INTERVAL",
    "boolean": "BOOLEAN",
    "binary": "BLOB",
}
_MEMORY = "1GB"
_MAIN = "main"
"""The schema that bare names are looked for in."""


def write_session(path: Path, crossed: Sequence[tuple[Transfer, ArrowTable]]) -> None:
    """Make the database: a schema for each source, and each table's bare name beside it. Blocks.

    Raises:
        duckdb.Error: The disk is full.
    """
    import duckdb

    config = {
        "memory_limit": _MEMORY,
        "threads": 2,
        "python_enable_replacements": False,
        "autoload_known_extensions": False,
    }
    with closing(duckdb.connect(str(path), config={**config, "temp_directory": f"{path}.spill"})) as con:
        for transfer, table in crossed:
            schema, name = quoted(transfer.member.source), quoted(transfer.name)
            con.execute(f"CREATE SCHEMA IF NOT EXISTS {schema}")
            con.register("crossed", table)
            columns = ", ".join(_read(place, column, table) for place, column in enumerate(transfer.columns))
            con.execute(f"CREATE TABLE {schema}.{name} AS SELECT {columns} FROM crossed")
            con.unregister("crossed")
            if transfer.member.source.casefold() != _MAIN:
                con.execute(f"CREATE VIEW {name} AS SELECT * FROM {schema}.{name}")


def _read(place: int, column: Column, table: ArrowTable) -> str:
    """A column as it crosses; one without any value has the type that its catalog says."""
    source_column = quoted(str(table.column_names[place]))
    if not pa.types.is_null(table.schema.field(place).type):
        return f"{source_column} AS {quoted(column.name)}"
    target_type = "VARCHAR" if column.stored_as_text else _TYPES.get(column.kind, "VARCHAR")
    return f"CAST({source_column} AS {target_type}) AS {quoted(column.name)}"
