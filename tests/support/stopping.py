"""What a stop must end: a model's reply, a look, a query, a cell, a kernel's start, the fetching of a package.

All but the start, which takes a few seconds, would go on for a minute.
"""

from __future__ import annotations

import asyncio
import os
import socket
import time
from collections.abc import Awaitable, Callable, Sequence
from pathlib import Path

import pytest
from conversation import Stage, Told
from open_descriptors import is_readable
from openai_server import Asked, OpenAIServer, Served, call, serving, typed

from assistant.bootstrap import open_workspace
from assistant.data.cells import render_cell
from assistant.events import Event, Finding, Language
from assistant.session.session import Session
from assistant.settings.settings import Settings

ENDLESS = (
    "WITH RECURSIVE n(i) AS (SELECT 1 UNION ALL SELECT i + 1 FROM n WHERE i < 4000000000) SELECT COUNT(*) AS c FROM n"
)
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
    await asyncio.sleep(0.3)
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


async def model(folder: Path, *, gap_s: float = 0.0, delay_s: float = 60.0) -> float:
    """Stop while a model is silent, or streams a crumb at a time."""

    def script(asked: Asked) -> Served:
        served = typed(asked, PLAN)
        return Served(text=served.text, calls=served.calls, delay_s=delay_s, gap_s=gap_s)

    with serving(script) as server:
        async with open_workspace(_settings(folder, server)) as workspace:
            session = await workspace.create()
            return await _stopped(session, lambda: bool(server.asked))


async def look(folder: Path, slow: Callable[[Callable[..., Awaitable[object]]], None]) -> float:
    """Stop while a model looks something up. `slow` puts a look in place that takes a minute."""
    begun = asyncio.Event()

    async def looking(*_: object, **__: object) -> str:
        begun.set()
        await asyncio.sleep(60)
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
    return await _cell(folder, "python", "import time\nfor _ in range(600): time.sleep(0.1)")


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
    stage = Stage(folder, told=Told(cells=(("python", "1"),)))

    async with stage.session() as session:
        await session.ask("So that a kernel is there", approve=("plan", "query", "python"))
        await session.settled()
        stage.told.cells = ((language, code),)
        return await _stopped(session, lambda: _started(session) > 1)
