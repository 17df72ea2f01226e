"""A function's specification is read from its source, which is never run on the host."""

from __future__ import annotations

import pytest

from assistant.functions.function import FunctionMalformed, parse_function

CODE = '''"""Take the VAT off an amount."""

from functions import round_money


def without_vat(amount: float, *, rate: float = 0.19) -> float:
    """Divide by one plus the rate.

    Args:
        amount: with VAT,
            in any currency.
        rate: as a share.

    Returns:
        The amount without VAT.

    Raises:
        ValueError: the rate is negative.
    """
    return round_money(amount / (1 + rate))
'''


def test_the_specification_is_that_of_the_source() -> None:
    function = parse_function("without_vat", CODE)
    assert function.purpose == "Take the VAT off an amount."
    assert [(p.name, p.annotation, p.default, p.meaning) for p in function.parameters] == [
        ("amount", "float", "", "with VAT, in any currency."),
        ("rate", "float", "0.19", "as a share."),
    ]
    assert (function.returns, function.raises) == ("The amount without VAT.", "ValueError: the rate is negative.")
    assert function.signature == "without_vat(amount, rate=0.19)"
    assert function.needs == ("round_money",)


def test_without_a_docstring_of_the_file_the_function_s_first_sentence_is_the_purpose() -> None:
    assert parse_function("f", 'def f():\n    """Do\n    it.\n\n    And more."""').purpose == "Do it."


@pytest.mark.parametrize(
    ("name", "code", "message"),
    [
        ("f", "def g(): pass", "defines no function of that name"),
        ("f", "f = 1", "defines no function of that name"),
        ("f", "def f(:", r"not valid Python \(line 1\)"),
        ("f", "\0", "not valid Python"),
        ("a-b", "", "no name for a function"),
        ("_f", "def _f(): pass", "no name for a function"),
        ("test_f", "def test_f(): pass", "begin with test_ hold tests"),
    ],
)
def test_what_is_no_function_is_refused_with_the_reason(name: str, code: str, message: str) -> None:
    with pytest.raises(FunctionMalformed, match=message):
        parse_function(name, code)


def test_a_change_of_source_or_tests_voids_what_was_tested() -> None:
    passed = parse_function("f", "def f(): return 1", tests="def test(): pass")
    tested = {"tested": passed.sha256}
    assert parse_function("f", "def f(): return 1", tests="def test(): pass", **tested).is_tested
    assert not parse_function("f", "def f(): return 2", tests="def test(): pass", **tested).is_tested
    assert not parse_function("f", "def f(): return 1", tests="", **tested).is_tested
