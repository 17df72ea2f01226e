"""Writing functions by test: what is due next, what a fix may change, and when it ends."""

from __future__ import annotations

import pytest

from assistant.cells.functions import FunctionCycle
from assistant.core.events import FaultCategory, WrittenFunction
from assistant.functions.specifying import document_code, find_specification_problem, make_function
from assistant.functions.testing import CaseResult, SuiteRun
from assistant.functions.writing import (
    REPAIRS_MAX,
    Fix,
    GivenUp,
    PersonDue,
    RepairDue,
    RunDue,
    Writing,
    add_run,
    answer_doubt,
    apply_fix,
    begin_writing,
    find_next_step,
)

TESTS = "from functions import {0}\n\n\ndef test_normal():\n    assert {0}(2) == 4\n"


def write(name: str, *needs: str, body: str = "return x") -> WrittenFunction:
    imports = "".join(f"from functions import {needed}\n" for needed in needs)
    return WrittenFunction(
        name=name,
        purpose="Double a number.",
        inputs=("x: the number.",),
        output="Twice the number.",
        needs=needs,
        code=f"{imports}\n\ndef {name}(x):\n    {body}\n",
        tests=TESTS.format(name),
    )


def run(writing: Writing, name: str, message: str = "", *, error: str = "") -> Writing:
    """The writing after a run of a function's only test."""
    result = CaseResult(name="test_normal", outcome="failed" if message else "passed", message=message)
    results = () if error else (result,)
    return add_run(writing, SuiteRun(function=make_function(writing.find(name)), results=results, error=error))


def fix(category: FaultCategory = "logic", *, body: str = "return 2 * x", where: str = "double") -> Fix:
    return Fix(category=category, cause="It does not double.", where=where, code=f"def double(x):\n    {body}\n")


def repair_due(writing: Writing) -> RepairDue:
    step = find_next_step(writing)
    assert isinstance(step, RepairDue), step
    return step


def failing() -> Writing:
    return run(begin_writing([write("double")]), "double", "assert 2 == 4")


def test_what_is_needed_is_tested_first_and_all_that_passes_is_the_persons_to_decide() -> None:
    writing = begin_writing([write("fourfold", "double"), write("double")])
    assert [function.name for function in writing.functions] == ["double", "fourfold"]
    assert find_next_step(writing) == RunDue(function="double")
    writing = run(writing, "double")
    assert find_next_step(writing) == RunDue(function="fourfold")
    assert not writing.all_tests_passed
    writing = run(writing, "fourfold")
    assert writing.all_tests_passed
    assert isinstance(find_next_step(writing), PersonDue)


def test_a_circle_is_an_error_that_names_its_path() -> None:
    with pytest.raises(FunctionCycle, match="a → b → a"):
        begin_writing([write("a", "b"), write("b", "a")])


def test_a_fix_is_tested_and_so_is_what_stands_on_it() -> None:
    writing = begin_writing([write("double"), write("fourfold", "double"), write("eightfold", "fourfold")])
    for name in ("double", "fourfold"):
        writing = run(writing, name)
    writing = run(writing, "double", "assert 2 == 4")
    writing = apply_fix(writing, repair_due(writing), fix())
    assert [bool(function.results) for function in writing.functions] == [False, False, False]
    assert find_next_step(writing) == RunDue(function="double")
    assert "return 2 * x" in writing.find("double").code
    assert [repair.outcome for repair in writing.repairs] == ["applied"]


@pytest.mark.parametrize(
    ("change", "note"),
    [
        (fix(body="return x"), "unchanged"),
        (fix(where="other"), "does not define"),
        (Fix(category="logic", cause="", where="double", code="def double(y):\n    return 2 * y\n"), "takes"),
        (Fix(category="logic", cause="", where="double", code="from functions import g\n\n\ndef double(x):\n    g\n"), "needs"),
    ],
)  # fmt: skip
def test_code_that_is_not_the_fix_is_refused_without_a_run(change: Fix, note: str) -> None:
    before = failing()
    after = apply_fix(before, repair_due(before), change)
    assert after.functions == before.functions  # its results stand: nothing is due to run
    assert after.repairs[-1].outcome == "refused"
    assert note in after.repairs[-1].note
    assert after.repairs[-1].note in repair_due(after).reason


