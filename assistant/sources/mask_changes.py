"""Applies masks that were set after a session had begun: nothing of it holds the values any more.

Which turns are withheld is `withholding`'s. Here the kernel ends, the log is told, and results and files go.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import Protocol

from assistant.core.events import AnyEvent, Event, Withheld
from assistant.core.turns import fold_events
from assistant.sources.sources import Source
from assistant.sources.withholding import find_withholding, has_mask_changes
from sandbox import trees


class Log(Protocol):
    """The session's log."""

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        ...

    async def refresh(self) -> None:
        """Read what another program appended meanwhile."""
        ...

    @property
    def damage(self) -> object | None:
        """Where it is damaged; None where it is whole."""
        ...

    async def withhold(self, events_to_add: Sequence[AnyEvent]) -> None:
        """Take in what is said where columns are masked: durably, or where it is damaged for as long as it is open."""
        ...


class Runtime(Protocol):
    """The session's kernel."""

    async def close(self) -> None:
        """Let the kernel go."""
        ...


class SessionSources(Protocol):
    """The session's sources."""

    async def sources(self) -> tuple[Source, ...]:
        """All of them, open."""
        ...

    def forget_catalogs(self) -> None:
        """Read the catalogs anew when they are next needed."""
        ...


class MaskChanges:
    """Applies the masks as they are now to one session.

    Args:
        masks: Gives the setting `mask` as it is now, as any program has left it.
        log: The session's log.
        runtime: The session's kernel.
        sources: The session's sources.
        folder: The session's folder, with its results in `data` and what its cells wrote in `desk`.
        lease: Held while the log is written: no other program may be at work on the session.
        no_question: What a withheld question is called.
    """

    def __init__(
        self,
        *,
        masks: Callable[[], Awaitable[Sequence[str]]],
        log: Log,
        runtime: Runtime,
        sources: SessionSources,
        folder: Path,
        lease: Callable[[], AbstractAsyncContextManager[object]],
        no_question: str,
    ) -> None:
        self._masks = masks
        self._log = log
        self._runtime = runtime
        self._sources = sources
        self._folder = folder
        self._lease = lease
        self._no_question = no_question
        self._applied: tuple[tuple[str, ...], int, bool] | None = None

    async def apply(self, stop: Callable[[], Awaitable[object]]) -> int:
        """Withhold what was said and shown of columns that were masked since. Gives how many turns that took.

        Args:
            stop: Stops what runs in the session; called only where one of its sources has newly masked columns.

        Raises:
            AssistantError: Another program is at work on the session, or it cannot be written.
        """
        mask = tuple(await self._masks())
        await self._log.refresh()
        events = self._log.events
        is_intact = self._log.damage is None
        log_state = (mask, fold_events(events).source_reads, is_intact)
        if log_state == self._applied or not await asyncio.to_thread(has_mask_changes, events, mask):
            self._applied = log_state
            return 0
        await stop()
        async with self._lease():
            await self._log.refresh()
            await self._runtime.close()
            self._sources.forget_catalogs()
            new_events = await find_withholding(self._log.events, mask, self._sources, no_question=self._no_question)
            # The turns first: should the program end in between, the masks are still not applied, and it is done again.
            await self._log.withhold(new_events)
            turns = sum(isinstance(event, Withheld) for event in new_events)
            result_files = {run.file for turn in fold_events(self._log.events).turns for run in turn.queries}
            await asyncio.to_thread(_clear, self._folder, result_files=result_files, with_files=turns > 0)
        if not is_intact:  # it cannot keep that the masks are applied
            self._applied = log_state
        return turns


def _clear(folder: Path, *, result_files: Collection[str], with_files: bool) -> None:
    """Delete results that no execution of the log knows; where turns are withheld, what cells wrote and models saw."""
    for file in (folder / "data").glob("*"):
        if file.name not in result_files and not file.is_dir():  # its folder holds added packages, no data
            file.unlink(missing_ok=True)
    if with_files:
        trees.remove(folder / "desk")
        trees.remove(folder / "sent")
