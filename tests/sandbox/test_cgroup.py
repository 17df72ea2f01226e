"""Where a memory cgroup is made, and that nothing of it stays.

What version 2 asks for is tried on folders that look like its own: a machine has its memory in one version only.
"""

from __future__ import annotations

import asyncio
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

from sandbox import temporary
from sandbox.cage import cgroup
from sandbox.levels import Level

if sys.platform != "linux":
    pytest.skip("cgroups are Linux's", allow_module_level=True)


@pytest.fixture
def delegated(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A service's group that was delegated, with this process in a group below; the service's is returned."""
    service, own = tmp_path / "user.slice" / "service", tmp_path / "user.slice" / "service" / "main"
    own.mkdir(parents=True)
    for group in (service, own):
        (group / "cgroup.procs").touch()
    (service / "cgroup.subtree_control").write_text("cpu")
    (own / "cgroup.subtree_control").mkdir()  # cannot be written: a group that holds processes passes nothing on

    def place(version: str) -> tuple[Path, Path] | None:
        return (tmp_path, own.relative_to(tmp_path)) if version == "v2" else None

    monkeypatch.setattr(cgroup, "_own", place)
    return service


def test_in_version_2_the_group_stands_beside_ours_where_memory_is_passed_on(delegated: Path) -> None:
    group = cgroup.make("tandem-x", memory_bytes=1 << 30)
    assert group is not None
    assert (group.version, group.procs_files) == ("v2", (str(delegated / "tandem-x" / "cgroup.procs"),))
    assert (delegated / "cgroup.subtree_control").read_text() == "+memory"
    assert (delegated / "tandem-x" / "memory.max").read_text() == str(1 << 30)
    assert (delegated / "tandem-x" / "memory.swap.max").read_text() == "0"


def test_in_version_2_nothing_is_made_above_what_was_delegated(delegated: Path) -> None:
    (delegated / "cgroup.procs").unlink()
    assert cgroup.make("tandem-x", memory_bytes=1 << 30) is None
    assert cgroup.version("tandem-x") is None
    assert not list(delegated.parent.rglob("tandem-x"))


def test_groups_of_a_dead_host_are_swept(delegated: Path) -> None:
    code = "from sandbox import temporary; print(temporary.make_name('memory'))"
    dead = subprocess.run([sys.executable, "-c", code], capture_output=True, text=True, check=True).stdout.strip()
    mine = temporary.make_name("memory")
    for name in (dead, mine, "user-1000.slice"):
        (delegated / name).mkdir()
    cgroup.sweep(temporary.is_abandoned)
    assert not (delegated / dead).exists()
    assert (delegated / mine).is_dir()
    assert (delegated / "user-1000.slice").is_dir()


def test_a_session_is_in_a_group_wherever_one_can_be_made(loop: asyncio.Runner, lease: Any, any_level: Level) -> None:
    async def scenario() -> None:
        kernel = await lease(any_level)
        process = kernel._client.process
        assert (process.memory is None) == (cgroup.version(temporary.make_name("probe")) is None)
        if process.memory is None:
            return
        procs = Path(process.memory.procs_files[0])
        child = "import subprocess; child = subprocess.Popen(['sleep', '60'])"
        assert (await kernel.execute(child)).ok
        inside = {int(line) for line in procs.read_text().split()}
        assert process.pid in inside
        assert len(inside) >= 2
        assert os.getpid() not in inside
        await kernel.close()
        assert not procs.exists()

    loop.run(scenario())
