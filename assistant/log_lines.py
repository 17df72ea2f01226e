"""The lines that the program logs for its operator: where they go, and which session and turn each belongs to.

Python's own logging, set up once by the program that runs (the command line, the page's server). Rooms only call
`logging.getLogger(__name__)`. This is not the event log of a session: that is `assistant.record.store`.
"""

from __future__ import annotations

import logging
import sys
from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import TextIO

FORMAT = "%(levelname)s:%(name)s:%(place)s%(message)s"


@dataclass(slots=True, kw_only=True)
class Place:
    """Which session is at work, and on which turn. One object for each session: it is changed when a turn begins.

    A task that outlives the turn it was started in, as a kernel's reader does, so tells the turn that is under way.
    """

    session: str
    turn: int = 0


_PLACE: ContextVar[Place | None] = ContextVar("place", default=None)


@contextmanager
def at(place: Place) -> Generator[None]:
    """Lines that are logged within, also by tasks and threads started within, tell this place."""
    before = _PLACE.set(place)
    try:
        yield
    finally:
        _PLACE.reset(before)


def set_up(*, level: int, stream: TextIO | None = None) -> None:
    """Log from `level` up to a stream (the standard error), with session and turn; once is enough."""
    root = logging.getLogger()
    if root.handlers:
        return
    handler = logging.StreamHandler(stream or sys.stderr)
    handler.setFormatter(logging.Formatter(FORMAT))
    handler.addFilter(_told)
    root.addHandler(handler)
    root.setLevel(level)


def _told(record: logging.LogRecord) -> bool:
    """Give a record its place, in words; no line is held back."""
    place = _PLACE.get()
    record.place = "" if place is None else f"[session {place.session}, turn {place.turn}] "
    return True
