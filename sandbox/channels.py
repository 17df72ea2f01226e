"""The host's end of a kernel's message channels: signed Jupyter messages over ZMQ. Knows no cell and no state."""

from __future__ import annotations

import asyncio
from typing import Any

import zmq
import zmq.asyncio
from jupyter_client.session import Session

from .collector import Message
from .errors import StartFailed
from .limits import Limits
from .wires import Wires

_WELCOME_S = 20.0
_HEADROOM_BYTES = 4 << 20  # what a message may weigh beyond the output it carries


class Channels:
    """The shell and iopub channels of one kernel; made by `open`, given back by `close`."""

    def __init__(self, wires: Wires, limits: Limits) -> None:
        self._context = zmq.asyncio.Context()
        self._session = Session(key=wires.key.encode(), username="host")
        # One message of a gigabyte costs the host three: let the connection drop instead.
        self._size_max = limits.output_bytes + _HEADROOM_BYTES
        self._wires = wires
        self._iopub = self._socket(zmq.SUB, wires.endpoint("iopub"), self._size_max)
        self._shell = self._socket(zmq.DEALER, wires.endpoint("shell"), self._size_max)

    def _socket(self, kind: int, endpoint: str, size_max: int) -> zmq.asyncio.Socket:
        socket: zmq.asyncio.Socket = self._context.socket(kind)
        socket.linger = 0
        socket.setsockopt(zmq.MAXMSGSIZE, size_max)
        if kind == zmq.SUB:
            socket.setsockopt(zmq.SUBSCRIBE, b"")
        socket.connect(endpoint)
        return socket

    @classmethod
    async def open(cls, wires: Wires, limits: Limits) -> Channels:
        """Connect, and wait until the kernel knows that we listen.

        Raises:
            StartFailed: It did not answer.
        """
        channels = cls(wires, limits)
        try:
            await channels._welcome()
        except BaseException:
            channels.close()
            raise
        return channels

    async def renew_iopub(self) -> None:
        """Connect to iopub anew: a message too large for it ended the old connection for good.

        Raises:
            StartFailed: The kernel did not answer.
        """
        self._iopub.close(linger=0)
        self._iopub = self._socket(zmq.SUB, self._wires.endpoint("iopub"), self._size_max)
        await self._welcome()

    async def _welcome(self) -> None:
        try:
            async with asyncio.timeout(_WELCOME_S):
                message = await self.receive_iopub()
                while message is None or message.kind != "iopub_welcome":
                    message = await self.receive_iopub()
        except TimeoutError:
            raise StartFailed("the kernel did not answer on its output channel") from None

    async def execute(self, code: str, *, silent: bool) -> str:
        """Send a cell; the id under which its messages will come."""
        content = {
            "code": code,
            "silent": silent,
            "store_history": not silent,
            "user_expressions": {},
            "allow_stdin": False,
            "stop_on_error": False,  # otherwise the next cell may be answered "aborted"
        }
        message = self._session.msg("execute_request", content)
        await self._shell.send_multipart(self._session.serialize(message))
        return str(message["header"]["msg_id"])

    async def receive_iopub(self) -> Message | None:
        """The next message on iopub; None for one that is not what it should be."""
        return self._parsed(await self._iopub.recv_multipart())

    async def receive_shell(self) -> Message | None:
        """The next reply; None for one that is not what it should be."""
        return self._parsed(await self._shell.recv_multipart())

    def _parsed(self, frames: list[bytes]) -> Message | None:
        try:
            _, parts = self._session.feed_identities(frames)
            raw: dict[str, Any] = self._session.deserialize(parts)
            kind, parent, content = raw["header"]["msg_type"], raw["parent_header"].get("msg_id", ""), raw["content"]
        except (ValueError, TypeError, KeyError, AttributeError, IndexError, RecursionError):
            return None
        if not isinstance(kind, str) or not isinstance(parent, str) or not isinstance(content, dict):
            return None
        return Message(kind=kind, parent=parent, content=content)

    def close(self) -> None:
        """Drop the connections."""
        self._context.destroy(linger=0)
