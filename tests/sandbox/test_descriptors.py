"""Few descriptors make a session wait, and never end the server; many sessions find as many as the system allows."""

from __future__ import annotations

import os
import resource
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import descriptors
from sandbox.errors import SandboxBusy
from sandbox.levels import Level

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
        print("refused", {type(refused).__name__ for refused in many if isinstance(refused, BaseException)})
        for failed in many:
            if isinstance(failed, BaseException) and not isinstance(failed, SandboxBusy):
                print("why", failed)
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
    monkeypatch.setattr(descriptors, "limit", lambda: room + descriptors.FOR_KERNEL // 2)
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
