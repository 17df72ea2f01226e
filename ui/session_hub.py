"""The sessions that live on the one loop (`loop`).

Streamlit runs a script in a thread of its own for every change; the conversation is asyncio. They meet here: screens
call the plain functions of `SessionHub`, coroutines run on the loop, and what must be shown comes back through the
event log. Sessions outlive tabs. The hub is a module singleton, made when the server starts (a Streamlit cache could be
cleared under running work). It draws nothing and knows no screen.
"""

from __future__ import annotations

import concurrent.futures
import logging
import secrets
import threading
from collections import OrderedDict
from collections.abc import Callable, Coroutine
from contextlib import AbstractAsyncContextManager
from typing import Any, TypeVar

from assistant.connections.described import Starter
from assistant.errors import AssistantError, SessionError
from assistant.progress import Progress, watched
from assistant.session.loop import Loop
from ui.beginnings import Beginnings, so_far
from ui.in_use import Doing, InUse, Unasked
from ui.people import People, Person
from ui.ports.health import Health
from ui.ports.results import Facts, TableView
from ui.ports.session import Session
from ui.ports.workspace import OpenWorkspace, Workspace
from ui.reading import Reading
from ui.reduce import reduce
from ui.view_model import View

log = logging.getLogger(__name__)
T = TypeVar("T")

TABLES_MAX = 64
"""Tables kept in memory for redrawing; each holds at most `ROWS_SHOWN` rows."""

ROWS_SHOWN = 1000
"""Rows of a table that the page holds; the download has them all."""


ROWS_DRAWN = 100_000
"""Rows that a chart, an order and a total are made of; beyond them the page says so."""

