"""Tables of hundreds of columns open, and what is asked of an engine grows with their number, not faster."""

from __future__ import annotations

import asyncio
import csv
import sqlite3
from collections.abc import Sequence
from contextlib import closing
from datetime import date
from pathlib import Path
from typing import Any, cast

import duckdb
import openpyxl
import pytest
from rights_of_person import PERSON

from assistant.agents.model.source_descriptions import describe_sources
from assistant.analyst.source import AnalystSource
from assistant.connections.describing import describe_tables
from assistant.core.catalog import Catalog
from assistant.sources.addresses import parse_addresses
from assistant.sources.engines.duckdb_catalog import read_catalog
from assistant.sources.opening import open_source
from assistant.sources.reading.conversion import Conversion
from assistant.sources.reading.metering import Meter

_ROWS = 22


def _names(width: int) -> list[str]:
    return ["id", *(f"{('score', 'answer', 'note', 'price')[n % 4]}_{n}" for n in range(1, width))]


def _row(width: int, number: int) -> list[Any]:
    kinds = (number % 9, ("yes", "no", "maybe")[number % 3], f"text {number * 7}", number / 4)
    return [number, *(kinds[n % 4] for n in range(1, width))]


def _rows(width: int) -> list[list[Any]]:
    return [_row(width, number) for number in range(1, _ROWS + 1)]


def _csv(folder: Path, width: int) -> Path:
    path = folder / "survey.csv"
    with path.open("w", newline="", encoding="utf-8") as file:
        csv.writer(file).writerows([_names(width), *_rows(width)])
    return path


def _workbook(folder: Path, width: int) -> Path:
    path = folder / "survey.xlsx"
    book = openpyxl.Workbook()
    sheet = book.active
    assert sheet is not None
    for row in [_names(width), *_rows(width)]:
        sheet.append(row)
    book.save(path)
    return path


def _engine(folder: Path, width: int, ending: str) -> Path:
    path = folder / f"survey.{ending}"
    with closing(duckdb.connect(str(path if ending == "duckdb" else ":memory:"))) as con:
        con.execute(f"CREATE TABLE survey AS SELECT * FROM read_csv('{_csv(folder, width)}')")
        (folder / "survey.csv").unlink()
        if ending == "parquet":
            con.execute(f"COPY survey TO '{path}'")
    return path


def _sqlite(folder: Path, width: int) -> Path:
    path = folder / "survey.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute(f"CREATE TABLE survey ({', '.join(_names(width))})")
        con.executemany(f"INSERT INTO survey VALUES ({', '.join('?' * width)})", _rows(width))
    return path


def _json(folder: Path, width: int) -> Path:
    path = folder / "survey.json"
    with closing(duckdb.connect()) as con:
        con.execute(f"COPY (SELECT * FROM read_csv('{_csv(folder, width)}')) TO '{path}' (ARRAY true)")
    (folder / "survey.csv").unlink()
    return path


@pytest.mark.slow
@pytest.mark.parametrize(
    ("make", "width"),
    [
        (_csv, 100),
        (_csv, 500),
        (_workbook, 500),
        (lambda folder, width: _engine(folder, width, "parquet"), 500),
        (lambda folder, width: _engine(folder, width, "duckdb"), 500),
        (_json, 200),
        (_sqlite, 2_000),
    ],
    ids=["csv-100", "csv-500", "xlsx-500", "parquet-500", "duckdb-500", "json-200", "sqlite-2000"],
)
def test_a_wide_table_opens_and_answers_on_one_column(make: Any, width: int, tmp_path: Path) -> None:
    async def work() -> None:
        path = make(tmp_path, width)
        source = await open_source(parse_addresses(str(path), PERSON)[0], folder=tmp_path / "loaded")
        try:
            catalog = await source.catalog()
            (table,) = catalog.tables
            assert [column.name for column in table.columns] == _names(width)
            assert all(column.profile is not None for column in table.columns)
            assert table.rows == _ROWS
            assert len(describe_tables(catalog, {})[0].columns) == width
            assert len(describe_sources([catalog], tokens_max=2_000, sees="rows")) < 20_000
            analyst = AnalystSource(catalog, (), date(2026, 6, 1))
            sql = analyst.candidates("average price_3").readings[0].sql
            assert '"price_3"' in sql.replace("`", '"')
            row = (await source.run(sql)).table.to_pylist()[0]
            assert list(row.values()) == [sum(range(1, _ROWS + 1)) / 4 / _ROWS]
        finally:
            await source.close()

    asyncio.run(work())


class _Counted:
    """A connection that counts what it is asked, and the most aggregates that one statement has."""

    def __init__(self, con: duckdb.DuckDBPyConnection) -> None:
        self._con = con
        self.statements = 0
        self.distinct_max = 0

    def execute(self, sql: str, *args: object) -> duckdb.DuckDBPyConnection:
        self.statements += 1
        self.distinct_max = max(self.distinct_max, sql.count("DISTINCT"), sql.count("bool_or("))
        return self._con.execute(sql, *args)

    def __getattr__(self, name: str) -> object:
        return getattr(self._con, name)


def _loaded(folder: Path, width: int) -> tuple[Catalog, Sequence[_Counted]]:
    folder.mkdir()
    path = _csv(folder, width)
    with closing(duckdb.connect(str(folder / "made.duckdb"))) as plain:
        loading, reading = _Counted(plain), _Counted(plain)
        with Meter(lambda: 0.0, lambda _: None) as meter:
            Conversion(cast("duckdb.DuckDBPyConnection", loading), folder, meter).load(
                parse_addresses(str(path), PERSON)[0]
            )
        return read_catalog(cast("duckdb.DuckDBPyConnection", reading), source="survey"), (loading, reading)


@pytest.mark.slow
def test_work_grows_with_the_number_of_columns_and_no_statement_measures_hundreds(tmp_path: Path) -> None:
    _, few = _loaded(tmp_path / "few", 150)
    _, many = _loaded(tmp_path / "many", 300)
    for less, more in zip(few, many, strict=True):
        assert more.statements <= 2.2 * less.statements
        assert more.distinct_max <= 40
