"""One statement on one connection of a database server, which another thread can cancel."""

from __future__ import annotations

import math
import re
import threading
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from contextlib import closing, suppress
from typing import TYPE_CHECKING, Any, TypeVar

import sqlalchemy as sa
from sqlalchemy.exc import OperationalError
from sqlglot.tokenizer_core import TokenType

from assistant.core.data_errors import QueryFailed, QueryRefused, describe_timeout
from assistant.query.routines import find_uses, require_engine_own
from assistant.sources.arrow import table_from_rows
from assistant.sources.engines.server_engines import engine_for
from knowledge.parsing import tokenize

if TYPE_CHECKING:
    from assistant.core.values import ArrowTable, Budget, Parameters

T = TypeVar("T")
_HEED_S = 2.0

_QUERYING = frozenset({"SELECT", "WITH", "VALUES", "TABLE"})
_READING = _QUERYING | {"SHOW", "DESCRIBE", "DESC", "EXPLAIN"}
_OPENING = re.compile(r"(?:\s|\(|--[^\n]*\n|#[^\n]*\n|/\*(?!M?!).*?\*/)*([A-Za-z]+)", re.DOTALL)
"""A statement's first word, behind brackets and comments; MySQL's /*! ... */ is no comment."""


class ServerCall:
    """A statement with its parameters and its budget. It is used once."""

    def __init__(
        self,
        engine: sa.Engine,
        dialect: str,
        sql: str,
        params: Parameters,
        budget: Budget,
        *,
        functions: Collection[str] = (),
    ) -> None:
        self._functions = functions
        self._engine = engine
        self._dialect = dialect
        self._kind = engine_for(dialect)
        self._sql = sql
        self._params = params
        self._budget = budget
        self._con: Any = None  # the driver's own connection
        self._stopping = False
        self._cancelled = False
        self._done = threading.Event()
        self._due = math.inf

    def run(self) -> ArrowTable:
        """Run a statement that reads.

        Raises:
            QueryFailed: It does not begin as a query, or gives no table.
            QueryRefused: The result is over the budget, or the statement may run a function that people made.
            sqlalchemy.exc.OperationalError: The server cannot be reached.
        """
        self._due = time.monotonic() + self._budget.timeout_s
        first = self._first_word()
        if first not in _READING:
            raise QueryFailed("Only statements that read can run here. Write a SELECT.")
        if why := self._kind.refused(self._sql):
            raise QueryFailed(why)
        uses = find_uses(self._sql, self._dialect)

        def read() -> ArrowTable:
            routines = self._kind.routines(self._con, uses)
            require_engine_own(uses, routines, self._functions, schema=self._kind.own_schema)
            return self._read(reads=first in _QUERYING)

        return self._with_connection(read)

    def attempt(self) -> None:
        """Run the statement under the engine's lock alone, whatever it is."""

        def execute() -> None:
            with closing(self._con.cursor()) as cursor:
                cursor.execute(self._sql)

        self._with_connection(execute)

    def cancel(self) -> None:
        """Stop the statement on the server, once, and wait for nothing: a server that does not heed it is cut off."""
        con, self._cancelled = self._con, True
        if con is None or self._stopping:
            return
        self._stopping = True
        for pause_s, work in ((0.0, lambda: self._kind.cancel(self._engine, con)), (_HEED_S, lambda: self._drop(con))):
            timer = threading.Timer(pause_s, work)
            timer.daemon = True
            timer.start()

    def _drop(self, con: Any) -> None:
        if not self._done.is_set():
            self._kind.drop(con)

    def _first_word(self) -> str:
        match = _OPENING.match(self._sql)
        return match[1].upper() if match else ""

    def _with_connection(self, work: Callable[[], T]) -> T:
        """Do work on a connection of its own, in what the engine has for reading, and take back whatever it did."""
        with closing(self._connected()) as pooled:
            self._con = pooled.driver_connection
            try:
                self._kind.begin(self._con, self._budget.timeout_s)
                return work()
            finally:
                self._done.set()
                with suppress(self._engine.dialect.loaded_dbapi.Error):
                    self._con.rollback()
                self._con = None

    def _connected(self) -> sa.PoolProxiedConnection:
        """A connection; SQLAlchemy gives the driver's own error here where there is none to be had."""
        try:
            return self._engine.raw_connection()
        except self._engine.dialect.loaded_dbapi.Error as problem:
            raise OperationalError("connect", None, problem) from problem

    def _read(self, *, reads: bool) -> ArrowTable:
        cursor = self._kind.cursor(self._con, reads=reads)
        try:
            self._execute(cursor, reads=reads)
            if cursor.description is None:
                raise QueryFailed("The statement gives no table. Write a SELECT.")
            names = [column[0] for column in cursor.description]

            def fetch(size: int) -> Sequence[Sequence[Any]]:
                if self._cancelled:
                    return ()
                if time.monotonic() > self._due:  # the server's limit is one for each piece of the rows
                    raise QueryRefused(describe_timeout(self._budget.timeout_s))
                return cursor.fetchmany(size)

            return table_from_rows(names, fetch, self._budget)
        except QueryRefused:
            self._stopping = True
            self._kind.cancel(self._engine, self._con)  # or closing the cursor would fetch the rest
            raise
        finally:
            with suppress(self._engine.dialect.loaded_dbapi.Error):
                cursor.close()

    def _execute(self, cursor: Any, *, reads: bool) -> None:
        sql, bound = self._bound()
        if bound is None:
            self._kind.execute(cursor, sql, reads=reads)
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


def _numbered(sql: str, dialect: str) -> str:
    """`?` as `:p0`, `:p1`, ... where it is a placeholder and not part of a text or an operator."""
    places = [token.start for token in tokenize(sql, dialect) if token.token_type == TokenType.PLACEHOLDER]
    parts: list[str] = []
    last = 0
    for number, place in enumerate(places):
        parts += [sql[last:place], f":p{number}"]
        last = place + 1
    return "".join([*parts, sql[last:]])
