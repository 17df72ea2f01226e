"""Every engine that can be run here, with some statements run on it: each gives the address to open."""

from __future__ import annotations

import sqlite3
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from pathlib import Path

import clickhouse_server
import duckdb
import mariadb_server
import postgres
import psycopg


@contextmanager
def sqlite_with(folder: Path, statements: Sequence[str]) -> Generator[str]:
    """A file."""
    with closing(sqlite3.connect(folder / "shop.sqlite")) as con:
        con.executescript(";\n".join(statements))
    yield str(folder / "shop.sqlite")


@contextmanager
def duckdb_with(folder: Path, statements: Sequence[str]) -> Generator[str]:
    """A file."""
    with closing(duckdb.connect(folder / "shop.duckdb")) as con:
        for statement in statements:
            con.execute(statement)
    yield str(folder / "shop.duckdb")


@contextmanager
def postgres_with(folder: Path, statements: Sequence[str]) -> Generator[str]:
    """A server whose login owns everything."""
    with postgres.served() as at:
        url = f"postgresql://owner:{postgres.QUOTED}@{at}"
        with psycopg.connect(url, autocommit=True) as con:
            for statement in statements:
                con.execute(statement.encode())
        yield url


@contextmanager
def mariadb_with(folder: Path, statements: Sequence[str]) -> Generator[str]:
    """A server with the database `shop`."""
    login = ("CREATE DATABASE shop", "USE shop", "CREATE USER me@'%' IDENTIFIED BY 'me'", "GRANT ALL ON *.* TO me@'%'")
    with mariadb_server.served((*login, *statements)) as at:
        yield f"mysql://me:me@{at}/shop"


@contextmanager
def clickhouse_with(folder: Path, statements: Sequence[str]) -> Generator[str]:
    """The embedded engine behind its HTTP interface."""
    with clickhouse_server.served(statements) as at:
        yield f"clickhousedb://default:unused@{at}/default"
