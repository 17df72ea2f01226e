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
        for waiting_watcher in tuple(self.waiting):
            waiting_watcher(progress)

    def join(self, new_watcher: Watcher) -> None:
        """Wait for it as well; how far it is is told at once."""
        self.waiting.append(new_watcher)
        if self._last is not None:
            new_watcher(self._last)


_RUNNING_LOADS: dict[Path, _Load] = {}
_LOCK = Lock()


async def load_shared(address: SourceAddress, folder: Path) -> Loaded:
    """Make (or find) the database of an address, together with who else waits for it.

    Whoever waits in this context is told how far it is. Cancelling it ends the worker where nobody else waits, and
    returns when that has ended.

    Args:
        address: Of kind "files".
        folder: Where the database is kept.

    Raises:
        SourceError: A file cannot be read; the message names it.
    """
    own_watcher = watcher()
    load = await asyncio.to_thread(_join_load, address, folder, own_watcher)
    waits = asyncio.wrap_future(load.future)
    try:
        return await asyncio.shield(waits)
    except asyncio.CancelledError:
        with _LOCK:
            load.waiting.remove(own_watcher)
            is_last = not load.waiting
        if is_last:
            load.stop()
            await asyncio.wait({waits})
            waits.exception()  # seen: it was stopped
        raise


def _join_load(address: SourceAddress, folder: Path, new_watcher: Watcher) -> _Load:
    """The load that makes this database, begun where none is under way."""
    path = made_of(address, folder)
    with _LOCK:
        load = _RUNNING_LOADS.get(path)
        if load is not None and not load.stop.stopped:
            load.join(new_watcher)
            return load
        load = _RUNNING_LOADS[path] = _Load(
            lambda new_load: load_files(address, folder, tell=new_load.tell, stop=new_load.stop)
        )
        load.join(new_watcher)

    def ended(_: concurrent.futures.Future[Loaded]) -> None:
        with _LOCK:
            if _RUNNING_LOADS.get(path) is load:
                del _RUNNING_LOADS[path]

    load.future.add_done_callback(ended)
    return load
