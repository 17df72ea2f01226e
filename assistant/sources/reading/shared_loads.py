"""Loads in progress, shared by everything that waits for the same file.

The data page, the start page and a question may need a file at the same time. The first starts its load; others join
and receive its progress. When the last waiting task is cancelled, the worker is ended.
"""

from __future__ import annotations

import asyncio
import concurrent.futures
from collections.abc import Callable
from pathlib import Path
from threading import Lock
from typing import TYPE_CHECKING

from assistant.progress import Progress, Watcher, watcher
from assistant.sources.reading.loading import load_files, made_of
from assistant.sources.workers.converting import Stop

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.reading.load_results import Loaded


_THREADS = concurrent.futures.ThreadPoolExecutor(16, thread_name_prefix="load")


class _Load:
    """One load, which begins at once, and who waits for it."""

    def __init__(self, work: Callable[[_Load], Loaded]) -> None:
        self.waiting: list[Watcher] = []
        self.stop = Stop()
        self._last: Progress | None = None
        self.future = _THREADS.submit(work, self)

    def tell(self, progress: Progress) -> None:
        """Tell all who wait."""
        self._last = progress
        for one in tuple(self.waiting):
            one(progress)

    def join(self, one: Watcher) -> None:
        """Wait for it as well; how far it is is told at once."""
        self.waiting.append(one)
        if self._last is not None:
            one(self._last)


_UNDER_WAY: dict[Path, _Load] = {}
_LOCK = Lock()


async def loaded(address: SourceAddress, folder: Path) -> Loaded:
    """Make (or find) the database of an address, together with who else waits for it.

    Whoever waits in this context is told how far it is. Cancelling it ends the worker where nobody else waits, and
    returns when that has ended.

    Args:
        address: Of kind "files".
        folder: Where the database is kept.

    Raises:
        SourceError: A file cannot be read; the message names it.
    """
    told = watcher()
    load = await asyncio.to_thread(_joined, address, folder, told)
    waits = asyncio.wrap_future(load.future)
    try:
        return await asyncio.shield(waits)
    except asyncio.CancelledError:
        with _LOCK:
            load.waiting.remove(told)
            is_last = not load.waiting
        if is_last:
            load.stop()
            await asyncio.wait({waits})
            waits.exception()  # seen: it was stopped
        raise


def _joined(address: SourceAddress, folder: Path, told: Watcher) -> _Load:
    """The load that makes this database, begun where none is under way."""
    path = made_of(address, folder)
    with _LOCK:
        load = _UNDER_WAY.get(path)
        if load is not None and not load.stop.stopped:
            load.join(told)
            return load
        load = _UNDER_WAY[path] = _Load(lambda begun: load_files(address, folder, tell=begun.tell, stop=begun.stop))
        load.join(told)

    def ended(_: concurrent.futures.Future[Loaded]) -> None:
        with _LOCK:
            if _UNDER_WAY.get(path) is load:
                del _UNDER_WAY[path]

    load.future.add_done_callback(ended)
    return load
