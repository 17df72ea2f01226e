"""Reads a file by each system: as Tandem opens a source, as DuckDB's sniffer does, and with pandas' defaults."""

from __future__ import annotations

import asyncio
import warnings
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from datetime import time
from pathlib import Path
from typing import TYPE_CHECKING, Any, Literal

import duckdb
import pandas as pd
import pyarrow as pa

from assistant.core.catalog import Catalog, ColumnKind, Table
from assistant.core.data_errors import AddressError, SourceError
from assistant.core.doubts import Doubt
from assistant.core.values import ArrowColumn, ArrowTable
from assistant.sources.addresses import parse_addresses
from assistant.sources.catalog.doubts import list_doubts
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights
from corpus.values import Key

if TYPE_CHECKING:
    pass

System = Literal["ours", "duckdb", "pandas"]
SYSTEMS: tuple[System, ...] = ("ours", "duckdb", "pandas")
_PERSON = Rights(requester="person", private=(), variables=("*",))


@dataclass(frozen=True, slots=True, kw_only=True)
class ReadTable:
    """A table as a system read it: its name, its rows, and the kind of each column."""

    name: str
    rows: ArrowTable
    kinds: tuple[ColumnKind, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Reading:
    """What a system made of a file.

    Attributes:
        tables: Its tables.
        doubts: What it told.
        keys: Foreign keys that it joins by.
        refusal: Why it did not read the file, where it said so.
        failure: How it failed, where it did not say so.
    """

    tables: tuple[ReadTable, ...] = ()
    doubts: tuple[Doubt, ...] = ()
    keys: frozenset[Key] = frozenset()
    refusal: str = ""
    failure: str = ""


def read_by(system: System, path: Path) -> Reading:
    """Read a file; a system that fails gives a reading as well."""
    work: dict[System, Callable[[Path], Reading]] = {"ours": _read_ours, "duckdb": _read_duckdb, "pandas": _read_pandas}
    try:
        return work[system](path)
    except (SourceError, AddressError) as problem:
        return Reading(refusal=str(problem))
    except Exception as problem:  # noqa: BLE001 - however a system fails, it is counted
        return Reading(failure=f"{type(problem).__name__}: {problem}")


def is_applicable(system: System, path: Path) -> bool:
    """Whether a system reads such files at all, as installed: DuckDB needs an extension for workbooks."""
    plain = path.name.removesuffix(".gz")
    if system == "ours":
        return True
    if plain.endswith((".sqlite", ".duckdb")):
        return False
    return system == "pandas" or not plain.endswith((".xlsx", ".xls"))


def _read_ours(path: Path) -> Reading:
    return asyncio.run(_read_source(path))


async def _read_source(path: Path) -> Reading:
    source = await open_source(parse_addresses(str(path), _PERSON)[0], folder=path.parent / "opened")
    try:
        catalog = await source.catalog()
        tables: list[ReadTable] = []
        for table in catalog.tables:
            result = await source.run(f"SELECT * FROM {_place(table)}")
            tables.append(
                ReadTable(
                    name=f"{table.schema}.{table.name}" if table.schema else table.name,
                    rows=result.table,
                    kinds=tuple(column.kind for column in table.columns),
                )
            )
        return Reading(tables=tuple(tables), doubts=list_doubts(source, catalog), keys=_keys(catalog))
    finally:
        await source.close()


def _place(table: Table) -> str:
    names = (table.schema, table.name) if table.schema else (table.name,)
    return ".".join('"' + name.replace('"', '""') + '"' for name in names)


def _keys(catalog: Catalog) -> frozenset[Key]:
    return frozenset(
        Key(table=table.name, column=column, target=key.table, target_column=target)
        for table in catalog.tables
        for key in table.foreign_keys
        if not key.doubt
        for column, target in zip(key.columns, key.target_columns, strict=True)
    )


def _read_duckdb(path: Path) -> Reading:
    reader = "read_json_auto" if _is_json(path) else "read_csv"
    with duckdb.connect() as con:
        con.execute("SET TimeZone = 'UTC'")
        return _reading({"": con.sql(f"SELECT * FROM {reader}(?)", params=[str(path)]).to_arrow_table()})


def _read_pandas(path: Path) -> Reading:
    plain = path.name.removesuffix(".gz")
    with warnings.catch_warnings():
        warnings.simplefilter("ignore")
        if plain.endswith((".xlsx", ".xls")):
            engine = "calamine" if plain.endswith(".xls") else None
            frames: dict[str, pd.DataFrame] = pd.read_excel(path, sheet_name=None, engine=engine)
        elif _is_json(path):
            frames = {"": pd.read_json(path, lines=plain.endswith((".jsonl", ".ndjson")))}
        else:
            frames = {"": pd.read_csv(path, sep="\t" if plain.endswith(".tsv") else ",")}
        return _reading({name: _arrow(frame) for name, frame in frames.items()})


def _is_json(path: Path) -> bool:
    return path.name.removesuffix(".gz").endswith(("json", ".jsonl"))


def _arrow(frame: pd.DataFrame) -> ArrowTable:
    columns: list[ArrowColumn] = []
    for number in range(frame.shape[1]):
        values = frame.iloc[:, number]
        try:
            columns.append(pa.array(values, from_pandas=True))
        except (pa.ArrowInvalid, pa.ArrowTypeError):
            words = [None if pd.isna(value) is True else str(value) for value in values]
            columns.append(pa.array(words))
    return pa.Table.from_arrays(columns, names=[str(name) for name in frame.columns])


def _reading(tables: dict[str, ArrowTable]) -> Reading:
    return Reading(
        tables=tuple(
            ReadTable(name=name, rows=rows, kinds=tuple(kind_of(column.type) for column in rows.columns))
            for name, rows in tables.items()
        )
    )


def kind_of(type_: Any) -> ColumnKind:
    """The kind of an Arrow type."""
    types = pa.types
    tests: Sequence[tuple[ColumnKind, Callable[[Any], bool]]] = (
        ("boolean", types.is_boolean),
        ("integer", types.is_integer),
        ("number", types.is_floating),
        ("number", types.is_decimal),
        ("text", types.is_string),
        ("text", types.is_large_string),
        ("text", types.is_dictionary),
        ("date", types.is_date),
        ("datetime", types.is_timestamp),
        ("time", types.is_time),
        ("binary", types.is_binary),
        ("duration", types.is_duration),
        ("duration", types.is_interval),
    )
    for kind, test in tests:
        if test(type_):
            return kind
    return "other"


def has_kind(column: ArrowColumn, kind: ColumnKind, kinds: Sequence[ColumnKind]) -> bool:
    """Whether a column is of one of some kinds; whole numbers with gaps count as integers, midnights as days."""
    if kind in kinds:
        return True
    if kind == "integer":
        return "number" in kinds
    if kind == "number" and "integer" in kinds:
        return all(value is None or float(value).is_integer() for value in column.to_pylist())
    if kind == "datetime" and "date" in kinds:
        return all(value is None or value.time() == time() for value in column.to_pylist())
    return False


def is_empty(column: ArrowColumn) -> bool:
    """Whether a column has no value: none at all, or nothing but empty texts."""
    if column.null_count == len(column):
        return True
    if not (pa.types.is_string(column.type) or pa.types.is_large_string(column.type)):
        return False
    return not any(column.to_pylist())
