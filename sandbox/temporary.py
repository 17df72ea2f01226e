"""Temporary folders that say whose they are, so that those of a host that was killed are removed at the next start.

The owner stands in the name: its pid namespace, its pid and the moment it started. A name is there from the first
instant, and a number that was given to another process meanwhile is told from the owner.
"""

from __future__ import annotations

import contextlib
import os
import re
import shutil
import sys
import tempfile
from pathlib import Path

_NAME = re.compile(r"tandem-[a-z]+-(\d+)-(\d+)-(\d+)-\w+")


def make(kind: str, parent: Path | str | None = None) -> Path:
    """A new folder of mode 0700 in `parent`, or where temporary files go. Its maker removes it.

    Args:
        kind: What it is for, one lower-case word.
        parent: An existing folder.
    """
    pid = os.getpid()
    return Path(tempfile.mkdtemp(prefix=f"tandem-{kind}-{_namespace()}-{pid}-{_started(pid)}-", dir=parent))


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
    namespace, user = _namespace(), os.getuid()
    with contextlib.suppress(OSError), os.scandir(parent) as entries:
        for entry in entries:
            named = _NAME.fullmatch(entry.name)
            if named is None or int(named[1]) != namespace or int(named[3]) == _started(int(named[2])):
                continue
            with contextlib.suppress(OSError):
                if entry.is_dir(follow_symlinks=False) and entry.stat(follow_symlinks=False).st_uid == user:
                    shutil.rmtree(entry.path, ignore_errors=True)


def _namespace() -> int:
    try:
        return os.stat("/proc/self/ns/pid").st_ino
    except OSError:
        return 0


def _started(pid: int) -> int:
    """When the process began, in ticks since boot; 0 where there is none, or where the system does not say."""
    try:
        with open(f"/proc/{pid}/stat") as file:
            return int(file.read().rpartition(")")[2].split()[19])
    except (OSError, ValueError, IndexError):
        return 0
