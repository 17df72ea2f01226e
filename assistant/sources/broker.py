"""The broker: stands between the caged kernel and the sources, and runs exactly what was approved.

While an execution runs, and only then, the broker honours the literal queries of its approved cell. Each one passes
the guard again, runs under a budget, and arrives as an Arrow file in the session's data folder. Every run is recorded.
The broker approves nothing and parses no cell: the grant is handed to it.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import re
import stat
import time
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Protocol

import pyarrow as pa

from assistant.core.data_errors import QueryRefused
from assistant.core.values import ArrowTable, Budget, Parameters, Result
from assistant.query.guard import check
from assistant.sources.arrow import write_file
from assistant.sources.fingerprints import fingerprint_of
from assistant.sources.sources import Source

_CONCURRENT_QUERIES = 4
_OVER = "The cell that was approved is over, so its queries are too. Propose a new step."


class LiteralQuery(Protocol):
    """A query of a grant. `source` None means the first source."""

    @property
    def sql(self) -> str: ...
    @property
    def source(self) -> str | None: ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Reply:
    """What the kernel is told: the file in its data folder, and how much is in it."""

    file: str
    rows: int
    columns: tuple[str, ...]
    seconds: float

    def wire(self) -> dict[str, str | int | float | list[str]]:
        """As it travels."""
        return {"file": self.file, "rows": self.rows, "columns": list(self.columns), "seconds": self.seconds}


@dataclass(frozen=True, slots=True, kw_only=True)
class QueryRun:
    """One query that ran for an execution. `parameters` is JSON, "" if there were none."""

    source: str
    sql: str
    rows: int
    seconds: float
    columns: tuple[str, ...]
    fingerprint: str
    file: str
    parameters: str = ""


@dataclass(slots=True, kw_only=True)
class _Grant:
    """What one running execution may ask, and what it has asked."""

    allowed: frozenset[tuple[str, str]]
    replay: bool
    calls: int = 0
    written_bytes: int = 0
    running: set[asyncio.Task[Result]] = field(default_factory=set)
    closed: bool = False
    serving: int = 0
    idle: asyncio.Event = field(default_factory=asyncio.Event)


class Broker:
    """Serves the queries of a session's executions.

    Args:
        sources: The session's sources by name, the first being the default. Kept, not copied: sources may be added.
        folder: The session's data folder, mounted read-only in the cage.
        budget: Gives what one query may take.
        limit_execution_bytes: What all queries of one execution may write together.
    """

    def __init__(
        self,
        sources: Mapping[str, Source],
        *,
        folder: Path,
        budget: Callable[[], Budget] = Budget,
        limit_execution_bytes: int = 2 * 1024**3,
    ) -> None:
        self._sources = sources
        self._folder = folder
        self._budget = budget
        self._limit_execution_bytes = limit_execution_bytes
        self._grants: dict[str, _Grant] = {}
        self._runs: dict[str, list[QueryRun]] = {}
        self._slots = asyncio.Semaphore(_CONCURRENT_QUERIES)

    async def open_grant(self, execution_id: str, queries: Iterable[LiteralQuery], *, replay: bool = False) -> None:
        """Honour these queries until `close_grant`.

        Args:
            execution_id: The execution that is about to run.
            queries: The literal queries of its approved cell.
            replay: Answer from the files of an earlier run of this execution, and run nothing.
        """
        allowed = frozenset((query.source or self._default(), query.sql) for query in queries)
        self._grants[execution_id] = _Grant(allowed=allowed, replay=replay)
        self._runs[execution_id] = []

    async def close_grant(self, execution_id: str) -> tuple[QueryRun, ...]:
        """Honour nothing more of this execution; what still runs is cancelled on the engine. Gives its runs.

        When this returns, nothing of the execution is written to the data folder any more.
        """
        grant = self._grants.pop(execution_id, None)
        if grant is not None:
            grant.closed = True
            for task in grant.running:
                task.cancel()
            if grant.serving:
                await grant.idle.wait()
        return self.runs(execution_id)

    def runs(self, execution_id: str) -> tuple[QueryRun, ...]:
        """What ran for an execution, in order; empty for one that is unknown."""
        return tuple(self._runs.get(execution_id, ()))

    async def serve(self, execution_id: str, call: Mapping[str, object]) -> Reply:
        """Run one query for a running execution.

        Args:
            execution_id: The execution that asks, as the host knows it (never as the kernel says it).
            call: `sql`, `source` (or None) and `params` (or None), as they came from the kernel.

        Raises:
            QueryRefused: It is not in the grant, does not pass the guard, or is over budget.
            QueryFailed: The engine cannot run it.
            SourceError: The engine cannot be reached.
        """
        grant = self._grants.get(execution_id)
        if grant is None:
            raise QueryRefused(_OVER)
        grant.serving += 1
        grant.idle.clear()
        try:
            return await self._answer(grant, execution_id, call)
        finally:
            grant.serving -= 1
            if not grant.serving:
                grant.idle.set()

    async def _answer(self, grant: _Grant, execution_id: str, call: Mapping[str, object]) -> Reply:
        sql, name, params = self._understood(call)
        source = self._sources.get(name)
        if source is None:
            source_names = ", ".join(map(repr, self._sources)) or "none"
            raise QueryRefused(f"There is no source named {name!r}. The sources are: {source_names}.")
        if (name, sql) not in grant.allowed:
            raise QueryRefused(
                "This query was not approved: only queries that stand in the cell as literal text are run. "
                'Propose it as query("""...""") with values known only at run time in params.'
            )
        refusal = await asyncio.to_thread(check, sql, dialect=source.dialect, functions=source.functions)
        if refusal is not None:
            raise QueryRefused(refusal.message)
        grant.calls += 1
        file = f"{_plain(execution_id)}-{grant.calls}-{_digest(name, sql, params)}.arrow"
        parameters = "" if params is None else json.dumps(params, ensure_ascii=False)
        if grant.replay:
            table, seconds = await asyncio.to_thread(self._kept, file), 0.0
        else:
            result = await self._run(grant, source, sql, params)
            table, seconds = result.table, result.seconds
            grant.written_bytes += int(table.nbytes)
            if grant.written_bytes > self._limit_execution_bytes:
                raise QueryRefused(
                    f"The queries of this cell gave more than {self._limit_execution_bytes / 2**20:,.0f} MB together. "
                    "Aggregate in SQL, or split the step."
                )
            await self._keep(grant, table, file)
        mark = await asyncio.to_thread(fingerprint_of, table, sql, source.dialect)
        columns = tuple(str(column) for column in table.column_names)
        run = QueryRun(
            source=name,
            sql=sql,
            rows=int(table.num_rows),
            seconds=seconds,
            columns=columns,
            fingerprint=mark,
            file=file,
            parameters=parameters,
        )
        if grant.closed:
            raise QueryRefused(_OVER)
        self._runs[execution_id].append(run)
        return Reply(file=file, rows=run.rows, columns=columns, seconds=seconds)

    def _default(self) -> str:
        return next(iter(self._sources), "")

    def _understood(self, call: Mapping[str, object]) -> tuple[str, str, Parameters]:
        """The parts of a call, which comes from untrusted code."""
        sql, name, params = call.get("sql"), call.get("source"), call.get("params")
        if not isinstance(sql, str):
            raise QueryRefused("query() needs its SQL as text.")
        if name is not None and not isinstance(name, str):
            raise QueryRefused("query() needs the name of its source as text.")
        return sql, name or self._default(), _parameters(params)

    async def _run(self, grant: _Grant, source: Source, sql: str, params: Parameters) -> Result:
        """Run in a task of its own, which `close_grant` can cancel without cancelling the caller."""
        started = time.monotonic()
        async with self._slots:
            if grant.closed:
                raise QueryRefused(_OVER)
            task = asyncio.create_task(source.run(sql, params, self._budget()))
            grant.running.add(task)
            try:
                await asyncio.wait({task})
            finally:
                grant.running.discard(task)
                if not task.done():
                    task.cancel()
                    await asyncio.wait({task})
        if task.cancelled():
            waited = time.monotonic() - started
            raise QueryRefused(f"The cell was stopped, and with it this query after {waited:.1f} s.")
        return task.result()

    async def _keep(self, grant: _Grant, table: ArrowTable, file: str) -> None:
        """Write a result for the kernel; what came too late is taken away again, whoever stopped waiting for it."""
        writing = asyncio.ensure_future(asyncio.to_thread(self._write, table, file))
        try:
            await asyncio.shield(writing)
        except asyncio.CancelledError:
            await asyncio.wait({writing})
            (self._folder / file).unlink(missing_ok=True)
            raise
        if grant.closed:
            (self._folder / file).unlink(missing_ok=True)
            raise QueryRefused(_OVER)

    def _write(self, table: ArrowTable, file: str) -> None:
        try:
            write_file(table, self._folder / file, mode=_mode_in(self._folder))
        except OSError as problem:
            reason = problem.strerror or "it cannot be written"
            raise QueryRefused(f"The result cannot be stored: {reason}. Free some space and try again.") from None

    def _kept(self, file: str) -> ArrowTable:
        try:
            with pa.memory_map(str(self._folder / file)) as mapped:
                return pa.ipc.open_file(mapped).read_all()
        except (OSError, pa.ArrowInvalid):
            raise QueryRefused(
                "The result of this query as it ran then is not at hand, so the cell cannot be rebuilt faithfully. "
                "Run the step anew."
            ) from None


def _parameters(raw_parameters: object) -> Parameters:
    if raw_parameters is None:
        return None
    if isinstance(raw_parameters, Mapping) and all(
        isinstance(name, str) and _is_scalar(value) for name, value in raw_parameters.items()
    ):  # pyright: ignore[reportUnknownVariableType]  # it came from JSON
        return {str(name): value for name, value in raw_parameters.items()}  # pyright: ignore[reportUnknownVariableType]  # checked above
    if isinstance(raw_parameters, list | tuple) and all(_is_scalar(value) for value in raw_parameters):  # pyright: ignore[reportUnknownVariableType]  # likewise
        return [value for value in raw_parameters]  # noqa: C416  # pyright: ignore[reportUnknownVariableType]  # likewise
    raise QueryRefused("params must be a dict or a list of plain values: text, numbers, true, false, None.")


def _is_scalar(value: object) -> bool:
    return value is None or isinstance(value, str | int | float | bool)


def _plain(execution_id: str) -> str:
    return re.sub(r"[^A-Za-z0-9.]+", "_", execution_id).strip(".") or "execution"


def _digest(source: str, sql: str, params: Parameters) -> str:
    statement = json.dumps([source, sql, params], ensure_ascii=True)
    return hashlib.sha256(statement.encode()).hexdigest()[:16]


def _mode_in(folder: Path) -> int:
    """The owner's alone; where the folder is shared with the user of the cage, as its group, that one's to read."""
    return 0o640 if folder.stat().st_mode & stat.S_ISGID else 0o600
