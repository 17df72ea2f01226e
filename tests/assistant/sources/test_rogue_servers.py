"""Servers that break their protocol: each ends in a sentence, within bounds of time and bytes, and reads no file."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.errors import DataError
from assistant.sources.addresses import parse_addresses
from assistant.sources.engines import server
from assistant.sources.engines.server_engines import base, bounded_mysql, clickhouse, mysql, postgres
from assistant.sources.opening import open_source

BOUND_S = 60.0
Talk = Callable[[socket.socket], None]


@contextmanager
def listening(talk: Talk) -> Iterator[int]:
    """A server on loopback that talks so with everybody who comes; gives its port."""
    server = socket.create_server(("127.0.0.1", 0))
    ends: list[socket.socket] = []

    def serve() -> None:
        with suppress(OSError):
            while True:
                connection, _ = server.accept()
                ends.append(connection)
                threading.Thread(target=quietly, args=(connection,), daemon=True).start()

    def quietly(connection: socket.socket) -> None:
        with suppress(OSError), connection:
            connection.settimeout(30)
            talk(connection)

    threading.Thread(target=serve, daemon=True).start()
    try:
        yield server.getsockname()[1]
    finally:
        with suppress(OSError):
            server.shutdown(socket.SHUT_RDWR)
        server.close()
        for end in ends:
            with suppress(OSError):
                end.shutdown(socket.SHUT_RDWR)


def silent(connection: socket.socket) -> None:
    while connection.recv(4096):
        pass


def closing(connection: socket.socket) -> None:
    connection.recv(10)


def garbage(connection: socket.socket) -> None:
    connection.sendall(b"\x17\xfe\x00garbage" * 500)
    silent(connection)


def zeros(connection: socket.socket) -> None:
    connection.sendall(bytes(100_000))
    silent(connection)


def dribbling(connection: socket.socket) -> None:
    connection.sendall(b"\xff\xff\x00\x00")
    while True:
        connection.sendall(b"x")
        time.sleep(0.05)


def packet(body: bytes, number: int) -> bytes:
    return struct.pack("<I", len(body))[:3] + bytes([number]) + body


def greeting(plugin: bytes = b"mysql_native_password", capabilities: int = 0x00FFF7FF) -> bytes:
    low, high = capabilities & 0xFFFF, capabilities >> 16
    body = b"\x0a8.0.30\0" + struct.pack("<I", 1) + b"12345678\0" + struct.pack("<HBHH", low & ~0x800, 33, 2, high)
    return packet(body + bytes([21]) + bytes(10) + b"123456789012\0" + plugin + b"\0", 0)


OK = b"\0\0\0\2\0\0\0"


def after_login(reply: Callable[[bytes], bytes]) -> Talk:
    def talk(connection: socket.socket) -> None:
        connection.sendall(greeting())
        connection.recv(4096)
        connection.sendall(packet(OK, 2))
        while query := connection.recv(65536):
            connection.sendall(reply(query))

    return talk


def endless_packet(connection: socket.socket) -> None:
    connection.sendall(greeting())
    connection.recv(4096)
    number = 2
    while True:
        connection.sendall(b"\xff\xff\xff" + bytes([number % 256]) + bytes(0xFFFFFF))
        number += 1


def wrong_plugin(connection: socket.socket) -> None:
    connection.sendall(greeting(b"no_such_plugin"))
    connection.recv(4096)
    connection.sendall(packet(b"\xfeno_such_plugin\0" + b"salt", 2))
    silent(connection)


def clear_password(connection: socket.socket) -> None:
    connection.sendall(greeting())
    connection.recv(4096)
    connection.sendall(packet(b"\xfe", 2))
    silent(connection)


MYSQL: dict[str, Talk] = {
    "silent": silent,
    "closing": closing,
    "garbage": garbage,
    "zeros": zeros,
    "dribbling": dribbling,
    "closing in the handshake": lambda connection: connection.sendall(greeting()[:30]),
    "closing after the greeting": lambda connection: (connection.sendall(greeting()), connection.recv(100), None)[2],
    "an endless packet": endless_packet,
    "a wrong plugin": wrong_plugin,
    "an old plugin": clear_password,
    "a greeting of one byte": lambda connection: connection.sendall(packet(b"\x0a", 0)),
    "a greeting of version 1": lambda connection: connection.sendall(packet(b"\x01" + bytes(40), 0)),
    "an unknown character set": lambda c: c.sendall(greeting().replace(struct.pack("<B", 33) + b"\2\0", b"\xfe\2\0")),
    "replies of garbage": after_login(lambda _: packet(b"\xfc\xff\xff" + b"x" * 50, 1)),
    "replies of nothing": after_login(lambda _: packet(b"", 1)),
    "replies out of order": after_login(lambda _: packet(OK, 77)),
    "columns without end": after_login(lambda _: packet(b"\xfd\xff\xff\xff", 1) + packet(b"\3def" * 3, 2) * 50),
    "a local file": after_login(lambda _: packet(b"\xfb/etc/passwd", 1)),
}


def message(kind: bytes, body: bytes, size: int | None = None) -> bytes:
    return kind + struct.pack(">I", len(body) + 4 if size is None else size) + body


def postgres_login(rest: bytes) -> Talk:
    def talk(connection: socket.socket) -> None:
        first = connection.recv(4096)
        if first[4:8] == b"\x04\xd2\x16\x2f":  # asks for TLS
            connection.sendall(b"N")
            connection.recv(4096)
        connection.sendall(rest)
        silent(connection)

    return talk


READY = message(b"R", struct.pack(">I", 0)) + message(b"Z", b"I")
POSTGRES: dict[str, Talk] = {
    "silent": silent,
    "closing": closing,
    "garbage": garbage,
    "zeros": zeros,
    "an unknown way to log in": postgres_login(message(b"R", struct.pack(">I", 99))),
    "an absurd length": postgres_login(message(b"R", b"\0\0\0\5salt", 0x7FFFFFFF)),
    "a negative length": postgres_login(message(b"R", b"\0\0\0\5salt", 0xFFFFFFFF)),
    "a copy nobody asked for": postgres_login(READY + message(b"G", b"\0\0\1\0\0")),
    "an error of garbage": postgres_login(message(b"E", b"SFATAL\0M\xff\xfe\0\0")),
    "silent after the login": postgres_login(READY),
}


def http(body: bytes) -> Talk:
    def talk(connection: socket.socket) -> None:
        while connection.recv(65536):
            connection.sendall(body)

    return talk


CLICKHOUSE: dict[str, Talk] = {
    "silent": silent,
    "closing": closing,
    "garbage": garbage,
    "no number in its length": http(b"HTTP/1.1 200 OK\r\nContent-Length: many\r\n\r\n"),
    "a page": http(b"HTTP/1.1 200 OK\r\nContent-Length: 13\r\n\r\n<html></html>"),
    "an absurd length": http(b"HTTP/1.1 200 OK\r\nContent-Length: 99999999999999\r\n\r\nx"),
    "bytes that are no text": http(b"HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\n\xff\xfe\xfd\xfc"),
    "an error": http(b"HTTP/1.1 500 No\r\nContent-Length: 2\r\n\r\n\xff\xff"),
}
CASES = [
    *(("mysql+pymysql", kind, talk) for kind, talk in MYSQL.items()),
    *(("postgresql+psycopg", kind, talk) for kind, talk in POSTGRES.items()),
    *(("clickhousedb", kind, talk) for kind, talk in CLICKHOUSE.items()),
]


@pytest.fixture(autouse=True)
def impatient(monkeypatch: pytest.MonkeyPatch) -> None:
    for module in (server, base, mysql, postgres, clickhouse, bounded_mysql):
        for name, seconds in (("CONNECT_TIMEOUT_S", 2), ("REPLY_TIMEOUT_S", 2)):
            if hasattr(module, name):
                monkeypatch.setattr(module, name, seconds)


@pytest.mark.slow
@pytest.mark.parametrize(("scheme", "kind", "talk"), CASES, ids=[f"{scheme}: {kind}" for scheme, kind, _ in CASES])
def test_a_server_that_breaks_its_protocol_is_told_of_in_a_sentence(
    scheme: str, kind: str, talk: Talk, tmp_path: Path
) -> None:
    async def scenario(port: int) -> str:
        (address,) = parse_addresses(f"shop={scheme}://ada:s3cret-word@127.0.0.1:{port}/shop", PERSON)

        async def use() -> None:
            source = await open_source(address, folder=tmp_path)
            try:
                await source.catalog()
                await source.run("SELECT 1")
            finally:
                await source.close()

        async with asyncio.timeout(BOUND_S):
            with pytest.raises(DataError) as refused:
                await use()
        return str(refused.value)

    with listening(talk) as port:
        text = asyncio.run(scenario(port))
    assert len(text) < 700, text
    assert "s3cret-word" not in text
    assert "Traceback" not in text


def test_no_file_is_read_for_a_server(tmp_path: Path) -> None:
    secret = tmp_path / "secret"
    secret.write_text("contents of a local file")
    received: list[bytes] = []

    def talk(connection: socket.socket) -> None:
        connection.sendall(greeting())
        connection.recv(4096)
        connection.sendall(packet(OK, 2))
        while query := connection.recv(65536):
            received.append(query)
            connection.sendall(packet(b"\xfb" + str(secret).encode(), 1))

    async def scenario(port: int) -> None:
        (address,) = parse_addresses(f"shop=mysql+pymysql://ada:word@127.0.0.1:{port}/shop", PERSON)
        with pytest.raises(SourceError):
            await open_source(address, folder=tmp_path)

    with listening(talk) as port:
        asyncio.run(scenario(port))
    assert received
    assert b"contents" not in b"".join(received)


def test_a_message_of_a_mysql_server_is_bounded(tmp_path: Path) -> None:
    sent = 0

    def talk(connection: socket.socket) -> None:
        nonlocal sent
        connection.sendall(greeting())
        connection.recv(4096)
        for number in range(2, 256):
            sent += connection.send(b"\xff\xff\xff" + bytes([number]) + bytes(1 << 20))

    async def scenario(port: int) -> None:
        (address,) = parse_addresses(f"shop=mysql+pymysql://ada:word@127.0.0.1:{port}/shop", PERSON)
        with pytest.raises(SourceError, match="announced a message of more than 1 MiB"):
            await open_source(address, folder=tmp_path)

    with listening(talk) as port:
        asyncio.run(scenario(port))
    assert sent < 64 << 20
