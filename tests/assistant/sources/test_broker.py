"""The broker runs exactly what was approved, while it runs, and nothing else."""

from __future__ import annotations

import asyncio
import sqlite3
import stat
from collections.abc import AsyncIterator
from contextlib import asynccontextmanager, closing
from pathlib import Path

import pyarrow as pa
import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import QueryFailed, QueryRefused
from assistant.core.values import Budget
from assistant.query.cells import LiteralQuery, literal_queries, render_cell
from assistant.sources.addresses import parse_addresses
from assistant.sources.broker import Broker
from assistant.sources.opening import open_source
from assistant.sources.sources import Source

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT max(i) FROM n"


@pytest.fixture
def room(tmp_path: Path) -> Path:
    with closing(sqlite3.connect(tmp_path / "shop.sqlite")) as con:
        con.execute("CREATE TABLE t (a INTEGER, b TEXT)")
        con.executemany("INSERT INTO t VALUES (?, ?)", [(n, f"text {n % 3}") for n in range(100)])
        con.commit()
    (tmp_path / "extra.csv").write_text("a,b\n1,x\n")
    (tmp_path / "mount").mkdir()
    return tmp_path


@asynccontextmanager
async def broker_for(room: Path, budget: Budget | None = None) -> AsyncIterator[Broker]:
    sources: dict[str, Source] = {}
    for name in ("shop.sqlite", "extra.csv"):
        source = await open_source(parse_addresses(str(room / name), PERSON)[0], folder=room / "own")
        sources[source.name] = source
    yield Broker(sources, folder=room / "mount", budget=lambda: budget)
    for source in sources.values():
        await source.close()


