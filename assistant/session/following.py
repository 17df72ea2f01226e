"""Refreshes open sessions from their logs when another program writes them, such as `tandem ask --session`."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping
from contextlib import suppress
from typing import TYPE_CHECKING

from assistant.errors import StoreError

if TYPE_CHECKING:
    from assistant.session.session import Session

EVERY_S = 0.5
"""Seconds between two looks at a store that does not tell of new events. A look is one statement for all sessions."""


class Following:
    """Has open sessions read what other programs append.

    Args:
        sessions: Gives the open sessions, by id.
        heads: Gives what changes with every event of a session, by session. Blocks.
        wait: Returns when a session may have a new event, after so many seconds at the latest.
    """

    def __init__(
        self,
        sessions: Callable[[], Mapping[str, Session]],
        *,
        heads: Callable[[Collection[str]], Mapping[str, str]],
        wait: Callable[[float], Awaitable[object]] = asyncio.sleep,
    ) -> None:
        self._sessions = sessions
        self._heads = heads
        self._wait = wait
        self._seen: Mapping[str, str] = {}

    async def run(self) -> None:
        """Look again and again, until cancelled. A store that cannot be read is told of where it is used."""
        while True:
            await self._wait(EVERY_S)
            with suppress(StoreError):
                await self.look()

    async def look(self) -> None:
        """Have those sessions read their logs that changed since the last look, or that another program works on.

        Raises:
            StoreError: The store cannot be read.
        """
        sessions = dict(self._sessions())
        if not sessions:
            return
        heads = await asyncio.to_thread(self._heads, sessions)
        changed = [id_ for id_, head in heads.items() if self._seen.get(id_) != head]
        self._seen = heads
        for id_, session in sessions.items():
            if id_ in changed or (id_ in heads and session.state == "working"):
                await session.follow()
