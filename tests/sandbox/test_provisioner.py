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

from sandbox.levels import Level


@pytest.fixture
def manager(tmp_path: Path) -> Any:
    """Makes managers of caged kernels at a level."""

    def make(level: str) -> AsyncKernelManager:
        folder = tmp_path / "kernels" / "caged"
        folder.mkdir(parents=True, exist_ok=True)
        provisioner = {"provisioner_name": "tandem-cage", "config": {"level": level, "allow_process": True}}
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


def test_jupyter_run_ends_its_kernel_at_exit_without_a_word_and_gives_the_folder_back(
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
    assert "'made', 'script.py'" in done.stdout
    assert (desk.stat().st_uid, (desk / "made").stat().st_uid) == (os.getuid(), os.getuid())
