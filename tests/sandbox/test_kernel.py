"""The kernel's promises: order, truth about ends, no foreign output, a usable kernel after whatever happened."""

from __future__ import annotations

import asyncio
import os
import re
from pathlib import Path
from typing import Any

import nbformat
import pytest
from open_descriptors import open_descriptors

from sandbox.collector import Collector
from sandbox.errors import KernelClosed, PreludeFailed
from sandbox.jupyter_messages import Message
from sandbox.kernel import Kernel
from sandbox.levels import Level
from sandbox.limits import Limits
from sandbox.results import Execution, Output

ENDLESS = "import time\nwhile True:\n    time.sleep(0.01)"
STUBBORN = "import time\nwhile True:\n    try:\n        time.sleep(0.01)\n    except KeyboardInterrupt:\n        pass"


def text(execution: Execution) -> str:
    return "".join(output.text for output in execution.outputs)


async def running(kernel: Kernel) -> None:
    """Wait until a cell runs."""
    async with asyncio.timeout(90):
        while kernel.running is None:
            await asyncio.sleep(0.01)


def test_state_lives_from_cell_to_cell(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level)
        assert (await kernel.execute("x = 41")).outputs == ()
        answer = await kernel.execute("x + 1")
        assert (answer.status, text(answer), answer.failure) == ("ok", "42", None)
        assert answer.seconds > 0
        assert kernel.alive
        assert kernel.running is None

    loop.run(scenario())


