"""What a worker has put on itself holds: files, sockets, memory."""

from __future__ import annotations

import subprocess
import sys
from pathlib import Path

import pytest

from sandbox.cage import linux

PROBE = """
import os, socket, sys
from assistant.sources.workers.limits import confine
given, planted, scratch = sys.argv[1:]
confine(readable=[given], writable=[scratch], scratch=scratch, memory_bytes=300 << 20)
def tried(work):
    try:
        work()
    except (OSError, MemoryError) as refused:
        return type(refused).__name__
    return "done"
print(tried(lambda: open(given).read()), tried(lambda: open(os.path.join(scratch, "x"), "w").close()))
print(tried(lambda: open(planted).read()), tried(lambda: open(given, "w")), tried(lambda: os.listdir("/")),
    tried(lambda: os.unlink(planted)), tried(lambda: open(planted + ".new", "w")), tried(lambda: os.kill(os.getppid(), 0)))
print(tried(lambda: socket.socket(socket.AF_INET)), tried(lambda: socket.socket(socket.AF_UNIX)))
print(tried(lambda: bytearray(1 << 30)))
"""


@pytest.mark.skipif(linux.landlock_abi() < 6, reason="this kernel's Landlock holds no signals")
def test_a_worker_reaches_its_own_file_and_nothing_else(tmp_path: Path) -> None:
    given, planted, scratch = tmp_path / "given.csv", tmp_path / "planted.csv", tmp_path / "scratch"
    for file in (given, planted):
        file.write_text("a\n1\n")
    scratch.mkdir()
    done = subprocess.run(
        [sys.executable, "-c", PROBE, str(given), str(planted), str(scratch)],
        capture_output=True,
        text=True,
        check=True,
        timeout=60,
    )
    own, others, sockets, memory = done.stdout.splitlines()
    assert own == "done done"
    assert set(others.split()) == {"PermissionError"}
    assert set(sockets.split()) == {"PermissionError"}
    assert memory == "MemoryError"
