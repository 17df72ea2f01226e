"""PyMySQL, bounded: a server that floods, dribbles or falls silent ends the connection and nothing else.

PyMySQL joins packets of any length, waits for ever once the TCP connection stands, and reads a local file for a server
unless it is told not to (`local_infile`, which the engine sets).
"""

from __future__ import annotations

import socket
import threading
from collections.abc import Mapping, Sequence
from contextlib import suppress
from typing import Any

import pymysql.connections
from pymysql.err import OperationalError

from assistant.sources.engines.server_engines.base import CONNECT_TIMEOUT_S, REPLY_TIMEOUT_S

_driver: Any = pymysql.connections  # its stubs leave out what is overridden here
PACKET_BYTES_MAX = 64 << 20
"""Of one row, or of any other message of the server."""
_GREETING_BYTES_MAX = 1 << 20


class BoundedConnection(_driver.Connection):
    """A connection whose server may send so much in one message and no more."""

    bytes_max = _GREETING_BYTES_MAX
    _bytes_left = 0

    def _read_packet(self, packet_type: Any = _driver.MysqlPacket) -> Any:
        self._bytes_left = self.bytes_max
        return super()._read_packet(packet_type)

    def _read_bytes(self, num_bytes: int) -> bytes:
        self._bytes_left -= num_bytes
        if self._bytes_left < 0:
            self._force_close()
            text = f"the server announced a message of more than {self.bytes_max >> 20} MiB"
            raise OperationalError(2027, text)
        return super()._read_bytes(num_bytes)


def connect(args: Sequence[Any], options: Mapping[str, Any]) -> Any:
    """Connect and log in within `CONNECT_TIMEOUT_S`, at whatever pace the server sends."""
    con: Any = BoundedConnection(*args, **{**options, "defer_connect": True, "read_timeout": CONNECT_TIMEOUT_S})
    overdue = threading.Timer(CONNECT_TIMEOUT_S, drop, (con,))
    overdue.daemon = True
    overdue.start()
    try:
        con.connect()
    finally:
        overdue.cancel()
    con._read_timeout = REPLY_TIMEOUT_S
    con.bytes_max = PACKET_BYTES_MAX
    return con


def drop(con: Any) -> None:
    """Cut a connection off under the thread that reads it."""
    sock = getattr(con, "_sock", None)
    if sock is not None:
        with suppress(OSError, ValueError):
            sock.shutdown(socket.SHUT_RDWR)
