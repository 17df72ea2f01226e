"""Runs approved cells in the session's caged kernel, with its data behind the broker.

The runtime leases a kernel for the first cell, keeps it, and rebuilds the state of a new one. It is the only place
where the sandbox and the data meet: a cell's `query()` comes out of the cage as a request, and is served only while the
cell runs and only within its grant. It decides nothing; approval comes before.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
import shutil
import stat
from collections.abc import AsyncGenerator, Awaitable, Callable, Generator, Mapping, Sequence
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.cells.functions import render_definitions
from assistant.cells.references import find_literal_files
from assistant.core.events import (
    AnyEvent,
    Event,
    Execution,
    ExecutionStarted,
    Failure,
    FunctionSource,
    KernelRestarted,
    PackageAdded,
    Query,
    QueryRun,
    Variable,
    Withheld,
)
from assistant.core.turns import Transcript
from assistant.errors import DataError
from assistant.packages.store import path_code, unpack_packages
from assistant.query.cells import QueryProblem, literal_queries
from assistant.runtime.failed_executions import make_failed
from sandbox.errors import SandboxBusy, SandboxError
from sandbox.results import JSON, Output
from sandbox.results import Execution as CellRun
from sandbox.rpc import RequestRefused

if TYPE_CHECKING:
    from assistant.runtime.capacity import KernelCapacity
    from assistant.sources.broker import Broker
    from assistant.sources.broker import QueryRun as BrokeredRun
    from sandbox.kernel import Kernel
    from sandbox.pool import Pool

_LOG = logging.getLogger(__name__)

TAIL_CHARS = 4000
"""So much of what a running cell has printed is shown before it ends."""
_SHOWN_EVERY_S = 0.1


class Cages(Protocol):
    """The kernels of this machine."""

    async def level(self) -> str:
        """The level of cage that holds here, probed for real."""
        ...

    @property
    def places(self) -> KernelCapacity:
        """How many kernels may be open."""
        ...

    async def pool(self, *, uncaged: bool) -> Pool:
        """The pool of ready kernels. `uncaged`: the person accepted that none can be caged here."""
        ...


class Log(Protocol):
    """The session's log, as the runtime uses it."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        ...

    @property
    def transcript(self) -> Transcript:
        """The turns of these events, folded once between two changes. To be read, not changed."""
        ...

    async def append(self, event: AnyEvent) -> object:
        """Make an event durable, then visible."""
        ...

    def say(self, participant: str, text: str | None) -> None:
        """Show text that is not durable; None ends it."""
        ...


