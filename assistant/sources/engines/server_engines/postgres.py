"""PostgreSQL, and Redshift, which speaks its protocol."""

from __future__ import annotations

import os
import socket
from collections.abc import Iterable
from contextlib import suppress
from pathlib import Path
from typing import TYPE_CHECKING, Any, ClassVar

from assistant.query.functions import load_sections
from assistant.query.routines import Routine, Uses
from assistant.sources.engines.server_engines.base import CONNECT_TIMEOUT_S, ServerEngine

if TYPE_CHECKING:
    import sqlalchemy as sa


_ROUTINES = Path(__file__).with_name("postgres_routines.sql").read_text(encoding="utf-8")


_TYPES_BY_WORD = {
    "int": ("int4",),
    "dec": ("numeric",),
    "decimal": ("numeric",),
    "float": ("float4", "float8"),
    "double": ("float8",),
    "bit": ("varbit",),
    "time": ("timetz",),
    "timestamp": ("timestamptz",),
    **dict.fromkeys(("char", "character", "nchar", "national"), ("bpchar", "varchar")),
}
"""Types by a word of SQL's own that is not their name in the catalog."""
_NOWHERE = "/dev/null/none"
_NOT_LOOKED_UP = {
    "passfile": "/dev/null",
    "sslcert": _NOWHERE,
    "sslkey": _NOWHERE,
    "gssencmode": "disable",
    "hostaddr": "",
}
"""In place of files and variables of the server (`~/.pgpass`, `~/.postgresql`, `PG...`) that libpq would use by itself.

Source: PostgreSQL, libpq, Environment Variables; The Password File; Client Certificates.
"""


class Postgres(ServerEngine):
    """Read-only transactions, a time limit for each, a cursor on the server."""

    locked: ClassVar[bool] = True
    endless: ClassVar[str] = "SELECT pg_sleep(60)"
    own_schema: ClassVar[str] = "pg_catalog"
    system_schemas: ClassVar[frozenset[str]] = frozenset({"information_schema", "pg_catalog", "pg_toast"})
    lists_schemas: ClassVar[bool] = True
    savepoints: ClassVar[bool] = True
    slow: ClassVar[tuple[str, ...]] = ("statement timeout",)

    def connect_args(self, url: sa.URL) -> dict[str, Any]:
        """Every transaction is read-only, even one not begun here; what the address does not say is not looked up."""
        if url.drivername != "postgresql+psycopg":
            return {}
        os.environ.pop("PGSERVICE", None)  # libpq reads its file whatever the connection says
        return _NOT_LOOKED_UP | {
            "host": url.host or "",
            "password": str(url.password or ""),
            "connect_timeout": CONNECT_TIMEOUT_S,
            "options": "-c default_transaction_read_only=on",
        }

    def begin(self, con: Any, timeout_s: float) -> None:
        """A read-only transaction in which nothing waits long for a lock."""
        con.read_only = True
        with con.cursor() as cursor:
            cursor.execute(f"SET LOCAL statement_timeout = {int(timeout_s * 1000)}")
            cursor.execute("SET LOCAL lock_timeout = 5000")

    def routines(self, con: Any, uses: Uses) -> Iterable[Routine]:
        """PostgreSQL takes the function whose parameters fit best, in whatever schema, whoever made it."""
        names: dict[str, list[str]] = {
            name: sorted(getattr(uses, name)) for name in ("called", "qualified", "reached", "types")
        }
        names["types"] += [name for word in names["types"] for name in _TYPES_BY_WORD.get(word, ())]
        with con.transaction(force_rollback=True), con.cursor() as cursor:
            cursor.execute("SET LOCAL search_path = pg_catalog")  # or operators of theirs would answer
            cursor.execute("SET LOCAL jit = off")  # compiling the query below takes seconds, running it milliseconds
            cursor.execute(_ROUTINES, {**names, "extensions": list(load_sections("postgres")["extensions"])})
            return [Routine(kind=kind, schema=schema, name=name) for kind, schema, name in cursor.fetchall()]

    def cursor(self, con: Any, *, reads: bool) -> Any:
        """A cursor on the server takes nothing but a query, and hands the rows over bit by bit."""
        return con.cursor(name="tandem") if reads else con.cursor()

    def execute(self, cursor: Any, sql: str, *, reads: bool) -> None:
        """Prepared if it is no query, because otherwise the protocol takes several statements at once."""
        if reads:
            cursor.execute(sql)
        else:
            cursor.execute(sql, prepare=True)

    def cancel(self, engine: sa.Engine, con: Any) -> None:
        """By the protocol's own message."""
        with suppress(engine.dialect.loaded_dbapi.Error):
            con.cancel_safe(timeout=CONNECT_TIMEOUT_S)

    def drop(self, con: Any) -> None:
        """Its socket, through a descriptor of our own: libpq keeps the other."""
        with suppress(OSError, ValueError, AttributeError), socket.socket(fileno=os.dup(con.pgconn.socket)) as sock:
            sock.shutdown(socket.SHUT_RDWR)

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """For the transaction at hand."""
        con.exec_driver_sql(f"SET LOCAL statement_timeout = {timeout_ms}")


class Redshift(ServerEngine):
    """PostgreSQL's protocol by drivers of its own; a time limit, and no lock that was tried."""

    system_schemas: ClassVar[frozenset[str]] = frozenset(
        {"information_schema", "pg_catalog", "pg_internal", "pg_auto_copy", "pg_toast"}
    )
    lists_schemas: ClassVar[bool] = True
    slow: ClassVar[tuple[str, ...]] = ("statement timeout", "cancelled on user")

    def begin(self, con: Any, timeout_s: float) -> None:
        """For the session at hand, in milliseconds."""
        with con.cursor() as cursor:
            cursor.execute(f"SET statement_timeout TO {max(1, int(timeout_s * 1000))}")

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """For the session at hand."""
        con.exec_driver_sql(f"SET statement_timeout TO {timeout_ms}")
