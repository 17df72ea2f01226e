"""A stop ends what would never end by itself: a silent model, one that streams, a look, a query, a cell, a package.

Where it did not, the test would run into its time limit. How fast a stop is is measured by `benchmarks/stopping.py`.
"""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
import stopping
from conversation import Stage, Told, kinds

from assistant.agents.model.lookups import Lookups
from assistant.runtime.cages import MachineCages
from sandbox.limits import Limits


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)


@pytest.mark.parametrize("streams", [False, True], ids=["silent", "streaming"])
def test_a_stop_ends_a_models_reply(tmp_path: Path, streams: bool) -> None:
    asyncio.run(stopping.model(tmp_path, streams=streams))


def test_a_stop_ends_a_look(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    slow = lambda looking: monkeypatch.setattr(Lookups, "look_up", looking)  # noqa: E731
    asyncio.run(stopping.look(tmp_path, slow))


def test_a_stop_ends_a_query(tmp_path: Path) -> None:
    asyncio.run(stopping.query(tmp_path))


def test_a_stop_ends_a_cell(tmp_path: Path) -> None:
    asyncio.run(stopping.cell(tmp_path))


def test_a_stop_ends_the_fetching_of_a_package(tmp_path: Path) -> None:
    asyncio.run(stopping.package(tmp_path))


def test_a_stop_does_not_end_the_start_that_other_sessions_wait_for(tmp_path: Path) -> None:
    async def scenario() -> None:
        cages = MachineCages(limits=Limits(), level=None, uncaged=False, ready=1, slots=tmp_path)
        async with cages:
            await cages.level()
            first, second = (asyncio.create_task(cages.pool(uncaged=False)) for _ in range(2))
            await asyncio.sleep(0)
            first.cancel()
            with pytest.raises(asyncio.CancelledError):
                await first
            assert not second.done(), "the stop did not wait for the start"
            assert await second is await cages.pool(uncaged=False)

    asyncio.run(scenario())


def test_a_stop_while_the_kernel_starts_leaves_a_session_that_goes_on(tmp_path: Path) -> None:
    async def scenario() -> None:
        stage = Stage(tmp_path, Told(cells=(("python", "1 + 1"),)))
        async with stage.session() as session:
            stopping: list[asyncio.Task[bool]] = []

            def stop_at_the_start() -> None:
                if kinds(session)[-1] == "execution_started" and not stopping:
                    stopping.append(asyncio.ensure_future(session.stop()))

            session.subscribe(stop_at_the_start)
            await session.ask("How much?", approve=("plan", "query", "python"))
            await session.settled()
            assert await stopping[0]
            assert kinds(session)[-2:] == ["execution", "stopped"]
            await session.ask("How much?", approve=("plan", "query", "python"))
            await session.settled()
            assert kinds(session)[-1] == "answer"

    asyncio.run(scenario())
