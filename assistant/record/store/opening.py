"""The session store of the settings: a file of the home folder with its backups, or a database server."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from datetime import UTC, datetime
from pathlib import Path

from sqlalchemy import make_url
from sqlalchemy.exc import ArgumentError

from assistant.record.store.backups import Backups
from assistant.record.store.database import Database
from assistant.record.store.repair import is_whole
from assistant.settings.settings import Settings

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
