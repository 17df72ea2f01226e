"""Databases behind a URL, through SQLAlchemy: PostgreSQL, MySQL/MariaDB, ClickHouse, and what else has a dialect.

Each query has a connection and a transaction of its own, which is never committed. What an engine is told so that it
only reads, and stops in time, stands in `server_engines`; where it has no such lock, the guard stands alone, and
`notes` says so. A read-only transaction does not take rights away from a superuser (files, other sessions): give Tandem
a user that may only read.
"""

from __future__ import annotations

import asyncio
import logging
import struct
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy import event
from sqlalchemy.exc import SQLAlchemyError

from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryFailed, QueryRefused, SourceError, clean_message, describe_timeout
from assistant.core.values import Budget, Parameters, Result
from assistant.query.recursion import annotate_plan
from assistant.sources.engines.access import Access
from assistant.sources.engines.server_access import tried_on
from assistant.sources.engines.server_call import ServerCall
from assistant.sources.engines.server_catalog import read_catalog
from assistant.sources.engines.server_engines import engine_for
from assistant.sources.engines.server_engines.base import CONNECT_TIMEOUT_S, QUERY_GRACE_S
from assistant.sources.sources import AddressedSource, stoppable

if TYPE_CHECKING:
    from assistant.sources.addresses import SourceAddress

_LEAVE_S = 5.0  # so long a thread is waited for that hangs on a server which answers nothing
_GARBLED = (
    *(LookupError, ValueError, TypeError, AttributeError, AssertionError, RuntimeError, ArithmeticError),
    *(OSError, EOFError, MemoryError, struct.error),
)
"""What drivers raise, as Python's own errors, about a reply that breaks the protocol."""
_DIALECTS = {
    "postgresql": "postgres",
    "mssql": "tsql",
    "mariadb": "mysql",
    "clickhousedb": "clickhouse",
    "awsathena": "athena",
    "sparksql": "spark",
}


T = TypeVar("T")
_CHECK = "Check host, port, database, user and password in the URL."
_LOG = logging.getLogger(__name__)


