from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

import pytest

# Test modules are imported by path (no package above them), so what they share is made known by name here.
if "openai_server" not in sys.modules:
    _SPEC = importlib.util.spec_from_file_location("openai_server", Path(__file__).with_name("openai_server.py"))
    assert _SPEC is not None
    assert _SPEC.loader is not None
    _MODULE = importlib.util.module_from_spec(_SPEC)
    sys.modules["openai_server"] = _MODULE
    _SPEC.loader.exec_module(_MODULE)


@pytest.fixture(autouse=True)
def _no_proxy(monkeypatch: pytest.MonkeyPatch) -> None:
    # A proxy of the machine must not stand between a test and its own server, nor a key of its owner get into one.
    for name in ("HTTP_PROXY", "HTTPS_PROXY", "ALL_PROXY", "OPENAI_API_KEY", "OPENAI_BASE_URL"):
        monkeypatch.delenv(name, raising=False)
        monkeypatch.delenv(name.lower(), raising=False)
