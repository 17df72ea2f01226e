"""Tests of functions: run by pytest in the cage, one function after those that it needs.

The cage has the functions and their tests, and no data. Nothing of what a test gives is trusted. The tests run in a
process that a kernel starts, so what they print is not read at all; a test counts as passed only if its name is in the
file, pytest's report and the return code of its process agree, and it fails without the function. A test that never
ends is ended with its process.
"""

from __future__ import annotations

import asyncio
import json
import secrets
from collections.abc import Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager
from dataclasses import dataclass, replace
from importlib import resources
from importlib.metadata import PackageNotFoundError, version
from typing import Literal, Protocol, cast

from assistant.cells.functions import FunctionCycle, order_functions, render_definitions
from assistant.cells.references import find_imported_modules
from assistant.core.events import FunctionSource
from assistant.functions.function import Function
from assistant.functions.tampering import find_tampering, list_test_names
from assistant.packages.names import project_of

TIMEOUT_S = 60.0
"""All tests of one function together."""
_MESSAGE_CHARS = 2_000
_START_S = 20.0
"""For the kernel to answer, beyond the time of the tests."""
_VACUOUS = "It passes without the function, too, so it tests nothing of it."


class SuiteKernel(Protocol):
    """A kernel of the cage that nobody else uses."""

    async def run(self, code: str, *, timeout_s: float) -> tuple[str, str]:
        """Run code; what it printed, and the error that ended it, empty where none did."""
        ...


KernelMaker = Callable[[], AbstractAsyncContextManager[SuiteKernel]]


@dataclass(frozen=True, slots=True, kw_only=True)
class CaseResult:
    """What became of one test. `message` is its error, with the line in which it failed."""

    name: str
    outcome: Literal["passed", "failed", "skipped"]
    message: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class SuiteRun:
    """The tests of a function, run once.

    Attributes:
        function: the specification and implementation that were tested.
        results: of each test, in order.
        error: why there are no results: the tests could not be read, took too long or ended their kernel.
    """

    function: Function
    results: tuple[CaseResult, ...] = ()
    error: str = ""

    @property
    def all_tests_passed(self) -> bool:
        """Whether there is a test, and none failed or was left out."""
        return not self.error and bool(self.results) and all(result.outcome == "passed" for result in self.results)

    def mark_tested(self) -> Function:
        """The function as tested now, with the versions of the packages that it imports."""
        if not self.all_tests_passed:
            raise ValueError("the tests did not pass")
        return replace(self.function, tested=self.function.sha256, packages=_list_versions(self.function.source.code))


async def run_tests(
    function: Function,
    find_source: Callable[[str], FunctionSource | None],
    *,
    kernel: KernelMaker,
    timeout_s: float = TIMEOUT_S,
) -> SuiteRun:
    """Run a function's tests in a fresh kernel.

    Args:
        function: with its tests.
        find_source: gives the functions that it needs.
        kernel: makes a kernel that is closed afterwards.
        timeout_s: for all of its tests.

    Raises:
        FunctionCycle: it needs itself.
        SandboxError: no kernel can be started.
    """
    if not function.tests.strip():
        return SuiteRun(function=function, error=f"{function.name!r} has no tests. Write test_{function.name}.py.")
    own = function.source
    functions = order_functions([own.name], lambda name: own if name == own.name else find_source(name))
    for source in functions:
        if use := find_tampering(source.code):
            return SuiteRun(function=function, error=f"{source.name}.py {use}. {_TAMPERING}")
    if use := find_tampering(function.tests):
        return SuiteRun(function=function, error=f"test_{own.name}.py {use}. {_TAMPERING}")
    mark = secrets.token_hex(16)  # only the kernel knows it, in which nothing runs that is tested
    values = {
        "name": own.name,
        "tests": function.tests,
        "definitions": render_definitions(functions),
        "child": _load("pytest_process"),
        "timeout_s": timeout_s,
        "mark": mark,
    }
    arguments = "\n".join(f"{name} = {value!r}" for name, value in values.items())
    async with kernel() as fresh:
        printed, error = await fresh.run(f"{arguments}\n{_load('run_tests')}", timeout_s=timeout_s + _START_S)
    if error:
        return SuiteRun(function=function, error=error)
    return await asyncio.to_thread(_read_results, function, printed, mark)


_TAMPERING = "A tested function and its tests may not use it: it could fake a result."


def _load(name: str) -> str:
    return (resources.files("assistant.functions") / f"{name}.py.txt").read_text(encoding="utf-8")


