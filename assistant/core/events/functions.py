"""Functions that a model wrote by test: put before the person with each result, and kept once they are approved."""

from __future__ import annotations

from typing import Literal

from assistant.core.events.base import Event, Value

FaultCategory = Literal["environment", "logic", "test"]
"""Why a test fails: something is missing, the function is wrong, or the test is."""


class FunctionTest(Value):
    """What became of one test. `message` is its error."""

    name: str
    outcome: Literal["passed", "failed", "skipped"]
    message: str = ""


class WrittenFunction(Value):
    """A function as it was written: its specification, its tests, its implementation, and the result of each test.

    `inputs` are `name: meaning`; `needs` are the functions that it imports. `error` says why there are no results.
    """

    name: str
    purpose: str
    inputs: tuple[str, ...] = ()
    output: str = ""
    needs: tuple[str, ...] = ()
    complexity: str = ""
    words: tuple[str, ...] = ()
    code: str
    tests: str
    results: tuple[FunctionTest, ...] = ()
    error: str = ""

    @property
    def all_tests_passed(self) -> bool:
        """Whether there is a test, and all passed."""
        return not self.error and bool(self.results) and all(result.outcome == "passed" for result in self.results)


class FunctionRepair(Value):
    """A change after a test had failed.

    `where` is the definition that the diagnosis names. A `refused` one was not run, because it was not the change that
    it says; `note` says how. A change of a test waits (`asked`) until the person allows or forbids it.
    """

    function: str
    category: FaultCategory
    cause: str
    where: str = ""
    outcome: Literal["applied", "refused", "asked", "allowed", "forbidden"]
    note: str = ""


class FunctionTestDoubt(Value):
    """A test that seems wrong: `tests` is its file as it would be. Only a person may change it so."""

    function: str
    test: str
    cause: str
    tests: str


class FunctionsProposed(Event):
    """Functions that a step needs and that are worth keeping, put before the person; no policy approves them.

    Where all tests passed, approving keeps them. With a `doubt`, approving changes the test, and writing goes on. A
    `fault` says why they were given up; then there is nothing to decide.
    """

    kind: Literal["functions_proposed"] = "functions_proposed"
    id: str
    step: int
    functions: tuple[WrittenFunction, ...]
    repairs: tuple[FunctionRepair, ...] = ()
    doubt: FunctionTestDoubt | None = None
    fault: str = ""

    @property
    def all_tests_passed(self) -> bool:
        """Whether all tests of all functions passed."""
        return bool(self.functions) and all(function.all_tests_passed for function in self.functions)


class FunctionsKept(Event):
    """The functions that a person approved were kept as knowledge: cells can import them."""

    kind: Literal["functions_kept"] = "functions_kept"
    step: int
    names: tuple[str, ...]
