"""Opens the session store that the settings name: a file of the home folder with its backups, or a database server.

Only the owner may read the data folder; permissions that an earlier version left open are closed.
"""

from __future__ import annotations

import asyncio
import os
import stat
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager, suppress
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from assistant.errors import ConfigError
from assistant.record.store.backups import Backups
from assistant.record.store.database import Database
from assistant.record.store.repair import is_whole
from assistant.settings.settings import Settings

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

_BESIDE = ("", "-wal", "-shm", "-journal", ".lock")


def locate_store(settings: Settings) -> Path:
    """The file of the session store, where no server keeps it."""
    return settings.home / "tandem.sqlite"


def list_store_files(settings: Settings) -> tuple[Path, ...]:
    """The files of the session store, wherever it is; none where a server keeps it."""
    path: Path | None = locate_store(settings)
    if settings.store:
        try:
            url = make_url(settings.store)
        except (ArgumentError, ValueError):
            return ()  # it is said where the store is opened
        is_file = url.get_backend_name() == "sqlite" and url.database and url.database != ":memory:"
        path = Path(str(url.database).removeprefix("file:")).absolute() if is_file else None
    return tuple(path.with_name(f"{path.name}{end}") for end in _BESIDE) if path is not None else ()


def make_store(path: Path) -> None:
    """Make an empty session store."""
    Database.open_file(path).close()


def open_store(settings: Settings) -> Database:
    """The session store, made or brought to the present schema where that is due. Blocks.

    Raises:
        ConfigError: `store` is no address of a database.
        AssistantError: the store cannot be opened.
    """
    if not settings.store:
        return Database.open_file(locate_store(settings))
    database = Database(settings.store)
    database.migrate()
    return database


def make_backups(settings: Settings) -> Backups:
    """The backups of the session store's file."""
    return Backups(locate_store(settings), is_whole=is_whole)


@asynccontextmanager
async def back_up_in_background(backups: Backups | None) -> AsyncGenerator[None]:
    """A backup is made in the background if one is due; nobody waits for it, and it is broken off at the end.

    None where the server that keeps the store keeps its backups.
    """
    if backups is None:
        yield
        return
    making = asyncio.create_task(asyncio.to_thread(backups.make_if_due, datetime.now(UTC)))
    try:
        yield
    finally:
        backups.end()
        await making


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
