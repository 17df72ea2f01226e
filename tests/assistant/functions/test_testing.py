"""Tests of functions run in the cage: what passes, what fails, and what tries to lie or never ends."""

from __future__ import annotations

import asyncio
import json
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from assistant.functions.function import Function, parse_function
from assistant.functions.library import FunctionLibrary, list_shipped
from assistant.functions.testing import SuiteRun, _read_results, list_stale, run_tests  # pyright: ignore[reportPrivateUsage]
from assistant.runtime.cages import MachineCages
from assistant.runtime.spare_kernels import open_spare_kernel
from sandbox.limits import Limits


@asynccontextmanager
async def _cages(tmp_path: Path) -> AsyncGenerator[MachineCages]:
    async with MachineCages(limits=Limits(), level=None, uncaged=False, ready=1, slots=tmp_path) as cages:
        yield cages


def _run(tmp_path: Path, functions: Sequence[Function], *, timeout_s: float = 30.0) -> list[SuiteRun]:
    """The tests of each function, among all of them and those that ship."""
    sources = {function.name: function.source for function in (*list_shipped(), *functions)}

    async def run_all() -> list[SuiteRun]:
        async with _cages(tmp_path) as cages:
            kernel = partial(open_spare_kernel, cages)
            return [await run_tests(f, sources.get, kernel=kernel, timeout_s=timeout_s) for f in functions]

    return asyncio.run(run_all())


def _function(name: str, tests: str, code: str = "") -> Function:
    return parse_function(name, code or f"def {name}(x):\n    return 2 * x\n", tests=tests)


PASSING = "from functions import {0}\n\n\ndef test_it():\n    assert {0}(2) == 4\n"
BAD = {
    "failing": (PASSING.format("failing") + "\n\ndef test_wrong():\n    assert failing(2) == 5\n", "", False),
    "skipping": ("import pytest\n\n\n@pytest.mark.skip\ndef test_it():\n    assert False\n", "", False),
    "untested": ("", "has no tests", False),
    "testless": ("x = 1\n", "has no test: name functions test_", False),
    "unread": ("def test_it(:\n", "", False),
    "importing": ("import no_such_module\n\n\ndef test_it(): ...\n", "", False),
    "ending": ("import os\n\n\ndef test_it():\n    os._exit(0)\n", "line 1 uses 'os'", False),
    "leaving": ("def test_it():\n    raise SystemExit\n", "", False),
    "vacuous": ("def test_it():\n    assert True\n", "", False),
    "catching": ("from functions import catching\n\n\ndef test_it():\n    try:\n        assert catching(1) == 3\n"
                 "    except BaseException:\n        pass\n", "", False),
    "patching": ("import pytest\n\npytest.main = None\n\n\ndef test_it(): ...\n", "uses 'pytest.main'", False),
    "hooking": ("def pytest_runtest_makereport(): ...\n\n\ndef test_it(): ...\n", "uses 'pytest_runtest", False),
    "framing": ("def test_it():\n    (0 for _ in ()).gi_frame.f_back\n", "uses '", False),
    "shadowing": ("from functions import shadowing\n\n\ndef test_it():\n    assert shadowing(1) == 3\n\n\n"
                  "class Plain:\n    def test_more(self): ...\n\n\ntest_it.__test__ = False\n",
                  "1 of 1 tests did not run", False),
    "printing": ("def test_it():\n    print('[{\"name\": \"x\", \"outcome\": \"passed\", \"message\": \"\"}]')\n    assert 0\n", "", False),
    "endless": ("def test_it():\n    while True: ...\n", "took longer", True),
}  # fmt: skip


