"""What libpq would look up by itself: no password, certificate or service of the server's account goes to a host."""

from __future__ import annotations

import asyncio
import socket
import struct
import threading
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path

import pytest
from rights_of_person import PERSON

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import parse_addresses
from assistant.sources.opening import open_source

_SSL_REQUEST, _GSS_REQUEST = 80877103, 80877104


class Listener:
    """A PostgreSQL server that asks for the password in clear and keeps all that it is sent."""

    def __init__(self, server: socket.socket) -> None:
        self.port = server.getsockname()[1]
        self.heard = b""
        self.asked_for_gss = False
        self._server = server

    def serve(self) -> None:
        """Until the socket is closed."""
        while True:
            try:
                peer, _ = self._server.accept()
            except OSError:
                return
            with peer, suppress(OSError, struct.error):
                peer.settimeout(5)
                self._talk(peer)

    def _talk(self, peer: socket.socket) -> None:
        while True:
            size, code = struct.unpack("!II", peer.recv(8))
            if code not in (_SSL_REQUEST, _GSS_REQUEST):
                break
            self.asked_for_gss |= code == _GSS_REQUEST
            peer.sendall(b"N")
        self.heard += peer.recv(size - 8)
        peer.sendall(b"R" + struct.pack("!II", 8, 3))
        self.heard += peer.recv(1000)
        text = b"SFATAL\0C28P01\0Mno\0\0"
        peer.sendall(b"E" + struct.pack("!I", 4 + len(text)) + text)


@contextmanager
def listener() -> Iterator[Listener]:
    with socket.create_server(("127.0.0.1", 0)) as server:
        made = Listener(server)
        thread = threading.Thread(target=made.serve)
        thread.start()
        try:
            yield made
        finally:
            server.shutdown(socket.SHUT_RDWR)
            thread.join()


def tried(url: str, folder: Path) -> str:
    async def scenario() -> str:
        with pytest.raises(SourceError) as refused:
            await open_source(parse_addresses(url, PERSON)[0], folder=folder)
        return str(refused.value)

    return asyncio.run(scenario())


def test_passwords_and_options_of_the_environment_and_of_files_are_not_sent(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    with listener() as server:
        passfile = tmp_path / "pgpass"
        passfile.write_text("*:*:*:*:planted-in-file\n")
        passfile.chmod(0o600)
        services = tmp_path / "services"
        services.write_text("[planted]\npassword=planted-in-service\napplication_name=planted-service\n")
        for name, value in {
            "PGPASSWORD": "planted-in-environment",
            "PGPASSFILE": str(passfile),
            "PGSERVICEFILE": str(services),
            "PGSERVICE": "planted",
            "PGOPTIONS": "-c geqo=planted",
            "PGHOSTADDR": "127.0.0.2",
        }.items():
            monkeypatch.setenv(name, value)
        text = tried(f"postgresql://me@127.0.0.1:{server.port}/shop", tmp_path)
        assert b"me\0" in server.heard, text
        assert b"planted" not in server.heard
        assert not server.asked_for_gss


def test_the_password_of_the_address_is_sent(tmp_path: Path) -> None:
    with listener() as server:
        tried(f"postgresql://me:own-word@127.0.0.1:{server.port}/shop?application_name=mine", tmp_path)
        assert b"own-word" in server.heard
        assert b"mine" in server.heard
        assert b"default_transaction_read_only=on" in server.heard
