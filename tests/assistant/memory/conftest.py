from __future__ import annotations

import importlib.util
import sys
from pathlib import Path

# Test modules are imported by path (no package above them), so what they share is made known by name here.
_SPEC = importlib.util.spec_from_file_location("memory_sessions", Path(__file__).with_name("sessions.py"))
assert _SPEC is not None
assert _SPEC.loader is not None
_MODULE = importlib.util.module_from_spec(_SPEC)
sys.modules.setdefault("memory_sessions", _MODULE)
_SPEC.loader.exec_module(_MODULE)
