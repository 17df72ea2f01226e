"""A query may hang, crash or be killed: the server, the source and the other queries on it go on."""

from __future__ import annotations

import asyncio
import os
import shutil
import signal
import sqlite3
from collections.abc import Coroutine
from contextlib import closing
from pathlib import Path
from typing import Any, TypeVar

import duckdb
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.values import Budget
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source
from assistant.sources.sources import Source
from assistant.sources.workers.processes import forkserver

T = TypeVar("T")

DEAF = {
    # Each is one call that the engine's own interrupt does not reach for 20 to 40 s.
    "duckdb": "SELECT length(repeat('x', 2000000000)) AS n",
    "sqlite": "SELECT length(printf('%.*c', 2000000000, 'x')) AS n",
}
SLOW = {
    "duckdb": "SELECT sum(a.range % 7) AS n FROM range(30000) a, range(10000) b",
    "sqlite": "WITH RECURSIVE c(x) AS (SELECT 1 UNION ALL SELECT x + 1 FROM c WHERE x < 3000000) SELECT sum(x) FROM c",
}


def run(work: Coroutine[Any, Any, T]) -> T:
    return asyncio.run(work)


async def opened(kind: str, folder: Path) -> Source:
    path = folder / f"shop.{kind}"
    if not path.exists():
        if kind == "sqlite":
            with closing(sqlite3.connect(path)) as con, con:
                con.execute("CREATE TABLE t AS SELECT 1 AS a")
        else:
            with duckdb.connect(str(path)) as con:
                con.execute("CREATE TABLE t AS SELECT 1 AS a")
    return await open_source(parse_addresses(str(path), PERSON)[0], folder=folder / "made")


def workers() -> set[int]:
    """The processes that were forked for sources, while they run."""
    process = forkserver()._process  # pyright: ignore[reportPrivateUsage]
    if process is None:
        return set()
    return {int(pid) for pid in Path(f"/proc/{process.pid}/task/{process.pid}/children").read_text().split()}


def cpu_s(pid: int) -> float:
    fields = Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2].split()
    return (int(fields[11]) + int(fields[12])) / os.sysconf("SC_CLK_TCK")


async def at_work(pids: set[int]) -> None:
    """Wait until one of these has worked for a while, as it does over a query that takes long."""
    before = {pid: cpu_s(pid) for pid in pids}
    async with asyncio.timeout(120):
        while all(cpu_s(pid) - before[pid] < 0.2 for pid in pids):
            await asyncio.sleep(0.02)


async def ended(pids: set[int]) -> None:
    """Wait until none of these runs."""
    async with asyncio.timeout(120):
        while workers() & pids:
            await asyncio.sleep(0.05)


@pytest.mark.slow
@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_call_that_hears_no_interrupt_is_killed_and_takes_no_other_query_with_it(kind: str, tmp_path: Path) -> None:
    async def work() -> None:
        running = workers()
        source = await opened(kind, tmp_path)
        first = workers() - running
        assert len(first) == 1
        deaf = asyncio.create_task(source.run(DEAF[kind], None, Budget(timeout_s=1)))
        await asyncio.sleep(0)  # it has taken the only worker
        others = asyncio.gather(*(source.run(SLOW[kind], None, Budget(timeout_s=170)) for _ in range(2)))
        with pytest.raises(QueryRefused, match="longer than 1 s"):
            await deaf
        await ended(first)
        assert [result.rows for result in await others] == [1, 1]
        assert (await source.run("SELECT * FROM t")).rows == 1
        await source.close()

    run(work())


@pytest.mark.parametrize("kind", ["sqlite", "duckdb"])
def test_a_cancelled_call_that_hears_no_interrupt_leaves_no_process(kind: str, tmp_path: Path) -> None:
    async def work() -> None:
        running = workers()
        source = await opened(kind, tmp_path)
        before = workers() - running
        task = asyncio.create_task(source.run(DEAF[kind]))
        await at_work(before)
        task.cancel()
        with pytest.raises(asyncio.CancelledError):
            await task
        await ended(before)
        await source.close()

    run(work())


def test_a_worker_that_ends_over_a_query_is_told_and_the_next_query_has_another(tmp_path: Path) -> None:
    async def work() -> None:
        running = workers()
        source = await opened("duckdb", tmp_path)
        before = workers() - running
        task = asyncio.create_task(source.run(DEAF["duckdb"]))
        await at_work(before)
        for pid in before:
            os.kill(pid, signal.SIGKILL)
        with pytest.raises(QueryRefused, match="ended while it ran the query"):
            await task
        assert (await source.run("SELECT * FROM t")).rows == 1
        await source.close()

    run(work())


