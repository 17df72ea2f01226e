"""Self-test of a sandbox level on a real kernel, for `tandem doctor` and CI.

Short on purpose: a few seconds a level. The long list of attacks is in the tests.
"""

from __future__ import annotations

import asyncio
import os
import secrets
import socket
from collections.abc import Mapping, Sequence
from contextlib import ExitStack
from dataclasses import dataclass
from pathlib import Path
from typing import Protocol

from . import temporary, trees
from .cage.policy import Level
from .kernel import Kernel
from .limits import MIB, Limits
from .pool import Pool
from .results import JSON, Execution

_STUBBORN = "import signal\nsignal.signal(signal.SIGINT, signal.SIG_IGN)\nwhile True: pass"
_LEVELS: tuple[Level, ...] = ("zygote", "bubblewrap", "landlock", "process")
_WALLED: tuple[Level, ...] = ("zygote", "bubblewrap", "landlock")


@dataclass(frozen=True, slots=True, kw_only=True)
class Promise:
    """One promise that a cell can try to break; its code prints BROKEN if it does."""

    name: str
    code: str
    levels: tuple[Level, ...] = _WALLED


@dataclass(frozen=True, slots=True, kw_only=True)
class CheckResult:
    """The outcome of one promise at one level; `detail` says what was seen where it was not kept."""

    level: Level
    promise: str
    kept: bool
    detail: str = ""


PROMISES: tuple[Promise, ...] = (
    Promise(
        name="no connection to the host's own network",
        code="import socket\nsocket.create_connection(('127.0.0.1', PORT), 2)\nprint('BROKEN')",
    ),
    Promise(
        name="no socket of any family but Unix",
        code=(
            "import socket\nfor family in range(2, 46):\n    try:\n        socket.socket(family)\n"
            "    except OSError:\n        continue\n    print('BROKEN', family)"
        ),
    ),
    Promise(name="no file of the host", code="print('BROKEN', open(SECRET).read())"),
    Promise(
        name="nothing of the host's environment",
        code="import os\nif TOKEN in str(os.environ) or TOKEN in open('/proc/self/environ').read(): print('BROKEN')",
        levels=_LEVELS,
    ),
    Promise(name="no process of the host", code="print('BROKEN', open(f'/proc/{HOST}/cmdline').read())"),
    Promise(name="no signal to the host", code="import os\nos.kill(HOST, 0)\nprint('BROKEN')"),
    Promise(
        name="results cannot be changed",
        code="import tandem_guest\nopen(tandem_guest.data_path('result'), 'w')\nprint('BROKEN')",
    ),
    Promise(
        name="no privileges to gain",
        code=(
            "status = dict(line.split(':', 1) for line in open('/proc/self/status').read().splitlines())\n"
            "if status['NoNewPrivs'].strip() != '1' or status['Seccomp'].strip() != '2': print('BROKEN')"
        ),
    ),
    Promise(
        name="no new namespace and no mount",
        code=(
            # Aimed at an empty folder of the desk: a wall that is missing must cost the machine nothing.
            "import ctypes, os\nlibc = ctypes.CDLL(None)\nos.makedirs('mount-here', exist_ok=True)\n"
            "mounted = libc.mount(b'x', os.path.abspath('mount-here').encode(), b'tmpfs', 0, None) == 0\n"
            "if mounted or libc.unshare(0x10000000) == 0: print('BROKEN')"
        ),
    ),
    Promise(name="memory has a limit", code="x = bytearray(4 << 30)\nprint('BROKEN')", levels=_LEVELS),
)


async def check(level: Level) -> tuple[CheckResult, ...]:
    """Try every promise at `level`. Leaves nothing behind.

    Raises:
        SandboxError: No kernel could be started at this level at all.
    """
    folder = await asyncio.to_thread(temporary.make, "check")
    token = secrets.token_hex(16)
    os.environ["TANDEM_SELFCHECK"] = token
    try:
        with ExitStack() as bait:
            server = bait.enter_context(socket.create_server(("127.0.0.1", 0)))
            return await _check(level, folder, token, server.getsockname()[1])
    finally:
        del os.environ["TANDEM_SELFCHECK"]
        await asyncio.to_thread(trees.remove, folder)


async def _check(level: Level, folder: Path, token: str, port: int) -> tuple[CheckResult, ...]:
    async def answer(op: str, payload: Mapping[str, JSON]) -> Mapping[str, JSON]:
        return {"answer": "yes"}

    desk, data, secret = folder / "desk", folder / "data", folder / "secret"
    await asyncio.to_thread(_lay_bait, data, secret)
    prelude = f"SECRET = {str(secret)!r}; TOKEN = {token!r}; HOST = {os.getpid()}; PORT = {port}"
    limits = Limits(memory_bytes=2048 * MIB, grace_s=0.5)
    results: list[CheckResult] = []

    def judge(promise: str, *, kept: bool, execution: Execution) -> None:
        text = "".join(output.text for output in execution.outputs)[:300]
        detail = "" if kept else f"{execution.status}: {execution.failure.message if execution.failure else text}"
        results.append(CheckResult(level=level, promise=promise, kept=kept, detail=detail))

    async with Pool(level=level, limits=limits, size=0) as pool:
        kernel = await pool.lease(desk=desk, data=data, requests=answer, prelude=prelude)
        for promise in PROMISES:
            if level in promise.levels:
                execution = await kernel.execute(promise.code, timeout_s=20)
                judge(promise.name, kept=not _says(execution, "BROKEN"), execution=execution)
        await _check_conduct(kernel, judge)
    return tuple(results)


class _Judge(Protocol):
    """Notes whether a promise was kept."""

    def __call__(self, promise: str, *, kept: bool, execution: Execution) -> None:
        """Note one."""
        ...


async def _check_conduct(kernel: Kernel, judge: _Judge) -> None:
    """What the kernel promises beyond its walls: the truth, and an end."""
    execution = await kernel.execute("import tandem_guest; print(tandem_guest.call('ask')['answer'])")
    judge("questions to the host are answered while a cell runs", kept=_says(execution, "yes\n"), execution=execution)
    await kernel.execute("x = 1")
    execution = await kernel.execute("import time; time.sleep(60)", timeout_s=0.2)
    judge("a cell over its time is stopped and reported so", kept=execution.status == "timeout", execution=execution)
    after = await kernel.execute("print('x' in globals())")
    judge("the state outlives an interrupt", kept=execution.state_lost or _says(after, "True\n"), execution=after)
    execution = await kernel.execute(_STUBBORN, timeout_s=0.2)
    judge(
        "a cell that ignores the interrupt is killed",
        kept=execution.status == "timeout" and execution.state_lost,
        execution=execution,
    )
    after = await kernel.execute("print(6 * 7)")
    judge("the next cell runs in a fresh kernel, with its own output", kept=_says(after, "42\n"), execution=after)


def _says(execution: Execution, words: str) -> bool:
    text = "".join(output.text for output in execution.outputs)
    return words in text if words == "BROKEN" else text == words


def _lay_bait(data: Path, secret: Path) -> None:
    data.mkdir()
    (data / "result").write_text("true")
    secret.write_text("secret of the host")


def summary(results: Sequence[CheckResult]) -> str:
    """One line: how many promises were kept, and which were not."""
    broken = [result for result in results if not result.kept]
    names = "; ".join(f"{result.promise} ({result.detail})" for result in broken)
    return f"{len(results) - len(broken)} of {len(results)} promises kept{': ' + names if names else ''}"