async def check_functions(
    functions: Sequence[Function], shipped: Sequence[Function], *, kernel: KernelMaker
) -> dict[str, str]:
    """Why each function fails its tests, by its name; empty where it passes.

    Raises:
        SandboxError: no kernel can be started.
    """
    sources = {function.name: function.source for function in (*shipped, *functions)}
    failures: dict[str, str] = {}
    for function in functions:
        try:
            run = await run_tests(function, sources.get, kernel=kernel)
        except FunctionCycle as cycle:
            failures[function.name] = str(cycle)
            continue
        failed = [result for result in run.results if result.outcome != "passed"]
        failures[function.name] = run.error or "; ".join(f"{r.name} {r.outcome}: {r.message}" for r in failed)
    return failures


def _read_results(function: Function, printed: str, mark: str) -> SuiteRun:
    """Read what the kernel says of both runs. The kernel is trusted to count; the tests' own reports are not."""
    try:
        runs: object = json.loads(printed.rpartition(mark)[2])
    except (ValueError, RecursionError):
        runs = None
    match runs:
        case [{"error": str(error)}, _]:
            return SuiteRun(function=function, error=f"The tests did not end well: {error}"[:_MESSAGE_CHARS])
        case [{"entries": list(entries), "code": int(code)}, dict(absent)]:
            pass
        case _:
            return SuiteRun(function=function, error="The tests ended without results.")
    results = _parse_entries(entries)
    if error := _find_miscount(function, results, code):
        return SuiteRun(function=function, results=results, error=error)
    vacuous = {result.name for result in _parse_entries(absent.get("entries")) if result.outcome == "passed"}
    return SuiteRun(
        function=function,
        results=tuple(
            replace(result, outcome="failed", message=_VACUOUS)
            if result.outcome == "passed" and result.name in vacuous
            else result
            for result in results
        ),
    )


def _find_miscount(function: Function, results: Sequence[CaseResult], code: int) -> str:
    """Why reports are not those of the tests in the file; empty where they are."""
    file = f"test_{function.name}.py"
    expected = set(list_test_names(function.tests))
    if any(result.name == file for result in results):
        return ""  # the file could not be imported, which its report says
    if not expected:
        return f"{file} has no test: name functions test_...."
    reported = {result.name.partition("[")[0] for result in results}
    if absent_tests := sorted(expected - reported):
        return f"{len(absent_tests)} of {len(expected)} tests did not run to their end, such as {absent_tests[0]!r}."
    if unknown := sorted(reported - expected):
        return f"A test was reported that {file} does not define: {unknown[0]!r}."
    if (code == 0) is not all(result.outcome != "failed" for result in results):
        return f"The tests' process ended with code {code}, which is not what they reported."
    return ""


def _parse_entries(entries: object) -> tuple[CaseResult, ...]:
    if not isinstance(entries, list):
        return ()
    return tuple(result for entry in cast("list[object]", entries) if (result := _read_result(entry)) is not None)


def _read_result(entry: object) -> CaseResult | None:
    match entry:
        case {"name": str(name), "outcome": "passed" | "failed" | "skipped" as outcome, "message": str(message)}:
            return CaseResult(name=name[:200], outcome=outcome, message=message[-_MESSAGE_CHARS:])
        case _:
            return None


def _list_versions(code: str) -> dict[str, str]:
    """The installed versions of the packages that some code imports."""
    versions: dict[str, str] = {}
    for module, _ in find_imported_modules(code):
        try:
            versions[project_of(module)] = version(project_of(module))
        except PackageNotFoundError:
            continue  # of the standard library, or another function
    return versions


def list_stale(functions: Sequence[Function], versions: Mapping[str, str] | None = None) -> tuple[str, ...]:
    """The names of functions that must be tested again, each before those that need it.

    A file, a function below or a package changed since the tests passed. Those that ship are tested before they do.

    Args:
        functions: with those that they need.
        versions: those installed, by package; looked up where they are not given.
    """
    by_name = {function.name: function for function in functions}
    stale: dict[str, None] = {}
    ordered = order_functions(by_name, lambda name: by_name[name].source if name in by_name else None)
    for source in ordered:
        function = by_name[source.name]
        if function.is_shipped:
            continue
        current = versions if versions is not None else _list_versions(source.code)
        changed = any(current.get(package) != tested for package, tested in function.packages.items())
        if changed or not function.is_tested or any(name in stale for name in function.needs):
            stale[source.name] = None
    return tuple(stale)
