"""Walks folders that a session could write, by descriptor: any depth, without following links.

A session decides how deep a folder is nested, how long its path becomes and what may be read in it. So nothing here
recurses, names a path below the top, or holds more than a few descriptors at a time; and a walk with the owner's rights
restores permissions that the session removed.
"""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Generator
from dataclasses import dataclass
from pathlib import Path

_FLAGS = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC | os.O_NONBLOCK
_READ_MODE, _OWNER_MODE = 0o500, 0o700


class FolderMoved(OSError):
    """A folder was moved or closed while it was walked, so that the way back from it is not known."""


@dataclass(frozen=True, slots=True)
class Entered:
    """A folder that is walked now: its descriptor, and the names of the `folders` and of all `others` in it."""

    fd: int
    folders: list[str]
    files: list[str]


@dataclass(frozen=True, slots=True)
class Left:
    """All below `name` was walked; `fd` is the folder that holds it."""

    fd: int
    name: str


def walk(top: str | Path, *, rights: int = _READ_MODE) -> Generator[Entered | Left]:
    """Every folder at and below `top`, each before and after what lies in it.

    Descriptors are valid until the next step. A folder that cannot be opened is left out.

    Args:
        top: A folder; no link.
        rights: What its owner must be allowed in each folder for the walk; where that is missing it is given.

    Raises:
        FolderMoved: The tree changed under the walk.
        OSError: `top` cannot be opened.
    """
    fd = _open(str(top), None, rights)
    above: list[tuple[str, int, int, list[str]]] = []
    try:
        entered = _list(fd)
        pending = list(entered.folders)
        yield entered
        while True:
            if pending:
                name = pending.pop()
                try:
                    inner = _open(name, fd, rights)
                except OSError:
                    continue
                status = os.fstat(fd)
                above.append((name, status.st_dev, status.st_ino, pending))
                os.close(fd)
                fd = inner
                entered = _list(fd)
                pending = list(entered.folders)
                yield entered
            elif above:
                name, device, inode, pending = above.pop()
                fd = _parent(fd, device, inode)
                yield Left(fd, name)
            else:
                return
    finally:
        os.close(fd)


def remove(top: str | Path) -> bool:
    """Remove `top` with all that is in it; whether nothing of it is left. Raises nothing."""
    with contextlib.suppress(OSError):
        for step in walk(top, rights=_OWNER_MODE):
            with contextlib.suppress(OSError):
                if isinstance(step, Left):
                    os.rmdir(step.name, dir_fd=step.fd)
                    continue
            if isinstance(step, Entered):
                for name in step.files:
                    with contextlib.suppress(OSError):
                        os.unlink(name, dir_fd=step.fd)
    with contextlib.suppress(OSError):
        os.rmdir(top)
    return not os.path.lexists(top)


def change_owner(top: str | Path, uid: int, gid: int) -> bool:
    """Change the owner of `top` and of everything below it; whether all of it could be. Raises nothing.

    Links are changed themselves and not what they point at. Files with several names are left alone: one of the names
    may be outside.
    """
    complete = True
    try:
        for step in walk(top):
            if isinstance(step, Left):
                continue
            for name in step.files:
                try:
                    if os.stat(name, dir_fd=step.fd, follow_symlinks=False).st_nlink == 1:
                        os.chown(name, uid, gid, dir_fd=step.fd, follow_symlinks=False)
                except OSError:
                    complete = False
            os.fchown(step.fd, uid, gid)
    except OSError:
        return False
    return complete


def open_up(top: str | Path) -> None:
    """Let its owner enter and change `top` again, as far as that can be done."""
    with contextlib.suppress(OSError):
        os.close(_open(str(top), None, _OWNER_MODE))


def _list(fd: int) -> Entered:
    folders: list[str] = []
    files: list[str] = []
    with contextlib.suppress(OSError), os.scandir(fd) as entries:
        for entry in entries:
            (folders if entry.is_dir(follow_symlinks=False) else files).append(entry.name)
    return Entered(fd, folders, files)


def _open(name: str, parent: int | None, rights: int) -> int:
    try:
        fd = os.open(name, _FLAGS, dir_fd=parent)
    except PermissionError:
        _allow(name, parent, rights)
        return os.open(name, _FLAGS, dir_fd=parent)
    try:
        mode = stat.S_IMODE(os.fstat(fd).st_mode)
        if mode & rights != rights:
            with contextlib.suppress(PermissionError):
                os.fchmod(fd, mode | rights)
    except BaseException:
        os.close(fd)
        raise
    return fd


def _allow(name: str, parent: int | None, rights: int) -> None:
    """Give the owner of a folder that cannot be opened its rights; needs a descriptor that opens nothing (Linux)."""
    fd = os.open(name, os.O_PATH | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC, dir_fd=parent)
    try:
        os.chmod(f"/proc/self/fd/{fd}", stat.S_IMODE(os.fstat(fd).st_mode) | rights)
    finally:
        os.close(fd)


def _parent(fd: int, device: int, inode: int) -> int:
    """The folder above `fd`, which was `device` and `inode` on the way down; `fd` is closed with success."""
    try:
        above = os.open("..", _FLAGS, dir_fd=fd)
    except OSError as error:
        raise FolderMoved(error.errno, f"the way back was closed ({error.strerror})") from error
    status = os.fstat(above)
    if (status.st_dev, status.st_ino) != (device, inode):
        os.close(above)
        raise FolderMoved(116, "a folder was moved while it was walked")
    os.close(fd)
    return above