def test_an_exception_is_data_with_the_line_of_the_users_cell(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        await kernel.execute("def f(x):\n    return 1 / x")
        result = await kernel.execute("a = 1\nb = 2\nf(0)")
        assert result.status == "failed"
        assert result.failure is not None
        assert (result.failure.kind, result.failure.name, result.failure.line) == ("raised", "ZeroDivisionError", 3)
        assert "\x1b" not in result.failure.traceback
        assert "division by zero" in result.failure.traceback
        syntax = await kernel.execute("a = 1\nb = = 2")
        assert syntax.failure is not None
        assert (syntax.failure.name, syntax.failure.line) == ("SyntaxError", 2)
        assert text(await kernel.execute("a")) == "1"

    loop.run(scenario())


@pytest.mark.slow
def test_timeout_interrupts_and_keeps_the_state(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, patient=True)
        await kernel.execute("x = 1")
        late = await kernel.execute(f"print('begun', flush=True)\n{ENDLESS}", timeout_s=4)
        assert late.status == "timeout"
        assert late.failure is not None
        assert late.failure.kind == "timeout"
        assert not late.state_lost
        assert "begun" in text(late)
        after = await kernel.execute("print(x)")
        assert (after.status, text(after)) == ("ok", "1\n")

    loop.run(scenario())


def test_timeout_kills_what_ignores_the_interrupt_and_the_next_cell_runs(
    loop: asyncio.Runner, lease: Any, any_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, prelude="hidden = 7")
        await kernel.execute("x = 1")
        late = await kernel.execute(STUBBORN, timeout_s=0.3)
        assert (late.status, late.state_lost) == ("timeout", True)
        assert kernel.alive
        after = await kernel.execute("print(hidden, 'x' in globals())")
        assert text(after) == "7 False\n"

    loop.run(scenario())


def test_a_cell_that_swallows_the_interrupt_and_ends_is_no_success(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, patient=True)
        code = "import time\ntry:\n    time.sleep(600)\nexcept KeyboardInterrupt:\n    print('swallowed')"
        result = await kernel.execute(code, timeout_s=0.3)
        assert result.status == "timeout"
        assert result.failure is not None
        assert not result.state_lost

    loop.run(scenario())


def test_interrupt_stops_the_running_cell_and_says_so(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, patient=True)
        started = asyncio.Event()
        cell = asyncio.create_task(kernel.execute(f"print(1)\n{ENDLESS}", on_output=lambda _: started.set()))
        await started.wait()
        await kernel.interrupt()
        result = await cell
        assert (result.status, result.state_lost) == ("interrupted", False)
        assert text(await kernel.execute("print(2)")) == "2\n"
        await kernel.interrupt()  # nothing runs: nothing happens
        assert text(await kernel.execute("print(3)")) == "3\n"

    loop.run(scenario())


def test_concurrent_calls_run_in_the_order_they_were_made(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        await kernel.execute("seen = []")
        results = await asyncio.gather(*(kernel.execute(f"seen.append({n}); print({n})") for n in range(20)))
        assert [text(result) for result in results] == [f"{n}\n" for n in range(20)]
        assert text(await kernel.execute("print(seen == list(range(20)))")) == "True\n"

    loop.run(scenario())


def test_a_cancelled_call_leaves_a_usable_kernel_and_none_of_its_output(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        for round_ in range(5):
            started = asyncio.Event()
            noisy = f"print('old {round_}', flush=True)\n{ENDLESS}"
            cell = asyncio.create_task(kernel.execute(noisy, on_output=lambda _, e=started: e.set()))
            await started.wait()
            cell.cancel()
            with pytest.raises(asyncio.CancelledError):
                await cell
            assert text(await kernel.execute(f"print('new {round_}')")) == f"new {round_}\n"

    loop.run(scenario())


def test_a_call_cancelled_while_it_waits_never_runs(
    loop: asyncio.Runner, lease: Any, best_level: Level, tmp_path: Path
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, desk=tmp_path / "desk")
        waits = "import os, time\nwhile not os.path.exists('go'): time.sleep(0.01)"
        first = asyncio.create_task(kernel.execute(waits))
        await running(kernel)
        second = asyncio.create_task(kernel.execute("ran = True"))
        third = asyncio.create_task(kernel.execute("print('ran' in globals())"))
        await asyncio.sleep(0.05)
        second.cancel()
        with pytest.raises(asyncio.CancelledError):
            await second
        (tmp_path / "desk" / "go").touch()
        assert (await first).ok
        assert text(await third) == "False\n"

    loop.run(scenario())


@pytest.mark.parametrize(
    ("code", "kind"),
    [
        ("import os; os._exit(3)", "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGSEGV)", "crashed"),
        ("import os, signal; os.kill(os.getpid(), signal.SIGKILL)", "killed"),
    ],
)
def test_death_is_seen_at_once_and_reported_with_its_reason(
    loop: asyncio.Runner, lease: Any, best_level: Level, tmp_path: Path, code: str, kind: str
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, desk=tmp_path / "desk")
        await kernel.execute("x = 1")
        heard = "import os, time\nwhile not os.path.exists('heard'): time.sleep(0.01)"
        result = await kernel.execute(
            f"print('last words', flush=True)\n{heard}\n{code}",
            timeout_s=120,
            on_output=lambda _: (tmp_path / "desk" / "heard").touch(),
        )
        assert result.status == "died"
        assert result.failure is not None
        assert result.failure.kind == kind
        assert result.state_lost
        assert "last words" in text(result)
        assert (await kernel.execute("1")).ok

    loop.run(scenario())


def test_a_death_between_two_cells_is_told_to_the_next_which_does_not_run(
    loop: asyncio.Runner, lease: Any, any_level: Level, tmp_path: Path
) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level, desk=tmp_path / "desk")
        later = (
            "import os, threading, time\ndef die():\n    while not os.path.exists('go'): time.sleep(0.01)\n    os._exit(1)\n"
            "threading.Thread(target=die).start()"
        )
        assert (await kernel.execute(later)).ok
        (tmp_path / "desk" / "go").touch()
        async with asyncio.timeout(90):
            while kernel.alive:
                await asyncio.sleep(0.02)
        told = await kernel.execute("open('ran', 'w')")
        assert (told.status, told.state_lost, told.outputs) == ("died", True, ())
        assert text(await kernel.execute("import os; print(os.path.exists('ran'))")) == "False\n"

    loop.run(scenario())


def test_restart_gives_an_empty_kernel_with_the_prelude_run(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, prelude="given = 5")
        await kernel.execute("x = 1; open('kept.txt', 'w').write('y')")
        await kernel.restart()
        result = await kernel.execute("import os; print(given, 'x' in globals(), os.path.exists('kept.txt'))")
        assert text(result) == "5 False True\n"
        cell = asyncio.create_task(kernel.execute(STUBBORN))
        await running(kernel)
        await kernel.restart()
        assert (await cell).status == "interrupted"
        assert (await kernel.execute("1")).ok

    loop.run(scenario())


def test_restart_runs_cells_again_before_those_that_wait(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, prelude="given = 5")
        await kernel.execute("total = 1; stray = 2")
        stubborn = asyncio.create_task(kernel.execute(STUBBORN))
        await running(kernel)
        waiting = [asyncio.create_task(kernel.execute(f"total += {n}; print(total)")) for n in (10, 100)]
        await asyncio.sleep(0)
        heard: list[Output] = []
        again = await kernel.restart(["total = given", "print('again')"], on_output=heard.append)
        assert [execution.status for execution in again] == ["ok", "ok"]
        assert [variable.name for variable in again[0].variables] == ["total"]
        assert [output.text for output in heard] == ["again\n"]
        assert (await stubborn).status == "interrupted"
        assert [text(await cell) for cell in waiting] == ["15\n", "115\n"]
        assert text(await kernel.execute("print('stray' in globals())")) == "False\n"

    loop.run(scenario())


def test_restart_stops_at_the_first_cell_that_fails(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        again = await kernel.restart(["a = 1", "1/0", "b = 2"])
        assert [execution.status for execution in again] == ["ok", "failed"]
        assert text(await kernel.execute("print(a, 'b' in globals())")) == "1 False\n"
        slow = await kernel.restart([ENDLESS, "c = 3"], timeout_s=0.3)
        assert [execution.status for execution in slow] == ["timeout"]
        assert text(await kernel.execute("print('c' in globals())")) == "False\n"

    loop.run(scenario())


def test_a_kernel_closed_while_it_rebuilds_says_so(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        rebuilding = asyncio.create_task(kernel.restart([ENDLESS]))
        await running(kernel)
        await kernel.close()
        with pytest.raises(KernelClosed, match="restarted"):
            await rebuilding

    loop.run(scenario())


def test_a_prelude_that_raises_is_our_failure(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        with pytest.raises(PreludeFailed, match="NameError"):
            await lease(best_level, prelude="nonsense")

    loop.run(scenario())


def test_a_closed_kernel_says_so_and_its_running_cell_is_no_success(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        endless = asyncio.create_task(kernel.execute(ENDLESS))
        waiting = asyncio.create_task(kernel.execute("1"))
        await running(kernel)
        await kernel.close()
        assert (await endless).status == "interrupted"
        with pytest.raises(KernelClosed):
            await waiting
        with pytest.raises(KernelClosed):
            await kernel.execute("1")
        assert not kernel.alive
        await kernel.close()

    loop.run(scenario())


def test_outputs_are_valid_notebook_outputs(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        code = (
            "import sys, pandas as pd, matplotlib.pyplot as plt, altair as alt\n"
            "from IPython.display import HTML, SVG, JSON, display\n"
            "print('out'); print('err', file=sys.stderr)\n"
            "display(HTML('<b>x</b>')); display(SVG('<svg xmlns=\"http://www.w3.org/2000/svg\"/>')); display(JSON({'a': [1]}))\n"
            "plt.plot([1, 2])\n"
            "df = pd.DataFrame({'when': pd.to_datetime(['2024-01-02', None]), 'x': [1.5, None]})\n"
            "display(alt.Chart(pd.DataFrame({'x': range(20000)})).mark_bar().encode(x='x:Q'))\n"
            "df"
        )
        result = await kernel.execute(code, timeout_s=60)
        assert result.failure is None
        failed = await kernel.execute("1/0")
        cells = [
            nbformat.v4.new_code_cell(c, outputs=[nbformat.from_dict(o) for o in r.to_nbformat()])
            for c, r in ((code, result), ("1/0", failed))
        ]
        nbformat.validate(nbformat.v4.new_notebook(cells=cells))
        mimes = {mime for output in result.outputs for mime in output.data}
        assert {"image/png", "image/svg+xml", "text/html", "application/json"} <= mimes
        assert any(mime.startswith("application/vnd.vegalite.") and mime.endswith("+json") for mime in mimes)
        table = result.outputs[-2] if result.outputs[-1].kind == "display" else result.outputs[-1]
        resource: Any = table.data["application/vnd.dataresource+json"]
        assert resource["rows_total"] == 2
        assert resource["data"] == [{"when": "2024-01-02T00:00:00", "x": 1.5}, {"when": None, "x": None}]
        assert [field["type"] for field in resource["schema"]["fields"]] == ["datetime", "number"]

    loop.run(scenario())


def test_output_is_capped_with_a_marker_that_says_so(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        limits = Limits(output_bytes=100_000, message_bytes=50_000)
        kernel = await lease(best_level, limits=limits)
        flood = await kernel.execute("for n in range(30_000): print('x' * 99)")
        assert flood.ok
        assert len(text(flood)) < 110_000
        assert "output cut" in text(flood)
        large = await kernel.execute("from IPython.display import HTML\nHTML('x' * 80_000)")
        assert large.ok
        assert "output cut: text/html, 80000 bytes" in text(large)
        assert text(await kernel.execute("print('fresh')")) == "fresh\n"

    loop.run(scenario())


def test_a_kernel_that_floods_past_its_own_cap_is_capped_by_the_host(
    loop: asyncio.Runner, lease: Any, best_level: Level
) -> None:
    async def scenario() -> None:
        limits = Limits(output_bytes=100_000, message_bytes=50_000)
        kernel = await lease(best_level, limits=limits)
        hostile = (
            "from tandem_guest.streams import OutputBudget\n"
            "OutputBudget.cell_max = OutputBudget.message_max = 1 << 40\n"
            "for n in range(50): print('x' * 200_000)\n"
        )
        flood = await kernel.execute(hostile, timeout_s=30)
        assert len(text(flood)) < 110_000
        assert "were not kept" in text(flood)
        # One message too large to be taken: it is lost, and that is said; the cell's end is not.
        huge = await kernel.execute("from IPython.display import HTML\nHTML('x' * 30_000_000)", timeout_s=30)
        assert re.fullmatch(r"\[output cut: 30000\d\d\d more bytes were not kept\]\n", text(huge))
        after = await kernel.execute("print('after')", timeout_s=30)
        assert text(after) == "after\n"

    loop.run(scenario())


def test_variables_are_told_by_name_type_and_shape(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level, prelude="given = 1")
        code = (
            "import pandas as pd, numpy as np\n"
            "class Trap:\n    def __repr__(self): raise SystemExit\n    __len__ = __sizeof__ = shape = __repr__\n"
            "df = pd.DataFrame({'a': [1, 2], 'b': [3, 4]})\narray = np.zeros((3, 4))\ntrap = Trap()\n_private = 1"
        )
        first = await kernel.execute(code)
        found = {variable.name: variable for variable in first.variables}
        assert set(found) == {"Trap", "df", "array", "trap"}
        assert (found["df"].type, found["df"].shape, found["df"].columns) == ("pandas.DataFrame", (2, 2), ("a", "b"))
        assert (found["array"].shape, found["array"].size_bytes) == ((3, 4), 96)
        second = await kernel.execute("df['c'] = 0\ndel array")
        assert [variable.name for variable in second.variables] == ["df"]
        assert second.gone == ("array",)
        assert (await kernel.execute("df.shape")).variables == ()

    loop.run(scenario())


def test_outputs_arrive_while_the_cell_runs(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(best_level)
        seen: list[Output] = []
        first = asyncio.Event()

        def on_output(output: Output) -> None:
            seen.append(output)
            if "".join(one.text for one in seen) == "early\n":
                first.set()

        code = "print('early', flush=True)\nimport os, time\nwhile not os.path.exists('go'): time.sleep(0.01)\nprint('late')"
        cell = asyncio.create_task(kernel.execute(code, on_output=on_output))
        async with asyncio.timeout(150):
            await first.wait()
        assert kernel.running is not None
        assert not cell.done()
        cell.cancel()
        with pytest.raises(asyncio.CancelledError):
            await cell

    loop.run(scenario())


# A name that no other run on this machine has.
SLEEP = f"1000.{os.getpid()}"


def test_nothing_is_left_behind(loop: asyncio.Runner, lease: Any, any_level: Level, tmp_path: Any) -> None:
    async def scenario() -> None:
        warm_up = await lease(any_level)  # the pool's own descriptors exist from here on
        await warm_up.close()
        before = open_descriptors()
        kernel = await lease(any_level, desk=tmp_path / "left")
        await kernel.execute(
            "import subprocess, sys\nsubprocess.Popen(['sleep', '" + SLEEP + "'], start_new_session=True)"
        )
        await kernel.execute(STUBBORN, timeout_s=0.2)
        await kernel.close()
        assert not open_descriptors() - before

    loop.run(scenario())
    for pid in (name for name in os.listdir("/proc") if name.isdigit()):
        try:
            command = Path(f"/proc/{pid}/cmdline").read_text()
        except OSError:
            continue
        assert SLEEP not in command


def test_temporary_files_subprocesses_and_workers_work(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level)
        code = (
            "import multiprocessing, os, subprocess, sys, tempfile\n"
            "with tempfile.TemporaryDirectory() as folder:\n    open(os.path.join(folder, 'x'), 'w').write('y')\n"
            "said = subprocess.run([sys.executable, '-c', 'import pandas; print(6 * 7)'], capture_output=True, text=True)\n"
            "print(said.stdout, said.stderr)\n"
            "context = multiprocessing.get_context('fork')\n"
            "receive, send = context.Pipe()\n"
            "worker = context.Process(target=lambda: send.send('from a worker')); worker.start()\n"
            "print(receive.recv()); worker.join()"
        )
        result = await kernel.execute(code, timeout_s=60)
        assert result.failure is None
        assert text(result) == "42\n \nfrom a worker\n"
        shell = await kernel.execute("files = !echo shell\nprint(files)", timeout_s=30)
        assert "shell" in text(shell), shell

    loop.run(scenario())


def test_a_kernel_leaves_no_socket_in_the_hosts_tmp(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    def sockets() -> set[str]:
        return {name for name in os.listdir("/tmp") if name.startswith(".iopub-")}

    async def scenario() -> None:
        before = sockets()
        kernel = await lease(any_level)
        code = "import os\nif os.fork() == 0:\n    os._exit(0)\nos.wait()\nprint('done')"
        assert text(await kernel.execute(code)) == "done\n"
        assert sockets() <= before

    loop.run(scenario())


def test_a_listener_that_raises_loses_no_output(loop: asyncio.Runner, lease: Any, best_level: Level) -> None:
    heard: list[str] = []
    complaints: list[object] = []

    def listen(output: Output) -> None:
        heard.append(output.text)
        raise ZeroDivisionError

    async def scenario() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _loop, context: complaints.append(context["exception"]))
        kernel = await lease(best_level)
        result = await kernel.execute("print('one')\n2", on_output=listen)
        asyncio.get_running_loop().set_exception_handler(None)
        assert (result.status, text(result)) == ("ok", "one\n2")
        assert "".join(heard) == "one\n2"
        assert all(isinstance(complaint, ZeroDivisionError) for complaint in complaints)
        assert len(complaints) == len(heard)

    loop.run(scenario())


def test_a_message_that_cannot_be_taken_ends_its_kernel_and_says_so(
    loop: asyncio.Runner,
    lease: Any,
    best_level: Level,
    monkeypatch: pytest.MonkeyPatch,
    caplog: pytest.LogCaptureFixture,
) -> None:
    def break_down(self: Collector, message: Message) -> None:
        raise ZeroDivisionError

    async def scenario() -> None:
        kernel = await lease(best_level)
        with monkeypatch.context() as broken:
            broken.setattr(Collector, "feed", break_down)
            result = await kernel.execute("print(1)")
        assert result.status != "ok"
        assert "could not be taken" in caplog.text
        assert text(await kernel.execute("1 + 1")) == "2", "it began anew"

    loop.run(scenario())
