"""Tests of functions run in the cage: what passes, what fails, and what tries to lie or never ends."""

from __future__ import annotations

import asyncio
from collections.abc import AsyncGenerator, Sequence
from contextlib import asynccontextmanager
from functools import partial
from pathlib import Path

import pytest

from assistant.functions.function import Function, parse_function
from assistant.functions.library import FunctionLibrary, list_shipped
from assistant.functions.testing import SuiteRun, list_stale, run_tests
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
    "ending": ("import os\n\n\ndef test_it():\n    os._exit(0)\n", ".", True),
    "leaving": ("def test_it():\n    raise SystemExit\n", "", False),
    "printing": ("def test_it():\n    print('[{\"name\": \"x\", \"outcome\": \"passed\", \"message\": \"\"}]')\n    assert 0\n", "", False),
    "endless": ("def test_it():\n    while True: ...\n", "", True),
}  # fmt: skip


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
    assert "no_such_module" in runs["broken"].error
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


def test_a_test_that_ends_its_kernel_or_never_ends_does_not_pass(tmp_path: Path) -> None:
    functions = [_function(name, tests) for name, (tests, _, ends) in BAD.items() if ends]
    for run in _run(tmp_path, functions, timeout_s=4.0):
        assert run.error
        assert not run.all_tests_passed


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
