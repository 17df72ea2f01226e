"""Functions written by test: what is to be done next, as a state machine over values. Pure.

The tests come before the implementation. What fails is diagnosed as environment, logic or test. A change is run only if
the fix that the diagnosis names is in it. A diagnosis that failed twice is turned round. A test is changed only if a
person says so. After a bounded number of repairs the functions are given up.
"""

from __future__ import annotations

import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace

from assistant.cells.functions import order_functions
from assistant.core.events import (
    FaultCategory,
    FunctionRepair,
    FunctionTest,
    FunctionTestDoubt,
    WrittenFunction,
)
from assistant.functions.fixes import find_fix_problem
from assistant.functions.specifying import document_code, make_function
from assistant.functions.tampering import list_test_names
from assistant.functions.testing import SuiteRun

REPAIRS_MAX = 5
"""Changes of a set of functions, refused ones included, after which it is given up."""
_FAILURES_MAX = 2
"""Fixes of one category that may fail before the diagnosis is turned round."""
_TURNED: Mapping[FaultCategory, FaultCategory] = {"logic": "test", "test": "logic", "environment": "logic"}
_IMPORT_ERROR = re.compile(r"(?:ModuleNotFoundError|ImportError): (.*)")


@dataclass(frozen=True, slots=True, kw_only=True)
class Writing:
    """Functions as far as they are written, each after those that it needs, and the repairs so far."""

    functions: tuple[WrittenFunction, ...]
    repairs: tuple[FunctionRepair, ...] = ()
    doubt: FunctionTestDoubt | None = None

    @property
    def all_tests_passed(self) -> bool:
        """Whether all tests of all functions passed."""
        return bool(self.functions) and all(function.all_tests_passed for function in self.functions)

    def find(self, name: str) -> WrittenFunction:
        """A function by its name."""
        return next(function for function in self.functions if function.name == name)


@dataclass(frozen=True, slots=True, kw_only=True)
class RunDue:
    """The tests of a function are to be run."""

    function: str


@dataclass(frozen=True, slots=True, kw_only=True)
class RepairDue:
    """A function failed its tests: the fault is to be found and fixed. `categories` are those that may be named."""

    function: str
    categories: tuple[FaultCategory, ...]
    reason: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class PersonDue:
    """The person decides: all tests passed, or a test seems wrong."""


@dataclass(frozen=True, slots=True, kw_only=True)
class GivenUp:
    """No further repair is tried."""

    reason: str


WritingStep = RunDue | RepairDue | PersonDue | GivenUp


@dataclass(frozen=True, slots=True, kw_only=True)
class Fix:
    """A diagnosis with its fix: the whole file as it is to be.

    Attributes:
        category: why the tests fail.
        cause: the same in a sentence.
        where: the definition that is changed: a function of the implementation, or a test.
        code: the changed file: the implementation, or the tests where they are wrong.
        fragment: code that the fix brings in, where it is named.
    """

    category: FaultCategory
    cause: str
    where: str
    code: str
    fragment: str = field(default="")


def begin_writing(functions: Sequence[WrittenFunction]) -> Writing:
    """Start with these functions, in the order of what they need.

    Raises:
        FunctionMalformed: code does not define its function.
        FunctionCycle: they need each other in a circle; the message names its path.
    """
    documented = {f.name: f.model_copy(update={"code": document_code(f.code, f)}) for f in functions}
    sources = {name: make_function(function).source for name, function in documented.items()}
    return Writing(functions=tuple(documented[source.name] for source in order_functions(sources, sources.get)))


def find_next_step(writing: Writing) -> WritingStep:
    """What is to be done next."""
    if writing.doubt is not None or writing.all_tests_passed:
        return PersonDue()
    # In order: what stands on a function that fails would fail with it.
    failing = next(function for function in writing.functions if not function.all_tests_passed)
    if not failing.error and not failing.results:
        return RunDue(function=failing.name)
    if len(writing.repairs) >= REPAIRS_MAX:
        return GivenUp(reason=f"{failing.name!r} still fails its tests after {REPAIRS_MAX} changes.")
    return _find_repair(writing, failing)


def _find_repair(writing: Writing, failing: WrittenFunction) -> RepairDue | GivenUp:
    if module_problem := _find_missing_module(failing):
        reason = f"{module_problem} Do without it."
        return RepairDue(function=failing.name, categories=("environment",), reason=reason)
    categories: list[FaultCategory] = ["environment", "logic", "test"]
    repairs = [repair for repair in writing.repairs if repair.function == failing.name]
    reason = ""
    if repairs and repairs[-1].outcome == "refused":
        reason = f"Your last change was not run: {repairs[-1].note}"
    tried = [repair for repair in repairs if repair.outcome in ("applied", "allowed")][-_FAILURES_MAX:]
    if len(tried) == _FAILURES_MAX and len({repair.category for repair in tried}) == 1:
        category = tried[-1].category
        turned = _TURNED[category]
        categories = [turned]
        reason = f"The diagnosis {category!r} failed {_FAILURES_MAX} times: take it that it is {turned!r}. {reason}"
    if any(repair.outcome == "forbidden" for repair in repairs):
        categories = [category for category in categories if category != "test"]
        if not categories:
            why = "the person says that its test is right"
            return GivenUp(reason=f"{failing.name!r} failed after {_FAILURES_MAX} changes of its logic, and {why}.")
        reason = f"{reason} The person says that the test is right: {_find_word(repairs)}"
    return RepairDue(function=failing.name, categories=tuple(categories), reason=reason.strip())


