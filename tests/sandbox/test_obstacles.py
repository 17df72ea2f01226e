"""A process that does not start says why, at every level, and what to do only where that is known."""

from __future__ import annotations

import asyncio
import shutil
import subprocess
import sys
import tempfile
from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

import pytest

from sandbox import launch, zygote
from sandbox.cage import policy
from sandbox.errors import StartFailed
from sandbox.identity import SessionUser
from sandbox.launch import CagedProcess, specify_cage
from sandbox.levels import Level
from sandbox.limits import Limits
from sandbox.obstacles import explain, last_line
from sandbox.zygote import Zygote


def program(path: Path, script: str) -> Path:
    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_text(f"#!/bin/sh\n{script}\n")
    path.chmod(0o755)
    return path


async def start(level: Level, folder: Path) -> None:
    desk, data = folder / "desk", folder / "data"
    desk.mkdir()
    data.mkdir()
    user = SessionUser(level, folder)
    user.own(desk)
    try:
        async with Zygote(warm=False) as bare:
            spec = specify_cage(level, Limits(), desk=desk, data=data, uid=user.uid)
            process = await CagedProcess.start(bare, spec, Limits(), probe=str(folder))
            await process.close()
    finally:
        user.release(desk)


@pytest.mark.parametrize(
    ("script", "reason"),
    [
        ("echo 'Traceback:' >&2; echo 'ImportError: libgone.so: cannot open' >&2; exit 1", "ImportError: libgone.so"),
        ("echo 'unusual words' >&2; exit 1", "unusual words"),
        ("exit 7", "exited with code 7"),
        ("kill -SYS $$", "was killed by SIGSYS. A filter on system calls"),
        (
            "head -c 200000 /dev/zero | tr '\\0' x >&2; echo >&2; echo 'OSError: [Errno 28] No space' >&2; exit 1",
            "full",
        ),
    ],
)
def test_the_process_that_kernels_are_forked_from_says_why_it_did_not_start(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, script: str, reason: str
) -> None:
    class System:
        executable = str(program(tmp_path / "python", script))
        platform = sys.platform

    monkeypatch.setattr(zygote, "sys", System)

    async def scenario() -> None:
        forked = Zygote(warm=False)
        with pytest.raises(StartFailed, match="did not start") as refused:
            await forked.ensure()
        assert reason in str(refused.value)
        assert len(str(refused.value)) < 1500

    asyncio.run(scenario())


def test_a_program_that_cannot_be_executed_is_named(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    class System:
        executable = str(tmp_path / "gone")
        platform = sys.platform

    monkeypatch.setattr(zygote, "sys", System)
    with pytest.raises(StartFailed, match=r"FileNotFoundError.*gone"):
        asyncio.run(Zygote(warm=False).ensure())


def test_what_bubblewrap_says_is_passed_on(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path, request: pytest.FixtureRequest
) -> None:
    folder = Path(tempfile.mkdtemp(dir="/var/tmp"))  # as root, the cage is built on top of /tmp
    request.addfinalizer(lambda: shutil.rmtree(folder))
    program(folder / "bwrap", "echo 'bwrap: Out of luck today' >&2; exit 1")
    folder.chmod(0o755)
    usual = policy.environment

    def environment(*, home: str, tmp: str) -> Mapping[str, str]:
        return {**usual(home=home, tmp=tmp), "PATH": f"{folder}:/usr/bin:/bin"}

    monkeypatch.setattr(policy, "environment", environment)
    with pytest.raises(StartFailed, match="exited with code 1 before it was up: bwrap: Out of luck today"):
        asyncio.run(start("bubblewrap", tmp_path))


def test_a_fresh_interpreter_says_what_failed_to_import(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    tmp_path.chmod(0o755)

    def broken(*arguments: Any, **options: Any) -> policy.CageSpec:
        return replace(launch.specify_cage(*arguments, **options), package_root=str(tmp_path / "nothing"))

    monkeypatch.setattr(sys.modules[__name__], "specify_cage", broken)
    with pytest.raises(StartFailed, match=r"No module named 'tandem_guest'.* is incomplete"):
        asyncio.run(start("process", tmp_path))


@pytest.mark.parametrize(
    ("limit", "reason"),
    [("RLIMIT_NOFILE, (24, 24)", "ulimit -n"), ("RLIMIT_NOFILE, (7, 7)", "ulimit -n")],
)
def test_a_reached_limit_of_this_user_is_named(limit: str, reason: str) -> None:
    script = (
        "import asyncio, resource\nfrom sandbox.errors import SandboxError\nfrom sandbox.levels import probe\n"
        f"import sandbox.zygote\nresource.setrlimit(resource.{limit})\n"
        "try:\n    reports = asyncio.run(probe())\n    print('; '.join(r.why_not for r in reports))\n"
        "except SandboxError as error:\n    print(error)\n"
    )
    done = subprocess.run([sys.executable, "-c", script], capture_output=True, text=True, check=False, timeout=120)
    assert done.returncode == 0, done.stderr
    assert reason in done.stdout
    assert "without a word" not in done.stdout


def test_advice_is_given_only_where_it_is_known() -> None:
    assert explain("SomethingElse: nobody knows") == "SomethingElse: nobody knows"
    assert "ulimit -u" in explain("BlockingIOError: [Errno 11] Resource temporarily unavailable")
    assert "ulimit -n" in explain("OSError: [Errno 24] Too many open files")
    assert last_line(b"") == ""
    assert last_line(b"Fatal Python error: no encodings\n\n<no Python frame>\n") == "Fatal Python error: no encodings"
    assert last_line(b"Traceback\n  File\nValueError: x\n\n") == "ValueError: x"