class KernelRuntime:
    """The kernel of one session."""

    def __init__(
        self,
        *,
        cages: Cages,
        broker: Broker,
        open_sources: Callable[[], Awaitable[object]],
        log: Log,
        folder: Path,
        prelude: str,
        cell_seconds_max: Callable[[], float],
        packages: Path,
        find_file: Callable[[str], Awaitable[Path]] | None = None,
    ) -> None:
        self._cages = cages
        self._open_sources = open_sources
        self._broker = broker
        self._log = log
        self._folder = folder
        self._prelude = prelude
        self._cell_seconds_max = cell_seconds_max
        self._kernel: Kernel | None = None
        self._held: list[str] = []
        self._find_file = find_file
        self._packages_store = packages
        self._packages: tuple[PackageAdded, ...] = ()
        self._running: str | None = None
        self._files: frozenset[str] = frozenset()
        self._one_at_a_time = asyncio.Lock()
        self._turns = 0
        self._parked = False

    async def cage(self) -> str:
        """The level of the cage that holds the kernel, or would."""
        return self._kernel.level if self._kernel is not None else await self._cages.level()

    def queries_in(self, code: str) -> tuple[Query, ...]:
        """The literal queries in a cell; none where the cell cannot be read."""
        queries = literal_queries(code)
        if isinstance(queries, QueryProblem):
            return ()
        return tuple(Query(sql=query.sql, source=query.source) for query in queries)

    async def run(self, started: ExecutionStarted) -> Execution:
        """Run an approved cell.

        Raises:
            asyncio.CancelledError: it was stopped; the kernel was interrupted and stays usable.
        """
        async with self._one_at_a_time, self._in_use():
            try:
                kernel = await self._in_step(before=started.id)
                execution = await self._execute(kernel, started)
            except SandboxBusy as busy:
                return make_failed(started, Failure(kind="busy", name="Busy", message=str(busy)))
            except SandboxError as error:
                _LOG.warning("the kernel failed", exc_info=error)
                await self._release()
                return make_failed(started, Failure(kind="crashed", name=type(error).__name__, message=str(error)))
            return execution

    async def close(self) -> None:
        """Let the kernel go. What it held can be rebuilt from the log."""
        async with self._one_at_a_time:
            await self._release()
            self._parked = False

    @contextmanager
    def in_turn(self) -> Generator[None]:
        """A turn is running: its next cell may come at any moment, so the kernel is kept."""
        self._turns += 1
        try:
            yield
        finally:
            self._turns -= 1

    async def park(self) -> bool:
        """Let the kernel go unless a cell or a turn needs it; whether it went. The next cell finds its state again."""
        if self._turns or self._one_at_a_time.locked() or self._kernel is None:
            return False
        async with self._one_at_a_time:
            await self._release()
            self._parked = True
        return True

    @asynccontextmanager
    async def _in_use(self) -> AsyncGenerator[None]:
        """While a cell runs; where there is a kernel afterwards, it was used just now."""
        try:
            yield
        finally:
            if self._kernel is not None:
                self._cages.places.use(self)

    # --- the kernel and its state ---------------------------------------------------------------------------

    async def _in_step(self, *, before: str) -> Kernel:
        """The kernel, holding exactly the state that the log says it should."""
        # Their queries are not asked again: the broker answers from the snapshots of the first run.
        rebuild = self._log.transcript.kernel
        cell_ids = [cell.id for cell in rebuild.cells if cell.id != before]
        lives = self._kernel is not None and self._kernel.alive
        fits = self._packages == tuple(self._log.transcript.packages)
        if self._kernel is not None and lives and fits and self._held == cell_ids and not rebuild.lost_cells:
            return self._kernel
        if self._kernel is not None and lives and fits and self._held[: len(cell_ids)] == cell_ids:
            # A cell was cut short but the kernel lived on: its state is what the person saw. Keep it.
            return self._kernel
        exit_reason = (
            "The kernel had ended."
            if not lives
            else "Another program ran code in this session."
            if fits
            else "A package was added."
        )
        reason = exit_reason if self._kernel is not None else self._why_none()
        await self._release()
        self._kernel = kernel = await self._lease()
        drifted: list[str] = []
        for cell in rebuild.cells:
            again = await self._run_again(kernel, cell)
            if again.status != cell.status:
                drifted.append(cell.id)
        if rebuild.cells or rebuild.lost_cells:
            await self._log.append(
                KernelRestarted(
                    reason=reason, rerun=len(rebuild.cells), lost=tuple(rebuild.lost_cells), drifted=tuple(drifted)
                )
            )
        return kernel

    def _why_none(self) -> str:
        """Why there is no kernel, as far as we or the log can say."""
        if self._parked:
            return "The kernel had been let go, as nobody used it."
        events = (e for e in reversed(self._log.events) if isinstance(e, Withheld | Execution))
        masked = isinstance(next(events, None), Withheld)
        return "A column was masked since." if masked else "The session was opened anew."

    async def _lease(self) -> Kernel:
        pool = await self._cages.pool(uncaged=self._log.transcript.uncaged)
        desk, data = self._folder / "desk", self._folder / "data"
        for folder in (desk, data):
            folder.mkdir(parents=True, exist_ok=True)
        self._held = []
        self._packages = tuple(self._log.transcript.packages)
        added = await asyncio.to_thread(unpack_packages, self._packages, self._packages_store, data)
        prelude = self._prelude + path_code(added)

        async def lease() -> Kernel:
            return await pool.lease(desk=desk, data=data, requests=self._serve, prelude=prelude)

        kernel = await self._cages.places.take(self, lease)
        self._parked = False
        return kernel

    async def _release(self) -> None:
        kernel, self._kernel, self._held = self._kernel, None, []
        if kernel is not None:
            try:
                await kernel.close()
            finally:
                self._cages.places.leave(self)

    # --- one cell -------------------------------------------------------------------------------------------

    async def _execute(self, kernel: Kernel, started: ExecutionStarted) -> Execution:
        try:
            result = await self._in_grant(
                kernel, started, started.queries, replay=False, on_output=self._show(started.id)
            )
        finally:
            self._log.say("executor", None)
        self._held = [] if result.state_lost else [*self._held, started.id]
        if result.state_lost:
            await self._release()
        return _make_event(started, result, self._broker.runs(started.id))

    def _show(self, execution: str) -> Callable[[Output], None]:
        """Show what a cell prints while it runs: the last of it, as the person will see it whole afterwards."""
        loop, printed, due = asyncio.get_running_loop(), "", False

        def say() -> None:
            nonlocal due
            due = False
            if self._running == execution:
                self._log.say("executor", printed)

        def show(output: Output) -> None:
            nonlocal printed, due
            if output.kind == "stream" and output.text:
                printed = (printed + output.text[-TAIL_CHARS:])[-TAIL_CHARS:]
                if not due:  # a cell may print hundreds of times a second, and every page that shows it is told
                    due = True
                    loop.call_later(_SHOWN_EVERY_S, say)

        return show

    async def _run_again(self, kernel: Kernel, cell: Execution) -> CellRun:
        result = await self._in_grant(kernel, cell, self.queries_in(cell.code), replay=True)
        self._held.append(cell.id)
        return result

    async def _in_grant(
        self,
        kernel: Kernel,
        cell: ExecutionStarted | Execution,
        queries: tuple[Query, ...],
        *,
        replay: bool,
        on_output: Callable[[Output], None] | None = None,
    ) -> CellRun:
        """Run a cell while the broker honours its queries, and not a moment longer."""
        await self._open_sources()
        if (failed := await self._define_functions(kernel, cell.functions)) is not None:
            return failed
        await self._broker.open_grant(cell.id, queries, replay=replay)
        self._running, self._files = cell.id, find_literal_files(cell.code)
        try:
            return await kernel.execute(cell.code, timeout_s=self._cell_seconds_max(), on_output=on_output)
        finally:
            self._running = None
            await self._broker.close_grant(cell.id)

    async def _define_functions(self, kernel: Kernel, functions: Sequence[FunctionSource]) -> CellRun | None:
        """Define the functions that a cell imports, whatever stands in the kernel; the run where that failed.

        An earlier cell may have put others in their place.
        """
        if not functions:
            return None
        limit_s = self._cell_seconds_max()
        result = await kernel.execute(render_definitions(functions), timeout_s=limit_s)
        return result if result.status != "ok" else None

    async def _serve(self, op: str, payload: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """Answer a request out of the cage. Everything in it is untrusted."""
        if op == "file":
            return {"file": await self._add_handed_out(payload.get("name"))}
        if op != "query":
            raise RequestRefused(f"There is no request named {op!r}.")
        if self._running is None:
            raise RequestRefused("No cell is running, so no query is served.")
        try:
            return (await self._broker.serve(self._running, payload)).wire()
        except DataError as refused:
            raise RequestRefused(str(refused)) from refused

    async def _add_handed_out(self, name: JSON) -> str:
        """Copy a file of a source to where the cage can read it; only one that the approved cell names."""
        if self._running is None or self._find_file is None:
            raise RequestRefused("No cell is running, so no file is handed out.")
        if not isinstance(name, str) or name not in self._files:
            raise RequestRefused('This file was not approved: name it in the cell as literal text, files["name.csv"].')
        try:
            path = await self._find_file(name)
        except DataError as refused:
            raise RequestRefused(str(refused)) from refused
        return await asyncio.to_thread(_copy, path, self._folder / "data")


def _copy(path: Path, folder: Path) -> str:
    """Copy a file into the folder that the cage may read; gives its name there."""
    mark = hashlib.sha256(str(path).encode()).hexdigest()[:12]
    target = folder / f"file-{mark}{path.suffix}"
    draft = target.with_suffix(".new")
    try:
        shutil.copyfile(path, draft)
        draft.chmod(0o640 if folder.stat().st_mode & stat.S_ISGID else 0o600)
        draft.replace(target)
    except OSError as error:
        raise RequestRefused(f"The file {path.name!r} cannot be read ({error.strerror}). Add it again.") from error
    return target.name


def _make_event(started: ExecutionStarted, result: CellRun, runs: Sequence[BrokeredRun]) -> Execution:
    failure = result.failure
    execution = Execution(
        turn=started.turn,
        id=started.id,
        step=started.step,
        language=started.language,
        code=started.code,
        functions=started.functions,
        status="ok" if result.status == "ok" else "failed",
        failure=None
        if failure is None
        else Failure(
            kind=failure.kind,
            name=failure.name,
            message=failure.message,
            traceback=failure.traceback,
            line=failure.line,
        ),
        seconds=result.seconds,
        peak_bytes=result.peak_bytes,
        variables=tuple(
            Variable(
                name=variable.name,
                type=variable.type,
                shape=variable.shape,
                columns=variable.columns or (),
                size_bytes=variable.size_bytes,
            )
            for variable in result.variables
        ),
        queries=tuple(
            QueryRun(
                sql=run.sql,
                source=run.source,
                rows=run.rows,
                seconds=run.seconds,
                columns=run.columns,
                fingerprint=run.fingerprint,
                file=run.file,
                parameters=run.parameters,
            )
            for run in runs
        ),
    )
    # Not validated again: the sandbox has read each output from bounded JSON, and there may be megabytes of it.
    return execution.model_copy(update={"outputs": tuple(output.to_nbformat() for output in result.outputs)})
