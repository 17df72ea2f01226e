"""A program: run a command as another user, who may enter nothing of root's but the named folders.

    python ordinary_user.py UID FOLDER... -- COMMAND...

The interpreter, or the checkout, may lie below a folder that only root may enter. In a mount namespace of its own, which
ends with the command, each such folder is covered by an empty one that everybody may enter, and what is needed is put
back into it under its own path. Nothing on disk is changed, copied, or given another owner.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from sandbox.cage import linux


def main() -> None:
    """Take the arguments, open the way, become the user, run the command."""
    split = sys.argv.index("--")
    uid, folders, command = int(sys.argv[1]), sys.argv[2:split], sys.argv[split + 1 :]
    if uid != os.getuid():
        os.umask(0o022)
        open_the_way(uid, [Path(folder) for folder in folders])
        os.setgroups([])
        os.setresgid(uid, uid, uid)
        os.setresuid(uid, uid, uid)
    os.execv(command[0], command)


def open_the_way(uid: int, folders: Sequence[Path]) -> None:
    """Let `uid` enter each of `folders`, in this process and its children alone."""
    linux.unshare(linux.CLONE_NEWNS)
    linux.mount(None, "/", None, linux.MS_SLAVE | linux.MS_REC)
    while closed := {folder: step for folder in folders if (step := _closed(uid, folder)) is not None}:
        opened = {path: os.open(path, os.O_PATH | os.O_CLOEXEC) for path in _needed(closed)}
        for cover in set(closed.values()):
            linux.mount("tmpfs", str(cover), "tmpfs", linux.MS_NOSUID | linux.MS_NODEV, "size=1m,mode=0755")
        for path, fd in opened.items():
            _put_back(path, fd)


def _needed(closed: dict[Path, Path]) -> set[Path]:
    """What the covers would hide: each folder, or where it is closed itself, all that lies in it."""
    return {path for folder, step in closed.items() for path in (folder.iterdir() if folder == step else [folder])}


def _closed(uid: int, folder: Path) -> Path | None:
    """The first folder on the way to `folder` that `uid` may not enter."""
    for step in (*reversed(folder.parents), folder):
        found = step.stat()
        if not (found.st_mode & 0o001 or (found.st_uid == uid and found.st_mode & 0o100)):
            return step
    return None


def _put_back(path: Path, fd: int) -> None:
    source = f"/proc/self/fd/{fd}"
    if os.path.isdir(source):
        path.mkdir(mode=0o755, parents=True, exist_ok=True)
    else:
        path.parent.mkdir(mode=0o755, parents=True, exist_ok=True)
        path.touch()
    linux.mount(source, str(path), None, linux.MS_BIND | linux.MS_REC)
    os.close(fd)


if __name__ == "__main__":
    main()