def _find_word(repairs: Sequence[FunctionRepair]) -> str:
    """What the person said last when they forbade the change of a test."""
    return next(repair.note or "no reason given." for repair in reversed(repairs) if repair.outcome == "forbidden")


def _find_missing_module(function: WrittenFunction) -> str:
    """What the program itself knows to be missing."""
    texts = (function.error, *(result.message for result in function.results))
    match = next(filter(None, map(_IMPORT_ERROR.search, texts)), None)
    return f"{match[1].strip().rstrip('.')}." if match is not None and "'functions'" not in match[1] else ""


def add_run(writing: Writing, run: SuiteRun) -> Writing:
    """What running a function's tests gave."""
    results = tuple(FunctionTest(name=r.name, outcome=r.outcome, message=r.message) for r in run.results)
    return _replace(writing, run.function.name, results=results, error=run.error)


def apply_fix(writing: Writing, step: RepairDue, fix: Fix) -> Writing:
    """Take a fix over, or refuse it where it is not what its diagnosis says; a change of a test waits for a person."""
    function = writing.find(step.function)
    repair = FunctionRepair(
        function=function.name, category=fix.category, cause=fix.cause, where=fix.where, outcome="applied"
    )
    problem = _find_category_problem(step, fix) or _find_problem(function, fix)
    if problem:
        return _add_repair(writing, repair.model_copy(update={"outcome": "refused", "note": problem}))
    if fix.category == "test":
        doubt = FunctionTestDoubt(function=function.name, test=fix.where, cause=fix.cause, tests=fix.code)
        return replace(_add_repair(writing, repair.model_copy(update={"outcome": "asked"})), doubt=doubt)
    changed = _replace(writing, function.name, code=document_code(fix.code, function), results=(), error="")
    return _add_repair(_forget_results_above(changed, function.name), repair)


def _find_category_problem(step: RepairDue, fix: Fix) -> str:
    if fix.category in step.categories:
        return ""
    return f"The category {fix.category!r} is ruled out here. It is {' or '.join(map(repr, step.categories))}."


def _find_problem(function: WrittenFunction, fix: Fix) -> str:
    if fix.category != "test":
        problem = find_fix_problem(function.code, fix.code, where=fix.where, fragment=fix.fragment)
        return problem or _find_signature_problem(function, fix.code)
    failing = {r.name.partition("[")[0].partition("::")[0] for r in function.results if r.outcome != "passed"}
    if fix.where not in failing and failing <= set(list_test_names(function.tests)):
        return f"{fix.where!r} is no test that fails. Those are {', '.join(sorted(failing))}."
    return find_fix_problem(function.tests, fix.code, where=fix.where, fragment=fix.fragment)


def _find_signature_problem(function: WrittenFunction, code: str) -> str:
    """A fix keeps to the specification: the parameters and the functions that are needed."""
    before, after = make_function(function), make_function(function.model_copy(update={"code": code}))
    if [p.name for p in before.parameters] != [p.name for p in after.parameters]:
        return f"The fix changes what {function.name!r} takes. Keep its parameters."
    if set(before.needs) != set(after.needs):
        return f"The fix changes which functions {function.name!r} needs. Keep them."
    return ""


def answer_doubt(writing: Writing, *, is_allowed: bool, reason: str = "") -> Writing:
    """What the person said of a test that seems wrong: change it, or keep it."""
    doubt = writing.doubt
    assert doubt is not None, "the person was asked about a test"
    *earlier, repair = writing.repairs
    outcome = "allowed" if is_allowed else "forbidden"
    repairs = (*earlier, repair.model_copy(update={"outcome": outcome, "note": reason}))
    answered = replace(writing, repairs=repairs, doubt=None)
    if not is_allowed:
        return answered
    return _replace(answered, doubt.function, tests=doubt.tests, results=(), error="")


def _forget_results_above(writing: Writing, name: str) -> Writing:
    """A function below was changed: those that need it are tested again."""
    for function in writing.functions:
        if name in make_function(function).needs and (function.results or function.error):
            writing = _forget_results_above(_replace(writing, function.name, results=(), error=""), function.name)
    return writing


def _add_repair(writing: Writing, repair: FunctionRepair) -> Writing:
    return replace(writing, repairs=(*writing.repairs, repair))


def _replace(writing: Writing, name: str, **values: object) -> Writing:
    functions = tuple(f.model_copy(update=values) if f.name == name else f for f in writing.functions)
    return replace(writing, functions=functions)
