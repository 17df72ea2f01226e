"""A session: one conversation with its kernel. The complete interface of the page and the command line.

A session is its event log. `ask`, `decide` and the others append the person's input and start a run of the group chat
(`runs`), which goes on in the background until it needs the person; `settled` waits for that. Reading (`record`) is
safe from any thread; the coroutines belong to one event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol, TypeAlias

from assistant.analyst.interpretation.interpretation import Interpretation, empty
from assistant.cells.tables import TableView, find_execution
from assistant.core.approval.gate import find_pending_request, make_decision
from assistant.core.approval.policy import UNCAGED
from assistant.core.events import (
    POLICIES,
    AnyEvent,
    Approvable,
    Entry,
    Event,
    PackageAdded,
    PolicyLevel,
    SessionOpened,
    SessionRenamed,
    Step,
    UncagedAccepted,
)
from assistant.errors import AssistantError
from assistant.record.store.log import EventLog
from assistant.session.answers.answers import rerun
from assistant.session.record import Record
from assistant.session.runs import inputs
from assistant.session.sources.sources import SessionSources
from assistant.sources.addresses import SourceAddress

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.record.store.leases import SessionLease
    from assistant.session.answers.answers import Answers
    from assistant.session.answers.presenting import Facts, Presentation
    from assistant.session.knowledge.ledger import StatementLedger
    from assistant.session.knowledge.lessons import SessionLessons
    from assistant.session.roles.model_use import ModelUse, SessionRoles
    from assistant.session.runs.runs import Runs, Say
    from assistant.session.sources.source_additions import SourceAdder

Action: TypeAlias = Literal["approve", "edit", "reject"]
"""A decision of the person."""


class Runtime(Protocol):
    """The session's kernel, as the session itself uses it."""

    async def cage(self) -> str:
        """The level of the cage."""
        ...

    async def close(self) -> None:
        """Let the kernel go."""
        ...


@dataclass(frozen=True, slots=True, kw_only=True)
class Resources:
    """What a session holds open until it is closed.

    Attributes:
        data: Its opened sources.
        runtime: Its kernel.
        roles: The models and the embedded analyst that play its roles.
    """

    data: SessionSources
    runtime: Runtime
    roles: SessionRoles


@dataclass(frozen=True, slots=True, kw_only=True)
class Outputs:
    """What is made of a session's results.

    Attributes:
        presenting: How answers are shown, and what is known of their figures.
        notebook: Writes entries on sources as a notebook. Blocks.
    """

    presenting: Presentation
    notebook: Callable[[Sequence[Entry], Sequence[SourceAddress]], bytes]


