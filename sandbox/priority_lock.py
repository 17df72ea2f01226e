"""A first-come, first-served lock with a priority for some waiters."""

from __future__ import annotations

import asyncio
import contextlib
from collections import deque
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager


class PriorityLock:
    """`async with lock.held(): ...`; unlike with `asyncio.Lock` nobody slips in between two who wait."""

    def __init__(self) -> None:
        self._out = False
        self._waiting: deque[asyncio.Future[None]] = deque()

    @asynccontextmanager
    async def held(self, *, first: bool = False) -> AsyncGenerator[None]:
        """Wait for the lock, hold it, and hand it on.

        Args:
            first: Stand in front of all who wait.
        """
        await self._take(first=first)
        try:
            yield
        finally:
            self._hand_on()

    async def _take(self, *, first: bool) -> None:
        if not self._out:
            self._out = True
            return
        mine: asyncio.Future[None] = asyncio.get_running_loop().create_future()
        if first:
            self._waiting.appendleft(mine)
        else:
            self._waiting.append(mine)
        try:
            await mine
        except asyncio.CancelledError:
            if mine.cancelled():
                with contextlib.suppress(ValueError):
                    self._waiting.remove(mine)
            else:
                self._hand_on()  # it came in the same moment as the cancellation
            raise

    def _hand_on(self) -> None:
        while self._waiting:
            following = self._waiting.popleft()
            if not following.done():
                following.set_result(None)
                return
        self._out = False
