"""Says how far a load is while the engine works at it: it is asked about its running statement twice a second."""

from __future__ import annotations

import threading
from collections.abc import Callable, Generator
from contextlib import contextmanager, suppress
from dataclasses import replace
from pathlib import Path
from types import TracebackType

import duckdb

from assistant.progress import Progress, Step, Watcher

EVERY_S = 0.5
_WHOLE = 100.0
"""The engine tells its progress in percent, and less than nothing where no statement runs."""


class Meter:
    """Tells a watcher how far the reading of files is. Use it as `with`; it tells nothing after that.

    Args:
        share: The running statement's progress in percent.
        tell: Is told; called from a thread of the meter.
    """

    def __init__(self, share: Callable[[], float], tell: Watcher) -> None:
        self._share = share
        self._tell = tell
        self._now: Progress | None = None
        self._ended = threading.Event()
        self._thread = threading.Thread(target=self._watch, name="meter", daemon=True)

    def __enter__(self) -> Meter:
        self._thread.start()
        return self

    def __exit__(self, *_: type[BaseException] | BaseException | TracebackType | None) -> None:
        self._ended.set()
        self._thread.join()

    @contextmanager
    def reading(self, file: Path) -> Generator[None]:
        """What is read from here on is this file."""
        self._now = Progress(file=file.name, step="checking", bytes_total=file.stat().st_size)
        try:
            yield
        finally:
            self._now = None

    def rows(self, total: int) -> None:
        """The file has so many rows."""
        if self._now is not None:
            self._now = replace(self._now, rows_total=total)

    def step(self, step: Step) -> None:
        """This is done from here on."""
        if self._now is not None:
            self._now = replace(self._now, step=step)

    def _watch(self) -> None:
        while not self._ended.wait(EVERY_S):
            now = self._now
            if now is not None:
                with suppress(duckdb.Error):
                    self._tell(_at(now, self._share()))


def _at(now: Progress, percent: float) -> Progress:
    if not 0 <= percent <= _WHOLE or now.step in ("checking", "unpacking"):
        return now
    share = percent / _WHOLE
    return replace(now, share=share, rows=None if now.rows_total is None else round(share * now.rows_total))
