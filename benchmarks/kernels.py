"""Caged kernels beside uncaged ones, in one run: how fast they are, what they weigh, and whether they tell the truth.

    python benchmarks/kernels.py [--rounds N] [--stops N | --full] [--only LEVEL,...]

Compared are a plain kernel of jupyter_client, AutoGen's JupyterCodeExecutor, ours at each level that holds on this
machine, and ours from a pool of ready kernels. "Ready" means that pandas, pyarrow and matplotlib are imported. Times are
medians in milliseconds, with the fastest before them. The correctness rows stop cells by timeout and by cancelling, and
after each of them ask for a value that only that question can have: a wrong one is a foreign output, none a lost one, and
success with nothing said a false success. `--full` stops 200 cells each way.
"""

from __future__ import annotations

import argparse
import asyncio
import contextlib
import logging
import os
import shutil
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncGenerator, Awaitable, Callable, Mapping, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Protocol

from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock

from sandbox.kernel import Kernel
from sandbox.levels import Level, probe
from sandbox.pool import Pool
from sandbox.results import JSON

IMPORTS = "import pandas, pyarrow, matplotlib.pyplot"
WORK = (
    "import pandas as pd, matplotlib.pyplot as plt\n"
    "pd.DataFrame({'a': range(1000), 'b': range(1000)}).plot(); plt.close('all'); print('drawn')"
)
READ = "import pyarrow as pa; frame = pa.ipc.open_file(pa.memory_map(PATH)).read_all().to_pandas(); print(frame.shape)"
SLEEP = "import time\ntime.sleep(30)"
ROWS, COLUMNS = 1_000_000, 10
HAND_OVERS = 15
"""How often a table is handed over: the disk's cache makes single ones take several times as long."""


@dataclass(frozen=True, slots=True)
class Seen:
    """What a subject said about one cell: how it ended ("ok", "failed", "stopped"), and its text."""

    status: str
    text: str


class Subject(Protocol):
    """One running kernel of one kind."""

    async def run(self, code: str, *, timeout_s: float = 60.0) -> Seen:
        """Run one cell; "stopped" where the time was over."""
        ...

    async def cancel(self, code: str, *, after_s: float) -> None:
        """Begin a cell, cancel it after `after_s`, and return when that was accepted."""
        ...

    def pids(self) -> list[int]:
        """The processes that belong to this kernel alone."""
        ...


Opener = Callable[[Path], contextlib.AbstractAsyncContextManager[Subject]]


@dataclass(slots=True)
class Row:
    """The figures of one kind of kernel, by name; lists hold milliseconds."""

    name: str
    figures: dict[str, list[float]] = field(default_factory=dict[str, list[float]])

    def median(self, figure: str) -> float | None:
        """The median, or None where it was not measured."""
        values = self.figures.get(figure)
        return statistics.median(values) if values else None


class Plain:
    """A kernel of jupyter_client, as any front end starts it."""

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path) -> AsyncGenerator[Plain]:
        """Start it and wait until it answers."""
        from jupyter_client.manager import AsyncKernelManager

        manager = AsyncKernelManager()
        await manager.start_kernel(cwd=str(folder))
        client = manager.client()
        client.start_channels()
        try:
            await client.wait_for_ready(timeout=60)
            yield cls(manager, client)
        finally:
            client.stop_channels()
            await manager.shutdown_kernel(now=True)

    def __init__(self, manager: Any, client: Any) -> None:
        self._manager, self._client = manager, client

    async def run(self, code: str, *, timeout_s: float = 60.0) -> Seen:
        """As a front end does: outputs until idle, then the reply."""
        texts: list[str] = []

        def hear(message: Mapping[str, Mapping[str, str]]) -> None:
            texts.append(message["content"].get("text", ""))

        try:
            reply = await self._client.execute_interactive(code, timeout=timeout_s, output_hook=hear, allow_stdin=False)
        except TimeoutError:
            await self._manager.interrupt_kernel()
            return Seen("stopped", "".join(texts))
        return Seen("ok" if reply["content"]["status"] == "ok" else "failed", "".join(texts))

    async def cancel(self, code: str, *, after_s: float) -> None:
        """Stop waiting and interrupt."""
        await self.run(code, timeout_s=after_s)

    def pids(self) -> list[int]:
        """One process."""
        return [self._manager.provisioner.pid]


