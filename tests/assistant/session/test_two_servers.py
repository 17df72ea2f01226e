"""Two servers on one store, each with its own home: a run is followed, decided once, stopped and taken over."""

from __future__ import annotations

import asyncio
import signal
import subprocess
import sys
from collections.abc import Callable, Generator
from contextlib import contextmanager
from pathlib import Path

import postgres
import pytest
from conversation import Stage, Told

from assistant.core.events import Answer, DecisionRequested, Execution, Stopped
from assistant.errors import SessionError
from assistant.record.store.database import Database
from assistant.session.following import Following
from assistant.session.session import Session

ALL = ("plan", "query", "python")
SLEEP = (("python", "import time\ntime.sleep(600)"),)

SERVER = """
import asyncio, sys
from pathlib import Path
sys.path.insert(0, {support!r})
from conversation import Stage, Told

async def main():
    stage = Stage(Path({home!r}), Told(cells={cells!r}), store={store!r})
    async with stage.session() as session:
        await session.ask("Theirs?", approve={approve!r})
        print("begun", flush=True)
        await session.settled()
        print(session.state, flush=True)
        sys.stdin.readline()

asyncio.run(main())
"""


def make_home(folder: Path) -> Path:
    folder.mkdir(exist_ok=True)
    return folder


@contextmanager
def server_at_work(
    tmp_path: Path, store: str, *, cells: object = SLEEP, approve: tuple[str, ...] = ALL
) -> Generator[subprocess.Popen[str]]:
    """Server A, once its run has begun; it is killed at the end."""
    support = str(Path(__file__).parents[2] / "support")
    home = str(make_home(tmp_path / "a"))
    script = SERVER.format(support=support, home=home, cells=cells, store=store, approve=approve)
    with subprocess.Popen(
        [sys.executable, "-c", script], stdin=subprocess.PIPE, stdout=subprocess.PIPE, text=True
    ) as server:
        assert server.stdout is not None
        assert server.stdout.readline() == "begun\n"
        try:
            yield server
        finally:
            server.kill()


async def until(session: Session, is_reached: Callable[[], bool], *, seconds: float = 60) -> None:
    """Follow the session as an open page does, until this is so."""
    async with asyncio.timeout(seconds):
        while not is_reached():
            await session.follow()
            await asyncio.sleep(0.1)


def has(session: Session, kind: type) -> bool:
    return any(isinstance(entry.event, kind) for entry in session.events())


@pytest.fixture(params=["sqlite", pytest.param("postgresql", marks=pytest.mark.server)])
def store(request: pytest.FixtureRequest, tmp_path: Path) -> Generator[str]:
    if request.param == "sqlite":
        yield f"sqlite:///{tmp_path / 'store.sqlite'}"
        return
    with postgres.served() as address:
        yield f"postgresql+psycopg://owner:{postgres.QUOTED}@{address}"


def test_a_run_is_seen_on_the_other_server_and_stopped_from_it(tmp_path: Path, store: str) -> None:
    async def scenario() -> None:
        with server_at_work(tmp_path, store) as server:
            async with Stage(make_home(tmp_path / "b"), store=store).session() as session:
                await until(session, lambda: has(session, DecisionRequested) or session.state == "working")
                for _ in range(5):
                    await session.follow()
                    assert session.state == "working", "a run that goes on is not closed"
                with pytest.raises(SessionError, match="at work in another"):
                    await session.ask("Ours?", approve=ALL)
                assert await session.stop_turn()
                assert session.state == "idle"
                assert [e.event.by for e in session.events() if isinstance(e.event, Stopped)] == ["person"]
                assert server.stdout is not None
                assert server.stdout.readline() == "idle\n", "the other server knows that it was stopped"

    asyncio.run(scenario())


