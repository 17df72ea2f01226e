"""One zygote for all the pools of a run: a warm one takes two seconds to start, and hundreds of tests want a kernel.

How zygotes start, die and end is the subject of tests/sandbox, which makes its own.
"""

from __future__ import annotations

import asyncio
from collections.abc import Iterator

import pytest

from sandbox.zygote import Zygote


class KeptZygote(Zygote):
    """A zygote that pools hold one after another, and that none of them ends."""

    async def close(self) -> None:
        """Stay for the next pool."""

    async def end(self) -> None:
        """End the process, after the last pool."""
        await super().close()


@pytest.fixture(scope="session")
def kept_zygotes() -> Iterator[dict[bool, KeptZygote]]:
    """The zygotes of the run, by whether they are warm; started when a pool first wants one."""
    kept = {warm: KeptZygote(warm=warm) for warm in (True, False)}
    yield kept
    for zygote in kept.values():
        asyncio.run(zygote.end())


@pytest.fixture(autouse=True, scope="module")
def _pools_share_a_zygote(kept_zygotes: dict[bool, KeptZygote]) -> Iterator[None]:  # pyright: ignore
    with pytest.MonkeyPatch.context() as patched:
        for user in ("sandbox.pool", "assistant.runtime.prestart"):
            patched.setattr(f"{user}.Zygote", lambda *, warm, drawing=True: kept_zygotes[warm])
        yield