class AutoGen:
    """AutoGen's JupyterCodeExecutor."""

    @classmethod
    @asynccontextmanager
    async def open(cls, folder: Path, *, timeout_s: int = 60) -> AsyncGenerator[AutoGen]:
        """Start it."""
        from autogen_ext.code_executors.jupyter import JupyterCodeExecutor

        executor = JupyterCodeExecutor(output_dir=folder, timeout=timeout_s)
        await executor.start()
        try:
            yield cls(executor)
        finally:
            with contextlib.suppress(RuntimeError):
                await executor.stop()

    def __init__(self, executor: Any) -> None:
        self._executor = executor

    async def run(self, code: str, *, timeout_s: float = 60.0) -> Seen:
        """Its timeout is set once for all cells, so the caller's is set on it for this one."""
        self._executor._timeout = timeout_s  # the constructor takes whole seconds only
        block = CodeBlock(code=code, language="python")
        try:
            result = await self._executor.execute_code_blocks([block], CancellationToken())
        except TimeoutError:
            return Seen("stopped", "")
        return Seen("ok" if result.exit_code == 0 else "failed", result.output)

    async def cancel(self, code: str, *, after_s: float) -> None:
        """By AutoGen's token."""
        token = CancellationToken()
        block = CodeBlock(code=code, language="python")
        running = asyncio.create_task(self._executor.execute_code_blocks([block], token))
        await asyncio.sleep(after_s)
        token.cancel()
        await asyncio.wait({running})

    def pids(self) -> list[int]:
        """One process."""
        return [self._executor._client.km.provisioner.pid]


class Caged:
    """One of our kernels."""

    def __init__(self, kernel: Kernel) -> None:
        self.kernel = kernel

    async def run(self, code: str, *, timeout_s: float = 60.0) -> Seen:
        """As a session does."""
        execution = await self.kernel.execute(code, timeout_s=timeout_s)
        status = {"ok": "ok", "timeout": "stopped", "interrupted": "stopped"}.get(execution.status, "failed")
        return Seen(status, "".join(output.text for output in execution.outputs))

    async def cancel(self, code: str, *, after_s: float) -> None:
        """By cancelling the call."""
        running = asyncio.create_task(self.kernel.execute(code))
        await asyncio.sleep(after_s)
        running.cancel()
        await asyncio.wait({running})

    def pids(self) -> list[int]:
        """The kernel and the supervisor over it."""
        client = self.kernel._client  # pyright: ignore[reportPrivateUsage]
        assert client is not None
        pids = {client.process.pid, client.process.supervisor}
        return [pid for pid in pids if pid > 1]


def from_pool(pool: Pool) -> Opener:
    """Kernels leased from `pool`."""

    async def answer(op: str, payload: Mapping[str, JSON]) -> Mapping[str, JSON]:
        return {"answer": op}

    @asynccontextmanager
    async def open_one(folder: Path) -> AsyncGenerator[Subject]:
        kernel = await pool.lease(desk=folder / "desk", data=folder / "data", requests=answer)
        try:
            yield Caged(kernel)
        finally:
            await kernel.close()

    return open_one


