"""The conformance every cage must pass, and its teeth."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from sandbox.levels import Level
from sandbox.selfcheck import PROMISES, check, summary


def test_every_promise_is_kept(loop: asyncio.Runner, any_level: Level) -> None:
    results = loop.run(check(any_level))
    assert [result for result in results if not result.kept] == []
    assert f"{len(results)} of {len(results)} promises kept" == summary(results)
    assert len(results) >= 5


HARMLESS = {"no file of the host", "no socket of any family but Unix", "no process of the host"}


@pytest.mark.slow
def test_walls_are_what_keeps_the_promises(loop: asyncio.Runner, lease: Any) -> None:
    """Without walls the same cells do break out, so that passing means something. Only those that change nothing."""

    async def scenario() -> set[str]:
        kernel = await lease("process", prelude=f"SECRET = {__file__!r}; HOST = {os.getpid()}")
        broken: set[str] = set()
        for promise in PROMISES:
            if promise.name in HARMLESS:
                result = await kernel.execute(promise.code)
                if any("BROKEN" in output.text for output in result.outputs):
                    broken.add(promise.name)
        return broken

    assert loop.run(scenario()) == HARMLESS