class Session(Record):
    """One conversation.

    Args:
        session_id: The session.
        log: Its events.
        folder: Where its tables are.
        runs: What runs on it.
        resources: What it holds open.
        sources: Adds sources to it.
        answers: What a person does with its answers.
        ledger: What the person said, and what it holds for.
        lessons: What its repaired failures show.
        models: What its models may see, were sent and have used.
        outputs: What is made of its results.
    """

    def __init__(
        self,
        session_id: str,
        *,
        log: EventLog,
        folder: Path,
        runs: Runs,
        resources: Resources,
        sources: SourceAdder,
        answers: Answers,
        ledger: StatementLedger,
        lessons: SessionLessons,
        models: ModelUse,
        outputs: Outputs,
    ) -> None:
        super().__init__(session_id, log=log, folder=folder, runs=runs)
        self._resources = resources
        self._outputs = outputs
        self.sources = sources
        """Adds sources."""
        self.answers = answers
        """What the person does with answers."""
        self.ledger = ledger
        """What the person said, and what it holds for."""
        self.lessons = lessons
        """What its repaired failures show, to be kept or dropped."""
        self.models = models
        """What models may see, were sent and have used."""

    # --- what the person does -------------------------------------------------------------------------------

    async def ask(self, text: str, *, files: Sequence[str] = (), approve: Collection[Approvable] = ()) -> None:
        """Ask a question; a run starts. What waited for a decision before is thereby left.

        Callers: The owner.

        Args:
            text: the question.
            files: names of files that came with it, already added by `add_files`.
            approve: what the policy may approve by itself in this turn.

        Raises:
            SessionError: the session is at work, here or in another program.
        """
        async with self._runs.turn():
            await self._runs.start(lambda log: inputs.make_question(log, text, files=files, approve=approve))

    async def ask_interpretation(self, interpretation: Interpretation, *, approve: Collection[Approvable] = ()) -> None:
        """Ask for what a person put together from chips; a run starts, under the same approval as for a question.

        Callers: The owner.

        Raises:
            InterpretationError: it cannot be computed yet, and why.
            SessionError: the session is at work, here or in another program.
        """
        from assistant.session.answers.interpreting import question_of

        text, meaning = await asyncio.to_thread(question_of, interpretation)
        async with self._runs.turn():
            await self._runs.start(
                lambda log: inputs.make_question(log, text, files=(), approve=approve, meaning=meaning)
            )

    async def interpretation(self, number: int | None = None) -> Interpretation | None:
        """What a turn computes, in chips; what was understood of its question where nothing is computed.

        None where there is no turn, and where there is no data.

        Callers: Anyone.

        Args:
            number: The turn; None for the current one.

        Raises:
            InterpretationError: it computes what chips cannot show, and why.
        """
        from assistant.session.answers.interpreting import interpretation_of

        turn = self.transcript.current if number is None else self.transcript.turn(number)
        return None if turn is None else await asyncio.to_thread(interpretation_of, turn, await self.analyst())

    async def empty_interpretations(self) -> tuple[Interpretation, ...]:
        """An interpretation without chips for each source, to build a query from.

        Callers: Anyone.
        """
        return tuple(map(empty, (await self.analyst()).sources.values()))

    async def differences(self) -> tuple[str, ...]:
        """What tells the options of the question back apart, in chips; empty where only sentences do.

        Callers: Anyone.
        """
        from assistant.session.answers.interpreting import differences_of

        turn = self.transcript.current
        return () if turn is None else await asyncio.to_thread(differences_of, turn, await self.analyst())

    async def decide(
        self,
        request: str,
        action: Action,
        *,
        code: str | None = None,
        steps: Sequence[Step] | None = None,
        reason: str = "",
        approve: Collection[Approvable] = (),
        cells: bool = False,
        typed: str = "",
    ) -> bool:
        """Decide what waits. The first decision counts; a later one changes nothing and gives False.

        Callers: The owner.

        Args:
            request: id of the `DecisionRequested`.
            action: approve, edit (with `code` or `steps`), or reject (with a `reason`).
            code: the edited cell.
            steps: the edited plan.
            reason: why it was rejected; the coder or planner takes it into account.
            approve: what the policy may approve by itself in the rest of this turn.
            cells: approve the code that stands with the plan, too.
            typed: the name of a package, as the person typed it out.

        Raises:
            SessionError: an edit without anything edited, a package in doubt whose name was not typed out, or the
                session is at work elsewhere.
        """
        async with self._runs.turn():
            is_uncaged = action != "reject" and await self._resources.runtime.cage() == UNCAGED

            def say(log: Sequence[Event]) -> Sequence[AnyEvent] | None:
                waiting = find_pending_request(log)
                if waiting is None or waiting.id != request:
                    return None
                permission = inputs.allow_in_turn(waiting.turn, approve)
                if waiting.subject == "code" and is_uncaged:
                    # The request said that nothing can be caged here, and the person goes on.
                    permission.append(UncagedAccepted(turn=waiting.turn))
                permission.append(
                    make_decision(log, waiting, action, code=code, steps=steps, reason=reason, cells=cells, typed=typed)
                )
                return permission

            return await self._start_unless_working(say)

    async def answer_clarification(self, clarification: str, text: str) -> bool:
        """Answer a question back. False where it does not wait (any more).

        Callers: The owner.
        """
        async with self._runs.turn():
            return await self._start_unless_working(lambda log: inputs.answer_back(log, clarification, text))

    async def stop(self) -> bool:
        """Stop the run. A running cell is interrupted; everything in the log stays. False where nothing runs.

        Callers: The owner.
        """
        return await self._runs.stop()

    async def stop_turn(self) -> bool:
        """Stop the run, or the turn where its run has just come to a question; False where it is over.

        Callers: The owner.

        Raises:
            SessionError: the session is at work in another program, which does not answer.
        """
        return await self._runs.stop_turn()

    async def resume(self, *, approve: Collection[Approvable] = ()) -> bool:
        """Go on with a turn that was stopped or failed. False where there is none.

        Callers: The owner.

        Args:
            approve: what the policy may approve by itself in the rest of the turn.
        """
        async with self._runs.turn():
            return await self._start_unless_working(lambda log: inputs.make_resumption(log, approve))

    async def _start_unless_working(self, say: Say) -> bool:
        return self.state != "working" and await self._runs.start(say)

    async def facts(self, execution: str) -> Facts:
        """What is known of the figures that an execution gave: their units, and where they come from.

        Callers: The owner.
        """
        return await self._outputs.presenting.facts(execution)

    async def allow(self, approve: Collection[Approvable]) -> None:
        """Let the policy approve these by itself from now on, in this session; nothing where it does already.

        Callers: The owner.
        """
        async with self._runs.write():
            for event in inputs.allow_in_session(self._log.events, approve):
                await self._log.append(event)

    async def set_policy(self, level: PolicyLevel) -> None:
        """Let so much go ahead without asking from now on: here, and in later sessions on the same sources.

        Callers: The owner.

        Raises:
            AssistantError: it cannot be kept; it holds in this session all the same.
        """
        await self.allow(POLICIES[level])
        await self.sources.keep_policy(level)

    async def rename(self, title: str) -> None:
        """Give the session a name.

        Callers: The owner.
        """
        async with self._runs.write():
            await self._log.append(SessionRenamed(title=title))

    async def add_package(self, event: PackageAdded) -> None:
        """Let the kernel import a package that the person approved. The next cell finds it.

        Callers: The owner.

        Raises:
            SessionError: the session is at work in another program.
        """
        async with self._runs.turn(), self._runs.alone():
            await self._log.append(event)

    async def begin(self, event: SessionOpened) -> None:
        """Write the first event of a new session.

        Callers: The program.
        """
        await self._log.append(event)

    async def rerun(self, execution: str, *, rows_max: int) -> TableView:
        """Run the query of an execution again, as it was approved: its table as the data is now.

        Callers: The owner.

        Raises:
            AssistantError: there is no such execution that ran, or its query cannot run any more.
        """
        return await rerun(
            find_execution(self._log.events, execution), await self._resources.data.sources(), rows_max=rows_max
        )

    async def export(self) -> bytes:
        """The session as a notebook that runs without Tandem, as bytes of an `.ipynb` file.

        That takes a while, and the person can go on; what was withheld meanwhile is not in it.

        Callers: The owner.

        Raises:
            AssistantError: it cannot be written, or another program is at work on what must be withheld.
        """
        while True:
            async with self._runs.turn():
                addresses = await asyncio.to_thread(lambda: self._resources.data.addresses)
                entries = self._log.entries
            entries_with_charts = await self._outputs.presenting.with_charts(entries, self.table)
            notebook = await asyncio.to_thread(self._outputs.notebook, entries_with_charts, addresses)
            async with self._runs.turn():
                if self._log.entries[: len(entries)] == entries:
                    return notebook

    async def cage(self) -> str:
        """The level of the cage that holds, or would hold, the session's code.

        Callers: Anyone.
        """
        return await self._resources.runtime.cage()

    async def settled(self) -> None:
        """Wait until no run is under way.

        Callers: The program.
        """
        await self._runs.settled()

    async def analyst(self) -> Analyst:
        """The embedded analyst of the session's data.

        Callers: The program.
        """
        return await self._resources.roles.analyst()

    async def is_new_question(self, text: str) -> bool:
        """Whether what a person types while something waits is a question of its own, and no change of what waits.

        Callers: The owner.
        """
        try:
            analyst = await self.analyst()
        except AssistantError:
            return False  # a source that cannot be read keeps nobody from sending back what waits
        return await asyncio.to_thread(analyst.is_new_question, text)

    # --- its life -------------------------------------------------------------------------------------------

    def hold(self) -> SessionLease:
        """The session's lease: held (`async with`) while it is deleted, so that no other program is at work on it.

        Callers: The program.
        """
        return self._runs.hold()

    async def follow(self) -> None:
        """Read what another program wrote meanwhile, and close its run where that program has ended.

        Callers: The program.

        Raises:
            StoreError: the store cannot be read or written.
        """
        await self._runs.follow()

    async def recover(self) -> None:
        """Read the log, and close what a program that ended in the middle of a run left open.

        Callers: The program.

        Raises:
            SessionError: another program is at work on it, and columns were masked that it has shown.
        """
        await self._runs.recover()

    async def apply_masks(self) -> int:
        """Withhold what was said and shown of columns that were masked since; what runs with them is stopped.

        After it, log, kernel, work folder and results hold none of their values. Gives how many turns that took.

        Callers: The program.

        Raises:
            AssistantError: another program is at work on it, or it cannot be written.
        """
        return await self._runs.apply_masks()

    async def close(self) -> None:
        """Stop what runs and let the kernel and the sources go. The log stays.

        Callers: The program.
        """
        await self.stop()
        await self._resources.roles.close()
        await self._resources.runtime.close()
        await self._resources.data.close()
