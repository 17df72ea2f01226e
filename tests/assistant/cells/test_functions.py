"""Functions of cells are found, ordered and defined, each in a namespace of its own."""

from __future__ import annotations

import sys
from collections.abc import Iterator

import pytest

from assistant.cells.functions import (
    FunctionCycle,
    find_function_names,
    find_other_imports,
    make_function_source,
    order_functions,
    render_definitions,
)
from assistant.core.events import FunctionSource

SOURCES = {
    "a": "from functions import b\n\n_K = 1\n\n\ndef a():\n    return b() + _K\n",
    "b": "_K = 10\n\n\ndef b():\n    return _K\n",
    "quotes": "def quotes():\n    return '''a\\'''' + \"\"\"b\"\"\"\n",
    "self_": "from functions import self_\ndef self_(): ...",
    "x": "from functions import y\ndef x(): ...",
    "y": "from functions import z\ndef y(): ...",
    "z": "from functions import x\ndef z(): ...",
}


def _find(name: str) -> FunctionSource | None:
    return make_function_source(name, SOURCES[name]) if name in SOURCES else None


@pytest.fixture
def _no_module() -> Iterator[None]:
    yield
    sys.modules.pop("functions", None)


@pytest.mark.parametrize(
    ("code", "names"),
    [
        ("from functions import a, b as c", ("a", "b")),
        ("import functions\nfunctions.a(1)", ()),
        ("if x:\n    from functions import a", ("a",)),
        ("from functions.deep import a\nfrom .functions import b\nfunctions = 1", ()),
        ("%timeit x", ()),
    ],
)
def test_names_are_found_wherever_they_are_imported(code: str, names: tuple[str, ...]) -> None:
    assert find_function_names(code) == names


def test_each_comes_after_those_that_it_needs_and_once() -> None:
    assert [source.name for source in order_functions(["a", "b", "missing"], _find)] == ["b", "a"]


@pytest.mark.parametrize(("name", "circle"), [("self_", "self_ → self_"), ("x", "x → y → z → x")])
def test_a_circle_is_an_error_with_its_path(name: str, circle: str) -> None:
    with pytest.raises(FunctionCycle, match=circle):
        order_functions([name], _find)


@pytest.mark.usefixtures("_no_module")
def test_helpers_of_the_same_name_do_not_meet() -> None:
    space: dict[str, object] = {}
    exec(render_definitions(order_functions(["a"], _find)), space)
    exec("from functions import a\nresult = a()", space)
    assert space["result"] == 11
    assert "_define_function" not in space


@pytest.mark.usefixtures("_no_module")
def test_any_source_is_defined_byte_for_byte() -> None:
    space: dict[str, object] = {}
    exec(render_definitions(order_functions(["quotes"], _find)), space)
    exec("from functions import quotes\nresult = quotes()", space)
    assert space["result"] == "a'b"


def test_no_function_needs_no_code() -> None:
    assert render_definitions(()) == ""


@pytest.mark.parametrize(
    ("code", "lines"),
    [
        ("import functions", (1,)),
        ("x = 1\nimport functions as f", (2,)),
        ("from functions.deep import a", (1,)),
        ("import importlib\nimportlib.import_module('functions').a()", (2,)),
        ("__import__('functions')", (1,)),
        ("import sys\nsys.modules['functions'].a = 1", (2,)),
        ("from functions import a\nprint(a)", ()),
        ("name = 'functions'\nimport importlib\nimportlib.import_module(name)", (1,)),
        ("import sys\ngetattr(sys, 'modules')['functions']", (2,)),
        ("functions = 1", ()),
        ("people.groupby('functions').size()", ()),
    ],
)
def test_other_ways_to_the_module_are_found(code: str, lines: tuple[int, ...]) -> None:
    assert find_other_imports(code) == lines


def test_a_chain_that_is_too_long_is_an_error_of_its_own() -> None:
    chain = {f"f{n}": make_function_source(f"f{n}", f"from functions import f{n + 1}") for n in range(5_000)}
    with pytest.raises(FunctionCycle, match="too many steps"):
        order_functions(["f0"], chain.get)
