"""Paths: where a path really leads, and whether that is in a forbidden folder.

Names prove nothing: links, `..`, `/proc/self/root`, mounts and other spellings lead to the same file. So a path is
resolved, and files and folders are compared by their identity on the disk as well as by their names.
"""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable, Iterator
from pathlib import Path

_MACHINE = (Path("/proc"), Path("/sys"), Path("/dev"))
"""What the system itself shows as files. It is not data, and it tells of other programs."""


def real_path(path: Path) -> Path:
    """Where a path leads, every link followed; what is missing is left as it is named.

    Raises:
        ValueError: It is no path.
    """
    return Path(os.path.realpath(path))


def is_within(path: Path, places: Iterable[Path]) -> bool:
    """Whether a path leads to one of these places, or to something below one."""
    real = real_path(path)
    reals = tuple(map(real_path, places))
    if any(real.is_relative_to(place) for place in reals):
        return True
    identities = {identity for place in reals if (identity := _identity(place)) is not None}
    return any(_identity(folder) in identities for folder in (real, *real.parents))


def is_private(path: Path, private: Iterable[Path]) -> bool:
    """Whether a path leads to one of Tandem's own files or folders, or to a second name (hard link) of such a file."""
    folders = tuple(private)
    places = (*folders, *_links_of(folders))
    return is_within(path, (*places, *_MACHINE)) or _is_second_name(real_path(path), places)


def _links_of(places: Iterable[Path]) -> Iterator[Path]:
    """The links that lie directly in these folders: sessions or uploads may have been moved to another disk."""
    for place in places:
        try:
            yield from (Path(entry) for entry in os.scandir(place) if entry.is_symlink())
        except OSError:
            continue  # a file, or nothing yet


def _is_second_name(path: Path, places: Iterable[Path]) -> bool:
    """Whether a file has another name in one of these places. Only a file with several names makes them be searched."""
    try:
        status = path.stat()
    except OSError:
        return False
    if status.st_nlink < 2 or not stat.S_ISREG(status.st_mode):
        return False
    identity = (status.st_dev, status.st_ino)
    return any(
        _identity(Path(folder, name)) == identity
        for place in map(real_path, places)
        for folder, _, names in os.walk(place)
        for name in names
    )


def _identity(path: Path) -> tuple[int, int] | None:
    """What tells a file or folder from all others of this machine; None where there is none."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_dev, status.st_ino
