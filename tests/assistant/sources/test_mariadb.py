"""MariaDB, a real server: read-only under the guard, DDL included, and time limits that hold there."""

from __future__ import annotations

import asyncio
from collections.abc import Coroutine, Iterator
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import pymysql
import pytest
from mariadb_server import NoMariaDB, served
from rights_of_person import PERSON, person

from assistant.agents.checks import check_cell
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.values import Budget
from assistant.query.cells import render_cell
from assistant.query.cost import Estimate, estimate
from assistant.session.sources.sources import SessionSources
from assistant.settings.credentials import Credentials
from assistant.sources.addresses import parse_addresses
from assistant.sources.catalog.catalogs import Catalogs
from assistant.sources.engines.access import Access
from assistant.sources.engines.server_access import mysql_reader
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

pytestmark = pytest.mark.server

T = TypeVar("T")
ENDLESS = "SELECT count(*) FROM seq_1_to_1000000 a, seq_1_to_1000000 b"


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


_SHOP = (
    "CREATE DATABASE shop",
    "USE shop",
    "CREATE TABLE region (id int PRIMARY KEY, name varchar(50) NOT NULL COMMENT 'its name')",
    "CREATE TABLE sale (id bigint PRIMARY KEY, region_id int, day date, v decimal(10,2))",
    "INSERT INTO region VALUES (1, 'North'), (2, 'South 100%')",
    "INSERT INTO sale SELECT seq, seq % 2 + 1, '2024-01-01' + INTERVAL seq DAY, seq / 4 FROM seq_1_to_100",
    "CREATE USER me@'%' IDENTIFIED BY 'pl@nted/s3cret'",
    "GRANT ALL ON *.* TO me@'%'",
    "CREATE USER reader@'%' IDENTIFIED BY 'reader-s3cret'",
    "GRANT SELECT ON shop.* TO reader@'%'",
)


@pytest.fixture(scope="module")
def server() -> Iterator[str]:
    """host:port/database of a server of our own, whose user may do anything."""
    try:
        with served(_SHOP) as address:
            yield f"{address}/shop"
    except NoMariaDB as problem:
        pytest.skip(str(problem))


async def opened(server: str, password: str = "pl%40nted%2Fs3cret") -> Source:
    return await open_source(parse_addresses(f"mysql://me:{password}@{server}", PERSON)[0], folder=Path("unused"))


