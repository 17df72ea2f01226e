"""Open sessions, and the one event loop (`loop`) on which they run.

Streamlit runs a script in a thread of its own for every change; sessions are asyncio. They meet here: screens call the
plain functions of `SessionHub`, coroutines run on the loop, and the page reads what changed from the event log.
Sessions outlive tabs. The hub is a module singleton, made when the server starts (a Streamlit cache could be cleared
while a run is active). It draws nothing and knows no screen.
"""

from __future__ import annotations

import concurrent.futures
import logging
import secrets
import threading
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import TYPE_CHECKING, Any, TypeVar

from assistant.api.errors import AssistantError, SessionError
from assistant.api.health import Health
from assistant.api.loop import Loop
from assistant.api.session import Session
from assistant.api.sources import Starter
from assistant.api.workspace import Workspace
from ui.open_session import OpenSession
from ui.people import People, Person
from ui.printing import Prints
from ui.reading import Reading
from ui.result_cache import ResultCache
from ui.starter_questions import Beginnings

if TYPE_CHECKING:
    from assistant.api.opening import OpenWorkspace

log = logging.getLogger(__name__)
T = TypeVar("T")


class SessionHub:
    """Sessions on one loop thread.

    Args:
        open_workspace: gives the workspace; entered on the loop when the server starts.
        people: how people sign in; None where nobody need, and all is one person's.
    """

    def __init__(self, open_workspace: OpenWorkspace, people: People | None = None) -> None:
        self.boot = secrets.token_hex(4)
        """New with every start: open tabs reload when it changes."""
        self.fault = ""
        """Why the workspace could not be opened, in words for the person; empty when it could."""
        self._open_workspace = open_workspace
        self._loop = Loop()
        self._context: AbstractAsyncContextManager[Workspace] | None = None
        self._workspace: Workspace | None = None
        self.people = people
        self._own: dict[str, Workspace] = {}
        self._allowed: set[tuple[str, str]] = set()
        self._sessions: dict[str, OpenSession] = {}
        self.results = ResultCache(self._loop.begin)
        self.beginnings = Beginnings(self._loop.begin, self._whole)
        self.prints = Prints()
        self._health: tuple[Health, ...] | None = None
        self._lock = threading.Lock()

    def start(self) -> None:
        """Start the loop and open the workspace. A workspace that cannot be opened leaves `fault`."""
        self._loop.start()
        try:
            self.call(self._enter(), timeout_s=None)
        except AssistantError as error:
            log.exception("the workspace could not be opened")
            self.fault = str(error)
            return
        self.starters()  # begun now, as the data card is, so that the first page need not wait for them
        self.beginnings.sources()

    def close(self) -> None:
        """Close the workspace and end the loop, and what still runs on it."""
        self.beginnings.cancel()
        try:
            if self._context is not None:
                self.call(self._context.__aexit__(None, None, None), timeout_s=30)
        finally:
            self._loop.close()

    @property
    def workspace(self) -> Workspace:
        """The open workspace; where people sign in, as the person sees it for whom the running script is.

        Raises:
            SessionError: it could not be opened (`fault` says why), or nobody signed in.
        """
        return self._whole() if self.people is None else self._of(self.people.on_page())

    def render_shared(self, token: str) -> bytes:
        """The answers of the session that a link leads to, as one HTML file; for anybody who has the link.

        Raises:
            AssistantError: the link leads nowhere.
        """
        return self.call(self._whole().sharing.answers(token), timeout_s=120)

    def print_document(self, key: tuple[str, ...], make: Callable[[], bytes]) -> str:
        """The address at which the browser prints a document of the person for whom the running script is."""
        person = self._person()
        return self.prints.address((*key, "" if person is None else person.id), make)

    def open_for(self, session_id: str, person: Person | None) -> Session:
        """The session of that id, for a person outside of a script; `person` counts where people sign in.

        Raises:
            SessionError: there is none, or it is not theirs.
        """
        return self._open(session_id, self._whole() if self.people is None else self._of(person), person)

    def _whole(self) -> Workspace:
        if self._workspace is None:
            raise SessionError(self.fault or "Tandem is still starting. Reload the page in a moment.")
        return self._workspace

    def _of(self, person: Person | None) -> Workspace:
        """The workspace as one person sees it."""
        if person is None:
            raise SessionError("Nobody is signed in here any more. Reload the page and sign in.")
        if person.id not in self._own:
            self._own[person.id] = self._whole().of(person.id)
        return self._own[person.id]

    def call(self, work: Coroutine[Any, Any, T], *, timeout_s: float | None = 60) -> T:
        """Run a coroutine on the loop and wait for it, from any other thread."""
        return self._loop.begin(work).result(timeout_s)

    def begin(self, work: Coroutine[Any, Any, T]) -> concurrent.futures.Future[T]:
        """Start a coroutine on the loop, from any other thread."""
        return self._loop.begin(work)

    def of(self, session: Session) -> OpenSession:
        """The page's state of a session, beside its log."""
        with self._lock:
            opened = self._sessions.get(session.id)
            if opened is None:
                opened = self._sessions[session.id] = OpenSession(session, self._loop.begin)
            return opened

    def create(self, sources: tuple[str, ...] = (), *, bare: bool = False) -> Session:
        """Begin a session on these sources, else on the default ones; `bare` on none, for files that come next.

        Raises:
            AssistantError: a source cannot be opened.
        """
        return self.begin_session(sources, bare=bare).result(600)

    def begin_session(self, sources: tuple[str, ...] = (), *, bare: bool = False) -> Reading[Session]:
        """Begin to begin a session, as `create` does: its data may take a while to read."""
        workspace, person = self.workspace, self._person()

        async def made() -> Session:
            session = await workspace.create(sources, bare=bare)
            with self._lock:
                self._sessions[session.id] = OpenSession(session, self._loop.begin)
                if person is not None:
                    self._allowed.add((person.id, session.id))
            return session

        return self.begin_reading("Getting the data ready", made())

    def begin_reading(self, title: str, work: Coroutine[Any, Any, T]) -> Reading[T]:
        """Start something that reads data, whose progress is shown and which can be stopped."""
        return Reading(title, work, self._loop.begin)

    def open(self, session_id: str) -> Session:
        """The session of that id.

        Raises:
            SessionError: there is none.
        """
        return self._open(session_id, self.workspace, self._person())

    def _open(self, session_id: str, workspace: Workspace, person: Person | None) -> Session:
        """The session of that id, once the workspace has let this person have it."""
        # The cache is shared by all people: who has not opened a session passes the workspace's own check.
        allowed = person is None or (person.id, session_id) in self._allowed
        with self._lock:
            opened = self._sessions.get(session_id) if allowed else None
        if opened is None:
            opened = OpenSession(self.call(workspace.open(session_id)), self._loop.begin)
            with self._lock:
                # Another thread may have opened it meanwhile: all tabs must share one object.
                opened = self._sessions.setdefault(session_id, opened)
                if person is not None:
                    self._allowed.add((person.id, session_id))
        return opened.session

    def _person(self) -> Person | None:
        return None if self.people is None else self.people.on_page()

    def forget(self, session_id: str) -> None:
        """Remove a deleted session from the caches."""
        with self._lock:
            self._sessions.pop(session_id, None)
            self._allowed = {key for key in self._allowed if key[1] != session_id}
        self.results.forget(session_id)

    def opened(self) -> tuple[Session, ...]:
        """The sessions in use, the last opened first; where people sign in, the person's own."""
        person = self._person()
        with self._lock:
            return tuple(
                opened.session
                for id_, opened in reversed(self._sessions.items())
                if self.people is None or (person is not None and (person.id, id_) in self._allowed)
            )

    def starters(self, session: Session | None = None) -> tuple[Starter, ...] | None:
        """Questions to begin with; None while they are being made, none where they cannot be."""
        return self.beginnings.starters(session, sources=0 if session is None else len(self.of(session).view().sources))

    def forget_starters(self) -> None:
        """Make what the empty page shows of the data anew."""
        self.beginnings.forget()

    def health(self, *, fresh: bool = False) -> tuple[Health, ...]:
        """The health checks, cached; run again where `fresh`."""
        if fresh or self._health is None:
            self._health = self.call(self.workspace.doctor(), timeout_s=180)
        return self._health

    def decide_mask(self, column: str, *, mask: bool) -> int:
        """Mask a column, at once and in every conversation, or suggest it no more. Gives how many answers that took.

        Raises:
            AssistantError: it could not be kept, or not everything could be withheld.
        """
        try:
            return self.call(self.workspace.decide_mask(column, mask=mask), timeout_s=None).turns
        finally:
            self.results.clear()
            self.beginnings.forget()

    async def _enter(self) -> None:
        self._context = self._open_workspace()
        self._workspace = await self._context.__aenter__()
        self._workspace.warm()


class _Holder:
    live: SessionHub | None = None


def install(live: SessionHub | None) -> None:
    """Make `live` the server's; None when the server ends."""
    _Holder.live = live


def current() -> SessionHub:
    """The server's `SessionHub`."""
    if _Holder.live is None:
        raise RuntimeError("the page was drawn before the server installed its sessions: serve it with `ui.serve`")
    return _Holder.live
