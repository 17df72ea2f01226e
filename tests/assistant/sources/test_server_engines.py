"""What the warehouses are told before a query, on connections that write it down; no server of them can be had."""

from __future__ import annotations

from typing import Any

import pytest
import sqlalchemy as sa

from assistant.query.guard import check
from assistant.sources.engines.server_engines import ENGINES, engine_for


class Written:
    """A driver's connection that keeps what it is told."""

    def __init__(self) -> None:
        self.told: list[str] = []

    def cursor(self, **over: Any) -> Written:
        return self

    def execute(self, sql: str) -> None:
        self.told.append(sql)

    def fetchall(self) -> list[Any]:
        return []

    def __enter__(self) -> Written:
        return self

    def __exit__(self, *raised: object) -> None:
        pass


@pytest.mark.parametrize(
    ("engine", "told"),
    [
        ("redshift", ["SET statement_timeout TO 1500"]),
        ("databricks", ["SET STATEMENT_TIMEOUT = 2"]),
        ("trino", ["SET SESSION query_max_run_time = '2s'"]),
        (
            "snowflake",
            ["ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = 2", "ALTER SESSION SET MULTI_STATEMENT_COUNT = 1"],
        ),
    ],
)
def test_a_session_is_told_its_time_limit(engine: str, told: list[str]) -> None:
    connection = Written()
    engine_for(engine).begin(connection, 1.5)
    assert connection.told == told


@pytest.mark.parametrize(("engine", "limit"), [("tsql", "timeout"), ("oracle", "call_timeout")])
def test_a_driver_is_told_its_time_limit(engine: str, limit: str) -> None:
    connection = Written()
    engine_for(engine).begin(connection, 1.5)
    assert getattr(connection, limit) in (2, 1500)
    assert connection.told


@pytest.mark.parametrize(
    ("engine", "url", "schema"),
    [
        ("snowflake", "snowflake://me@account/db/sales", "sales"),
        ("snowflake", "snowflake://me@account/db", None),
        ("trino", "trino://me@host/hive/sales", "sales"),
        ("bigquery", "bigquery://project/sales", "sales"),
        ("databricks", "databricks://token:x@host?schema=sales", "sales"),
        ("postgres", "postgresql://me@host/db", None),
    ],
)
def test_an_address_may_name_the_only_schema(engine: str, url: str, schema: str | None) -> None:
    assert engine_for(engine).schema_of(sa.make_url(url)) == schema


def test_an_engine_without_a_lock_that_was_tried_says_so() -> None:
    assert {name for name, engine in ENGINES.items() if engine.locked} == {"postgres", "mysql", "clickhouse"}
    assert not engine_for("db2").locked
    assert "may only read" in engine_for("db2").unlocked


@pytest.mark.parametrize(
    ("dialect", "sql"),
    [
        ("clickhouse", "SELECT * FROM url('http://x/', 'CSV')"),
        ("clickhouse", "SELECT file('/etc/passwd')"),
        ("clickhouse", "SELECT * FROM remote('host', system, users)"),
        ("clickhouse", "SELECT name FROM system.users"),
        ("clickhouse", "SELECT a FROM t SETTINGS readonly = 0"),
        ("clickhouse", "SELECT dictGet('d', 'a', 1)"),
        ("snowflake", "SELECT * FROM @stage/secrets.csv"),
        ("snowflake", "SELECT * FROM snowflake.account_usage.users"),
        ("snowflake", "SELECT SYSTEM$CANCEL_QUERY('x')"),
        ("bigquery", "SELECT * FROM EXTERNAL_QUERY('connection', 'SELECT 1')"),
        ("databricks", "SELECT ai_query('model', name) FROM customers"),
        ("databricks", "SELECT * FROM read_files('s3://bucket/x')"),
        ("oracle", "SELECT utl_http.request('http://x') FROM dual"),
        ("tsql", "SELECT * FROM OPENROWSET('a', 'b', 'c')"),
    ],
)
def test_the_guard_knows_what_reaches_out_of_a_warehouse(dialect: str, sql: str) -> None:
    assert check(sql, dialect=dialect) is not None