def test_the_catalog_says_what_is_there(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        catalog = await source.catalog()
        assert catalog.dialect == "mysql"
        assert {(table.name, table.rows) for table in catalog.tables} == {("region", 2), ("sale", 100)}
        sale, region = catalog.table("sale"), catalog.table("region")
        assert sale is not None
        assert region is not None
        assert [(c.name, c.kind) for c in sale.columns] == [
            ("id", "integer"),
            ("region_id", "integer"),
            ("day", "date"),
            ("v", "number"),
        ]
        assert [(key.columns, key.table, key.inferred) for key in sale.foreign_keys] == [
            (("region_id",), "region", True)
        ]
        name = region.column("name")
        assert name is not None
        assert name.profile is not None
        assert (name.comment, name.profile.values) == ("its name", ("North", "South 100%"))
        await source.close()

    run(work())


@pytest.mark.parametrize(
    "sql",
    [
        "INSERT INTO region VALUES (3, 'x')",
        "DELETE FROM sale",
        "DROP TABLE sale",
        "/*! DROP TABLE sale */",
        "/*M! DROP TABLE sale */ ",
        "TRUNCATE sale",
        "CREATE TABLE x (a int)",
        "SELECT 1; DROP TABLE sale",
        "SELECT * FROM sale FOR UPDATE",
        "SELECT 1 INTO OUTFILE '/tmp/tandem-never.txt'",
        "SELECT 1 /*! INTO OUTFILE '/tmp/tandem-never.txt' */",
        "SET GLOBAL general_log = 1",
        "LOAD DATA LOCAL INFILE '/etc/passwd' INTO TABLE region",
    ],
)
def test_the_server_itself_refuses_to_write(sql: str, server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        with pytest.raises(QueryFailed):
            await source.run(sql)
        assert (await source.run("SELECT count(*) AS n FROM sale")).table["n"].to_pylist() == [100]
        assert not Path("/tmp/tandem-never.txt").exists()
        await source.close()

    run(work())


def test_a_read_only_session_refuses_ddl_by_itself(server: str) -> None:
    host, port = server.split("/", maxsplit=1)[0].split(":")
    with (
        closing(
            pymysql.connect(host=host, port=int(port), user="me", password="pl@nted/s3cret", database="shop")
        ) as con,
        con.cursor() as cursor,
    ):
        cursor.execute("SET SESSION TRANSACTION READ ONLY")
        cursor.execute("START TRANSACTION READ ONLY")
        with pytest.raises(pymysql.Error, match="READ ONLY"):
            cursor.execute("DROP TABLE sale")


def test_a_runaway_query_is_stopped_on_the_server(server: str) -> None:
    async def work() -> None:
        source = await opened(server)
        with pytest.raises(QueryRefused, match="longer than"):
            await source.run(ENDLESS, None, Budget(timeout_s=0.5))
        task = asyncio.create_task(source.run(ENDLESS))
        await asyncio.sleep(0.5)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        with pytest.raises(QueryRefused, match="rows"):
            await source.run("SELECT a.seq FROM seq_1_to_1000000 a, seq_1_to_1000000 b", None, Budget(rows_max=10_000))
        running = "SELECT count(*) AS n FROM information_schema.processlist WHERE info LIKE '%seq_1_to_1000000 b'"
        assert (await source.run(running)).table["n"].to_pylist() == [0]
        await source.close()

    run(work())


def test_no_message_holds_the_password(server: str) -> None:
    async def work() -> None:
        for address, password in ((server, "s3cretx"), (server.replace("/shop", "/nosuch"), "pl%40nted%2Fs3cret")):
            with pytest.raises(SourceError) as caught:
                await opened(address, password)
            assert "s3cret" not in str(caught.value)

    run(work())


def test_what_the_login_may_do_is_told_and_a_reader_has_nothing_to_be_told(server: str) -> None:
    async def work(login: str) -> Access:
        source = await open_source(parse_addresses(f"mysql://{login}@{server}", PERSON)[0], folder=Path("unused"))
        try:
            return await source.access()
        finally:
            await source.close()

    owner, reader = (run(work(login)) for login in ("me:pl%40nted%2Fs3cret", "reader:reader-s3cret"))
    assert (owner.locked, owner.stopped, reader.locked, reader.stopped) == (True, True, True, True)
    assert "READ ONLY" in owner.lock
    assert owner.rights == ("ALL PRIVILEGES",)
    assert "tandem_reader" in owner.advice
    assert (reader.rights, reader.advice) == ((), "")
    assert "s3cret" not in f"{owner}{reader}"


@pytest.mark.parametrize("database", ["mysql", "MySQL", "sys", "performance_schema"])
def test_a_database_of_the_servers_own_is_no_source(database: str, server: str) -> None:
    """Its tables could be named there without their schema, by which they are refused elsewhere."""
    with pytest.raises(SourceError, match="belongs to the server itself"):
        run(opened(server.replace("/shop", f"/{database}")))


def test_the_login_that_is_advised_may_read_and_do_nothing_else() -> None:
    """`doctor` prints this SQL; it is run here as printed, on a server of its own."""
    advised = [part.strip() for part in mysql_reader(["sh_p"]).split(";") if part.strip()]
    made = ("CREATE DATABASE sh_p", "CREATE DATABASE shop", *advised)
    filled = (
        "CREATE TABLE sh_p.region (id int)",
        "INSERT INTO sh_p.region VALUES (7)",
        "CREATE TABLE shop.region (id int)",
    )
    try:
        with served((*made, *filled)) as address:
            host, port = address.split(":")
            with closing(
                pymysql.connect(host=host, port=int(port), user="tandem_reader", password="...", autocommit=True)
            ) as connection:
                cursor = connection.cursor()
                cursor.execute("SELECT id FROM sh_p.region")
                assert cursor.fetchall() == ((7,),)
                for sql in (
                    "INSERT INTO sh_p.region VALUES (8)",
                    "DROP TABLE sh_p.region",
                    "SELECT id FROM shop.region",  # the _ of the granted name stands for no other letter
                    "SELECT user FROM mysql.user",
                ):
                    with pytest.raises(pymysql.Error, match="denied"):
                        cursor.execute(sql)
    except NoMariaDB as problem:
        pytest.skip(str(problem))


def test_a_masked_column_stays_behind_on_the_server(server: str) -> None:
    async def work() -> None:
        url = f"mysql://me:pl%40nted%2Fs3cret@{server}"
        source = await open_source(parse_addresses(url, PERSON)[0], folder=Path("unused"), mask=("region.name",))
        try:
            for sql in (
                "SELECT * FROM region",
                "SELECT `R`.`NAME` AS harmless FROM shop.region AS R",
                "WITH x AS (SELECT name AS n FROM region) SELECT n FROM x",
                "SELECT s.id, r.name FROM sale s JOIN region r ON r.id = s.region_id",
            ):
                found = str((await source.run(sql)).table.to_pylist())
                assert "•••" in found, sql
                assert "North" not in found
                assert "South" not in found
            for sql in (
                "SELECT concat(name, '') AS n FROM region",
                "SELECT id FROM region WHERE name REGEXP '^N'",
                "SELECT id FROM region WHERE name <=> 'North'",
                "SELECT id FROM region ORDER BY `name`",
                "SELECT group_concat(name) AS n FROM region",
                "SELECT name + 0 AS n FROM region",
                "SELECT histogram FROM mysql.column_stats",
                "SELECT id FROM region WHERE MATCH(name) AGAINST ('North')",
                "SELECT json_arrayagg(name) AS n FROM region",
            ):
                with pytest.raises(QueryRefused, match="mask"):
                    await source.run(sql)
                with pytest.raises(QueryRefused, match="mask"):
                    await source.explain(sql)
            counted = await source.run("SELECT count(name) AS n FROM region WHERE name IS NOT NULL")
            assert counted.table.to_pylist() == [{"n": 2}]
            told = str(await source.catalog())
            assert "North" not in told
            assert "South" not in told
        finally:
            await source.close()

    run(work())


def test_what_a_query_costs_is_read_off_the_servers_own_plan(server: str) -> None:
    async def work() -> None:
        source = await opened(server)

        async def cost(sql: str) -> Estimate:
            found = estimate(await source.explain(sql), dialect=source.dialect, rows={})
            assert found is not None
            return found

        count = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n{}) SELECT count(*) FROM n"
        try:
            honest = await cost("SELECT region_id, sum(v) FROM sale GROUP BY region_id")
            assert not honest.expensive
            assert 50 <= honest.rows <= 200
            assert not (await cost("SELECT count(*) FROM sale a JOIN sale b ON a.id = b.id")).expensive
            assert (await cost("SELECT count(*) FROM sale a, sale b, sale c, sale d, sale e")).expensive
            assert (await cost(count.format(""))).expensive
            assert (await cost(count.format(" WHERE i < 900000000"))).expensive
            assert not (await cost(count.format(" WHERE i < 1000"))).expensive
        finally:
            await source.close()

    run(work())


def test_an_expensive_query_is_a_warning_before_it_runs_and_an_honest_one_is_not(server: str, tmp_path: Path) -> None:
    async def work() -> None:
        sources = SessionSources(
            tmp_path / "session",
            catalogs=Catalogs(),
            loaded=tmp_path / "loaded",
            mask=("region.name",),
            credentials=Credentials(tmp_path),
            rights=person,
        )
        try:
            await sources.add(f"mysql://me:pl%40nted%2Fs3cret@{server}", PERSON)
            for sql, levels in (
                ("SELECT region_id, sum(v) AS v FROM sale GROUP BY region_id", {"ok", "note"}),
                ("SELECT count(*) FROM sale a, sale b, sale c, sale d, sale e", {"ok", "note", "warning"}),
                ("SELECT id FROM region WHERE name = 'North'", {"danger"}),
                ("DELETE FROM sale", {"danger"}),
            ):
                found = await check_cell(render_cell("x", sql), "sql", sources)
                assert {finding.level for finding in found} - {"ok"} == levels - {"ok"}, (sql, found)
        finally:
            await sources.close()

    run(work())
