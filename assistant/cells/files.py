"""The files of sources that a cell reads as they lie there. Pure."""

from __future__ import annotations

import ast


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
