"""Each limit is exceeded once, and holds."""

from __future__ import annotations

import asyncio
import os
from typing import Any

import pytest

from sandbox.levels import Level
from sandbox.limits import MIB, Limits
from sandbox.results import Execution

pytestmark = pytest.mark.slow  # memory and disks are filled


def text(execution: Execution) -> str:
    return "".join(output.text for output in execution.outputs)


def test_memory_of_one_process_ends_in_an_error_or_the_end_of_the_kernel(
    loop: asyncio.Runner, lease: Any, any_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, limits=Limits(memory_bytes=700 * MIB))
        result = await kernel.execute("x = bytearray(1 << 30)", timeout_s=120)
        assert result.failure is not None
        assert result.failure.kind == "memory"
        assert (await kernel.execute("1")).ok

    loop.run(scenario())


@pytest.mark.slow
def test_memory_of_all_processes_together_is_held(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(memory_bytes=500 * MIB))
        # Each stays below the limit by itself; shared anonymous memory counts for no rlimit.
        code = (
            "import mmap, os, time\nfor n in range(4):\n    if os.fork() == 0:\n"
            "        m = mmap.mmap(-1, 200 << 20)\n        m.write(b'x' * (200 << 20))\n        time.sleep(60)\n        os._exit(0)\n"
            "m = bytearray(200 << 20)\nfor n in range(0, len(m), 4096): m[n] = 1\n"
            "time.sleep(20)\nalive = 0\n"
            "for p in os.listdir('/proc'):\n    alive += p.isdigit()\nprint('processes', alive)"
        )
        result = await kernel.execute(code, timeout_s=10)
        held = result.failure is not None and result.failure.kind == "memory"
        shrunk = result.status == "timeout" or "processes" in text(result)  # the system ended the children instead
        assert held or shrunk
        if held:
            assert result.state_lost

    loop.run(scenario())


def test_cpu_seconds_of_a_cell_are_held_over_all_threads_and_processes(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(cpu_s=1.0))
        result = await kernel.execute("while True: pass", timeout_s=150)
        assert (result.status, result.state_lost) == ("died", True)
        assert result.failure is not None
        assert result.failure.kind == "cpu"

    loop.run(scenario())


@pytest.mark.slow
def test_background_work_after_a_cell_is_held(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(idle_cpu_s=0.5))
        code = "import threading\ndef burn():\n    while True: pass\nthreading.Thread(target=burn, daemon=True).start()"
        assert (await kernel.execute(code)).ok
        async with asyncio.timeout(150):
            while kernel.alive:
                await asyncio.sleep(0.1)
        told = await kernel.execute("1")
        assert told.failure is not None
        assert told.failure.kind == "cpu"

    loop.run(scenario())


def test_wall_seconds_are_the_default_timeout(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(wall_s=0.3))
        assert (await kernel.execute("import time; time.sleep(600)")).status == "timeout"

    loop.run(scenario())


@pytest.mark.parametrize(
    "one",
    [
        "if os.fork() == 0:\n            time.sleep(600); os._exit(0)",
        "threading.Thread(target=time.sleep, args=(600,), daemon=True).start()",
    ],
)
def test_a_fork_bomb_ends_at_the_limit_of_processes(
    loop: asyncio.Runner, lease: Any, walled_level: Level, one: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(walled_level, limits=Limits(processes=60))
        code = (
            f"import os, threading, time\nn = 0\ntry:\n    while n < 200:\n        {one}\n        n += 1\n"
            "except (OSError, RuntimeError):\n    print('stopped at', n)\nelse:\n    time.sleep(600)"
        )
        result = await kernel.execute(code, timeout_s=120)
        if walled_level == "landlock" and os.getuid() != 0:
            assert result.failure is not None
            assert (result.status, result.failure.name) == ("died", "ProcessLimit")
            assert "60 are allowed" in result.failure.message
        else:
            assert "stopped at" in text(result)
        await kernel.restart()
        assert (await kernel.execute("1")).ok

    loop.run(scenario())


def test_sessions_that_come_later_take_no_processes_of_the_first(
    loop: asyncio.Runner, lease: Any, walled_level: Level
) -> None:
    """An ordinary user's sessions at level landlock are all one user's to the system, and counted together."""

    async def scenario() -> None:
        limits = Limits(processes=24)
        first = await lease(walled_level, limits=limits)
        for _ in range(4):
            await lease(walled_level, limits=limits)
        code = (
            "import subprocess, threading, time\n"
            "for _ in range(4): threading.Thread(target=time.sleep, args=(5,)).start()\n"
            "print(subprocess.run(['echo', 'mine'], capture_output=True, text=True).stdout)"
        )
        result = await first.execute(code, timeout_s=120)
        assert result.ok, result.failure
        assert "mine" in text(result)

    loop.run(scenario())


def test_open_files_and_the_size_of_one_are_held(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, limits=Limits(open_files=200, file_bytes=1 * MIB))
        many = await kernel.execute("files = [open('/dev/null') for n in range(300)]")
        assert many.failure is not None
        assert "Too many open files" in many.failure.message
        await kernel.restart()
        large = await kernel.execute("open('large', 'wb').write(b'x' * (2 << 20))")
        assert large.failure is not None

    loop.run(scenario())


@pytest.mark.parametrize(
    "code",
    [
        "for n in range(10):\n    open(f'f{n}', 'wb').write(b'x' * (1 << 20))\nimport time; time.sleep(600)",
        pytest.param(
            "for n in range(400):\n    open(f'f{n}', 'wb').close()\nimport time; time.sleep(600)",
            marks=pytest.mark.slow,
        ),
    ],
    ids=["bytes", "files"],
)
def test_the_work_folder_cannot_grow_beyond_its_limit(
    loop: asyncio.Runner, lease: Any, best_level: Level, code: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, limits=Limits(desk_bytes=5 * MIB, desk_files=200))
        result = await kernel.execute(code, timeout_s=150)
        assert result.failure is not None
        assert (result.status, result.failure.name) == ("died", "DeskLimit")
        # What is too full may still be cleared.
        cleared = await kernel.execute("import os\nfor name in os.listdir('.'): os.unlink(name)")
        assert cleared.ok

    loop.run(scenario())


def test_temporary_folders_are_capped(loop: asyncio.Runner, lease: Any, reports: Any) -> None:
    if not reports["zygote"].holds:
        pytest.skip(f"level zygote: {reports['zygote'].why_not}")

    async def scenario() -> None:
        kernel = await lease("zygote", limits=Limits(tmp_bytes=2 * MIB, shm_bytes=1 * MIB))
        for folder in ("/tmp", "/dev/shm"):
            result = await kernel.execute(f"open('{folder}/x', 'wb').write(b'x' * (3 << 20))")
            assert result.failure is not None
            assert "No space left" in result.failure.message

    loop.run(scenario())