async def measure(name: str, opener: Opener, base: Path, options: argparse.Namespace, pool: Pool | None) -> Row:
    """All figures of one kind of kernel."""
    row = Row(name)
    count = 0

    def folder() -> Path:
        nonlocal count
        count += 1
        made = base / f"{name.replace(' ', '-')}-{count}"
        made.mkdir()
        return made

    for _ in range(options.rounds):
        if pool is not None and pool.level == "zygote" and name.startswith("pool"):
            await _filled(pool)
            started = time.perf_counter()
            kernel = await pool.lease(desk=(place := folder()) / "desk", data=place / "data")
            row.figures.setdefault("claim", []).append(_ms(started))
            await kernel.execute(IMPORTS)
            row.figures.setdefault("ready", []).append(_ms(started))
            await kernel.close()
            continue
        started = time.perf_counter()
        async with opener(folder()) as subject:
            row.figures.setdefault("bare", []).append(_ms(started))
            await subject.run(IMPORTS)
            row.figures.setdefault("ready", []).append(_ms(started))
    place = folder()
    async with opener(place) as subject:
        await subject.run(IMPORTS)
        row.figures["cell"] = await _repeat(60, lambda: subject.run("1"))
        row.figures["hand-over"] = await _hand_over(subject, place)
        if isinstance(subject, Caged):
            row.figures["request"] = await _requests(subject)
        row.figures["interrupt"] = await _interrupts(subject)
    row.figures["kill"] = [await _kill(opener, folder()) for _ in range(3)]
    for many in (1, 10):
        row.figures[f"pss {many}"] = [await _memory(opener, folder, many)]
    for how in ("timeouts", "cancels"):
        row.figures.update(await _truth(opener, folder(), how, options.stops))
    return row


async def _filled(pool: Pool) -> None:
    while not pool.ready:  # noqa: ASYNC110  # a pool tells nobody that it is full; only a benchmark would ask
        await asyncio.sleep(0.01)
    await asyncio.sleep(0.1)


async def _repeat(times: int, act: Callable[[], Awaitable[object]]) -> list[float]:
    taken: list[float] = []
    for _ in range(times):
        started = time.perf_counter()
        await act()
        taken.append(_ms(started))
    return taken


async def _hand_over(subject: Subject, folder: Path) -> list[float]:
    """Write a table as an Arrow file, and have it as a frame in the kernel."""
    import numpy as np
    import pyarrow as pa

    table = pa.table({f"c{n}": np.random.default_rng(n).random(ROWS) for n in range(COLUMNS)})
    outside = (folder / "data") if isinstance(subject, Caged) else folder
    taken: list[float] = []
    for number in range(HAND_OVERS):
        name = f"table{number}.arrow"
        path = str(outside / name)
        inside = path
        if isinstance(subject, Caged):
            said = await subject.run(f"import tandem_guest; print(tandem_guest.data_path({name!r}))")
            inside = said.text.strip()
        started = time.perf_counter()
        with pa.OSFile(path, "wb") as sink, pa.ipc.new_file(sink, table.schema) as writer:
            writer.write_table(table)
        os.chmod(path, 0o644)
        seen = await subject.run(READ.replace("PATH", repr(inside)))
        taken.append(_ms(started))
        if f"({ROWS}, {COLUMNS})" not in seen.text:
            raise SystemExit(f"the table did not arrive: {seen}")
        os.unlink(path)
    return taken


async def _requests(subject: Caged) -> list[float]:
    seen = await subject.run(
        "import time, tandem_guest\ntaken = []\nfor _ in range(100):\n    t = time.perf_counter(); tandem_guest.call('ask')\n"
        "    taken.append(1e3 * (time.perf_counter() - t))\nprint(*taken)"
    )
    return [float(word) for word in seen.text.split()]


async def _interrupts(subject: Subject) -> list[float]:
    """From asking a sleeping cell to stop until the next cell has answered."""
    taken: list[float] = []
    for _ in range(5):
        asked = 0.2
        started = time.perf_counter()
        await subject.cancel(SLEEP, after_s=asked)
        try:
            async with asyncio.timeout(3):
                await subject.run("1", timeout_s=3)
        except TimeoutError:
            return []
        if time.perf_counter() - started > 3:
            return []  # it waits for the old cell: there is no interrupt
        taken.append(_ms(started) - 1e3 * asked)
    return taken


