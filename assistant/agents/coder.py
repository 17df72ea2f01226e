"""The coder: puts code forward for the step that is due."""

from __future__ import annotations

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Coder
from assistant.core.events import AnyEvent, Clarification, Proposal, StepSkipped


class CoderAgent(Participant):
    """Plays the coder's part in the group chat."""

    def __init__(self, *, log: Log, role: Coder) -> None:
        super().__init__(
            "coder",
            "Writes SQL and Python for one step.",
            log=log,
            says=(Proposal, Clarification, StepSkipped),
        )
        self._role = role

    async def speak(self) -> AnyEvent:
        """Write the next version of the current step's code."""
        turn = self.turn
        versions = sum(1 for item in turn.proposals if item.proposal.step == turn.step)
        return await self._role.propose(self.log.events, step=turn.step, revision=versions + 1)
