"""Tests of functions: run by pytest in a kernel of the cage, one function after those that it needs.

The cage has the functions and their tests, and no data. Nothing of what a test gives is trusted: the results are read
from bounded text, and a test that never ends is ended with its kernel.
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
from typing import Literal, Protocol

from assistant.cells.functions import FunctionCycle, order_functions, render_definitions
from assistant.cells.references import find_imported_modules
from assistant.core.events import FunctionSource
from assistant.functions.function import Function
from assistant.packages.names import project_of

TIMEOUT_S = 60.0
"""All tests of one function together."""
_MESSAGE_CHARS = 2_000


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
    mark = secrets.token_hex(16)  # tests print as well: they cannot know this
    template = (resources.files("assistant.functions") / "run_tests.py.txt").read_text(encoding="utf-8")
    arguments = f"name, tests, mark = {own.name!r}, {function.tests!r}, {mark!r}"
    async with kernel() as fresh:
        definitions = render_definitions(functions)
        _, error = await fresh.run(definitions, timeout_s=timeout_s)
        if error:
            return SuiteRun(function=function, error=f"The function cannot be defined: {error}")
        printed, error = await fresh.run(f"{arguments}\n{template}", timeout_s=timeout_s)
    if error:
        return SuiteRun(function=function, error=error)
    return await asyncio.to_thread(_read_results, function, printed, mark)


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
    """Read what the cage says of the tests. All of it is untrusted."""
    _, _, text = printed.rpartition(mark)
    try:
        entries: object = json.loads(text)
    except (ValueError, RecursionError):
        entries = None
    if not isinstance(entries, list):
        return SuiteRun(function=function, error="The tests ended without results: they may have ended their process.")
    results = tuple(result for entry in entries if (result := _read_result(entry)) is not None)
    if not results:
        return SuiteRun(function=function, error=f"test_{function.name}.py has no test: name functions test_....")
    return SuiteRun(function=function, results=results)


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
