"""Earlier conversations: listed, found, labelled, deleted and copied."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Protocol

from assistant.record.history.search_results import Binned, Found, Labelled, TurnTitle, UsedIn


class SessionCard(Protocol):
    """A session in a list."""

    @property
    def id(self) -> str:
        """The session's id, as in the page's address."""
        ...

    @property
    def title(self) -> str:
        """Its name: the first question, until the person gives one."""
        ...

    @property
    def state(self) -> str:
        """idle, working, waiting or damaged."""
        ...

    @property
    def updated(self) -> datetime:
        """When its last event became durable (UTC)."""
        ...

    @property
    def latest(self) -> str:
        """Its newest question; empty where nothing but the first was asked."""
        ...


class History(Protocol):
    """Earlier questions. All that is awaited raises AssistantError where it fails."""

    def labels(self) -> Mapping[str, Labelled]:
        """Pins and tags by session."""
        ...

    async def find(self, wanted: str) -> Mapping[str, Sequence[Found]]:
        """The sessions that hold all these words, with where they do."""
        ...

    async def using(self, document: str) -> tuple[UsedIn, ...]:
        """The conversations whose answers rest on a document of the knowledge base."""
        ...

    async def turns(self, session: str) -> tuple[TurnTitle, ...]:
        """The questions of a session."""
        ...

    async def pin(self, session: str, *, pinned: bool) -> object:
        """Put a session at the top of the list, or back."""
        ...

    async def tag(self, session: str, tags: Sequence[str]) -> object:
        """Give a session these tags in place of those it had."""
        ...

    async def bin(self, session: str) -> object:
        """Delete a session, in a way that can be undone."""
        ...

    async def restore(self, session: str) -> object:
        """Bring a deleted session back."""
        ...

    async def binned(self) -> tuple[Binned, ...]:
        """The sessions that can be brought back."""
        ...

    async def copy(self, session: str, *, upto: int = 0, title: str = "") -> str:
        """Begin a session where another one stood after a turn. Gives its id."""
        ...
