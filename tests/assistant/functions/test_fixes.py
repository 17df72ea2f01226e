"""Whether a changed file holds the fix that it is said to hold."""

from __future__ import annotations

import pytest

from assistant.functions.fixes import find_fix_problem

BEFORE = '''
import math

RATE = 2


def half(x):
    """Half of it."""
    return x / RATE


def other(x):
    return math.sqrt(x)
'''
AFTER = BEFORE.replace("return x / RATE", "return x / 2.0")
CASES = [
    pytest.param(AFTER, "half", "", "", id="the fix that was named"),
    pytest.param(AFTER, "half", "x / 2.0", "", id="with the expression that was named"),
    pytest.param(AFTER, "half", "return x / 2.0", "", id="or the statement"),
    pytest.param(AFTER.replace("import math", "import math\nimport re"), "half", "", "", id="with an import"),
    pytest.param(AFTER + "\n\ndef helper():\n    return 1\n", "half", "", "", id="with a helper"),
    pytest.param(BEFORE, "half", "", "unchanged", id="unchanged"),
    pytest.param(BEFORE.replace("Half of it.", "A half."), "half", "", "unchanged", id="another docstring"),
    pytest.param(
        BEFORE.replace("return x / RATE", "return  x / RATE  # now right"), "half", "", "unchanged", id="a comment"
    ),
    pytest.param(BEFORE.replace("sqrt", "cbrt"), "half", "", "the change is in 'other'", id="a change elsewhere"),
    pytest.param(BEFORE.replace("RATE = 2", "RATE = 3"), "half", "", "the change is in", id="outside definitions"),
    pytest.param(AFTER.replace("sqrt", "cbrt"), "half", "", "'other' is changed as well", id="and elsewhere"),
    pytest.param(AFTER, "double", "", "does not define. It defines 'half', 'other'", id="a name that is not there"),
    pytest.param(AFTER, "half", "x / 3.0", "does not hold it", id="another expression than was named"),
    pytest.param(BEFORE.replace("return x", "x = x\n    return x"), "half", "x / RATE", "held", id="one of before"),
    pytest.param(AFTER, "half", "x /", "no code", id="a fragment that is no code"),
    pytest.param(AFTER.replace("def other(x):\n    return math.sqrt(x)\n", ""), "half", "", "is gone", id="removed"),
    pytest.param("def half(", "half", "", "not valid Python", id="no Python"),
]


@pytest.mark.parametrize(("after", "where", "fragment", "problem"), CASES)
def test_a_fix_is_where_its_diagnosis_says(after: str, where: str, fragment: str, problem: str) -> None:
    result = find_fix_problem(BEFORE, after, where=where, fragment=fragment)
    assert problem in result
    assert bool(result) is bool(problem)
