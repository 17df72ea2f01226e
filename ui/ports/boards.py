"""Pinned answers."""

from __future__ import annotations

from typing import Protocol

from assistant.record.boards.board import Board


class Boards(Protocol):
    """Pinned answers. All raise AssistantError where they fail."""

    async def all(self) -> tuple[Board, ...]:
        """The boards by name."""
        ...

    async def opened(self, name: str) -> Board:
        """A board to be shown."""
        ...

    async def refresh(self, name: str) -> Board:
        """Run the queries of a board again."""
        ...

    async def pin(self, name: str, session_id: str, turn: int) -> Board:
        """Put the answer of a turn on a board."""
        ...

    async def unpin(self, name: str, tile: str) -> Board:
        """Take a tile off a board."""
        ...

    async def refresh_on_open(self, name: str, *, wanted: bool) -> Board:
        """Keep whether a board is refreshed whenever it is opened."""
        ...

    async def html(self, name: str) -> bytes:
        """A board as one HTML file."""
        ...
