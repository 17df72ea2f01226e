"""A persistent kernel: cells in order, enforced timeouts, reported deaths, and no output of another cell."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import signal
from collections.abc import Awaitable, Callable, Sequence
from typing import Literal, Protocol

from . import watchdog
from .cage.policy import Level
from .collector import Collector
from .errors import KernelClosed, PreludeFailed, SandboxError
from .kernel_client import KernelClient
from .launch import CagedProcess
from .limits import Limits
from .priority_lock import PriorityLock
from .results import Execution, Failure, Output
from .rpc import RequestHandler

_logger = logging.getLogger(__name__)
_INTERRUPT_AGAIN_S = 0.5
_PRELUDE_S = 30.0
_Cause = Literal["timeout", "interrupted"]
OnOutput = Callable[[Output], None]


class Launcher(Protocol):
    """Starts the process of a kernel, and a fresh one each time the old one is lost."""

    async def __call__(self) -> CagedProcess:
        """Start one.

        Raises:
            StartFailed: It did not come up.
        """
        ...


class Kernel:
    """One session's kernel; leased from a `Pool`.

    Attributes:
        level: Which walls stand around it.
    """

    def __init__(
        self,
        *,
        level: Level,
        limits: Limits,
        launch: Launcher,
        requests: RequestHandler | None,
        prelude: str,
        release: Callable[[], Awaitable[None]],
    ) -> None:
        self.level: Level = level
        self._limits = limits
        self._launch = launch
        self._handler = requests
        self._prelude = prelude
        self._release = release
        self._turn = PriorityLock()
        self._client: KernelClient | None = None
        self._watchdog: watchdog.Watchdog | None = None
        self._jobs: set[asyncio.Task[Execution]] = set()
        self._current: asyncio.Task[object] | None = None
        self._stop: asyncio.Future[_Cause] | None = None
        self._closed = False

    @property
    def alive(self) -> bool:
        """Whether a process is there to run the next cell with the state of the last."""
        return self._client is not None and self._client.alive and not self._closed

    @property
    def running(self) -> str | None:
        """The id of the cell that runs, or None."""
        return self._client.running if self._client is not None else None

    async def __aenter__(self) -> Kernel:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def begin(self, ready: KernelClient | None = None) -> None:
        """Take over `ready`, or start a process, and run the prelude. For the pool alone.

        Raises:
            SandboxError: The process or the prelude failed; nothing is left running.
        """
        client = ready or await KernelClient.open(await self._launch(), self._limits, self._handler)
        client.answer_with(self._handler)
        try:
            if self._prelude:
                await self._run_prelude(client)
            self._watchdog = await watchdog.Watchdog.start(client.process, self._limits)
        except BaseException:
            await client.close()
            raise
        self._client = client

    async def _run_prelude(self, client: KernelClient) -> None:
        collector = Collector(limit_bytes=self._limits.output_bytes)
        try:
            async with asyncio.timeout(_PRELUDE_S):
                await client.run(self._prelude, collector, silent=True)
        except TimeoutError:
            raise PreludeFailed(f"the prelude did not end within {_PRELUDE_S:.0f} s") from None
        failure = collector.failure()
        if failure is not None:
            raise PreludeFailed(f"the prelude raised {failure.name}: {failure.message}\n{failure.traceback}")
        if not collector.complete:
            raise PreludeFailed("the kernel ended while it ran the prelude")

    async def execute(
        self, code: str, *, timeout_s: float | None = None, on_output: OnOutput | None = None
    ) -> Execution:
        """Run one cell and wait for its end.

        Calls queue in the order they were made. On timeout the cell is interrupted, and killed with its kernel if that
        does not stop it; then a fresh kernel (prelude run, variables gone) takes its place. A cancelled call stops its
        cell the same way before the cancellation is passed on.

        Args:
            code: The cell.
            timeout_s: Seconds from the start of the cell; the limits' wall_s by default.
            on_output: Called with each piece as it arrives.

        Raises:
            KernelClosed: `close` was called.
            SandboxError: The kernel was lost and no fresh one could be started.
        """
        if self._closed:
            raise KernelClosed("this kernel was closed; lease another from the pool")
        job = asyncio.create_task(self._queued(code, timeout_s or self._limits.wall_s, on_output))
        self._jobs.add(job)
        job.add_done_callback(self._jobs.discard)
        try:
            # Shielded: a cancelled caller must not leave its cell running unobserved; it is stopped below.
            return await asyncio.shield(job)
        except asyncio.CancelledError:
            if not job.done():
                self._stop_job(job)
                await asyncio.wait({job})
            if not job.cancelled():
                job.exception()  # nobody is left to hear of it
            raise

    def _stop_job(self, job: asyncio.Task[Execution]) -> None:
        if job is self._current:
            self._request_stop("interrupted")
        else:
            job.cancel()  # still waits its turn: nothing of it has run

    async def _queued(self, code: str, timeout_s: float, on_output: OnOutput | None) -> Execution:
        async with self._turn.held():
            if self._closed:
                raise KernelClosed("this kernel was closed while the cell waited its turn; it did not run")
            self._current = asyncio.current_task()
            try:
                return await self._execute(code, timeout_s, on_output)
            finally:
                self._current = None

    async def _execute(self, code: str, timeout_s: float, on_output: OnOutput | None) -> Execution:
        client = self._client
        if client is None:
            await self.begin()
            client = self._client
            assert client is not None
        if not client.alive:
            failure = self._death(client)
            message = f"{failure.message} This happened between two cells; this cell did not run."
            await self._replace()
            return Execution(
                status="died",
                failure=Failure(kind=failure.kind, name=failure.name, message=message),
                state_lost=True,
            )
        loop = asyncio.get_running_loop()
        collector = Collector(limit_bytes=self._limits.output_bytes)
        self._stop = loop.create_future()
        watch = self._watchdog
        started = loop.time()
        if watch is not None:
            await watch.begin_cell()
        try:
            cause = await self._run(client, code, collector, timeout_s, on_output)
        finally:
            self._stop = None
        seconds = loop.time() - started
        died = not client.alive
        status, failure = self._judge(client, collector, cause, timeout_s)
        peak = await watch.end_cell() if watch is not None else None
        if died:
            await self._replace()
        return Execution(
            status=status,
            outputs=collector.outputs(),
            failure=failure,
            seconds=seconds,
            peak_bytes=peak,
            variables=() if died else collector.variables(),
            gone=() if died else collector.gone(),
            state_lost=died,
        )

    async def _run(
        self,
        client: KernelClient,
        code: str,
        collector: Collector,
        timeout_s: float,
        on_output: OnOutput | None,
    ) -> _Cause | None:
        """Run the cell; why it had to be stopped, or None. Afterwards it has ended or its process has."""
        assert self._stop is not None
        run = asyncio.create_task(client.run(code, collector, on_output=on_output))
        try:
            await asyncio.wait({run, self._stop}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED)
            if run.done():
                run.result()
                return None
            cause: _Cause = self._stop.result() if self._stop.done() else "timeout"
            # Repeated, because code may catch one KeyboardInterrupt and go on.
            for _ in range(max(1, round(self._limits.grace_s / _INTERRUPT_AGAIN_S))):
                client.process.interrupt()
                await asyncio.wait({run}, timeout=_INTERRUPT_AGAIN_S)
                if run.done():
                    break
            else:
                client.process.kill()
            await run
            return cause
        finally:
            if not run.done():  # cancelled from outside, by `close` or the end of the loop
                client.process.kill()
                run.cancel()
                with contextlib.suppress(asyncio.CancelledError):
                    await run

    def _judge(
        self, client: KernelClient, collector: Collector, cause: _Cause | None, timeout_s: float
    ) -> tuple[Literal["ok", "failed", "timeout", "interrupted", "died"], Failure | None]:
        raised = collector.failure()
        traceback, line = (raised.traceback, raised.line) if raised is not None else ("", None)
        if cause == "timeout":
            message = f"The cell took longer than {timeout_s:g} s and was stopped."
            return "timeout", Failure(kind="timeout", name="Timeout", message=message, traceback=traceback, line=line)
        if cause == "interrupted":
            message = "The cell was stopped on request."
            return "interrupted", Failure(
                kind="interrupted", name="Interrupted", message=message, traceback=traceback, line=line
            )
        if raised is not None:
            return "failed", raised
        if collector.reply is None:
            if client.alive:
                message = "The kernel ended the cell without saying how."
                return "failed", Failure(kind="crashed", name="NoReply", message=message)
            return "died", self._death(client)
        return "ok", None

    def _death(self, client: KernelClient) -> Failure:
        ending = client.process.ended.result()
        memory = client.process.memory
        out_of_memory = ending.signal == signal.SIGKILL and memory is not None and memory.was_out_of_memory()
        verdict = self._watchdog.verdict if self._watchdog is not None else None
        if verdict is not None:
            return Failure(kind=verdict.kind, name=verdict.name, message=verdict.message)
        if out_of_memory:
            message = f"The session needed more than {self._limits.memory_bytes >> 20} MiB of memory and was ended."
            return Failure(kind="memory", name="MemoryLimit", message=message)
        was_killed = ending.exit_code is None and ending.signal in (None, signal.SIGKILL, signal.SIGTERM)
        kind: Literal["killed", "crashed"] = "killed" if was_killed else "crashed"
        return Failure(kind=kind, name="KernelDied", message=f"The kernel {ending.words}.")

    async def _replace(self) -> None:
        await self._end()
        if self._closed:
            return
        try:
            await self.begin()
        except SandboxError:
            # The cell's own result must not be lost over this; the next cell tries again and raises.
            _logger.exception("a lost kernel could not be replaced")

    async def _end(self) -> None:
        client, self._client = self._client, None
        watch, self._watchdog = self._watchdog, None
        if watch is not None:
            await watch.close()
        if client is not None:
            await client.close()

    def _request_stop(self, cause: _Cause) -> None:
        if self._stop is not None and not self._stop.done():
            self._stop.set_result(cause)

    async def interrupt(self) -> None:
        """Stop the running cell: interrupt it, and kill its kernel if it does not obey within the grace.

        Returns at once; the cell's own `execute` tells the outcome. Cells that wait their turn still run.
        """
        self._request_stop("interrupted")

    async def restart(
        self, cells: Sequence[str] = (), *, timeout_s: float | None = None, on_output: OnOutput | None = None
    ) -> tuple[Execution, ...]:
        """Begin anew in a fresh process: the prelude runs, then `cells`. A running cell is killed first.

        Cells that wait their turn come after `cells`, so that they find the state rebuilt.

        Args:
            cells: What to run again, in order, to have the state back; none leaves an empty kernel.
            timeout_s: Seconds for each of them; the limits' wall_s by default.
            on_output: Called with each piece of their output as it arrives.

        Returns:
            One execution for each cell that ran. It ends with the first that did not succeed: what came after it would
            have been built on less than it was.

        Raises:
            KernelClosed: `close` was called.
            SandboxError: No fresh kernel could be started; the next `execute` tries again.
        """
        if self._closed:
            raise KernelClosed("this kernel was closed; lease another from the pool")
        self._request_stop("interrupted")
        if self._client is not None:
            self._client.process.kill()
        async with self._turn.held(first=True):
            if self._closed:
                raise KernelClosed("this kernel was closed while it was restarted")
            await self._end()
            await self.begin()
            executions: list[Execution] = []
            for code in cells:
                executions.append(await self._execute(code, timeout_s or self._limits.wall_s, on_output))
                if self._closed:
                    raise KernelClosed("this kernel was closed while it was restarted")
                if not executions[-1].ok:
                    break
            return tuple(executions)

    async def close(self) -> None:
        """End the kernel and give everything back. A running cell ends as interrupted; waiting ones raise."""
        if self._closed:
            return
        self._closed = True
        self._request_stop("interrupted")
        if self._client is not None:
            self._client.process.kill()
        if self._jobs:
            await asyncio.wait(set(self._jobs))
        async with self._turn.held(first=True):  # a restart may be under way
            await self._end()
        await self._release()
