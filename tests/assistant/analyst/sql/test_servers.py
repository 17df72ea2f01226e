"""PostgreSQL, MariaDB, ClickHouse, run for real: every query of the algebra gives there what it means, as on SQLite and DuckDB."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from contextlib import closing

import clickhouse_connect
import clickhouse_server
import mariadb_server
import postgres
import psycopg
import pymysql
import pytest
from clickhouse_connect.driver.exceptions import ClickHouseError
from little_shop import DATABASE, TABLES, catalog, type_of
from rows_evaluator import Evaluator
from shop_queries import every_query

from assistant.analyst.schema import Schema
from assistant.analyst.sql.dialects import dialect_of
from assistant.analyst.sql.queries import to_sql
from assistant.evaluation.comparison import are_equal
from assistant.sources.engines.server_engines.clickhouse import SQL_STANDARD

pytestmark = [pytest.mark.server, pytest.mark.timeout(600)]

Run = Callable[[str], Sequence[Sequence[object]]]
_TYPES = {"TEXT": "VARCHAR(40)", "DOUBLE": "DOUBLE PRECISION"}
_CLICKHOUSE = {"TEXT": "String", "DOUBLE": "Float64", "DATE": "Date", "INTEGER": "Int64", "BIGINT": "Int64"}


def _statements(dialect: str) -> Iterator[str]:
    """The shop as SQL of an engine."""
    name = dialect_of(dialect).name
    for table, rows in TABLES.items():
        types = {column: _type(type_of(table, column), dialect) for column in rows[0]}
        columns = ", ".join(f"{name(column)} {type_}" for column, type_ in types.items())
        yield f"CREATE TABLE {name(table)} ({columns}){' ENGINE = Memory' if dialect == 'clickhouse' else ''}"
        yield from (f"INSERT INTO {name(table)} VALUES ({', '.join(map(_literal, row.values()))})" for row in rows)


def _type(type_: str, dialect: str) -> str:
    return f"Nullable({_CLICKHOUSE[type_]})" if dialect == "clickhouse" else _TYPES.get(type_, type_)


def _literal(value: object) -> str:
    return "NULL" if value is None else repr(value)


@pytest.fixture(scope="module")
def in_postgres() -> Iterator[Run]:
    try:
        with postgres.served() as address:
            place, _, database = address.partition("/")
            host, _, port = place.partition(":")
            with psycopg.connect(
                host=host, port=port, dbname=database, user="owner", password=postgres.PASSWORD, autocommit=True
            ) as connection:
                for statement in _statements("postgres"):
                    connection.execute(statement)
                yield lambda sql: connection.execute(sql).fetchall()
    except postgres.NoPostgres as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="module")
def in_mariadb() -> Iterator[Run]:
    rights = ("CREATE USER me@'%' IDENTIFIED BY 'me'", "GRANT ALL ON *.* TO me@'%'", "CREATE DATABASE shop", "USE shop")
    try:
        with mariadb_server.served((*rights, *_statements("mysql"))) as address:
            host, _, port = address.partition(":")
            with closing(
                pymysql.connect(host=host, port=int(port), user="me", password="me", database="shop")
            ) as connection:

                def run(sql: str) -> Sequence[Sequence[object]]:
                    with connection.cursor() as cursor:
                        cursor.execute(sql)
                        return cursor.fetchall()

                yield run
    except mariadb_server.NoMariaDB as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="module")
def in_clickhouse() -> Iterator[Run]:
    try:
        with clickhouse_server.served(list(_statements("clickhouse"))) as address:
            host, _, port = address.partition(":")
            client = clickhouse_connect.get_client(host=host, port=int(port), autogenerate_session_id=False)
            yield lambda sql: client.query(sql, settings=SQL_STANDARD).result_rows
    except clickhouse_server.NoClickHouse as problem:
        pytest.skip(str(problem))


def _differing(run: Run, dialect: str) -> list[str]:
    """Where an engine gives something else than the query means, or an error."""
    schema, meaning = Schema.of(catalog(dialect)), Evaluator(DATABASE)
    found: list[str] = []
    for query, ordered in every_query():
        sql, gold = to_sql(query, schema), meaning.run(query)
        try:
            rows = run(sql)
        except (psycopg.Error, pymysql.Error, ClickHouseError) as error:
            found.append(f"{error}\n{sql}")
            continue
        if not are_equal(rows, gold, ordered=ordered):
            found.append(f"{query}\n{sql}\n{rows}\nexpected {gold}")
    return found


def test_postgres_gives_what_every_query_means(in_postgres: Run) -> None:
    assert _differing(in_postgres, "postgres") == []


def test_mariadb_gives_what_every_query_means(in_mariadb: Run) -> None:
    assert _differing(in_mariadb, "mysql") == []


def test_clickhouse_gives_what_every_query_means(in_clickhouse: Run) -> None:
    assert _differing(in_clickhouse, "clickhouse") == []
