"""A file source as the server has it: a `Source` whose engine runs in worker processes.

A worker does one thing at a time; queries that run at once have a worker each. So a query that must be killed takes
its own process with it and no other query, and nothing is run twice. A worker that is free is used again, and one that
is not used for a minute ends by itself.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Self, TypeVar, cast

from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError
from assistant.core.doubts import Doubt
from assistant.core.values import ArrowTable, Budget, Parameters, Result
from assistant.sources.engines.access import Access
from assistant.sources.sources import AddressedSource, stoppable
from assistant.sources.workers import frames
from assistant.sources.workers.limits import QUERY_MEMORY_BYTES
from assistant.sources.workers.messages import (
    FIRST,
    REPLY,
    REQUEST,
    Describe,
    Described,
    Engine,
    Explain,
    Explained,
    Failed,
    Opening,
    Ran,
    Ready,
    Reply,
    Request,
    Run,
    Taken,
    Tried,
    TryLocks,
    paths,
)
from assistant.sources.workers.processes import Process, forkserver
from assistant.sources.workers.tables import receive_table

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.catalog.catalogs import CatalogCache

R = TypeVar("R", bound=Reply)

_OPENING_LIMIT_S = 60.0
_CATALOG_LIMIT_S = 320.0
_ACCESS_LIMIT_S = 400.0
_EXPLAIN_LIMIT_S = 12.0
_GRACE_S = 0.5
"""How long after its budget a query is killed that its engine could not stop."""
_BESIDE_SQLITE = ("-wal", "-shm", "-journal")


class EngineSource(AddressedSource):
    """A SQLite or DuckDB database as a `Source`.

    Args:
        address: What the person gave.
        engine: Which engine opens it.
        database: The database file; the person's own, or one that was made of their files.
        notes: What was guessed while loading.
        doubts: What was chosen while loading.
        cache: Where its catalog is kept between runs of the program.
        functions: Functions beside the engine's own that a person allowed to be called.
        in_place: Files of the person that the database's views read.
    """

    def __init__(
        self,
        address: SourceAddress,
        *,
        engine: Engine,
        database: Path,
        notes: tuple[str, ...] = (),
        doubts: tuple[Doubt, ...] = (),
        cache: CatalogCache | None = None,
        functions: Collection[str] = (),
        in_place: Sequence[Path] = (),
    ) -> None:
        super().__init__(address, dialect=engine, functions=functions, doubts=doubts, notes=notes)
        self._in_place = paths(*in_place)
        self._engine: Engine = engine
        self._database = database
        self._cache = cache
        self._free: list[_Worker] = []
        self._lock = Lock()
        self._closed = False

    async def start(self) -> Self:
        """Open it in a first worker.

        Raises:
            SourceError: It is damaged, encrypted, of a newer version, or another program holds it.
        """
        self._give_back(await self._fresh())
        return self

    async def _read_catalog(self) -> Catalog:
        cached = await asyncio.to_thread(self._cache.read) if self._cache is not None else None
        if cached is not None:
            return cached
        catalog = (await self._ask(Describe(), Described, timeout_s=_CATALOG_LIMIT_S))[0].catalog
        if self._cache is not None:
            await asyncio.to_thread(self._cache.write, catalog)
        return catalog

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement in a worker of its own."""
        allowed = budget or Budget()
        request = Run(
            sql=sql,
            by_name=dict(params) if isinstance(params, Mapping) else None,
            by_position=None if params is None or isinstance(params, Mapping) else tuple(params),
            rows_max=allowed.rows_max,
            limit_bytes=allowed.limit_bytes,
            timeout_s=allowed.timeout_s,
        )
        ran, table = await self._ask(request, Ran, timeout_s=allowed.timeout_s, budget=allowed)
        return Result(table=table, seconds=ran.seconds)

    async def explain(self, sql: str) -> str:
        """The engine's plan."""
        return (await self._ask(Explain(sql=sql), Explained, timeout_s=_EXPLAIN_LIMIT_S))[0].plan

    async def access(self) -> Access:
        """What the engine's locks do, tried in a worker."""
        return (await self._ask(TryLocks(), Tried, timeout_s=_ACCESS_LIMIT_S))[0].access

    async def close(self) -> None:
        """End the workers."""
        with self._lock:
            self._closed = True
            free, self._free = self._free, []
        for worker in free:
            await asyncio.to_thread(worker.close)

    async def _ask(
        self, request: Request, kind: type[R], *, timeout_s: float, budget: Budget | None = None
    ) -> tuple[R, ArrowTable]:
        """Put a request to a free worker, or to a new one where none is free or the free one has ended meanwhile.

        Raises:
            QueryFailed, QueryRefused, SourceError: As the worker says; or it ended over the request.
        """
        while True:
            worker = self._taken() or await self._fresh()
            is_reusable = False
            try:
                if not await asyncio.to_thread(worker.was_given, request):
                    continue
                answer, table = await stoppable(
                    lambda worker=worker: worker.reply(budget),
                    stop=worker.kill,
                    timeout_s=timeout_s,
                    grace_s=_GRACE_S,
                )
                is_reusable = True
            finally:
                if is_reusable:
                    self._give_back(worker)
                else:
                    worker.close()
            if isinstance(answer, Failed):
                raise _ERRORS[answer.error](answer.text)
            if not isinstance(answer, kind):
                raise SourceError(f"The engine of {self.display!r} gave another answer than was asked for. Try again.")
            return answer, table

    def _taken(self) -> _Worker | None:
        """A free worker that sees the files as they are now."""
        files, identities = self._files(), self._identities()
        with self._lock:
            while self._free:
                worker = self._free.pop()
                if worker.files == files and worker.identities == identities:
                    return worker
                worker.close()
        return None

    def _give_back(self, worker: _Worker) -> None:
        with self._lock:
            if not self._closed:
                self._free.append(worker)
                return
        worker.close()

    async def _fresh(self) -> _Worker:
        """A new worker that has opened the source.

        Raises:
            SourceError: It cannot be opened.
        """
        worker = await asyncio.to_thread(self._started)
        opened = False
        try:
            await stoppable(worker.opened, stop=worker.kill, timeout_s=_OPENING_LIMIT_S)
            opened = True
        except QueryRefused:
            raise SourceError(f"{self.display!r} did not open within {_OPENING_LIMIT_S:g} s. Try again.") from None
        finally:
            if not opened:
                worker.close()
        return worker

    def _started(self) -> _Worker:
        self._address.check()  # a worker is started at any time: what a path leads to may have changed
        files, identities = self._files(), self._identities()
        for file, identity in zip(self._in_place, identities, strict=True):
            if identity is None or os.path.realpath(file) != file:
                raise SourceError(f"{os.path.basename(file)!r} is not where it was any more. Add it anew.")
        index = self._database.with_name(self._database.name + "-shm")
        if self._engine == "sqlite" and _beside(self._database, "-wal").exists() and not index.exists():
            index.touch()  # SQLite would make it; the worker may make no file in the person's folder
            files = self._files()
        process = forkserver().fork(self._engine)
        opening = Opening(
            engine=self._engine,
            name=self.name,
            display=self.display,
            database=str(self._database),
            files=files,
            writable=(str(index),) if self._engine == "sqlite" else (),
            scratch=str(process.scratch),
            folders=(*self._address.folders, str(self._database.parent)),
            memory_bytes=QUERY_MEMORY_BYTES,
            functions=tuple(sorted(self._functions)),
            in_place=self._in_place,
        )
        return _Worker(process, opening, identities)

    def _identities(self) -> tuple[tuple[int, int] | None, ...]:
        """Which files lie in place now; None for what is no file. A worker's wall is about these, not about names."""
        return tuple(map(_identity, self._in_place))

    def _files(self) -> tuple[str, ...]:
        """The database and what lies beside it now: Landlock can name only files that exist."""
        if self._engine == "duckdb":
            return (*paths(self._database), *self._in_place)
        beside = (_beside(self._database, suffix) for suffix in _BESIDE_SQLITE)
        return paths(self._database, *(file for file in beside if file.exists()))


