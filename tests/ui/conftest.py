"""Makes the recorded session importable; the pools of these tests share a zygote."""

from __future__ import annotations

import sys
from pathlib import Path

from zygotes import _pools_share_a_zygote, kept_zygotes

__all__ = ["_pools_share_a_zygote", "kept_zygotes"]

sys.path.insert(0, str(Path(__file__).parent))
