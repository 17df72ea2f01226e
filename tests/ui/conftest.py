"""Makes the recorded session importable; a module's tests share a browser, and all pools a zygote."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from pathlib import Path
from typing import TYPE_CHECKING

import pytest
from zygotes import _pools_share_a_zygote, kept_zygotes

__all__ = ["_pools_share_a_zygote", "kept_zygotes"]

sys.path.insert(0, str(Path(__file__).parent))

if TYPE_CHECKING:
    from playwright.sync_api import Browser


@pytest.fixture(scope="module")
def browser() -> Iterator[Browser]:
    import browsing

    with browsing.chromium() as launched:
        yield launched
