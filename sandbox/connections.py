"""All connections between the host and one caged kernel, made by the host before the kernel exists.

Five listening Unix sockets that the kernel inherits (inside they have no path), the request channel, the lifeline whose
closing ends the cage, and the pipe that reports how the kernel ended. Sends and receives nothing.
"""

from __future__ import annotations

import contextlib
import os
import secrets
import shutil
import socket
import sys
import threading
from pathlib import Path
from typing import Any

from . import temporary

PORTS = {"shell": 1, "iopub": 2, "stdin": 3, "control": 4, "hb": 5}
_BACKLOG = 64
_PATH_BYTES_MAX = 100  # sockaddr_un holds 107


class KernelConnections:
    """The host's and the child's ends of one kernel's connections.

    Args:
        folder: Where the socket files live; made (and removed by `close`) when None. Given again, the same paths are
            reused, so that clients of a restarted kernel reconnect by themselves.
        key: What messages are signed with; a fresh random one when None.
    """

    def __init__(self, folder: Path | None = None, *, key: str | None = None) -> None:
        self._owns_folder = folder is None
        self.folder = folder or socket_folder()
        self.key = key or secrets.token_hex(16)
        self._listeners: list[socket.socket] = []
        for port in PORTS.values():
            path = f"{self.address}-{port}"
            with contextlib.suppress(FileNotFoundError):
                os.unlink(path)
            listener = socket.socket(socket.AF_UNIX, socket.SOCK_STREAM)
            self._listeners.append(listener)
            listener.bind(path)
            listener.listen(_BACKLOG)
            listener.setblocking(False)
        # Message boundaries are the socket's, so that one garbled message cannot garble the next.
        kind = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM
        self.requests, self._requests_child = socket.socketpair(socket.AF_UNIX, kind)
        self.requests.setblocking(False)
        self._lifeline_child, self._lifeline = os.pipe()
        self._cutting = threading.Lock()
        self.status, self._status_child = os.pipe()
        os.set_blocking(self.status, False)
        self._child_open = True
        self._host_open = True

    @property
    def address(self) -> str:
        """The prefix of the socket paths, as ZMQ's ipc transport names it."""
        return str(self.folder / "k")

    def path(self, channel: str) -> str:
        """The path of the socket of `channel` ("shell", "iopub", ...)."""
        return f"{self.address}-{PORTS[channel]}"

    def child_descriptors(self) -> list[int]:
        """What the child inherits: the listeners in the order of `PORTS`, requests, lifeline, status."""
        listeners = [listener.fileno() for listener in self._listeners]
        return [*listeners, self._requests_child.fileno(), self._lifeline_child, self._status_child]

    def connection_info(self) -> dict[str, Any]:
        """The connection in jupyter_client's terms."""
        return {
            "transport": "ipc",
            "ip": self.address,
            "key": self.key.encode(),
            "signature_scheme": "hmac-sha256",
            **{f"{name}_port": port for name, port in PORTS.items()},
        }

    def close_child_side(self) -> None:
        """Close the host's copies of what the child has inherited."""
        if not self._child_open:
            return
        self._child_open = False
        for listener in self._listeners:
            listener.close()
        self._requests_child.close()
        os.close(self._lifeline_child)
        os.close(self._status_child)

    def cut_lifeline(self) -> None:
        """Let the cage die. May be called again."""
        with self._cutting:  # the quota's thread cuts it too
            if self._lifeline >= 0:
                os.close(self._lifeline)
                self._lifeline = -1

    def close(self) -> None:
        """Close every end and remove the socket folder if it was made here. May be called again."""
        self.close_child_side()
        self.cut_lifeline()
        if not self._host_open:
            return
        self._host_open = False
        self.requests.close()
        os.close(self.status)
        if self._owns_folder:
            shutil.rmtree(self.folder, ignore_errors=True)


def socket_folder() -> Path:
    """A new folder of mode 0700 whose path is short enough for a socket."""
    folder = temporary.make("wires")
    if len(os.fsencode(folder)) > _PATH_BYTES_MAX:
        folder.rmdir()
        folder = temporary.make("wires", "/tmp")
    return folder
