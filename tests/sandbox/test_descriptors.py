"""Few descriptors make a session wait, and never end the server; many sessions find as many as the system allows."""

from __future__ import annotations

import asyncio
import os
import resource
import subprocess
import sys
from pathlib import Path
from types import ModuleType

import pytest

from sandbox import channels, descriptors, identity, launch
from sandbox.errors import SandboxBusy
from sandbox.levels import Level
from sandbox.pool import Pool

ROOT = Path(__file__).parents[2]
FEW = """
import asyncio, resource, sys
from pathlib import Path
from sandbox import descriptors
from sandbox.errors import SandboxBusy
from sandbox.pool import Pool

async def main(level, folder, aim):
    async with Pool(level=level, size=1, slots=folder / "slots") as pool:
        kernels = []
        async def lease():
            name = f"{len(kernels)}"
            return await pool.lease(desk=folder / name / "desk", data=folder / name / "data")
        async def fill():
            while len(kernels) < aim:
                kernels.append(await lease())
        try:
            await fill()
        except SandboxBusy as busy:
            print("busy", "Try again" in str(busy))
        print("open", len(kernels))
        for kernel in (kernels[0], kernels[-1]):
            ran = await kernel.execute("import resource; print(resource.getrlimit(resource.RLIMIT_NOFILE))")
            print("inside", ran.outputs[0].text.strip())
        results = await asyncio.gather(*(kernel.execute(f"print({n})") for n, kernel in enumerate(kernels)))
        print("answered", sum(result.ok for result in results))
        many = await asyncio.gather(*(lease() for _ in range(8 if len(kernels) < aim else 0)), return_exceptions=True)
        failed = [one for one in many if isinstance(one, BaseException)]
        print("refused", {"SandboxBusy" if isinstance(one, SandboxBusy) else type(one).__name__ for one in failed})
        for one in failed:
            if not isinstance(one, SandboxBusy):
                print("why", one)
        for kernel in kernels[:3]:
            await kernel.close()
        if len(kernels) < aim:
            again = await lease()
            print("again", (await again.execute("1")).ok)

soft, hard, level, folder, aim = int(sys.argv[1]), int(sys.argv[2]), sys.argv[3], Path(sys.argv[4]), int(sys.argv[5])
resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
descriptors.raise_limit()
asyncio.run(main(level, folder, aim))
"""


def run(*arguments: object, timeout_s: float = 170) -> list[str]:
    environment = {**os.environ, "PYTHONPATH": str(ROOT)}
    said = subprocess.run(
        [sys.executable, "-c", FEW, *map(str, arguments)],
        env=environment,
        capture_output=True,
        text=True,
        check=False,
        timeout=timeout_s,
    )
    assert said.returncode == 0, said.stderr[-4000:]
    return said.stdout.splitlines()


@pytest.mark.slow
def test_a_session_too_many_is_told_so_and_the_server_lives_on(walled_level: Level, tmp_path: Path) -> None:
    lines = run(200, 256, walled_level, tmp_path, 40)
    told = dict(line.split(" ", 1) for line in lines)
    opened = int(told["open"])
    assert told["busy"] == "True"
    assert 3 < opened < 40
    assert told["inside"] == "(256, 256)"  # what the system allows is less than a session's own limit
    assert told["answered"] == str(opened)
    assert told["refused"] == "{'SandboxBusy'}", told.get("why")
    assert told["again"] == "True"


@pytest.mark.slow
@pytest.mark.timeout(600)
def test_a_hundred_sessions_are_open_at_once_at_the_usual_limit(best_level: Level, tmp_path: Path) -> None:
    hard = resource.getrlimit(resource.RLIMIT_NOFILE)[1]
    if hard != resource.RLIM_INFINITY and hard < 4096:
        pytest.skip(f"the system allows {hard} open files")
    if os.sysconf("SC_PAGE_SIZE") * os.sysconf("SC_AVPHYS_PAGES") < 6 << 30:
        pytest.skip("a hundred kernels take five gigabytes of memory")
    lines = run(1024, 4096, best_level, tmp_path, 100, timeout_s=580)
    assert lines == ["open 100", *["inside (1024, 1024)"] * 2, "answered 100", "refused set()"]


def test_what_is_set_aside_for_a_kernel_is_given_back_once(monkeypatch: pytest.MonkeyPatch) -> None:
    room = len(os.listdir("/dev/fd")) + descriptors.SPARE + 2 * descriptors.FOR_KERNEL
    monkeypatch.setattr(descriptors, "get_limit", lambda: room + descriptors.FOR_KERNEL // 2)
    first, second = descriptors.reserve(), descriptors.reserve()
    try:
        with pytest.raises(SandboxBusy, match="Try again"):
            descriptors.reserve()
        first.release()
        first.release()
        descriptors.reserve().release()
        again = descriptors.reserve()
        with pytest.raises(SandboxBusy):
            descriptors.reserve()
        again.release()
    finally:
        second.release()


@pytest.mark.parametrize(("module", "patience"), [(launch, "_READY_S"), (channels, "_WELCOME_S")])
def test_a_kernel_that_is_late_is_told_as_busy_and_leaves_nothing(
    loop: asyncio.Runner,
    best_level: Level,
    tmp_path: Path,
    monkeypatch: pytest.MonkeyPatch,
    module: ModuleType,
    patience: str,
) -> None:
    """On a machine at its limit a start fails by time alone: what was asked for can be asked for again."""

    async def scenario() -> None:
        async with Pool(level=best_level, size=0) as pool:
            with monkeypatch.context() as hasty:
                hasty.setattr(module, patience, 0.0)
                with pytest.raises(SandboxBusy, match=r"too busy\. Try again"):
                    await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            assert descriptors._reserved == 0
            kernel = await pool.lease(desk=tmp_path / "desk", data=tmp_path / "data")
            assert (await kernel.execute("1")).ok

    loop.run(scenario())


@pytest.mark.root
def test_a_session_without_a_user_left_for_it_is_told_as_busy(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    if os.getuid() != 0:
        pytest.skip("only root gives each session a user of its own")
    monkeypatch.setattr(identity, "_is_taken", lambda _uid: True)
    with pytest.raises(SandboxBusy, match="Close some sessions"):
        identity.SessionUser("zygote", tmp_path)
