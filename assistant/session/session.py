"""A session: one conversation with its kernel. What the page and the command line use, and all they use.

A session is its event log. `ask`, `decide` and the others append what the person said and start a run of the group
chat (`runs`), which goes on in the background until the person is needed again; `settled` waits for that. Reading
(`record`) is safe from any thread; the coroutines belong to one event loop.
"""

from __future__ import annotations

import asyncio
from collections.abc import Awaitable, Callable, Collection, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import JsonValue

from assistant.cells.tables import TableView, execution_of
from assistant.core.approval.gate import decision_of, pending
from assistant.core.approval.policy import UNCAGED
from assistant.core.events import (
    POLICIES,
    AnyEvent,
    Appearance,
    Approvable,
    Entry,
    Event,
    PackageAdded,
    PolicyLevel,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Step,
    UncagedAccepted,
    Verified,
)
from assistant.core.flow import last_turn
from assistant.errors import SessionError
from assistant.record.store.log import EventLog
from assistant.session import inputs
from assistant.session.record import Record
from assistant.session.rerunning import rerun
from assistant.session.sources import SessionSources

if TYPE_CHECKING:
    from assistant.analyst.analyst import Analyst
    from assistant.analyst.interpretation.interpretation import Interpretation
    from assistant.models.budget import Account
    from assistant.record.store.sent_calls import SentCall
    from assistant.session.disclosing import Disclosing, Disclosure
    from assistant.session.presenting import Facts, Presenting
    from assistant.session.runs import Runs, Say
    from assistant.session.source_additions import Adding
    from assistant.session.verifying import Verifying
    from assistant.settings.disclosure_levels import Sees
    from assistant.sources.addresses import SourceAddress


class Runtime(Protocol):
    """The session's kernel, as the session itself uses it."""

    async def cage(self) -> str:
        """The level of the cage."""
        ...

    async def close(self) -> None:
        """Let the kernel go."""
        ...


