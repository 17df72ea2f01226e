"""Starter questions and the data's description for the empty page: computed in the background and cached."""

from __future__ import annotations

import concurrent.futures
import logging
import threading
from collections.abc import Callable, Coroutine
from typing import Any, TypeVar

from assistant.api.progress import Progress, watched
from assistant.api.session import Session
from assistant.api.sources import SourceShown, Starter
from assistant.api.workspace import Workspace
from ui.pending import Begin, result_so_far

log = logging.getLogger(__name__)
T = TypeVar("T")

_STARTERS = "the questions to begin with"
WAIT_S = 0.2
"""What is there a moment later need not be drawn anew."""


class Beginnings:
    """Questions to begin with, and what the data is.

    Args:
        begin: Starts a coroutine on the loop.
        workspace: Gives the open workspace.
    """

    def __init__(self, begin: Begin[Any], workspace: Callable[[], Workspace]) -> None:
        self._begin = begin
        self._workspace = workspace
        self.generation = 0
        """Rises when the data is another, so that what was shown of it is not shown any more."""
        self._made: dict[str, concurrent.futures.Future[Any]] = {}
        self.progress: Progress | None = None
        """How far the reading of the default data is; None before the first word of it."""
        self.was_stopped = False
        """Whether the person stopped it."""
        self._lock = threading.Lock()

    def starters(self, session: Session | None = None, *, sources: int = 0) -> tuple[Starter, ...] | None:
        """Questions to begin with; None while they are being made, none where they cannot be.

        Those of the default data are first made from the tables alone, which is soon done; once the analyst has read
        them, only those that it can answer are given.

        Args:
            session: Whose data they are about; the default data where None.
            sources: How many sources it has.
        """
        key = "" if session is None else f"{session.id} {sources}"
        starters = self._future(f"tried {key}", lambda: self._workspace().knowledge.starters(session))
        if session is None and not starters.done():
            quick = self._future("quick", lambda: self._workspace().knowledge.starters(None, quick=True))
            return result_so_far(quick, pending=None, failed=(), description=_STARTERS)
        return result_so_far(starters, pending=None, failed=(), description=_STARTERS)

    def tried_starters(self) -> tuple[Starter, ...]:
        """The questions on the default data that the analyst has read; none until it has."""
        starters = self._future("tried ", lambda: self._workspace().knowledge.starters(None))
        return result_so_far(starters, pending=None, failed=(), description=_STARTERS) or ()

    @property
    def is_tried(self) -> bool:
        """Whether the analyst has read the questions on the default data, or cannot."""
        return self._future("tried ", lambda: self._workspace().knowledge.starters(None)).done()

    def sources(self) -> tuple[SourceShown, ...] | None:
        """The default sources; None while they are being looked at."""
        sources = self._future("sources", self._workspace().connections.all)
        return result_so_far(sources, WAIT_S, pending=None, failed=(), description="the default sources")

    def forget(self) -> None:
        """Discard the cache, because the data changed."""
        with self._lock:
            self._made.clear()
            self.generation += 1
            self.progress, self.was_stopped = None, False

    def stop(self) -> None:
        """Read the default data no further until it is asked about, or `forget` is called."""
        self.was_stopped = True
        self.cancel()

    def cancel(self) -> None:
        """Make nothing more."""
        for future in tuple(self._made.values()):
            future.cancel()

    def _future(self, key: str, work: Callable[[], Coroutine[Any, Any, T]]) -> concurrent.futures.Future[T]:
        with self._lock:
            if key not in self._made:
                self._made[key] = self._begin(self._watch(work()))
            return self._made[key]

    async def _watch(self, work: Coroutine[Any, Any, T]) -> T:
        with watched(self._on_progress):
            return await work

    def _on_progress(self, progress: Progress) -> None:
        self.progress = progress
