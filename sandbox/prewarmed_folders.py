"""Folders of prewarmed kernels: made beforehand, and handed to a session by renaming.

A mount follows the folder and not its name, so a kernel that is already in its cage finds itself in the session's
folders. Works within one file system; elsewhere the pool starts a kernel afresh.
"""

from __future__ import annotations

import os
import stat
import tempfile
from pathlib import Path

from . import trees
from .cage.policy import Level
from .identity import SessionUser


class PrewarmedFolder:
    """A desk, a data folder and a user for one kernel that nobody has leased yet. Blocks: call from a thread."""

    def __init__(self, level: Level, parent: Path) -> None:
        self.folder = Path(tempfile.mkdtemp(prefix="slot-", dir=parent))
        self.desk, self.data = self.folder / "desk", self.folder / "data"
        self.desk.mkdir()
        self.data.mkdir()
        self.user = SessionUser(level, self.folder)
        self.user.own(self.desk)
        self.user.share(self.data)

    def become(self, desk: Path, data: Path) -> bool:
        """Turn into the session's folders `desk` and `data`, keeping what they hold; False if that cannot be done.

        Nothing has changed where the answer is False.
        """
        if not (_movable(self.desk, desk) and _movable(self.data, data)):
            return False
        _replace(self.desk, desk)
        _replace(self.data, data)
        self.user.own(desk)
        self.user.share(data)
        self.folder.rmdir()
        return True

    def discard(self) -> None:
        """Give the user back and remove the folders."""
        self.user.release()
        trees.remove(self.folder)


def _movable(slot: Path, target: Path) -> bool:
    """Whether `slot` can take the place of `target`: one file system, and nothing special about the folder."""
    if target.is_symlink() or target.is_mount():
        return False
    if target.exists():
        trees.open_up(target)
        with os.scandir(target) as entries:
            inside = [entry.stat(follow_symlinks=False) for entry in entries]
        # To move a folder elsewhere takes the right to change it, which a session can take from its owner.
        closed = os.geteuid() != 0 and any(
            stat.S_ISDIR(status.st_mode) and not status.st_mode & 0o200 for status in inside
        )
        return not closed and {target.stat().st_dev, *(status.st_dev for status in inside)} == {slot.stat().st_dev}
    parent = target.parent
    return parent.is_dir() and parent.stat().st_dev == slot.stat().st_dev


def _replace(slot: Path, target: Path) -> None:
    if target.exists():
        for name in os.listdir(target):
            os.rename(target / name, slot / name)
    os.rename(slot, target)  # takes the place of an empty folder in one step
