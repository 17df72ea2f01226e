"""What a review says of the functions that a cell imports."""

from __future__ import annotations

import difflib
from collections.abc import Sequence
from typing import Protocol

from assistant.cells.functions import FunctionCycle, find_function_names, find_other_imports, order_functions
from assistant.core.events import Finding
from assistant.functions.function import Function
from assistant.functions.library import list_shipped
from assistant.functions.testing import list_stale


class FunctionCatalog(Protocol):
    """The functions that cells may import."""

    def list_functions(self) -> tuple[Function, ...]:
        """All functions, by name. Blocks."""
        ...


def review_functions(code: str, library: FunctionCatalog) -> Sequence[Finding]:
    """Name the functions that a cell imports, those that there are not, and those not tested as they are. Blocks."""
    if lines := find_other_imports(code):
        text = "Import each function by its name, so that what it runs is known: from functions import NAME."
        return tuple(Finding(level="danger", text=text, line=line) for line in lines)
    names = find_function_names(code)
    if not names:
        return ()
    functions = {function.name: function for function in library.list_functions()}
    if unknown := [name for name in names if name not in functions]:
        return tuple(Finding(level="danger", text=_describe_unknown(name, functions)) for name in unknown)
    sources = {name: function.source for name, function in functions.items()}
    try:
        needed = [functions[source.name] for source in order_functions(names, sources.get)]
    except FunctionCycle as cycle:
        return (Finding(level="danger", text=str(cycle)),)
    findings = [_describe_use(functions[name]) for name in names]
    return (*findings, *(_describe_untested(name) for name in list_stale(needed)))


def _describe_use(function: Function) -> Finding:
    """A function in use; one of the knowledge folder that hides one of Tandem is for the person to weigh."""
    if function.is_shipped:
        return Finding(level="note", text=f"Uses {function.name}, which comes with Tandem: {function.purpose}")
    text = f"Uses {function.name} of the knowledge folder: {function.purpose}"
    if any(shipped.name == function.name for shipped in list_shipped()):
        return Finding(level="warning", text=f"{text} It stands in for the one that comes with Tandem.")
    return Finding(level="note", text=text)


def _describe_unknown(name: str, functions: dict[str, Function]) -> str:
    if name == "*":
        return "The cell imports all functions. Name those that it uses."
    if near := difflib.get_close_matches(name, functions, n=1, cutoff=0.7):
        return f"There is no function {name!r}. Did you mean {near[0]!r}?"
    return f"There is no function {name!r}. There are {', '.join(functions)}."


def _describe_untested(name: str) -> Finding:
    text = f"The function {name!r} has not passed its tests as it is now. Test it: tandem functions test {name}"
    return Finding(level="warning", text=text)