def test_a_worker_that_ended_while_it_was_free_is_not_noticed(tmp_path: Path) -> None:
    async def work() -> None:
        source = await opened("sqlite", tmp_path)
        for pid in workers():
            os.kill(pid, signal.SIGKILL)
        assert (await source.run("SELECT * FROM t")).rows == 1
        forkserver().close()  # and all of them with the process they are forked from
        assert (await source.run("SELECT * FROM t")).rows == 1
        await source.close()

    run(work())


def test_a_source_opens_after_the_system_has_cleared_temporary_files(tmp_path: Path) -> None:
    async def work() -> None:
        before = await opened("sqlite", tmp_path)
        shutil.rmtree(forkserver()._folder or "")  # pyright: ignore[reportPrivateUsage]
        source = await opened("duckdb", tmp_path)
        for one in (before, source):
            assert (await one.run("SELECT * FROM t")).rows >= 1
            await one.close()

    run(work())


def test_a_query_takes_no_memory_of_the_server(tmp_path: Path) -> None:
    async def work() -> None:
        source = await opened("duckdb", tmp_path)
        before = resident_bytes()
        for sql in (
            "SELECT string_agg(repeat('x', 1000000), '') AS s FROM range(4000)",
            "SELECT list(range) AS s FROM range(2000000000)",
            "SELECT repeat('x', 1000) FROM range(100000000)",
        ):
            with pytest.raises((QueryRefused, QueryFailed)):
                await source.run(sql, None, Budget(timeout_s=3, limit_bytes=50 * 2**20))
        assert resident_bytes() - before < 100 * 2**20
        await source.close()

    run(work())


def test_a_source_that_was_closed_has_no_process_left(tmp_path: Path) -> None:
    async def work() -> None:
        running = workers()
        source = await opened("sqlite", tmp_path)
        await asyncio.gather(*(source.run("SELECT * FROM t") for _ in range(4)))
        mine = workers() - running
        await source.close()
        await ended(mine)

    run(work())


def test_a_log_that_another_program_begins_is_read_by_a_worker_that_may(tmp_path: Path) -> None:
    async def work() -> None:
        source = await opened("sqlite", tmp_path)
        assert (await source.run("SELECT * FROM t")).rows == 1
        with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as con:
            con.execute("PRAGMA journal_mode=WAL")
            con.execute("INSERT INTO t VALUES (2)")
            con.commit()
            assert (await source.run("SELECT * FROM t")).rows == 2
        await source.close()

    run(work())


def test_a_file_that_has_gone_says_so(tmp_path: Path) -> None:
    async def work() -> None:
        source = await opened("sqlite", tmp_path)
        (tmp_path / "shop.sqlite").unlink()
        with pytest.raises(SourceError, match="cannot be read") as caught:
            await source.run("SELECT * FROM t")
        assert str(tmp_path) not in str(caught.value)
        await source.close()

    run(work())


def resident_bytes() -> int:
    return int(Path("/proc/self/statm").read_text().split()[1]) * os.sysconf("SC_PAGE_SIZE")


def test_sqlite_sorts_what_has_no_room_in_memory_in_the_workers_own_folder(tmp_path: Path) -> None:
    path = tmp_path / "a.sqlite"
    with closing(sqlite3.connect(path)) as con, con:
        con.execute("CREATE TABLE a (n INTEGER)")
    sql = (
        "WITH RECURSIVE c(n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM c WHERE n < 200000)"
        " SELECT count(*) AS n FROM (SELECT hex(randomblob(50)) AS h FROM c ORDER BY h)"
    )

    async def scenario() -> list[dict[str, object]]:
        source = await open_source(parse_addresses(str(path), PERSON)[0], folder=tmp_path)
        try:
            return (await source.run(sql)).table.to_pylist()
        finally:
            await source.close()

    assert asyncio.run(scenario()) == [{"n": 200_000}]


def test_duckdb_is_loaded_for_the_first_source_that_needs_it(tmp_path: Path) -> None:
    def loaded() -> bool:
        process = forkserver()._process  # pyright: ignore[reportPrivateUsage]
        assert process is not None
        return "_duckdb" in Path(f"/proc/{process.pid}/maps").read_text()

    async def work() -> list[bool]:
        forkserver().close()
        found: list[bool] = []
        for kind in ("sqlite", "duckdb"):
            source = await opened(kind, tmp_path)
            assert (await source.run("SELECT * FROM t")).rows == 1
            found.append(loaded())
            await source.close()
        return found

    assert run(work()) == [False, True]
