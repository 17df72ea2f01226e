"""Limits that the cage cannot enforce: memory over all processes, CPU seconds, and disk usage (`quota`).

So is the number of processes where the system counts those of all sessions together. Polls slowly, and ends the kernel
when a limit is passed; `verdict` then says which.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
import sys
from dataclasses import dataclass
from typing import Literal

from .blocking import in_thread
from .launch import CagedProcess, counts_others
from .limits import Limits
from .processes import descendants
from .quota import Quota

_POLL_S = 1.0
_IDLE_POLL_S = 4.0
_TICKS = os.sysconf("SC_CLK_TCK") if sys.platform == "linux" else 100


@dataclass(frozen=True, slots=True, kw_only=True)
class Verdict:
    """Which limit the session passed."""

    kind: Literal["memory", "cpu", "killed"]
    name: str
    message: str


@dataclass(frozen=True, slots=True, kw_only=True)
class ResourceUsage:
    """What the processes of a session use together."""

    memory_bytes: int
    cpu_s: float
    tasks: int = 0


class Watchdog:
    """Watches one kernel process until `close`; made by `start`."""

    def __init__(self, process: CagedProcess, limits: Limits, quota: Quota | None) -> None:
        self._verdict: Verdict | None = None
        self._process = process
        self._limits = limits
        self._in_cell = False
        self._cpu_mark = 0.0
        self._peak = 0
        self._begun = asyncio.Event()
        self._quota = quota
        self._task = asyncio.create_task(self._watch()) if quota is not None else None

    @classmethod
    async def start(cls, process: CagedProcess, limits: Limits) -> Watchdog:
        """Watch `process` from now on. Where Linux is not, nothing is watched."""
        # A thread is waited for until it runs, which takes long where many processes want the processor.
        return cls(process, limits, await in_thread(Quota, process, limits) if sys.platform == "linux" else None)

    @property
    def verdict(self) -> Verdict | None:
        """Why the process was ended, None if it was not."""
        passed = self._quota.passed if self._quota is not None else None
        if self._verdict is not None or passed is None:
            return self._verdict
        if passed == "bytes":
            message = (
                f"The work folder grew beyond {self._limits.desk_bytes >> 20} MiB. "
                "Files that were deleted and are still open count too."
            )
        elif passed == "disk":
            message = (
                "The disk is nearly full, and the cell wrote on to the work folder. Make room on it, or write less; "
                "files of earlier cells can be deleted with os.remove()."
            )
        else:
            message = f"The work folder holds more than {self._limits.desk_files} files."
        return Verdict(kind="killed", name="DeskLimit", message=message)

    async def begin_cell(self) -> None:
        """A cell starts: it has the whole CPU budget, and what it writes counts from its first byte."""
        if self._quota is not None and not self._quota.begun.is_set():
            await in_thread(self._quota.begun.wait)
        self._in_cell = True
        self._begun.set()
        self._peak = 0
        self._cpu_mark = await in_thread(_begin_measure, self._process)

    async def end_cell(self) -> int | None:
        """The cell is over; the peak memory of the kernel in bytes, where it is known."""
        self._in_cell = False
        self._cpu_mark, resident = await in_thread(_end_measure, self._process)
        return max(self._peak, resident or 0) or None

    async def close(self) -> None:
        """Stop watching."""
        if self._task is not None:
            self._task.cancel()
            with contextlib.suppress(asyncio.CancelledError):
                await self._task
            self._task = None
        if self._quota is not None:
            await in_thread(self._quota.close)

    async def _watch(self) -> None:
        while not self._process.ended.done():
            await self._pause()
            # Between cells a memory cgroup, where there is one, holds the memory without us.
            weighed = self._in_cell or self._process.memory is None
            spec = self._process.spec
            counted = counts_others(spec.level, spec.uid)
            usage = await asyncio.to_thread(measure, self._process.supervisor, memory=weighed, tasks=counted)
            self._peak = max(self._peak, usage.memory_bytes)
            self._verdict = self._judge_usage(usage)
            if self._verdict is not None:
                self._process.kill()
                return

    async def _pause(self) -> None:
        """A poll reads the page tables of every process: between cells it is done seldom."""
        if not self._in_cell:
            self._begun.clear()
            try:
                async with asyncio.timeout(_IDLE_POLL_S):
                    await self._begun.wait()
            except TimeoutError:
                return
        await asyncio.sleep(_POLL_S)

    def _judge_usage(self, usage: ResourceUsage) -> Verdict | None:
        limits = self._limits
        if usage.memory_bytes > limits.memory_bytes:
            used, allowed_mib = usage.memory_bytes >> 20, limits.memory_bytes >> 20
            message = f"The session used {used} MiB of memory; {allowed_mib} MiB are allowed."
            return Verdict(kind="memory", name="MemoryLimit", message=message)
        if usage.tasks > limits.processes:
            message = f"The session had {usage.tasks} processes and threads; {limits.processes} are allowed."
            return Verdict(kind="killed", name="ProcessLimit", message=message)
        allowed = limits.cpu_s if self._in_cell else limits.idle_cpu_s
        if usage.cpu_s - self._cpu_mark > allowed:
            where = "The cell" if self._in_cell else "Background work after the last cell"
            return Verdict(kind="cpu", name="CpuLimit", message=f"{where} used more than {allowed:g} s of CPU time.")
        return None


def measure(supervisor: int, *, memory: bool = True, tasks: bool = False) -> ResourceUsage:
    """Memory (proportional where the system says so, else resident), CPU and tasks below `supervisor`.

    Memory and tasks are 0 unless asked for.
    """
    pids = descendants(supervisor)
    used = sum(_proportional(pid) or _status_bytes(pid, "VmRSS:") or 0 for pid in pids) if memory else 0
    task_count = sum(_tasks_in(pid) for pid in pids) if tasks else 0
    return ResourceUsage(memory_bytes=used, cpu_s=sum(_cpu_of(pid) for pid in pids), tasks=task_count)


def _begin_measure(process: CagedProcess) -> float:
    forget_peak(process.pid)
    return measure_cpu(process.supervisor)


def _end_measure(process: CagedProcess) -> tuple[float, int | None]:
    return measure_cpu(process.supervisor), peak_of(process.pid)


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


def _tasks_in(pid: int) -> int:
    try:
        return len(os.listdir(f"/proc/{pid}/task"))
    except OSError:
        return 0


def _cpu_of(pid: int) -> float:
    try:
        with open(f"/proc/{pid}/stat") as file:
            fields = file.read().rpartition(")")[2].split()
        return sum(int(word) for word in fields[11:15]) / _TICKS
    except (OSError, ValueError, IndexError):
        return 0.0
