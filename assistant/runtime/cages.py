"""The sandbox level of this machine, and a pool of ready kernels at that level.

Levels are tested from the strongest to the first that works, and a pool is started once. Without a cage no code runs
until the person agrees to that for the session; only then is a pool without isolation made for it.
"""

from __future__ import annotations

import asyncio
from contextlib import AsyncExitStack
from pathlib import Path

from assistant.core.approval.policy import UNCAGED
from assistant.runtime.capacity import KernelCapacity
from sandbox.errors import LevelUnavailable
from sandbox.levels import Level, LevelReport, find, probe
from sandbox.limits import Limits
from sandbox.pool import Pool
from sandbox.zygote import Zygote


class MachineCages:
    """The kernels of this machine, shared by all sessions of a program. Use it as `async with`.

    `slots` is a folder on the sessions' file system, where `ready` kernels wait to be taken over; `places` says how
    many may be open; `begun` is a zygote that was begun before all else, which the first pool takes over.
    """

    def __init__(
        self,
        *,
        limits: Limits,
        level: Level | None,
        uncaged: bool,
        ready: int,
        slots: Path | None = None,
        places: KernelCapacity | None = None,
        zygote: Zygote | None = None,
    ) -> None:
        self.places = places or KernelCapacity()
        self._limits = limits
        self._slots = slots
        self._wanted: Level | None = level
        self._uncaged = uncaged
        self._ready = ready
        self._begun = zygote
        self._stack = AsyncExitStack()
        self._reports: tuple[LevelReport, ...] | None = None
        self._opening: dict[Level, asyncio.Task[Pool]] = {}
        self._busy = asyncio.Lock()
        self._early: asyncio.Task[object] | None = None

    async def __aenter__(self) -> MachineCages:
        await self._stack.enter_async_context(self.places)
        return self

    async def __aexit__(self, *_: object) -> None:
        tasks = [task for task in (self._early, *self._opening.values()) if task is not None]
        for task in tasks:
            task.cancel()
        if tasks:
            await asyncio.wait(tasks)
        await self._stack.aclose()
        if self._begun is not None:
            await self._begun.close()

    def warm(self) -> None:
        """Begin to make kernels ready, in the background, if code can be caged here."""
        if self._early is None:
            self._early = asyncio.create_task(self._warm())

    async def reports(self) -> tuple[LevelReport, ...]:
        """What every level is worth on this machine; tried once."""
        async with self._busy:
            if self._reports is None:
                self._reports = await probe()
            return self._reports

    async def level(self) -> Level:
        """The level that holds; `process` where none does."""
        try:
            return (await find(self._wanted)).level
        except LevelUnavailable:
            if self._wanted is not None:
                raise
            return UNCAGED

    async def pool(self, *, uncaged: bool) -> Pool:
        """The pool of ready kernels. All sessions share it: one that stops waiting for it does not end its start.

        Raises:
            LevelUnavailable: nothing can be caged here and nobody agreed to go without.
        """
        level = (await find(self._wanted, allow_process=uncaged or self._uncaged)).level
        opening = self._opening.get(level)
        if opening is None or (opening.done() and (opening.cancelled() or opening.exception() is not None)):
            opening = self._opening[level] = asyncio.create_task(self._open(level))
            opening.add_done_callback(lambda done: done.cancelled() or done.exception())  # nobody may be left to see it
        return await asyncio.shield(opening)

    async def _open(self, level: Level) -> Pool:
        zygote, self._begun = self._begun, None
        pool = Pool(level=level, limits=self._limits, size=self._ready, slots=self._slots, zygote=zygote)
        return await self._stack.enter_async_context(pool)

    async def _warm(self) -> None:
        if await self.level() != UNCAGED:
            await self.pool(uncaged=False)
