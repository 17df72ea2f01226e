"""Cards for the list of sessions, open or closed."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import datetime
from typing import TYPE_CHECKING, Literal

from assistant.core.flow import State
from assistant.core.flow import find_state as state_of
from assistant.core.turns import Transcript, fold_session

if TYPE_CHECKING:
    from assistant.record.store.database import Database, SessionRow


@dataclass(frozen=True, slots=True, kw_only=True)
class SessionCard:
    """A session in the list of sessions; `latest` is its newest question, where that is not its first."""

    id: str
    title: str
    state: State | Literal["damaged"]
    updated: datetime
    latest: str = ""


def latest_question(transcript: Transcript) -> str:
    """The newest question of a session; empty where nothing but the first was asked."""
    return transcript.turns[-1].question if len(transcript.turns) > 1 else ""


class StoredStates:
    """How sessions that are not open stand, each read from its log once per change. Calls block."""

    def __init__(self, database: Database) -> None:
        self._database = database
        self._known: dict[str, tuple[datetime, State | Literal["damaged"], str]] = {}

    def of(self, row: SessionRow) -> tuple[State | Literal["damaged"], str]:
        """The state of a session, and its latest question."""
        cached = self._known.get(row.id)
        if cached is None or cached[0] != row.updated_at:
            stored = self._database.read(row.id)
            transcript = fold_session(stored.entries)
            now = "damaged" if stored.damage is not None else state_of(transcript.current)
            cached = self._known[row.id] = (row.updated_at, now, latest_question(transcript))
        return cached[1:]
