"""What a function and its tests must not touch, because it could fake the result of a test. Pure.

Tests run in a process of their own, and the process that starts them counts them. Code that reaches into that process
(the interpreter's frames, pytest itself, the end of the process) is refused before it runs. This list makes faking
hard, not impossible: the tests are also run without the function, where each of them must fail.
"""

from __future__ import annotations

import ast

_MODULES = frozenset(
    (
        *("_ctypes", "_pickle", "_pytest", "atexit", "builtins", "cffi", "cloudpickle", "code", "ctypes", "dill"),
        *("faulthandler", "gc", "importlib", "inspect", "io", "marshal", "multiprocessing", "os", "pdb", "pickle"),
        *("pkgutil", "posix", "runpy", "shelve", "signal", "site", "subprocess", "sys", "threading", "timeit"),
        *("traceback", "types", "unittest", "weakref"),
    )
)
_GETTERS = frozenset(("getattr", "setattr", "delattr"))
_REACHING = frozenset(("attrgetter", "methodcaller", "update_wrapper", "wraps", "Formatter"))
"""What reads attributes by names that are made while it runs."""
_PATCHING = frozenset(("monkeypatch", "pytester", "pytestconfig"))
_NAMES = frozenset(
    (
        *("__builtins__", "__import__", "breakpoint", "compile", "eval", "exec", "exit", "globals", "locals", "quit"),
        *("vars", "open", "__loader__", "__spec__", "__dict__", "__globals__", "__match_args__"),
        *_REACHING,
        *_PATCHING,
    )
)
_ATTRIBUTES = frozenset(
    (
        *("__globals__", "__subclasses__", "__builtins__", "__code__", "__closure__", "__traceback__", "__dict__"),
        *("__mro__", "__bases__", "__base__", "__class__", "__getattribute__", "f_back", "f_globals", "f_locals"),
        *("__setattr__", "__delattr__", "__match_args__", "getfixturevalue", "read_pickle", "importlib", "inspect"),
        *("gi_frame", "tb_frame", "_getframe", "_exit", "os", "sys", "gc", "ctypes", "builtins", "pickle"),
        *_REACHING,
        *_PATCHING,
    )
)
_IN_TEXTS = frozenset(("pickle", "ctypes", "importlib", "inspect", "gc", *_PATCHING))
_DUNDERS = tuple(name for name in _ATTRIBUTES | _NAMES if name.startswith("__"))
_PYTEST = frozenset(("approx", "deprecated_call", "fixture", "mark", "param", "raises", "warns"))
_MARKS = frozenset(("filterwarnings", "parametrize", "skip", "skipif", "usefixtures"))
_HOOKS = ("pytest_", "conftest")


def find_tampering(code: str) -> str:
    """What in some code could fake the result of a test, with its line; empty where nothing is."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ""  # it does not run either
    judged = {id(node.func) for node in ast.walk(tree) if isinstance(node, ast.Call)}
    for node in ast.walk(tree):
        name = _find_name(node)
        if isinstance(node, ast.Name) and node.id in _GETTERS and id(node) not in judged:
            name = node.id
        if name:
            return f"line {getattr(node, 'lineno', 0)} uses {name!r}"
    return ""


def _find_name(node: ast.AST) -> str:
    """The name in a node that is not allowed."""
    match node:
        case ast.Import() | ast.ImportFrom():
            return _find_import(node)
        case ast.Attribute():
            return _find_attribute(node)
        case ast.Name(id=name):
            return name if name in _NAMES else ""
        case ast.arg(arg=name):
            return name if name in _PATCHING else ""
        case ast.MatchClass(kwd_attrs=names):
            return next((name for name in names if name in _ATTRIBUTES), "")
        case ast.Constant(value=str(text)):
            return next((name for name in _DUNDERS if name in text), "") or next(
                (part for part in text.split(".") if part in _IN_TEXTS), ""
            )
        case ast.FunctionDef(name=name) | ast.AsyncFunctionDef(name=name):
            return name if name.startswith(_HOOKS) else ""
        case ast.Call(func=ast.Name(id=name), args=arguments) if name in _GETTERS:
            key = arguments[1] if len(arguments) > 1 else None
            return "" if isinstance(key, ast.Constant) and key.value not in _ATTRIBUTES else name
        case _:
            return ""


def _find_import(node: ast.Import | ast.ImportFrom) -> str:
    match node:
        case ast.Import(names=names):
            modules = (alias.name.partition(".")[0] for alias in names)
            aliased = (alias.name for alias in names if alias.name == "pytest" and alias.asname)
            return next((module for module in modules if module in _MODULES), "") or next(aliased, "")
        case ast.ImportFrom(module=str(module), names=names):
            if module.partition(".")[0] in _MODULES:
                return module.partition(".")[0]
            allowed = _PYTEST if module == "pytest" else None
            return next(
                (
                    alias.name
                    for alias in names
                    if alias.name in _MODULES | _ATTRIBUTES or (allowed is not None and alias.name not in allowed)
                ),
                "",
            )
        case _:
            return ""


def _find_attribute(node: ast.Attribute) -> str:
    match node:
        case ast.Attribute(value=ast.Name(id="pytest"), attr=attribute):
            return "" if attribute in _PYTEST else f"pytest.{attribute}"
        case ast.Attribute(value=ast.Attribute(value=ast.Name(id="pytest"), attr="mark"), attr=attribute):
            return "" if attribute in _MARKS else f"pytest.mark.{attribute}"
        case ast.Attribute(attr=attribute):
            return attribute if attribute in _ATTRIBUTES else ""


def list_test_names(tests: str) -> tuple[str, ...]:
    """The tests that a file defines, by the names that pytest gives them: `test_it`, `TestSome::test_it`."""
    try:
        tree = ast.parse(tests)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: dict[str, None] = {}
    for node in tree.body:
        match node:
            case ast.FunctionDef(name=name) if name.startswith("test"):
                names[name] = None
            case ast.ClassDef(name=owner, body=body) if owner.startswith("Test"):
                methods = (entry.name for entry in body if isinstance(entry, ast.FunctionDef))
                names |= dict.fromkeys(f"{owner}::{name}" for name in methods if name.startswith("test"))
            case _:
                pass
    return tuple(names)
