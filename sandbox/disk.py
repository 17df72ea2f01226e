"""Disk usage of a session: the blocks of its work folder, and of deleted files that are still open.

A deleted file keeps its blocks while it is open, mapped, or in transit through a socket. So the session's processes are
examined as well as the folder. Blocks are counted, not lengths: a sparse file counts by its blocks, and a file with
several names counts once. Linux only; blocks, so call it from a thread.
"""

from __future__ import annotations

import contextlib
import os
import signal
import stat
from collections.abc import Generator, Sequence
from contextlib import closing, contextmanager
from dataclasses import dataclass

from . import trees
from .processes import descendants

_BLOCK = 512
_STOP_ROUNDS = 8


@dataclass(frozen=True, slots=True, kw_only=True)
class Held:
    """Bytes on disk, and files and folders, named or not."""

    size: int
    files: int


class _Tally:
    """What was counted so far; each nameless or many-named file once."""

    def __init__(self, desk: str, uid: int | None) -> None:
        self.size = self.files = 0
        self._device = os.stat(desk).st_dev
        self._uid = uid
        self._seen: set[int] = set()

    def named(self, status: os.stat_result) -> None:
        if status.st_nlink > 1 and not stat.S_ISDIR(status.st_mode):
            if status.st_ino in self._seen:
                self.files += 1
                return
            self._seen.add(status.st_ino)
        self.add(status.st_blocks * _BLOCK)

    def nameless(self, status: os.stat_result) -> None:
        ours = stat.S_ISREG(status.st_mode) and status.st_nlink == 0 and status.st_dev == self._device
        # Where the session has a user of its own, a deleted result of the host's is not the session's.
        # By inode: several processes may hold the same deleted file open.
        if ours and self._uid in (None, status.st_uid) and status.st_ino not in self._seen:
            self._seen.add(status.st_ino)
            self.add(status.st_blocks * _BLOCK)

    def unknown(self, device: str, inode: int, size: int) -> None:
        major, _, minor = device.partition(":")
        if os.makedev(int(major, 16), int(minor, 16)) == self._device and inode not in self._seen:
            self._seen.add(inode)
            self.add(size)

    def add(self, size: int) -> None:
        self.size += size
        self.files += 1


def measure_usage(desk: str, supervisor: int, *, uid: int | None, file_bytes: int, files_max: int) -> Held:
    """Count what the session below `supervisor` holds on the file system of `desk`.

    Args:
        desk: The work folder.
        supervisor: The process above all of the session's.
        uid: The session's own user, where it has one.
        file_bytes: The most a file may hold: taken for one that is there but cannot be looked at.
        files_max: Counting stops soon after so many files.

    Raises:
        FolderMoved: A folder was moved meanwhile; count again inside `pause_processes`.
        OSError: `desk` cannot be opened.
    """
    tally = _Tally(desk, uid)
    with closing(trees.walk(desk)) as steps:
        for step in steps:
            if isinstance(step, trees.Left):
                continue
            # Folders have blocks too: a million empty ones would fill a disk.
            tally.named(os.fstat(step.fd))
            for name in step.files:
                with contextlib.suppress(OSError):
                    tally.named(os.stat(name, dir_fd=step.fd, follow_symlinks=False))
            if tally.files > files_max:
                break
    for pid in descendants(supervisor):
        with contextlib.suppress(OSError):
            _open_files(pid, tally, file_bytes)
        with contextlib.suppress(OSError):
            _mapped_files(pid, tally, file_bytes)
    return Held(size=tally.size, files=tally.files)


def _open_files(pid: int, tally: _Tally, file_bytes: int) -> None:
    # All threads share one table (the filter sees to it), and the first may have ended before the others.
    for thread in os.listdir(f"/proc/{pid}/task"):
        base = f"/proc/{pid}/task/{thread}"
        descriptors = os.listdir(f"{base}/fd")
        for number in descriptors:
            with contextlib.suppress(OSError):
                status = os.stat(f"{base}/fd/{number}")
                tally.nameless(status)
                if stat.S_ISSOCK(status.st_mode):
                    for _ in range(_sent(f"{base}/fdinfo/{number}")):
                        tally.add(file_bytes)
        if descriptors:
            return


def _sent(path: str) -> int:
    """How many open files wait in a socket to be received; they are in no process's table."""
    with open(path) as file:
        for line in file:
            if line.startswith("scm_fds:"):
                return int(line.split()[1])
    return 0


def _mapped_files(pid: int, tally: _Tally, file_bytes: int) -> None:
    with open(f"/proc/{pid}/maps", errors="surrogateescape") as file:
        for line in file:
            if not line.endswith("(deleted)\n"):
                continue
            addresses, _, _, device, inode, _ = line.split(maxsplit=5)
            try:
                tally.nameless(os.stat(f"/proc/{pid}/map_files/{addresses}"))
            except PermissionError:  # only root may look
                tally.unknown(device, int(inode), file_bytes)


@contextmanager
def pause_processes(supervisor: int) -> Generator[None]:
    """Hold all processes of the session still, so that nothing is written or moved meanwhile."""
    stopped_pids: dict[int, None] = {}
    try:
        for _ in range(_STOP_ROUNDS):
            fresh = [pid for pid in descendants(supervisor) if pid not in stopped_pids]
            if not fresh:
                break
            stopped_pids.update(dict.fromkeys(fresh))
            _signal(fresh, signal.SIGSTOP)
        yield
    finally:
        _signal(list(stopped_pids), signal.SIGCONT)


def _signal(pids: Sequence[int], number: signal.Signals) -> None:
    for pid in pids:
        with contextlib.suppress(OSError):
            os.kill(pid, number)
