"""Client of one kernel process: runs one cell at a time, streams its outputs, and answers its requests meanwhile.

It ends with the process. `kernel` decides when to interrupt, kill and restart.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import Awaitable, Callable

from .channels import Channels
from .collector import Collector
from .jupyter_messages import Envelope, Message
from .launch import CagedProcess
from .limits import Limits
from .results import Output
from .rpc import RequestHandler, RequestServer
from .zmtp import WireClosed

_logger = logging.getLogger(__name__)
# After the reply "idle" follows at once, and the other way round.
_QUIET_S = 2.0
_LAST_WORDS_S = 0.2
_ENDING_S = 5.0


class KernelClient:
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
        self._token: str | None = None
        self._requests = RequestServer(process.wires.requests, handler, lambda: self._token)
        self._output = asyncio.create_task(self._read(channels.receive_iopub))
        self._tasks = [
            self._output,
            asyncio.create_task(self._read(channels.receive_shell)),
            asyncio.create_task(self._requests.serve()),
        ]
        for reading in self._tasks[:2]:
            reading.add_done_callback(self._read_no_more)

    @classmethod
    async def open(cls, process: CagedProcess, limits: Limits, handler: RequestHandler | None) -> KernelClient:
        """Connect to `process`; on failure it is ended.

        Raises:
            StartFailed: The kernel does not answer.
            StartLate: It does not answer in time.
        """
        try:
            channels = await Channels.open(process.wires, limits)
        except BaseException:
            await process.close()
            raise
        process.reservation.release()
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
        request = self._channels.cell(code, silent=silent)
        self.running, self._token = request.id, request.token
        try:
            try:
                await self._channels.send(request)
            except WireClosed:
                await self._end_unheard()
            while not collector.complete and self.alive:
                before, received = collector.idle or collector.reply is not None, self._channels.received_bytes
                progressed = await self._moved(timeout_s=_QUIET_S if before else None)
                if before and not progressed and received == self._channels.received_bytes:
                    collector.lost = not collector.idle
                    break
            if not self.alive and not collector.complete:
                await asyncio.wait({self._output}, timeout=_LAST_WORDS_S)  # what it said before it ended
        finally:
            self.running = self._token = None
            self._collector, self._on_output = None, None
            await self._requests.cancel()

    async def _end_unheard(self) -> None:
        """A kernel that cannot be heard is of no use. Most often it has just ended: then how it ended is known soon."""
        await asyncio.wait({self.process.ended}, timeout=_ENDING_S)
        self.process.kill()

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

    async def _read(self, receive: Callable[[], Awaitable[Envelope | None]]) -> None:
        try:
            while True:
                envelope = await receive()
                # Output of an earlier cell (a thread that outlives it) must not reach the cell that runs now.
                if envelope is None or self._collector is None or envelope.parent != self.running:
                    continue
                if self._collector.admits(envelope):
                    self._take(await self._channels.read(envelope))
                self._progress.set()
        except WireClosed:
            await self._end_unheard()

    def _read_no_more(self, reading: asyncio.Task[None]) -> None:
        """Whatever a kernel sends is data; a message that raises is a fault of ours, and ends its kernel alone."""
        if not reading.cancelled() and reading.exception() is not None:
            _logger.error("a message of a kernel could not be taken; it is ended", exc_info=reading.exception())
            self.process.kill()

    def _take(self, message: Message | None) -> None:
        if message is None or self._collector is None or message.parent != self.running:
            return
        output = self._collector.feed(message)
        if output is not None and self._on_output is not None:
            asyncio.get_running_loop().call_soon(self._on_output, output)  # what it raises must not end the reading

    async def close(self) -> None:
        """End the process and everything that hangs on it. May be called again."""
        for task in self._tasks:
            await _stop(task)
        self._channels.close()
        await self.process.close()


async def _stop(task: asyncio.Task[None]) -> None:
    task.cancel()
    await asyncio.wait({task})
    if not task.cancelled():
        task.exception()  # seen, so that nobody complains that it was not
