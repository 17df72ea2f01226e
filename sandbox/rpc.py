"""The host's end of the request channel: requests of running code, answered by a handler that the caller gives.

Requests come from untrusted code. A message that is not a valid request gets an error where possible, and is dropped;
too many of them close the channel. A request is served only while the cell that it names runs.
"""

from __future__ import annotations

import asyncio
import json
import logging
import socket
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Protocol

from .bounded_json import JsonRefused, read_json
from .rate_limit import RateLimit
from .results import JSON

REQUEST_BYTES_MAX = 128 << 10
REPLY_BYTES_MAX = 128 << 10
_GARBAGE_MAX = 1_000
_OUTSTANDING_MAX = 8
_OP_MAX = 64
_REQUESTS_PER_S = 1_000.0
_BYTES_PER_S = float(16 << 20)
_BURST_S = 4.0
_logger = logging.getLogger(__name__)


class RequestRefused(Exception):
    """Raised by a handler to decline; the message reaches the cell word for word."""


class RequestHandler(Protocol):
    """Answers what a cell asks of the host."""

    async def __call__(self, op: str, payload: Mapping[str, JSON]) -> Mapping[str, JSON]:
        """Do `op`.

        May run while the cell runs, several at a time, and is cancelled when the cell ends or is interrupted.

        Returns:
            The answer; as JSON at most 128 KiB.

        Raises:
            RequestRefused: With a message for the cell. Any other exception is logged, and the cell learns only that
                the host failed.
        """
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class KernelRequest:
    """One well-formed request: its number, the token of the cell that asks, what it wants."""

    id: int
    cell: str
    op: str
    payload: Mapping[str, JSON]


class MalformedRequest(ValueError):
    """What arrived is no request.

    Attributes:
        id: The request's number, where that much could be read.
    """

    def __init__(self, reason: str, id: int | None = None) -> None:
        super().__init__(reason)
        self.id = id


def parse_request(raw: bytes) -> KernelRequest:
    """Read one message.

    Raises:
        MalformedRequest: It is no request; nothing else is ever raised.
    """
    if len(raw) > REQUEST_BYTES_MAX:
        raise MalformedRequest(f"a request may have {REQUEST_BYTES_MAX} bytes")
    try:
        message = read_json(raw)
    except JsonRefused as error:
        raise MalformedRequest(f"a request cannot be taken: {error}") from None
    if not isinstance(message, dict):
        raise MalformedRequest("a request must be a JSON object")
    number = message.get("id")
    if not isinstance(number, int) or isinstance(number, bool) or not 0 <= number < 1 << 53:
        raise MalformedRequest("a request must carry a number")
    op, payload, cell = message.get("op"), message.get("payload"), message.get("cell")
    if not isinstance(op, str) or not 0 < len(op) <= _OP_MAX:
        raise MalformedRequest("a request must name what it wants", number)
    if not isinstance(payload, dict):
        raise MalformedRequest("the payload of a request must be a JSON object", number)
    if not isinstance(cell, str):
        raise MalformedRequest("a request must name its cell", number)
    return KernelRequest(id=number, cell=cell, op=op, payload=payload)


class RequestServer:
    """Serves one kernel's requests until it is closed.

    Args:
        sock: The host's end; stays the caller's to close.
        handler: Who answers; None refuses everything.
        running: The token of the cell that runs, or None.

    Attributes:
        handler: See above; may be changed between two cells.
    """

    def __init__(self, sock: socket.socket, handler: RequestHandler | None, running: Callable[[], str | None]) -> None:
        self._sock = sock
        self.handler = handler
        self._running = running
        self._slots = asyncio.Semaphore(_OUTSTANDING_MAX)
        self._tasks: set[asyncio.Task[None]] = set()
        self._garbage = 0

    async def serve(self) -> None:
        """Read and answer until the guest's end closes or only garbage comes. Cancel to stop."""
        loop = asyncio.get_running_loop()
        rate = RateLimit(items_per_s=_REQUESTS_PER_S, bytes_per_s=_BYTES_PER_S, burst_s=_BURST_S)
        try:
            while self._garbage < _GARBAGE_MAX:
                await self._slots.acquire()
                try:
                    raw = await loop.sock_recv(self._sock, REQUEST_BYTES_MAX + 1)
                except OSError:
                    return
                if not raw:
                    return
                await rate.spend(items=1, size_bytes=len(raw))
                task = asyncio.create_task(self._answer(raw))
                self._tasks.add(task)
                task.add_done_callback(self._forget)
            _logger.warning("a kernel sent %d messages that are no requests; its channel is closed", self._garbage)
        finally:
            await self.cancel()

    async def cancel(self) -> None:
        """Stop every handler that still works: the cell that asked is over."""
        tasks = [task for task in self._tasks if not task.done()]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)

    def _forget(self, task: asyncio.Task[None]) -> None:
        self._tasks.discard(task)
        self._slots.release()
        if not task.cancelled() and task.exception() is not None:
            _logger.error("a request could not be answered", exc_info=task.exception())

    async def _answer(self, raw: bytes) -> None:
        try:
            request = parse_request(raw)
        except MalformedRequest as error:
            self._garbage += 1
            if error.id is not None:
                await self._send(error.id, refused=str(error))
            return
        refusal = self._refusal(request)
        if refusal is not None or self.handler is None:
            await self._send(request.id, refused=refusal or "this kernel has nobody to ask")
            return
        work = asyncio.ensure_future(self.handler(request.op, request.payload))
        try:
            await asyncio.wait({work})
        finally:
            if work.cancel():
                await asyncio.wait({work})
        if work.cancelled():
            await self._send(request.id, refused="the request was cancelled")
            return
        error = work.exception()
        if error is None:
            await self._send(request.id, ok=work.result())
        elif isinstance(error, RequestRefused):
            await self._send(request.id, refused=str(error))
        else:
            _logger.error("the handler of %r failed", request.op, exc_info=error)
            await self._send(request.id, refused="the host failed to answer; its log says why")

    def _refusal(self, request: KernelRequest) -> str | None:
        running = self._running()
        if running is None:
            return "no cell is running: the host answers only while an approved cell runs"
        if request.cell != running:
            return (
                "this comes from a thread that an earlier cell started, or a task or handler of it: the host answers "
                "the running cell alone"
            )
        return None

    async def _send(self, number: int, **reply: JSON) -> None:
        try:
            text = json.dumps({"id": number, **reply}, allow_nan=False).encode()
            refused = f"the answer is longer than {REPLY_BYTES_MAX} bytes" if len(text) > REPLY_BYTES_MAX else None
        except (TypeError, ValueError) as error:
            text, refused = b"", f"the answer is no JSON ({error})"
        if refused is not None:
            text = json.dumps({"id": number, "refused": refused}).encode()
        try:
            await asyncio.get_running_loop().sock_sendall(self._sock, text)
        except OSError:
            return  # the kernel is gone; so is the one who asked
