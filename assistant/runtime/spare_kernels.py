"""Kernels without a session: they have no data and are closed after use. Tests of functions run in them."""

from __future__ import annotations

import tempfile
from collections.abc import AsyncGenerator
from contextlib import asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING

if TYPE_CHECKING:
    from assistant.runtime.cages import MachineCages
    from sandbox.kernel import Kernel


class SpareKernel:
    """A kernel of the cage that runs code and gives its text."""

    def __init__(self, kernel: Kernel) -> None:
        self._kernel = kernel

    async def run(self, code: str, *, timeout_s: float) -> tuple[str, str]:
        """Run code; what it printed, and the error that ended it, empty where none did.

        Raises:
            SandboxError: the kernel was lost.
        """
        result = await self._kernel.execute(code, timeout_s=timeout_s)
        printed = "".join(o.text for o in result.outputs if o.kind == "stream" and o.stream == "stdout")
        failure = result.failure
        return printed, f"{failure.name}: {failure.message}" if failure is not None else ""


class _Tenant:
    """Has a place for as long as the kernel is open."""

    async def park(self) -> bool:
        return False


@asynccontextmanager
async def open_spare_kernel(cages: MachineCages) -> AsyncGenerator[SpareKernel]:
    """A fresh kernel in a cage; where none holds on this machine, none is opened.

    Raises:
        SandboxBusy: all kernels that may be open are at work.
        SandboxError: none can be started, or no cage holds here.
    """
    pool = await cages.pool(uncaged=False)
    with tempfile.TemporaryDirectory(prefix="tandem-tests-", ignore_cleanup_errors=True) as folder:

        async def lease() -> Kernel:
            return await pool.lease(desk=Path(folder) / "desk", data=Path(folder) / "data")

        tenant = _Tenant()
        kernel = await cages.places.take(tenant, lease)
        try:
            yield SpareKernel(kernel)
        finally:
            try:
                await kernel.close()
            finally:
                cages.places.leave(tenant)
