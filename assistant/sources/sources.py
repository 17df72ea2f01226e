"""A source: a database, or a set of files served as one, that can be described and read but never changed.

`Source` is the seam; the adapters behind it are in `assistant.sources.engines`. A source is the second of the three
locks: whatever the guard let through, the engine below is read-only. It does not know grants (`broker`) or SQL rules
(`guard`).
"""

from __future__ import annotations

import asyncio
import math
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Collection
from typing import TYPE_CHECKING, Protocol, TypeVar

from assistant.core.data_errors import QueryRefused, describe_timeout
from assistant.core.values import Budget, Parameters, Result

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.core.doubts import Doubt
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.engines.access import Access

T = TypeVar("T")


class Source(Protocol):
    """A read-only source of tables."""

    @property
    def name(self) -> str:
        """An identifier, as in `query(sql, source=name)`."""
        ...

    @property
    def dialect(self) -> str:
        """sqlglot's name of the SQL dialect: "sqlite", "duckdb", "postgres", "mysql", ..."""
        ...

    @property
    def functions(self) -> frozenset[str]:
        """Functions beside the engine's own that a person allowed to be called here, in lower case (`guard`)."""
        ...

    @property
    def display(self) -> str:
        """The address as a person may see it: without password, without folders of this machine."""
        ...

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What was chosen while loading where another reading was plausible; what tables tell, the catalog adds."""
        ...

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed while loading, in plain words, the sentences of `doubts` among them."""
        ...

    async def catalog(self) -> Catalog:
        """Tables, columns, keys and profiles; read once, then kept until `refresh`.

        Raises:
            SourceError: The engine cannot be reached or read.
        """
        ...

    def refresh(self) -> None:
        """Forget the catalog, so that the next call reads it again."""
        ...

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one read-only statement. A cancelled call is cancelled on the engine as well.

        Raises:
            QueryFailed: The engine cannot run it.
            QueryRefused: It took more than the budget, and was stopped.
            SourceError: The engine cannot be reached.
        """
        ...

    async def explain(self, sql: str) -> str:
        """The engine's plan for a statement, as text, without running it; with lines of `recursion` where it fits.

        Raises:
            QueryFailed: The engine cannot plan it.
            SourceError: The engine cannot be reached.
        """
        ...

    async def access(self) -> Access:
        """What may be done here, tried on the engine itself. Takes about a second.

        Raises:
            SourceError: The engine cannot be reached or read.
        """
        ...

    async def close(self) -> None:
        """Let go of the engine. Idempotent."""
        ...


class AddressedSource(ABC):
    """What a source of one address is called, and its catalog, which is read once.

    Args:
        address: What the person gave.
        dialect: sqlglot's name of the SQL dialect.
        functions: Functions beside the engine's own that a person allowed to be called.
        doubts: What was chosen while loading.
        notes: What was guessed while loading.
    """

    def __init__(
        self,
        address: SourceAddress,
        *,
        dialect: str,
        functions: Collection[str] = (),
        doubts: tuple[Doubt, ...] = (),
        notes: tuple[str, ...] = (),
    ) -> None:
        self._address = address
        self._dialect = dialect
        self._functions = frozenset(functions)
        self._doubts = doubts
        self._notes = notes
        self._catalog: Catalog | None = None

    @property
    def name(self) -> str:
        """An identifier."""
        return self._address.name

    @property
    def dialect(self) -> str:
        """sqlglot's name."""
        return self._dialect

    @property
    def functions(self) -> frozenset[str]:
        """What a person allowed."""
        return self._functions

    @property
    def display(self) -> str:
        """The address as a person may see it."""
        return self._address.display

    @property
    def doubts(self) -> tuple[Doubt, ...]:
        """What was chosen while loading."""
        return self._doubts

    @property
    def notes(self) -> tuple[str, ...]:
        """What was guessed while loading."""
        return self._notes

    async def catalog(self) -> Catalog:
        """Tables, columns, keys, profiles; kept until `refresh`."""
        if self._catalog is None:
            self._catalog = await self._read_catalog()
        return self._catalog

    def refresh(self) -> None:
        """Forget the catalog."""
        self._catalog = None

    @abstractmethod
    async def _read_catalog(self) -> Catalog:
        """Read the catalog.

        Raises:
            SourceError: The engine cannot be reached or read.
        """


async def stoppable(
    work: Callable[[], T],
    *,
    stop: Callable[[], None],
    timeout_s: float,
    grace_s: float = 0.0,
    leave_s: float = math.inf,
) -> T:
    """Run blocking `work` in a thread; when time is over or the caller is cancelled, stop it on the engine.

    The thread is waited for, so that nothing runs on after this returns; for `leave_s` where it may hang on a server
    that does not answer, and then it is left to end by the limits of its connection. `stop` is called again and again
    until the thread ends: an interrupt that arrives between two statements would otherwise be lost. Where `work` keeps
    to the time itself, `grace_s` is what it gets for that.

    Raises:
        QueryRefused: `work` took longer than `timeout_s`.
    """
    task = asyncio.ensure_future(asyncio.to_thread(work))
    try:
        async with asyncio.timeout(timeout_s + grace_s):
            return await asyncio.shield(task)
    except TimeoutError:
        await _wound_down(task, stop, leave_s)
        raise QueryRefused(describe_timeout(timeout_s)) from None
    except asyncio.CancelledError:
        await _wound_down(task, stop, leave_s)
        raise


async def _wound_down(task: asyncio.Future[T], stop: Callable[[], None], leave_s: float) -> None:
    until = time.monotonic() + leave_s
    while not task.done():
        stop()
        if time.monotonic() > until:
            task.add_done_callback(lambda left: left.cancelled() or left.exception())
            return
        try:
            await asyncio.wait({task}, timeout=0.05)
        except asyncio.CancelledError:
            continue  # the second cancel must not leave a query running
    if not task.cancelled():
        task.exception()  # seen; the caller raises its own
