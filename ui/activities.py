"""Long-running work that no session log records: reading an uploaded file, building a notebook."""

from __future__ import annotations

import asyncio
import concurrent.futures
import threading
from collections.abc import Callable, Coroutine
from dataclasses import dataclass
from datetime import datetime
from typing import Any, TypeVar

from assistant.api.progress import Progress, watched
from ui.pending import Begin

T = TypeVar("T")


@dataclass(frozen=True, slots=True)
class Activity:
    """Something that takes a while and is not in the log: what, for which question, with which files, since when."""

    title: str
    question: str
    files: tuple[str, ...]
    since: datetime


class Activities:
    """What is being done for one session.

    Args:
        begin: Starts a coroutine on the loop.
        on_change: Called when something begins, moves on or ends.
        on_end: Called with what has ended: a failure is told.
    """

    def __init__(
        self,
        begin: Begin[Any],
        on_change: Callable[[], None],
        on_end: Callable[[concurrent.futures.Future[Any]], None],
    ) -> None:
        self._begin, self._on_change, self._on_end = begin, on_change, on_end
        self._doing: list[Activity] = []
        self._beside: list[str] = []
        self._stop: Callable[[], object] | None = None
        self._lock = threading.Lock()
        self.progress: Progress | None = None
        """How far the reading of a file is; None where nothing tells."""

    def start(self, doing: Activity, work: Coroutine[Any, Any, object]) -> None:
        """Start something that the person waits for; what it raises is told."""
        self._doing.append(doing)
        self.progress = None

        def on_progress(progress: Progress) -> None:
            self.progress = progress
            self._on_change()

        async def watch() -> object:
            with watched(on_progress):
                return await work

        future = self._begin(watch())
        self._stop = future.cancel

        def finish(finished: concurrent.futures.Future[object]) -> None:
            self._doing.remove(doing)
            self._on_end(finished)
            self._on_change()

        future.add_done_callback(finish)
        self._on_change()

    async def show_if_it_reads(self, doing: Activity, work: Coroutine[Any, Any, T]) -> T:
        """Do what may have to read a file first: from the first word of that on it is shown, and can be stopped."""
        loop, task, has_ended = asyncio.get_running_loop(), asyncio.current_task(), False
        assert task is not None  # a coroutine runs in one

        def stop() -> object:
            return loop.call_soon_threadsafe(task.cancel)

        def at(progress: Progress) -> None:
            with self._lock:
                if has_ended:
                    return  # what the work began goes on, and is no longer waited for
                if doing not in self._doing:
                    self._doing.append(doing)
                    self._stop = stop
                self.progress = progress
            self._on_change()

        try:
            with watched(at):
                return await work
        finally:
            with self._lock:
                has_ended = True
                was_shown = doing in self._doing
                if was_shown:
                    self._doing.remove(doing)
            if was_shown:
                self._on_change()

    def stop(self) -> Activity | None:
        """Stop what is being done, and give what that was; None where nothing could be stopped."""
        doing = self.doing
        return doing if self._stop is not None and doing is not None and self._stop() else None

    @property
    def doing(self) -> Activity | None:
        """What is being done that the person waits for."""
        return next(iter(self._doing), None)

    @property
    def describe(self) -> str:
        """The work in progress as a message; empty if there is none."""
        return "" if self.doing is None else self.doing.title

    def run_beside(self, title: str, work: Coroutine[Any, Any, T]) -> T:
        """Run a coroutine and wait for it; the person is told that `what` is made, and can go on meanwhile.

        Raises:
            AssistantError: It failed, which is told as well.
        """
        self._beside.append(title)
        self._on_change()
        future: concurrent.futures.Future[T] = self._begin(work)
        future.add_done_callback(self._on_end)
        try:
            return future.result()
        finally:
            self._beside.remove(title)
            self._on_change()

    @property
    def beside(self) -> str:
        """What is made while the person can go on; empty if nothing."""
        return next(iter(self._beside), "")
