"""The walls hold for an ordinary user too: where the tests run as root, those of the walls are run again as nobody known.

What differs there: no session has a user of its own, no cgroup can be made, and each namespace is made without a right.
"""

from __future__ import annotations

import os
import subprocess
import sys
import tempfile
from collections import Counter
from pathlib import Path
from xml.etree import ElementTree

import pytest

from sandbox.cage import policy

HERE = Path(__file__).parent
ROOT = HERE.parents[1]
# What hangs on who is asked: walls, files and their owners, processes that are found and counted. What the host does with
# messages, requests and its own descriptors, and what the filter's program answers, is the same for everybody.
SUITES = (
    "test_selfcheck.py",
    "test_escapes.py",
    "test_trees.py",
    "test_limits.py",
    "test_desk.py::test_a_session_is_leased_again_whatever_it_left_in_its_folder",
    "test_desk.py::test_no_file_escapes_the_quota",
    "test_seccomp.py::test_the_kernel_takes_the_filter_and_answers_so",
)
WALLED = ("zygote", "bubblewrap", "landlock")
# A number that no user of the machine has, and no session gets.
FRESH = 20_000 + os.getpid() % 20_000


@pytest.mark.slow
@pytest.mark.timeout(1200)
def test_every_promise_and_every_wall_holds_for_an_ordinary_user() -> None:
    user = FRESH if os.getuid() == 0 else os.getuid()
    # Not below pytest's own folder, which no other user may enter.
    with tempfile.TemporaryDirectory(prefix="tandem-user-") as made:
        folder = Path(made)
        for name in ("home", "tmp"):
            (folder / name).mkdir(mode=0o700)
            os.chown(folder / name, user, user)
        os.chown(folder, user, user)
        report = folder / "home" / "report.xml"
        said = as_user(
            user,
            folder,
            *("-m", "pytest", "-q", "-m", "not root", "-p", "no:cacheprovider"),
            *(f"--junitxml={report}", f"--rootdir={ROOT}"),
            *(str(HERE / suite) for suite in SUITES),
        )
        assert said.returncode == 0, said.stdout[-8000:] + said.stderr[-2000:]
        assert report.stat().st_uid == user
        held = levels_in(report)
    for level in WALLED:
        assert held[level] > 120, f"only {held[level]} tests ran at level {level}"


def test_an_ordinary_user_reaches_the_interpreter_and_nothing_else_of_roots() -> None:
    """So that what the suites show is what an ordinary user has."""
    if os.getuid() != 0:
        pytest.skip("only root has folders that an ordinary user may not enter")
    code = (
        "import os, pathlib, pandas\n"
        "print(os.getresuid(), os.getresgid(), os.getgroups())\n"
        "print([line.split()[1] for line in open('/proc/self/status') if line.startswith(('CapPrm', 'CapEff'))])\n"
        f"try:\n    os.listdir({str(HERE)!r}); open({__file__!r}, 'a')\nexcept PermissionError: print('cannot write')"
    )
    with tempfile.TemporaryDirectory(prefix="tandem-user-") as made:
        closed = Path(made, "closed")
        closed.mkdir(mode=0o700)
        (closed / "secret").write_text("of root")
        os.chmod(made, 0o755)
        said = as_user(FRESH, Path(made), "-c", f"{code}\nprint(os.access({str(closed / 'secret')!r}, os.R_OK))")
    who = (FRESH,) * 3
    assert said.stdout.splitlines() == [f"{who} {who} []", f"{['0' * 16] * 2}", "cannot write", "False"], said.stderr


def as_user(user: int, folder: Path, *arguments: str) -> subprocess.CompletedProcess[str]:
    """Run this interpreter with `arguments` as `user`, with a home and temporary files in `folder` alone."""
    needed = {str(ROOT), sys.prefix, sys.base_prefix, *policy.python_roots()}
    environment = {
        "PATH": os.environ["PATH"],
        "LANG": "C.UTF-8",
        "CI": os.environ.get("CI", ""),
        "HOME": str(folder / "home"),
        "TMPDIR": str(folder / "tmp"),
        "PYTHONDONTWRITEBYTECODE": "1",
        "PYTHONPATH": str(ROOT),
    }
    command = [sys.executable, str(HERE / "ordinary_user.py"), str(user), *sorted(needed), "--", sys.executable]
    return subprocess.run(
        [*command, *arguments], env=environment, cwd="/", capture_output=True, text=True, check=False, timeout=1100
    )


def levels_in(report: Path) -> Counter[str]:
    """How many tests passed at each level."""
    passed = [case for case in ElementTree.parse(report).iter("testcase") if len(case) == 0]
    return Counter(level for case in passed for level in WALLED if f"[{level}" in case.get("name", ""))
