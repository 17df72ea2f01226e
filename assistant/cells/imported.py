"""Which modules the code of a cell imports. Pure."""

from __future__ import annotations

import ast
from collections.abc import Iterator


def imported(code: str) -> Iterator[tuple[str, int]]:
    """The top-level modules that some code imports, each as often as it does, with the line.

    Code that cannot be read imports nothing: IPython's own syntax, or a cell that failed for it.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return
    for node in ast.walk(tree):
        if isinstance(node, ast.Import):
            yield from ((alias.name.partition(".")[0], node.lineno) for alias in node.names)
        elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
            yield node.module.partition(".")[0], node.lineno
