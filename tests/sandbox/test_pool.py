"""The pool: ready kernels, each leased once, and sessions that never meet."""

from __future__ import annotations

import asyncio
import gc
import os
import signal
import socket
import tempfile
import threading
from pathlib import Path
from typing import Any

import pytest
from open_descriptors import open_descriptors

from sandbox import pool, zygote
from sandbox.errors import KernelClosed, StartFailed
from sandbox.levels import Level
from sandbox.pool import Pool
from sandbox.processes import descendants
from sandbox.results import Execution


def text(execution: Execution) -> str:
    return "".join(output.text for output in execution.outputs)


async def filled(pool: Pool) -> None:
    async with asyncio.timeout(120):
        while not pool.ready:
            await asyncio.sleep(0.01)


def need_zygote(reports: Any) -> None:
    if not reports["zygote"].holds:
        pytest.skip(f"level zygote: {reports['zygote'].why_not}")


def test_a_ready_kernel_finds_itself_in_the_sessions_own_folders(
    loop: asyncio.Runner, reports: Any, tmp_path: Path
) -> None:
    need_zygote(reports)

    async def scenario() -> None:
        desk, data = tmp_path / "session" / "desk", tmp_path / "session" / "data"
        (desk / "kept").mkdir(parents=True)
        (desk / "kept" / "old.txt").write_text("old")
        async with Pool(level="zygote", size=1, slots=tmp_path / "slots") as pool:
            await filled(pool)
            kernel = await pool.lease(desk=desk, data=data)
            (data / "result.txt").write_text("42")
            code = (
                "open('new.txt', 'w').write('new'); print(open('kept/old.txt').read(), open('/data/result.txt').read())"
            )
            assert text(await kernel.execute(code)) == "old 42\n"
            assert (desk / "new.txt").read_text() == "new"
            denied = await kernel.execute("open('/data/x', 'w')")
            assert denied.failure is not None
            await kernel.restart()
            assert text(await kernel.execute("import os; print(sorted(os.listdir()))")) == "['kept', 'new.txt']\n"
            await kernel.close()
            assert desk.stat().st_uid == os.getuid()
            await filled(pool)  # the one that was taken has been replaced
        assert list((tmp_path / "slots").iterdir()) == []

    loop.run(scenario())


def test_a_leased_kernel_never_served_anyone(loop: asyncio.Runner, reports: Any, tmp_path: Path) -> None:
    need_zygote(reports)

    async def scenario() -> None:
        async with Pool(level="zygote", size=2, slots=tmp_path / "slots") as pool:
            seen: set[str] = set()
            for n in range(6):
                kernel = await pool.lease(desk=tmp_path / f"desk{n}", data=tmp_path / f"data{n}")
                code = "import os, random; print('mark' in globals(), os.listdir(), random.random()); mark = open('mine', 'w')"
                said = text(await kernel.execute(code))
                assert said.startswith("False [] ")
                seen.add(said)
                await kernel.close()
            assert len(seen) == 6  # each has random numbers of its own

    loop.run(scenario())


def test_a_ready_kernel_that_died_is_not_leased(loop: asyncio.Runner, reports: Any, tmp_path: Path) -> None:
    need_zygote(reports)

    async def scenario() -> None:
        async with Pool(level="zygote", size=1, slots=tmp_path / "slots") as pool:
            await filled(pool)
            process = pool._ready[0].process
            process.kill_kernel()
            await process.ended
            kernel = await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            assert (await kernel.execute("1")).ok

    loop.run(scenario())


@pytest.mark.slow
def test_a_pool_closed_while_it_makes_a_kernel_ready_leaves_nothing(
    loop: asyncio.Runner, reports: Any, tmp_path: Path
) -> None:
    """Folders and a user are made in a thread, which no cancellation stops."""
    need_zygote(reports)

    async def scenario() -> None:
        async with Pool(level="zygote", size=0):  # what the first one opens for good, it has opened
            pass
        before = open_descriptors()
        for steps in range(6):
            async with Pool(level="zygote", size=1, slots=tmp_path / "slots"):
                for _ in range(steps):
                    await asyncio.sleep(0)
            gc.collect()  # a user that was claimed and lost would complain here
            assert list((tmp_path / "slots").iterdir()) == []
        assert not open_descriptors() - before

    loop.run(scenario())


