"""What every cell of a session starts with: the imports of the first cell, and `query()`.

The imports are plain text in `imports.py.txt`: the kernel runs them before the first cell, models are shown them, and
the exported notebook repeats those that its cells use.
"""

from __future__ import annotations

import ast
from collections.abc import Iterable
from importlib import resources


def imports() -> str:
    """The import statements that the kernel runs before the first cell, one a line."""
    return (resources.files("assistant.cells") / "imports.py.txt").read_text(encoding="utf-8").strip()


def prelude() -> str:
    """What a kernel runs silently before the first cell: the imports, and the definition of `query()`."""
    query = (resources.files("assistant.data") / "prelude.py.txt").read_text(encoding="utf-8")
    return f"{imports()}\n\n\n{query}"


def aliases() -> dict[str, str]:
    """The names that the imports bind, each with its statement: `pd` with `import pandas as pd`."""
    found: dict[str, str] = {}
    for statement in ast.parse(imports()).body:
        if isinstance(statement, ast.Import):
            found |= {alias.asname or alias.name: ast.unparse(statement) for alias in statement.names}
    return found


def imports_used(codes: Iterable[str]) -> tuple[str, ...]:
    """The import statements whose names some code uses, in the order of the first cell."""
    used: set[str] = set()
    for code in codes:
        try:
            tree = ast.parse(code)
        except (SyntaxError, ValueError, RecursionError, MemoryError):
            continue  # IPython's own syntax, or a cell that failed for it
        used |= {node.id for node in ast.walk(tree) if isinstance(node, ast.Name)}
    return tuple(statement for name, statement in aliases().items() if name in used)
