"""The channel between the server and a worker: frames of known length over a pair of sockets.

A worker reads files and runs queries that others wrote, so the server takes nothing from it on trust: a frame that is
longer than the reader allows is refused before a byte of it is read, and nothing is ever unpickled.
"""

from __future__ import annotations

import json
import socket
import struct
from typing import Any, TypeVar

from pydantic import TypeAdapter

T = TypeVar("T")

MESSAGE_LIMIT_BYTES = 64 * 1024 * 1024
"""The longest message; the catalog of a database with thousands of columns has some megabytes."""
_LENGTH = struct.Struct(">Q")


class ChannelBroken(Exception):
    """The other side ended, or what it sent is none of ours."""


def send(sock: socket.socket, message: object, kind: TypeAdapter[Any]) -> None:
    """Send a message as one frame of JSON.

    Raises:
        OSError: The other side is gone.
    """
    data = json.dumps(kind.dump_python(message), default=str).encode()
    sock.sendall(_LENGTH.pack(len(data)) + data)


def receive(sock: socket.socket, kind: TypeAdapter[T]) -> T:
    """Receive one message and validate it.

    Raises:
        ChannelBroken: The other side ended, or the frame is too long or no such message.
        TimeoutError: The socket has a time limit, and it is over.
    """
    data = receive_bytes(sock, limit_bytes=MESSAGE_LIMIT_BYTES)
    try:
        return kind.validate_python(json.loads(bytes(data)))
    except (ValueError, RecursionError) as problem:  # pydantic's and json's errors are ValueErrors
        raise ChannelBroken(f"a message that is none ({type(problem).__name__})") from None


def announce(sock: socket.socket, size_bytes: int) -> None:
    """Say how many raw bytes follow."""
    sock.sendall(_LENGTH.pack(size_bytes))


def receive_bytes(sock: socket.socket, *, limit_bytes: int) -> bytearray:
    """Receive one frame.

    Raises:
        ChannelBroken: The other side ended, or announced more than `limit_bytes`.
    """
    head = bytearray(_LENGTH.size)
    _fill(sock, memoryview(head))
    (size,) = _LENGTH.unpack(head)
    if size > limit_bytes:
        raise ChannelBroken(f"a frame of {size} bytes, where {limit_bytes} are allowed")
    data = bytearray(size)
    _fill(sock, memoryview(data))
    return data


def _fill(sock: socket.socket, view: memoryview) -> None:
    while view:
        try:
            count = sock.recv_into(view)
        except TimeoutError:
            raise
        except OSError as problem:
            raise ChannelBroken(str(problem)) from None
        if not count:
            raise ChannelBroken("the other side ended")
        view = view[count:]
