"""Databases behind a URL, through SQLAlchemy: PostgreSQL, MySQL/MariaDB, and what else has a dialect.

Each query has a connection and a transaction of its own, which is never committed. PostgreSQL and MySQL are told that
the transaction is read-only and how long a statement may take; a runaway query is cancelled on the server. For other
engines we know no such lock: the guard stands alone there, and `notes` says so. A read-only transaction does not take
rights away from a superuser (files, other sessions): give Tandem a user that may only read.
"""

from __future__ import annotations

import re
import time
from collections.abc import Callable, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import SQLAlchemyError

from assistant.data.arrow import table_from_rows
from assistant.data.errors import QueryFailed, QueryRefused, SourceError, cleaned
from assistant.data.recursion import annotated
from assistant.data.sources import stoppable
from assistant.data.values import ArrowTable, Budget, Parameters, Result

if TYPE_CHECKING:
    from assistant.data.access import Access
    from assistant.data.addresses import SourceAddress
    from assistant.data.catalog import Catalog

T = TypeVar("T")

_CONNECT_TIMEOUT_S = 10
_GRACE_S = 5.0  # the server's own time limit comes first; ours is for a server that does not answer
_DIALECTS = {"postgresql": "postgres", "mssql": "tsql", "mariadb": "mysql", "awsathena": "athena", "sparksql": "spark"}
_SYSTEM_DATABASES = frozenset({"mysql", "performance_schema", "sys"})
_QUERYING = frozenset({"SELECT", "WITH", "VALUES", "TABLE"})
_READING = _QUERYING | {"SHOW", "DESCRIBE", "DESC", "EXPLAIN"}
_OPENING = re.compile(r"(?:\s|\(|--[^\n]*\n|#[^\n]*\n|/\*(?!M?!).*?\*/)*([A-Za-z]+)", re.DOTALL)
"""A statement's first word, behind brackets and comments; MySQL's /*! ... */ is no comment."""


class ServerSource:
    """A database server as a `Source`."""

    def __init__(self, address: SourceAddress) -> None:
        self._address = address
        self._engine = sa.create_engine(
            address.secret,
            poolclass=sa.NullPool,
            hide_parameters=True,
            connect_args=_connect_args(sa.make_url(address.secret)),
        )
        self._catalog: Catalog | None = None

    @classmethod
    async def open(cls, address: SourceAddress) -> ServerSource:
        """Connect once, to say early that it does not work.

        Raises:
            SourceError: No answer, no such database, the wrong password, or a database of MySQL's own.
        """
        source = cls(address)
        database = source._engine.url.database or ""
        if source.dialect == "mysql" and database.lower() in _SYSTEM_DATABASES:
            raise SourceError(
                f"{source.display}: {database} belongs to the server itself and holds its accounts. "
                "Name the database of your data at the end of the address."
            )
        await stoppable(source._probe, stop=_nothing, timeout_s=3 * _CONNECT_TIMEOUT_S)
        return source

    @property
    def name(self) -> str:
        """An identifier."""
        return self._address.name

    @property
    def dialect(self) -> str:
        """sqlglot's name."""
        return _DIALECTS.get(self._engine.dialect.name, self._engine.dialect.name)

    @property
    def display(self) -> str:
        """The URL without its password."""
        return self._address.display

    @property
    def notes(self) -> tuple[str, ...]:
        """Says so where the engine cannot be locked."""
        if self.dialect in ("postgres", "mysql"):
            return ()
        return (
            f"{self.name}: this engine has no read-only mode that is used here; connect with a user that may only read",
        )

    async def catalog(self) -> Catalog:
        """Tables, columns, keys, profiles; kept until `refresh`."""
        if self._catalog is None:
            from assistant.data.adapters.server_catalog import read_catalog

            try:
                self._catalog = await stoppable(
                    lambda: read_catalog(self._engine, source=self.name, dialect=self.dialect),
                    stop=_nothing,
                    timeout_s=300,
                )
            except SQLAlchemyError as problem:
                raise SourceError(f"{self.display} cannot be read: {self._cleaned(problem)}") from None
        return self._catalog

    def refresh(self) -> None:
        """Forget the catalog."""
        self._catalog = None

    async def run(self, sql: str, params: Parameters = None, budget: Budget | None = None) -> Result:
        """Run one statement in a read-only transaction of its own."""
        allowed = budget or Budget()
        started = time.perf_counter()
        call = _Call(self._engine, self.dialect, sql, params, allowed)
        try:
            table = await stoppable(call.run, stop=call.cancel, timeout_s=allowed.timeout_s + _GRACE_S)
        except SQLAlchemyError as problem:
            raise SourceError(f"{self.display} cannot be reached: {self._cleaned(problem)}") from None
        except self._engine.dialect.loaded_dbapi.Error as problem:
            text = self._cleaned(problem)
            if any(word in text.lower() for word in ("statement timeout", "max_statement_time", "maximum statement")):
                raise QueryRefused(
                    f"The query took longer than {allowed.timeout_s:g} s and was stopped. "
                    "Filter it, aggregate it in SQL, or join on keys, and propose it again."
                ) from None
            raise QueryFailed(text) from None
        return Result(table=table, seconds=time.perf_counter() - started)

    async def explain(self, sql: str) -> str:
        """The server's plan, as text."""
        result = await self.run(f"EXPLAIN {sql}", None, Budget(timeout_s=10))
        plan = "\n".join(" ".join(str(value) for value in row.values()) for row in result.table.to_pylist())
        return annotated(plan, sql, self.dialect)

    async def access(self) -> Access:
        """What the server's locks do, and what the login could do without them."""
        from assistant.data.adapters.server_access import tried_on

        found = (await self.catalog()).tables
        parts = next(([part for part in (t.schema, t.name) if part] for t in found if not t.is_view), None)
        quote = self._engine.dialect.identifier_preparer.quote_identifier
        table = ".".join(map(quote, parts)) if parts else None
        return await tried_on(self, table=table, schemas=[each.schema for each in found], attempt=self._attempt)

    async def close(self) -> None:
        """Nothing is held open: every call has a connection of its own."""
        self._engine.dispose()

    async def _attempt(self, sql: str) -> None:
        """Run any statement in a transaction as a query has it, without any check of ours; nothing is committed."""
        call = _Call(self._engine, self.dialect, sql, None, Budget(timeout_s=_CONNECT_TIMEOUT_S))
        try:
            await stoppable(call.attempt, stop=call.cancel, timeout_s=_CONNECT_TIMEOUT_S + _GRACE_S)
        except SQLAlchemyError as problem:
            raise SourceError(f"{self.display} cannot be reached: {self._cleaned(problem)}") from None
        except self._engine.dialect.loaded_dbapi.Error as problem:
            raise QueryFailed(self._cleaned(problem)) from None

    def _probe(self) -> None:
        try:
            with self._engine.connect():
                pass
        except SQLAlchemyError as problem:
            reason = self._cleaned(problem).splitlines()[0].rstrip(".? ")  # further lines advise who runs the server
            raise SourceError(
                f"{self.display} cannot be reached: {reason}. Check host, port, database, user and password in the URL."
            ) from None

    def _cleaned(self, problem: Exception) -> str:
        origin = getattr(problem, "orig", None) or problem
        arguments = getattr(origin, "args", ())
        text = str(arguments[1]) if len(arguments) == 2 and isinstance(arguments[0], int) else str(origin)
        return cleaned(text, secrets=self._address.secrets).rstrip(". ") + "."


