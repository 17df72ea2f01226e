"""The history of sessions: search, pins, tags, copies, and a recycle bin that is emptied after a day."""

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
from assistant.record.history.copying import copy_session, cut_after_turn
from assistant.record.history.searching import KINDS, Binned, Labelled, SearchMatch, TurnTitle, UsedIn, search_entries
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

    def for_person(self, person: str) -> History:
        """The same for one person: their own sessions alone.

        Callers: The program.
        """
        history = copy.copy(self)
        history._person = person
        return history

    def labels(self) -> Mapping[str, Labelled]:
        """Pins and tags by session. Blocks.

        Callers: Anyone.
        """
        return {
            session: Labelled(pinned=label.pinned, tags=label.tags, binned=label.binned)
            for session, label in self._only_own(self._labels.all()).items()
        }

    def list_binned_ids(self) -> frozenset[str]:
        """The sessions that were deleted and can still be brought back. Blocks.

        Callers: The program.
        """
        return frozenset(session for session, label in self._labels.all().items() if label.binned is not None)

    async def find(self, query: str) -> Mapping[str, Sequence[SearchMatch]]:
        """The sessions that hold all these words, with where they do.

        Callers: Anyone.
        """
        return await asyncio.to_thread(self._find, query)

    async def find_uses(self, document: str) -> tuple[UsedIn, ...]:
        """The conversations whose answers rest on a document of the knowledge base, the last changed first.

        Callers: Anyone.
        """
        return await asyncio.to_thread(self._find_uses, document)

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
        await self._change(session, lambda label: replace(label, pinned=pinned))

    async def tag(self, session: str, tags: Sequence[str]) -> None:
        """Give a session these tags in place of those it had.

        Callers: The owner.
        """
        plain = tuple(dict.fromkeys(filter(None, (" ".join(tag.split())[:40] for tag in tags))))
        await self._change(session, lambda label: replace(label, tags=plain))

    async def bin(self, session: str) -> None:
        """Delete a session, in a way that can be undone for a day.

        Callers: The owner.
        """
        await self._change(session, lambda label: replace(label, binned=self._clock()))

    async def restore(self, session: str) -> None:
        """Bring a deleted session back.

        Callers: The owner.

        Raises:
            SessionError: It is gone for good.
        """
        await self._change(session, lambda label: replace(label, binned=None))

    async def list_binned(self) -> tuple[Binned, ...]:
        """The sessions that can be brought back, the last deleted first.

        Callers: Anyone.
        """
        labels = await asyncio.to_thread(lambda: self._only_own(self._labels.all()))
        rows = {row.id: row.title for row in await asyncio.to_thread(self._database.list_sessions)}
        entries = [
            Binned(id=session, title=rows[session], at=label.binned)
            for session, label in labels.items()
            if label.binned is not None and session in rows
        ]
        return tuple(sorted(entries, key=lambda entry: entry.at, reverse=True))

    async def list_expired(self) -> tuple[str, ...]:
        """The sessions whose time in the bin is over.

        Callers: The program.
        """
        return tuple(entry.id for entry in await self.list_binned() if self._clock() - entry.at > KEPT_FOR)

    async def copy(self, session: str, *, upto: int = 0, title: str = "") -> str:
        """Begin a session where another one stood after a turn; at its end where `upto` is 0. Gives its id.

        Callers: The owner.

        Raises:
            SessionError: It is gone or damaged, or its files cannot be copied.
        """
        return await asyncio.to_thread(self._copy, session, upto, title)

    def _copy(self, session: str, upto: int, title: str) -> str:
        self._refuse_others(session)
        log = self._database.read(session)
        if not log.entries or log.damage is not None:
            raise SessionError("That conversation is gone or damaged, so it cannot be copied.")
        row = next((candidate for candidate in self._database.list_sessions() if candidate.id == session), None)
        copy_id = secrets.token_hex(8)
        copy_session(
            self._database,
            cut_after_turn(log.entries, upto),
            source=self._folder(session),
            target=self._folder(copy_id),
            session=copy_id,
            copy_sources=self._copy_sources,
            title=title or f"Copy of {row.title if row else 'a question'}"[:120],
        )
        if self._person is not None:
            self._people.set_owner(copy_id, self._person)
        return copy_id

    def _find(self, query: str) -> Mapping[str, Sequence[SearchMatch]]:
        words = query.split()
        if not words:
            return {}
        matches: dict[str, Sequence[SearchMatch]] = {}
        for session in self._filter_own(self._database.find_sessions(max(words, key=len), kinds=KINDS)):
            if places := search_entries(self._database.read(session).entries, query):
                matches[session] = places
            if len(matches) >= FOUND_MAX:
                break
        return matches

    def _find_uses(self, document: str) -> tuple[UsedIn, ...]:
        titles = {row.id: row.title for row in self._database.list_sessions()}
        hidden = self.list_binned_ids()
        uses: list[UsedIn] = []
        for session in self._filter_own(self._database.find_sessions(document, kinds=("answer", "plan"))):
            turns = fold_session(self._database.read(session).entries).turns
            cited = any(citation.id == document for turn in turns for citation in turn.citations)
            if cited and session not in hidden:
                uses.append(UsedIn(session=session, title=titles.get(session, "")))
            if len(uses) == USES_MAX:
                break
        return tuple(uses)

    def _only_own(self, by_session: Mapping[str, T]) -> dict[str, T]:
        """What is said of sessions, of the person's own alone."""
        mine = self._filter_own(tuple(by_session))
        return {session: by_session[session] for session in mine}

    def _filter_own(self, sessions: Sequence[str]) -> Sequence[str]:
        if self._person is None:
            return sessions
        own = self._people.list_owned(self._person)
        return [session for session in sessions if session in own]

    def _refuse_others(self, session: str) -> None:
        """Refuse another person's session as if there were none.

        Raises:
            SessionError: It is not the person's.
        """
        if not self._filter_own((session,)):
            raise SessionError(f"There is no session {session!r} any more.")

    async def _change(self, session: str, change: Callable[[Labels], Labels]) -> None:
        def work() -> None:
            self._refuse_others(session)
            if not self._database.exists(session):
                raise SessionError(f"There is no session {session!r} any more.")
            self._labels.put(session, change(self._labels.all().get(session, Labels())))

        await asyncio.to_thread(work)
