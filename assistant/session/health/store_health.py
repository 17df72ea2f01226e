"""Health of the session store: its location, its damage, and the time of its last backup."""

from __future__ import annotations

import sqlite3
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.session.health.doctor import Health

if TYPE_CHECKING:
    from assistant.record.store.backups import Backups
    from assistant.record.store.database import Database


def store_health(database: Database, *, place: Path | str, backups: Backups | None) -> Health:
    """Examine the store. Blocks.

    Args:
        database: The store.
        place: Its file, or the kind of the server that keeps it.
        backups: Those of its file; None where a server keeps it.
    """
    damaged = [row.id for row in database.list_sessions() if database.read(row.id).damage is not None]
    if backups is None:
        backed_up = "its server keeps the backups"
    else:
        last = backups.last
        place = f"{place} (SQLite {sqlite3.sqlite_version})"
        backed_up = f"last backup {last.astimezone():%Y-%m-%d %H:%M}" if last else "no backup was made yet"
    if not damaged:
        return Health(name="store", state="ok", text=f"sessions are kept in {place}; {backed_up}")
    return Health(
        name="store",
        state="missing",
        text=f"sessions are kept in {place}; damaged: {', '.join(damaged)}; {backed_up}",
        advice="`tandem doctor --repair` says what can be saved, and saves it."
        if backups is not None
        else "Restore the database from a backup of its server.",
    )
