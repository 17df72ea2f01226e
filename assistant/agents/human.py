"""The human proxy: first the approval policy, then the person.

It never waits. Where the policy does not decide, it asks by an event and the run ends there; the person's decision
starts the next run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from assistant.agents.participant import Log, Participant
from assistant.core.approval.gate import gate_code, gate_functions, gate_package, gate_plan
from assistant.core.events import AnyEvent, Decision, DecisionRequested


class HumanAgent(Participant):
    """Stands for the person in the group chat. `cage` names the cage level that code would run in."""

    def __init__(self, *, log: Log, cage: Callable[[], Awaitable[str]]) -> None:
        super().__init__("human", "Decides what runs.", log=log, says=(Decision, DecisionRequested))
        self._cage = cage

    async def speak(self) -> AnyEvent:
        """Decide by policy, or ask."""
        events = self.log.events
        turn = self.turn
        if turn.stage == "plan" and turn.plan is not None:
            return gate_plan(events, turn.plan)
        if turn.stage == "functions":
            return gate_functions(events, turn.functions[-1].proposal)
        undecided = next((p.proposal for p in turn.packages if p.decision is None and not p.proposal.fault), None)
        if undecided is not None:
            return gate_package(events, undecided)
        if turn.reviews and (item := turn.open_proposal) is not None:
            review = turn.reviews[-1]
            edit = item.decision.code if item.decision is not None and item.is_edited and review.of_edit else None
            return gate_code(events, item.proposal, review, cage=await self._cage(), edited=edit)
        raise AssertionError("the human was asked to speak with nothing to decide")
