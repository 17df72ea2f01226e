"""Cloud warehouses and query engines: Snowflake, BigQuery, Databricks, Trino; SQL Server, Oracle.

None of them has a server that could be run where Tandem was built. What they are told here follows their documentation;
the SQL is tested by compiling it, not by running it (docs/how-to/warehouses.md).
"""

from __future__ import annotations

from contextlib import suppress
from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar

from assistant.sources.engines.server_engines.base import ServerEngine

if TYPE_CHECKING:
    import sqlalchemy as sa


class Snowflake(ServerEngine):
    """A time limit for the session; no read-only mode, so the role must be one that may only read."""

    lists_schemas: ClassVar[bool] = True
    slow: ClassVar[tuple[str, ...]] = ("statement reached its statement or warehouse timeout",)

    def begin(self, con: Any, timeout_s: float) -> None:
        """One statement at a time is the driver's default, and is said again."""
        with con.cursor() as cursor:
            cursor.execute(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {max(1, ceil(timeout_s))}")
            cursor.execute("ALTER SESSION SET MULTI_STATEMENT_COUNT = 1")

    def explained(self, sql: str) -> str:
        """As text."""
        return f"EXPLAIN USING TEXT {sql}"

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """For the session at hand."""
        con.exec_driver_sql(f"ALTER SESSION SET STATEMENT_TIMEOUT_IN_SECONDS = {max(1, ceil(timeout_ms / 1000))}")

    def schema_of(self, url: sa.URL) -> str | None:
        """`snowflake://user@account/database/schema`."""
        return (url.database or "").partition("/")[2] or None


class BigQuery(ServerEngine):
    """No plan without running; the account's roles are the lock."""

    lists_schemas: ClassVar[bool] = True

    def explained(self, sql: str) -> str:
        """BigQuery has no EXPLAIN."""
        return ""

    def schema_of(self, url: sa.URL) -> str | None:
        """`bigquery://project/dataset`."""
        return url.database or None


class Databricks(ServerEngine):
    """A time limit for the session; the catalog's grants are the lock."""

    lists_schemas: ClassVar[bool] = True

    def begin(self, con: Any, timeout_s: float) -> None:
        """In whole seconds."""
        with con.cursor() as cursor:
            cursor.execute(f"SET STATEMENT_TIMEOUT = {max(1, ceil(timeout_s))}")

    def schema_of(self, url: sa.URL) -> str | None:
        """`databricks://token:...@host?http_path=...&catalog=...&schema=...`."""
        return _queried(url, "schema")


class Trino(ServerEngine):
    """A time limit for the session; the catalog's access rules are the lock."""

    lists_schemas: ClassVar[bool] = True
    slow: ClassVar[tuple[str, ...]] = ("exceeded_time_limit", "exceeded the maximum run time")

    def begin(self, con: Any, timeout_s: float) -> None:
        """The driver sends the session's settings with each request that follows."""
        cursor = con.cursor()
        cursor.execute(f"SET SESSION query_max_run_time = '{max(1, ceil(timeout_s))}s'")
        cursor.fetchall()

    def schema_of(self, url: sa.URL) -> str | None:
        """`trino://user@host/catalog/schema`."""
        return (url.database or "").partition("/")[2] or None


def _queried(url: sa.URL, key: str) -> str | None:
    value = url.normalized_query.get(key)
    return value[0] if value else None


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
