"""Kernels for the tests: one loop and one pool per level for the whole run, because a zygote takes a second to start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest

from sandbox.kernel import Kernel
from sandbox.levels import Level, LevelReport, probe
from sandbox.limits import Limits
from sandbox.pool import Pool

Lease = Callable[..., Awaitable[Kernel]]


@pytest.fixture(scope="session")
def loop() -> Iterator[asyncio.Runner]:
    """The event loop all kernels of the run live on; `loop.run(coroutine)`."""
    with asyncio.Runner() as runner:
        yield runner


@pytest.fixture(scope="session")
def reports(loop: asyncio.Runner) -> dict[str, LevelReport]:
    """What this machine holds, by level."""
    return {report.level: report for report in loop.run(probe())}


@pytest.fixture(scope="session")
def pools(loop: asyncio.Runner) -> Iterator[dict[str, Pool]]:
    """Open pools by level, filled as they are asked for."""
    opened: dict[str, Pool] = {}
    yield opened
    for pool in opened.values():
        loop.run(pool.__aexit__())


# A fresh interpreter takes a second to start: the levels that need one belong to the long matrix. So does landlock, but
# for the tests of the walls themselves.
LONG = [pytest.mark.slow]


@pytest.fixture(
    params=["zygote", *(pytest.param(level, marks=LONG) for level in ("landlock", "bubblewrap", "process"))]
)
def any_level(request: pytest.FixtureRequest, reports: dict[str, LevelReport]) -> Level:
    """Each level in turn, skipped where it does not hold."""
    report = reports[request.param]
    if not report.holds:
        pytest.skip(f"level {report.level}: {report.why_not}")
    return report.level


@pytest.fixture(params=["zygote", "landlock", pytest.param("bubblewrap", marks=LONG)])
def walled_level(request: pytest.FixtureRequest, reports: dict[str, LevelReport]) -> Level:
    """Each level that has walls, skipped where it does not hold."""
    report = reports[request.param]
    if not report.holds:
        pytest.skip(f"level {report.level}: {report.why_not}")
    return report.level


@pytest.fixture
def best_level(reports: dict[str, LevelReport]) -> Level:
    """The strongest level of this machine."""
    for report in reports.values():
        if report.holds:
            return report.level
    pytest.skip("no level holds here")


@pytest.fixture
def lease(loop: asyncio.Runner, pools: dict[str, Pool], tmp_path: Path) -> Iterator[Lease]:
    """`await lease(level, limits=..., **lease_arguments)`; closed after the test."""
    leased: list[Kernel] = []
    own: list[Pool] = []

    async def take(level: Level, *, limits: Limits | None = None, **arguments: Any) -> Kernel:
        if limits is None:
            if level not in pools:
                pools[level] = await Pool(level=level, size=0).__aenter__()
            pool = pools[level]
        else:
            pool = await Pool(level=level, limits=limits, size=0).__aenter__()
            own.append(pool)
        arguments.setdefault("desk", tmp_path / f"desk-{len(leased)}")
        arguments.setdefault("data", tmp_path / f"data-{len(leased)}")
        kernel = await pool.lease(**arguments)
        leased.append(kernel)
        return kernel

    yield take
    for kernel in leased:
        loop.run(kernel.close())
    for pool in own:
        loop.run(pool.__aexit__())
