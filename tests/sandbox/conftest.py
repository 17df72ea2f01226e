"""Kernels for the tests: one loop and one pool per level for the whole run, because a zygote takes a second to start."""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Iterator
from pathlib import Path
from typing import Any

import pytest
from zygotes import KeptZygote

from sandbox.kernel import Kernel
from sandbox.levels import Level, LevelReport, probe
from sandbox.limits import Limits
from sandbox.pool import Pool

Lease = Callable[..., Awaitable[Kernel]]
# For cells that must survive an interrupt: on a loaded machine Python may take its time to see it.
PATIENT = Limits(grace_s=90.0)


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
def pools(loop: asyncio.Runner) -> Iterator[dict[tuple[Level, bool], Pool]]:
    """Open pools by level and whether they are patient, filled as they are asked for."""
    opened: dict[tuple[Level, bool], Pool] = {}
    yield opened
    for pool in opened.values():
        loop.run(pool.__aexit__())


@pytest.fixture(scope="session")
def kept_zygote(loop: asyncio.Runner) -> Iterator[KeptZygote]:
    """A warm zygote for pools that live for one test."""
    kept = KeptZygote(warm=True)
    yield kept
    loop.run(kept.end())


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
    """The strongest level of this machine, which stands for all in what the host does alike at each."""
    for report in reports.values():
        if report.holds:
            return report.level
    pytest.skip("no level holds here")


@pytest.fixture
def lease(
    loop: asyncio.Runner, pools: dict[tuple[Level, bool], Pool], kept_zygote: KeptZygote, tmp_path: Path
) -> Iterator[Lease]:
    """`await lease(level, limits=..., patient=..., **lease_arguments)`; closed after the test."""
    leased: list[Kernel] = []
    own: list[Pool] = []

    async def take(level: Level, *, limits: Limits | None = None, patient: bool = False, **arguments: Any) -> Kernel:
        if limits is None:
            if (level, patient) not in pools:
                opened = Pool(level=level, limits=PATIENT if patient else None, size=0)
                pools[level, patient] = await opened.__aenter__()
            pool = pools[level, patient]
        else:
            pool = await Pool(level=level, limits=limits, size=0, zygote=kept_zygote).__aenter__()
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
