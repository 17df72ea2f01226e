"""What a stop must end: a model's reply, a look, a query, a cell, a kernel's start, the fetching of a package.

All but the start, which takes a few seconds, would go on for longer than any test may take.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from conversation import Stage, Told, last
from open_descriptors import is_readable
from openai_server import Asked, OpenAIServer, Served, call, serving, typed

from assistant.bootstrap import open_workspace
from assistant.core.events import Event, Execution, Finding, Language
from assistant.core.values import Budget
from assistant.query.cells import render_cell
from assistant.session.session import Session
from assistant.settings.settings import Settings

ENDLESS = "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n) SELECT COUNT(*) AS c FROM n"
UNENDING_S = 36_000.0
PLAN = {
    "kind": "plan",
    "text": "Revenue",
    "steps": [{"title": "Add up", "language": "sql", "instruction": "Sum", "hard": False}],
    "tables": ["sales"],
}


async def _stopped(session: Session, under_way: Callable[[], bool]) -> float:
    """Ask, wait until it is under way, stop it; gives the seconds that the stop took."""
    await session.ask("Revenue by region?", approve=("plan", "query", "python"))
    async with asyncio.timeout(60):
        while not under_way():
            await asyncio.sleep(0.01)
    await asyncio.sleep(0.3)  # what has begun gets going; a stop before that ends it as well
    began = time.monotonic()
    assert await session.stop()
    seconds = time.monotonic() - began
    assert session.state == "idle"
    assert session.events()[-1].event.kind == "stopped"
    return seconds


def _settings(folder: Path, server: OpenAIServer) -> Settings:
    return Settings(
        home=folder / "home",
        sources=(f"shop={Stage(folder).shop}",),
        model="m",
        base_url=server.url,
        api_key_env="",
        embeddings="hashing",
    )


async def model(folder: Path, *, streams: bool = False) -> float:
    """Stop while a model is silent, or streams a crumb at a time."""

    def script(asked: Asked) -> Served:
        served = typed(asked, {**PLAN, "text": "Revenue " * 100_000} if streams else PLAN)
        waits = {"gap_s": 0.1} if streams else {"delay_s": UNENDING_S}
        return Served(text=served.text, calls=served.calls, **waits)

    with serving(script) as server:
        async with open_workspace(_settings(folder, server)) as workspace:
            session = await workspace.create()
            return await _stopped(session, lambda: bool(server.asked))


async def look(folder: Path, slow: Callable[[Callable[..., Awaitable[object]]], None]) -> float:
    """Stop while a model looks something up. `slow` puts a look in place that never ends."""
    begun = asyncio.Event()

    async def looking(*_: object, **__: object) -> str:
        begun.set()
        await asyncio.sleep(UNENDING_S)
        return "late"

    slow(looking)
    with serving(lambda _: call("describe_table", table="sales")) as server:
        async with open_workspace(_settings(folder, server)) as workspace:
            session = await workspace.create()
            return await _stopped(session, begun.is_set)


async def query(folder: Path) -> float:
    """Stop while the database works on a query."""
    return await _cell(folder, "sql", render_cell("c", ENDLESS))


async def cell(folder: Path) -> float:
    """Stop while a cell runs."""
    return await _cell(folder, "python", "import time\nwhile True: time.sleep(0.1)")


async def start(folder: Path) -> float:
    """Stop while the first kernel of the program is being started."""
    stage = Stage(folder, told=Told(cells=(("python", "1"),)))
    async with stage.session() as session:
        return await _stopped(session, lambda: _started(session) > 0)


async def package(folder: Path) -> float:
    """Stop while a package index is asked that never replies."""

    async def lacks(_code: str, _language: Language, _log: Sequence[Event]) -> tuple[Finding, ...]:
        return (Finding(level="warning", text="It lacks seaborn.", missing="seaborn"),)

    stage = Stage(folder, told=Told(cells=(("python", "import seaborn"),)))
    with socket.create_server(("127.0.0.1", 0)) as silent, pytest.MonkeyPatch.context() as patched:
        patched.setenv("PIP_CONFIG_FILE", os.devnull)
        patched.setenv("PIP_INDEX_URL", f"http://127.0.0.1:{silent.getsockname()[1]}/simple/")
        async with stage.session(check=lacks) as session:
            return await _stopped(session, lambda: is_readable(silent.fileno()))


def _started(session: Session) -> int:
    return sum(entry.event.kind == "execution_started" for entry in session.events())


async def _cell(folder: Path, language: Language, code: str) -> float:
    """Stop a cell in a kernel that has run one before."""
    stage = Stage(
        folder,
        told=Told(cells=(("python", "1"),)),
        cell_seconds_max=UNENDING_S,
        budget=Budget(timeout_s=UNENDING_S),
    )
    async with stage.session() as session:
        await session.ask("So that a kernel is there", approve=("plan", "query", "python"))
        await session.settled()
        stage.told.cells = ((language, code),)
        seconds = await _stopped(session, lambda: _started(session) > 1)
        stopped = last(session, Execution)
        assert isinstance(stopped, Execution)
        assert stopped.failure is not None, stopped
        assert stopped.failure.kind == "interrupted", stopped
        return seconds
