"""What every cell of a session starts with: the imports of the first cell, and `query()`.

The imports are plain text in `imports.py.txt`: models are shown them, and the exported notebook repeats those that its
cells use. The kernel binds the same names before the first cell; what draws is imported when a cell first uses it.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from importlib import resources

_LATE = ("altair", "matplotlib.pyplot")
"""Imported when first used: both take a third of a second, and most cells draw nothing."""


def load_imports() -> str:
    """The import statements whose names every cell may use, one a line."""
    return (resources.files("assistant.cells") / "imports.py.txt").read_text(encoding="utf-8").strip()


def render_prelude() -> str:
    """What a kernel runs silently before the first cell: it binds the imports' names and defines `query()`."""
    query = (resources.files("assistant.sources") / "prelude.py.txt").read_text(encoding="utf-8")
    bound = "\n".join(_find_bound_names(statement) for statement in ast.parse(load_imports()).body)
    return f"import tandem_guest\n\n{bound}\ndel tandem_guest\n\n\n{query}"


def _find_bound_names(statement: ast.stmt) -> str:
    match statement:
        case ast.Import(names=[ast.alias(name=name, asname=str(alias))]) if name in _LATE:
            return f"{alias} = tandem_guest.later({name!r})"
        case _:
            return ast.unparse(statement)


def list_aliases() -> dict[str, str]:
    """The names that the imports bind, each with its statement: `pd` with `import pandas as pd`."""
    statements: dict[str, str] = {}
    for statement in ast.parse(load_imports()).body:
        if isinstance(statement, ast.Import):
            statements |= {alias.asname or alias.name: ast.unparse(statement) for alias in statement.names}
    return statements


def list_imports_used(codes: Iterable[str]) -> tuple[str, ...]:
    """The import statements whose names some code uses, in the order of the first cell."""
    used: set[str] = set()
    for code in codes:
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # IPython's own syntax, or a cell that failed for it
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(statement for name, statement in list_aliases().items() if name in used)
