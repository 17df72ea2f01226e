"""A SQLite source gives what is in it and cannot be made to write, guard or no guard."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pyarrow as pa
import pytest
from rights_of_person import PERSON

from assistant.core.catalog import Catalog, ForeignKey
from assistant.core.data_errors import AddressError, QueryFailed, QueryRefused, SourceError
from assistant.core.values import Budget
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

T = TypeVar("T")


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


def written(folder: Path) -> Path:
    """A shop as a file in the folder."""
    path = folder / "shop.sqlite"
    with closing(sqlite3.connect(path)) as con:
        con.executescript(
            """
            CREATE TABLE region (region_id INTEGER PRIMARY KEY, name TEXT NOT NULL);
            CREATE TABLE customer (id INTEGER PRIMARY KEY, name TEXT, region_id INTEGER REFERENCES region);
            CREATE TABLE orders (
                order_id INTEGER PRIMARY KEY, customer_id INTEGER, ordered DATE, paid_at TEXT, total NUMERIC(10,2),
                odd, note TEXT);
            CREATE TABLE vacant (a INTEGER, b TEXT, d DATE);
            CREATE VIEW big AS SELECT * FROM orders WHERE total > 10;
            CREATE VIEW broken AS SELECT * FROM gone;
            INSERT INTO region VALUES (1, 'North'), (2, 'South');
            INSERT INTO customer VALUES (1, 'Ann', 1), (2, 'Bob', 2), (3, 'Cy', NULL);
            INSERT INTO orders VALUES
                (1, 1, '2024-01-05', '2024-01-06 10:00:00', 12.5, 1, 'a'),
                (2, 1, '2024-02-05', NULL, 7, 'x', 'b'),
                (3, 2, '2024-03-05', '2024-03-06T11:30:00', 30, 2.5, 'a');
            """
        )
        con.commit()
    return path


@pytest.fixture
def shop(tmp_path: Path) -> Path:
    return written(tmp_path)


async def opened(path: Path) -> Source:
    return await open_source(parse_addresses(str(path), PERSON)[0], folder=path.parent / "own")


def test_the_catalog_says_what_is_there(shop: Path) -> None:
    catalog = run(described(shop))
    orders, customer = catalog.table("ORDERS"), catalog.table("customer")
    assert orders is not None
    assert customer is not None
    assert [(table.name, table.rows, table.is_view) for table in catalog.tables] == [
        ("region", 2, False),
        ("customer", 3, False),
        ("orders", 3, False),
        ("vacant", 0, False),
        ("big", 2, True),
    ]
    assert orders.primary_key == ("order_id",)
    assert [(c.name, c.kind, c.stored_as_text) for c in orders.columns] == [
        ("order_id", "integer", False),
        ("customer_id", "integer", False),
        ("ordered", "date", True),
        ("paid_at", "datetime", True),
        ("total", "number", False),
        ("odd", "text", False),
        ("note", "text", False),
    ]
    assert customer.foreign_keys == (ForeignKey(columns=("region_id",), table="region", target_columns=("region_id",)),)
    assert orders.foreign_keys == (
        ForeignKey(columns=("customer_id",), table="customer", target_columns=("id",), inferred=True),
    )
    note, total, ordered = orders.column("note"), orders.column("total"), orders.column("ordered")
    assert note is not None
    assert note.profile is not None
    assert (note.profile.distinct, note.profile.nulls, note.profile.values) == (2, 0, ("a", "b"))
    assert note.profile.top == (("a", 2), ("b", 1))
    assert total is not None
    assert total.profile is not None
    assert (total.profile.low, total.profile.high) == (7, 30)
    assert ordered is not None
    assert ordered.profile is not None
    assert ordered.profile.high == "2024-03-05"


async def described(path: Path) -> Catalog:
    source = await opened(path)
    catalog = await source.catalog()
    assert await source.catalog() is catalog
    source.refresh()
    assert await source.catalog() == catalog
    return catalog


def test_values_arrive_as_they_are(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        result = await source.run(
            "SELECT order_id, total, odd, ordered, NULL AS n, x'00ff' AS b, order_id AS total,"
            " CASE order_id WHEN 1 THEN 1 WHEN 2 THEN 2.5 END AS m FROM orders ORDER BY 1"
        )
        assert result.columns == ("order_id", "total", "odd", "ordered", "n", "b", "total_2", "m")
        assert result.rows == 3
        types = {field.name: field.type for field in result.table.schema}
        assert types["order_id"] == pa.int64()
        assert types["total"] == pa.float64()
        assert types["odd"] == pa.string()
        assert types["ordered"] == pa.string()
        assert pa.types.is_null(types["n"])
        assert pa.types.is_binary(types["b"])
        assert result.table["odd"].to_pylist() == ["1", "x", "2.5"]
        assert result.table["m"].to_pylist() == [1.0, 2.5, None]

    run(work())


def test_parameters_are_bound_by_name_and_by_place(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        named = await source.run("SELECT count(*) AS n FROM orders WHERE total > :least", {"least": 10})
        placed = await source.run("SELECT count(*) AS n FROM orders WHERE total > ? AND note = ?", [10, "a"])
        assert named.table["n"].to_pylist() == placed.table["n"].to_pylist() == [2]
        with pytest.raises(QueryFailed, match="binding"):
            await source.run("SELECT ?", [])
        with pytest.raises(QueryFailed):
            await source.run("SELECT ?", [2**70])

    run(work())


def test_types_that_change_along_the_way_join_into_one(tmp_path: Path) -> None:
    path = tmp_path / "m.sqlite"
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE t (i, n, s)")
        con.executemany(
            "INSERT INTO t VALUES (?, ?, ?)",
            [(k, k if k < 500 else k + 0.5, k if k < 900 else "x") for k in range(1000)],
        )
        con.commit()

    async def work() -> None:
        result = await (await opened(path)).run("SELECT i, n, s FROM t ORDER BY i")
        assert [str(field.type) for field in result.table.schema] == ["int64", "double", "string"]
        assert result.table["s"].to_pylist()[-1] == "x"
        assert result.table["s"].to_pylist()[0] == "0"

    run(work())


WRITES = [
    "INSERT INTO orders (order_id) VALUES (9)",
    "UPDATE orders SET total = 0",
    "DELETE FROM orders",
    "DROP TABLE orders",
    "CREATE TABLE x (a)",
    "CREATE TEMP TABLE x (a)",
    "ALTER TABLE orders ADD COLUMN x",
    "ATTACH DATABASE ':memory:' AS m",
    "ATTACH DATABASE '{folder}/made.db' AS m",
    "VACUUM",
    "VACUUM INTO '{folder}/made.db'",
    "ANALYZE",
    "REINDEX",
    "PRAGMA query_only = 0",
    "PRAGMA query_only(0)",
    "PRAGMA writable_schema = 1",
    "PRAGMA journal_mode = WAL",
    "PRAGMA user_version = 5",
    "PRAGMA temp_store_directory = '/tmp'",
    "SELECT load_extension('x')",
    "SELECT fts3_tokenizer('simple')",
    "SELECT writefile('{folder}/made.db', 'x')",
    "UPDATE sqlite_master SET sql = 'x'",
    "CREATE VIRTUAL TABLE v USING fts5(a)",
    "WITH x AS (SELECT 1) DELETE FROM orders",
    "SELECT 1; DELETE FROM orders",
]


@pytest.fixture(scope="module")
def locked(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[asyncio.Runner, Source, Path]]:
    """A shop that is opened once, for all who try to write to it."""
    path = written(tmp_path_factory.mktemp("locked"))
    with asyncio.Runner() as runner:
        source = runner.run(opened(path))
        yield runner, source, path
        runner.run(source.close())


@pytest.mark.parametrize("sql", WRITES)
def test_the_engine_itself_refuses_to_write(sql: str, locked: tuple[asyncio.Runner, Source, Path]) -> None:
    runner, source, path = locked
    before, names = path.read_bytes(), sorted(one.name for one in path.parent.iterdir())
    with pytest.raises(QueryFailed):
        runner.run(source.run(sql.replace("{folder}", str(path.parent))))
    assert path.read_bytes() == before
    assert sorted(one.name for one in path.parent.iterdir()) == names
    assert runner.run(source.run("SELECT * FROM orders")).rows == 3  # the refusal ended nothing


def test_reading_still_works_under_the_locks(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        for sql in (
            "SELECT * FROM big",
            "SELECT * FROM json_each('[1, 2]')",
            "PRAGMA table_info(orders)",
            "SELECT * FROM pragma_table_info('orders')",
            "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n LIMIT 5) SELECT * FROM n",
        ):
            assert (await source.run(sql)).rows > 0
        assert "SCAN orders" in await source.explain("SELECT * FROM orders")

    run(work())


def test_a_runaway_query_is_stopped_on_the_engine(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"
        with pytest.raises(QueryRefused, match="longer than"):
            await source.run(endless, None, Budget(timeout_s=0.2))
        task = asyncio.create_task(source.run(endless))
        await asyncio.sleep(0.1)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        assert (await source.run("SELECT 1")).rows == 1

    run(work())


def test_too_many_rows_and_bytes_are_refused(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        endless = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT i, randomblob(10000) FROM n"
        with pytest.raises(QueryRefused, match="more than 1,000 rows"):
            await source.run(endless, None, Budget(rows_max=1000))
        with pytest.raises(QueryRefused, match="more than 4 MB"):
            await source.run(endless, None, Budget(limit_bytes=4 * 2**20))
        with pytest.raises(QueryFailed):
            await source.run("SELECT length(zeroblob(500000000) || 'x')")

    run(work())


def test_errors_name_no_folder(shop: Path) -> None:
    async def work() -> None:
        source = await opened(shop)
        with pytest.raises(QueryFailed, match="no such column: nope"):
            await source.run("SELECT nope FROM orders")
        shop.unlink()
        with pytest.raises(SourceError) as caught:
            await source.run("SELECT 1")
        assert str(shop.parent) not in str(caught.value)

    run(work())


def test_a_database_in_wal_mode_is_left_without_a_trace(tmp_path: Path) -> None:
    path = tmp_path / "wal.sqlite"
    with closing(sqlite3.connect(path)) as con:
        con.execute("PRAGMA journal_mode = WAL")
        con.execute("CREATE TABLE t (a)")
        con.execute("INSERT INTO t VALUES (1)")
        con.commit()

    async def work() -> None:
        source = await opened(path)
        assert (await source.run("SELECT * FROM t")).rows == 1

    run(work())
    assert [one.name for one in tmp_path.iterdir()] == ["wal.sqlite"]


def test_rows_still_in_the_log_are_seen(tmp_path: Path) -> None:
    path = tmp_path / "wal.sqlite"
    with closing(sqlite3.connect(path)) as writer:
        writer.execute("PRAGMA journal_mode = WAL")
        writer.execute("CREATE TABLE t (a)")
        writer.execute("INSERT INTO t VALUES (1)")
        writer.commit()

        async def work() -> None:
            source = await opened(path)
            assert (await source.run("SELECT * FROM t")).rows == 1

        run(work())


def test_a_damaged_database_says_so(tmp_path: Path) -> None:
    path = tmp_path / "bad.sqlite"
    path.write_bytes(b"SQLite format 3\x00" + b"\xff" * 5000)
    with pytest.raises((SourceError, AddressError), match="bad"):
        run(opened(path))


def test_text_in_an_old_encoding_is_read(tmp_path: Path) -> None:
    path = tmp_path / "old.sqlite"
    with closing(sqlite3.connect(path)) as con:
        con.execute("CREATE TABLE t (a TEXT)")
        con.execute("INSERT INTO t VALUES (CAST(x'4df6' AS TEXT))")
        con.commit()

    async def work() -> None:
        source = await opened(path)
        assert (await source.run("SELECT a FROM t")).table["a"].to_pylist() == ["Mö"]
        await source.catalog()

    run(work())
