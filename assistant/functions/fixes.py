"""Whether a changed file holds the fix that a diagnosis names, read from its syntax tree before anything runs. Pure."""

from __future__ import annotations

import ast
from collections.abc import Mapping

_OUTSIDE = "the lines outside definitions"


def find_fix_problem(before: str, after: str, *, where: str, fragment: str = "") -> str:
    """Why a changed file is not the fix that it is said to be; empty where it is.

    Docstrings, comments and layout are no change.

    Args:
        before: the file as it failed.
        after: the file as it was changed.
        where: the function or class that the fix is in, by its name.
        fragment: code that the fix brings in, as far as it was named: an expression or statements.
    """
    try:
        old, new = _split(before), _split(after)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        return f"The changed file is not valid Python: {error}."
    changed = [name for name in {**old, **new} if old.get(name) != new.get(name)]
    if not changed:
        return "The code is unchanged. Make the fix that the diagnosis names."
    if where not in old:
        return f"The diagnosis names {where!r}, which the file does not define. It defines {_list_names(old)}."
    if where not in changed:
        return f"The diagnosis names {where!r}, but the change is in {changed[0]!r}. Change what it names."
    if removed := [name for name in old if name not in new]:
        return f"{removed[0]!r} is gone. A fix changes {where!r} and leaves the rest."
    # What the fix newly needs may come with it: an import, or a helper.
    if also_changed := [name for name in changed if name in old and name not in (where, _OUTSIDE)]:
        return f"The diagnosis names {where!r}, but {also_changed[0]!r} is changed as well. Leave it as it was."
    return _find_fragment_problem(old[where], new[where], where, fragment)


def _find_fragment_problem(before: str, after: str, where: str, fragment: str) -> str:
    if not fragment.strip():
        return ""
    try:
        statements = ast.parse(fragment.strip()).body
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return f"The fragment is no code: {fragment.strip()[:80]!r}. Give the expression or statement of the fix."
    for statement in statements:
        part = _dump(statement.value if isinstance(statement, ast.Expr) else statement)
        if part not in after:
            return f"The fix is to bring {ast.unparse(statement)!r} into {where!r}, which does not hold it."
        if part in before:
            return f"{where!r} held {ast.unparse(statement)!r} before, so it is not the fix."
    return ""


def _split(code: str) -> Mapping[str, str]:
    """The tree of each definition of a file, by its name, and of all lines outside them."""
    definitions: dict[str, str] = {}
    outside: list[str] = []
    for node in ast.parse(code).body:
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef):
            _strip_docstring(node)
            definitions[node.name] = _dump(node)
        elif not (isinstance(node, ast.Expr) and isinstance(node.value, ast.Constant)):
            outside.append(_dump(node))
    return {**definitions, _OUTSIDE: "\n".join(outside)}


def _strip_docstring(node: ast.FunctionDef | ast.AsyncFunctionDef | ast.ClassDef) -> None:
    if ast.get_docstring(node, clean=False) is not None:
        node.body = node.body[1:]


def _dump(node: ast.AST) -> str:
    return ast.dump(node, include_attributes=False)


def _list_names(definitions: Mapping[str, str]) -> str:
    return ", ".join(repr(name) for name in definitions if name != _OUTSIDE) or "nothing"
