"""How long it takes to read the catalog of a source with many tables.

    python benchmarks/catalog.py [--tables 1000] [--rows 200]

Makes the tables (12 columns each, one foreign key) in a SQLite file, and in a PostgreSQL server that it starts for this
and stops again, and prints the seconds of one reading of each, beside what was read.
"""

from __future__ import annotations

import argparse
import asyncio
import sqlite3
import sys
import tempfile
import time
from collections.abc import Iterator, Sequence
from contextlib import closing
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[1] / "tests" / "support"))

from postgres import QUOTED, NoPostgres, served

from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.trust.rights import Rights


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print one line per engine."""
    parser = argparse.ArgumentParser(description=__doc__.partition("\n")[0])
    parser.add_argument("--tables", type=int, default=1000)
    parser.add_argument("--rows", type=int, default=200, help="rows of each table")
    options = parser.parse_args(argv)

    print(f"{'engine':12}{'seconds':>9}{'tables':>8}{'counted':>9}{'profiled columns':>18}{'keys':>6}")
    with tempfile.TemporaryDirectory() as folder:
        path = Path(folder) / "many.sqlite"
        with closing(sqlite3.connect(path)) as con, con:
            for statement in _statements(options.tables, options.rows, "sqlite"):
                con.execute(statement)
        _measure("SQLite", str(path), Path(folder))
        try:
            with served() as at:
                _fill(at, options.tables, options.rows)
                _measure("PostgreSQL", f"postgresql://owner:{QUOTED}@{at}", Path(folder))
        except NoPostgres as missing:
            print(f"PostgreSQL: {missing}")
    return 0


def _fill(at: str, tables: int, rows: int) -> None:
    import psycopg

    with psycopg.connect(f"postgresql://owner:{QUOTED}@{at}") as con:
        for statement in _statements(tables, rows, "postgres"):
            con.execute(statement.encode())
            if statement.startswith("INSERT"):
                con.commit()
    with psycopg.connect(f"postgresql://owner:{QUOTED}@{at}", autocommit=True) as con:
        con.execute("ANALYZE")  # as every server does by itself before long


def _statements(tables: int, rows: int, dialect: str) -> Iterator[str]:
    numbers = (
        f"generate_series(1, {rows}) AS g(i)"
        if dialect == "postgres"
        else f"(WITH RECURSIVE g(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM g WHERE i < {rows}) SELECT i FROM g)"
    )
    for number in range(tables):
        extra = ", ".join(f"amount_{place} numeric(12, 2)" for place in range(5))
        refers = f" REFERENCES entity_{number - 1} (id)" if number else ""
        yield (
            f"CREATE TABLE entity_{number} (id integer PRIMARY KEY, parent_id integer{refers}, name text NOT NULL,"
            f" status text, day date, at timestamp, {extra}, note text)"
        )
        amounts = ", ".join("i * 1.5" for _ in range(5))
        yield (
            f"INSERT INTO entity_{number} SELECT i, i, 'name ' || i, 'state ' || (i % 4), '2025-01-31',"
            f" '2025-01-31 10:00:00', {amounts}, NULL FROM {numbers}"
        )


def _measure(engine: str, given: str, folder: Path) -> None:
    async def read() -> None:
        source = await open_source(parse_addresses(given, Rights(requester="person", private=()))[0], folder=folder)
        try:
            started = time.perf_counter()
            catalog = await source.catalog()
            seconds = time.perf_counter() - started
        finally:
            await source.close()
        counted = sum(table.rows is not None for table in catalog.tables)
        profiled = sum(column.profile is not None for table in catalog.tables for column in table.columns)
        keys = sum(len(table.foreign_keys) for table in catalog.tables)
        print(f"{engine:12}{seconds:>9.2f}{len(catalog.tables):>8}{counted:>9}{profiled:>18}{keys:>6}")

    asyncio.run(read())


if __name__ == "__main__":
    sys.exit(main())
