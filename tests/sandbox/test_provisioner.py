"""Any Jupyter front end can use the cage: plain jupyter_client and nbclient, through the registered entry point."""

from __future__ import annotations

import asyncio
import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import nbformat
import pytest
from jupyter_client.kernelspec import KernelSpecManager
from jupyter_client.manager import AsyncKernelManager
from open_descriptors import open_descriptors

from sandbox.errors import StartFailed
from sandbox.levels import Level


@pytest.fixture
def manager(tmp_path: Path) -> Any:
    """Makes managers of caged kernels at a level."""

    def make(level: str, **config: str) -> AsyncKernelManager:
        folder = tmp_path / "kernels" / "caged"
        folder.mkdir(parents=True, exist_ok=True)
        settings = {"level": level, "allow_process": True, **config}
        provisioner = {"provisioner_name": "tandem-cage", "config": settings}
        metadata = {"kernel_provisioner": provisioner}
        spec = {"argv": ["unused"], "display_name": "Caged", "language": "python", "metadata": metadata}
        (folder / "kernel.json").write_text(json.dumps(spec))
        specs = KernelSpecManager(kernel_dirs=[str(folder.parent)])
        return AsyncKernelManager(kernel_name="caged", kernel_spec_manager=specs, transport="ipc")

    return make


async def run(client: Any, code: str, *, begun: asyncio.Event | None = None) -> str:
    """What the cell printed and showed; `begun` is set with the first piece."""
    sent, out = client.execute(code, stop_on_error=False), ""
    while True:
        message = await client.get_iopub_msg(timeout=120)
        if message["parent_header"].get("msg_id") != sent:
            continue
        match message["msg_type"]:
            case "stream":
                if begun is not None:
                    begun.set()
                out += message["content"]["text"]
            case "execute_result":
                out += message["content"]["data"]["text/plain"]
            case "error":
                out += message["content"]["ename"]
            case "status" if message["content"]["execution_state"] == "idle":
                return out
            case _:
                pass


def test_a_plain_kernel_manager_starts_interrupts_restarts_and_ends_a_caged_kernel(
    manager: Any, any_level: Level, tmp_path: Path
) -> None:
    async def scenario() -> None:
        desk = tmp_path / "work"
        desk.mkdir()
        before = open_descriptors()
        kernels = manager(any_level)
        await kernels.start_kernel(cwd=str(desk))
        client = kernels.client()
        client.start_channels()
        await client.wait_for_ready(timeout=120)
        assert await run(client, "x = 20; x + 1") == "21"
        begun = asyncio.Event()
        code = "import time\nprint('begun', flush=True)\nwhile True: time.sleep(0.01)"
        endless = asyncio.create_task(run(client, code, begun=begun))
        await begun.wait()
        await kernels.interrupt_kernel()
        assert await endless == "begun\nKeyboardInterrupt"
        assert await run(client, "x") == "20"
        assert await kernels.is_alive()
        await kernels.restart_kernel(now=True)
        await client.wait_for_ready(timeout=120)
        assert await run(client, "'x' in globals()") == "False"
        client.execute("import os; os._exit(3)")
        async with asyncio.timeout(90):
            while await kernels.is_alive():
                await asyncio.sleep(0.02)
        client.stop_channels()
        await kernels.shutdown_kernel(now=True)
        client.context.destroy(linger=0)
        assert (open_descriptors() - before).total() <= 2  # a context of ZMQ's own may still close

    asyncio.run(scenario())


def test_nbclient_runs_a_notebook_in_the_cage(manager: Any, best_level: Level, tmp_path: Path) -> None:
    desk = tmp_path / "work"
    desk.mkdir()
    manager(best_level)
    code = "import socket\ntry:\n    socket.socket(); print('open')\nexcept OSError:\n    print('caged')"
    notebook = nbformat.v4.new_notebook(cells=[nbformat.v4.new_code_cell(code), nbformat.v4.new_code_cell("6 * 7")])
    path = tmp_path / "caged.ipynb"
    nbformat.write(notebook, path)
    # A process of its own: nbclient leaves sockets to the garbage collector, which our warnings do not forgive.
    script = (
        "import sys, nbformat\n"
        "from nbclient import NotebookClient\n"
        "from jupyter_client.manager import AsyncKernelManager\n"
        "path, desk = sys.argv[1:]\n"
        "notebook = nbformat.read(path, 4)\n"
        "kernels = AsyncKernelManager(kernel_name='caged', transport='ipc')\n"
        "NotebookClient(notebook, km=kernels, resources={'metadata': {'path': desk}}, timeout=120).execute()\n"
        "nbformat.write(notebook, path)\n"
    )
    environment = {**os.environ, "JUPYTER_PATH": str(tmp_path)}
    subprocess.run([sys.executable, "-c", script, str(path), str(desk)], check=True, env=environment, timeout=170)
    assert desk.stat().st_uid == os.getuid()
    done = nbformat.read(path, 4)
    assert done.cells[0].outputs[0].text == "caged\n"
    assert done.cells[1].outputs[0].data["text/plain"] == "42"


