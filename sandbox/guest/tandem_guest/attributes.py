"""Changes of file attributes by path, where Landlock is the only file isolation and does not see such calls.

The seccomp filter refuses those calls there, because they would reach the user's files outside. So Python's own
functions are replaced: they open the file first, which Landlock checks, and change the open file. `shutil`, `tarfile`
and `pathlib` use them. A file that may not be opened cannot be changed; calls of other programs are refused.
"""

from __future__ import annotations

import os
from collections.abc import Callable
from typing import Any


def go_by_descriptor() -> None:
    """Replace `os.chmod`, `os.utime` and `os.truncate` in this process."""
    os.chmod = _opening(os.chmod, os.O_RDONLY)
    os.utime = _opening(os.utime, os.O_RDONLY)
    os.truncate = _opening(os.truncate, os.O_WRONLY)


def _opening(change: Callable[..., None], access: int) -> Callable[..., None]:
    def opened(path: Any, *args: Any, dir_fd: int | None = None, follow_symlinks: bool = True, **more: Any) -> None:
        if isinstance(path, int):
            return change(path, *args, **more)
        flags = access | os.O_CLOEXEC | os.O_NONBLOCK | (0 if follow_symlinks else os.O_NOFOLLOW)
        fd = os.open(path, flags, dir_fd=dir_fd)
        try:
            change(fd, *args, **more)
        finally:
            os.close(fd)

    opened.__name__, opened.__doc__ = change.__name__, change.__doc__
    return opened