class Session(Record):
    """One conversation."""

    def __init__(
        self,
        session_id: str,
        *,
        log: EventLog,
        folder: Path,
        runs: Runs,
        sources: SessionSources,
        adding: Adding,
        runtime: Runtime,
        verifying: Verifying,
        presenting: Presenting,
        notebook: Callable[[Sequence[Entry], Sequence[SourceAddress]], bytes],
        analyst: Callable[[], Awaitable[Analyst]],
        release: Callable[[], Awaitable[None]],
        accounts: Callable[[], tuple[Account, ...]] = tuple,
        disclosing: Disclosing | None = None,
        sent: Callable[[str], SentCall | None] = lambda _: None,
    ) -> None:
        super().__init__(session_id, log=log, folder=folder, runs=runs, accounts=accounts, sent=sent)
        self._sources = sources
        self._adding = adding
        self._runtime = runtime
        self._verifying = verifying
        self._presenting = presenting
        self._notebook = notebook
        self.analyst = analyst
        """Gives the embedded analyst of the session's data."""
        self._release = release
        self._disclosing = disclosing

    # --- what the person must know before they act ----------------------------------------------------------

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent to a model elsewhere; None where nothing is left."""
        return None if self._disclosing is None else await self._disclosing.disclosure(question)

    async def choose_seen(self, endpoints: Sequence[str], level: Sees) -> None:
        """Keep what model endpoints may see of the data, from now on.

        Raises:
            ConfigError: it cannot be written.
        """
        if self._disclosing is not None:
            await self._disclosing.choose(endpoints, level)

    def obstacle(self, turn: int) -> str:
        """Why a turn's answer cannot be marked right, as far as the log tells; empty where it can."""
        return self._verifying.obstacle(turn)

    async def leans(self, turn: int) -> bool:
        """Whether a turn's question may lean on the answer before it: then its answer cannot be marked right either."""
        return await self._verifying.leans(turn)

    # --- what the person does -------------------------------------------------------------------------------

    async def ask(self, text: str, *, files: Sequence[str] = (), approve: Collection[Approvable] = ()) -> None:
        """Ask a question; a run starts. What waited for a decision before is thereby left.

        Args:
            text: the question.
            files: names of files that came with it, already added by `add_files`.
            approve: what the policy may approve by itself in this turn.

        Raises:
            SessionError: the session is at work, here or in another program.
        """
        async with self._runs.turn():
            await self._runs.start(lambda log: inputs.question(log, text, files=files, approve=approve))

    async def ask_interpretation(self, interpretation: Interpretation, *, approve: Collection[Approvable] = ()) -> None:
        """Ask for what a person put together from chips; a run starts, under the same approval as for a question.

        Raises:
            InterpretationError: it cannot be computed yet, and why.
            SessionError: the session is at work, here or in another program.
        """
        from assistant.session.interpreting import question_of

        text, meaning = await asyncio.to_thread(question_of, interpretation)
        async with self._runs.turn():
            await self._runs.start(lambda log: inputs.question(log, text, files=(), approve=approve, meaning=meaning))

    async def interpretation(self) -> Interpretation | None:
        """What the current turn computes, in chips; what was understood of its question where nothing is computed.

        None where there is no turn, where a model or the person wrote its code, and where there is no data.
        """
        from assistant.session.interpreting import interpretation_of

        turn = self.transcript.current
        return None if turn is None else await asyncio.to_thread(interpretation_of, turn, await self.analyst())

    async def differences(self) -> tuple[str, ...]:
        """What tells the options of the question back apart, in chips; empty where only sentences do."""
        from assistant.session.interpreting import differences_of

        turn = self.transcript.current
        return () if turn is None else await asyncio.to_thread(differences_of, turn, await self.analyst())

    async def decide(
        self,
        request: str,
        action: Literal["approve", "edit", "reject"],
        *,
        code: str | None = None,
        steps: Sequence[Step] | None = None,
        reason: str = "",
        approve: Collection[Approvable] = (),
        cells: bool = False,
        typed: str = "",
    ) -> bool:
        """Decide what waits. The first decision counts; a later one changes nothing and gives False.

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
            is_uncaged = action != "reject" and await self._runtime.cage() == UNCAGED

            def say(log: Sequence[Event]) -> Sequence[AnyEvent] | None:
                waiting = pending(log)
                if waiting is None or waiting.id != request:
                    return None
                said = inputs.let_in_turn(waiting.turn, approve)
                if waiting.subject == "code" and is_uncaged:
                    # The request said that nothing can be caged here, and the person goes on.
                    said.append(UncagedAccepted(turn=waiting.turn))
                said.append(
                    decision_of(log, waiting, action, code=code, steps=steps, reason=reason, cells=cells, typed=typed)
                )
                return said

            return await self._start_unless_working(say)

    async def answer_clarification(self, clarification: str, text: str) -> bool:
        """Answer a question back. False where it does not wait (any more)."""
        async with self._runs.turn():
            return await self._start_unless_working(lambda log: inputs.answer_back(log, clarification, text))

    async def stop(self) -> bool:
        """Stop the run. A running cell is interrupted; everything in the log stays. False where nothing runs."""
        return await self._runs.stop()

    async def stop_turn(self) -> bool:
        """Stop the run, or the turn where its run has just come to a question; False where it is over.

        Raises:
            SessionError: the session is at work in another program.
        """
        return await self._runs.stop_turn()

    async def resume(self, *, approve: Collection[Approvable] = ()) -> bool:
        """Go on with a turn that was stopped or failed. False where there is none.

        Args:
            approve: what the policy may approve by itself in the rest of the turn.
        """
        async with self._runs.turn():
            return await self._start_unless_working(lambda log: inputs.resumption(log, approve))

    async def _start_unless_working(self, say: Say) -> bool:
        return self.state != "working" and await self._runs.start(say)

    async def verify(self, turn: int) -> Verified:
        """Mark a turn's answer right: its question and its SQL are kept in the knowledge folder.

        Raises:
            AssistantError: it cannot be marked or kept; nothing changed.
        """
        async with self._runs.turn(), self._runs.alone():
            return await self._verifying.verify(turn)

    async def revoke(self, turn: int) -> bool:
        """Take back that a turn's answer is right. False where no mark stands.

        Raises:
            AssistantError: what was kept was edited by hand meanwhile, or cannot be removed; nothing changed.
        """
        async with self._runs.turn(), self._runs.alone():
            return await self._verifying.revoke(turn)

    async def present(self, turn: int, look: Appearance) -> None:
        """Show a turn's answer so from now on: its chart, order and format. Nothing runs for it."""
        async with self._runs.write():
            await self._presenting.present(turn, look)

    async def present_in_words(self, text: str) -> bool:
        """Show the last answer as the words say, if they say nothing else; False where they are a question."""
        if self.state != "idle":
            return False
        async with self._runs.write():
            return self.state == "idle" and await self._presenting.present_in_words(text)

    async def dispute(self, turn: int, note: str = "", *, stands: bool = True) -> None:
        """Say that a turn's answer is wrong, and why; or, with `stands` False, take that back."""
        async with self._runs.turn(), self._runs.alone():
            await self._presenting.dispute(turn, note, stands=stands)

    async def facts(self, execution: str) -> Facts:
        """What is known of the figures that an execution gave: their units, and where they come from."""
        return await self._presenting.facts(execution)

    async def ask_for_rows_under(self, execution: str, row: Mapping[str, object]) -> None:
        """Put the query for the rows under one row of a result forward, as a turn of its own.

        Args:
            execution: the execution that gave the result.
            row: the row, by the names of its columns.

        Raises:
            SessionError: its query adds nothing up or cannot be read, or the session is at work.
        """
        under = await self._presenting.under(execution, row)
        async with self._runs.turn():
            await self._runs.start(lambda log: under(last_turn(log) + 1))

    async def allow(self, approve: Collection[Approvable]) -> None:
        """Let the policy approve these by itself from now on, in this session; nothing where it does already."""
        async with self._runs.write():
            for event in inputs.let_in_session(self._log.events, approve):
                await self._log.append(event)

    async def picture(self, specification: Mapping[str, JsonValue], kind: Literal["png", "svg"]) -> bytes:
        """A chart as a picture.

        Raises:
            SessionError: it is not safe to draw, or cannot be drawn.
        """
        from assistant.output.notebook.drawing import picture_of

        made = await asyncio.to_thread(picture_of, specification, kind)
        if made is None:
            raise SessionError("The chart could not be drawn as a picture. Download it as Vega, or try again.")
        return made

    async def set_policy(self, level: PolicyLevel) -> None:
        """Let so much go ahead without asking from now on: here, and in later sessions on the same sources.

        Raises:
            AssistantError: it cannot be kept; it holds in this session all the same.
        """
        await self.allow(POLICIES[level])
        await self._adding.keep_policy(level)

    async def rename(self, title: str) -> None:
        """Give the session a name."""
        async with self._runs.write():
            await self._log.append(SessionRenamed(title=title))

    async def add_package(self, event: PackageAdded) -> None:
        """Let the kernel import a package that the person approved. The next cell finds it.

        Raises:
            SessionError: the session is at work in another program.
        """
        async with self._runs.turn(), self._runs.alone():
            await self._log.append(event)

    async def begin(self, event: SessionOpened) -> None:
        """Write the first event of a new session."""
        await self._log.append(event)

    async def has_source(self, given: str) -> bool:
        """Whether the session has a source already: `name=address`, a URL, or a path.

        Raises:
            AssistantError: it cannot be understood, or nothing readable is there.
        """
        return await self._adding.has_source(given)

    async def add_source(self, given: str) -> tuple[SourceAdded, ...]:
        """Connect a source: `name=address`, a URL, or a path. A folder may hold several.

        Raises:
            AssistantError: it cannot be opened; the text says why and what to do. Nothing changed.
        """
        return await self._adding.add_source(given)

    async def add_granted(self, given: str) -> tuple[SourceAdded, ...]:
        """Connect a source that the settings or the data page connect for everybody.

        Raises:
            AssistantError: it cannot be opened. Nothing changed.
        """
        return await self._adding.add_granted(given)

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[SourceAdded, ...]:
        """Keep uploaded files and connect each as a source; `FILE.tandem.toml` says how `FILE` is read.

        Raises:
            AssistantError: one cannot be read as data, or is no companion of another; those before it are connected.
        """
        return await self._adding.add_files(files)

    async def rerun(self, execution: str, *, rows_max: int) -> TableView:
        """Run the query of an execution again, as it was approved: its table as the data is now.

        Raises:
            AssistantError: there is no such execution that ran, or its query cannot run any more.
        """
        return await rerun(execution_of(self._log.events, execution), await self._sources.sources(), rows_max=rows_max)

    async def export(self) -> bytes:
        """The session as a notebook that runs without Tandem, as bytes of an `.ipynb` file.

        That takes a while, and the person can go on; what was withheld meanwhile is not in it.

        Raises:
            AssistantError: it cannot be written, or another program is at work on what must be withheld.
        """
        while True:
            async with self._runs.turn():
                addresses = await asyncio.to_thread(lambda: self._sources.addresses)
                entries = self._log.entries
            told = await self._presenting.with_charts(entries, self.table)
            made = await asyncio.to_thread(self._notebook, told, addresses)
            async with self._runs.turn():
                if self._log.entries[: len(entries)] == entries:
                    return made

    async def cage(self) -> str:
        """The level of the cage that holds, or would hold, the session's code."""
        return await self._runtime.cage()

    async def settled(self) -> None:
        """Wait until no run is under way."""
        await self._runs.settled()

    # --- its life -------------------------------------------------------------------------------------------

    async def follow(self, *, closes_run: bool = True) -> None:
        """Read what another program wrote meanwhile, and close its run where that program has ended, if that is wanted.

        Raises:
            StoreError: the store cannot be read or written.
        """
        await self._runs.follow(closes_run=closes_run)

    async def recover(self) -> None:
        """Read the log, and close what a program that ended in the middle of a run left open.

        Raises:
            SessionError: another program is at work on it, and columns were masked that it has shown.
        """
        await self._runs.recover()

    async def apply_masks(self) -> int:
        """Withhold what was said and shown of columns that were masked since; what runs with them is stopped.

        After it, log, kernel, work folder and results hold none of their values. Gives how many turns that took.

        Raises:
            AssistantError: another program is at work on it, or it cannot be written.
        """
        return await self._runs.apply_masks()

    async def close(self) -> None:
        """Stop what runs and let the kernel and the sources go. The log stays."""
        await self.stop()
        await self._release()
        await self._runtime.close()
        await self._sources.close()
