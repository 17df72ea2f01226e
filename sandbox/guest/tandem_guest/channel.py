"""The request channel, guest side: one blocking question at a time over an inherited socket pair.

Each message is one JSON object; message boundaries are the socket's own. Requests carry a number, so that a reply to a
request that was interrupted is recognised and dropped, and the token of the cell they were started in, so that what
outlived its cell is told from the cell that runs now.

The token lives in a context variable, which follows code wherever its cell starts it: into tasks and callbacks by
asyncio, into threads, the jobs of pools and signal handlers by `attach`. It is no secret from code that searches the
interpreter's memory; what such code may ask is for the host to say.
"""

from __future__ import annotations

import json
import os
import signal
import socket
import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from contextvars import ContextVar, copy_context
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
        self.lock = threading.Lock()


_link = _Link()
_token: ContextVar[str] = ContextVar("tandem_token", default="")


def attach(sock: socket.socket, data: str) -> None:
    """Use `sock` for requests and `data` as the folder of results."""
    _link.sock, _link.data, _link.owner = sock, data, os.getpid()
    _follow()


def _follow() -> None:
    """Let what a cell starts keep the cell's context, whenever and wherever it runs."""
    start, submit = threading.Thread.start, ThreadPoolExecutor.submit
    handle, handled = signal.signal, signal.getsignal

    def start_in_context(self: threading.Thread) -> None:
        self.run = _Bound(self.run)
        start(self)

    def submit_in_context(self: ThreadPoolExecutor, fn: Callable[..., Any], /, *args: Any, **kwargs: Any) -> Any:
        return submit(self, _Bound(fn), *args, **kwargs)

    def handle_in_context(signalnum: int, handler: Any) -> Any:
        own = callable(handler) and handler is not signal.default_int_handler
        return _unbound(handle(signalnum, _Bound(handler) if own else handler))

    def handled_as_given(signalnum: int) -> Any:
        return _unbound(handled(signalnum))

    threading.Thread.start = start_in_context
    ThreadPoolExecutor.submit = submit_in_context
    signal.signal, signal.getsignal = handle_in_context, handled_as_given


class _Bound:
    """A function that runs in a copy of the context it was bound in."""

    def __init__(self, function: Callable[..., Any]) -> None:
        self.function = function
        self._context = copy_context()

    def __call__(self, *args: Any, **kwargs: Any) -> Any:
        return self._context.copy().run(self.function, *args, **kwargs)


def _unbound(handler: Any) -> Any:
    return handler.function if isinstance(handler, _Bound) else handler


def enter_cell(token: str) -> None:
    """From here on this context, and all that is started in it, belongs to the cell with `token`."""
    _token.set(token)


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
        text = json.dumps({"id": number, "cell": _token.get(), "op": op, "payload": payload}, allow_nan=False)
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
