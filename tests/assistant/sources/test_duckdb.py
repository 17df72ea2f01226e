"""A person's own DuckDB file: its catalog, its types, its locks and its budget."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine
from datetime import timedelta
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pyarrow as pa
import pytest
from rights_of_person import PERSON

from assistant.core.catalog import ForeignKey
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.values import Budget
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


@pytest.fixture
def own(tmp_path: Path) -> Path:
    path = tmp_path / "own.duckdb"
    with duckdb.connect(str(path)) as con:
        con.execute("CREATE TABLE region (id INTEGER PRIMARY KEY, name VARCHAR NOT NULL)")
        con.execute(
            "CREATE TABLE sale (id INTEGER, region_id INTEGER REFERENCES region(id), day DATE, iso VARCHAR, v DECIMAL(10,2))"
        )
        con.execute("COMMENT ON TABLE sale IS 'what was sold'")
        con.execute("COMMENT ON COLUMN sale.v IS 'value'")
        con.execute("INSERT INTO region VALUES (1, 'North'), (2, 'South')")
        con.execute(
            "INSERT INTO sale SELECT i, i % 2 + 1, DATE '2024-01-01' + i::INT, (DATE '2024-01-01' + i::INT)::VARCHAR, i / 4 FROM range(100) r(i)"
        )
        con.execute("CREATE SCHEMA other")
        con.execute("CREATE TABLE other.t (a INTEGER)")
        con.execute("CREATE VIEW v AS SELECT * FROM sale")
        con.execute("CREATE VIEW outside AS SELECT 1 AS a")
    return path


async def opened(path: Path) -> Source:
    return await open_source(parse_addresses(str(path), PERSON)[0], folder=path.parent / "made")


def test_the_catalog_says_what_is_there(own: Path) -> None:
    async def work() -> None:
        source = await opened(own)
        catalog = await source.catalog()
        assert catalog.dialect == source.dialect == "duckdb"
        assert {(table.schema, table.name, table.rows) for table in catalog.tables} == {
            (None, "region", 2),
            (None, "sale", 100),
            ("other", "t", 0),
            (None, "v", 100),
            (None, "outside", 1),
        }
        sale, region = catalog.table("sale"), catalog.table("region")
        assert sale is not None
        assert region is not None
        assert region.primary_key == ("id",)
        assert sale.foreign_keys == (ForeignKey(columns=("region_id",), table="region", target_columns=("id",)),)
        assert sale.comment == "what was sold"
        assert [(c.name, c.kind, c.stored_as_text, c.comment) for c in sale.columns] == [
            ("id", "integer", False, ""),
            ("region_id", "integer", False, ""),
            ("day", "date", False, ""),
            ("iso", "date", True, ""),
            ("v", "number", False, "value"),
        ]
        day = sale.column("day")
        assert day is not None
        assert day.profile is not None
        assert (day.profile.low, day.profile.high, day.profile.distinct) == ("2024-01-01", "2024-04-09", 100)
        name = region.column("name")
        assert name is not None
        assert name.profile is not None
        assert name.profile.values == ("North", "South")
        await source.close()

    run(work())


def test_types_survive_or_become_the_nearest_that_pandas_has(own: Path) -> None:
    expected = {
        "12::HUGEINT": pa.int64(),
        "(2::HUGEINT ** 100)::HUGEINT": pa.decimal128(38, 0),
        "3::UTINYINT": pa.int64(),
        "1.5::DECIMAL(10,2)": pa.decimal128(10, 2),
        "1.5::FLOAT": pa.float64(),
        "true": pa.bool_(),
        "DATE '2024-01-01'": pa.date32(),
        "TIMESTAMP '2024-01-01'": pa.timestamp("us"),
        "'x'::ENUM('x', 'y')": pa.string(),
        "INTERVAL 3 DAY": pa.duration("us"),
        "INTERVAL 3 MONTH": pa.string(),
        "'a'::BLOB": pa.binary(),
        "NULL": pa.null(),
        "uuid()": pa.string(),
        "union_value(a := 1)": pa.string(),
    }

    async def work() -> None:
        source = await opened(own)
        listed = ", ".join(f"{sql} AS c{place}" for place, sql in enumerate(expected))
        result = await source.run(f"SELECT {listed}")
        assert [field.type for field in result.table.schema] == list(expected.values())
        assert result.table["c9"].to_pylist() == [timedelta(days=3)]
        assert result.table["c10"].to_pylist() == ["3 months"]
        nested = await source.run("SELECT [1, 2] AS l, {'a': 1} AS s, [1, 2]::INT[2] AS f, 1 AS a, 2 AS a")
        assert nested.table.to_pylist() == [{"l": [1, 2], "s": {"a": 1}, "f": [1, 2], "a": 1, "a_2": 2}]
        await source.close()

    run(work())


def test_parameters_are_bound_by_name_and_by_place(own: Path) -> None:
    async def work() -> None:
        source = await opened(own)
        one = await source.run("SELECT count(*) AS n FROM sale WHERE id < :most AND ':most' <> iso", {"most": 10})
        two = await source.run("SELECT count(*) AS n FROM sale WHERE id < $most", {"most": 10})
        three = await source.run("SELECT count(*) AS n FROM sale WHERE id < ?", [10])
        assert [result.table["n"].to_pylist() for result in (one, two, three)] == [[10]] * 3
        with pytest.raises(QueryFailed):
            await source.run("SELECT $a", {"b": 1})
        await source.close()

    run(work())


def test_the_file_cannot_be_written_and_its_catalog_can_be_shown(own: Path) -> None:
    before = own.read_bytes()

    async def work() -> None:
        source = await opened(own)
        for sql in (
            "INSERT INTO region VALUES (3, 'x')",
            "DROP TABLE region",
            "CHECKPOINT",
            "CREATE TEMP TABLE x (a INT)",
        ):
            with pytest.raises(QueryFailed):
                await source.run(sql)
        for sql in ("SHOW TABLES", "DESCRIBE sale", "SUMMARIZE sale", "EXPLAIN SELECT 1", "FROM sale LIMIT 1"):
            assert (await source.run(sql)).rows > 0
        assert "sale" in await source.explain("SELECT * FROM sale")
        await source.close()

    run(work())
    assert own.read_bytes() == before


def test_a_runaway_query_is_stopped_on_the_engine(own: Path) -> None:
    async def work() -> None:
        source = await opened(own)
        endless = "SELECT count(*) FROM range(1000000000) a, range(1000000000) b WHERE a.range + b.range = 7"
        with pytest.raises(QueryRefused, match="longer than"):
            await source.run(endless, None, Budget(timeout_s=0.3))
        task = asyncio.create_task(source.run(endless))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(QueryRefused, match="rows"):
            await source.run("SELECT * FROM range(1000000000)", None, Budget(rows_max=100_000))
        with pytest.raises(QueryRefused, match="MB"):
            await source.run("SELECT repeat('x', 1000) FROM range(1000000)", None, Budget(limit_bytes=2**20))
        assert (await source.run("SELECT 1")).rows == 1
        await source.close()

    run(work())


def test_a_pivot_by_the_data_runs_and_leaves_nothing_behind(own: Path) -> None:
    async def work() -> None:
        source = await opened(own)
        pivot = "PIVOT (SELECT * FROM sale JOIN region ON region.id = region_id) ON name USING count(*)"
        pivot += " GROUP BY region_id ORDER BY region_id"
        assert (await source.run(pivot)).table.to_pylist() == [
            {"region_id": 1, "North": 50, "South": 0},
            {"region_id": 2, "North": 0, "South": 50},
        ]
        left = "SELECT count(*) AS n FROM duckdb_types() WHERE type_name LIKE '%pivot%'"
        assert (await source.run(left)).table["n"].to_pylist() == [0]
        assert await source.explain(pivot) == ""  # planning it would read the data, and nobody approved that yet
        for hostile in (
            "PIVOT read_text('/etc/passwd') ON filename USING max(content)",
            "PIVOT (FROM 'x.csv') ON a USING max(b)",
            "PIVOT duckdb_settings() ON name USING max(value)",
            "IMPORT DATABASE '/tmp'",
            "PIVOT sale ON iso USING sum(v); DROP TABLE sale",
        ):
            with pytest.raises(QueryFailed):
                await source.run(hostile)
        await source.close()

    run(work())


def test_a_masked_column_does_not_become_the_names_of_a_pivot(own: Path) -> None:
    async def work() -> None:
        source = await open_source(
            parse_addresses(str(own), PERSON)[0], folder=own.parent / "made", mask=("region.name",)
        )
        for sql in (
            "PIVOT region ON name USING count(*)",
            "PIVOT region ON name USING count(*) ORDER BY id",
            "PIVOT_WIDER region ON name USING count(*)",
            "WITH p AS (PIVOT region ON name USING count(*)) SELECT * FROM p",
            "SELECT * FROM (DESCRIBE SELECT * FROM (PIVOT region ON name USING count(*)))",
            "UNPIVOT region ON name INTO NAME a VALUE b",
            "SELECT * FROM (SUMMARIZE region)",
            "SUMMARIZE region",
        ):
            with pytest.raises((QueryRefused, QueryFailed), match="mask"):
                await source.run(sql)
        await source.close()

    run(work())


def test_queries_run_side_by_side_and_two_sessions_share_a_file(own: Path) -> None:
    async def work() -> None:
        one, two = await opened(own), await opened(own)
        results = await asyncio.gather(*(source.run("SELECT sum(v) AS s FROM sale") for source in (one, two) * 5))
        assert len({str(result.table["s"].to_pylist()) for result in results}) == 1
        await one.close()
        assert (await two.run("SELECT 1")).rows == 1
        await two.close()

    run(work())


def test_a_damaged_database_says_so_without_its_folder(own: Path) -> None:
    content = bytearray(own.read_bytes())
    content[12:4000] = b"\xff" * 3988
    own.write_bytes(content)
    with pytest.raises(SourceError, match="cannot be opened") as caught:
        run(opened(own))
    assert str(own.parent) not in str(caught.value)