def _identity(file: str) -> tuple[int, int] | None:
    try:
        status = os.lstat(file)
    except OSError:
        return None
    return (status.st_dev, status.st_ino) if stat.S_ISREG(status.st_mode) else None


class _Worker:
    """One worker process and what it was told."""

    def __init__(self, process: Process, opening: Opening, identities: tuple[tuple[int, int] | None, ...]) -> None:
        self._process = process
        self._opening = opening
        self.files = opening.files
        self.identities = identities
        self.kill = process.kill
        self.close = process.close

    def opened(self) -> None:
        """Wait until the source is open.

        Raises:
            SourceError: It cannot be opened.
        """
        display = self._opening.display
        try:
            frames.send(self._process.sock, self._opening, FIRST)
            reply = frames.receive(self._process.sock, REPLY)
        except (OSError, frames.ChannelBroken):
            raise SourceError(f"The engine ended while it opened {display!r}. The file may be damaged.") from None
        if isinstance(reply, Failed):
            raise SourceError(reply.text)
        if not isinstance(reply, Ready):
            raise SourceError(f"The engine of {display!r} did not start as it should. Try again.")

    def was_given(self, request: Request) -> bool:
        """Hand a request over; False where the worker has ended of having nothing to do."""
        try:
            frames.send(self._process.sock, request, REQUEST)
            return isinstance(frames.receive(self._process.sock, REPLY), Taken)
        except (OSError, frames.ChannelBroken):
            return False

    def reply(self, budget: Budget | None) -> tuple[Reply, ArrowTable]:
        """Wait for the answer.

        Raises:
            QueryRefused: The worker ended over it.
        """
        try:
            reply = frames.receive(self._process.sock, REPLY)
            table = receive_table(self._process.sock, budget) if isinstance(reply, Ran) and budget else None
        except frames.ChannelBroken:
            raise QueryRefused(
                "The engine ended while it ran the query, most likely for want of memory. The source stays open. "
                "Filter the query, select fewer columns or shorter texts, or aggregate in SQL, and propose it again."
            ) from None
        return reply, cast("ArrowTable", table)


_ERRORS: dict[str, Callable[[str], Exception]] = {
    "SourceError": SourceError,
    "QueryFailed": QueryFailed,
    "QueryRefused": QueryRefused,
}


def _beside(database: Path, suffix: str) -> Path:
    return database.with_name(database.name + suffix)
