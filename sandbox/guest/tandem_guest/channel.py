"""The request channel, guest side: one blocking question at a time over an inherited socket pair.

Each message is one JSON object; message boundaries are the socket's own. Requests carry a number, so that a reply to a
request that was interrupted is recognised and dropped, and the cell they belong to, so that a thread that outlived its
cell is told from the cell that runs now.
"""

from __future__ import annotations

import json
import os
import socket
import threading
from typing import Any

REQUEST_BYTES_MAX = 128 << 10
REPLY_BYTES_MAX = 128 << 10


class RequestRefused(Exception):
    """The host declined a request; the text is the host's own."""


class _Link:
    """The state of the channel; filled by `attach`, before any cell runs."""

    def __init__(self) -> None:
        self.sock: socket.socket | None = None
        self.data = ""
        self.owner = 0
        self.number = 0
        self.cell = ""
        self.lock = threading.Lock()


_link = _Link()


def attach(sock: socket.socket, data: str) -> None:
    """Use `sock` for requests and `data` as the folder of results."""
    _link.sock, _link.data, _link.owner = sock, data, os.getpid()
    start = threading.Thread.start

    def start_in_cell(self: threading.Thread) -> None:
        self.__dict__["_tandem_cell"] = current_cell()
        start(self)

    threading.Thread.start = start_in_cell


def enter_cell(cell: str) -> None:
    """From here on the main thread runs the cell named `cell`."""
    _link.cell = cell


def current_cell() -> str:
    """The cell to which the calling thread belongs."""
    thread = threading.current_thread()
    if thread is threading.main_thread():
        return _link.cell
    return str(thread.__dict__.get("_tandem_cell", ""))


def data_path(name: str) -> str:
    """The path of the file `name` in the read-only data folder.

    Raises:
        ValueError: `name` is not a plain file name.
    """
    if not name or name != os.path.basename(name) or name in (".", ".."):
        raise ValueError(f"{name!r} is not a plain file name")
    return os.path.join(_link.data, name)


def call(op: str, **payload: Any) -> dict[str, Any]:
    """Ask the host for `op` and wait for the answer.

    Raises:
        RequestRefused: The host declined, with its message.
        RuntimeError: There is no host to ask (a process forked by the cell, or the channel is gone).
        ValueError: The request is too long or not JSON.
    """
    sock = _link.sock
    if sock is None or os.getpid() != _link.owner:
        raise RuntimeError("the host can be asked only from the process that runs the cells")
    with _link.lock:
        _link.number += 1
        number = _link.number
        text = json.dumps({"id": number, "cell": current_cell(), "op": op, "payload": payload}, allow_nan=False)
        raw = text.encode()
        if len(raw) > REQUEST_BYTES_MAX:
            raise ValueError(f"a request may have {REQUEST_BYTES_MAX} bytes, this one has {len(raw)}")
        sock.sendall(raw)
        return _reply(sock, number)


def _reply(sock: socket.socket, number: int) -> dict[str, Any]:
    while True:
        raw = sock.recv(REPLY_BYTES_MAX + 4096)
        if not raw:
            raise RuntimeError("the host closed the request channel")
        reply = json.loads(raw)
        if reply.get("id") != number:
            continue  # belongs to a request that was interrupted
        if "refused" in reply:
            raise RequestRefused(reply["refused"])
        return reply["ok"]
