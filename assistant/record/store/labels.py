"""Pins and tags of sessions, and the recycle bin.

Labels are not part of a session's log: they say nothing about its content, and changes are not recorded.
"""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING

from sqlalchemy import text

if TYPE_CHECKING:
    from assistant.record.store.database import Database

TAGS_CHARS_MAX = 400


@dataclass(frozen=True, slots=True, kw_only=True)
class Labels:
    """The labels of a session. `binned` is when it was deleted, while that can be undone."""

    pinned: bool = False
    tags: tuple[str, ...] = ()
    binned: datetime | None = None


class LabelStore:
    """The labels of all sessions of a store. Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database

    def all(self) -> dict[str, Labels]:
        """The labels by session; a session that has none is left out.

        Raises:
            StoreError: The store cannot be read.
        """
        with self._database.begin() as connection:
            rows = connection.execute(text("SELECT session, pinned, tags, binned_at FROM labels")).all()
        return {
            row.session: Labels(
                pinned=bool(row.pinned),
                tags=tuple(filter(None, row.tags.split("\n"))),
                binned=datetime.fromisoformat(row.binned_at) if row.binned_at else None,
            )
            for row in rows
        }

    def put(self, session: str, labels: Labels) -> None:
        """Give a session these labels in place of those it had.

        Raises:
            StoreError: The store cannot be written.
        """
        values = {
            "session": session,
            "pinned": int(labels.pinned),
            "tags": "\n".join(labels.tags)[:TAGS_CHARS_MAX],
            "binned_at": labels.binned.isoformat() if labels.binned else "",
        }
        with self._database.begin() as connection:
            connection.execute(text("DELETE FROM labels WHERE session = :session"), values)
            connection.execute(
                text(
                    "INSERT INTO labels (session, pinned, tags, binned_at) "
                    "VALUES (:session, :pinned, :tags, :binned_at)"
                ),
                values,
            )
