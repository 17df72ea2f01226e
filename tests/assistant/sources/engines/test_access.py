"""The locks are tried on real engines, and what they say is what is told."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import duckdb
import pyarrow as pa
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import QueryFailed, QueryRefused
from assistant.core.values import Budget, Result
from assistant.sources.addresses import parse_addresses
from assistant.sources.engines.access import Access, risky_grants, tried
from assistant.sources.engines.server_engines.mysql import time_limit
from assistant.sources.opening import open_source


@pytest.mark.parametrize("kind", ["sqlite", "duckdb", "csv"])
def test_a_file_is_locked_and_an_endless_query_on_it_is_stopped(kind: str, tmp_path: Path) -> None:
    path = tmp_path / f"shop.{kind}"
    if kind == "sqlite":
        with closing(sqlite3.connect(path)) as con, con:
            con.execute('CREATE TABLE "odd ""name" (a)')
    elif kind == "duckdb":
        with duckdb.connect(str(path)) as con:
            con.execute('CREATE TABLE "odd ""name" (a INTEGER)')
    else:
        path.write_text("a,b\n1,2\n")

    async def work() -> Access:
        source = await open_source(
            parse_addresses(str(path), PERSON)[0], folder=tmp_path / "loaded", mask=("other.thing.a",)
        )
        try:
            return await source.access()
        finally:
            await source.close()

    found = asyncio.run(work())
    assert (found.locked, found.stopped, found.rights, found.advice) == (True, True, (), "")
    assert "refused" in found.lock
    assert str(tmp_path) not in found.lock


def test_a_lock_that_does_not_hold_is_told() -> None:
    async def writes(_sql: str) -> None:
        return None

    async def fails(_sql: str, _params: None, _budget: Budget) -> Result:
        raise QueryFailed("there is no such function.")

    async def refused(_sql: str, _params: None, _budget: Budget) -> Result:
        raise QueryRefused("too long")

    async def early(_sql: str, _params: None, _budget: Budget) -> Result:
        return Result(table=pa.table({"sleep": [1]}), seconds=0.5)

    async def outcome(
        table: str | None, run: Callable[[str, None, Budget], Awaitable[Result]]
    ) -> tuple[bool | None, bool | None]:
        found = await tried(table=table, delete=writes, run=run, endless="SELECT 1")
        return found.locked, found.stopped

    assert asyncio.run(outcome("t", refused)) == (False, True)
    assert asyncio.run(outcome(None, early)) == (None, True)
    assert asyncio.run(outcome("t", fails)) == (False, None)


def test_grants_beyond_reading_are_named_and_a_hash_is_not() -> None:
    grants = [
        "GRANT SELECT, INSERT, DELETE (a, b) ON `shop`.* TO `me`@`%`",
        "GRANT FILE, PROCESS ON *.* TO `me`@`%` IDENTIFIED BY PASSWORD '*2470C0C06DEE42FD1618BB99005ADCA2EC9D1E19'",
        "GRANT USAGE ON *.* TO `me`@`%` WITH GRANT OPTION",
        "GRANT `reader` TO `me`@`%`",
    ]
    assert risky_grants(grants) == ("DELETE", "INSERT", "FILE", "PROCESS", "GRANT OPTION")
    assert risky_grants(["GRANT SELECT, SHOW VIEW ON `shop`.* TO `me`@`%`", "GRANT USAGE ON *.* TO `me`@`%`"]) == ()


@pytest.mark.parametrize(
    ("version", "statement"),
    [
        ("11.8.2-MariaDB-1 from Debian", "SET SESSION max_statement_time = 1.500"),
        ("10.11.6-MariaDB", "SET SESSION max_statement_time = 1.500"),
        ("8.0.36", "SET SESSION max_execution_time = 1500"),
        ("8.4.0-commercial", "SET SESSION max_execution_time = 1500"),
    ],
)
def test_each_kind_of_mysql_is_given_its_own_time_limit(version: str, statement: str) -> None:
    assert time_limit(version, 1.5) == statement


def test_a_tiny_time_limit_does_not_mean_none_at_all() -> None:
    assert time_limit("8.0.36", 0.0001).endswith("= 1")
