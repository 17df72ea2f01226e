"""Functions as a model writes them: specification, tests, implementation, in this order; and their fixes."""

from __future__ import annotations

import ast
from collections.abc import Sequence
from typing import Literal

from pydantic import Field

from assistant.agents.model.replies import CodeReply, ModelReply
from assistant.core.events import FaultCategory, WrittenFunction
from assistant.functions.function import FunctionMalformed
from assistant.functions.specifying import find_specification_problem

_IMPORTS = "import numpy as np\nimport pandas as pd\nimport pytest\n\nfrom functions import {name}\n"
_CASES_MAX = 12
_FUNCTIONS_MAX = 4


class FunctionCaseReply(ModelReply):
    """One test of a function."""

    kind: Literal["normal", "edge", "error"]
    code: str = Field(description="one function test_...")


class FunctionReply(ModelReply):
    """A function: what it is to do, how that shows, and last how it does it."""

    name: str
    purpose: str = Field(description="one sentence")
    inputs: tuple[str, ...] = Field(default=(), description="name: meaning, of each parameter")
    output: str = Field(default="", description="what it gives")
    needs: tuple[str, ...] = Field(default=(), description="functions it imports from functions")
    complexity: str = Field(default="", description="how its time grows with the rows")
    words: tuple[str, ...] = Field(default=(), description="words by which people ask for it")
    cases: tuple[FunctionCaseReply, ...] = Field(description="normal, edge and error cases")
    code: str = Field(description="the file: imports and the function, written after its tests")


class CodeOrFunctionsReply(CodeReply):
    """Code for one step, or functions that are worth keeping, before the code that uses them."""

    functions: tuple[FunctionReply, ...] = Field(default=(), description="then leave code empty")


class FunctionFixReply(ModelReply):
    """Why a function's tests fail, and the changed file."""

    reasoning: str = Field(default="", description="think first, briefly")
    category: FaultCategory
    cause: str = Field(description="one sentence")
    where: str = Field(description="the function or test that you change, by its name")
    fragment: str = Field(default="", description="the expression or statement that the fix brings in")
    code: str = Field(description="the whole changed file: of the function; of its tests where a test is wrong")


def make_written(reply: FunctionReply) -> WrittenFunction:
    """The function of a reply, with its tests in one file."""
    cases = "".join(f"\n\n{case.code.strip()}\n" for case in reply.cases)
    return WrittenFunction(
        name=reply.name,
        purpose=" ".join(reply.purpose.split()),
        inputs=reply.inputs,
        output=reply.output,
        needs=reply.needs,
        complexity=reply.complexity,
        words=reply.words,
        code=f"{reply.code.strip()}\n",
        tests=_IMPORTS.format(name=reply.name) + cases,
    )


def find_functions_problem(replies: Sequence[FunctionReply], existing: Sequence[str]) -> str | None:
    """What of functions cannot be tested; None where nothing is in the way.

    Args:
        replies: the functions.
        existing: the names of those that there are.
    """
    if len(replies) > _FUNCTIONS_MAX:
        return f"Write at most {_FUNCTIONS_MAX} functions."
    names = [reply.name for reply in replies]
    if len(set(names)) < len(names):
        return "Two functions have the same name."
    for reply in replies:
        problem = _find_case_problem(reply)
        try:
            problem = problem or find_specification_problem(make_written(reply), existing, names)
        except FunctionMalformed as error:
            return str(error)
        if problem:
            return problem
    return None


def _find_case_problem(reply: FunctionReply) -> str:
    if absent := [kind for kind in ("normal", "edge", "error") if kind not in {case.kind for case in reply.cases}]:
        return f"{reply.name} has no test of the kind {absent[0]!r}."
    if len(reply.cases) > _CASES_MAX:
        return f"{reply.name} has more than {_CASES_MAX} tests."
    names: list[str] = []
    for case in reply.cases:
        try:
            body = ast.parse(case.code.strip()).body
        except (SyntaxError, ValueError, RecursionError, MemoryError) as error:
            return f"A test of {reply.name} is not valid Python: {error}."
        names += [node.name for node in body if isinstance(node, ast.FunctionDef) and node.name.startswith("test_")]
        if len(body) != 1 or len(names) == 0:
            return f"Each test of {reply.name} is one function test_..., and nothing else."
    return "" if len(set(names)) == len(reply.cases) else f"Each test of {reply.name} needs a name of its own."
