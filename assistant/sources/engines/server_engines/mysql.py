"""MySQL and MariaDB."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from sqlalchemy.exc import SQLAlchemyError
from sqlglot.tokenizer_core import TokenType

from assistant.query.routines import Routine, Uses
from assistant.sources.engines.server_engines.base import CONNECT_TIMEOUT_S, QUERY_GRACE_S, ServerEngine
from knowledge.parsing import tokenize

if TYPE_CHECKING:
    import sqlalchemy as sa


class MySQL(ServerEngine):
    """Read-only transactions and sessions, a time limit for each statement."""

    locked: ClassVar[bool] = True
    endless: ClassVar[str] = "SELECT SLEEP(60)"
    system_schemas: ClassVar[frozenset[str]] = frozenset({"information_schema", "mysql", "performance_schema", "sys"})
    slow: ClassVar[tuple[str, ...]] = ("max_statement_time", "maximum statement")

    def connect_args(self, url: sa.URL) -> dict[str, Any]:
        """No file of this machine is handed to the server."""
        if url.drivername not in ("mysql+pymysql", "mariadb+pymysql"):
            return {}
        return {"connect_timeout": CONNECT_TIMEOUT_S, "local_infile": False}

    def connect(self, args: Sequence[Any], options: Mapping[str, Any]) -> Any:
        """By PyMySQL alone: within a time, whatever the server sends meanwhile."""
        if "local_infile" not in options:
            return None
        from assistant.sources.engines.server_engines.bounded_mysql import connect

        return connect(args, options)

    def refused(self, sql: str) -> str:
        """What the server reads as a command and a parser as a comment, and what writes a file."""
        if "/*!" in sql or "/*M!" in sql:
            return "MySQL runs what stands in /*! ... */. Leave it away."
        if any(token.token_type == TokenType.INTO for token in tokenize(sql, "mysql")):
            return "SELECT ... INTO writes. Leave the INTO away: the result arrives as a table."
        return ""

    def begin(self, con: Any, timeout_s: float) -> None:
        """A read-only transaction, in a session that is read-only too.

        In MariaDB, CREATE or DROP ends the transaction and would run in the next one.
        """
        con._read_timeout = timeout_s + 2 * QUERY_GRACE_S  # no public way after the connection stands
        with con.cursor() as cursor:
            cursor.execute("SELECT VERSION()")
            (version,) = cursor.fetchone()
            cursor.execute(time_limit(str(version), timeout_s))
            cursor.execute("SET SESSION TRANSACTION READ ONLY")
            cursor.execute("START TRANSACTION READ ONLY")

    def routines(self, con: Any, uses: Uses) -> Iterable[Routine]:
        """`count (x)` with a blank calls a stored function of that name, not the server's own."""
        if not uses.called:
            return ()
        with con.cursor() as cursor:
            cursor.execute(
                "SELECT ROUTINE_SCHEMA, ROUTINE_NAME FROM information_schema.ROUTINES"
                " WHERE ROUTINE_TYPE = 'FUNCTION' AND ROUTINE_NAME IN %s",
                (sorted(uses.called),),
            )
            return [Routine(kind="function", schema=schema, name=name) for schema, name in cursor.fetchall()]

    def cursor(self, con: Any, *, reads: bool) -> Any:
        """Rows stay on the server until they are asked for."""
        from pymysql.cursors import SSCursor

        return con.cursor(SSCursor)

    def cancel(self, engine: sa.Engine, con: Any) -> None:
        """From a connection of its own."""
        with suppress(SQLAlchemyError), engine.connect() as second_connection:
            second_connection.exec_driver_sql(f"KILL QUERY {int(con.thread_id())}")

    def drop(self, con: Any) -> None:
        """Its socket; closing the connection would wait for the thread that reads it."""
        from assistant.sources.engines.server_engines.bounded_mysql import drop

        drop(con)

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """MariaDB's own limit is in seconds."""
        version = "mariadb" if getattr(con.dialect, "is_mariadb", False) else ""
        con.exec_driver_sql(time_limit(version, timeout_ms / 1000))


def time_limit(version: str, timeout_s: float) -> str:
    """The statement that limits what comes after it, by what the server says it is: MariaDB counts in seconds."""
    if "mariadb" in version.lower():
        return f"SET SESSION max_statement_time = {timeout_s:.3f}"
    # Nought would mean no limit at all.
    return f"SET SESSION max_execution_time = {max(1, int(timeout_s * 1000))}"
