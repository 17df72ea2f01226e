"""A memory cgroup for each session, where the host may make one: version 2 (delegated, or as root) or version 1.

It holds what no rlimit holds: the memory of all processes together, shared memory and page cache of /tmp included.
Host side; the child joins by writing to the files of `procs_files` before it gives up its rights.

Source: Documentation/admin-guide/cgroup-v2.rst and cgroup-v1/memory.rst.
"""

from __future__ import annotations

import contextlib
import os
import time
from collections.abc import Callable, Iterator
from pathlib import Path
from typing import Literal, TypeAlias

_Version: TypeAlias = Literal["v1", "v2"]
_VERSIONS: tuple[_Version, ...] = ("v2", "v1")
_BASE = Path("/sys/fs/cgroup")
_REMOVE_ROUNDS = 100


class MemoryGroup:
    """One session's cgroup; `make` returns it, `remove` gives it back."""

    def __init__(self, folder: Path, version: _Version) -> None:
        self.version: _Version = version
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
    """A group of this name as near to this process's own as may be, or None where none may be made."""
    for version in _VERSIONS:
        for folder in _places(version):
            group = folder / name
            try:
                group.mkdir()
            except OSError:
                continue
            try:
                _limit(group, version, memory_bytes)
            except OSError:
                with contextlib.suppress(OSError):
                    group.rmdir()
                continue
            return MemoryGroup(group, version)
    return None


def version(name: str) -> Literal["v1", "v2"] | None:
    """Which version a group can be made in, None where in neither. Makes one of this name and removes it."""
    group = make(name, memory_bytes=64 << 20)
    if group is None:
        return None
    group.remove()
    return group.version


def sweep(is_abandoned: Callable[[str], bool]) -> None:
    """Remove the groups, beside those that `make` would make now, whose names say that nobody will."""
    for version in _VERSIONS:
        for folder in _places(version):
            for name in os.listdir(folder):
                if is_abandoned(name):
                    with contextlib.suppress(OSError):  # something in it still runs
                        (folder / name).rmdir()


def _limit(group: Path, version: _Version, memory_bytes: int) -> None:
    if version == "v1":
        (group / "memory.limit_in_bytes").write_text(str(memory_bytes))
        return
    (group / "memory.max").write_text(str(memory_bytes))
    with contextlib.suppress(OSError):
        (group / "memory.swap.max").write_text("0")


def _places(version: _Version) -> Iterator[Path]:
    """Where a group may be made, nearest first.

    In version 1 below this process's own group. In version 2 a group that holds processes passes no limits on, unless
    it is the root; so the groups above it are tried too, as far as they were delegated to this user.
    """
    own = _own(version)
    if own is None:
        return
    base, path = own
    if version == "v1":
        if os.access(base / path, os.W_OK):
            yield base / path
        return
    for folder in (base / path, *(base / parent for parent in path.parents)):
        # To move a process takes the right to write the list of the group above both places.
        if not all(os.access(place, os.W_OK) for place in (folder, folder / "cgroup.procs")):
            return
        if _passes_memory_on(folder):
            yield folder


def _passes_memory_on(folder: Path) -> bool:
    control = folder / "cgroup.subtree_control"
    try:
        if "memory" not in control.read_text().split():
            control.write_text("+memory")
    except OSError:
        return False
    return True


def _own(version: _Version) -> tuple[Path, Path] | None:
    """Where the hierarchy that holds memory is mounted, and this process's own group below it."""
    try:
        lines = Path("/proc/self/cgroup").read_text().splitlines()
    except OSError:
        return None
    for line in lines:
        _, controllers, path = line.split(":", 2)
        if version == "v2" and not controllers and (_BASE / "cgroup.controllers").exists():
            return _BASE, Path(path.lstrip("/"))
        if version == "v1" and "memory" in controllers.split(","):
            return _BASE / "memory", Path(path.lstrip("/"))
    return None
