"""Code that reaches into the process of its tests is refused before it runs; honest code is not."""

from __future__ import annotations

import pytest

from assistant.functions.library import list_shipped
from assistant.functions.tampering import find_tampering

FAKING = {
    'from operator import attrgetter\npatch = attrgetter("__globals__")(_tidy)\n'
    'patch["fakepass"] = lambda x: real(x)*2//3\n': "attrgetter",
    'import operator as o\no.attrgetter("a" + "b")(f)': "attrgetter",
    "from operator import *\nmethodcaller('a')(f)": "methodcaller",
    "g = getattr\ng(f, 'a' + 'b')": "getattr",
    "list(map(getattr, [f], [name]))": "getattr",
    "getattr(f, name)": "getattr",
    "getattr(*pair)": "getattr",
    "import pickle": "pickle",
    "x = pandas.io.common.pickle": "pickle",
    "from pandas.io.common import pickle": "pickle",
    "load('importlib.util')": "importlib",
    "x = 'inspect'": "inspect",
    "x = 'gc'": "gc",
    "x = 'ctypes'": "ctypes",
    "x = '{0.__globals__}'.format(f)": "__globals__",
    "x = f'{y}.__dict__'": "__dict__",
    "x = __builtins__": "__builtins__",
    "match f:\n    case object(__globals__=g): ...": "__globals__",
    "class A:\n    __match_args__ = ('a' + 'b',)": "__match_args__",
    "import functools\nfunctools.update_wrapper(a, f, assigned=names)": "update_wrapper",
    "import string\nstring.Formatter().get_field(name, (f,), {})": "Formatter",
    "def test_it(monkeypatch): ...": "monkeypatch",
    "def test_it(request):\n    request.getfixturevalue(name)": "getfixturevalue",
}


@pytest.mark.parametrize("code", FAKING)
def test_what_could_fake_a_result_is_found(code: str) -> None:
    assert f"'{FAKING[code]}'" in find_tampering(code)


@pytest.mark.parametrize(
    "code",
    [
        '"""Inspect the table; gc and pickle are words like others."""',
        "getattr(frame, 'columns', ())",
        "import operator\noperator.itemgetter(1)",
        "match x:\n    case Point(x=0): ...",
        "def f(table, request=None): ...",
    ],
)
def test_what_is_honest_is_not_found(code: str) -> None:
    assert find_tampering(code) == ""


def test_none_that_ships_is_found() -> None:
    for function in list_shipped():
        assert find_tampering(function.source.code) == find_tampering(function.tests) == "", function.name
