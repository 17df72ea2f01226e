"""The planner: turns a question into a plan, and what the steps gave into an answer."""

from __future__ import annotations

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Planner
from assistant.events import (
    Answer,
    AnyEvent,
    Clarification,
    ClarificationAnswered,
    Decision,
    Diagnosis,
    Execution,
    Plan,
    Question,
    StepSkipped,
)
from assistant.flow import current_turn


class PlannerAgent(Participant):
    """Plays the planner's part in the group chat."""

    def __init__(self, *, log: Log, role: Planner) -> None:
        super().__init__(
            "planner", "Plans the analysis and words the answer.", log=log, says=(Plan, Clarification, Answer)
        )
        self._role = role

    async def speak(self) -> AnyEvent:
        """Plan where a plan is due, else answer."""
        log = self.log.events
        return await (self._role.plan(log) if self._is_plan_due() else self._role.answer(log))

    def _is_plan_due(self) -> bool:
        for event in reversed(current_turn(self.log.events)):
            match event:
                case Question() | ClarificationAnswered() | Decision(subject="plan", action="reject"):
                    return True
                case Diagnosis():
                    return event.category == "plan" and event.repairable
                case Execution() | StepSkipped():
                    return False
                case _:
                    continue
        return True