class _Call:
    """One statement on one connection, which another thread can cancel."""

    def __init__(self, engine: sa.Engine, dialect: str, sql: str, params: Parameters, budget: Budget) -> None:
        self._engine = engine
        self._dialect = dialect
        self._sql = sql
        self._params = params
        self._budget = budget
        self._con: Any = None  # the driver's own connection
        self._cancelled = False

    def run(self) -> ArrowTable:
        first = _OPENING.match(self._sql)
        if first is None or first[1].upper() not in _READING:
            raise QueryFailed("Only statements that read can run here. Write a SELECT.")
        return self._with_connection(self._queried)

    def attempt(self) -> None:
        """Run the statement under the engine's lock alone, whatever it is."""

        def execute() -> None:
            self._lock()
            with closing(self._con.cursor()) as cursor:
                cursor.execute(self._sql)

        self._with_connection(execute)

    def _with_connection(self, work: Callable[[], T]) -> T:
        """Do work on a connection of its own, and take back whatever it did."""
        with closing(self._engine.raw_connection()) as pooled:
            self._con = pooled.driver_connection
            try:
                return work()
            finally:
                with suppress(self._engine.dialect.loaded_dbapi.Error):
                    self._con.rollback()
                self._con = None

    def _queried(self) -> ArrowTable:
        match self._dialect:
            case "postgres":
                return self._on_postgres()
            case "mysql":
                return self._on_mysql()
            case _:
                return self._read(self._con.cursor, self._execute)

    def _lock(self) -> None:
        """Tell the engine that the transaction may only read, and how long a statement may take."""
        if self._dialect == "postgres":
            self._con.read_only = True
            with self._con.cursor() as cursor:
                cursor.execute(f"SET LOCAL statement_timeout = {int(self._budget.timeout_s * 1000)}")
                cursor.execute("SET LOCAL lock_timeout = 5000")
        elif self._dialect == "mysql":
            with self._con.cursor() as cursor:
                cursor.execute("SELECT VERSION()")
                (version,) = cursor.fetchone()
                cursor.execute(time_limit(str(version), self._budget.timeout_s))
                # Of the session too: in MariaDB, CREATE or DROP ends the transaction and would run in the next one.
                cursor.execute("SET SESSION TRANSACTION READ ONLY")
                cursor.execute("START TRANSACTION READ ONLY")

    def cancel(self) -> None:
        """Stop the statement on the server."""
        con, first, self._cancelled = self._con, not self._cancelled, True
        if con is None:
            return
        if self._dialect == "postgres":
            with suppress(self._engine.dialect.loaded_dbapi.Error):
                con.cancel()
        elif self._dialect == "mysql" and first:
            with suppress(SQLAlchemyError), self._engine.connect() as other:
                other.exec_driver_sql(f"KILL QUERY {int(con.thread_id())}")

    def _on_postgres(self) -> ArrowTable:
        self._lock()
        first = _OPENING.match(self._sql)
        if first is not None and first[1].upper() in _QUERYING:
            # A cursor on the server takes nothing but a query, and hands the rows over bit by bit.
            return self._read(lambda: self._con.cursor(name="tandem"), self._execute)
        # Prepared, because otherwise the protocol takes several statements at once.
        return self._read(self._con.cursor, lambda cursor: cursor.execute(self._sql, prepare=True))

    def _on_mysql(self) -> ArrowTable:
        from pymysql.cursors import SSCursor
        from sqlglot import tokenize
        from sqlglot.tokenizer_core import TokenType

        if "/*!" in self._sql or "/*M!" in self._sql:
            raise QueryFailed("MySQL runs what stands in /*! ... */. Leave it away.")
        if any(token.token_type == TokenType.INTO for token in tokenize(self._sql, read="mysql")):
            raise QueryFailed("SELECT ... INTO writes. Leave the INTO away: the result arrives as a table.")
        self._lock()
        return self._read(lambda: self._con.cursor(SSCursor), self._execute)

    def _execute(self, cursor: Any) -> None:
        sql, bound = self._bound()
        if bound is None:
            cursor.execute(sql)
        else:
            cursor.execute(sql, bound)

    def _bound(self) -> tuple[str, Any]:
        """`:name` and `?` as the driver writes them."""
        if self._params is None:
            return self._sql, None
        if isinstance(self._params, Mapping):
            statement, values = sa.text(self._sql), dict(self._params)
        else:
            statement = sa.text(_numbered(self._sql, self._dialect))
            values = {f"p{place}": value for place, value in enumerate(self._params)}
        compiled = statement.compile(dialect=self._engine.dialect)
        ready = compiled.construct_params(values)
        if compiled.positional:
            return str(compiled), tuple(ready[name] for name in compiled.positiontup or ())
        return str(compiled), ready

    def _read(self, opened: Callable[[], Any], execute: Callable[[Any], object]) -> ArrowTable:
        cursor = opened()
        try:
            execute(cursor)
            if cursor.description is None:
                raise QueryFailed("The statement gives no table. Write a SELECT.")
            names = [column[0] for column in cursor.description]

            def fetch(size: int) -> Sequence[Sequence[Any]]:
                if self._cancelled:
                    return ()
                return cursor.fetchmany(size)

            return table_from_rows(names, fetch, self._budget)
        except QueryRefused:
            self.cancel()  # or closing the cursor would fetch the rest
            raise
        finally:
            with suppress(self._engine.dialect.loaded_dbapi.Error):
                cursor.close()


