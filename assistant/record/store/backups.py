"""Backups of the session store: three generations beside it, made with SQLite's online backup while it is in use.

Only an undamaged store is backed up, so that damage never replaces a good backup. A deleted session is deleted from the
backups too.
"""

from __future__ import annotations

import logging
import os
import sqlite3
import threading
from collections.abc import Callable
from contextlib import closing, suppress
from datetime import UTC, datetime, timedelta
from pathlib import Path

from assistant.errors import SessionError
from assistant.record.store.lock import SessionLock

_LOG = logging.getLogger(__name__)
GENERATIONS = 3
EVERY = timedelta(days=1)
_PAGES = 256
"""Pages copied at a time; a writer waits for no more than that."""


class Backups:
    """The backups of one store file. Calls block; make them from threads."""

    def __init__(self, store: Path, *, is_whole: Callable[[Path], bool]) -> None:
        self._store = store
        self._is_whole = is_whole
        self._ending = threading.Event()
        self.folder = store.parent / "backups"

    @property
    def generations(self) -> tuple[Path, ...]:
        """The backups that are there, the newest first."""
        return tuple(path for path in map(self._path_of_generation, range(1, GENERATIONS + 1)) if path.exists())

    @property
    def last(self) -> datetime | None:
        """When the newest was made (UTC)."""
        generations = self.generations
        return datetime.fromtimestamp(generations[0].stat().st_mtime, UTC) if generations else None

    def make_if_due(self, now: datetime) -> bool:
        """Make one if the newest is older than a day. False where none was due, or none could be made.

        What stands in its way is logged: a backup must not keep anybody from working.
        """
        last = self.last
        if last is not None and timedelta() <= now - last < EVERY:
            return False
        try:
            self.folder.mkdir(mode=0o700, parents=True, exist_ok=True)
            with SessionLock(self.folder / "lock"):
                return self._make()
        except SessionError:
            return False  # another program makes it
        except (OSError, sqlite3.Error) as error:
            _LOG.warning("the session store was not backed up: %s", error)
            return False

    def end(self) -> None:
        """Break off a backup that is being made: the program ends."""
        self._ending.set()

    def forget(self, session: str) -> None:
        """Take a deleted session out of the backups."""
        for path in self.generations:
            try:
                with closing(sqlite3.connect(path)) as connection, connection:
                    connection.execute("PRAGMA secure_delete=ON")
                    connection.execute("DELETE FROM events WHERE session = ?", (session,))
                    connection.execute("DELETE FROM sessions WHERE id = ?", (session,))
            except sqlite3.Error as error:
                _LOG.warning("a deleted session still stands in %s: %s", path.name, error)

    def _make(self) -> bool:
        draft = self.folder / ".store.part"
        draft.unlink(missing_ok=True)
        os.close(os.open(draft, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600))
        try:
            with (
                closing(sqlite3.connect(f"{self._store.absolute().as_uri()}?mode=ro", uri=True)) as store,
                closing(sqlite3.connect(draft)) as copy,
            ):
                store.backup(copy, pages=_PAGES, progress=self._check_end, sleep=0.005)
                copy.execute("PRAGMA journal_mode=DELETE")  # one file, without those of a write-ahead log
            if not self._is_whole(draft):
                _LOG.warning("the session store is damaged and was not backed up: run `tandem doctor --repair`")
                return False
            for number in range(GENERATIONS - 1, 0, -1):
                with suppress(FileNotFoundError):
                    self._path_of_generation(number).replace(self._path_of_generation(number + 1))
            draft.replace(self._path_of_generation(1))
            return True
        except _BrokenOffError:
            return False
        finally:
            draft.unlink(missing_ok=True)

    def _check_end(self, _status: int, _left: int, _total: int) -> None:
        if self._ending.is_set():
            raise _BrokenOffError

    def _path_of_generation(self, number: int) -> Path:
        return self.folder / f"store-{number}.sqlite"


class _BrokenOffError(Exception):
    """The program ends while a backup is being made."""
