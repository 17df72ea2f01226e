"""The server's hold on its workers: starts the process they are forked from, and each of them; ends them.

Knows processes and sockets, nothing of queries. Everything here blocks for moments and may be called from any thread.
"""

from __future__ import annotations

import atexit
import os
import shutil
import socket
import subprocess
import sys
import weakref
from contextlib import suppress
from itertools import count
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING, Literal

from assistant.core.data_errors import SourceError
from sandbox import temporary
from sandbox.cage import policy

if TYPE_CHECKING:
    from assistant.sources.workers.messages import Engine

_CLOSE_S = 5.0
_PACKET = socket.SOCK_SEQPACKET if sys.platform == "linux" else socket.SOCK_DGRAM


class Forkserver:
    """The process that workers are forked from; started by the first that needs it, and again should it end."""

    def __init__(self) -> None:
        self._process: subprocess.Popen[bytes] | None = None
        self._control: socket.socket | None = None
        self._folder: Path | None = None
        self._lock = Lock()
        self._numbers = count(1)

    def start(self) -> None:
        """Start it where it does not run. It imports the engines meanwhile; nobody waits for that here."""
        with self._lock:
            self._ensure()

    def fork(self, kind: Engine | Literal["document"]) -> Process:
        """A new worker process, which waits for its first message.

        Args:
            kind: What it is for: queries of an engine, to make a database of files, or to read a document.

        Raises:
            SourceError: The machine gives no process.
        """
        with self._lock:
            for attempt in (1, 2):
                folder, control = self._ensure()
                ours, theirs = socket.socketpair()
                number = next(self._numbers)
                try:
                    socket.send_fds(control, [f"fork {number} {kind}".encode()], [theirs.fileno()])
                except OSError as problem:
                    ours.close()
                    self._close()
                    if attempt == 2:
                        text = f"The process that file engines are started from does not run ({problem.strerror})."
                        raise SourceError(f"{text} Try again.") from None
                    continue
                finally:
                    theirs.close()
                scratch = folder / str(number)
                scratch.mkdir()
                return Process(self, number, ours, scratch)
        raise AssertionError("either of two attempts returns or raises")

    def kill(self, number: int) -> None:
        """End a worker, whatever it does. Nothing happens where it has ended."""
        with self._lock, suppress(OSError):
            if self._control is not None:
                self._control.send(f"kill {number}".encode())

    def close(self) -> None:
        """End it and all workers."""
        with self._lock:
            self._close()

    def _ensure(self) -> tuple[Path, socket.socket]:
        is_running = self._process is not None and self._process.poll() is None
        # A system that clears temporary files takes the folder away below a server that runs for weeks.
        if is_running and self._control and self._folder and self._folder.is_dir():
            return self._folder, self._control
        self._close()
        temporary.sweep()
        self._folder = temporary.make("engines")
        root = policy.package_root()
        self._control, child = socket.socketpair(socket.AF_UNIX, _PACKET)
        with child:
            self._process = subprocess.Popen(
                [sys.executable, "-P", "-m", "assistant.sources.workers.forkserver", str(child.fileno())],
                pass_fds=[child.fileno()],
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=subprocess.DEVNULL,
                env={
                    **policy.environment(home=str(self._folder), tmp=str(self._folder)),
                    "PYTHONPATH": root,
                    # SQLite reads it once, when it is imported: each worker stands in a folder of its own by then.
                    "SQLITE_TMPDIR": ".",
                    # A process that is forked from should have one thread.
                    "OPENBLAS_NUM_THREADS": "1",
                    "OMP_NUM_THREADS": "1",
                },
                cwd="/",
                start_new_session=True,
            )
        return self._folder, self._control

    def _close(self) -> None:
        if self._control is not None:
            self._control.close()
            self._control = None
        process, self._process = self._process, None
        if process is not None:
            try:
                process.wait(_CLOSE_S)
            except subprocess.TimeoutExpired:
                process.kill()
                process.wait()
        folder, self._folder = self._folder, None
        if folder is not None:
            shutil.rmtree(folder, ignore_errors=True)


class Process:
    """A worker process: its channel, and its end."""

    def __init__(self, server: Forkserver, number: int, sock: socket.socket, scratch: Path) -> None:
        self._server = server
        self._number = number
        self.sock = sock
        self.scratch = scratch
        self._end = weakref.finalize(self, _ended, sock, scratch)

    def kill(self) -> None:
        """End it, whatever it does; whoever reads its channel finds that closed."""
        self._server.kill(self._number)

    def close(self) -> None:
        """Let go: it is ended, and its folder removed. Idempotent."""
        self.kill()
        self._end()


def _ended(sock: socket.socket, scratch: Path) -> None:
    sock.close()
    with suppress(RecursionError):
        shutil.rmtree(scratch, ignore_errors=True)


_FORKSERVER = Forkserver()
_PID = os.getpid()


def forkserver() -> Forkserver:
    """The one of this program."""
    return _FORKSERVER


@atexit.register
def _close_at_exit() -> None:
    if os.getpid() == _PID:
        _FORKSERVER.close()
