"""One suite for every engine that can be run here: SQLite, DuckDB, PostgreSQL, MariaDB, ClickHouse, each for real.

A new engine is one more entry of `_ENGINES`: how its tables are made, and what its address is.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Coroutine, Iterator, Sequence
from contextlib import AbstractContextManager
from dataclasses import dataclass, field
from datetime import date
from decimal import Decimal
from pathlib import Path
from typing import Any

import clickhouse_server
import mariadb_server
import postgres
import pytest
from engines_with import clickhouse_with, duckdb_with, mariadb_with, postgres_with, sqlite_with
from rights_of_person import PERSON

from assistant.analyst.sql.dialects import dialect_of
from assistant.core.data_errors import QueryError, QueryRefused
from assistant.core.values import Budget
from assistant.query.guard import check
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

pytestmark = pytest.mark.server

_PERCENT = "Größe 100%"
_ROWS = 200


@dataclass(frozen=True, slots=True, kw_only=True)
class Engine:
    """How the shop is made on one engine.

    Attributes:
        served: Makes the tables and gives the address.
        types: The engine's words for whole number, text, exact number, date, moment.
        keys: Whether tables declare keys.
        tail: What ends a CREATE TABLE.
        endless: A query that ends by its time limit only.
        skipped: What is raised where the engine is not installed.
    """

    served: Callable[[Path, Sequence[str]], AbstractContextManager[str]]
    types: tuple[str, str, str, str, str]
    endless: str
    keys: bool = True
    tail: str = ""
    skipped: tuple[type[Exception], ...] = field(default=())

    def statements(self, dialect: str) -> Iterator[str]:
        """A table called `order` with a key called `select`, and one that refers to it."""
        name = dialect_of(dialect).name
        whole, text, exact, day, moment = self.types
        key = " PRIMARY KEY" if self.keys else ""
        refers = f" REFERENCES {name('order')} ({name('select')})" if self.keys and dialect != "mysql" else ""
        foreign = f", FOREIGN KEY (order_id) REFERENCES {name('order')} ({name('select')})" * (dialect == "mysql")
        optional = f"Nullable({exact})" if dialect == "clickhouse" else exact
        columns = f"{name('select')} {whole}{key}, name {text}, {name(_PERCENT)} {optional}"
        yield f"CREATE TABLE {name('order')} ({columns}){self.tail}"
        yield f"INSERT INTO {name('order')} VALUES (1, 'North', 1.50), (2, 'South 100%', NULL)"
        columns = f"id {whole}{key}, order_id {whole}{refers}, day {day}, moment {moment}, v {exact}{foreign}"
        yield f"CREATE TABLE sale ({columns}){self.tail}"
        for start in range(1, _ROWS + 1, 50):
            rows = (
                f"({n}, {n % 2 + 1}, '2024-{n % 12 + 1:02}-0{n % 9 + 1}', '2024-01-01 10:{n % 60:02}:00', {n / 4})"
                for n in range(start, start + 50)
            )
            yield f"INSERT INTO sale VALUES {', '.join(rows)}"


_LONG = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 2000000000) SELECT count(*) FROM n, sale"
)
_ENGINES = {
    "sqlite": Engine(served=sqlite_with, types=("INTEGER", "TEXT", "NUMERIC", "DATE", "TIMESTAMP"), endless=_LONG),
    "duckdb": Engine(
        served=duckdb_with,
        types=("BIGINT", "TEXT", "DECIMAL(10, 2)", "DATE", "TIMESTAMP"),
        endless="SELECT count(*) FROM range(3000000) a, range(3000000) b WHERE a.range * b.range % 7 = 3",
    ),
    "postgres": Engine(
        served=postgres_with,
        types=("bigint", "text", "numeric(10, 2)", "date", "timestamp"),
        endless="SELECT pg_sleep(60)",
        skipped=(postgres.NoPostgres,),
    ),
    "mysql": Engine(
        served=mariadb_with,
        types=("bigint", "varchar(40)", "decimal(10, 2)", "date", "datetime"),
        endless="SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b",
        skipped=(mariadb_server.NoMariaDB,),
    ),
    "clickhouse": Engine(
        served=clickhouse_with,
        types=("Int64", "LowCardinality(String)", "Decimal(10, 2)", "Date", "DateTime"),
        endless="SELECT count(*) FROM numbers(1000000000000)",
        keys=False,
        tail=" ENGINE = MergeTree ORDER BY tuple()",
        skipped=(clickhouse_server.NoClickHouse,),
    ),
}


@dataclass(frozen=True, slots=True)
class Shop:
    """An engine with its tables: where it is, and sqlglot's name of its dialect."""

    address: str
    dialect: str
    folder: Path

    def asked(self, work: Callable[[Source], Coroutine[Any, Any, Any]], *, mask: tuple[str, ...] = ()) -> Any:
        """What `work` gives with the source open."""

        async def opened() -> Any:
            source = await open_source(
                parse_addresses(self.address, PERSON)[0], folder=self.folder / "loaded", mask=mask
            )
            try:
                return await work(source)
            finally:
                await source.close()

        return asyncio.run(opened())

    def rows(self, sql: str, **over: Any) -> list[dict[str, Any]]:
        """A query's rows."""

        async def work(source: Source) -> list[dict[str, Any]]:
            return (await source.run(sql, over.get("params"), over.get("budget"))).table.to_pylist()

        return self.asked(work, mask=over.get("mask", ()))

    def name(self, name: str) -> str:
        """A name in the engine's quotes."""
        quote = "`" if self.dialect == "mysql" else '"'
        return f"{quote}{name}{quote}"


