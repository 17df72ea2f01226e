"""The files of sources that a cell reads as they lie there, and the modules that it imports. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator

_ABSENT = ("ImportError", "ModuleNotFoundError", "Exception", "BaseException")
"""What a cell catches that can do without a module."""


def find_literal_files(code: str) -> frozenset[str]:
    """The names of files that a cell reads by `files["name"]`, as literal text; none where it cannot be read."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return frozenset()
    return frozenset(
        node.slice.value
        for node in ast.walk(tree)
        if isinstance(node, ast.Subscript)
        and isinstance(node.value, ast.Name)
        and node.value.id == "files"
        and isinstance(node.slice, ast.Constant)
        and isinstance(node.slice.value, str)
    )


def find_imported_modules(code: str, *, needed: bool = False) -> Iterator[tuple[str, int]]:
    """The top-level modules that some code imports, each as often as it does, with the line.

    Code that cannot be read imports nothing: IPython's own syntax, or a cell that failed for it.

    Args:
        code: the code.
        needed: leave out imports whose failure the code catches (`try: import numba`, `except ImportError`).
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    optional = set[ast.AST]() if not needed else {node for handler in ast.walk(tree) for node in _find_caught(handler)}
    for node in ast.walk(tree):
        if node in optional:
            continue
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node.lineno


def _find_caught(node: ast.AST) -> Iterator[ast.AST]:
    """All that stands in a `try` which catches that a module is absent, or is tried instead of it."""
    if not isinstance(node, ast.Try):
        return
    handlers = [handler for handler in node.handlers if _catches(handler.type)]
    if handlers:
        for part in (*node.body, *handlers):
            yield from ast.walk(part)


def _catches(caught: ast.expr | None) -> bool:
    exceptions = caught.elts if isinstance(caught, ast.Tuple) else [caught]
    return any(
        exception is None or (isinstance(exception, ast.Name) and exception.id in _ABSENT) for exception in exceptions
    )
