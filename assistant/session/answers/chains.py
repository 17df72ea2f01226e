"""The cells that an answer depends on: those of its own steps, and earlier ones whose names they use. Pure."""

from __future__ import annotations

import ast
import builtins
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from assistant.cells.first_cell import list_aliases
from assistant.core.events import Execution
from assistant.core.turns import Transcript, Turn

_PREDEFINED = frozenset((*dir(builtins), *list_aliases(), "query", "files", "display"))
_CHANGING = frozenset(
    ("add", "append", "clear", "discard", "extend", "fit", "insert", "pop", "remove", "reverse", "sort", "update")
)
"""Methods that change what they are called on; others do only with `inplace`."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Chain:
    """Cells that give an answer together.

    Attributes:
        executions: Their last executions, in the order in which they ran.
        undefined_names: Names that they use and that no cell of the conversation defines, though the kernel has them.
    """

    executions: tuple[Execution, ...]
    undefined_names: tuple[str, ...] = ()


def find_chain(transcript: Transcript, turn: Turn) -> Chain:
    """The cells that a turn's answer rests on.

    A cell of an earlier turn, or of an earlier plan, is one of them where it defines or changes a name that a later one
    uses.
    """
    last = {execution.step: execution for execution in turn.executions if execution.step <= len(turn.steps)}
    own = [execution for _, execution in sorted(last.items())]
    ids = {id(execution) for execution in own}
    before = [
        execution
        for earlier in transcript.turns
        if earlier.number <= turn.number
        for execution in earlier.executions
        if execution.status == "ok" and id(execution) not in ids
    ]
    needed = _find_needed_names(own)
    needed_executions: list[Execution] = []
    for execution in reversed(before):
        if not needed:
            break
        names = _Names.of(execution.code)
        if needed & (names.assigned | names.changed):
            needed_executions.insert(0, execution)
            needed = (needed - names.assigned) | names.used
    in_kernel = {variable.name for variable in transcript.kernel.variables}
    return Chain(executions=(*needed_executions, *own), undefined_names=tuple(sorted(needed & in_kernel)))


def _find_needed_names(executions: Iterable[Execution]) -> frozenset[str]:
    """The names that cells use and do not define themselves before."""
    defined: frozenset[str] = frozenset()
    needed: frozenset[str] = frozenset()
    for execution in executions:
        names = _Names.of(execution.code)
        needed |= names.used - defined
        defined |= names.assigned
    return needed


@dataclass(frozen=True, slots=True, kw_only=True)
class _Names:
    """What a cell takes from those before it, what it defines, and what it changes in place."""

    used: frozenset[str]
    assigned: frozenset[str]
    changed: frozenset[str]

    @classmethod
    def of(cls, code: str) -> _Names:
        try:
            body: Sequence[ast.stmt] = ast.parse(code).body
        except (SyntaxError, ValueError, RecursionError):
            body = ()  # IPython's own syntax: it names nothing that could be followed
        used: set[str] = set()
        assigned: set[str] = set()
        changed: set[str] = set()
        for statement in body:
            nodes = list(ast.walk(statement))
            stored = _list_stored(nodes)
            loaded = {node.id for node in nodes if isinstance(node, ast.Name) and isinstance(node.ctx, ast.Load)}
            if isinstance(statement, ast.AugAssign) and isinstance(statement.target, ast.Name):
                loaded.add(statement.target.id)
            elif not isinstance(statement, ast.Assign | ast.AnnAssign | ast.Expr):
                loaded -= stored  # a loop's or a function's own names
            inner = _list_inner(nodes)
            used |= loaded - inner - assigned - _PREDEFINED
            changed |= _list_changed(nodes)
            assigned |= stored - inner
        return cls(used=frozenset(used), assigned=frozenset(assigned), changed=frozenset(changed))


def _list_stored(nodes: Iterable[ast.AST]) -> set[str]:
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.Name(id=name, ctx=ast.Store()) | ast.FunctionDef(name=name) | ast.ClassDef(name=name):
                names.add(name)
            case ast.alias(name=name, asname=alias):
                names.add(alias or name.partition(".")[0])
            case _:
                continue
    return names


def _list_inner(nodes: Iterable[ast.AST]) -> set[str]:
    """The names that exist within a comprehension, a lambda or a function alone."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.comprehension(target=target):
                names |= {part.id for part in ast.walk(target) if isinstance(part, ast.Name)}
            case ast.arg(arg=name):
                names.add(name)
            case _:
                continue
    return names


def _list_changed(nodes: Iterable[ast.AST]) -> set[str]:
    """The names whose values a statement may change in place: `frame["a"] = 1`, `frame.pop("a")`."""
    names: set[str] = set()
    for node in nodes:
        match node:
            case ast.Subscript(value=value, ctx=ast.Store() | ast.Del()) | ast.Attribute(value=value, ctx=ast.Store()):
                names |= _find_root(value)
            case ast.Call(func=ast.Attribute(value=value, attr=attr), keywords=keywords) if attr in _CHANGING or any(
                keyword.arg == "inplace" for keyword in keywords
            ):
                names |= _find_root(value)
            case _:
                continue
    return names


def _find_root(value: ast.expr) -> set[str]:
    while isinstance(value, ast.Attribute | ast.Subscript):
        value = value.value
    return {value.id} if isinstance(value, ast.Name) else set()
