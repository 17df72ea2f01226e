"""The wire protocol of a channel: the client's side of ZMTP 3.0 over a Unix socket, bounded in memory and rate.

libzmq reads ahead in a thread of its own, bounds each frame but not the number of frames of one message, and ends the
process when it lacks a descriptor. Here nothing is read before it is asked for: the messages of a faster peer wait in
its own memory. This module knows frames, and nothing of their content.

Source: https://rfc.zeromq.org/spec/23/ (ZMTP 3.0), NULL mechanism.
"""

from __future__ import annotations

import asyncio
import struct
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from .rate_limit import RateLimit

_MORE, _LONG, _COMMAND = 0x01, 0x02, 0x04
_SIGNATURE = b"\xff" + bytes(8) + b"\x7f"
_GREETING = (_SIGNATURE + b"\x03\x00" + b"NULL".ljust(20, b"\0")).ljust(64, b"\0")
_SUBSCRIPTION = b"\x01"
_READY = b"\x05READY"
_COMMAND_BYTES_MAX = 4096
_FRAMES_MAX = 64
_CHUNK_BYTES = 128 << 10
_LENGTH = struct.Struct(">Q")
# A Jupyter message has seven frames.
_FRAMES_PER_S = 7 * 500.0
_BYTES_PER_S = float(32 << 20)
_BURST_S = 6.0


class WireClosed(Exception):
    """The peer closed the connection, or does not speak the protocol."""


@dataclass(frozen=True, slots=True)
class Multipart:
    """One message as it came.

    Attributes:
        frames: Its frames; where it is too large, those before the one that did not fit.
        size_bytes: The size of all of them.
        whole: Whether `frames` is all there was.
    """

    frames: tuple[bytes, ...]
    size_bytes: int
    complete: bool


class Wire:
    """One connection; made by `connect`, given back by `close`.

    Attributes:
        received_bytes: What has come so far, kept or not.
    """

    def __init__(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter, message_bytes_max: int) -> None:
        self.received_bytes = 0
        self._reader = reader
        self._writer = writer
        self._max = message_bytes_max
        self._pace = RateLimit(items_per_s=_FRAMES_PER_S, bytes_per_s=_BYTES_PER_S, burst_s=_BURST_S)

    @classmethod
    async def connect(cls, path: str, *, kind: Literal["SUB", "DEALER"], message_bytes_max: int) -> Wire:
        """Connect to the socket at `path`; as SUB, subscribe to everything.

        Raises:
            WireClosed: The peer does not speak the protocol.
            OSError: There is nobody to connect to.
        """
        reader, writer = await asyncio.open_unix_connection(path, limit=_CHUNK_BYTES)
        wire = cls(reader, writer, message_bytes_max)
        try:
            await wire.greet(kind)
        except BaseException:
            wire.close()
            raise
        return wire

    async def greet(self, kind: Literal["SUB", "DEALER"]) -> None:
        """The handshake; `connect` does it.

        Raises:
            WireClosed: The peer does not speak the protocol.
        """
        socket_type = kind.encode()
        ready = _READY + b"\x0bSocket-Type" + struct.pack(">I", len(socket_type)) + socket_type
        self._writer.write(_GREETING + _frame(ready, _COMMAND))
        greeting = await self._read(len(_GREETING))
        # ZMTP 3.0: a signature of ten bytes (0xFF, padding, a byte with its lowest bit set), then the major version.
        if (greeting[0], greeting[9] & 1, greeting[10] >= 3) != (0xFF, 1, True):
            raise WireClosed("the peer does not speak ZMTP 3")
        flags, length = await self._read_head()
        if not flags & _COMMAND or length > _COMMAND_BYTES_MAX:
            raise WireClosed("the peer broke the handshake")
        if not (await self._read(length)).startswith(_READY):
            raise WireClosed("the peer refused the handshake")
        if kind == "SUB":
            self._writer.write(_frame(_SUBSCRIPTION, 0))

    async def send(self, frames: Sequence[bytes]) -> None:
        """Send one message; waits while the peer does not read."""
        last = len(frames) - 1
        self._writer.writelines(_frame(frame, _MORE if place < last else 0) for place, frame in enumerate(frames))
        try:
            await self._writer.drain()
        except OSError as error:
            raise WireClosed(f"the peer closed the connection ({error})") from error

    async def receive(self) -> Multipart:
        """The next message.

        Raises:
            WireClosed: There is none and will be none.
        """
        frames: list[bytes] = []
        size, complete = 0, True
        while True:
            flags, length = await self._read_head()
            if not flags & _COMMAND:
                size += length
                complete = complete and size <= self._max and len(frames) < _FRAMES_MAX
            # The head is paid for before the body is read, so that empty frames are limited too.
            await self._pace.spend(items=1, size_bytes=0)
            # The rest of a message that is too large is read and dropped: the stream must stay aligned with its frames.
            if flags & _COMMAND or not complete:
                await self._skip(length)
            else:
                await self._pace.spend(items=0, size_bytes=length)
                frames.append(await self._read(length))
            if not flags & (_COMMAND | _MORE):
                return Multipart(tuple(frames), size, complete)

    async def _skip(self, length: int) -> None:
        while length:
            chunk = min(length, _CHUNK_BYTES)
            await self._pace.spend(items=0, size_bytes=chunk)
            await self._read(chunk)
            length -= chunk

    async def _read_head(self) -> tuple[int, int]:
        flags, length = await self._read(2)
        if flags & _LONG:
            (length,) = _LENGTH.unpack(bytes([length]) + await self._read(_LENGTH.size - 1))
        return flags, length

    async def _read(self, length: int) -> bytes:
        try:
            data = await self._reader.readexactly(length)
        except (asyncio.IncompleteReadError, OSError) as error:
            raise WireClosed(f"the peer closed the connection ({error})") from error
        self.received_bytes += length
        return data

    def close(self) -> None:
        """Drop the connection and what was not sent yet. May be called again."""
        # Not close(): that would wait until the peer has read what is buffered.
        self._writer.transport.abort()


def _frame(body: bytes, flags: int) -> bytes:
    if len(body) < 256:
        return bytes([flags, len(body)]) + body
    return bytes([flags | _LONG]) + _LENGTH.pack(len(body)) + body
