"""What a function is to do, written before it is: its specification becomes the docstring of its file. Pure."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from assistant.core.events import WrittenFunction
from assistant.functions.function import Function, parse_function
from assistant.functions.tampering import list_test_names

_WIDTH = 100


def document_code(code: str, written: WrittenFunction) -> str:
    """The code with a docstring that says its specification, in place of the one that it has.

    Code that cannot be read stays as it is.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    definition = next((n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == written.name), None)
    if definition is None or definition.body[0].lineno == definition.lineno:
        return code
    lines = code.splitlines()
    first = definition.body[0]
    is_docstring = ast.get_docstring(definition, clean=False) is not None
    start = first.lineno - 1
    end = (first.end_lineno or first.lineno) if is_docstring else start
    docstring = [f"    {line}".rstrip() for line in _write_docstring(written)]
    if is_docstring and len(definition.body) == 1:
        docstring.append("    ...")
    return "\n".join([*lines[:start], *docstring, *lines[end:]]).strip("\n") + "\n"


def _write_docstring(written: WrittenFunction) -> list[str]:
    sections: list[str] = ["", "Args:"] if written.inputs else []
    for entry in written.inputs:
        sections += textwrap.wrap(entry, _WIDTH, initial_indent="    ", subsequent_indent="        ")
    if written.output:
        sections += [
            "",
            "Returns:",
            *textwrap.wrap(written.output, _WIDTH, initial_indent="    ", subsequent_indent="    "),
        ]
    purpose = textwrap.wrap(_quote(written.purpose), _WIDTH)
    text = [_quote(line) for line in sections]
    return [f'"""{purpose[0] if purpose else written.name}', *purpose[1:], *text, '"""']


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def make_function(written: WrittenFunction, *, author: str = "", date: str = "") -> Function:
    """The function of what was written.

    Raises:
        FunctionMalformed: its code does not define it.
    """
    return parse_function(
        written.name,
        written.code,
        tests=written.tests,
        complexity=written.complexity,
        words=written.words,
        author=author,
        date=date,
    )


def find_specification_problem(written: WrittenFunction, known: Sequence[str], siblings: Sequence[str]) -> str:
    """What of a function does not fit its specification; empty where all does.

    Args:
        written: the function.
        known: the names of the functions that there are.
        siblings: the names of those that are written with it.

    Raises:
        FunctionMalformed: its code does not define it.
    """
    if written.name in known:
        return f"There is a function {written.name!r} already. Import it, or give the new one another name."
    function = make_function(written)
    described = [entry.partition(":")[0].strip() for entry in written.inputs]
    parameters = [parameter.name for parameter in function.parameters]
    if described != parameters:
        return f"{written.name}: inputs describes {described}, the function takes {parameters}. They must agree."
    if set(function.needs) != set(written.needs):
        return f"{written.name}: needs says {[*written.needs]}, the code imports {[*function.needs]}. They must agree."
    if missing := [name for name in function.needs if name not in (*known, *siblings)]:
        return f"{written.name} needs {missing[0]!r}, which there is not. Write it, too, or do without it."
    if not list_test_names(written.tests):
        return f"{written.name} has no tests: name functions test_...."
    return ""
