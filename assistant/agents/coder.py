"""The coder: puts code forward for the step that is due."""

from __future__ import annotations

import asyncio
from contextlib import suppress

from assistant.agents.participant import Log, Participant
from assistant.agents.roles import Coder
from assistant.cells.functions import FindFunctions, FunctionCycle, find_none
from assistant.core.events import AnyEvent, Clarification, FunctionsProposed, Proposal, StepSkipped


class CoderAgent(Participant):
    """Plays the coder's part in the group chat. `find_functions` gives those that a cell imports."""

    def __init__(self, *, log: Log, role: Coder, find_functions: FindFunctions = find_none) -> None:
        super().__init__(
            "coder",
            "Writes SQL and Python for one step.",
            log=log,
            says=(Proposal, Clarification, StepSkipped, FunctionsProposed),
        )
        self._role = role
        self._find_functions = find_functions

    async def speak(self) -> AnyEvent:
        """Write the next version of the current step's code."""
        turn = self.turn
        versions = sum(1 for item in turn.proposals if item.proposal.step == turn.step)
        event = await self._role.propose(self.log.events, step=turn.step, revision=versions + 1)
        if not isinstance(event, Proposal):
            return event
        with suppress(FunctionCycle):  # the review says it
            functions = await asyncio.to_thread(self._find_functions, event.code)
            return event.model_copy(update={"functions": functions})
        return event
