"""Functions that a person approved: kept as knowledge, exactly as they were shown."""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Sequence

from assistant.core.approval.gate import functions_digest
from assistant.core.events import Event, FunctionsKept, FunctionsProposed, WrittenFunction
from assistant.core.turns import current_turn
from assistant.errors import AssistantError, SessionError
from knowledge.errors import KnowledgeError

KeepFunctions = Callable[[Sequence[WrittenFunction]], Awaitable[None]]
"""Keeps functions whose tests passed. Raises AssistantError or KnowledgeError where they cannot be kept."""


async def keep_none(_functions: Sequence[WrittenFunction]) -> None:
    """Keep nothing, where there is nowhere to keep it.

    Raises:
        AssistantError: always.
    """
    raise AssistantError("There is no knowledge folder to keep functions in.")


async def handle_functions(
    log: Sequence[Event], keep_functions: KeepFunctions
) -> FunctionsKept | FunctionsProposed | None:
    """Keep functions that were approved; None where the executor is to do something else.

    Raises:
        SessionError: what was approved is not what was proposed. Nothing was kept.
    """
    turn = current_turn(log)
    if turn.stage != "functions_decision" or turn.decisions[-1].action != "approve":
        return None
    proposed, decision = turn.functions[-1].proposal, turn.decisions[-1]
    if decision.by != "person" or decision.sha256 != functions_digest(proposed) or not proposed.all_tests_passed:
        raise SessionError("These functions are not what a person approved. Nothing was kept.")
    try:
        await keep_functions(proposed.functions)
    except (AssistantError, KnowledgeError) as error:
        return proposed.model_copy(update={"fault": f"They were not kept: {error}"})
    names = tuple(function.name for function in proposed.functions)
    return FunctionsKept(turn=turn.number, step=proposed.step, names=names)