def test_jupyter_run_ends_its_kernel_at_exit_without_a_word_and_works_in_a_folder_of_its_own(
    manager: Any, any_level: Level, tmp_path: Path
) -> None:
    desk = tmp_path / "work"
    desk.mkdir()
    manager(any_level)
    (desk / "script.py").write_text("import os\nopen('made', 'w').write('x')\nprint(sorted(os.listdir()))")
    environment = {**os.environ, "JUPYTER_PATH": str(tmp_path)}
    run = "from jupyter_client.runapp import RunApp; RunApp.launch_instance()"
    command = [sys.executable, "-c", run, "--kernel", "caged", "script.py"]
    done = subprocess.run(command, cwd=desk, env=environment, capture_output=True, text=True, check=False, timeout=170)
    assert (done.returncode, done.stderr) == (0, "")
    assert "'made'" in done.stdout
    assert "script.py" not in done.stdout
    assert os.listdir(desk) == ["script.py"]


def states(folder: Path) -> dict[str, tuple[int, int, int, int]]:
    """Owner, group, mode and time of change of all that is in `folder`, and of itself."""
    paths = [folder, *sorted(folder.rglob("*"))]
    found = {str(path): path.lstat() for path in paths}
    return {path: (state.st_uid, state.st_gid, state.st_mode, state.st_ctime_ns) for path, state in found.items()}


@pytest.mark.slow
@pytest.mark.parametrize("data_dir", ["", "."])
def test_no_file_that_was_there_before_changes_owner_or_mode(
    manager: Any, any_level: Level, tmp_path: Path, data_dir: str
) -> None:
    folder = tmp_path / "work"
    (folder / "inner" / "deeper").mkdir(parents=True)
    (folder / "sales.csv").write_text("city,visits\nBern,3\n")
    (folder / "inner" / "db.sqlite").write_bytes(b"rows")
    (folder / "inner" / "db.sqlite").chmod(0o600)
    (folder / "private").write_text("x")
    (folder / "private").chmod(0o400)
    for path in (tmp_path, folder):
        path.chmod(0o755)
    if os.getuid() == 0:
        for path in (folder, folder / "inner", folder / "inner" / "db.sqlite"):
            os.chown(path, 12345, 12345)
    before = states(folder)

    async def scenario() -> None:
        kernels = manager(any_level, data_dir=data_dir)
        await kernels.start_kernel(cwd=str(folder))
        client = kernels.client()
        client.start_channels()
        await client.wait_for_ready(timeout=120)
        assert states(folder) == before
        assert await run(client, "open('made', 'w').write('x')") == "1"
        if data_dir:
            path = "/data" if any_level in ("zygote", "bubblewrap") else str(folder)
            assert "Bern,3" in await run(client, f"print(open('{path}/sales.csv').read())")
            if any_level != "process":
                assert "Error" in await run(client, f"open('{path}/sales.csv', 'w')")
        await kernels.restart_kernel(now=True)
        await client.wait_for_ready(timeout=120)
        assert await run(client, "open('made').read()") == "'x'"
        client.stop_channels()
        await kernels.shutdown_kernel(now=True)
        client.context.destroy(linger=0)

    asyncio.run(scenario())
    assert states(folder) == before


@pytest.mark.skipif(os.getuid() != 0, reason="only where the host is root do cells run as another user")
def test_a_data_folder_that_the_cells_user_cannot_read_is_refused_and_left_as_it_is(
    manager: Any, best_level: Level, tmp_path: Path
) -> None:
    folder = tmp_path / "work"
    folder.mkdir(mode=0o700)
    before = states(folder)

    async def start(data_dir: str) -> None:
        await manager(best_level, data_dir=data_dir).start_kernel(cwd=str(folder))

    with pytest.raises(StartFailed, match=r"cannot be read by user 6[01][0-9]+"):
        asyncio.run(start("."))
    with pytest.raises(StartFailed, match="there is no such folder"):
        asyncio.run(start("missing"))
    assert states(folder) == before
