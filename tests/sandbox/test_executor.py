"""AutoGen's contract of a code executor, kept by a caged one."""

from __future__ import annotations

import asyncio
from pathlib import Path

import pytest
from autogen_core import CancellationToken
from autogen_core.code_executor import CodeBlock, CodeExecutor
from autogen_ext.code_executors.jupyter import JupyterCodeExecutor

from sandbox.executor import CagedCodeExecutor
from sandbox.levels import Level


def python(*codes: str) -> list[CodeBlock]:
    return [CodeBlock(code=code, language="python") for code in codes]


def test_blocks_run_in_one_state_until_one_fails(best_level: Level, tmp_path: Path) -> None:
    async def scenario() -> None:
        token = CancellationToken()
        async with CagedCodeExecutor(level=best_level, output_dir=tmp_path / "out", timeout=120) as executor:
            result = await executor.execute_code_blocks(python("x = 20", "print(x + 1)"), token)
            assert (result.exit_code, result.output) == (0, "\n21\n")
            failed = await executor.execute_code_blocks(python("1/0", "print('never')"), token)
            assert failed.exit_code == 1
            assert "ZeroDivisionError" in failed.output
            assert "never" not in failed.output
            died = await executor.execute_code_blocks(python("import os; os._exit(1)"), token)
            assert died.exit_code == 1
            assert "exited with code 1" in died.output
            await executor.execute_code_blocks(python("y = 1"), token)
            await executor.restart()
            fresh = await executor.execute_code_blocks(python("print('y' in globals())"), token)
            assert fresh.output == "False\n"
            plot = "import matplotlib.pyplot as plt\nplt.plot([1, 2]);\nfrom IPython.display import HTML, display\ndisplay(HTML('<b>x</b>'))"
            drawn = await executor.execute_code_blocks(python(plot), token)
            assert sorted(path.suffix for path in drawn.output_files) == [".html", ".png"]
            assert all(path.parent == tmp_path / "out" and path.stat().st_size for path in drawn.output_files)

    asyncio.run(scenario())


@pytest.mark.slow
def test_timeout_and_cancel_raise_and_leave_a_kernel_that_tells_the_truth(best_level: Level) -> None:
    async def scenario() -> None:
        endless = python("import time\nopen('begun', 'w').close()\nwhile True: time.sleep(0.01)")
        async with CagedCodeExecutor(level=best_level, timeout=5) as executor:
            with pytest.raises(asyncio.TimeoutError):
                await executor.execute_code_blocks(endless, CancellationToken())
            assert executor._folder is not None
            begun = executor._folder / "desk" / "begun"
            begun.unlink()
            token = CancellationToken()
            running = asyncio.create_task(executor.execute_code_blocks(endless, token))
            while not begun.exists():
                await asyncio.sleep(0.01)
            token.cancel()
            with pytest.raises(asyncio.CancelledError):
                await running
            after = await executor.execute_code_blocks(python("print('own')"), CancellationToken())
            assert (after.exit_code, after.output) == (0, "own\n")

    asyncio.run(scenario())


def test_a_component_survives_dump_and_load(tmp_path: Path) -> None:
    executor = CagedCodeExecutor(timeout=7, output_dir=tmp_path, level="landlock")
    loaded = CodeExecutor.load_component(executor.dump_component())
    assert isinstance(loaded, CagedCodeExecutor)
    assert loaded.dump_component() == executor.dump_component()


def test_it_takes_what_jupyter_code_executor_takes(tmp_path: Path) -> None:
    theirs = JupyterCodeExecutor("python3", 7, tmp_path)
    ours = CagedCodeExecutor("python3", 7, tmp_path)
    assert ours.output_dir == theirs.output_dir
    moved = theirs.dump_component().model_copy(update={"provider": ours.dump_component().provider})
    loaded = CodeExecutor.load_component(moved)
    assert isinstance(loaded, CagedCodeExecutor)
    assert loaded.dump_component() == ours.dump_component()
    with pytest.warns(DeprecationWarning, match="current directory"):
        assert CagedCodeExecutor(output_dir=".").output_dir == Path()
    with pytest.raises(ValueError, match="'julia'"):
        CagedCodeExecutor(kernel_name="julia")


def test_it_starts_and_stops_as_often_as_it_is_told(best_level: Level, tmp_path: Path) -> None:
    async def scenario() -> None:
        token = CancellationToken()
        executor = CagedCodeExecutor(level=best_level, output_dir=tmp_path / "out", timeout=120)
        await executor.stop()
        await executor.restart()
        await executor.start()
        html = "x = 1\nfrom IPython.display import HTML\nHTML('<b>kept</b>')"
        written = await executor.execute_code_blocks(python(html), token)
        await executor.stop()
        await executor.stop()
        assert [path.read_text() for path in written.output_files] == ["<b>kept</b>"]
        with pytest.raises(RuntimeError, match="started"):
            await executor.execute_code_blocks(python("1"), token)
        await executor.start()
        try:
            fresh = await executor.execute_code_blocks(python("print('x' in globals())"), token)
            assert fresh.output == "False\n"
        finally:
            await executor.stop()

    asyncio.run(scenario())


def test_what_cannot_run_is_refused(best_level: Level) -> None:
    async def scenario() -> None:
        with pytest.raises(ValueError, match="Timeout"):
            CagedCodeExecutor(timeout=0)
        executor = CagedCodeExecutor(level=best_level)
        with pytest.raises(RuntimeError, match="started"):
            await executor.execute_code_blocks(python("1"), CancellationToken())
        async with executor:
            with pytest.raises(ValueError, match="'bash'"):
                await executor.execute_code_blocks([CodeBlock(code="ls", language="bash")], CancellationToken())

    asyncio.run(scenario())


def test_a_picture_in_two_formats_is_written_once(best_level: Level, tmp_path: Path) -> None:
    async def scenario() -> None:
        async with CagedCodeExecutor(level=best_level, output_dir=tmp_path / "out", timeout=120) as executor:
            both = "from IPython.display import display\ndisplay({'image/png': 'AA==', 'image/jpeg': 'AA=='}, raw=True)"
            drawn = await executor.execute_code_blocks(python(both), CancellationToken())
            assert [path.suffix for path in drawn.output_files] == [".png"]

    asyncio.run(scenario())
