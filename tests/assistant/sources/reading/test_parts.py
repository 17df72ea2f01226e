"""The parts of one table are one table, and files that a year tells apart are not."""

from __future__ import annotations

import asyncio
from pathlib import Path

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.reading.parts import group_parts


@pytest.mark.parametrize(
    ("names", "groups"),
    [
        (("part-00000.parquet", "part-00001.parquet"), 1),
        (("0.parquet", "1.parquet", "2.parquet"), 1),
        (("000000_0.parquet", "000001_0.parquet"), 1),
        (("trips-00000-of-00002.parquet", "trips-00001-of-00002.parquet"), 1),
        (
            (
                "part-00000-0a1b2c3d-0000-4000-8000-00000000000a-c000.snappy.parquet",
                "part-00001-0a1b2c3d-0000-4000-8000-00000000000a-c000.snappy.parquet",
            ),
            1,
        ),
        (("sales_2023.parquet", "sales_2024.parquet"), 2),
        (("orders.parquet", "customers.parquet"), 2),
        (("part-0.parquet", "part-1.parquet", "customers.parquet"), 2),
        (("part-0.csv", "part-1.csv"), 1),
        (("part-0.csv", "part-1.parquet"), 2),
        (("sales-2024-01.csv", "sales-2024-02.csv", "sales-2023-12.csv"), 1),
        (("sales_20240101.csv", "sales_20240102.csv"), 1),
        (("sales_2023.csv", "sales_2024.csv"), 2),
        (("sales (1).csv", "sales (2).csv"), 2),
        (("plan_v1.csv", "plan_v2.csv"), 2),
        (("1.xlsx", "2.xlsx"), 2),
    ],
)
def test_parts_are_told_by_their_names(names: tuple[str, ...], groups: int) -> None:
    assert len(group_parts([Path(name) for name in names])) == groups


def write(path: Path, rows: str) -> None:
    """A file of Parquet."""
    path.parent.mkdir(exist_ok=True)
    duckdb.execute(f"COPY ({rows}) TO '{path}' (FORMAT parquet)")


def test_a_folder_of_parts_is_one_table_of_all_rows_and_it_is_said(tmp_path: Path) -> None:
    trips = tmp_path / "trips"
    for part in range(3):
        write(trips / f"part-{part:05d}.parquet", f"SELECT range + {part * 10} AS trip, 1.5 AS fare FROM range(10)")
    write(trips / "other-7.parquet", "SELECT 'x' AS name")

    async def read() -> None:
        source = await open_source(parse_addresses(str(trips), PERSON)[0], folder=tmp_path / "loaded")
        try:
            catalog = await source.catalog()
            assert {table.name: table.rows for table in catalog.tables} == {"trips": 30, "other_7": 1}
            result = await source.run("SELECT count(*), count(DISTINCT trip), sum(fare) FROM trips")
            assert [column[0].as_py() for column in result.table.columns] == [30, 30, 45]
            assert [doubt.chosen for doubt in source.doubts] == [
                "The 3 files part-00000.parquet to part-00002.parquet are read as one table."
            ]
        finally:
            await source.close()

    asyncio.run(read())


def test_parts_with_other_columns_are_tables_of_their_own(tmp_path: Path) -> None:
    write(tmp_path / "mixed" / "part-0.parquet", "SELECT 1 AS a")
    write(tmp_path / "mixed" / "part-1.parquet", "SELECT 'x' AS b")

    async def read() -> None:
        source = await open_source(parse_addresses(str(tmp_path / "mixed"), PERSON)[0], folder=tmp_path / "loaded")
        try:
            assert len((await source.catalog()).tables) == 2
        finally:
            await source.close()

    asyncio.run(read())
