"""Profile of the namespace after a cell: new and changed variables with a short profile of each, and deleted ones.

Examines known types only: no `repr`, no property and no `__len__` of a user's class ever runs here.
"""

from __future__ import annotations

import ast
import contextlib
import sys
from collections.abc import Mapping
from types import ModuleType
from typing import Any

VARIABLES_MAX = 200
COLUMNS_MAX = 200
_HIDDEN = {"In", "Out", "exit", "quit", "open", "get_ipython"}
_SIZED = (str, bytes, bytearray, list, tuple, dict, set, frozenset)
_PLAIN = (int, float, complex, bool, type(None))
_TABLE_MODULES = ("pandas", "numpy", "pyarrow", "polars")


class Ledger:
    """Remembers the variables as they were after the last cell."""

    def __init__(self, namespace: Mapping[str, Any]) -> None:
        self._namespace = namespace
        self._known: dict[str, tuple[Any, ...]] = {}
        self._hidden: set[str] = set()

    def hide_present(self) -> None:
        """Treat all there is now as furniture: the prelude's names are not the user's variables."""
        self._hidden = set(self._namespace)

    def after(self, code: str) -> dict[str, Any]:
        """What changed since the last call.

        Args:
            code: The cell that ran; a container that it assigns into counts as changed though it is the same object.
        """
        touched = _assigned(code)
        present: dict[str, tuple[Any, ...]] = {}
        changed: list[dict[str, Any]] = []
        for name, value in list(self._namespace.items()):
            if not self._is_users(name, value):
                continue
            described = describe(name, value)
            mark = (id(value), described["type"], described["shape"], described["columns"], described["size_bytes"])
            present[name] = mark
            if (self._known.get(name) != mark or name in touched) and len(changed) < VARIABLES_MAX:
                changed.append(described)
        deleted = sorted(set(self._known) - set(present))
        self._known = present
        return {"variables": changed, "gone": deleted[:VARIABLES_MAX]}

    def _is_users(self, name: Any, value: Any) -> bool:
        if type(name) is not str or name.startswith("_") or name in _HIDDEN:
            return False
        if name in self._hidden:
            return False
        return not isinstance(value, ModuleType)


def describe(name: str, value: Any) -> dict[str, Any]:
    """Type, shape, columns and size of one variable, as far as its type is known."""
    kind = type(value)
    module = kind.__module__ or ""
    shape: list[int] | None = None
    columns: list[str] | None = None
    size: int | None = None
    if module.split(".")[0] in _TABLE_MODULES:
        with contextlib.suppress(AttributeError, TypeError, ValueError):
            shape, columns, size = _describe_table(value)
    elif kind in _SIZED:
        shape, size = [len(value)], sys.getsizeof(value)
    elif kind in _PLAIN:
        size = sys.getsizeof(value)
    label = kind.__qualname__ if module in ("builtins", "__main__") else f"{module.split('.')[0]}.{kind.__qualname__}"
    return {"name": name[:200], "type": label[:200], "shape": shape, "columns": columns, "size_bytes": size}


def _describe_table(value: Any) -> tuple[list[int] | None, list[str] | None, int | None]:
    shape = getattr(value, "shape", None)
    sizes = [int(part) for part in shape] if isinstance(shape, tuple) else None
    columns = getattr(value, "columns", None) if hasattr(value, "iloc") else getattr(value, "column_names", None)
    names = [str(name)[:200] for name in list(columns)[:COLUMNS_MAX]] if columns is not None else None
    size = getattr(value, "nbytes", None)
    if hasattr(value, "memory_usage"):
        used = value.memory_usage(deep=False)
        size = used.sum() if hasattr(used, "sum") else used
    return sizes, names, int(size) if size is not None and not callable(size) else None


def _assigned(code: str) -> set[str]:
    """Names that the cell assigns, or assigns into (`df["x"] = ...`)."""
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return set()
    names: set[str] = set()
    for node in ast.walk(tree):
        if isinstance(node, (ast.Name, ast.Attribute, ast.Subscript)) and not isinstance(node.ctx, ast.Load):
            base: ast.expr = node
            while isinstance(base, (ast.Attribute, ast.Subscript)):
                base = base.value
            if isinstance(base, ast.Name):
                names.add(base.id)
    return names