async def _kill(opener: Opener, folder: Path) -> float:
    """From letting go of a busy kernel until its process is gone."""
    async with AsyncExitStack() as stack:
        subject = await stack.enter_async_context(opener(folder))
        pids = subject.pids()
        await subject.cancel(SLEEP, after_s=0.1)
        started = time.perf_counter()
        await stack.aclose()
        while any(_lives(pid) for pid in pids):  # noqa: ASYNC110  # the end of a stranger's process sends no event
            await asyncio.sleep(0.001)
        return _ms(started)


def _lives(pid: int) -> bool:
    try:
        return " Z " not in Path(f"/proc/{pid}/stat").read_text().rpartition(")")[2][:3]
    except OSError:
        return False


async def _memory(opener: Opener, folder: Callable[[], Path], many: int) -> float:
    """MB of proportional set size per kernel, after each has drawn a plot."""
    async with AsyncExitStack() as stack:
        subjects = [await stack.enter_async_context(opener(folder())) for _ in range(many)]
        for subject in subjects:
            await subject.run(WORK)
        return sum(_pss(pid) for subject in subjects for pid in subject.pids()) / many


def _pss(pid: int) -> float:
    text = Path(f"/proc/{pid}/smaps_rollup").read_text()
    return next(int(line.split()[1]) for line in text.splitlines() if line.startswith("Pss:")) / 1000


async def _truth(opener: Opener, folder: Path, how: str, times: int) -> dict[str, list[float]]:
    """False successes, and lost and foreign outputs, in the cells that follow a stopped one."""
    false = wrong = 0
    async with opener(folder) as subject:
        await subject.run("1")
        for number in range(times):
            stopped = f"import time\ntime.sleep(0.25)\nprint('old {number}')"
            if how == "timeouts":
                seen = await subject.run(stopped, timeout_s=0.1)
                false += seen.status == "ok"
            else:
                await subject.cancel(stopped, after_s=0.1)
            seen = await subject.run(f"print('own {number}')", timeout_s=10)
            right = seen.text.strip() == f"own {number}"
            false += seen.status == "ok" and not right
            wrong += not right
    return {f"false after {how}": [float(false)], f"wrong after {how}": [float(wrong)]}


def _ms(started: float) -> float:
    return 1e3 * (time.perf_counter() - started)


LINES = (
    ("bare", "start, bare (ms)"),
    ("claim", "claim from the pool (ms)"),
    ("ready", "start to first reply, libraries ready (ms)"),
    ("cell", "cell round trip (ms)"),
    ("hand-over", "1,000,000 x 10 hand-over (ms)"),
    ("request", "request round trip (ms)"),
    ("interrupt", "interrupt, next cell answered (ms)"),
    ("kill", "kill a busy kernel (ms)"),
    ("pss 1", "memory of 1 kernel (MB PSS)"),
    ("pss 10", "memory of each of 10 (MB PSS)"),
    ("false after timeouts", "false successes, timeouts"),
    ("wrong after timeouts", "lost or foreign outputs, timeouts"),
    ("false after cancels", "false successes, cancels"),
    ("wrong after cancels", "lost or foreign outputs, cancels"),
)


def print_table(rows: Sequence[Row]) -> None:
    """One line a figure, one column a kind of kernel."""
    width = max(15, *(len(row.name) + 2 for row in rows))
    print(f"{'':44}" + "".join(f"{row.name:>{width}}" for row in rows))
    for figure, label in LINES:
        cells: list[str] = []
        for row in rows:
            values = row.figures.get(figure)
            if not values:
                cells.append("-")
            elif len(values) == 1:
                cells.append(f"{values[0]:.0f}")
            else:
                digits = 2 if statistics.median(values) < 10 else 0
                cells.append(f"{min(values):.{digits}f} / {statistics.median(values):.{digits}f}")
        print(f"{label:44}" + "".join(f"{cell:>{width}}" for cell in cells))


