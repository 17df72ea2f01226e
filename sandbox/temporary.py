"""Temporary folders and cgroups that name their owner, so that those of a killed host are removed at the next start.

The name contains the owner's pid namespace, pid and start time. The name is there from the first instant, and the start
time tells the owner from a later process with the same pid.
"""

from __future__ import annotations

import contextlib
import os
import re
import secrets
import sys
import tempfile
from pathlib import Path

from . import trees

_NAME = re.compile(r"tandem-[a-z]+-(\d+)-(\d+)-(\d+)-\w+")


def make_name(kind: str) -> str:
    """A name that says that it is this process's; `kind` is one lower-case word."""
    return f"{_prefix(kind)}{secrets.token_hex(6)}"


def is_abandoned(name: str) -> bool:
    """Whether the process that made `name` is gone; one that cannot be looked at from here is taken as alive."""
    match = _NAME.fullmatch(name)
    if match is None or int(match[1]) != _namespace() or not int(match[3]):
        return False
    try:
        return int(match[3]) != _started(int(match[2]))
    except OSError:  # no descriptor is left, or the system hides processes
        return False


def make(kind: str, parent: Path | str | None = None) -> Path:
    """A new folder of mode 0700 in `parent`, or where temporary files go. Its maker removes it.

    Args:
        kind: What it is for, one lower-case word.
        parent: An existing folder.
    """
    return Path(tempfile.mkdtemp(prefix=_prefix(kind), dir=parent))


def sweep(parent: Path | None = None) -> None:
    """Remove the folders in `parent`, or where temporary files go, that `make` made for a process that is gone.

    Passes over everything that is in use, another user's, or made in another pid namespace, whose processes cannot be
    seen from here. Does nothing outside Linux.
    """
    if sys.platform != "linux":
        return
    # Sockets need a short path, and lie in /tmp where the usual place has a long one.
    for folder in {str(parent)} if parent is not None else {tempfile.gettempdir(), "/tmp"}:
        _sweep(folder)


def _sweep(parent: str) -> None:
    user = os.getuid()
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            if not is_abandoned(entry.name):
                continue
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == user:
                    trees.remove(entry.path)


def _prefix(kind: str) -> str:
    pid, started = os.getpid(), 0
    with contextlib.suppress(OSError):
        started = _started(pid)
    return f"tandem-{kind}-{_namespace()}-{pid}-{started}-"


def _namespace() -> int:
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _started(pid: int) -> int:
    """When the process began, in ticks since boot; 0 where there is none.

    Raises:
        OSError: The system does not say.
    """
    try:
        with open(f"/proc/{pid}/stat") as file:
            # The second field, the program's name, may contain spaces and brackets: count from its last bracket.
            return int(file.read().rpartition(")")[2].split()[19])
    except (FileNotFoundError, ProcessLookupError):
        return 0