def test_what_waits_is_decided_once(tmp_path: Path, store: str) -> None:
    async def scenario() -> None:
        cells = (("python", "revenue = 1"),)
        told = Told(cells=cells)
        async with Stage(make_home(tmp_path / "a"), told, store=store).session() as here:
            await here.ask("Ours?", approve=("plan",))  # pyright: ignore
            await here.settled()
            async with Stage(make_home(tmp_path / "b"), told, store=store).session() as there:
                waits = [e.event.id for e in here.events() if isinstance(e.event, DecisionRequested)][-1]
                results = await asyncio.gather(
                    here.decide(waits, "approve"), there.decide(waits, "approve"), return_exceptions=True
                )
                assert sum(result is True for result in results) == 1, results
                await here.settled()
                await there.settled()
                await here.follow()
                assert sum(isinstance(e.event, Execution) for e in here.events()) == 1
                assert has(here, Answer)

    asyncio.run(scenario())


@pytest.mark.slow
def test_the_run_of_a_killed_server_is_taken_over(tmp_path: Path, store: str) -> None:
    async def scenario() -> None:
        async with Stage(make_home(tmp_path / "b"), store=store).session() as session:
            with server_at_work(tmp_path, store) as server:
                await until(session, lambda: session.state == "working")
                server.kill()
                server.wait()
            await until(session, lambda: session.state == "idle")
            assert [e.event.by for e in session.events() if isinstance(e.event, Stopped)] == ["restart"]
            await session.ask("Ours?", approve=ALL)  # pyright: ignore
            await session.settled()
            assert has(session, Answer)
            assert not session.damage

    asyncio.run(scenario())


@pytest.mark.slow
def test_a_server_that_froze_and_comes_back_writes_nothing_more(tmp_path: Path, store: str) -> None:
    async def scenario() -> None:
        async with Stage(make_home(tmp_path / "b"), store=store).session() as session:
            cells = (("python", "import time\ntime.sleep(1)"),)
            with server_at_work(tmp_path, store, cells=cells) as server:
                await until(session, lambda: session.state == "working")
                server.send_signal(signal.SIGSTOP)
                await until(session, lambda: session.state == "idle")
                count = len(session.events())
                server.send_signal(signal.SIGCONT)
                assert server.stdout is not None
                assert server.stdout.readline() == "idle\n"
                await session.follow()
                assert len(session.events()) == count
                assert not session.damage

    asyncio.run(scenario())


@pytest.mark.server
def test_a_restart_of_the_store_during_a_run_loses_nothing(tmp_path: Path) -> None:
    async def scenario(server: postgres.PostgresServer) -> None:
        store = f"postgresql+psycopg://owner:{postgres.QUOTED}@{server.address}"
        told = Told(cells=(("python", "import time\ntime.sleep(3)\nrevenue = 41 + 1\nrevenue"),))
        async with Stage(make_home(tmp_path / "a"), told, store=store).session() as session:
            await session.ask("Ours?", approve=ALL)  # pyright: ignore
            await until(session, lambda: session.state == "working" and len(session.events()) > 3)
            await asyncio.to_thread(server.restart)
            await session.settled()
            execution = next(e.event for e in session.events() if isinstance(e.event, Execution))
            assert "42" in execution.model_dump_json()
            assert has(session, Answer)
            assert not session.damage

    with postgres.running() as server:
        asyncio.run(scenario(server))


@pytest.mark.server
def test_postgresql_tells_of_an_event_before_the_next_look(tmp_path: Path) -> None:
    with postgres.served() as address:
        store = f"postgresql+psycopg://owner:{postgres.QUOTED}@{address}"

        async def scenario() -> None:
            listening = Database(store)
            woken = asyncio.Event()

            class Followed:
                state = "idle"

                async def follow(self) -> None:
                    woken.set()

            async with Stage(make_home(tmp_path / "a"), store=store).session() as session:
                following = Following(
                    lambda: {"s1": Followed()},  # type: ignore[arg-type,return-value]
                    heads=listening.read_heads,
                    wait=lambda _seconds: listening.wait_for_event(600),
                )
                await following.look()
                woken.clear()
                task = asyncio.create_task(following.run())
                await asyncio.sleep(1)  # it listens by now; what came before would be found by a look
                await session.rename("Told of")
                await asyncio.wait_for(woken.wait(), 20)
                task.cancel()
                await session.rename("The wait of its thread ends")
            listening.close()

        asyncio.run(scenario())