def test_an_approved_query_arrives_as_a_file_and_is_recorded(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            cell = render_cell("x", "SELECT a, b FROM t WHERE a < :most ORDER BY a")
            queries = literal_queries(cell)
            assert isinstance(queries, tuple)
            await broker.open_grant("1.1.1", queries)
            reply = await broker.serve("1.1.1", {"sql": queries[0].sql, "source": None, "params": {"most": 5}})
            again = await broker.serve("1.1.1", {"sql": queries[0].sql, "source": "shop", "params": {"most": 5}})
            runs = await broker.close_grant("1.1.1")
            path = room / "mount" / reply.file
            with pa.memory_map(str(path)) as file:
                assert pa.ipc.open_file(file).read_all().to_pylist()[-1] == {"a": 4, "b": "text 1"}
            assert stat.S_IMODE(path.stat().st_mode) == 0o600  # the folder is shared with nobody
            assert reply.wire()["rows"] == 5
            assert again.file != reply.file
            assert [(run.source, run.rows, run.columns, run.parameters) for run in runs] == [
                ("shop", 5, ("a", "b"), '{"most": 5}')
            ] * 2
            assert runs[0].fingerprint == runs[1].fingerprint
            assert runs == broker.runs("1.1.1")
            assert sorted(one.name for one in (room / "mount").iterdir()) == sorted([reply.file, again.file])

    asyncio.run(work())


def test_only_the_letters_that_were_approved_are_run(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            await broker.open_grant(
                "1.1.1", [LiteralQuery(sql="SELECT a FROM t"), LiteralQuery(sql="SELECT b FROM extra", source="extra")]
            )
            for sql, source in (
                ("SELECT b FROM t", None),
                ("SELECT a FROM t ", None),
                ("select a from t", None),
                ("SELECT a FROM t", "extra"),
                ("SELECT b FROM extra", None),
                ("SELECT b FROM extra", "shop"),
            ):
                with pytest.raises(QueryRefused, match="not approved"):
                    await broker.serve("1.1.1", {"sql": sql, "source": source, "params": None})
            with pytest.raises(QueryRefused, match="no source named 'other'"):
                await broker.serve("1.1.1", {"sql": "SELECT a FROM t", "source": "other", "params": None})
            assert broker.runs("1.1.1") == ()

    asyncio.run(work())


def test_a_grant_ends_with_its_cell_and_is_nobody_elses(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            call = {"sql": "SELECT a FROM t", "source": None, "params": None}
            with pytest.raises(QueryRefused, match="is over"):
                await broker.serve("1.1.1", call)
            await broker.open_grant("1.1.1", [LiteralQuery(sql="SELECT a FROM t")])
            with pytest.raises(QueryRefused, match="is over"):
                await broker.serve("1.1.2", call)
            await broker.serve("1.1.1", call)
            await broker.close_grant("1.1.1")
            with pytest.raises(QueryRefused, match="is over"):
                await broker.serve("1.1.1", call)
            assert len(await broker.close_grant("1.1.1")) == 1

    asyncio.run(work())


def test_closing_a_grant_cancels_what_still_runs(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            await broker.open_grant("1.1.1", [LiteralQuery(sql=ENDLESS)])
            asking = asyncio.create_task(broker.serve("1.1.1", {"sql": ENDLESS, "source": None, "params": None}))
            await asyncio.sleep(0.2)
            assert await broker.close_grant("1.1.1") == ()
            with pytest.raises(QueryRefused, match="was stopped"):
                await asking

    asyncio.run(work())


def test_a_caller_that_goes_away_takes_its_query_along(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            await broker.open_grant("1.1.1", [LiteralQuery(sql=ENDLESS), LiteralQuery(sql="SELECT 1 AS x")])
            asking = asyncio.create_task(broker.serve("1.1.1", {"sql": ENDLESS, "source": None, "params": None}))
            await asyncio.sleep(0.2)
            asking.cancel()
            with pytest.raises(asyncio.CancelledError):
                await asking
            reply = await broker.serve("1.1.1", {"sql": "SELECT 1 AS x", "source": None, "params": None})
            assert reply.rows == 1

    asyncio.run(work())


def test_guard_and_budget_hold_even_for_what_was_approved(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room, Budget(rows_max=10, timeout_s=0.3)) as broker:
            for sql, says in (
                ("DELETE FROM t", "not a query"),
                ("SELECT load_extension('x')", "not allowed"),
                ("SELECT * FROM t", "more than 10 rows"),
                (ENDLESS, "longer than"),
            ):
                await broker.open_grant("1.1.1", [LiteralQuery(sql=sql)])
                with pytest.raises(QueryRefused, match=says):
                    await broker.serve("1.1.1", {"sql": sql, "source": None, "params": None})
            await broker.open_grant("1.1.1", [LiteralQuery(sql="SELECT nope FROM t")])
            with pytest.raises(QueryFailed, match="no such column: nope"):
                await broker.serve("1.1.1", {"sql": "SELECT nope FROM t", "source": None, "params": None})
            assert list((room / "mount").iterdir()) == []

    asyncio.run(work())


def test_a_cell_cannot_fill_the_disk_by_asking_again_and_again(room: Path) -> None:
    async def work() -> None:
        source = await open_source(parse_addresses(str(room / "shop.sqlite"), PERSON)[0], folder=room / "own")
        broker = Broker({"shop": source}, folder=room / "mount", limit_execution_bytes=5_000)
        await broker.open_grant("1.1.1", [LiteralQuery(sql="SELECT * FROM t")])
        call = {"sql": "SELECT * FROM t", "source": None, "params": None}
        with pytest.raises(QueryRefused, match="together"):
            await asyncio.gather(*(broker.serve("1.1.1", call) for _ in range(50)))

    asyncio.run(work())


@pytest.mark.parametrize(
    "call",
    [
        {},
        {"sql": None},
        {"sql": 5},
        {"sql": "SELECT 1", "source": 5},
        {"sql": "SELECT 1", "params": "x"},
        {"sql": "SELECT 1", "params": {"a": [1]}},
        {"sql": "SELECT 1", "params": [{}]},
        {"sql": "SELECT 1", "params": {1: 2}},
    ],
)
def test_a_call_that_is_malformed_is_refused(call: dict[str, object], room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            await broker.open_grant("1.1.1", [LiteralQuery(sql="SELECT 1")])
            with pytest.raises(QueryRefused):
                await broker.serve("1.1.1", call)

    asyncio.run(work())


def test_a_rebuild_reads_what_was_kept_and_never_asks_the_engine(room: Path) -> None:
    call = {"sql": "SELECT a FROM t WHERE a > ? ORDER BY a", "source": None, "params": [97]}

    async def work() -> None:
        async with broker_for(room) as broker:
            query = LiteralQuery(sql="SELECT a FROM t WHERE a > ? ORDER BY a")
            await broker.open_grant("1.1.1", [query])
            first = await broker.serve("1.1.1", call)
            (before,) = await broker.close_grant("1.1.1")
            (room / "shop.sqlite").unlink()
            await broker.open_grant("1.1.1", [query], replay=True)
            assert (await broker.serve("1.1.1", call)).file == first.file
            with pytest.raises(QueryRefused, match="rebuilt"):
                await broker.serve("1.1.1", call | {"params": [98]})
            (after,) = await broker.close_grant("1.1.1")
            assert after.fingerprint == before.fingerprint

    asyncio.run(work())


def test_an_execution_id_cannot_lead_out_of_the_folder(room: Path) -> None:
    async def work() -> None:
        async with broker_for(room) as broker:
            await broker.open_grant("../../etc/x", [LiteralQuery(sql="SELECT 1 AS x")])
            reply = await broker.serve("../../etc/x", {"sql": "SELECT 1 AS x", "source": None, "params": None})
            assert "/" not in reply.file
            assert (room / "mount" / reply.file).exists()

    asyncio.run(work())
