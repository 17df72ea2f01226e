"""ClickHouse, by the driver of `clickhouse-connect`."""

from __future__ import annotations

from math import ceil
from typing import TYPE_CHECKING, Any, ClassVar

from assistant.sources.engines.server_engines.base import (
    CONNECT_TIMEOUT_S,
    QUERY_GRACE_S,
    REPLY_TIMEOUT_S,
    ServerEngine,
)

if TYPE_CHECKING:
    import sqlalchemy as sa

SQL_STANDARD = {
    "join_use_nulls": 1,
    "aggregate_functions_null_for_empty": 1,
    "union_default_mode": "DISTINCT",
    "except_default_mode": "DISTINCT",
    "intersect_default_mode": "DISTINCT",
}
"""Without these a missing row of an outer join reads 0, and so does the sum of nothing."""


class ClickHouse(ServerEngine):
    """Settings of each request: read-only, a time limit, and the SQL standard's missing values."""

    locked: ClassVar[bool] = True
    endless: ClassVar[str] = "SELECT count() FROM numbers(1000000000000)"
    system_schemas: ClassVar[frozenset[str]] = frozenset({"system", "information_schema", "INFORMATION_SCHEMA"})
    slow: ClassVar[tuple[str, ...]] = ("timeout_exceeded", "timeout exceeded")

    def connect_args(self, url: sa.URL) -> dict[str, Any]:
        """The settings that hold for the catalog, too."""
        times = {"connect_timeout": CONNECT_TIMEOUT_S, "send_receive_timeout": REPLY_TIMEOUT_S}
        return times | {f"ch_{name}": value for name, value in SQL_STANDARD.items()}

    def begin(self, con: Any, timeout_s: float) -> None:
        """In whole seconds, the least that the server can be told.

        A login that is read-only by itself may not set that again; one with `readonly = 1` may set nothing at all, and
        its profile has to name the time limit.
        """
        client = con.client
        client.timeout = type(client.timeout)(connect=CONNECT_TIMEOUT_S, read=timeout_s + 2 * QUERY_GRACE_S)
        setting = client.server_settings.get("readonly")
        level = str(setting.value) if setting else "0"
        if level == "1":
            return
        client.set_client_setting("max_execution_time", max(1, ceil(timeout_s)))
        if level == "0":
            client.set_client_setting("readonly", 1)

    def limit_profile(self, con: sa.Connection, timeout_ms: int) -> None:
        """For this connection."""
        self.begin(con.connection.driver_connection, timeout_ms / 1000)
