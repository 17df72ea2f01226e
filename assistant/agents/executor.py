"""The executor: runs exactly the bytes that were approved, and says what that gave.

It has no opinion and no model. The start is in the log before the kernel gets the cell; an execution that a stop cuts
short is in the log as such.
"""

from __future__ import annotations

import asyncio
from typing import Protocol

from assistant.agents.participant import Log, Participant
from assistant.approval.gate import digest
from assistant.errors import SessionError
from assistant.events import (
    AnyEvent,
    Decision,
    Execution,
    ExecutionStarted,
    Proposal,
    Query,
)
from assistant.flow import current_turn, position
from assistant.runtime.interruption import interrupted


class KernelRuntime(Protocol):
    """The session's kernel with its data: where approved cells run."""

    async def cage(self) -> str:
        """The level of the cage that holds the kernel, or would."""
        ...

    def queries_in(self, code: str) -> tuple[Query, ...]:
        """The literal queries in a cell: what an approval of it covers."""
        ...

    async def run(self, started: ExecutionStarted) -> Execution:
        """Run a cell in the session's kernel, rebuilding the kernel's state first where it is new."""
        ...


class ExecutorAgent(Participant):
    """Runs approved cells in the group chat."""

    def __init__(self, *, log: Log, workbench: KernelRuntime) -> None:
        super().__init__("executor", "Runs approved code in the cage.", log=log, says=(Execution,))
        self._workbench = workbench

    async def speak(self) -> AnyEvent:
        """Run the approved cell.

        Raises:
            SessionError: the code at hand is not the code that was approved.
        """
        proposal, decision = self._approved()
        code = decision.code if decision.action == "edit" and decision.code is not None else proposal.code
        if digest(code) != decision.sha256:
            raise SessionError(
                f"The code of proposal {proposal.id!r} is not the code that was approved. Nothing was run."
            )
        started = ExecutionStarted(
            turn=proposal.turn,
            id=proposal.id,
            step=proposal.step,
            language=proposal.language,
            code=code,
            queries=self._workbench.queries_in(code),
            cage=await self._workbench.cage(),
        )
        await self.log.append(started)
        try:
            return await self._workbench.run(started)
        except asyncio.CancelledError:
            await asyncio.shield(self.log.append(interrupted(started, "It was stopped before it finished.")))
            raise

    def _approved(self) -> tuple[Proposal, Decision]:
        turn = current_turn(self.log.events)
        proposal = position(turn).proposal
        for event in reversed(turn):
            if isinstance(event, Decision) and event.subject == "code" and proposal is not None:
                if event.ref == proposal.id and event.action != "reject":
                    return proposal, event
                break
        raise SessionError("No approved code is waiting to run. Nothing was run.")
