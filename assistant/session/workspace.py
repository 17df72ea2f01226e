"""The workspace: all sessions, and the interface to what precedes a session.

Opens and makes sessions, each at most once per program, so that the page's tabs and scripts share one object and one
kernel. It constructs nothing itself: `assistant.bootstrap` gives it the factories.
"""

from __future__ import annotations

import asyncio
import contextlib
import copy
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from datetime import date
from functools import cache
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.events import Event, SessionOpened
from assistant.core.turns import fold_events
from assistant.errors import AssistantError, SessionError, StoreError
from assistant.record.store.people import PeopleStore
from assistant.session.following import Following
from assistant.session.session_cards import SessionCard, StoredStates, latest_question
from assistant.session.sharing import Sharing
from sandbox import trees

if TYPE_CHECKING:
    from assistant.connections.connections import Connections
    from assistant.record.boards.boards import Boards
    from assistant.record.history.history import History
    from assistant.record.store.database import Database
    from assistant.runtime.cages import MachineCages
    from assistant.session.health.doctor import Health
    from assistant.session.knowledge.workspace_knowledge import WorkspaceKnowledge
    from assistant.session.session import Session
    from assistant.session.settings.choices import Choices
    from assistant.session.settings.configured_models import ConfiguredModels
    from assistant.sources.defaults import DefaultSources

_LOG = logging.getLogger(__name__)
_ID = re.compile(r"[0-9a-f]{16}")


@dataclass(frozen=True, slots=True, kw_only=True)
class Masking:
    """What masking a column took: so many `turns` are withheld."""

    column: str
    turns: int


@dataclass(frozen=True, slots=True, kw_only=True)
class Storage:
    """Where sessions are kept, and how one is made and forgotten.

    Attributes:
        home: The data folder.
        database: Their events.
        make_session: Puts the parts of a session together; nothing is started.
        forget_backups: Lets no backup hold a session any more. Blocks.
        forget_credentials: Removes passwords that no session uses any more. Blocks.
        person: Who uses the program; empty where nobody knows. Blocks.
    """

    home: Path
    database: Database
    make_session: Callable[[str, Path], Session]
    forget_backups: Callable[[str], None]
    forget_credentials: Callable[[], None]
    person: Callable[[], str] = str


@dataclass(frozen=True, slots=True, kw_only=True)
class DefaultData:
    """What new sessions start with.

    Attributes:
        sources: The default sources.
        decide_mask: Keeps what a person said of a column, and gives all that is masked now.
    """

    sources: DefaultSources
    decide_mask: Callable[[str, bool], Awaitable[Sequence[str]]]


@dataclass(frozen=True, slots=True, kw_only=True)
class PageParts:
    """What pages alone want, made when one first does: a command that asks one question imports none of it.

    Attributes:
        connections: The default sources, as they are looked at and changed.
        choices: The settings, as they are chosen.
        boards: Pinned answers of sessions that are opened so.
        examine: Looks at what works here.
    """

    connections: Callable[[], Connections]
    choices: Callable[[], Choices]
    boards: Callable[[Callable[[str], Awaitable[Session]]], Boards]
    examine: Callable[[], Awaitable[tuple[Health, ...]]]


