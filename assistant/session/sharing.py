"""Share links: anybody who has one can read a session's answers, and do nothing else."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection

from assistant.errors import SessionError
from assistant.record.store.people import PeopleStore


class Sharing:
    """The links to one person's sessions.

    Args:
        people: Keeps the links.
        require: Raises where a session is not this person's.
        hidden: Gives the sessions that are in the bin. Blocks.
        report: Writes a session's answers, whoever's it is, as one HTML file without anything to press.
    """

    def __init__(
        self,
        people: PeopleStore,
        *,
        require: Callable[[str], Awaitable[object]],
        hidden: Callable[[], Collection[str]],
        report: Callable[[str], Awaitable[bytes]],
    ) -> None:
        self._people = people
        self._require = require
        self._hidden = hidden
        self._report = report

    async def link(self, session_id: str) -> str:
        """Make a link to a session. Gives its token, once.

        Callers: The owner.

        Raises:
            AssistantError: There is no such session, or it is another person's.
        """
        await self._require(session_id)
        return await asyncio.to_thread(self._people.add_link, session_id)

    async def revoke(self, session_id: str) -> None:
        """Let no link lead to a session any more.

        Callers: The owner.

        Raises:
            AssistantError: As `link`.
        """
        await self._require(session_id)
        await asyncio.to_thread(self._people.delete_links, session_id)

    async def count(self, session_id: str) -> int:
        """How many links lead to a session.

        Callers: The owner.

        Raises:
            AssistantError: As `link`.
        """
        await self._require(session_id)
        return await asyncio.to_thread(self._people.count_links, session_id)

    async def answers(self, token: str) -> bytes:
        """The answers of the session that a link leads to, as one HTML file.

        Callers: Whoever has the link.

        Raises:
            AssistantError: The link leads nowhere, or not any more.
        """
        session_id = await asyncio.to_thread(self._people.find_shared, token)
        if session_id is None or session_id in await asyncio.to_thread(self._hidden):
            raise SessionError("This link leads nowhere. It may have been taken back by who made it.")
        return await self._report(session_id)