@pytest.mark.slow
def test_what_passes_passes_and_what_does_not_says_why(tmp_path: Path) -> None:
    good = _function("doubling", PASSING.format("doubling"))
    below = _function(
        "halving",
        PASSING.format("halving"),
        "from functions import doubling\n\nhalving = doubling\n\n\ndef halving(x):\n    return doubling(x)\n",
    )
    broken = _function("broken", "def test_it(): ...", "import no_such_module\n\n\ndef broken(x): ...\n")
    bad = [_function(name, tests) for name, (tests, _, ends) in BAD.items() if not ends]
    runs = {run.function.name: run for run in _run(tmp_path, [good, below, broken, *bad])}
    assert runs["doubling"].all_tests_passed
    assert runs["halving"].all_tests_passed
    assert "No module named 'no_such_module'" in runs["broken"].error
    assert [name for name, run in runs.items() if run.all_tests_passed] == ["doubling", "halving"]
    assert [result.outcome for result in runs["failing"].results] == ["passed", "failed"]
    assert "failing(2) == 5" in runs["failing"].results[1].message
    assert "no_such_module" in runs["importing"].results[0].message
    for name, (_, error, _) in BAD.items():
        assert name not in runs or error in runs[name].error
    with pytest.raises(ValueError, match="did not pass"):
        runs["failing"].mark_tested()
    tested = runs["doubling"].mark_tested()
    assert tested.is_tested
    assert list_stale([tested]) == ()


def test_a_test_that_never_ends_is_ended(tmp_path: Path) -> None:
    functions = [_function(name, tests) for name, (tests, _, ends) in BAD.items() if ends]
    for run in _run(tmp_path, functions, timeout_s=4.0):
        assert "took longer than 4 seconds" in run.error
        assert not run.all_tests_passed


def _find_nothing(_code: str) -> str:
    return ""


LYING = {
    # What the list of names does not know: the process ends as if all were well, or writes reports of its own.
    "ends_early": "import pandas\n\npandas.io.common.{0}._exit(0)\n",
    "reports": "import contextlib\nimport pandas\n\nfor report in range(3, 64):\n    with contextlib.suppress(OSError):\n"
    "        pandas.io.common.{0}.write(report, b'key\\n[]')\npandas.io.common.{0}._exit(0)\n",
}


@pytest.mark.parametrize("name", LYING)
def test_a_process_that_ends_by_itself_passes_nothing(
    name: str, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """As if the list of forbidden names had a gap: the parent process counts what it was told with its own key."""
    monkeypatch.setattr("assistant.functions.testing.find_tampering", _find_nothing)
    code = f"{LYING[name].format('os')}\n\ndef {name}(x):\n    return 2 * x\n"
    (run,) = _run(tmp_path, [_function(name, PASSING.format(name), code)])
    assert "ended by itself, with code 0" in run.error
    assert not run.all_tests_passed


def test_a_report_of_a_test_that_is_not_in_the_file_is_none() -> None:
    function = _function("doubling", PASSING.format("doubling"))
    passed = {"name": "test_it", "outcome": "passed", "message": ""}
    absent = {"entries": [{**passed, "outcome": "failed"}], "code": 1}

    def read(entries: list[dict[str, str]], code: int) -> SuiteRun:
        return _read_results(
            function, f"noise #mark#{json.dumps([{'entries': entries, 'code': code}, absent])}", "#mark#"
        )

    assert read([passed], 0).all_tests_passed
    assert "code 1" in read([passed], 1).error
    assert "did not run" in read([], 0).error
    assert "does not define" in read([passed, {**passed, "name": "test_more"}], 0).error
    assert not read([{**passed, "outcome": "skipped"}], 0).all_tests_passed
    assert not _read_results(function, "no results", "#mark#").all_tests_passed


@pytest.mark.slow
def test_all_that_ship_pass_in_the_cage(tmp_path: Path) -> None:
    for run in _run(tmp_path, list_shipped(), timeout_s=120.0):
        assert run.all_tests_passed, (run.function.name, run.error, [r for r in run.results if r.outcome != "passed"])


def test_what_stands_on_a_changed_function_or_package_must_be_tested_again() -> None:
    base = parse_function("base", "def base(): ...", tests="x")
    top = parse_function("top", "from functions import base\n\n\ndef top(): ...", tests="x", packages={"pandas": "2.0"})
    base, top = (
        parse_function(f.name, f.source.code, tests=f.tests, tested=f.sha256, packages=f.packages) for f in (base, top)
    )
    assert list_stale([base, top], {"pandas": "2.0"}) == ()
    assert list_stale([base, top], {"pandas": "2.1"}) == ("top",)
    changed = parse_function("base", "def base(): return 1", tests="x", tested=base.tested)
    assert list_stale([changed, top], {"pandas": "2.0"}) == ("base", "top")
    assert list_stale(list_shipped()) == ()


def test_a_library_knows_no_function_of_nobody() -> None:
    assert FunctionLibrary().find("no_such") is None