def time_limit(version: str, timeout_s: float) -> str:
    """The statement that limits what comes after it, by what the server says it is: MariaDB counts in seconds."""
    if "mariadb" in version.lower():
        return f"SET SESSION max_statement_time = {timeout_s:.3f}"
    # Nought would mean no limit at all.
    return f"SET SESSION max_execution_time = {max(1, int(timeout_s * 1000))}"


def _numbered(sql: str, dialect: str) -> str:
    """`?` as `:p0`, `:p1`, ... where it is a placeholder and not part of a text or an operator."""
    from sqlglot import tokenize
    from sqlglot.tokenizer_core import TokenType

    places = [token.start for token in tokenize(sql, read=dialect) if token.token_type == TokenType.PLACEHOLDER]
    parts: list[str] = []
    last = 0
    for number, place in enumerate(places):
        parts += [sql[last:place], f":p{number}"]
        last = place + 1
    return "".join([*parts, sql[last:]])


def _connect_args(url: sa.URL) -> dict[str, Any]:
    if url.drivername == "postgresql+psycopg":
        return {"connect_timeout": _CONNECT_TIMEOUT_S, "options": "-c default_transaction_read_only=on"}
    if url.drivername in ("mysql+pymysql", "mariadb+pymysql"):
        return {"connect_timeout": _CONNECT_TIMEOUT_S, "local_infile": False}
    return {}


def _nothing() -> None:
    """Connecting and reading the catalog end by their own time limits."""
