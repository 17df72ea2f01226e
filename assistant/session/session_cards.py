"""Sessions as they stand in a list, open or not."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from assistant.flow import State
from assistant.flow import state as state_of

if TYPE_CHECKING:
    from assistant.store.database import Database, SessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCard:
    """A session in the list of sessions."""

    id: str
    title: str
    state: State | Literal["damaged"]
    updated: datetime


class StoredStates:
    """The states of sessions that are not open, each read from its log once per change. Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[datetime, State | Literal["damaged"]]] = {}

    def of(self, row: SessionRow) -> State | Literal["damaged"]:
        """The state of a session."""
        known = self._known.get(row.id)
        if known is None or known[0] != row.updated_at:
            read = self._database.read(row.id)
            now = "damaged" if read.damage is not None else state_of([entry.event for entry in read.entries])
            known = (row.updated_at, now)
            self._known[row.id] = known
        return known[1]
