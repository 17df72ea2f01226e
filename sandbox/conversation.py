"""Talking with one kernel process: one cell at a time, its outputs as they come, its requests answered meanwhile.

Ends with the process. When to interrupt, kill and begin anew is `kernel`'s decision.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable

from .channels import Channels
from .collector import Collector, Message
from .errors import StartFailed
from .launch import CagedProcess
from .limits import Limits
from .results import Output
from .rpc import RequestHandler, RequestServer

# After the reply, "idle" follows at once, unless the output was so large that the connection dropped it.
_QUIET_S = 2.0
_LAST_WORDS_S = 0.2


class Conversation:
    """The channels and request server of one kernel process; made by `open`.

    Attributes:
        process: The kernel's process. The conversation owns it: `close` ends it.
        running: The id of the cell that runs, or None.
    """

    def __init__(self, process: CagedProcess, channels: Channels, handler: RequestHandler | None) -> None:
        self.process = process
        self.running: str | None = None
        self._channels = channels
        self._collector: Collector | None = None
        self._on_output: Callable[[Output], None] | None = None
        self._progress = asyncio.Event()
        self._requests = RequestServer(process.wires.requests, handler, lambda: self.running)
        self._output = asyncio.create_task(self._read_iopub())
        self._tasks = [asyncio.create_task(self._read_shell()), asyncio.create_task(self._requests.serve())]

    @classmethod
    async def open(cls, process: CagedProcess, limits: Limits, handler: RequestHandler | None) -> Conversation:
        """Connect to `process`; on failure it is ended.

        Raises:
            StartFailed: The kernel does not answer.
        """
        try:
            channels = await Channels.open(process.wires, limits)
        except BaseException:
            await process.close()
            raise
        return cls(process, channels, handler)

    @property
    def alive(self) -> bool:
        """Whether the kernel's process still runs."""
        return not self.process.ended.done()

    def answer_with(self, handler: RequestHandler | None) -> None:
        """Let `handler` answer what cells ask from now on."""
        self._requests.handler = handler

    async def run(
        self,
        code: str,
        collector: Collector,
        *,
        silent: bool = False,
        on_output: Callable[[Output], None] | None = None,
    ) -> None:
        """Run one cell, folding its messages into `collector`; returns when it is done or the process ended.

        Cancelling does not stop the cell: interrupt or close first.
        """
        self._progress.clear()
        self._collector, self._on_output = collector, on_output
        try:
            self.running = await self._channels.execute(code, silent=silent)
            while not collector.complete and self.alive:
                before = collector.idle or collector.reply is not None
                moved = await self._moved(timeout_s=_QUIET_S if before else None)
                if before and not moved:
                    collector.lost = not collector.idle
                    break
            if not self.alive and not collector.complete:
                await asyncio.sleep(_LAST_WORDS_S)  # what it said before it ended may still be on its way
        finally:
            self.running = None
            self._collector, self._on_output = None, None
            await self._requests.cancel()
        if collector.lost:
            await self._renew_output()

    async def _renew_output(self) -> None:
        await _stop(self._output)
        try:
            await self._channels.renew_iopub()
        except StartFailed:
            self.process.kill()  # a kernel that cannot be heard is of no use
            await self.process.ended
            return
        self._output = asyncio.create_task(self._read_iopub())

    async def _moved(self, *, timeout_s: float | None) -> bool:
        """Wait for a message or the end of the process; False when neither came in time."""
        progress = asyncio.ensure_future(self._progress.wait())
        try:
            done, _ = await asyncio.wait(
                {progress, self.process.ended}, timeout=timeout_s, return_when=asyncio.FIRST_COMPLETED
            )
        finally:
            progress.cancel()
        self._progress.clear()
        return bool(done)

    async def _read_iopub(self) -> None:
        while True:
            self._take(await self._channels.receive_iopub())

    async def _read_shell(self) -> None:
        while True:
            self._take(await self._channels.receive_shell())

    def _take(self, message: Message | None) -> None:
        if message is None or self._collector is None or message.parent != self.running:
            return
        output = self._collector.feed(message)
        if output is not None and self._on_output is not None:
            self._on_output(output)
        self._progress.set()

    async def close(self) -> None:
        """End the process and everything that hangs on it. May be called again."""
        for task in (self._output, *self._tasks):
            await _stop(task)
        self._channels.close()
        await self.process.close()


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()  # seen, so that nobody complains that it was not
