"""The data folder: made for its owner alone, and closed to others where an earlier version left it open."""

from __future__ import annotations

import os
import stat
from contextlib import suppress
from pathlib import Path

from assistant.errors import ConfigError

# What Tandem writes into its data folder. A file of others' that lies there too keeps its mode.
_OURS = (
    *("tandem.", "masks.toml", "appearance.json", "sessions", "backups", "loaded", "knowledge", "data", "sample"),
    "packages",
    "page-token",
)

_MARKS = ("tandem.", "masks.toml", "sessions")
"""What says that an existing folder is Tandem's."""

_BEFORE = "page-token"
"""The page's server writes it before the workspace opens; alone, it says nothing about the folder."""


def make_home(home: Path) -> None:
    """Make the data folder, readable by its owner alone: results and addresses are nobody else's to read. Blocks.

    Raises:
        ConfigError: It cannot be made.
    """
    try:
        home.mkdir(mode=0o700, parents=True, exist_ok=True)
        entries = sorted(home.iterdir())
        is_ours = all(path.name == _BEFORE for path in entries) or any(path.name.startswith(_MARKS) for path in entries)
        if home.stat().st_mode & 0o077 and not is_ours:
            raise ConfigError(
                f"The data folder {str(home)!r} holds files that are not Tandem's, and others can read it. Name a "
                f"folder of its own as TANDEM_HOME, or close it first: chmod 700 {str(home)!r}."
            )
    except OSError as error:
        text = f"The data folder {str(home)!r} cannot be made ({error.strerror}). Name another as TANDEM_HOME."
        raise ConfigError(text) from error
    for path in (home, *(path for path in entries if path.name.startswith(_OURS))):
        _restrict(path)


def _restrict(path: Path) -> None:
    """Take others' rights to a file or folder of ours; what belongs to somebody else stays as it is."""
    status = path.lstat()
    mine = status.st_uid == os.getuid() and (stat.S_ISDIR(status.st_mode) or stat.S_ISREG(status.st_mode))
    if mine and status.st_mode & 0o077:
        with suppress(OSError):
            path.chmod(status.st_mode & 0o700)
