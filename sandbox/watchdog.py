"""Limits that no wall holds: memory over all processes, CPU seconds, the size of the work folder.

Polls slowly, and ends the kernel when a limit is passed; `verdict` then says which.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from dataclasses import dataclass
from typing import Literal

from .launch import CagedProcess
from .limits import Limits

_POLL_S = 1.0
_DESK_EVERY = 2
_TICKS = os.sysconf("SC_CLK_TCK") if sys.platform == "linux" else 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Which limit the session passed."""

    kind: Literal["memory", "cpu", "killed"]
    name: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class Usage:
    """What the processes of a session use together."""

    memory_bytes: int
    cpu_s: float


class Watchdog:
    """Watches one kernel process until `close`.

    Attributes:
        verdict: Why the process was ended, None if it was not.
    """

    def __init__(self, process: CagedProcess, limits: Limits) -> None:
        self.verdict: Verdict | None = None
        self._process = process
        self._limits = limits
        self._in_cell = False
        self._cpu_mark = 0.0
        self._peak = 0
        self._desk_bytes, self._desk_files = 0, 0
        self._rounds = 0
        self._task = asyncio.create_task(self._watch()) if sys.platform == "linux" else None

    def begin_cell(self) -> None:
        """A cell starts: it has the whole CPU budget."""
        self._in_cell = True
        self._peak = 0
        forget_peak(self._process.pid)
        self._cpu_mark = measure_cpu(self._process.supervisor)

    def end_cell(self) -> int | None:
        """The cell is over; the peak memory of the kernel in bytes, where it is known."""
        self._in_cell = False
        self._cpu_mark = measure_cpu(self._process.supervisor)
        resident = peak_of(self._process.pid)
        return max(self._peak, resident or 0) or None

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None

    async def _watch(self) -> None:
        desk = self._process.spec.desk
        self._desk_bytes, self._desk_files = await asyncio.to_thread(measure_folder, desk, self._limits)
        while not self._process.ended.done():
            await asyncio.sleep(_POLL_S)
            usage = await asyncio.to_thread(measure, self._process.supervisor)
            self._peak = max(self._peak, usage.memory_bytes)
            self.verdict = self._judge_usage(usage)
            self._rounds += 1
            if self.verdict is None and self._rounds % _DESK_EVERY == 0:
                self.verdict = self._judge_desk(*await asyncio.to_thread(measure_folder, desk, self._limits))
            if self.verdict is not None:
                self._process.kill()
                return

    def _judge_usage(self, usage: Usage) -> Verdict | None:
        limits = self._limits
        if usage.memory_bytes > limits.memory_bytes:
            used, allowed_mib = usage.memory_bytes >> 20, limits.memory_bytes >> 20
            message = f"The session used {used} MiB of memory; {allowed_mib} MiB are allowed."
            return Verdict(kind="memory", name="MemoryLimit", message=message)
        allowed = limits.cpu_s if self._in_cell else limits.idle_cpu_s
        if usage.cpu_s - self._cpu_mark > allowed:
            where = "The cell" if self._in_cell else "Background work after the last cell"
            return Verdict(kind="cpu", name="CpuLimit", message=f"{where} used more than {allowed:g} s of CPU time.")
        return None

    def _judge_desk(self, size: int, files: int) -> Verdict | None:
        limits = self._limits
        # A folder that is too full already may still be cleared: only growth beyond the limit is stopped.
        if size > max(limits.desk_bytes, self._desk_bytes):
            message = f"The work folder grew beyond {limits.desk_bytes >> 20} MiB."
            return Verdict(kind="killed", name="DeskLimit", message=message)
        if files > max(limits.desk_files, self._desk_files):
            message = f"The work folder holds more than {limits.desk_files} files."
            return Verdict(kind="killed", name="DeskLimit", message=message)
        return None


def measure(supervisor: int) -> Usage:
    """Memory (proportional where the system says so, else resident) and CPU of all below `supervisor`."""
    memory = 0
    for pid in descendants(supervisor):
        memory += _proportional(pid) or _status_bytes(pid, "VmRSS:") or 0
    return Usage(memory_bytes=memory, cpu_s=measure_cpu(supervisor))


def measure_cpu(supervisor: int) -> float:
    """CPU seconds of all processes below `supervisor`, those that have ended and were waited for included."""
    return sum(_cpu_of(pid) for pid in descendants(supervisor))


def forget_peak(pid: int) -> None:
    """Begin a new peak of process `pid`, where the host may."""
    with contextlib.suppress(OSError), open(f"/proc/{pid}/clear_refs", "w") as file:
        file.write("5")


def peak_of(pid: int) -> int | None:
    """The highest resident memory of process `pid` since `forget_peak`, or of all its life."""
    return _status_bytes(pid, "VmHWM:")


def measure_folder(folder: str, limits: Limits) -> tuple[int, int]:
    """Bytes and entries below `folder`; stops counting soon after either limit is passed. Follows no link."""
    size, files = 0, 0
    pending = [folder]
    while pending:
        try:
            with os.scandir(pending.pop()) as entries:
                for entry in entries:
                    files += 1
                    with contextlib.suppress(OSError):
                        size += entry.stat(follow_symlinks=False).st_blocks * 512
                        if entry.is_dir(follow_symlinks=False):
                            pending.append(entry.path)
                    if files > 2 * limits.desk_files:
                        return size, files
        except OSError:
            continue
    return size, files


def descendants(supervisor: int) -> list[int]:
    """Every process below `supervisor`, which stays their ancestor whatever they do."""
    if supervisor <= 1:
        return []
    found: list[int] = []
    pending = [supervisor]
    while pending:
        pid = pending.pop()
        with contextlib.suppress(OSError, ValueError):
            for thread in os.listdir(f"/proc/{pid}/task"):
                with open(f"/proc/{pid}/task/{thread}/children") as file:
                    children = [int(word) for word in file.read().split()]
                found += children
                pending += children
    return found


def _proportional(pid: int) -> int | None:
    try:
        with open(f"/proc/{pid}/smaps_rollup") as file:
            for line in file:
                if line.startswith("Pss:"):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        return None
    return None


def _status_bytes(pid: int, key: str) -> int | None:
    try:
        with open(f"/proc/{pid}/status") as file:
            for line in file:
                if line.startswith(key):
                    return int(line.split()[1]) << 10
    except (OSError, ValueError):
        return None
    return None


def _cpu_of(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(int(word) for word in fields[11:15]) / _TICKS
    except (OSError, ValueError, IndexError):
        return 0.0
