"""SQL Server and Oracle. Nothing that runs there is ever committed, and the guard lets nothing but queries through.

No server of either could be run where Tandem was built (docs/how-to/warehouses.md).
"""

from __future__ import annotations

from contextlib import suppress
from typing import TYPE_CHECKING, Any, ClassVar

from assistant.sources.engines.server_engines.base import ServerEngine

if TYPE_CHECKING:
    import sqlalchemy as sa


class SQLServer(ServerEngine):
    """Every statement, DDL too, is rolled back; the driver ends one that takes too long."""

    system_schemas: ClassVar[frozenset[str]] = frozenset(
        {"information_schema", "INFORMATION_SCHEMA", "sys", "guest"}
        | {f"db_{role}" for role in ("owner", "accessadmin", "securityadmin", "ddladmin", "backupoperator")}
        | {f"db_{role}" for role in ("datareader", "datawriter", "denydatareader", "denydatawriter")}
    )
    lists_schemas: ClassVar[bool] = True
    slow: ClassVar[tuple[str, ...]] = ("query timeout expired", "timeout expired")

    def begin(self, con: Any, timeout_s: float) -> None:
        """pyodbc's `timeout` is the limit of a statement in whole seconds; nothing waits long for a lock."""
        con.timeout = max(1, round(timeout_s))
        with con.cursor() as cursor:
            cursor.execute("SET LOCK_TIMEOUT 5000")

    def cancel(self, engine: sa.Engine, con: Any) -> None:
        """Closing the connection ends its statement and rolls it back."""
        with suppress(engine.dialect.loaded_dbapi.Error):
            con.close()

    def explained(self, sql: str) -> str:
        """A plan needs a setting of the session and another statement: none is asked for."""
        return ""


class Oracle(ServerEngine):
    """Read-only transactions; DDL, which ends a transaction by itself, is stopped by the guard and the login alone."""

    lists_schemas: ClassVar[bool] = False
    slow: ClassVar[tuple[str, ...]] = ("dpy-4024", "call timeout", "ora-03136")

    def begin(self, con: Any, timeout_s: float) -> None:
        """`call_timeout` is in milliseconds and holds for each round trip."""
        con.call_timeout = max(1, int(timeout_s * 1000))
        with con.cursor() as cursor:
            cursor.execute("SET TRANSACTION READ ONLY")

    def cancel(self, engine: sa.Engine, con: Any) -> None:
        """By the driver's own call."""
        with suppress(engine.dialect.loaded_dbapi.Error):
            con.cancel()

    def explained(self, sql: str) -> str:
        """EXPLAIN PLAN writes into a table, which a read-only transaction may not."""
        return ""
