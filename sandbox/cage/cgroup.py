"""A memory cgroup for each session, where the host may make one: version 2 (delegated, or as root) or version 1.

It holds what no rlimit holds: the memory of all processes together, shared memory and page cache of /tmp included.
Host side; the child joins by writing to the files of `procs_files` before it gives up its rights.

Source: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
"""

from __future__ import annotations

import contextlib
import os
import time
from pathlib import Path
from typing import Literal

_BASE = Path("/sys/fs/cgroup")
_REMOVE_ROUNDS = 100


class MemoryGroup:
    """One session's cgroup; `make` returns it, `remove` gives it back."""

    def __init__(self, folder: Path, version: Literal["v1", "v2"]) -> None:
        self.version: Literal["v1", "v2"] = version
        self._folder = folder

    @property
    def procs_files(self) -> tuple[str, ...]:
        """What a process writes "0" to in order to join."""
        return (str(self._folder / "cgroup.procs"),)

    def usage_bytes(self) -> int | None:
        """Memory charged now, page cache included."""
        return self._number("memory.current" if self.version == "v2" else "memory.usage_in_bytes")

    def peak_bytes(self) -> int | None:
        """The highest memory charged since `reset_peak`, where the system says so."""
        return self._number("memory.peak" if self.version == "v2" else "memory.max_usage_in_bytes")

    def reset_peak(self) -> None:
        """Begin a new peak (version 1; version 2 keeps the highest of all)."""
        if self.version == "v1":
            with contextlib.suppress(OSError):
                (self._folder / "memory.max_usage_in_bytes").write_text("0")

    def was_out_of_memory(self) -> bool:
        """Whether a process of the group was killed because its memory ran out."""
        name = "memory.events" if self.version == "v2" else "memory.oom_control"
        with contextlib.suppress(OSError, ValueError):
            for line in (self._folder / name).read_text().splitlines():
                key, _, value = line.partition(" ")
                if key == "oom_kill" and int(value) > 0:
                    return True
        return False

    def remove(self) -> None:
        """Remove the group once it is empty. Blocks for a moment."""
        for _ in range(_REMOVE_ROUNDS):
            try:
                self._folder.rmdir()
            except FileNotFoundError:
                return
            except OSError:
                time.sleep(0.02)
            else:
                return

    def _number(self, name: str) -> int | None:
        try:
            return int((self._folder / name).read_text())
        except (OSError, ValueError):
            return None


def make(name: str, *, memory_bytes: int) -> MemoryGroup | None:
    """A group below this process's own, or None where none may be made."""
    for version in ("v2", "v1"):
        folder = _own_folder(version)
        if folder is None:
            continue
        group = folder / f"tandem-{name}"
        try:
            group.mkdir()
        except OSError:
            continue
        try:
            if version == "v2":
                (group / "memory.max").write_text(str(memory_bytes))
                with contextlib.suppress(OSError):
                    (group / "memory.swap.max").write_text("0")
            else:
                (group / "memory.limit_in_bytes").write_text(str(memory_bytes))
        except OSError:
            with contextlib.suppress(OSError):
                group.rmdir()
            continue
        return MemoryGroup(group, version)
    return None


def version() -> str | None:
    """Which version a group can be made in, None where in neither. Makes one and removes it."""
    group = make(f"probe-{os.getpid()}", memory_bytes=64 << 20)
    if group is None:
        return None
    group.remove()
    return group.version


def _own_folder(version: Literal["v1", "v2"]) -> Path | None:
    """Where this process's own memory group is mounted, if it can be seen and written."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if version == "v2" and not controllers and (_BASE / "cgroup.controllers").exists():
            folder = _BASE / path.lstrip("/")
        elif version == "v1" and "memory" in controllers.split(","):
            folder = _BASE / "memory" / path.lstrip("/")
        else:
            continue
        return folder if os.access(folder, os.W_OK) else None
    return None
