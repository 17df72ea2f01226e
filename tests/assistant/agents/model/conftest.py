from __future__ import annotations

import importlib.util
import socket
import sys
from pathlib import Path
from typing import Any

import pytest


def _known_as(name: str, path: Path) -> None:
    # Test modules are imported by path (no package above them), so what they share is made known by name here.
    if name in sys.modules:
        return
    spec = importlib.util.spec_from_file_location(name, path)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[name] = module
    spec.loader.exec_module(module)


_HERE = Path(__file__).parent
_known_as("openai_server", _HERE.parents[1] / "models" / "openai_server.py")
_known_as("shop_session", _HERE / "shop_session.py")


@pytest.fixture(autouse=True)
def _loopback_only(monkeypatch: pytest.MonkeyPatch) -> None:
    """Nothing but the test's own server is contacted, whatever the machine's proxies and keys are."""
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
    connect = socket.socket.connect
    resolve = socket.getaddrinfo

    def connect_here(self: socket.socket, address: Any) -> None:
        assert self.family == socket.AF_UNIX or address[0] == "127.0.0.1", f"a connection to {address} was opened"
        connect(self, address)

    def resolve_here(host: Any, *more: Any, **named: Any) -> Any:
        assert host in ("127.0.0.1", b"127.0.0.1"), f"the name {host} was looked up"
        return resolve(host, *more, **named)

    monkeypatch.setattr(socket.socket, "connect", connect_here)
    monkeypatch.setattr(socket, "getaddrinfo", resolve_here)
