"""A separate user id for each session, where the host runs as root; and the folders that this user must own.

A session then cannot reach another user's files, processes and limits, even if other restrictions fail.
"""

from __future__ import annotations

import logging
import os
import pwd
import socket
import stat
import sys
from itertools import islice
from pathlib import Path

from . import trees
from .cage import landlock_level, policy
from .cage.policy import Level
from .errors import SandboxBusy

_logger = logging.getLogger(__name__)

# Between systemd's ranges of dynamic and container users, and below the 65,536 ids a container usually has.
# Source: https://systemd.io/UIDS-GIDS (60578..61183 is unassigned).
FIRST, LAST = 60578, 61183
_ENTRIES_MAX = 1_000


class SessionUser:
    """A numeric user that no other session on this machine has meanwhile.

    The claim is an abstract Unix socket: it ends with this process, however that ends.

    Args:
        level: Where there are no walls (level "process") nothing brings the session's user to a place that only root
            may enter; it then stays the host's user.
        folders: The folders the session needs beside the interpreter.

    Attributes:
        uid: The user and group id; None where everything runs as the host's user, who is no root (or see above).
    """

    def __init__(self, level: Level, *folders: Path) -> None:
        self.uid: int | None = None
        self._claim: socket.socket | None = None
        if os.getuid() != 0 or sys.platform != "linux" or not _may_become(FIRST):
            return
        needed = [*policy.python_roots(), policy.package_root(), *map(str, folders)]
        if level == "process" and not landlock_level.is_reachable(FIRST, needed):
            return
        for uid in range(FIRST, LAST + 1):
            if _is_taken(uid):
                continue
            claim = socket.socket(socket.AF_UNIX, socket.SOCK_DGRAM)
            try:
                claim.bind(f"\0tandem-session-user-{uid}")
            except OSError:
                claim.close()
                continue
            self.uid, self._claim = uid, claim
            return
        raise SandboxBusy(f"All {LAST - FIRST + 1} user ids for sessions are in use. Close some sessions.")

    @property
    def words(self) -> str:
        """The user, for a sentence."""
        return f"user {os.getuid() if self.uid is None else self.uid}"

    def own(self, folder: Path) -> None:
        """Make `folder` and all in it the session's, as far as that can be done. Follows no link."""
        trees.open_up(folder)  # the session before may have closed it to its owner
        if self.uid is not None:
            _give(folder, self.uid, self.uid)

    def share(self, folder: Path) -> None:
        """Let the session, and no other, read `folder` and the files in it, which all stay the host's.

        Call again when files came: one of mode 0600 is the host's alone until then.
        """
        if self.uid is None:
            return
        if folder.stat().st_gid != self.uid:
            os.chown(folder, -1, self.uid)
            os.chmod(folder, 0o2750)
        with os.scandir(folder) as entries:
            for entry in entries:
                status = entry.stat(follow_symlinks=False)
                if stat.S_ISREG(status.st_mode) and (status.st_gid != self.uid or not status.st_mode & stat.S_IRGRP):
                    os.chown(entry.path, -1, self.uid, follow_symlinks=False)
                    os.chmod(entry.path, stat.S_IMODE(status.st_mode) | stat.S_IRGRP)

    def release(self, *folders: Path) -> None:
        """Take `folders` back for the host and let another session have the user."""
        if self.uid is None:
            return
        for folder in folders:
            if folder.is_dir():
                _give(folder, os.getuid(), os.getgid())
        self.uid = None
        if self._claim is not None:
            self._claim.close()
            self._claim = None


def find_unreadable(folder: Path, uid: int | None) -> list[str] | None:
    """What directly in `folder` user `uid` cannot read, as the modes stand; None where it is the folder itself.

    Looks at 1,000 entries at most. The way to the folder does not count: a cage mounts it.

    Args:
        folder: A folder; nothing in it is changed.
        uid: A user of no group but its own; None is the user of this process.
    """
    if not _may_read(folder, uid, folder=True):
        return None
    with os.scandir(folder) as entries:
        return sorted(
            entry.name
            for entry in islice(entries, _ENTRIES_MAX)
            if not entry.is_symlink() and not _may_read(entry.path, uid, folder=entry.is_dir())
        )


def _may_read(path: str | Path, uid: int | None, *, folder: bool) -> bool:
    if uid is None:
        return os.access(path, os.R_OK | (os.X_OK if folder else 0))
    try:
        state = os.stat(path)
    except OSError:
        return False
    rights = 0o5 if folder else 0o4
    shift = 6 if state.st_uid == uid else 3 if state.st_gid == uid else 0
    return state.st_mode >> shift & rights == rights


def _give(folder: Path, uid: int, gid: int) -> None:
    # Not a failure of the lease: the session then cannot change what is left over, and works with the rest.
    if not trees.change_owner(folder, uid, gid):
        _logger.warning("not everything in %s could be given to user %d", folder, uid)


def _may_become(uid: int) -> bool:
    """Whether `uid` exists at all here: in a user namespace often only 0 does."""
    try:
        with open("/proc/self/uid_map") as file:
            ranges = [[int(word) for word in line.split()] for line in file]
    except OSError:
        return True
    return any(start <= uid < start + count for start, _, count in ranges)


def _is_taken(uid: int) -> bool:
    try:
        pwd.getpwuid(uid)
    except KeyError:
        return False
    return True