class ServerSource(AddressedSource):
    """A database server as a `Source`."""

    def __init__(self, address: SourceAddress, *, functions: Collection[str] = ()) -> None:
        url = sa.make_url(address.secret)
        dialect = _DIALECTS.get(url.get_backend_name(), url.get_backend_name())
        self._kind = engine_for(dialect)
        unlocked = () if self._kind.locked else (f"{address.name}: {self._kind.unlocked}",)
        super().__init__(address, dialect=dialect, functions=functions, notes=unlocked)
        arguments = self._kind.connect_args(url)
        if "connect_timeout" in url.query:
            arguments.pop("connect_timeout", None)  # the person's own
        self._engine = sa.create_engine(url, poolclass=sa.NullPool, hide_parameters=True, connect_args=arguments)
        event.listen(self._engine, "do_connect", self._connect)
        event.listen(self._engine, "connect", self._note, insert=True)  # before the dialect asks it anything
        self._opened = threading.local()

    @classmethod
    async def open(cls, address: SourceAddress, *, functions: Collection[str] = ()) -> ServerSource:
        """Connect once, to say early that it does not work.

        Raises:
            SourceError: No answer, no such database, the wrong password, or a database of MySQL's own.
        """
        source = cls(address, functions=functions)
        database = source._engine.url.database or ""
        if source.dialect == "mysql" and database.lower() in source._kind.system_schemas - {"information_schema"}:
            raise SourceError(
                f"{source.display}: {database} belongs to the server itself and holds its accounts. "
                "Name the database of your data at the end of the address."
            )
        probe, stop = source._with_stop(source._probe)
        try:
            await stoppable(probe, stop=stop, timeout_s=3 * CONNECT_TIMEOUT_S, leave_s=_LEAVE_S)
        except QueryRefused:
            raise SourceError(f"{source.display} cannot be reached: it does not answer. {_CHECK}") from None
        except _GARBLED as problem:
            raise source._garbled(problem) from None
        return source

    async def _read_catalog(self) -> Catalog:
        call, stop = self._with_stop(lambda: read_catalog(self._engine, source=self.name, dialect=self.dialect))
        try:
            return await stoppable(call, stop=stop, timeout_s=300, leave_s=_LEAVE_S)
        except SQLAlchemyError as problem:
            raise SourceError(f"{self.display} cannot be read: {self._cleaned(problem)}") from None
        except QueryRefused:
            raise SourceError(f"{self.display} cannot be read: its catalog takes longer than 300 s.") from None
        except _GARBLED as problem:
            raise self._garbled(problem) from None

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement in a read-only transaction of its own."""
        allowed = budget or Budget()
        started = time.perf_counter()
        call = ServerCall(self._engine, self.dialect, sql, params, allowed, functions=self._functions)
        try:
            table = await stoppable(
                call.run, stop=call.cancel, timeout_s=allowed.timeout_s, grace_s=QUERY_GRACE_S, leave_s=_LEAVE_S
            )
        except SQLAlchemyError as problem:
            raise self._unreachable(problem) from None
        except self._engine.dialect.loaded_dbapi.Error as problem:
            text = self._cleaned(problem)
            if any(word in text.lower() for word in self._kind.slow):
                raise QueryRefused(describe_timeout(allowed.timeout_s)) from None
            raise QueryFailed(text) from None
        except _GARBLED as problem:
            raise self._garbled(problem) from None
        return Result(table=table, seconds=time.perf_counter() - started)

    async def explain(self, sql: str) -> str:
        """The server's plan, as text."""
        statement = self._kind.explained(sql)
        if not statement:
            return await asyncio.to_thread(annotate_plan, "", sql, self.dialect)
        result = await self.run(statement, None, Budget(timeout_s=10))
        plan = "\n".join(" ".join(str(value) for value in row.values()) for row in result.table.to_pylist())
        return await asyncio.to_thread(annotate_plan, plan, sql, self.dialect)

    async def access(self) -> Access:
        """What the server's locks do, and what the login could do without them."""
        tables = (await self.catalog()).tables
        parts = next(([part for part in (t.schema, t.name) if part] for t in tables if not t.is_view), None)
        quote = self._engine.dialect.identifier_preparer.quote_identifier
        table = ".".join(map(quote, parts)) if parts else None
        return await tried_on(
            self, table=table, schemas=[table_entry.schema for table_entry in tables], attempt=self._attempt
        )

    async def close(self) -> None:
        """Nothing is held open: every call has a connection of its own."""
        self._engine.dispose()

    async def _attempt(self, sql: str) -> None:
        """Run any statement in a transaction as a query has it, without any check of ours; nothing is committed."""
        call = ServerCall(self._engine, self.dialect, sql, None, Budget(timeout_s=CONNECT_TIMEOUT_S))
        try:
            await stoppable(
                call.attempt, stop=call.cancel, timeout_s=CONNECT_TIMEOUT_S, grace_s=QUERY_GRACE_S, leave_s=_LEAVE_S
            )
        except SQLAlchemyError as problem:
            raise self._unreachable(problem) from None
        except self._engine.dialect.loaded_dbapi.Error as problem:
            raise QueryFailed(self._cleaned(problem)) from None

    def _with_stop(self, work: Callable[[], T]) -> tuple[Callable[[], T], Callable[[], None]]:
        """`work`, and what cuts off the connections that it opened."""
        opened: list[Any] = []

        def noted() -> T:
            self._opened.here = opened
            try:
                return work()
            finally:
                self._opened.here = None

        def stop() -> None:
            for con in opened:
                self._kind.drop(con)

        return noted, stop

    def _connect(self, _dialect: object, _record: object, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        return self._kind.connect(args, options)

    def _note(self, con: Any, _record: object) -> None:
        opened: list[Any] | None = getattr(self._opened, "here", None)
        if opened is not None:
            opened.append(con)

    def _probe(self) -> None:
        try:
            with self._engine.connect():
                pass
        except SQLAlchemyError as problem:
            raise self._unreachable(problem, _CHECK) from None

    def _unreachable(self, problem: Exception, advice: str = "Ask again once it is back.") -> SourceError:
        reason = self._cleaned(problem).splitlines()[0].rstrip(".? ")  # further lines advise who runs the server
        return SourceError(f"{self.display} cannot be reached: {reason}. {advice}")

    def _garbled(self, problem: Exception) -> SourceError:
        _LOG.warning("a server broke its protocol", exc_info=problem)
        return SourceError(
            f"{self.display} does not answer as a {self.dialect} server ({type(problem).__name__}). {_CHECK}"
        )

    def _cleaned(self, problem: Exception) -> str:
        origin = getattr(problem, "orig", None) or problem
        arguments = getattr(origin, "args", ())
        text = str(arguments[1]) if len(arguments) == 2 and isinstance(arguments[0], int) else str(origin)
        return clean_message(text, secrets=self._address.secrets).rstrip(". ") + "."
