"""Functions that cells import from the module `functions`: which a cell needs, and how they are defined.

Pure. A function is a file of Python that defines one public function of its own name. Its source travels with the
proposal and the execution, so that what runs, runs again and is exported is what was approved.
"""

from __future__ import annotations

import ast
import hashlib
from collections.abc import Callable, Iterable, Sequence

from assistant.core.events import FunctionSource
from assistant.errors import AssistantError

MODULE = "functions"
_BY_NAME = frozenset(
    ("__import__", "import_module", "importlib", "modules", "find_spec", "pkgutil", "runpy", "eval", "exec")
)
FindFunctions = Callable[[str], tuple[FunctionSource, ...]]
"""Gives the functions that a cell imports with those that they need, in the order in which they are defined."""


class FunctionCycle(AssistantError):
    """Functions import each other in a circle, so that none of them can be defined first."""


def make_function_source(name: str, code: str) -> FunctionSource:
    """A function's source with its hash."""
    return FunctionSource(name=name, code=code, sha256=hashlib.sha256(code.encode()).hexdigest())


def find_none(_code: str) -> tuple[FunctionSource, ...]:
    """No function, where there is no library."""
    return ()


def find_function_names(code: str) -> tuple[str, ...]:
    """The functions that some code imports: `from functions import rfm_scores`.

    Code that cannot be read imports none.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    names: dict[str, None] = {}
    for node in ast.walk(tree):
        match node:
            case ast.ImportFrom(module="functions", level=0):
                names |= dict.fromkeys(alias.name for alias in node.names)
            case _:
                pass
    return tuple(names)


def find_other_imports(code: str) -> tuple[int, ...]:
    """The lines in which some code gets at the module otherwise than by `from functions import NAME`.

    What is imported so cannot be told before the cell runs.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return ()
    nodes = list(ast.walk(tree))
    is_by_name = any(_is_import_by_name(node) for node in nodes)
    return tuple(
        node.lineno
        for node in nodes
        if (isinstance(node, ast.Import) and any(alias.name.partition(".")[0] == MODULE for alias in node.names))
        or (isinstance(node, ast.ImportFrom) and (node.module or "").startswith(f"{MODULE}."))
        or (is_by_name and isinstance(node, ast.Constant) and node.value == MODULE)
    )


def _is_import_by_name(node: ast.AST) -> bool:
    """Whether some code can get at a module by a text that names it."""
    match node:
        case ast.Name(id=name) | ast.Attribute(attr=name) | ast.alias(name=name) | ast.Constant(value=str(name)):
            return name.partition(".")[0] in _BY_NAME
        case _:
            return False


def order_functions(
    names: Iterable[str], find_source: Callable[[str], FunctionSource | None]
) -> tuple[FunctionSource, ...]:
    """The functions of these names and all that they import, each after those that it needs.

    Names that `find_source` does not know are left out.

    Raises:
        FunctionCycle: with the path of the circle.
    """
    ordered: dict[str, FunctionSource] = {}

    def add(name: str, path: tuple[str, ...]) -> None:
        if name in path:
            circle = " → ".join((*path[path.index(name) :], name))
            raise FunctionCycle(f"These functions need each other: {circle}. Take one of the imports out.")
        source = find_source(name) if name not in ordered else None
        if source is None:
            return
        for needed in find_function_names(source.code):
            add(needed, (*path, name))
        ordered[name] = source

    try:
        for name in names:
            add(name, ())
    except RecursionError as error:
        raise FunctionCycle("These functions need each other over too many steps. Make the chain shorter.") from error
    return tuple(ordered.values())


def render_definitions(functions: Sequence[FunctionSource]) -> str:
    """Code that defines the module `functions` with these functions, in their order; plain Python without Tandem.

    Each has a namespace of its own, so that helpers of the same name do not meet. What it prints of an error has the
    function's lines.
    """
    if not functions:
        return ""
    calls = "\n".join(f"{_NAME}({function.name!r}, {_make_literal(function.code)})" for function in functions)
    return f"{_DEFINE}\n\n{calls}\ndel {_NAME}"


def _make_literal(code: str) -> str:
    """The code as a literal that can be read, where triple quotes mean exactly it."""
    text = f"r'''{code}'''"
    try:
        if ast.literal_eval(text) == code:
            return text
    except (SyntaxError, ValueError, UnicodeEncodeError):
        pass  # it has triple quotes itself, or ends in a backslash
    return repr(code)


_NAME = "_define_function"
_DEFINE = '''\
def _define_function(name, code):
    """Define a function in the module `functions`."""
    import builtins
    import linecache
    import sys
    import types

    file = f"functions/{name}.py"
    linecache.cache[file] = (len(code), None, code.splitlines(True), file)
    space = types.ModuleType(f"functions.{name}")
    space.__file__ = file
    builtins.exec(builtins.compile(code, file, "exec"), space.__dict__)
    module = sys.modules.setdefault("functions", types.ModuleType("functions"))
    setattr(module, name, getattr(space, name))
'''
