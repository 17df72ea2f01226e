"""State of a session that is open in one or more tabs, beside its log."""

from __future__ import annotations

import concurrent.futures
import logging
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from typing import Any

from assistant.api.errors import AssistantError
from assistant.api.lessons import Lesson
from assistant.api.models import Disclosure
from assistant.api.session import Pin, Session
from assistant.api.turns import Transcript
from ui.activities import Activities
from ui.interpretations import Interpretations
from ui.pending import Begin, result_so_far

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Unasked:
    """A question that was not asked: why, and whether it was because of a file given with it.

    `disclosure` is what the person is to choose first: how much a model elsewhere may see.
    """

    question: str
    why: str
    because_of_file: bool
    disclosure: Disclosure | None = None
    files: tuple[str, ...] = ()


class OpenSession:
    """A session with the view of its latest version, and what the person has not sent yet. Safe from any thread.

    Args:
        session: The session itself.
        begin: Starts a coroutine on the loop.
    """

    def __init__(self, session: Session, begin: Begin[Any]) -> None:
        self.session = session
        self.drafts: dict[str, str] = {}
        """What the person typed and has not sent, by the id of what it is for. Survives a reload of the page."""
        self.unasked: Unasked | None = None
        """A question that was not asked, kept until it is."""
        self.activities = Activities(begin, self.redraw, self._report_failure)
        self.interpretations = Interpretations(session, begin, self.redraw)
        """What its turns compute, in chips, and what the person changed of that."""
        self._begin = begin
        self._notices: list[str] = []
        self._changes = 0
        self._listeners: set[Callable[[], None]] = set()
        self._cage: concurrent.futures.Future[str] | None = None
        self._suggestions: dict[int, concurrent.futures.Future[str]] = {}
        self._lessons: tuple[int, concurrent.futures.Future[tuple[Lesson, ...]]] | None = None
        self._pins: tuple[int, concurrent.futures.Future[tuple[Pin, ...]]] | None = None
        self._lock = threading.Lock()

    def view(self) -> Transcript:
        """The session's turns."""
        return self.session.transcript

    def drop_drafts(self, id_: str) -> None:
        """Forget what was typed for a request that is decided."""
        for key in [key for key in self.drafts if key == id_ or key.startswith(f"{id_}#")]:
            del self.drafts[key]

    @property
    def version(self) -> int:
        """Rises with every visible change: of the session, and of what is told beside it."""
        return self.session.version + self._changes

    def redraw(self) -> None:
        """Have the page drawn again, in all tabs."""
        with self._lock:
            self._changes += 1
            listeners = tuple(self._listeners)
        for listener in listeners:
            listener()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Be called on every change, from any thread. Gives back what ends it."""
        with self._lock:
            self._listeners.add(callback)
        leave = self.session.subscribe(callback)

        def unsubscribe() -> None:
            leave()
            with self._lock:
                self._listeners.discard(callback)

        return unsubscribe

    def notify(self, text: str) -> None:
        """Tell the person something, once, at the next redraw, which is now."""
        with self._lock:
            self._notices.append(text)
        self.redraw()

    def take_notices(self) -> list[str]:
        """What to tell the person once; emptied by asking."""
        with self._lock:
            notices, self._notices = self._notices, []
        return notices

    def send(self, work: Coroutine[Any, Any, object], *, refused: str = "", wait_s: float = 0.4) -> bool:
        """Start a coroutine of the session and wait only a moment: what it does shows in the log, a failure is told.

        Args:
            work: The coroutine.
            refused: What to tell the person if the coroutine gives False.
            wait_s: How long to wait for a quick refusal.

        Returns:
            False if it was refused or failed within that moment.
        """
        future = self._begin(work)
        future.add_done_callback(lambda done: self._report_failure(done, refused))
        try:
            return future.result(wait_s) is not False
        except concurrent.futures.TimeoutError:
            return True
        except (AssistantError, concurrent.futures.CancelledError):
            return False

    def _report_failure(self, done: concurrent.futures.Future[Any], refused: str = "") -> None:
        """Tell how something ended, where it did not go well."""
        if done.cancelled():
            return
        error = done.exception()
        if error is None:
            text = refused if done.result() is False else ""
        elif isinstance(error, AssistantError):
            text = str(error)
        else:
            log.error("session %s: an action failed", self.session.id, exc_info=error)
            text = "That did not work, by a fault of ours; the log of the server has the details. Nothing was lost."
        if text:
            self.notify(text)

    def get_cage(self, *, wait_s: float = 0.3) -> str:
        """The level of the cage that holds the session's code; empty while that is not known."""
        if self._cage is None:
            self._cage = self._begin(self.session.cage())
        return result_so_far(
            self._cage, wait_s, pending="", failed="", description=f"the cage of session {self.session.id}"
        )

    def list_pins(self, *, wait_s: float = 0.2) -> tuple[Pin, ...]:
        """What the person said and holds here; empty while that is not known."""
        version = self.session.version
        if self._pins is None or self._pins[0] != version:
            self._pins = version, self._begin(self.session.ledger.list_pins())
        future = self._pins[1]
        description = f"what was said in session {self.session.id}"
        pins = result_so_far(future, wait_s, pending=None, failed=(), description=description)
        if pins is None:
            future.add_done_callback(lambda _done: self.redraw())
        return pins or ()

    def list_lessons(self, *, wait_s: float = 0.2) -> tuple[Lesson, ...]:
        """The lessons that nobody kept or dropped yet; empty while they are not known."""
        version = self.session.version
        if self._lessons is None or self._lessons[0] != version:
            self._lessons = version, self._begin(self.session.lessons.list_offers())
        future = self._lessons[1]
        description = f"the lessons of session {self.session.id}"
        lessons = result_so_far(future, wait_s, pending=None, failed=(), description=description)
        if lessons is None:
            future.add_done_callback(lambda _done: self.redraw())
        return lessons or ()

    def suggest_question(self, turn: int, *, wait_s: float = 0.2) -> str | None:
        """The question under which a turn's answer is kept; None while that is not known, empty where nobody knows."""
        future = self._suggestions.get(turn)
        if future is None:
            future = self._suggestions[turn] = self._begin(self.session.answers.suggest_question(turn))
        description = f"the question under which turn {turn} of session {self.session.id} is kept"
        question = result_so_far(future, wait_s, pending=None, failed="", description=description)
        if question is None and wait_s:
            future.add_done_callback(lambda _done: self.redraw())
        return question
