"""Reads small metadata files beside data, without ever blocking.

Whoever made the folder may have put a pipe, a device or an endless file under such a name.
"""

from __future__ import annotations

import os
import stat
from pathlib import Path

BYTES_MAX = 1_000_000


class UnsuitableFile(OSError):
    """It is no regular file, or larger than such a file is."""


def read_small_file(path: Path) -> bytes:
    """The bytes of a regular file. Blocks no longer than the disk takes.

    Raises:
        UnsuitableFile: It is a pipe, a device or a folder, or larger than `BYTES_MAX`.
        OSError: It cannot be read.
    """
    with open(os.open(path, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC), "rb") as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise UnsuitableFile(0, "it is not a regular file")
        content = file.read(BYTES_MAX + 1)
    if len(content) > BYTES_MAX:
        raise UnsuitableFile(0, f"it is larger than {BYTES_MAX:,} bytes")
    return content