class Workspace:
    """All sessions of one data folder. Use it as `async with`.

    Args:
        storage: Where sessions are kept.
        cages: Makes their kernels.
        data: What new ones start with.
        history: Earlier sessions.
        knowledge: What is known of the default data.
        models: The language models of the settings.
        pages: What pages alone want.
    """

    def __init__(
        self,
        *,
        storage: Storage,
        cages: MachineCages,
        data: DefaultData,
        history: History,
        knowledge: WorkspaceKnowledge,
        models: ConfiguredModels,
        pages: PageParts,
    ) -> None:
        self._storage = storage
        self._database = storage.database
        self._cages = cages
        self._data = data
        self.history = history
        """Earlier sessions: searched, labelled, deleted, copied."""
        self.knowledge = knowledge
        """What the organisation means by the default data."""
        self.models = models
        """The language models of the settings."""
        self._connections = cache(pages.connections)
        self._choices = cache(pages.choices)
        self._boards = cache(lambda: pages.boards(self.open))
        self._examine = pages.examine
        self._people = PeopleStore(self._database)
        self._owner: str | None = None
        self._whole = self
        self._states = StoredStates(self._database)
        self._sessions: dict[str, Session] = {}
        self._opening = asyncio.Lock()
        self._following = Following(
            lambda: self._sessions, heads=self._database.read_heads, wait=self._database.wait_for_event
        )
        self._follower: asyncio.Task[None] | None = None

    def of(self, person: str) -> Workspace:
        """The same for one person who signed in: their own sessions and boards alone.

        What is not a session is everybody's: sources, knowledge, masks, settings. A session of another person is
        refused as if there were none. Paths and addresses of the server are not theirs to name.

        Callers: The program.
        """
        own = copy.copy(self)
        own._owner = person
        own.history = self.history.for_person(person)
        own._connections = cache(lambda: self.connections.of("member"))
        own._choices = cache(lambda: self.choices.of(is_shared=True))
        own._boards = cache(lambda: self.boards.for_person(person, own.open))
        return own

    async def __aenter__(self) -> Workspace:
        with contextlib.suppress(AssistantError):  # what is wrong with the store is told where it is used
            for session_id in await self.history.list_expired():
                await self.delete(session_id)
        self._follower = asyncio.create_task(self._following.run())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._follower is not None:
            self._follower.cancel()
            await asyncio.wait([self._follower])
        for session in tuple(self._sessions.values()):
            await session.close()
        self._sessions.clear()
        await asyncio.to_thread(self._database.close)

    @property
    def connections(self) -> Connections:
        """The sources that new sessions start with, as they are looked at and changed.

        Callers: Anyone.
        """
        return self._connections()

    @property
    def choices(self) -> Choices:
        """The settings, as they are chosen.

        Callers: Anyone.
        """
        return self._choices()

    @property
    def boards(self) -> Boards:
        """Pinned answers.

        Callers: Anyone.
        """
        return self._boards()

    def warm(self) -> None:
        """Begin to make kernels ready in the background.

        Callers: The program.
        """
        self._cages.warm()

    @property
    def default_source(self) -> str:
        """What data a new session is connected to, and how fresh it is.

        Callers: Anyone.
        """
        return self._data.sources.text

    def sessions(self) -> tuple[SessionCard, ...]:
        """All sessions that were asked anything, those that need the person first, then the last changed. Blocks.

        Callers: Anyone.
        """
        cards: list[SessionCard] = []
        hidden = self.history.list_binned_ids()
        own = None if self._owner is None else self._people.list_owned(self._owner)
        for row in self._database.list_sessions():
            if row.id in hidden or (own is not None and row.id not in own):
                continue
            live = self._sessions.get(row.id)
            if live is None:
                title, (now, latest) = row.title, self._states.of(row)
            else:
                title, now, latest = live.title, live.state, latest_question(live.transcript)
                if live.damage:
                    title, now = title or row.title, "damaged"
            if title:
                cards.append(SessionCard(id=row.id, title=title, state=now, updated=row.updated_at, latest=latest))
        return tuple(sorted(cards, key=lambda card: card.state != "waiting"))

    async def create(self, sources: Sequence[str] = (), *, bare: bool = False) -> Session:
        """A new session on these sources, or on the default ones.

        Callers: Anyone.

        Args:
            sources: as one would type them.
            bare: without sources it gets none at all: the person's own files are added next.

        Raises:
            AssistantError: a source cannot be opened; no session is left behind.
        """
        session_id = secrets.token_hex(8)
        await asyncio.to_thread(self._database.create, session_id)
        if self._owner is not None:
            await asyncio.to_thread(self._people.set_owner, session_id, self._owner)
        session = self._storage.make_session(session_id, self._folder(session_id))
        try:
            await session.begin(SessionOpened(by=self._owner or await asyncio.to_thread(self._storage.person)))
            for text in sources:
                await session.sources.add(text)
            if not sources and not bare:
                await self.connect_default(session)
        except BaseException:  # a stop as well
            await session.close()
            await self._forget(session_id)
            raise
        self._sessions[session_id] = session
        return session

    async def connect_default(self, session: Session) -> None:
        """Connect a session to the default sources.

        Callers: The owner.

        Raises:
            AssistantError: one cannot be opened.
        """
        for text in await self._data.sources.load_entries():
            await session.sources.add_granted(text)

    async def open(self, session_id: str) -> Session:
        """The session of that id.

        Callers: The owner.

        Raises:
            SessionError: there is none, or it is another person's.
        """
        await self._refuse_others(session_id)
        async with self._opening:
            if session_id in self._sessions:
                return self._sessions[session_id]
            exists = _ID.fullmatch(session_id) and await asyncio.to_thread(self._database.exists, session_id)
            if not exists:
                raise _none(session_id)
            session = self._storage.make_session(session_id, self._folder(session_id))
            try:
                await session.recover()
            except BaseException:
                await session.close()
                raise
            self._sessions[session_id] = session
            return session

    async def _refuse_others(self, session_id: str) -> None:
        owner = self._owner
        if owner is not None and not await asyncio.to_thread(self._people.is_owner, owner, session_id):
            raise _none(session_id)

    @property
    def sharing(self) -> Sharing:
        """The links by which others read a session's answers.

        Callers: Anyone.
        """
        return Sharing(self._people, require=self.open, hidden=self.history.list_binned_ids, report=self._whole.report)

    async def rename(self, session_id: str, title: str) -> None:
        """Give a session a name.

        Callers: The owner.
        """
        await (await self.open(session_id)).rename(title)

    async def report(self, session_id: str) -> bytes:
        """A session's answers as one HTML file.

        Callers: The owner.

        Raises:
            AssistantError: there is no such session, or another program is at work on what must be withheld.
        """
        from assistant.session.answers.reporting import render_report

        return await render_report(await self.open(session_id), today=date.today())

    async def script(self, session_id: str) -> bytes:
        """A session as a Python script that runs without Tandem.

        Callers: The owner.

        Raises:
            AssistantError: it cannot be written.
        """
        from assistant.session.answers.reporting import build_script

        return await asyncio.to_thread(build_script, await (await self.open(session_id)).export())

    def questions_of(self, notebook: bytes) -> tuple[str, ...]:
        """The questions of a notebook that was exported here, to be asked anew.

        Callers: Anyone.

        Raises:
            SessionError: it is no notebook, or holds no question.
        """
        from assistant.session.answers.reporting import list_questions

        return list_questions(notebook)

    async def delete(self, session_id: str) -> None:
        """Delete a session with its events, files, results and uploads. It cannot be undone.

        Callers: The owner.

        Raises:
            SessionError: there is none, or another program is at work on it.
        """
        try:
            session = await self.open(session_id)
        except StoreError:  # so damaged that it cannot be opened; it can still go
            await self._forget(session_id)
            return
        await session.stop()
        async with session.hold():
            self._sessions.pop(session_id, None)
            await session.close()
            await self._forget(session_id)

    async def revoke(self, query: str) -> None:
        """Take back a verified query of the default data by its id, and tell the sessions in which it was marked.

        A session that another program is at work on is not told; taking it back there does no harm.

        Callers: Anyone.

        Raises:
            AssistantError: it is gone, was written or edited by hand, or cannot be removed. Nothing changed.
        """
        file = await self.knowledge.revoke_query(query)
        for session_id, files in (await asyncio.to_thread(self._database.read_verified_files)).items():
            if file not in files:
                continue
            with contextlib.suppress(AssistantError):
                session = await self._whole.open(session_id)
                for turn in _marked_in([entry.event for entry in session.events()], file):
                    await session.answers.revoke(turn)

    async def doctor(self) -> tuple[Health, ...]:
        """What works here and what does not, each really tried.

        Callers: Anyone.
        """
        return await self._examine()

    async def decide_mask(self, column: str, *, mask: bool) -> Masking:
        """Keep what a person said of a column that looks like personal data; a mask holds at once, in every session.

        When this returns, no session tells a value of the column any more, open or not.

        Callers: Anyone.

        Raises:
            AssistantError: it cannot be kept, or a session could not apply it; the text says which.
        """
        from assistant.sources.withholding import has_mask_changes  # it imports the SQL parser

        masked = await self._data.decide_mask(column, mask)
        turns, stored = 0, list[str]()
        async with self._opening:  # one that is being opened is among the open ones afterwards
            events_by_session = await asyncio.to_thread(self._database.read_sources)
            for session_id in self._sessions.keys() | {
                affected for affected, events in events_by_session.items() if has_mask_changes(events, masked)
            }:
                opened = self._sessions.get(session_id)
                session = opened or self._storage.make_session(session_id, self._folder(session_id))
                try:
                    turns += await session.apply_masks()
                except AssistantError as error:
                    mine = self._owner is None or await asyncio.to_thread(
                        self._people.is_owner, self._owner, session_id
                    )
                    stored.append(f"{session.title or session_id!r} ({error})" if mine else "another's conversation")
                finally:
                    if opened is None:
                        await session.close()
        if mask:
            await self._whole.boards.apply_masks()
        if stored:
            raise SessionError(
                f"{column} is masked from now on, but what was shown of it before still stands in {', '.join(stored)}. "
                "It is withheld when that conversation is next used or opened."
            )
        return Masking(column=column, turns=turns)

    def _folder(self, session_id: str) -> Path:
        return self._storage.home / "sessions" / session_id

    async def _forget(self, session_id: str) -> None:
        await asyncio.to_thread(self._database.delete, session_id)
        await asyncio.to_thread(self._storage.forget_backups, session_id)
        folder = self._folder(session_id)
        if not await asyncio.to_thread(trees.remove, folder):
            _LOG.warning(
                "the folder of the deleted session %s could not be removed whole; delete %s", session_id, folder
            )
        await asyncio.to_thread(self._storage.forget_credentials)


def _none(session_id: str) -> SessionError:
    return SessionError(f"There is no session {session_id!r}. `tandem sessions` lists those that are there.")


def _marked_in(events: Sequence[Event], file: str) -> tuple[int, ...]:
    """The turns with a mark that stands and whose query is kept in that file."""
    turns = fold_events(events).turns
    return tuple(turn.number for turn in turns if turn.verified is not None and turn.verified.file == file)
