"""A session's log in memory, as participants use it."""

from __future__ import annotations

from assistant.core.events import AnyEvent, Event
from assistant.core.turns import Transcript, fold_events


class MemoryLog:
    """Events that no database keeps."""

    def __init__(self, *events: Event) -> None:
        self.events: tuple[Event, ...] = events

    @property
    def transcript(self) -> Transcript:
        return fold_events(self.events)

    async def append(self, event: AnyEvent) -> object:
        self.events = (*self.events, event)
        return event
