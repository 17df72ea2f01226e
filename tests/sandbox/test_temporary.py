"""Temporary folders: those of the dead go, all others stay."""

from __future__ import annotations

import os
import subprocess
import sys
from pathlib import Path

import pytest

from sandbox import temporary

if sys.platform != "linux":
    pytest.skip("who owns a folder is known on Linux alone", allow_module_level=True)


def test_only_folders_of_dead_owners_are_swept(tmp_path: Path) -> None:
    code = f"from sandbox import temporary; print(temporary.make('test', {str(tmp_path)!r}))"
    dead = Path(subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip())
    (dead / "kernel").mkdir()
    mine = temporary.make("test", tmp_path)
    reused = tmp_path / f"tandem-test-{os.stat('/proc/self/ns/pid').st_ino}-{os.getpid()}-1-abcd"
    unseen = tmp_path / "tandem-test-1-2-3-abcd"  # of a pid namespace that is not ours
    other = tmp_path / "tandem-notes"
    target = tmp_path / "precious"
    for folder in (reused, unseen, other, target):
        folder.mkdir()
    link = tmp_path / reused.name.replace("abcd", "efgh")
    link.symlink_to(target)
    temporary.sweep(tmp_path)
    assert not dead.exists()
    assert not reused.exists()  # its number belongs to another process by now
    assert all(folder.is_dir() for folder in (mine, unseen, other, target))
    assert link.is_symlink()


def test_a_sweep_without_a_descriptor_left_takes_nobody_for_dead(tmp_path: Path) -> None:
    mine = temporary.make("test", tmp_path)
    code = (
        "import os, resource, sys\nfrom pathlib import Path\nfrom sandbox import temporary\n"
        "resource.setrlimit(resource.RLIMIT_NOFILE, (64, 64))\nheld = []\n"
        "try:\n    while True:\n        held.append(os.open('/dev/null', os.O_RDONLY))\n"
        "except OSError:\n    os.close(held.pop())\n"  # one is left, which reading the folder takes
        "temporary.sweep(Path(sys.argv[1]))\nassert temporary.make_name('test')"
    )
    subprocess.run([sys.executable, "-c", code, str(tmp_path)], check=True)
    assert mine.is_dir()


def test_a_folder_of_an_unknown_start_stays(tmp_path: Path) -> None:
    unknown = tmp_path / f"tandem-test-{os.stat('/proc/self/ns/pid').st_ino}-{os.getpid()}-0-abcd"
    unknown.mkdir()
    temporary.sweep(tmp_path)
    assert unknown.is_dir()


def test_a_folder_is_its_owners_alone(tmp_path: Path) -> None:
    assert temporary.make("test", tmp_path).stat().st_mode & 0o777 == 0o700


def test_a_host_that_was_killed_leaves_nothing_for_long(tmp_path: Path) -> None:
    script = (
        "import asyncio, tempfile\n"
        f"tempfile.tempdir = {str(tmp_path)!r}\n"
        "from sandbox.connections import KernelConnections\nfrom sandbox.zygote import Zygote\n"
        "async def main():\n    async with Zygote(warm=False):\n        wires = KernelConnections()\n"
        "        print('up', flush=True)\n        await asyncio.sleep(600)\nasyncio.run(main())"
    )
    with subprocess.Popen([sys.executable, "-c", script], stdout=subprocess.PIPE, text=True) as host:
        try:
            assert host.stdout is not None
            assert host.stdout.readline() == "up\n"
            temporary.sweep(tmp_path)
            assert "tandem-zygote-" in str(list(tmp_path.iterdir()))
        finally:
            host.kill()
    temporary.sweep()
    temporary.sweep(tmp_path)
    assert list(tmp_path.iterdir()) == []
    assert not [name for name in os.listdir("/tmp") if f"-{host.pid}-" in name and name.startswith("tandem-")]
