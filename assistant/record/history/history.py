"""The questions page's side of the session store: search, pins, tags, copies, and a bin that is emptied after a day."""

from __future__ import annotations

import asyncio
import copy
import secrets
from collections.abc import Callable, Mapping, Sequence
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import TypeVar

from assistant.core.turns import fold_session
from assistant.errors import SessionError
from assistant.record.history.copying import copy_session, kept_up_to
from assistant.record.history.search_results import Binned, Found, Labelled, TurnTitle, UsedIn
from assistant.record.history.searching import KINDS, found_in
from assistant.record.store.database import Database
from assistant.record.store.labels import Labels, LabelStore
from assistant.record.store.people import PeopleStore

T = TypeVar("T")

KEPT_FOR = timedelta(days=1)
"""How long a deleted session can be brought back."""
FOUND_MAX = 50
USES_MAX = 10


class History:
    """All sessions of a store, looked at from outside.

    Args:
        database: The session store.
        folder: Gives the folder of a session.
        copy_sources: Copies a session's list of sources from its folder to that of a copy.
        clock: The time, with its zone.
    """

    def __init__(
        self,
        database: Database,
        *,
        folder: Callable[[str], Path],
        copy_sources: Callable[[Path, Path], None],
        clock: Callable[[], datetime] = lambda: datetime.now(UTC),
    ) -> None:
        self._database = database
        self._labels = LabelStore(database)
        self._people = PeopleStore(database)
        self._folder = folder
        self._copy_sources = copy_sources
        self._clock = clock
        self._person: str | None = None

    def of(self, person: str) -> History:
        """The same for one person: their own sessions alone.

        Callers: The program.
        """
        made = copy.copy(self)
        made._person = person
        return made

    def labels(self) -> Mapping[str, Labelled]:
        """Pins and tags by session. Blocks.

        Callers: Anyone.
        """
        return {
            session: Labelled(pinned=one.pinned, tags=one.tags, binned=one.binned)
            for session, one in self._mine(self._labels.all()).items()
        }

    def hidden(self) -> frozenset[str]:
        """The sessions that were deleted and can still be brought back. Blocks.

        Callers: The program.
        """
        return frozenset(session for session, one in self._labels.all().items() if one.binned is not None)

    async def find(self, wanted: str) -> Mapping[str, Sequence[Found]]:
        """The sessions that hold all these words, with where they do.

        Callers: Anyone.
        """
        return await asyncio.to_thread(self._find, wanted)

    async def using(self, document: str) -> tuple[UsedIn, ...]:
        """The conversations whose answers rest on a document of the knowledge base, the last changed first.

        Callers: Anyone.
        """
        return await asyncio.to_thread(self._using, document)

    async def turns(self, session: str) -> tuple[TurnTitle, ...]:
        """The questions of a session.

        Callers: The owner.
        """
        await asyncio.to_thread(self._refuse_others, session)
        entries = (await asyncio.to_thread(self._database.read, session)).entries
        return tuple(TurnTitle(n=turn.number, question=turn.question) for turn in fold_session(entries).turns)

    async def pin(self, session: str, *, pinned: bool) -> None:
        """Put a session at the top of the list, or back.

        Callers: The owner.
        """
        await self._change(session, lambda one: replace(one, pinned=pinned))

    async def tag(self, session: str, tags: Sequence[str]) -> None:
        """Give a session these tags in place of those it had.

        Callers: The owner.
        """
        plain = tuple(dict.fromkeys(filter(None, (" ".join(tag.split())[:40] for tag in tags))))
        await self._change(session, lambda one: replace(one, tags=plain))

    async def bin(self, session: str) -> None:
        """Delete a session, in a way that can be undone for a day.

        Callers: The owner.
        """
        await self._change(session, lambda one: replace(one, binned=self._clock()))

    async def restore(self, session: str) -> None:
        """Bring a deleted session back.

        Callers: The owner.

        Raises:
            SessionError: It is gone for good.
        """
        await self._change(session, lambda one: replace(one, binned=None))

    async def binned(self) -> tuple[Binned, ...]:
        """The sessions that can be brought back, the last deleted first.

        Callers: Anyone.
        """
        labels = await asyncio.to_thread(lambda: self._mine(self._labels.all()))
        rows = {row.id: row.title for row in await asyncio.to_thread(self._database.sessions)}
        found = [
            Binned(id=session, title=rows[session], at=one.binned)
            for session, one in labels.items()
            if one.binned is not None and session in rows
        ]
        return tuple(sorted(found, key=lambda one: one.at, reverse=True))

    async def expired(self) -> tuple[str, ...]:
        """The sessions whose time in the bin is over.

        Callers: The program.
        """
        return tuple(one.id for one in await self.binned() if self._clock() - one.at > KEPT_FOR)

    async def copy(self, session: str, *, upto: int = 0, title: str = "") -> str:
        """Begin a session where another one stood after a turn; at its end where `upto` is 0. Gives its id.

        Callers: The owner.

        Raises:
            SessionError: It is gone or damaged, or its files cannot be copied.
        """
        return await asyncio.to_thread(self._copy, session, upto, title)

    def _copy(self, session: str, upto: int, title: str) -> str:
        self._refuse_others(session)
        read = self._database.read(session)
        if not read.entries or read.damage is not None:
            raise SessionError("That conversation is gone or damaged, so it cannot be copied.")
        row = next((one for one in self._database.sessions() if one.id == session), None)
        made = secrets.token_hex(8)
        copy_session(
            self._database,
            kept_up_to(read.entries, upto),
            source=self._folder(session),
            target=self._folder(made),
            session=made,
            copy_sources=self._copy_sources,
            title=title or f"Copy of {row.title if row else 'a question'}"[:120],
        )
        if self._person is not None:
            self._people.own(made, self._person)
        return made

    def _find(self, wanted: str) -> Mapping[str, Sequence[Found]]:
        words = wanted.split()
        if not words:
            return {}
        found: dict[str, Sequence[Found]] = {}
        for session in self._among_mine(self._database.holding(max(words, key=len), kinds=KINDS)):
            if places := found_in(self._database.read(session).entries, wanted):
                found[session] = places
            if len(found) >= FOUND_MAX:
                break
        return found

    def _using(self, document: str) -> tuple[UsedIn, ...]:
        titles = {row.id: row.title for row in self._database.sessions()}
        hidden = self.hidden()
        found: list[UsedIn] = []
        for session in self._among_mine(self._database.holding(document, kinds=("answer", "plan"))):
            turns = fold_session(self._database.read(session).entries).turns
            cited = any(citation.id == document for turn in turns for citation in turn.citations)
            if cited and session not in hidden:
                found.append(UsedIn(session=session, title=titles.get(session, "")))
            if len(found) == USES_MAX:
                break
        return tuple(found)

    def _mine(self, by_session: Mapping[str, T]) -> dict[str, T]:
        """What is said of sessions, of the person's own alone."""
        mine = self._among_mine(tuple(by_session))
        return {session: by_session[session] for session in mine}

    def _among_mine(self, sessions: Sequence[str]) -> Sequence[str]:
        if self._person is None:
            return sessions
        own = self._people.owned_by(self._person)
        return [session for session in sessions if session in own]

    def _refuse_others(self, session: str) -> None:
        """Refuse another person's session as if there were none.

        Raises:
            SessionError: It is not the person's.
        """
        if not self._among_mine((session,)):
            raise SessionError(f"There is no session {session!r} any more.")

    async def _change(self, session: str, change: Callable[[Labels], Labels]) -> None:
        def work() -> None:
            self._refuse_others(session)
            if not self._database.exists(session):
                raise SessionError(f"There is no session {session!r} any more.")
            self._labels.put(session, change(self._labels.all().get(session, Labels())))

        await asyncio.to_thread(work)