MADE_MAX = 96
"""Results, charts and facts kept in memory for redrawing."""


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
        self._sessions: dict[str, InUse] = {}
        self._tables: OrderedDict[tuple[str, str], TableView | None] = OrderedDict()
        self._made: OrderedDict[tuple[object, ...], Any] = OrderedDict()
        self.beginnings = Beginnings(self._loop.begin, self._whole)
        self._generation = 0
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

    def shared(self, token: str) -> bytes:
        """The answers of the session that a link leads to, as one HTML file; for anybody who has the link.

        Raises:
            AssistantError: the link leads nowhere.
        """
        return self.call(self._whole().sharing.answers(token), timeout_s=120)

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

    def send(
        self, session: Session, work: Coroutine[Any, Any, object], *, refused: str = "", wait_s: float = 0.4
    ) -> bool:
        """Start a coroutine of a session and wait only a moment: what it does shows in the log.

        Args:
            session: whose coroutine it is; a failure is told there.
            work: the coroutine.
            refused: what to tell the person if the coroutine gives False.
            wait_s: how long to wait for a quick refusal.

        Returns:
            False if it was refused or failed within that moment.
        """
        future = self._loop.begin(work)
        future.add_done_callback(lambda done: self._tell(session.id, done, refused))
        try:
            return future.result(wait_s) is not False
        except concurrent.futures.TimeoutError:
            return True
        except AssistantError:
            return False

    def create(self, sources: tuple[str, ...] = (), *, bare: bool = False) -> Session:
        """Begin a session on these sources, else on the default ones; `bare` on none, for files that come next.

        Raises:
            AssistantError: a source cannot be opened.
        """
        return self.creating(sources, bare=bare).result(600)

    def creating(self, sources: tuple[str, ...] = (), *, bare: bool = False) -> Reading[Session]:
        """Begin to begin a session, as `create` does: its data may take a while to read."""
        workspace, person = self.workspace, self._person()

        async def made() -> Session:
            session = await workspace.create(sources, bare=bare)
            with self._lock:
                self._sessions[session.id] = InUse(session)
                if person is not None:
                    self._allowed.add((person.id, session.id))
            return session

        return self.reading("Getting the data ready", made())

    def reading(self, what: str, work: Coroutine[Any, Any, T]) -> Reading[T]:
        """Start something that reads data, whose progress is shown and which can be stopped."""
        return Reading(what, work, self._loop.begin)

    def open(self, session_id: str) -> Session:
        """The session of that id.

        Raises:
            SessionError: there is none.
        """
        return self._open(session_id, self.workspace, self._person())

    def _open(self, session_id: str, workspace: Workspace, person: Person | None) -> Session:
        """The session of that id, once the workspace has let this person have it."""
        allowed = person is None or (person.id, session_id) in self._allowed
        with self._lock:
            known = self._sessions.get(session_id) if allowed else None
        if known is None:
            known = InUse(self.call(workspace.open(session_id)))
            with self._lock:
                known = self._sessions.setdefault(session_id, known)
                if person is not None:
                    self._allowed.add((person.id, session_id))
        return known.session

    def _person(self) -> Person | None:
        return None if self.people is None else self.people.on_page()

    def forget(self, session_id: str) -> None:
        """Let go of a session that was deleted."""
        with self._lock:
            self._sessions.pop(session_id, None)
            self._allowed = {one for one in self._allowed if one[1] != session_id}
            for key in [key for key in self._tables if key[0] == session_id]:
                del self._tables[key]
            for made in [made for made in self._made if made[0] == session_id]:
                del self._made[made]

    def opened(self) -> tuple[Session, ...]:
        """The sessions in use, the last opened first; where people sign in, the person's own."""
        person = self._person()
        with self._lock:
            return tuple(
                known.session
                for id_, known in reversed(self._sessions.items())
                if self.people is None or (person is not None and (person.id, id_) in self._allowed)
            )

    def starters(self, session: Session | None = None) -> tuple[Starter, ...] | None:
        """Questions to begin with; None while they are being made, none where they cannot be."""
        return self.beginnings.starters(session, sources=0 if session is None else len(self.view(session).sources))

    def forget_starters(self) -> None:
        """Make what the empty page shows of the data anew."""
        self.beginnings.forget()

    def health(self, *, fresh: bool = False) -> tuple[Health, ...]:
        """What works here, looked at once, and again where `fresh`."""
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
            with self._lock:
                self._generation += 1
                self._tables.clear()
                self._made.clear()
                self.beginnings.forget()

    def view(self, session: Session) -> View:
        """The session as the page shows it, reduced once per version."""
        known = self._known(session)
        version = session.version
        if known.version != version:
            known.view, known.version = reduce(session.events()), version
        return known.view

    def drafts(self, session: Session) -> dict[str, str]:
        """What the person typed and has not sent, by the id of what it is for. Survives a reload of the page."""
        return self._known(session).drafts

    def drop_drafts(self, session: Session, id_: str) -> None:
        """Forget what was typed for a request that is decided."""
        drafts = self._known(session).drafts
        for key in [key for key in drafts if key == id_ or key.startswith(f"{id_}#")]:
            del drafts[key]

    def tell(self, session: Session, text: str) -> None:
        """Tell the person something, once, at the next redraw, which is now."""
        known = self._known(session)
        with self._lock:
            known.notices.append(text)
        self._changed(known)

    def unasked(self, session: Session) -> Unasked | None:
        """A question that was not asked, kept until it is."""
        return self._known(session).unasked

    def keep_unasked(self, session: Session, kept: Unasked | None) -> None:
        """Keep a question that was not asked, or forget it."""
        self._known(session).unasked = kept

    def do(self, session: Session, doing: Doing, work: Coroutine[Any, Any, object]) -> None:
        """Start something that takes a while and is not in the log until it is done: reading an uploaded file.

        Args:
            session: whose it is.
            doing: what is being done, for the person.
            work: the coroutine; what it raises is told.
        """
        known = self._known(session)
        known.under_way.append(doing)
        known.progress = None

        def at(progress: Progress) -> None:
            known.progress = progress
            self._changed(known)

        async def told() -> object:
            with watched(at):
                return await work

        future = known.work = self._loop.begin(told())

        def done(finished: concurrent.futures.Future[object]) -> None:
            known.under_way.remove(doing)
            self._tell(session.id, finished, "")
            self._changed(known)

        future.add_done_callback(done)
        self._changed(known)

    def break_off(self, session: Session) -> None:
        """Stop what is being done; its question is kept, to be asked again."""
        known = self._known(session)
        doing = self.doing(session)
        if known.work is None or doing is None or not known.work.cancel():
            return
        if doing.question:
            why = f"{doing.what} was stopped. Nothing was added."
            self.keep_unasked(session, Unasked(doing.question, why, because_of_file=True))
        if not self.view(session).sources:
            self._loop.begin(self.workspace.connect_default(session))  # it began with these files alone
        self.tell(session, f"{doing.what} was stopped.")

    def doing(self, session: Session) -> Doing | None:
        """What is being done that the log does not know of."""
        return next(iter(self._known(session).under_way), None)

    def progress(self, session: Session) -> Progress | None:
        """How far the reading of a file for a session is; None where nothing tells."""
        return self._known(session).progress

    def under_way(self, session: Session) -> str:
        """What is being done, in words; empty if nothing."""
        doing = self.doing(session)
        return "" if doing is None else doing.what

    def aside(self, session: Session, what: str, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine of a session and wait for it; the person is told `what` is made, and can go on meanwhile.

        Raises:
            AssistantError: it failed, which is told as well.
        """
        known = self._known(session)
        known.beside.append(what)
        self._changed(known)
        future = self._loop.begin(work)
        future.add_done_callback(lambda done: self._tell(session.id, done, ""))
        try:
            return future.result()
        finally:
            known.beside.remove(what)
            self._changed(known)

    def beside(self, session: Session) -> str:
        """What is made while the person can go on; empty if nothing."""
        return next(iter(self._known(session).beside), "")

    def version(self, session: Session) -> int:
        """Rises with every visible change: of the session, and of what is told beside it."""
        return session.version + self._known(session).changes

    def cage(self, session: Session, *, wait_s: float = 0.3) -> str:
        """The level of the cage that holds the session's code; empty while that is not known."""
        known = self._known(session)
        if known.cage is None:
            known.cage = self._loop.begin(session.cage())
        return so_far(known.cage, wait_s, pending="", failed="", what=f"the cage of session {session.id}")

    def leans(self, session: Session, turn: int, *, wait_s: float = 0.2) -> bool | None:
        """Whether a turn's question may lean on the answer before it; None while that is not known, read once."""
        known = self._known(session)
        asked = known.leans.get(turn)
        if asked is None:
            asked = known.leans[turn] = self._loop.begin(session.leans(turn))
        what = f"whether question {turn} of session {session.id} stands alone"
        leans = so_far(asked, wait_s, pending=None, failed=True, what=what)
        if leans is None and wait_s:
            asked.add_done_callback(lambda _done: self._changed(known))
        return leans

    def notices(self, session: Session) -> list[str]:
        """What to tell the person once; emptied by asking."""
        known = self._known(session)
        with self._lock:
            told, known.notices = known.notices, []
        return told

    def table(self, session: Session, execution: str) -> TableView | None:
        """The first rows of an execution's table, kept for redrawing."""
        key = (session.id, execution)
        with self._lock:
            if key in self._tables:
                self._tables.move_to_end(key)
                return self._tables[key]
            generation = self._generation
        table = session.table(execution, rows_max=ROWS_SHOWN)
        with self._lock:
            if generation == self._generation:
                self._tables[key] = table
            while len(self._tables) > TABLES_MAX:
                self._tables.popitem(last=False)
        return table

    def result(self, session: Session, execution: str) -> TableView | None:
        """The rows of an execution's table that an answer is drawn from: many more than are listed."""
        return self.kept((session.id, execution, "rows"), lambda: session.table(execution, rows_max=ROWS_DRAWN))

    def facts(self, session: Session, execution: str, *, wait_s: float = 2.0) -> Facts | None:
        """What is known of a result's figures; None while that is being found out, or where it cannot be."""
        asked = self.kept((session.id, execution, "facts"), lambda: self._loop.begin(session.facts(execution)))
        known = self._known(session)
        found = so_far(asked, wait_s, pending=None, failed=None, what=f"what is known of {execution}")
        if found is None and not asked.done():
            asked.add_done_callback(lambda _done: self._changed(known))
        return found

    def kept(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """What was made for this key, or is made now; the least used is forgotten, and all when columns are masked."""
        with self._lock:
            if key in self._made:
                self._made.move_to_end(key)
                return self._made[key]
            generation = self._generation
        made = make()
        with self._lock:
            if generation == self._generation:
                self._made[key] = made
            while len(self._made) > MADE_MAX:
                self._made.popitem(last=False)
        return made

    def subscribe(self, session: Session, callback: Callable[[], None]) -> Callable[[], None]:
        """Be called on every change of a session, from any thread."""
        known = self._known(session)
        with self._lock:
            known.listeners.add(callback)
        leave = session.subscribe(callback)

        def unsubscribe() -> None:
            leave()
            with self._lock:
                known.listeners.discard(callback)

        return unsubscribe

    async def _enter(self) -> None:
        self._context = self._open_workspace()
        self._workspace = await self._context.__aenter__()
        self._workspace.warm()

    def _known(self, session: Session) -> InUse:
        with self._lock:
            return self._sessions.setdefault(session.id, InUse(session))

    def _tell(self, session_id: str, done: concurrent.futures.Future[Any], refused: str) -> None:
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            text = refused if done.result() is False else ""
        elif isinstance(error, AssistantError):
            text = str(error)
        else:
            log.error("session %s: an action failed", session_id, exc_info=error)
            text = "That did not work, by a fault of ours; the log of the server has the details. Nothing was lost."
        if text:
            with self._lock:
                known = self._sessions.get(session_id)
                if known is not None:
                    known.notices.append(text)
            if known is not None:
                self._changed(known)

    def _changed(self, known: InUse) -> None:
        with self._lock:
            known.changes += 1
            listeners = tuple(known.listeners)
        for listener in listeners:
            listener()


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
