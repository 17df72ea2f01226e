"""The same questions on SQLite, DuckDB, PostgreSQL and MariaDB give the same results: each through its real engine."""

from __future__ import annotations

import asyncio
import sqlite3
from collections.abc import Iterator
from contextlib import closing
from datetime import date, datetime
from decimal import Decimal
from pathlib import Path

import duckdb
import psycopg
import pymysql
import pytest
from mariadb_server import NoMariaDB
from mariadb_server import served as mariadb_served
from postgres import PASSWORD, QUOTED, NoPostgres
from postgres import served as postgres_served

from assistant.data import guard
from assistant.data.addresses import addresses
from assistant.data.opening import open_source
from assistant.data.values import Budget
from assistant.embedded.analyst import Analyst
from assistant.embedded.outcomes import Understood
from assistant.evaluation.asking import rows_of

TODAY = date(2026, 11, 21)
QUESTIONS = (
    "What is the average number of orders per customer by country?",
    "percentage of orders that were cancelled by year",
    "What share of revenue is from Germany?",
    "What percentage of customers have more than 8 orders?",
    "the longest time from order date to shipped date by status",
    "How many orders are there on each weekday?",
    "number of orders by month of the year",
    "On which weekday do we get the most orders?",
    "Which month had the most orders?",
    "What is the best selling product in each category?",
    "Which product is the most expensive in each category?",
    "top 2 products per category by quantity",
    "Which store has the most orders in each year?",
    "which countries have an average age above the overall average age",
    "number of customers and number of orders by country",
    "total freight and number of customers by region",
    "number of orders and total quantity by month in 2025",
    "What is the average number of orders per month in 2025?",
    "Which customers ordered in 2024 but not in 2025?",
    "How many customers and orders are there?",
    "When did each customer last order?",
    "number of orders by quarter in 2025",
    "top 3 customers by number of orders / the next 3",
    "top 3 customers by number of orders / the next 3 / which of them are active?",
    "top 2 products per category by quantity / the next 2",
    "the 3 most expensive products / the next 3",
)
"""Each a question, or several in turn of which the last one's answer counts."""
_BUDGET = Budget(rows_max=10_000, limit_bytes=64 * 1024**2, timeout_s=60.0)


def _tables(shop_file: Path) -> dict[str, list[tuple[object, ...]]]:
    with closing(sqlite3.connect(shop_file)) as con:
        names = [name for (name,) in con.execute("SELECT name FROM sqlite_master WHERE type = 'table'")]
        return {name: con.execute(f"SELECT * FROM {name}").fetchall() for name in names}


def _filled(connection, shop_file: Path, schema: str, mark: str) -> None:
    """Make the shop by a connection's own SQL; flags become truth values."""
    cursor = connection.cursor()
    for statement in schema.split(";\n"):
        if statement.strip():
            cursor.execute(statement)
    for name, rows in _tables(shop_file).items():
        held = [tuple(bool(v) if name == "customers" and n == 7 else v for n, v in enumerate(row)) for row in rows]
        cursor.executemany(f"INSERT INTO {name} VALUES ({', '.join([mark] * len(rows[0]))})", held)


@pytest.fixture(scope="module")
def duckdb_shop(shop_file, shop_schema, tmp_path_factory) -> str:
    path = tmp_path_factory.mktemp("duck") / "shop.duckdb"
    with closing(duckdb.connect(str(path))) as con:
        _filled(con, shop_file, shop_schema.replace(" REAL", " DOUBLE"), "?")
    return str(path)


@pytest.fixture(scope="module")
def postgres_shop(shop_file, shop_schema) -> Iterator[str]:
    try:
        with postgres_served() as at:
            host, _, database = at.partition("/")
            name, port = host.split(":")
            with psycopg.connect(
                host=name, port=int(port), user="owner", password=PASSWORD, dbname=database, autocommit=True
            ) as con:
                _filled(con, shop_file, shop_schema.replace(" REAL", " DOUBLE PRECISION"), "%s")
                con.execute("ANALYZE")
            yield f"postgresql://owner:{QUOTED}@{at}"
    except NoPostgres as problem:
        pytest.skip(str(problem))


@pytest.fixture(scope="module")
def mariadb_shop(shop_file, shop_schema) -> Iterator[str]:
    rights = (
        "CREATE DATABASE shop",
        "CREATE USER me@'%' IDENTIFIED BY 'me-s3cret'",
        "GRANT ALL ON shop.* TO me@'%'",
    )
    try:
        with mariadb_served(rights) as at:
            host, port = at.split(":")
            with closing(
                pymysql.connect(
                    host=host, port=int(port), user="me", password="me-s3cret", database="shop", autocommit=True
                )
            ) as con:
                _filled(con, shop_file, shop_schema.replace(" TEXT", " VARCHAR(80)").replace(" REAL", " DOUBLE"), "%s")
            yield f"mysql://me:me-s3cret@{at}/shop"
    except NoMariaDB as problem:
        pytest.skip(str(problem))


def _plain(value: object) -> object:
    if isinstance(value, datetime | date):
        return value.isoformat()[:10]
    if isinstance(value, Decimal | float | int) and not isinstance(value, bool):
        return round(float(value), 4)  # MariaDB divides whole numbers to four digits
    return value


async def _answers(address: str, folder: Path) -> dict[str, list[str]]:
    """Each question's rows, in an order of their own."""
    source = await open_source(addresses(address)[0], folder=folder)
    try:
        analyst = Analyst([await source.catalog()], (), TODAY)
        found: dict[str, list[str]] = {}
        for question in QUESTIONS:
            meaning = None
            for turn in question.split(" / "):
                outcome = analyst.read(turn, meaning)
                assert isinstance(outcome, Understood), f"{turn}: {outcome}"
                meaning = outcome.meaning
            assert meaning is not None
            sql = analyst.sql(meaning)
            assert guard.check(sql, dialect=source.dialect) is None, sql
            rows = rows_of((await source.run(sql, None, _BUDGET)).table)
            found[question] = sorted(repr([_plain(value) for value in row]) for row in rows)
        return found
    finally:
        await source.close()


@pytest.fixture(scope="module")
def expected(shop_file, tmp_path_factory) -> dict[str, list[str]]:
    return asyncio.run(_answers(str(shop_file), tmp_path_factory.mktemp("sqlite")))


def test_duckdb_gives_what_sqlite_gives(duckdb_shop, expected, tmp_path):
    assert asyncio.run(_answers(duckdb_shop, tmp_path)) == expected


@pytest.mark.server
def test_postgresql_gives_what_sqlite_gives(postgres_shop, expected, tmp_path):
    assert asyncio.run(_answers(postgres_shop, tmp_path)) == expected


@pytest.mark.server
def test_mariadb_gives_what_sqlite_gives(mariadb_shop, expected, tmp_path):
    assert asyncio.run(_answers(mariadb_shop, tmp_path)) == expected
