"""Waits for events that other programs append to the store: PostgreSQL tells of them, other stores are asked again."""

from __future__ import annotations

import asyncio
import time
from contextlib import suppress
from typing import Any

from sqlalchemy import Engine
from sqlalchemy.exc import DatabaseError


class ChangeListener:
    """Listens on a channel of PostgreSQL (`LISTEN`), on a connection of its own, for one caller at a time.

    Args:
        engine: The store's.
        channel: Sent to with each event.
    """

    def __init__(self, engine: Engine, *, channel: str) -> None:
        self._engine = engine
        self._channel = channel
        self._can_listen = engine.dialect.name == "postgresql" and engine.dialect.driver == "psycopg"
        self._connection: Any = None

    async def wait(self, timeout_s: float) -> None:
        """Return at the next message, or after `timeout_s` seconds."""
        if self._can_listen:
            await asyncio.to_thread(self._wait_for_message, timeout_s)
        else:
            await asyncio.sleep(timeout_s)

    def _wait_for_message(self, timeout_s: float) -> None:
        import psycopg

        began = time.monotonic()
        try:
            if self._connection is None:
                self._connection = self._listen()
            for _ in self._connection.notifies(timeout=timeout_s, stop_after=1):
                pass
        except (psycopg.Error, DatabaseError, OSError):  # the server is gone: what it has is read by the next look
            self.close()
            time.sleep(max(0.0, timeout_s - (time.monotonic() - began)))

    def close(self) -> None:
        """Close the connection; the next wait opens one."""
        connection, self._connection = self._connection, None
        if connection is not None:
            with suppress(Exception):
                connection.close()

    def _listen(self) -> Any:
        pooled = self._engine.raw_connection()
        connection = pooled.driver_connection
        pooled.detach()
        assert connection is not None
        connection.autocommit = True
        connection.execute(f"LISTEN {self._channel}")
        return connection
