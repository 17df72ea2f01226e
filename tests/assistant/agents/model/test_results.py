"""Which results of a turn are told to whoever goes on."""

from __future__ import annotations

from shop_session import PLAN, PROPOSAL, QUESTION, ran

from assistant.agents.model.results import list_results
from assistant.core.events import Event
from assistant.core.turns import current_turn


def test_a_result_that_was_superseded_is_not_told() -> None:
    again = PROPOSAL.model_copy(update={"id": "1.1.2", "revision": 2, "result": "corrected"})
    second = PROPOSAL.model_copy(update={"id": "1.2.1", "step": 2, "result": "months"})
    renewed = PROPOSAL.model_copy(update={"id": "1.3.1", "step": 3, "result": "months"})
    log: list[Event] = [QUESTION, PLAN]
    for proposal in (PROPOSAL, again, second, renewed):
        log += [proposal, ran().model_copy(update={"id": proposal.id, "step": proposal.step})]
    told = list_results(current_turn(log))
    assert [(result.name, result.execution.id) for result in told] == [("corrected", "1.1.2"), ("months", "1.3.1")]


def test_what_failed_supersedes_nothing() -> None:
    failed = ran().model_copy(update={"id": "1.1.2", "status": "failed"})
    told = list_results(current_turn([QUESTION, PLAN, PROPOSAL, ran(), failed]))
    assert [result.execution.id for result in told] == ["1.1.1", "1.1.2"]