def test_a_diagnosis_that_failed_twice_is_turned_round() -> None:
    writing = failing()
    for body in ("return 3 * x", "return 5 * x"):
        assert "logic" in repair_due(writing).categories
        writing = run(apply_fix(writing, repair_due(writing), fix(body=body)), "double", "assert 6 == 4")
    step = repair_due(writing)
    assert step.categories == ("test",)
    assert "'logic' failed 2 times" in step.reason
    refused = apply_fix(writing, step, fix(body="return 7 * x"))
    assert "ruled out" in refused.repairs[-1].note


WRONG_TEST = Fix(
    category="test", cause="Twice two is four.", where="test_normal", code=TESTS.format("double").replace("4", "5")
)


def test_a_test_is_changed_only_if_the_person_says_so() -> None:
    writing = failing()
    asked = apply_fix(writing, repair_due(writing), WRONG_TEST)
    assert isinstance(find_next_step(asked), PersonDue)
    assert asked.doubt is not None
    assert asked.find("double").tests == TESTS.format("double")
    assert not asked.all_tests_passed

    allowed = answer_doubt(asked, is_allowed=True)
    assert "== 5" in allowed.find("double").tests
    assert find_next_step(allowed) == RunDue(function="double")

    forbidden = answer_doubt(asked, is_allowed=False, reason="Four is right.")
    assert forbidden.find("double").tests == TESTS.format("double")
    step = repair_due(forbidden)
    assert "test" not in step.categories
    assert "Four is right." in step.reason


def test_a_test_that_passes_or_another_than_is_named_is_not_changed() -> None:
    writing = failing()
    for where in ("test_more", "double"):
        change = Fix(category="test", cause="", where=where, code=WRONG_TEST.code)
        assert apply_fix(writing, repair_due(writing), change).repairs[-1].outcome == "refused"


def test_tests_turned_round_twice_are_logic() -> None:
    writing = failing()
    for number in ("5", "6"):
        code = TESTS.format("double").replace("4", number)
        change = Fix(category="test", cause="", where="test_normal", code=code)
        writing = answer_doubt(apply_fix(writing, repair_due(writing), change), is_allowed=True)
        writing = run(writing, "double", "assert 2 == 4")
    assert repair_due(writing).categories == ("logic",)


def test_what_the_person_forbade_and_logic_cannot_mend_is_given_up() -> None:
    writing = failing()
    writing = answer_doubt(apply_fix(writing, repair_due(writing), WRONG_TEST), is_allowed=False)
    for body in ("return 3 * x", "return 5 * x"):
        writing = run(apply_fix(writing, repair_due(writing), fix(body=body)), "double", "assert 6 == 4")
    step = find_next_step(writing)
    assert isinstance(step, GivenUp)
    assert "the person says that its test is right" in step.reason


def test_repairs_are_bounded_refused_ones_too() -> None:
    writing = failing()
    for _ in range(REPAIRS_MAX):
        writing = apply_fix(writing, repair_due(writing), fix(body="return x"))
    assert isinstance(find_next_step(writing), GivenUp)


def test_an_import_that_is_missing_is_no_matter_of_opinion() -> None:
    error = "The function cannot be defined: ModuleNotFoundError: No module named 'no_such_module'"
    writing = run(begin_writing([write("double")]), "double", error=error)
    step = repair_due(writing)
    assert step.categories == ("environment",)
    assert "No module named 'no_such_module'. Do without it." in step.reason


def test_the_specification_becomes_the_docstring_and_is_read_from_it_again() -> None:
    written = write("double")
    for code in (written.code, 'def double(x):\n    """Old.\n\n    More."""\n    return x\n'):
        documented = document_code(code, written)
        function = make_function(written.model_copy(update={"code": documented}))
        assert function.purpose == "Double a number."
        assert [(p.name, p.meaning) for p in function.parameters] == [("x", "the number.")]
        assert function.returns == "Twice the number."
        assert "Old." not in documented
        assert document_code(documented, written) == documented


def test_what_does_not_fit_its_specification_says_so() -> None:
    written = write("double")
    assert find_specification_problem(written, (), ("double",)) == ""
    assert "already" in find_specification_problem(written, ("double",), ())
    for change, problem in {
        ("inputs", ("y: the number.",)): "takes ['x']",
        ("needs", ("half",)): "must agree",
        ("tests", "x = 1"): "has no tests",
    }.items():
        assert problem in find_specification_problem(written.model_copy(update=dict([change])), (), ())
    assert "'half', which there is not" in find_specification_problem(write("double", "half"), (), ("double",))