@pytest.fixture(scope="module", params=_ENGINES)
def shop(request: pytest.FixtureRequest, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Shop]:
    dialect: str = request.param
    engine, folder = _ENGINES[dialect], tmp_path_factory.mktemp(dialect)
    try:
        with engine.served(folder, list(engine.statements(dialect))) as address:
            yield Shop(address, dialect, folder)
    except engine.skipped as missing:
        pytest.skip(str(missing))


def test_the_catalog_has_names_kinds_counts_and_profiles(shop: Shop) -> None:
    async def work(source: Source) -> Any:
        return await source.catalog()

    catalog = shop.asked(work)
    assert catalog.dialect == shop.dialect
    assert {(table.name, table.rows) for table in catalog.tables} == {("order", 2), ("sale", _ROWS)}
    order, sale = catalog.table("order"), catalog.table("sale")
    assert [(c.name, c.kind) for c in order.columns] == [("select", "integer"), ("name", "text"), (_PERCENT, "number")]
    assert [c.kind for c in sale.columns] == ["integer", "integer", "date", "datetime", "number"]
    assert order.column("name").profile.values == ("North", "South 100%")
    assert (order.column(_PERCENT).profile.nulls, order.column(_PERCENT).profile.distinct) == (1, 1)
    assert str(sale.column("day").profile.low).startswith("2024-01-0")


def test_declared_keys_are_known(shop: Shop) -> None:
    async def work(source: Source) -> Any:
        return await source.catalog()

    if not _ENGINES[shop.dialect].keys:
        return  # ClickHouse's primary key orders the rows and promises nothing about them
    catalog = shop.asked(work)
    assert catalog.table("order").primary_key == ("select",)
    assert [(key.columns, key.table, key.target_columns) for key in catalog.table("sale").foreign_keys] == [
        (("order_id",), "order", ("select",))
    ]


def test_reserved_and_non_ascii_names_values_and_types_arrive(shop: Shop) -> None:
    order, key, percent = shop.name("order"), shop.name("select"), shop.name(_PERCENT)
    rows = shop.rows(
        f"SELECT o.{key} AS k, o.{percent} AS p, o.name AS name, s.day AS day, s.v AS v FROM {order} o "
        f"JOIN sale s ON s.order_id = o.{key} WHERE o.name LIKE '%0\\%' OR o.name LIKE 'South%' ORDER BY s.id LIMIT 1"
    )
    assert [(row["k"], row["p"], row["name"]) for row in rows] == [(2, None, "South 100%")]
    assert (rows[0]["day"] in (date(2024, 2, 2), "2024-02-02"), Decimal(str(rows[0]["v"]))) == (True, Decimal("0.25"))


def test_parameters_by_name_and_by_place(shop: Shop) -> None:
    assert shop.rows("SELECT count(*) AS n FROM sale WHERE id <= :most", params={"most": 10}) == [{"n": 10}]
    assert shop.rows("SELECT count(*) AS n FROM sale WHERE id <= ? AND '?' <> 'x%'", params=[10]) == [{"n": 10}]


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO sale (id) VALUES (1000)",
        "DELETE FROM sale WHERE id = 1",
        "UPDATE sale SET v = 0",
        "DROP TABLE sale",
        "CREATE TABLE x (a int)",
        "ALTER TABLE sale ADD COLUMN x int",
        "WITH x AS (SELECT 1) DELETE FROM sale",
        "SELECT 1; DROP TABLE sale",
    ],
)
def test_nothing_is_written_with_the_guard_or_without_it(sql: str, shop: Shop) -> None:
    assert check(sql, dialect=shop.dialect) is not None
    with pytest.raises(QueryError):
        shop.rows(sql)
    assert shop.rows("SELECT count(*) AS n FROM sale") == [{"n": _ROWS}]


def test_a_query_ends_at_its_time_limit_and_at_its_limit_of_rows(shop: Shop) -> None:
    with pytest.raises(QueryRefused, match="longer than"):
        shop.rows(_ENGINES[shop.dialect].endless, budget=Budget(timeout_s=1))
    with pytest.raises(QueryRefused, match="rows"):
        shop.rows("SELECT a.id AS id FROM sale a, sale b", budget=Budget(rows_max=1_000))


def test_a_plan_can_be_had_and_a_wrong_name_is_found_before_it_runs(shop: Shop) -> None:
    async def work(source: Source) -> str:
        return await source.explain("SELECT order_id, sum(v) FROM sale GROUP BY order_id")

    assert shop.asked(work).strip()
    with pytest.raises(QueryError):
        shop.asked(lambda source: source.explain("SELECT nothing_like_it FROM sale"))


def test_a_masked_column_never_leaves(shop: Shop) -> None:
    mask, order = ("order.name",), shop.name("order")
    for sql in (
        f"SELECT * FROM {order}",
        f"WITH x AS (SELECT name AS n FROM {order}) SELECT n FROM x",
        f"SELECT s.id, o.name FROM sale s JOIN {order} o ON o.{shop.name('select')} = s.order_id",
    ):
        found = str(shop.rows(sql, mask=mask))
        assert "•••" in found
        assert "North" not in found
        assert "South" not in found
    for sql in (
        f"SELECT concat(name, '') AS n FROM {order}",
        f"SELECT {shop.name('select')} AS k FROM {order} WHERE name LIKE 'N%'",
        f"SELECT max(name) AS n FROM {order}",
    ):
        with pytest.raises(QueryRefused, match="mask"):
            shop.rows(sql, mask=mask)
    assert shop.rows(f"SELECT count(name) AS n FROM {order}", mask=mask) == [{"n": 2}]


def test_what_may_be_done_there_is_tried_and_told(shop: Shop) -> None:
    access = shop.asked(lambda source: source.access())
    assert (access.locked, access.stopped) == (True, True)
