"""What a worker process costs a file engine: latency of queries beside the same in process, and the way to a new worker.

python benchmarks/engines.py
"""

from __future__ import annotations

import asyncio
import sqlite3
import statistics
import tempfile
import time
from collections.abc import Awaitable, Callable
from contextlib import closing
from pathlib import Path

import duckdb

from assistant.core.data_errors import QueryRefused
from assistant.core.values import Budget
from assistant.sources.addresses import parse_addresses
from assistant.sources.engines.duckdb import DuckdbSource
from assistant.sources.engines.sqlite import SqliteSource
from assistant.sources.opening import open_source
from assistant.sources.sources import Source
from assistant.sources.workers.client import EngineSource
from assistant.sources.workers.processes import forkserver
from assistant.trust.rights import Rights

ROUNDS = 15
QUERIES = {
    "SELECT 1": "SELECT 1 AS a",
    "aggregate of 1,000,000 rows": "SELECT k, sum(i) AS s FROM t GROUP BY k",
    "1,000,000 rows x 2 columns": "SELECT * FROM t",
}
DEAF = {"duckdb": "SELECT length(repeat('x', 2000000000))", "sqlite": "SELECT length(printf('%.*c', 2000000000, 'x'))"}


async def timed(work: Callable[[], Awaitable[object]], rounds: int = ROUNDS) -> str:
    """Fastest / median in milliseconds."""
    taken: list[float] = []
    for _ in range(rounds):
        started = time.perf_counter()
        await work()
        taken.append(1000 * (time.perf_counter() - started))
    return f"{min(taken):.1f} / {statistics.median(taken):.1f}"


def make(folder: Path) -> dict[str, Path]:
    found = {kind: folder / f"b.{kind}" for kind in ("sqlite", "duckdb")}
    with closing(sqlite3.connect(found["sqlite"])) as con, con:
        con.execute("CREATE TABLE t (i INTEGER, k INTEGER)")
        con.executemany("INSERT INTO t VALUES (?, ?)", ((i, i % 7) for i in range(1_000_000)))
    with duckdb.connect(str(found["duckdb"])) as con:
        con.execute("CREATE TABLE t AS SELECT i, i % 7 AS k FROM range(1000000) r(i)")
    return found


async def main() -> None:
    with tempfile.TemporaryDirectory() as name:
        folder = Path(name)
        files = make(folder)
        started = time.perf_counter()
        forkserver().start()
        first = await open_source(
            parse_addresses(str(files["sqlite"]), Rights(requester="person", private=()))[0], folder=folder
        )
        print(f"first source of a program, engines imported: {1000 * (time.perf_counter() - started):.0f} ms\n")
        await first.close()
        print("fastest / median, ms            | in process | worker")
        for kind, path in files.items():
            address = parse_addresses(str(path), Rights(requester="person", private=()))[0]
            within: Source = (
                await SqliteSource.open(address)
                if kind == "sqlite"
                else await DuckdbSource.open(address, spill=folder / "spill")
            )
            through = await open_source(address, folder=folder)
            assert isinstance(through, EngineSource)
            for label, sql in QUERIES.items():
                alone = await timed(lambda source=within, sql=sql: source.run(sql))
                beside = await timed(lambda source=through, sql=sql: source.run(sql))
                print(f"{kind}, {label:<30} | {alone} | {beside}")

            async def again(address=address) -> None:
                await (await open_source(address, folder=folder)).close()

            print(f"{kind}, a new worker with the source open | | {await timed(again)}")
            started = time.perf_counter()
            try:
                await through.run(DEAF[kind], None, Budget(timeout_s=2))
            except QueryRefused:
                print(f"{kind}, a deaf call on a budget of 2 s | | {time.perf_counter() - started:.2f} s")
            print(
                f"{kind}, the next query after the kill | | {await timed(lambda source=through: source.run('SELECT 1'), 1)}\n"
            )
            await through.close()
            await within.close()


if __name__ == "__main__":
    asyncio.run(main())
