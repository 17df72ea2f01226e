"""Data sources that are being read while a person waits: their progress, and a way to stop them."""

from __future__ import annotations

import concurrent.futures
from collections.abc import Callable, Coroutine
from datetime import datetime
from typing import Any, Generic, TypeVar

from assistant.api.progress import Progress, watched
from ui import clock

T = TypeVar("T")


class Reading(Generic[T]):
    """One piece of work that reads data.

    Args:
        title: What is being done, for the person.
        work: The coroutine.
        begin: Starts it on the loop.
    """

    def __init__(
        self,
        title: str,
        work: Coroutine[Any, Any, T],
        begin: Callable[[Coroutine[Any, Any, T]], concurrent.futures.Future[T]],
    ) -> None:
        self.what = title
        self.since: datetime = clock.now()
        self.progress: Progress | None = None
        """How far it is; None before the first word of it."""
        self._made = begin(self._watch(work))

    async def _watch(self, work: Coroutine[Any, Any, T]) -> T:
        with watched(self._on_progress):
            return await work

    def _on_progress(self, progress: Progress) -> None:
        self.progress = progress

    def is_done(self, wait_s: float = 0.0) -> bool:
        """Whether it has ended, however it did; waits so long for that."""
        concurrent.futures.wait((self._made,), wait_s)
        return self._made.done()

    @property
    def was_stopped(self) -> bool:
        """Whether the person stopped it."""
        return self._made.cancelled()

    def stop(self) -> None:
        """End it, if it has not ended."""
        self._made.cancel()

    def result(self, timeout_s: float | None = None) -> T:
        """The value that the reading returned.

        Raises:
            CancelledError: It was stopped.
            AssistantError: It failed.
        """
        return self._made.result(timeout_s)
