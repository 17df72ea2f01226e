"""How far the reading of a file is, for whoever waits for it and says so. Says nothing of what was read.

Who waits is kept in a context variable, which tasks and threads of asyncio take along: between the page and the worker
that reads a file lie rooms that need not know that anybody looks.
"""

from __future__ import annotations

from collections.abc import Callable, Generator
from contextlib import contextmanager
from contextvars import ContextVar
from dataclasses import dataclass
from typing import Annotated, Literal, TypeAlias

from pydantic import Field

Step = Literal["unpacking", "checking", "rows", "types", "table", "columns"]
"""What is done: a packed file unpacked, its lines looked at, its rows read, types found for its columns, the table
written, and its columns described."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Progress:
    """How far one file is.

    Attributes:
        file: The file's name, without its folder.
        step: What is being done.
        share: How much of that step is done, 0 to 1; None where nothing tells.
        rows: Rows read so far; None before the first, and where nothing tells. Lines of a text are taken for rows.
        rows_total: How many there are; None until that is known.
        bytes_total: The size of the file.
    """

    file: Annotated[str, Field(max_length=1_000)]
    step: Step
    share: Annotated[float, Field(ge=0, le=1)] | None = None
    rows: Annotated[int, Field(ge=0)] | None = None
    rows_total: Annotated[int, Field(ge=0)] | None = None
    bytes_total: Annotated[int, Field(ge=0)] = 0

    @property
    def bytes_read(self) -> int | None:
        """How much of the file was read in this step; None where nothing tells."""
        return None if self.share is None else round(self.share * self.bytes_total)


Watcher: TypeAlias = Callable[[Progress], object]
"""Is told of each progress, from any thread."""

_WATCHER: ContextVar[Watcher | None] = ContextVar("watcher", default=None)


@contextmanager
def watched(watcher: Watcher) -> Generator[None]:
    """Tell `watcher` what is read from here on, by this task and what it starts."""
    token = _WATCHER.set(watcher)
    try:
        yield
    finally:
        _WATCHER.reset(token)


def watcher() -> Watcher:
    """Who is to be told in this context; one who listens to nothing where nobody waits."""
    return _WATCHER.get() or _nobody


def _nobody(_: Progress) -> None:
    pass
