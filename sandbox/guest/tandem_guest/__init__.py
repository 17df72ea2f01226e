"""Code that runs inside the cage, and its interface for a prelude: `call`, `data_path` and `later`.

Started by path, never imported by the host. Standard library, ipykernel and the preloaded data libraries only.
"""

from __future__ import annotations

from .channel import RequestRefused, call, data_path
from .drawing import later

__all__ = ["RequestRefused", "call", "data_path", "later"]
