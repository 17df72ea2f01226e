"""Cache folders that all programs of one user share."""

from __future__ import annotations

import os
from pathlib import Path


def locate_cache() -> Path:
    """The folder that holds them all; it need not be there."""
    return Path(os.environ.get("XDG_CACHE_HOME") or os.path.expanduser("~/.cache"), "tandem")


def make_cache_folder(name: str) -> Path | None:
    """The cache's folder of that name, made where it is missing; None where none is this user's alone to write."""
    path = locate_cache() / name
    try:
        path.mkdir(mode=0o700, parents=True, exist_ok=True)
        status = path.stat()
    except OSError:
        return None
    return path if status.st_uid == os.getuid() and not status.st_mode & 0o022 else None
