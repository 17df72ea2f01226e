"""The disk quota of a work folder: a thread that counts blocks, more often when little is left, and ends the kernel.

The free space of the file system is checked often, because that costs a microsecond and no file escapes it: neither a
deleted one, nor one in a folder whose path is too long to name. The session's own usage (`disk`) is counted when free
space shrank by half of the remaining quota, and every few seconds. Where the disk itself runs full, a session that
keeps writing is ended: the store and the other sessions need the rest. While such a suspicion is counted the session is
paused, so that it gains nothing by writing or moving folders meanwhile.

A thread and no task: a busy event loop must not give a cell the time to fill the disk.
"""

from __future__ import annotations

import errno
import logging
import os
import threading
import time
from dataclasses import dataclass
from typing import Literal

from .disk import Held, measure_usage, pause_processes
from .launch import CagedProcess
from .limits import MIB, Limits
from .trees import FolderMoved

_EVERY_S = 3.0
_SOONEST_S, _LATEST_S = 0.02, 0.5
# Faster than a process fills the page cache on the machines we know; the next look comes before half the room is gone.
_FASTEST_BYTES_S = 4096 * MIB
_STEP_BYTES, _STEP_FILES = 16 * MIB, 1000
# A session that makes us count pays for it in standing still, so that the host does not.
_PRICE = 3
_TRIES = 3
_logger = logging.getLogger(__name__)


class Quota:
    """Watches the work folder of one kernel process until `close`.

    Attributes:
        passed: Which limit was passed, None while none is.
        begun: Is set when the folder was counted for the first time. Whatever runs before that counts as there already.
    """

    def __init__(self, process: CagedProcess, limits: Limits) -> None:
        self.passed: Literal["bytes", "files", "disk"] | None = None
        self.begun = threading.Event()
        self._process = process
        self._limits = limits
        self._closing = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="desk quota", daemon=True)
        self._thread.start()

    def close(self) -> None:
        """Stop watching. Blocks until a count that is under way has ended."""
        self._closing.set()
        self._thread.join()

    def _watch(self) -> None:
        try:
            self._until_closed()
        finally:
            self.begun.set()

    def _until_closed(self) -> None:
        while not self._closing.is_set() and not self._process.ended.done():
            try:
                self._until_passed()
            except OSError as error:
                if error.errno in (errno.EMFILE, errno.ENFILE) and not self._closing.wait(_LATEST_S):
                    continue  # the host is out of descriptors, which is no fault of the session
                if not self._closing.is_set() and not self._process.ended.done():
                    _logger.warning("the work folder %s cannot be counted (%s)", self._process.spec.desk, error)
                    self._process.kill()
            return

    def _until_passed(self) -> None:
        limits, desk = self._limits, self._process.spec.desk
        last = _free(desk)
        now = self._count(still=False)
        # A folder that is too full already may still be cleared: only growth beyond the limit is stopped.
        bounds = Held(size=max(limits.desk_bytes, now.size), files=max(limits.desk_files, now.files))
        self.begun.set()
        spare = min(limits.disk_spare_bytes, last.total // 20)
        while_roomy = now.size
        counted = time.monotonic()
        while True:
            free = _free(desk)
            # What others freed meanwhile hides no growth.
            last = _Free(bytes=max(last.bytes, free.bytes), files=max(last.files, free.files), total=free.total)
            bytes_added, files_added = last.bytes - free.bytes, last.files - free.files
            # Growth counts from the last time there was room: what was written before did not fill the disk.
            if free.bytes >= spare:
                while_roomy = now.size
            suspicious = bytes_added > max(min((bounds.size - now.size) // 2, (last.bytes - spare) // 2), _STEP_BYTES)
            suspicious |= files_added > max((bounds.files - now.files) // 2, _STEP_FILES)
            if suspicious or time.monotonic() - counted > _EVERY_S:
                last, bytes_added = free, 0
                now = self._count(still=suspicious)
                counted = time.monotonic()
                if now.size > bounds.size:
                    self.passed = "bytes"
                elif now.files > bounds.files:
                    self.passed = "files"
                elif free.bytes < spare and now.size > while_roomy + _STEP_BYTES:
                    self.passed = "disk"
                if self.passed:
                    self._process.kill()
                    return
            # Look again before even the fastest writer could use up half of what is left.
            room = min(bounds.size - now.size - bytes_added, free.bytes - spare)
            pause = min(max(room / 2 / _FASTEST_BYTES_S, _SOONEST_S), _LATEST_S)
            if self._closing.wait(pause) or self._process.ended.done():
                return

    def _count(self, *, still: bool) -> Held:
        if not still:
            try:
                return self._held()
            except FolderMoved:  # by chance, or to hide what is in it
                pass
        began = time.monotonic()
        with pause_processes(self._process.supervisor):
            for _ in range(_TRIES):
                try:
                    now = self._held()
                    break
                except FolderMoved:  # by a process that was born while the others were stopped
                    continue
            else:
                raise OSError(errno.EBUSY, "folders in it are moved all the time")
            self._closing.wait(min(_PRICE * (time.monotonic() - began), _LATEST_S))
        return now

    def _held(self) -> Held:
        spec, limits = self._process.spec, self._limits
        return measure_usage(
            spec.desk,
            self._process.supervisor,
            uid=spec.uid,
            file_bytes=limits.file_bytes,
            files_max=2 * limits.desk_files,
        )


@dataclass(frozen=True, slots=True, kw_only=True)
class _Free:
    """Bytes and files that a file system has room for, and the bytes that it has in all."""

    bytes: int
    files: int
    total: int


def _free(folder: str) -> _Free:
    status = os.statvfs(folder)
    return _Free(bytes=status.f_bavail * status.f_frsize, files=status.f_ffree, total=status.f_blocks * status.f_frsize)
