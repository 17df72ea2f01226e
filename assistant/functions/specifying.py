"""What a function is to do, written before it is: its specification becomes the docstring of its file. Pure."""

from __future__ import annotations

import ast
import textwrap
from collections.abc import Sequence

from assistant.core.events import WrittenFunction
from assistant.functions.function import Function, parse_function
from assistant.functions.tampering import list_test_names

_WIDTH = 100


def document_code(code: str, draft: WrittenFunction) -> str:
    """The code with a docstring that says its specification, in place of the one that it has.

    Code that cannot be read stays as it is.
    """
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError):
        return code
    definition = next((n for n in tree.body if isinstance(n, ast.FunctionDef) and n.name == draft.name), None)
    if definition is None or definition.body[0].lineno == definition.lineno:
        return code
    lines = code.splitlines()
    first = definition.body[0]
    is_docstring = ast.get_docstring(definition, clean=False) is not None
    start = first.lineno - 1
    end = (first.end_lineno or first.lineno) if is_docstring else start
    docstring = [f"    {line}".rstrip() for line in _write_docstring(draft)]
    if is_docstring and len(definition.body) == 1:
        docstring.append("    ...")
    return "\n".join([*lines[:start], *docstring, *lines[end:]]).strip("\n") + "\n"


def _write_docstring(draft: WrittenFunction) -> list[str]:
    sections: list[str] = ["", "Args:"] if draft.inputs else []
    for entry in draft.inputs:
        sections += textwrap.wrap(entry, _WIDTH, initial_indent="    ", subsequent_indent="        ")
    if draft.output:
        sections += [
            "",
            "Returns:",
            *textwrap.wrap(draft.output, _WIDTH, initial_indent="    ", subsequent_indent="    "),
        ]
    purpose = textwrap.wrap(_quote(draft.purpose), _WIDTH)
    text = [_quote(line) for line in sections]
    return [f'"""{purpose[0] if purpose else draft.name}', *purpose[1:], *text, '"""']


def _quote(text: str) -> str:
    return text.replace("\\", "\\\\").replace('"""', "'''")


def make_function(draft: WrittenFunction, *, author: str = "", date: str = "") -> Function:
    """The function of what was draft.

    Raises:
        FunctionMalformed: its code does not define it.
    """
    return parse_function(
        draft.name,
        draft.code,
        tests=draft.tests,
        complexity=draft.complexity,
        words=draft.words,
        author=author,
        date=date,
    )


def find_specification_problem(draft: WrittenFunction, existing: Sequence[str], siblings: Sequence[str]) -> str:
    """What of a function does not fit its specification; empty where all does.

    Args:
        draft: the function.
        existing: the names of the functions that there are.
        siblings: the names of those that are written with it.

    Raises:
        FunctionMalformed: its code does not define it.
    """
    if draft.name in existing:
        return f"There is a function {draft.name!r} already. Import it, or give the new one another name."
    function = make_function(draft)
    described = [entry.partition(":")[0].strip() for entry in draft.inputs]
    parameters = [parameter.name for parameter in function.parameters]
    if described != parameters:
        return f"{draft.name}: inputs describes {described}, the function takes {parameters}. They must agree."
    if set(function.needs) != set(draft.needs):
        return f"{draft.name}: needs says {[*draft.needs]}, the code imports {[*function.needs]}. They must agree."
    if absent := [name for name in function.needs if name not in (*existing, *siblings)]:
        return f"{draft.name} needs {absent[0]!r}, which there is not. Write it, too, or do without it."
    if not list_test_names(draft.tests):
        return f"{draft.name} has no tests: name functions test_...."
    return ""
