"""Says how far a load is: as a step begins, twice a second while the engine works, and when all rows are read."""

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
_ALL_PERCENT = 100.0
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
        self._lock = threading.Lock()
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
        self._go_on(Progress(file=file.name, step="checking", bytes_total=file.stat().st_size))
        try:
            yield
            self._tell_rows()
        finally:
            with self._lock:
                self._now = None

    def rows(self, total: int) -> None:
        """The file has so many rows."""
        if self._now is not None:
            self._now = replace(self._now, rows_total=total)

    def read(self, rows: int, share: float | None = None) -> None:
        """So many rows are read, and this share of the file, 0 to 1: for files that the engine does not read itself."""
        with self._lock:
            if self._now is not None:
                self._now = replace(self._now, rows=rows, share=share)

    def step(self, step: Step) -> None:
        """This is done from here on, and what was done until here is done."""
        if self._now is not None and step != self._now.step:
            self._go_on(replace(self._now, step=step))

    def _go_on(self, now: Progress) -> None:
        self._tell_rows()
        with self._lock:
            self._now = now
            self._tell(_at(now, 0.0))

    def _tell_rows(self) -> None:
        """Where rows were read, all of them are by now."""
        with self._lock:
            if self._now is not None and self._now.step == "rows":
                self._tell(_at(self._now, _ALL_PERCENT))

    def _watch(self) -> None:
        while not self._ended.wait(EVERY_S):
            with self._lock, suppress(duckdb.Error):
                if self._now is not None:
                    self._tell(_at(self._now, self._share()))


def _at(now: Progress, percent: float) -> Progress:
    if now.rows is not None and now.rows_total is None:
        return now  # they are counted as they are read
    if not 0 <= percent <= _ALL_PERCENT or now.step in ("checking", "unpacking"):
        return now
    share = percent / _ALL_PERCENT
    return replace(now, share=share, rows=None if now.rows_total is None else round(share * now.rows_total))
