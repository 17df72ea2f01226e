"""The human proxy: first the approval policy, then the person.

It never waits. Where the policy does not decide, it asks by an event and the run ends there; the person's decision
starts the next run.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable

from assistant.agents.participant import Log, Participant
from assistant.core.approval.gate import gate_code, gate_package, gate_plan
from assistant.core.events import AnyEvent, Decision, DecisionRequested, PackageProposed, Plan, Review
from assistant.core.flow import current_turn, position


class HumanAgent(Participant):
    """Stands for the person in the group chat. `cage` names the cage level that code would run in."""

    def __init__(self, *, log: Log, cage: Callable[[], Awaitable[str]]) -> None:
        super().__init__("human", "Decides what runs.", log=log, says=(Decision, DecisionRequested))
        self._cage = cage

    async def speak(self) -> AnyEvent:
        """Decide by policy, or ask."""
        events = self.log.events
        turn = current_turn(events)
        proposal = position(turn).proposal
        decided = {event.ref for event in turn if isinstance(event, Decision)}
        for event in reversed(turn):
            match event:
                case PackageProposed(fault="") if event.id not in decided:
                    return gate_package(events, event)
                case Plan():
                    return gate_plan(events, event)
                case Review() if proposal is not None:
                    edited = _edit(turn) if event.of_edit else None
                    return gate_code(events, proposal, event, cage=await self._cage(), edited=edited)
                case _:
                    continue
        raise AssertionError("the human was asked to speak with nothing to decide")


def _edit(turn: tuple[object, ...]) -> str | None:
    for event in reversed(turn):
        if isinstance(event, Decision) and event.action == "edit" and event.code is not None:
            return event.code
    return None
