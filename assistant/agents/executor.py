"""The executor: runs exactly the bytes that were approved, and says what that gave.

It has no opinion and no model. The start is in the log before the kernel gets the cell; an execution that a stop cuts
short is in the log as such.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable
from typing import TYPE_CHECKING, Protocol

from assistant.agents.installing import Packages, handle_package
from assistant.agents.keeping_functions import KeepFunctions, handle_functions, keep_none
from assistant.agents.participant import Log, Participant
from assistant.agents.result_checks import run_checks
from assistant.cells.functions import FindFunctions, find_none
from assistant.core.approval.gate import digest_cell, hash_code
from assistant.core.events import (
    AnyEvent,
    Decision,
    Execution,
    ExecutionStarted,
    FunctionsKept,
    FunctionsProposed,
    PackageAdded,
    PackageProposed,
    Proposal,
    Query,
)
from assistant.errors import SessionError
from assistant.runtime.failed_executions import make_interrupted

if TYPE_CHECKING:
    from assistant.cells.tables import TableView


class CellRunner(Protocol):
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


Table = Callable[[Execution], Awaitable["TableView | None"]]
"""Gives the table of an execution, which need not be in the log yet."""


class ExecutorAgent(Participant):
    """Runs approved cells in the group chat, and adds approved packages.

    Args:
        log: The session's log.
        runtime: Where cells run.
        packages: Where packages come from.
        table: Gives the table of an execution; without it no checks are made.
        find_functions: Gives the functions that an edited cell imports; others bring their own.
        keep_functions: Keeps functions that a person approved.
    """

    def __init__(
        self,
        *,
        log: Log,
        runtime: CellRunner,
        packages: Packages,
        table: Table | None = None,
        find_functions: FindFunctions = find_none,
        keep_functions: KeepFunctions = keep_none,
    ) -> None:
        says = (Execution, PackageProposed, PackageAdded, FunctionsKept, FunctionsProposed)
        super().__init__("executor", "Runs approved code in the cage.", log=log, says=says)
        self._runtime = runtime
        self._packages = packages
        self._table = table
        self._find_functions = find_functions
        self._keep_functions = keep_functions

    async def speak(self) -> AnyEvent:
        """Run the approved cell, or see to a package that a cell lacks or to functions that are to be kept.

        Raises:
            SessionError: the code, the package or the functions at hand is not the one that was approved.
        """
        about_package = await handle_package(self.log.events, self._packages)
        if about_package is not None:
            return about_package
        about_functions = await handle_functions(self.log.events, self._keep_functions)
        if about_functions is not None:
            return about_functions
        proposal, decision = self._find_approved()
        is_edited = decision.action == "edit" and decision.code is not None
        code = decision.code if is_edited and decision.code is not None else proposal.code
        if (hash_code(code) if is_edited else digest_cell(proposal)) != decision.sha256:
            raise SessionError(
                f"The code of proposal {proposal.id!r} is not the code that was approved. Nothing was run."
            )
        started = ExecutionStarted(
            turn=proposal.turn,
            id=proposal.id,
            step=proposal.step,
            language=proposal.language,
            code=code,
            queries=self._runtime.queries_in(code),
            functions=await asyncio.to_thread(self._find_functions, code) if is_edited else proposal.functions,
            cage=await self._runtime.cage(),
        )
        await self.log.append(started)
        try:
            execution = await self._runtime.run(started)
            return await self._add_checks(proposal, execution)
        except asyncio.CancelledError:
            await asyncio.shield(self.log.append(make_interrupted(started, "It was stopped before it finished.")))
            raise

    async def _add_checks(self, proposal: Proposal, execution: Execution) -> Execution:
        """The execution with what became of the checks that came with its code."""
        if self._table is None or execution.status != "ok" or not proposal.checks:
            return execution
        result_names = {check.result for check in proposal.checks}
        earlier: dict[str, TableView] = {}
        for item in (item for turn in self.log.transcript.turns for item in turn.results):
            if item.proposal.result in result_names and item.execution is not None:
                view = await self._table(item.execution)
                if view is not None:
                    earlier[item.proposal.result] = view
        checks = run_checks(proposal.checks, await self._table(execution), earlier=earlier)
        return execution.model_copy(update={"checks": checks})

    def _find_approved(self) -> tuple[Proposal, Decision]:
        turn = self.log.transcript.current
        item = turn.open_proposal if turn is not None else None
        if item is not None and item.decision is not None and item.decision.action != "reject":
            return item.proposal, item.decision
        raise SessionError("No approved code is waiting to run. Nothing was run.")