def test_a_zygote_that_died_is_replaced(loop: asyncio.Runner, best_level: Level, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with Pool(level=best_level, size=0) as pool:
            first = await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            process = pool._zygote._process
            assert process is not None
            process.kill()
            await asyncio.to_thread(process.wait)
            assert text(await first.execute("print(1)")) == "1\n"  # kernels do not depend on it
            second = await pool.lease(desk=tmp_path / "desk2", data=tmp_path / "data2")
            assert text(await second.execute("print(2)")) == "2\n"

    loop.run(scenario())


def test_a_pool_that_is_not_open_leases_nothing(loop: asyncio.Runner, best_level: Level, tmp_path: Path) -> None:
    async def scenario() -> None:
        pool = Pool(level=best_level)
        with pytest.raises(KernelClosed, match="async with"):
            await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")

    loop.run(scenario())


def test_a_cage_that_cannot_be_built_says_which_wall_and_leaves_nothing(
    loop: asyncio.Runner, reports: Any, tmp_path: Path
) -> None:
    need_zygote(reports)

    async def scenario() -> None:
        async with Pool(level="zygote", size=0) as pool:
            before = open_descriptors()
            blocked = tmp_path / "data"
            blocked.mkdir()
            kernel = await pool.lease(desk=tmp_path / "desk", data=blocked)
            blocked.rmdir()
            with pytest.raises(StartFailed, match="FileNotFoundError"):
                await kernel.restart()
            assert not kernel.alive
            await kernel.close()
            assert not open_descriptors() - before

    loop.run(scenario())


def test_folders_below_one_that_only_its_owner_may_enter_serve(
    loop: asyncio.Runner, lease: Any, any_level: Level, tmp_path: Path
) -> None:
    private = tmp_path / "private"
    private.mkdir(mode=0o700)

    async def scenario() -> None:
        kernel = await lease(any_level, desk=private / "desk", data=private / "data")
        assert (await kernel.execute("open('x', 'w').write('y')")).ok

    loop.run(scenario())
    assert (private / "desk" / "x").read_text() == "y"


def test_pools_and_kernels_leave_no_folder_behind(
    loop: asyncio.Runner, best_level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    temporary = tmp_path / "temporary"
    temporary.mkdir()
    monkeypatch.setattr(tempfile, "tempdir", str(temporary))

    async def scenario() -> None:
        async with Pool(level=best_level, size=1) as pool:
            kernel = await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            await kernel.execute("import os; os._exit(1)")
            await kernel.restart()

    loop.run(scenario())
    assert list(temporary.iterdir()) == []


def test_a_zygote_serves_on_when_the_child_that_waits_for_the_next_request_is_killed(
    loop: asyncio.Runner, reports: Any, tmp_path: Path
) -> None:
    need_zygote(reports)

    async def scenario() -> None:
        async with Pool(level="zygote", size=0) as pool:
            zygote = pool._zygote.pid
            assert zygote is not None
            async with asyncio.timeout(120):
                while not (waiting := descendants(zygote)):
                    await asyncio.sleep(0.01)
            os.kill(waiting[0], signal.SIGKILL)
            async with asyncio.timeout(120):
                while waiting[0] in descendants(zygote):  # a request that it took with it would be lost
                    await asyncio.sleep(0.01)
            kernel = await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            assert (await kernel.execute("1")).ok
            assert pool._zygote.pid == zygote

    loop.run(scenario())


def test_start_that_is_stopped_while_it_waits_leaves_no_socket(monkeypatch: pytest.MonkeyPatch) -> None:
    made: list[socket.socket] = []
    pair = socket.socketpair

    def remembered(*arguments: int) -> tuple[socket.socket, socket.socket]:
        made.extend(pair(*arguments))
        return made[-2], made[-1]

    async def stopped() -> list[socket.socket]:
        waiting = asyncio.Event()

        def waits_for_ever(*_: object) -> asyncio.Future[None]:
            waiting.set()
            return asyncio.get_running_loop().create_future()

        with monkeypatch.context() as patched:
            patched.setattr(zygote.socket, "socketpair", remembered)
            patched.setattr(zygote.asyncio, "to_thread", waits_for_ever)
            starting = asyncio.create_task(zygote.Zygote(warm=False).ensure())
            await waiting.wait()
            starting.cancel()
            with pytest.raises(asyncio.CancelledError):
                await starting
        return [end for end in made if end.fileno() != -1]

    left = asyncio.run(stopped())
    for end in left:
        end.close()
    assert not left


def test_an_opening_that_is_stopped_leaves_no_process(
    best_level: Level, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    rooms: list[Path] = []

    async def scenario() -> None:
        reached, go = asyncio.Event(), threading.Event()
        loop, make = asyncio.get_running_loop(), pool._make_waiting_room

        def slowly(slots: Path | None) -> Path:
            loop.call_soon_threadsafe(reached.set)
            go.wait(30)
            rooms.append(make(slots))
            return rooms[-1]

        monkeypatch.setattr(pool, "_make_waiting_room", slowly)
        held = Pool(level=best_level, slots=tmp_path)
        opening = asyncio.create_task(held.__aenter__())
        await reached.wait()
        pid = held._zygote.pid
        assert pid is not None
        opening.cancel()
        go.set()
        with pytest.raises(asyncio.CancelledError):
            await opening
        assert held._zygote.pid is None
        with pytest.raises(ProcessLookupError):
            os.kill(pid, 0)

    asyncio.run(scenario())
    assert len(rooms) == 1
    assert not rooms[0].exists()


def is_running(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except ProcessLookupError:
        return False
    return True


def test_a_zygote_that_was_begun_early_is_the_pools_and_ends_with_it(best_level: Level, tmp_path: Path) -> None:
    forks = best_level in ("zygote", "landlock")

    async def scenario() -> None:
        begun = zygote.Zygote(warm=True)
        begun.begin()
        first = begun.pid
        assert first is not None
        async with Pool(level=best_level, size=0, zygote=begun) as opened:
            kernel = await opened.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            assert (await kernel.execute("1 + 1")).status == "ok"
            assert begun.pid == first
        assert is_running(first) is not forks
        await begun.close()

    asyncio.run(scenario())


def test_a_zygote_that_was_begun_and_never_used_ends_at_once() -> None:
    async def scenario() -> None:
        begun = zygote.Zygote(warm=True)
        begun.begin()
        pid = begun.pid
        assert pid is not None
        await begun.close()
        assert not is_running(pid)

    asyncio.run(scenario())
