"""Reading what a session left in its work folder, without falling into what it may have planted there.

A link that points at the host's secrets, a pipe that nobody writes to, a device: none is followed or waited for.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

from .errors import SandboxError


class ArtifactRefused(SandboxError):
    """The file is not what it seems, is too large, or is not there."""


def read(desk: Path, name: str, *, bytes_max: int) -> bytes:
    """The content of the regular file `name` below `desk`.

    Args:
        desk: The work folder as the host sees it.
        name: Relative path inside it.
        bytes_max: More than this is refused.

    Raises:
        ArtifactRefused: There is no such regular file, a part of the path is a link, or the file is too large.
    """
    parts = Path(name).parts
    if not parts or Path(name).is_absolute() or ".." in parts:
        raise ArtifactRefused(f"{name!r} is not the name of a file in the work folder")
    folder = os.open(desk, os.O_RDONLY | os.O_DIRECTORY)
    try:
        # One step at a time, each refusing links: what is checked cannot be swapped before it is used.
        for part in parts[:-1]:
            step = _open(part, os.O_RDONLY | os.O_DIRECTORY, folder, name)
            os.close(folder)
            folder = step
        fd = _open(parts[-1], os.O_RDONLY | os.O_NONBLOCK, folder, name)
    finally:
        os.close(folder)
    if not stat.S_ISREG(os.fstat(fd).st_mode):
        os.close(fd)
        raise ArtifactRefused(f"{name!r} is not a regular file")
    with os.fdopen(fd, "rb") as file:
        content = file.read(bytes_max + 1)
    if len(content) > bytes_max:
        raise ArtifactRefused(f"{name!r} is larger than {bytes_max} bytes")
    return content


def _open(part: str, flags: int, folder: int, name: str) -> int:
    try:
        return os.open(part, flags | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=folder)
    except OSError as error:
        raise ArtifactRefused(f"{name!r} cannot be read: {os.strerror(error.errno or 0)}") from error
