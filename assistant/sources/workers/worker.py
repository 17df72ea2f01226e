"""A worker: confines itself, opens one source and answers requests, one at a time, until nobody asks any more.

Runs in a process of its own, forked by `forkserver`. The adapters work here as they would anywhere; the budget's time
stops a query in the engine's own way, and where the engine does not hear it, the server kills the worker.
"""

from __future__ import annotations

import asyncio
import os
import socket
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Literal, assert_never

from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.values import Budget
from assistant.sources.addresses import SourceAddress
from assistant.sources.arrow import Spending
from assistant.sources.workers import frames
from assistant.sources.workers.converting import converted
from assistant.sources.workers.extracting import extracted
from assistant.sources.workers.limits import confine
from assistant.sources.workers.messages import (
    FIRST,
    REPLY,
    REQUEST,
    Converting,
    Describe,
    Described,
    Explain,
    Explained,
    Extracting,
    Failed,
    First,
    Opening,
    Progressed,
    Ran,
    Ready,
    Reply,
    Request,
    Run,
    Taken,
    Tried,
    TryLocks,
)
from assistant.sources.workers.tables import send_table

if TYPE_CHECKING:
    from assistant.core.values import ArrowTable
    from assistant.progress import Progress, Watcher
    from assistant.sources.sources import Source

IDLE_S = 60.0
"""A worker that is not asked for so long ends by itself."""
_TEXT_MAX = 100_000
UNWALLED_TEXT = (
    "{!r} cannot be opened: its files are read where they lie, and nothing here would keep a query from writing them. "
    "Save them as CSV, or load them into a database, and give that as the source."
)


def serve(sock: socket.socket) -> None:
    """Serve one source, make one of files, or read a document file, for whoever holds the other end; then return."""
    try:
        first = frames.receive(sock, FIRST)
        os.environ["TMPDIR"] = first.scratch
        readable, writable = _reach(first)
        is_walled = confine(
            readable=readable, writable=writable, scratch=first.scratch, memory_bytes=first.memory_bytes
        )
        if isinstance(first, Extracting):
            frames.send(sock, extracted(Path(first.file)), REPLY)
            return
        if isinstance(first, Converting):
            address = SourceAddress(
                name=first.name, kind="files", display=first.display, rights=None, files=tuple(map(Path, first.files))
            )
            tell = _telling(sock)
            frames.send(sock, converted(address, Path(first.folder), tell), REPLY)
            return
        if first.in_place and not is_walled:
            frames.send(sock, Failed(error="SourceError", text=UNWALLED_TEXT.format(first.display)), REPLY)
            return
        with asyncio.Runner() as runner:
            _serve(sock, first, runner)
    except (frames.ChannelBroken, OSError):
        return  # the server let go


def _telling(sock: socket.socket) -> Watcher:
    """Sends on how far a load is."""

    def tell(progress: Progress) -> None:
        with suppress(OSError):  # the server let go, and will end this process
            frames.send(sock, Progressed(progress=progress), REPLY)

    return tell


def _reach(first: First) -> tuple[tuple[str, ...], tuple[str, ...]]:
    """What it may read, and what it may write as well."""
    match first:
        case Opening():
            return first.files, first.writable
        case Converting():
            return first.readable, (first.folder,)
        case Extracting():
            return (first.file,), ()
        case _:
            assert_never(first)


def _serve(sock: socket.socket, opening: Opening, runner: asyncio.Runner) -> None:
    try:
        source = runner.run(_opened(opening))
    except SourceError as problem:
        frames.send(sock, _failed(problem), REPLY)
        return
    frames.send(sock, Ready(), REPLY)
    while True:
        sock.settimeout(IDLE_S)
        request = frames.receive(sock, REQUEST)
        sock.settimeout(None)
        frames.send(sock, Taken(), REPLY)
        reply, table = runner.run(_answer(source, request))
        frames.send(sock, reply, REPLY)
        if table is not None:
            send_table(sock, table)


async def _opened(opening: Opening) -> Source:
    address = SourceAddress(
        name=opening.name, kind=opening.engine, display=opening.display, rights=None, files=(Path(opening.database),)
    )
    if opening.engine == "sqlite":
        from assistant.sources.engines.sqlite import SqliteSource

        return await SqliteSource.open(address)
    from assistant.sources.engines.duckdb import DuckdbSource

    return await DuckdbSource.open(
        address,
        spill=Path(opening.scratch),
        folders=opening.folders,
        functions=opening.functions,
        in_place=opening.in_place,
    )


async def _answer(source: Source, request: Request) -> tuple[Reply, ArrowTable | None]:
    try:
        match request:
            case Describe():
                source.refresh()
                return Described(catalog=await source.catalog()), None
            case Run():
                budget = Budget(rows_max=request.rows_max, limit_bytes=request.limit_bytes, timeout_s=request.timeout_s)
                params = request.by_name if request.by_name is not None else request.by_position
                result = await source.run(request.sql, params, budget)
                Spending(budget).add(result.rows, result.table.nbytes)  # types may have become wider
                return Ran(seconds=result.seconds), result.table
            case Explain():
                return Explained(plan=await source.explain(request.sql)), None
            case TryLocks():
                return Tried(access=await source.access()), None
            case _:
                assert_never(request)
    except (SourceError, QueryFailed, QueryRefused) as problem:
        return _failed(problem), None
    except MemoryError:
        return Failed(error="QueryRefused", text=MEMORY_TEXT), None


MEMORY_TEXT = (
    "The query needed more memory than its engine may use and was stopped. "
    "Filter it, select fewer columns or shorter texts, or aggregate in SQL, and propose it again."
)


def _failed(problem: SourceError | QueryFailed | QueryRefused) -> Failed:
    error: Literal["SourceError", "QueryFailed", "QueryRefused"] = (
        "SourceError"
        if isinstance(problem, SourceError)
        else "QueryFailed"
        if isinstance(problem, QueryFailed)
        else "QueryRefused"
    )
    return Failed(error=error, text=str(problem)[:_TEXT_MAX])
