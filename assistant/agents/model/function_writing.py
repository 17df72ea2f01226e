"""A model writes functions by test: each is run in the cage, what fails is fixed, and the person decides at the end.

What is due next is decided in `assistant.functions.writing`; here the tests are run and the model is asked.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Mapping, Sequence
from typing import assert_never

from assistant.agents.model.dialogue import Dialogue, ModelRequest
from assistant.agents.model.function_replies import (
    FunctionFixReply,
    FunctionReply,
    find_functions_problem,
    make_written,
)
from assistant.agents.model.prompts import fill_prompt
from assistant.cells.functions import FunctionCycle
from assistant.core.events import Event, FunctionSource, FunctionsProposed, WrittenFunction
from assistant.core.turns import FunctionsItem, current_turn
from assistant.functions.function import Function
from assistant.functions.matching import ListFunctions
from assistant.functions.specifying import make_function
from assistant.functions.testing import SuiteRun
from assistant.functions.writing import (
    Fix,
    GivenUp,
    PersonDue,
    RepairDue,
    RunDue,
    Writing,
    add_run,
    answer_doubt,
    apply_fix,
    begin_writing,
    find_next_step,
)
from sandbox.errors import SandboxError

RunFunctionTests = Callable[[Function, Callable[[str], FunctionSource | None]], Awaitable[SuiteRun]]
"""Runs a function's tests in the cage, among the functions that are given by name."""
_MESSAGE_CHARS = 1_200


class FunctionWriter:
    """Writes functions with a model until their tests pass, a test is in doubt, or they are given up.

    Args:
        dialogue: The coder's line to its model.
        list_functions: Gives the functions that there are. Blocks.
        run_tests: Runs tests in the cage.
    """

    def __init__(self, dialogue: Dialogue, *, list_functions: ListFunctions, run_tests: RunFunctionTests) -> None:
        self._dialogue = dialogue
        self._list_functions = list_functions
        self._run_tests = run_tests

    async def find_problem(self, replies: Sequence[FunctionReply]) -> str | None:
        """What of functions cannot be tested; None where nothing is in the way."""
        existing = await asyncio.to_thread(self._list_functions)
        problem = find_functions_problem(replies, [function.name for function in existing])
        try:
            begin_writing([make_written(reply) for reply in replies] if problem is None else ())
        except FunctionCycle as cycle:
            return str(cycle)
        return problem

    async def write(self, log: Sequence[Event], replies: Sequence[FunctionReply], *, step: int) -> FunctionsProposed:
        """Test functions, and fix them where they fail.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        return await self._continue(log, begin_writing([make_written(reply) for reply in replies]), step=step)

    async def resume(self, log: Sequence[Event], item: FunctionsItem) -> FunctionsProposed:
        """Go on after the person decided about a test in doubt.

        Raises:
            ModelError: the model cannot be reached or stays malformed.
        """
        proposed, decision = item.proposal, item.decision
        assert decision is not None, "a doubt is decided before writing goes on"
        writing = Writing(functions=proposed.functions, repairs=proposed.repairs, doubt=proposed.doubt)
        answered = answer_doubt(writing, is_allowed=decision.action == "approve", reason=decision.reason)
        return await self._continue(log, answered, step=proposed.step)

    async def _continue(self, log: Sequence[Event], writing: Writing, *, step: int) -> FunctionsProposed:
        fault = ""
        while not fault:
            due = find_next_step(writing)
            match due:
                case RunDue(function=name):
                    try:
                        writing = add_run(writing, await self._run(writing, name))
                    except SandboxError as error:
                        fault = f"The tests of {name!r} did not run: {error}"
                case RepairDue():
                    writing = apply_fix(writing, due, await self._ask_fix(log, writing, due, step=step))
                case PersonDue():
                    break
                case GivenUp(reason=reason):
                    fault = reason
                case _:
                    assert_never(due)
        turn = current_turn(log)
        return FunctionsProposed(
            turn=turn.number,
            id=f"{turn.number}.{step}.functions.{len(turn.functions) + 1}",
            step=step,
            functions=writing.functions,
            repairs=writing.repairs,
            doubt=writing.doubt if not fault else None,
            fault=fault,
        )

    async def _run(self, writing: Writing, name: str) -> SuiteRun:
        existing = await asyncio.to_thread(self._list_functions)
        drafts = {function.name: make_function(function).source for function in writing.functions}
        sources: Mapping[str, FunctionSource] = {**{function.name: function.source for function in existing}, **drafts}
        return await self._run_tests(make_function(writing.find(name)), sources.get)

    async def _ask_fix(self, log: Sequence[Event], writing: Writing, due: RepairDue, *, step: int) -> Fix:
        function = writing.find(due.function)
        task = fill_prompt(
            "task_function_fix",
            name=function.name,
            purpose=function.purpose,
            inputs="\n".join(f"- {entry}" for entry in function.inputs),
            output=function.output,
            code=function.code.strip(),
            tests=function.tests.strip(),
            results=_describe_results(function),
            categories=", ".join(f"`{category}`" for category in due.categories),
            reason=due.reason,
        )
        request = ModelRequest(
            log=log, system=fill_prompt("function_writer"), task=task, step=step, tells_variables=False
        )
        reply = await self._dialogue.ask(FunctionFixReply, request, problem_of=_find_fix_problem)
        return Fix(
            category=reply.category,
            cause=reply.cause,
            where=reply.where,
            code=f"{reply.code.strip()}\n",
            fragment=reply.fragment,
        )


def _find_fix_problem(reply: FunctionFixReply) -> str | None:
    return None if reply.code.strip() else "code is empty. Give the whole changed file."


def _describe_results(function: WrittenFunction) -> str:
    lines = [
        f"{result.name}: {result.outcome}\n{result.message[-_MESSAGE_CHARS:]}".strip() for result in function.results
    ]
    return "\n".join([*([function.error[-_MESSAGE_CHARS:]] if function.error else []), *lines])
