"""The reviewer: looks at code before the person does, at the person's edits, and at failures."""

from __future__ import annotations

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Reviewer
from assistant.core.events import AnyEvent, Decision, Diagnosis, Execution, Proposal, Review
from assistant.core.flow import current_turn, position


class ReviewerAgent(Participant):
    """Plays the reviewer's part in the group chat."""

    def __init__(self, *, log: Log, role: Reviewer) -> None:
        super().__init__("reviewer", "Checks code and explains failures.", log=log, says=(Review, Diagnosis))
        self._role = role

    async def speak(self) -> AnyEvent:
        """Review the newest proposal or edit, or diagnose the newest failure."""
        log = self.log.events
        turn = current_turn(log)
        proposal = position(turn).proposal
        for event in reversed(turn):
            match event:
                case Execution(status="failed"):
                    return await self._role.diagnose(log, event)
                case Proposal():
                    return await self._role.review(log, event, code=event.code, of_edit=False)
                case Decision(subject="code", action="edit", code=code) if code is not None and proposal is not None:
                    return await self._role.review(log, proposal, code=code, of_edit=True)
                case _:
                    continue
        raise AssertionError("the reviewer was asked to speak with nothing to review")
