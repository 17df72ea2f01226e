"""Limits the number of open kernels, and closes the least recently used one.

A kernel is closed after a set idle time, or when another session needs its place. Its state is rebuilt from the log
when its session continues. If every kernel is busy, a further session is refused.
"""

from __future__ import annotations

import asyncio
import contextlib
import os
from collections.abc import Awaitable, Callable
from pathlib import Path
from typing import Protocol, TypeVar

from sandbox.errors import SandboxBusy

IDLE_S = 20 * 60.0
_LOOKS = 4
_LATEST_S = 60.0
_KERNEL_BYTES = 64 << 20  # measured: 45 to 106 MB for each of ten, most of it shared
_FEWEST = 2
_CGROUP = ("/sys/fs/cgroup/memory.max", "/sys/fs/cgroup/memory/memory.limit_in_bytes")
T = TypeVar("T")


class Tenant(Protocol):
    """Who has a kernel."""

    async def park(self) -> bool:
        """Let the kernel go unless a cell or a turn needs it; whether it went."""
        ...


class KernelCapacity:
    """The places for kernels, shared by all sessions of a program. Use it as `async with`.

    Args:
        kernels_max: how many there are; 0 for what half of the memory holds.
        idle_s: seconds after which an unused kernel is parked.
    """

    def __init__(self, *, kernels_max: int = 0, idle_s: float = IDLE_S) -> None:
        self.kernels_max = kernels_max or limit_by_memory(_memory_bytes())
        self._idle_s = idle_s
        self._used: dict[Tenant, float] = {}  # the least recently used first
        self._parking: asyncio.Task[None] | None = None

    async def __aenter__(self) -> KernelCapacity:
        self._parking = asyncio.create_task(self._park_idle())
        return self

    async def __aexit__(self, *_: object) -> None:
        if self._parking is not None:
            self._parking.cancel()
            await asyncio.wait([self._parking])

    @property
    def taken(self) -> int:
        """How many kernels are open, or about to be."""
        return len(self._used)

    async def take(self, tenant: Tenant, lease: Callable[[], Awaitable[T]]) -> T:
        """Lease a kernel for `tenant`; others that are idle are parked as far as that takes.

        Raises:
            SandboxBusy: all others are at work.
            SandboxError: as `lease` does.
        """
        while True:
            try:
                if tenant not in self._used and len(self._used) >= self.kernels_max:
                    raise SandboxBusy(
                        f"All {self.kernels_max} kernels that may be open are at work, so this cell did not run. "
                        "Try again in a moment, or raise the setting `kernels_max`."
                    )
                self.use(tenant)
                try:
                    return await lease()
                except BaseException:
                    self.leave(tenant)
                    raise
            except SandboxBusy:
                if not await self._park_one():
                    raise

    def use(self, tenant: Tenant) -> None:
        """The tenant uses its kernel now."""
        self._used.pop(tenant, None)
        self._used[tenant] = asyncio.get_running_loop().time()

    def leave(self, tenant: Tenant) -> None:
        """The tenant has no kernel any more."""
        self._used.pop(tenant, None)

    async def _park_one(self) -> bool:
        for tenant in tuple(self._used):
            if await tenant.park():
                return True
        return False

    async def _park_idle(self) -> None:
        while True:
            await asyncio.sleep(min(self._idle_s / _LOOKS, _LATEST_S))
            now = asyncio.get_running_loop().time()
            for tenant, used in tuple(self._used.items()):
                if now - used >= self._idle_s:
                    await tenant.park()


def limit_by_memory(memory_bytes: int) -> int:
    """How many kernels half of so much memory holds."""
    return max(_FEWEST, memory_bytes // 2 // _KERNEL_BYTES)


def _memory_bytes() -> int:
    """What this machine has, or its container may use."""
    limits = [os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_PHYS_PAGES")]
    for path in _CGROUP:
        with contextlib.suppress(OSError, ValueError):
            limits.append(int(Path(path).read_text()))
    return min(limits)