def judge(rows: Sequence[Row]) -> list[tuple[str, float | None, float]]:
    """Each target as (words, measured, at most)."""
    named = {row.name: row for row in rows}
    plain, autogen = named["plain"], named["autogen"]
    zygote, pool = named.get("zygote"), named.get("pool")
    targets: list[tuple[str, float | None, float]] = []
    if pool is not None:
        targets.append(("pool: claim (ms)", pool.median("claim"), 10))
    if zygote is not None:
        targets.append(("zygote: start to first reply, libraries ready (ms)", zygote.median("ready"), 100))
        bare, ready = autogen.median("bare"), zygote.median("ready")
        ratio = ready / bare if bare and ready else None
        targets.append(("zygote: the same, as a share of AutoGen's bare start", ratio, 1 / 6))
        cell, other = zygote.median("cell"), plain.median("cell")
        targets.append(("zygote: cell, as a multiple of plain", cell / other if cell and other else None, 1.2))
        targets.append(("zygote: 1,000,000 x 10 hand-over (ms)", zygote.median("hand-over"), 100))
        targets.append(("zygote: memory of each of 10 (MB PSS)", zygote.median("pss 10"), 60))
    for row in rows:
        if row.name not in ("plain", "autogen"):
            lies = sum(values[0] for name, values in row.figures.items() if name.startswith(("false", "wrong")))
            targets.append((f"{row.name}: false, lost and foreign outputs", lies, 0))
    return targets


async def benchmark(options: argparse.Namespace) -> list[Row]:
    """Measure every kind of kernel, one after the other."""
    base = Path(await asyncio.to_thread(tempfile.mkdtemp, prefix="kernels-"))
    await asyncio.to_thread(base.chmod, 0o755)
    wanted = options.only.split(",") if options.only else []
    rows: list[Row] = []

    async def add(name: str, opener: Opener, pool: Pool | None = None) -> None:
        print(f"measuring {name} ...", file=sys.stderr, flush=True)
        rows.append(await measure(name, opener, base, options, pool))

    try:
        await add("plain", Plain.open)
        await add("autogen", AutoGen.open)
        for report in await probe():
            if not report.holds or (wanted and report.level not in wanted):
                print(f"{report.level}: not measured ({report.why_not or 'not asked for'})", file=sys.stderr)
                continue
            level: Level = report.level
            async with Pool(level=level, size=0) as pool:
                await add(level, from_pool(pool), pool)
        if any(row.name == "zygote" for row in rows):
            async with Pool(level="zygote", size=1, slots=base / "slots") as pool:
                await add("pool", from_pool(pool), pool)
    finally:
        await asyncio.to_thread(shutil.rmtree, base, ignore_errors=True)
    return rows


def main(argv: Sequence[str] | None = None) -> int:
    """Measure and print the table, then the targets; 1 where one of them is missed."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("--rounds", type=int, default=15, help="starts of each kind")
    parser.add_argument("--stops", type=int, default=5, help="timeouts, and cancels, of each kind")
    parser.add_argument("--full", action="store_true", help="200 timeouts and 200 cancels")
    parser.add_argument("--only", default="", help="levels to measure, separated by commas; all by default")
    options = parser.parse_args(argv)
    if options.full:
        options.stops = 200
    logging.disable()  # AutoGen's client logs a traceback for every kernel that is stopped while a cell runs
    load = os.getloadavg()[0]
    rows = asyncio.run(benchmark(options))
    print_table(rows)
    print(f"\n{options.rounds} starts, {options.stops} timeouts and cancels; {os.cpu_count()} cores, load {load:.1f}\n")
    missed = 0
    for words, measured, most in judge(rows):
        met = measured is not None and measured <= most
        missed += not met
        value = "-" if measured is None else f"{measured:.2f}"
        print(f"{'met   ' if met else 'MISSED'} {words}: {value} (at most {most:.2f})")
    return 1 if missed else 0


if __name__ == "__main__":
    raise SystemExit(main())
