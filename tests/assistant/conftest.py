"""The pools of these tests share a zygote, and readings are tried for as long as they take."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
from zygotes import _pools_share_a_zygote, kept_zygotes

__all__ = ["_pools_share_a_zygote", "kept_zygotes"]


@pytest.fixture(autouse=True, scope="session")
def _answers_do_not_depend_on_speed() -> Iterator[None]:  # pyright: ignore
    """How many readings of a question are run, and so which one answers it, must not hang on how busy the machine is."""
    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("assistant.agents.analyst.trials.SECONDS_MAX", 3600.0)
        yield
