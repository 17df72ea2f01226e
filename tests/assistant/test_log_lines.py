"""The lines that the program logs: each tells which session and turn it belongs to."""

from __future__ import annotations

import asyncio
import io
import logging
from collections.abc import Iterator
from pathlib import Path

import pytest
from conversation import Stage, Told

from assistant.core.events import Plan
from assistant.log_lines import Place, at, set_up


@pytest.fixture
def lines(monkeypatch: pytest.MonkeyPatch) -> Iterator[io.StringIO]:
    """What a program logs that has just set its logging up."""
    root = logging.getLogger()
    level = root.level
    monkeypatch.setattr(root, "handlers", [])
    stream = io.StringIO()
    set_up(level=logging.WARNING, stream=stream)
    yield stream
    root.setLevel(level)


def test_a_line_tells_session_and_turn_of_any_room(lines: io.StringIO) -> None:
    with at(Place(session="2026-a", turn=3)):
        logging.getLogger("sandbox.kernel").warning("the kernel was %s", "lost")
    assert lines.getvalue() == "WARNING:sandbox.kernel:[session 2026-a, turn 3] the kernel was lost\n"


def test_a_line_outside_a_session_is_logged_without_one(lines: io.StringIO) -> None:
    with at(Place(session="2026-a", turn=3)):
        pass
    logging.getLogger("knowledge.base").warning("not indexed")
    logging.getLogger("knowledge.base").info("below the level")
    assert lines.getvalue() == "WARNING:knowledge.base:not indexed\n"


def test_sessions_at_work_at_once_are_told_apart_in_tasks_and_threads(lines: io.StringIO) -> None:
    async def work(session: str) -> None:
        with at(Place(session=session, turn=1)):
            await asyncio.sleep(0)
            await asyncio.to_thread(logging.getLogger("x").warning, session)

    async def both() -> None:
        await asyncio.gather(work("a"), work("b"))

    asyncio.run(both())
    assert sorted(lines.getvalue().splitlines()) == [f"WARNING:x:[session {s}, turn 1] {s}" for s in "ab"]


def test_a_task_that_outlives_its_turn_tells_the_turn_under_way(lines: io.StringIO) -> None:
    async def scenario() -> None:
        place, later = Place(session="a", turn=1), asyncio.Event()

        async def reader() -> None:
            await later.wait()
            logging.getLogger("x").warning("read")

        with at(place):
            task = asyncio.create_task(reader())
        place.turn = 2
        later.set()
        await task

    asyncio.run(scenario())
    assert lines.getvalue() == "WARNING:x:[session a, turn 2] read\n"


def test_setting_up_again_adds_nothing(lines: io.StringIO) -> None:
    set_up(level=logging.DEBUG, stream=lines)
    logging.getLogger("x").warning("once")
    assert lines.getvalue() == "WARNING:x:once\n"


def test_what_a_run_logs_tells_its_session_and_turn(lines: io.StringIO, tmp_path: Path) -> None:
    def broken(_log: object) -> Plan:
        raise ZeroDivisionError("a bug")

    async def scenario() -> str:
        async with Stage(tmp_path, Told(plan_with=broken)).session() as session:  # pyright: ignore
            for _ in range(2):
                await session.ask("Revenue by region?")
                await session.settled()
            return session.id

    name = asyncio.run(scenario())
    faults = [line for line in lines.getvalue().splitlines() if line.startswith("ERROR:assistant.session")]
    assert [f"[session {name}, turn {turn}] a run failed" in line for turn, line in enumerate(faults, 1)] == [
        True,
        True,
    ]
