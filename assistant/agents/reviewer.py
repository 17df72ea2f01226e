"""The reviewer: looks at code before the person does, at the person's edits, and at failures."""

from __future__ import annotations

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Reviewer
from assistant.core.events import AnyEvent, Diagnosis, Review


class ReviewerAgent(Participant):
    """Plays the reviewer's part in the group chat."""

    def __init__(self, *, log: Log, role: Reviewer) -> None:
        super().__init__("reviewer", "Checks code and explains failures.", log=log, says=(Review, Diagnosis))
        self._role = role

    async def speak(self) -> AnyEvent:
        """Review the newest proposal or edit, or diagnose the newest failure."""
        log = self.log.events
        turn = self.turn
        if turn.stage == "failure":
            return await self._role.diagnose(log, turn.executions[-1])
        if (item := turn.open_proposal) is not None:
            edit = item.decision.code if item.decision is not None and item.is_edited else None
            code = item.proposal.code if edit is None else edit
            return await self._role.review(log, item.proposal, code=code, of_edit=edit is not None)
        raise AssertionError("the reviewer was asked to speak with nothing to review")
