"""The supervisor process of a session: it reaps children, reports how the kernel ended, and kills what is left.

As pid 1 of a pid namespace its own exit kills the rest. Elsewhere it is a subreaper: whatever the session starts,
daemons included, stays its descendant, and is killed by walking the tree until it is empty.
"""

from __future__ import annotations

import contextlib
import os
import select
import signal
import time
from types import FrameType
from typing import NoReturn

from . import linux

_IGNORED = (signal.SIGINT, signal.SIGTERM, signal.SIGHUP, signal.SIGPIPE)
_KILL_ROUNDS = 200
_STDERR_TAIL_BYTES, _STDERR_READ_BYTES = 2_000, 64 << 10


def watch(
    kernel: int, *, lifeline: int, status: int, stderr: int | None = None, kill_uid: int | None = None
) -> NoReturn:
    """Wait until the kernel ends or the host lets go, then end everything.

    Args:
        kernel: Pid of the child that is, or leads to, the kernel.
        lifeline: Readable (end of file) when the host closed its end or died.
        status: Receives the kernel's wait status as decimal text, a line end and the last of `stderr`, once. Left empty
            when the host let go.
        stderr: Read end of a pipe with what a fresh program writes before it is up; drained, and closed after 64 KiB.
        kill_uid: A user that only this session runs under: all of it is killed at one stroke.
    """
    # Nothing inside may look into this process or write to its memory: it decides who lives.
    linux.prctl(linux.PR_SET_DUMPABLE, 0)
    for number in _IGNORED:
        signal.signal(number, signal.SIG_IGN)
    reader, writer = os.pipe()
    # SIGCHLD is turned into a byte in this pipe, so that one select() waits for children, host and stderr alike.
    os.set_blocking(reader, False)
    os.set_blocking(writer, False)
    signal.signal(signal.SIGCHLD, _wake)
    signal.set_wakeup_fd(writer, warn_on_full_buffer=False)
    errors = _Tail(stderr)
    exit_code = _wait(kernel, lifeline, reader, errors)
    _kill_descendants(kill_uid)
    if exit_code is not None:
        with contextlib.suppress(OSError):
            os.write(status, b"%d\n%s" % (exit_code, errors.text))
    os._exit(0)


def _wake(number: int, frame: FrameType | None) -> None:
    """A handler must exist for the wakeup descriptor to be written to."""


def become_subreaper() -> None:
    """Adopt whatever the session's processes leave behind."""
    linux.prctl(linux.PR_SET_CHILD_SUBREAPER, 1)


class _Tail:
    """The end of what comes through a pipe that others hold; reads so much of it and no more."""

    def __init__(self, fd: int | None) -> None:
        self.fd = fd
        self.text = b""
        self._room = _STDERR_READ_BYTES
        if fd is not None:
            os.set_blocking(fd, False)

    def read(self) -> None:
        """Take all that is there now."""
        while self.fd is not None:
            try:
                text = os.read(self.fd, 4096)
            except BlockingIOError:
                return
            self.text = (self.text + text)[-_STDERR_TAIL_BYTES:]
            self._room -= len(text)
            if not text or self._room <= 0:
                os.close(self.fd)
                self.fd = None


def _wait(kernel: int, lifeline: int, wakeup: int, errors: _Tail) -> int | None:
    while True:
        while True:
            try:
                # All children, not the kernel alone: orphans of the session are adopted here and must be reaped.
                pid, exit_status = os.waitpid(-1, os.WNOHANG)
            except ChildProcessError:
                return None
            if pid == 0:
                break
            if pid == kernel:
                errors.read()  # what it wrote last
                return exit_status
        sources = [wakeup, lifeline] if errors.fd is None else [wakeup, lifeline, errors.fd]
        ready, _, _ = select.select(sources, [], [])
        if errors.fd in ready:
            errors.read()
        if lifeline in ready:
            return None
        with contextlib.suppress(BlockingIOError):
            os.read(wakeup, 4096)


def _kill_descendants(kill_uid: int | None) -> None:
    if os.getpid() == 1:
        return  # the kernel kills a pid namespace with its pid 1
    if kill_uid is not None:
        _kill_user(kill_uid)
    # Rounds, because a process may fork between the listing and its kill.
    for _ in range(_KILL_ROUNDS):
        pids = _descendants(os.getpid())
        if not pids:
            return
        for pid in pids:
            with contextlib.suppress(ProcessLookupError, PermissionError):
                os.kill(pid, signal.SIGKILL)
        with contextlib.suppress(ChildProcessError):
            while os.waitpid(-1, os.WNOHANG)[0]:
                pass
        time.sleep(0.005)


def _kill_user(uid: int) -> None:
    # kill(-1) reaches every process of the user at once; a loop over pids loses against a fork bomb.
    child = os.fork()
    if child == 0:
        with contextlib.suppress(OSError):
            os.setgroups([])
            os.setresgid(uid, uid, uid)
            os.setresuid(uid, uid, uid)
            os.kill(-1, signal.SIGKILL)
        os._exit(0)
    with contextlib.suppress(ChildProcessError):
        os.waitpid(child, 0)


def _descendants(pid: int) -> list[int]:
    pids: list[int] = []
    pending = [pid]
    while pending:
        for child in _children(pending.pop()):
            pids.append(child)
            pending.append(child)
    return pids


def _children(pid: int) -> list[int]:
    pids: list[int] = []
    with contextlib.suppress(OSError):
        for thread in os.listdir(f"/proc/{pid}/task"):  # a child belongs to the thread that forked it
            with open(f"/proc/{pid}/task/{thread}/children") as file:
                pids += [int(word) for word in file.read().split()]
    return pids
