"""A function with its specification: what it is for, takes and gives, read from its own source. Pure.

The source is never run here: it is untrusted text until it stands in the cage.
"""

from __future__ import annotations

import ast
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any

from assistant.cells.functions import find_function_names, make_function_source
from assistant.core.events import FunctionSource
from assistant.errors import AssistantError

_SECTION = re.compile(r"^(Args|Returns|Raises|Source):\s*$", re.MULTILINE)


class FunctionMalformed(AssistantError):
    """A function's file does not define the function that its name promises."""


@dataclass(frozen=True, slots=True, kw_only=True)
class Parameter:
    """A parameter of a function: what it means, its annotation and its default as they are written."""

    name: str
    annotation: str = ""
    default: str = ""
    meaning: str = ""


@dataclass(frozen=True, slots=True, kw_only=True)
class Function:
    """A tested function.

    Attributes:
        source: its file.
        tests: the file of its tests; empty where it has none.
        purpose: one sentence.
        parameters: in their order.
        returns: what it gives.
        raises: what it refuses.
        complexity: how its time grows with the rows, in words.
        words: further words by which people call it.
        author: who kept it.
        date: on which day, as in ISO 8601.
        tested: the hash of source and tests that passed; empty where none did.
        packages: with which versions they passed.
        is_shipped: whether it came with Tandem.
        study: how it is asked for without a model, as its YAML has it; empty where it is for cells alone.
    """

    source: FunctionSource
    tests: str = ""
    purpose: str = ""
    parameters: tuple[Parameter, ...] = ()
    returns: str = ""
    raises: str = ""
    complexity: str = ""
    words: tuple[str, ...] = ()
    author: str = ""
    date: str = ""
    tested: str = ""
    packages: dict[str, str] = field(default_factory=dict[str, str])
    is_shipped: bool = False
    study: Mapping[str, Any] = field(default_factory=dict[str, Any])

    @property
    def name(self) -> str:
        """The name by which cells import it."""
        return self.source.name

    @property
    def needs(self) -> tuple[str, ...]:
        """The functions that it imports."""
        return find_function_names(self.source.code)

    @property
    def sha256(self) -> str:
        """Of source and tests together: what a run of the tests vouches for."""
        return make_function_source(self.name, self.source.code + "\0" + self.tests).sha256

    @property
    def is_tested(self) -> bool:
        """Whether exactly these files passed; those that ship are tested before they do."""
        return self.is_shipped or (bool(self.tests) and self.tested == self.sha256)

    @property
    def signature(self) -> str:
        """The function as it is called: `rfm_scores(orders, customer, date, amount, as_of=None)`."""
        parts = (f"{p.name}={p.default}" if p.default else p.name for p in self.parameters)
        return f"{self.name}({', '.join(parts)})"


def parse_function(name: str, code: str, **about: Any) -> Function:
    """Read a function and its specification out of its source.

    Args:
        name: its name, which is that of its file.
        code: the file.
        about: further attributes of `Function`.

    Raises:
        FunctionMalformed: the name cannot be imported, or the file does not define it.
    """
    if not name.isidentifier() or name.startswith("_"):
        raise FunctionMalformed(f"{name!r} is no name for a function: use letters, figures and underscores.")
    if name.casefold().startswith("test_"):
        raise FunctionMalformed(f"{name!r} is no name for a function: files that begin with test_ hold tests.")
    try:
        tree = ast.parse(code)
    except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
        line = f" (line {error.lineno})" if isinstance(error, SyntaxError) and error.lineno else ""
        raise FunctionMalformed(f"The file of {name!r} is not valid Python{line}.") from error
    definition = next((node for node in tree.body if isinstance(node, ast.FunctionDef) and node.name == name), None)
    if definition is None:
        raise FunctionMalformed(f"The file of {name!r} defines no function of that name.")
    sections = _split_docstring(ast.get_docstring(definition) or "")
    meanings = _split_entries(sections.get("Args", ""))
    purpose = (ast.get_docstring(tree) or sections.get("", "")).partition("\n\n")[0]
    return Function(
        source=make_function_source(name, code),
        purpose=" ".join(purpose.split()),
        parameters=_list_parameters(definition.args, meanings),
        returns=" ".join(sections.get("Returns", "").split()),
        raises=" ".join(sections.get("Raises", "").split()),
        **about,
    )


def _split_docstring(text: str) -> dict[str, str]:
    """The sections of a docstring in Google's style; the text before them is under the empty name."""
    parts = _SECTION.split(text)
    return {"": parts[0], **dict(zip(parts[1::2], parts[2::2], strict=True))}


def _split_entries(text: str) -> dict[str, str]:
    """`name: meaning` of each entry of a section, whose further lines are indented deeper."""
    entries: dict[str, str] = {}
    name = ""
    for line in text.splitlines():
        match = re.match(r"^ {4}(\w+)(?: \(.*?\))?: (.*)$", line)
        if match:
            name = match[1]
            entries[name] = match[2].strip()
        elif name and line.strip():
            entries[name] += f" {line.strip()}"
    return entries


def _list_parameters(arguments: ast.arguments, meanings: dict[str, str]) -> tuple[Parameter, ...]:
    positional = [*arguments.posonlyargs, *arguments.args]
    defaults = [None] * (len(positional) - len(arguments.defaults)) + list(arguments.defaults)
    pairs = [*zip(positional, defaults, strict=True), *zip(arguments.kwonlyargs, arguments.kw_defaults, strict=True)]
    return tuple(
        Parameter(
            name=argument.arg,
            annotation=ast.unparse(argument.annotation) if argument.annotation else "",
            default=ast.unparse(default) if default is not None else "",
            meaning=meanings.get(argument.arg, ""),
        )
        for argument, default in pairs
    )
