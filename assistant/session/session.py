"""A session: one conversation with its kernel. What the page and the command line use, and all they use.

A session is its event log. `ask`, `decide` and the others append what the person said and start a run of the group
chat, which goes on in the background until the person is needed again; `settled` waits for that. Reading is safe from
any thread; the coroutines belong to one event loop.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Collection, Mapping, Sequence
from contextlib import ExitStack, asynccontextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Literal, Protocol

from pydantic import JsonValue

from assistant.approval.gate import decision_of, pending
from assistant.approval.policy import UNCAGED, Policy
from assistant.cells.charts import chart_of
from assistant.cells.tables import TableView, execution_of, table_of
from assistant.data.uploads import discard, keep, uploads
from assistant.errors import SessionError, StoreError, in_words, way_on
from assistant.events import (
    POLICIES,
    AnyEvent,
    Appearance,
    Approvable,
    Clarification,
    ClarificationAnswered,
    Entry,
    Event,
    Execution,
    ExecutionStarted,
    Failed,
    PackageAdded,
    PolicyChanged,
    PolicyLevel,
    Question,
    Resumed,
    SessionOpened,
    SessionRenamed,
    SourceAdded,
    Step,
    Stopped,
    UncagedAccepted,
    Verified,
)
from assistant.flow import State, current_turn, next_speaker, state
from assistant.log_lines import Place, at
from assistant.runtime.failing import interrupted
from assistant.session.rerunning import rerun
from assistant.session.sources import SessionSources, told
from assistant.store.database import shortened
from assistant.store.lock import SessionLock
from assistant.store.log import EventLog, damaged

if TYPE_CHECKING:
    from assistant.data.addresses import SourceAddress
    from assistant.models.budget import Account
    from assistant.session.disclosing import Disclosure
    from assistant.session.presenting import Facts, Presenting
    from assistant.session.verifying import Verifying
    from assistant.settings.seeing import Sees
    from assistant.store.sent import SentCall

_LOG = logging.getLogger(__name__)


class Bench(Protocol):
    """The session's kernel, as the session itself uses it."""

    async def cage(self) -> str:
        """The level of the cage."""
        ...

    async def close(self) -> None:
        """Let the kernel go."""
        ...


class Policies(Protocol):
    """What people let go ahead without asking, by source. Calls block."""

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources."""
        ...

    def keep(self, names: Sequence[str], level: PolicyLevel) -> None:
        """Keep a policy for sources of these names."""
        ...


class Disclosing(Protocol):
    """What models elsewhere may see, and what they would be sent."""

    async def disclosure(self, question: str) -> Disclosure | None:
        """What the person must choose before a question is sent; None where nothing is left to choose."""
        ...

    async def choose(self, endpoints: Sequence[str], level: Sees) -> None:
        """Keep what endpoints may see."""
        ...


class Session:
    """One conversation."""

    def __init__(
        self,
        session_id: str,
        *,
        log: EventLog,
        folder: Path,
        shelf: SessionSources,
        bench: Bench,
        converse: Callable[[Event], Awaitable[None]],
        heed: Callable[[Callable[[], Awaitable[object]]], Awaitable[int]],
        verifying: Verifying,
        presenting: Presenting,
        policies: Policies,
        notebook: Callable[[Sequence[Entry], Sequence[SourceAddress]], bytes],
        release: Callable[[], Awaitable[None]],
        accounts: Callable[[], tuple[Account, ...]] = tuple,
        disclosing: Disclosing | None = None,
        sent: Callable[[str], SentCall | None] = lambda _: None,
    ) -> None:
        self.id = session_id
        self._place = Place(session=session_id)
        self._log = log
        self._folder = folder
        self._shelf = shelf
        self._bench = bench
        self._converse = converse
        self._heed = heed
        self._verifying = verifying
        self._presenting = presenting
        self._policies = policies
        self._notebook = notebook
        self._release = release
        self._accounts = accounts
        self._disclosing = disclosing
        self._sent = sent
        self._running: asyncio.Task[None] | None = None
        self._fault = ""
        self._gate = asyncio.Lock()

    # --- reading, from any thread ---------------------------------------------------------------------------

    @property
    def title(self) -> str:
        """What the person named it, or its first question."""
        named = [event for event in self._log.events if isinstance(event, SessionRenamed)]
        if named:
            return named[-1].title
        asked = next((event.text for event in self._log.events if isinstance(event, Question)), "")
        return shortened(asked)

    @property
    def state(self) -> State:
        """Whether it is idle, at work, or waiting for the person."""
        if self._running is not None and not self._running.done():
            return "working"
        return "idle" if self._log.damage is not None or self._fault else state(self._log.events)

    @property
    def damage(self) -> str:
        """That its log is damaged and where, in words; empty where it is whole. A damaged session is only read."""
        return "" if self._log.damage is None else damaged(self.id, self._log.damage)

    @property
    def version(self) -> int:
        """A number that grows with every visible change."""
        return self._log.version

    @property
    def partial(self) -> Mapping[str, str]:
        """Text that participants are still writing, by participant."""
        return self._log.partial

    @property
    def fault(self) -> str:
        """Why the end of the last run could not be written (a full disk), in words; empty where it could."""
        return self._fault

    def events(self, after: int = 0) -> tuple[Entry, ...]:
        """The entries of the log with a place above `after`."""
        return self._log.entries[after:]

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each visible change, from any thread; the result unsubscribes."""
        return self._log.subscribe(callback)

    def table(self, execution: str, *, rows_max: int = 1000) -> TableView | None:
        """The table that an execution gave, at most `rows_max` rows of it. Reads a file: call it from a thread."""
        found = execution_of(self._log.events, execution)
        return None if found is None else table_of(found, folder=self._folder / "data", rows_max=rows_max)

    def chart(self, execution: str) -> dict[str, JsonValue] | None:
        """The Vega-Lite chart that an execution gave, if it gave one that is safe to draw."""
        found = execution_of(self._log.events, execution)
        return None if found is None else chart_of(found)

    def sent(self, name: str) -> SentCall | None:
        """What a model was sent in the call whose `Usage` carries this name. Reads a file: call it from a thread."""
        return self._sent(name)

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

    def accounts(self) -> tuple[Account, ...]:
        """The limits on models that are set, and what this session and its last turn have used of each."""
        return self._accounts()

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
        turn = self._last_turn + 1
        said: list[AnyEvent] = [Question(turn=turn, text=text, files=tuple(files))]
        if approve:
            said.insert(0, PolicyChanged(turn=turn, approve=tuple(sorted(set(approve)))))
        async with self._turn():
            await self._start(said)

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
            reason: why it was rejected; the coder or planner heeds it.
            approve: what the policy may approve by itself in the rest of this turn.
            cells: approve the code that stands with the plan, too.
            typed: the name of a package, as the person typed it out.

        Raises:
            SessionError: an edit without anything edited, a package in doubt whose name was not typed out, or the
                session is at work elsewhere.
        """
        async with self._turn():
            events = self._log.events
            waiting = pending(events)
            if waiting is None or waiting.id != request or self.state == "working":
                return False
            said: list[AnyEvent] = []
            if approve:
                said.append(PolicyChanged(turn=waiting.turn, approve=tuple(sorted(set(approve)))))
            if waiting.subject == "code" and action != "reject" and await self._bench.cage() == UNCAGED:
                # The request said that nothing can be caged here, and the person goes on.
                said.append(UncagedAccepted(turn=waiting.turn))
            said.append(
                decision_of(events, waiting, action, code=code, steps=steps, reason=reason, cells=cells, typed=typed)
            )
            await self._start(said)
            return True

    async def answer_clarification(self, clarification: str, text: str) -> bool:
        """Answer a question back. False where it does not wait (any more)."""
        async with self._turn():
            turn = current_turn(self._log.events)
            last = next((e for e in reversed(turn) if not isinstance(e, PolicyChanged)), None)
            if not isinstance(last, Clarification) or last.id != clarification or self.state == "working":
                return False
            await self._start([ClarificationAnswered(turn=last.turn, clarification=clarification, text=text)])
            return True

    async def stop(self) -> bool:
        """Stop the run. A running cell is interrupted; everything in the log stays. False where nothing runs."""
        running = self._running
        if running is None or running.done():
            return False
        running.cancel()
        await asyncio.wait([running])
        return True

    async def resume(self, *, approve: Collection[Approvable] = ()) -> bool:
        """Go on with a turn that was stopped or failed. False where there is none.

        Args:
            approve: what the policy may approve by itself in the rest of the turn.
        """
        async with self._turn():
            turn = current_turn(self._log.events)
            if not turn or not isinstance(turn[-1], Stopped | Failed) or self.state == "working":
                return False
            said: list[AnyEvent] = [Resumed(turn=turn[-1].turn)]
            if approve:
                said.insert(0, PolicyChanged(turn=turn[-1].turn, approve=tuple(sorted(set(approve)))))
            await self._start(said)
            return True

    async def verify(self, turn: int) -> Verified:
        """Mark a turn's answer right: its question and its SQL are kept in the knowledge folder.

        Raises:
            AssistantError: it cannot be marked or kept; nothing changed.
        """
        async with self._turn(), self._alone():
            return await self._verifying.verify(turn)

    async def revoke(self, turn: int) -> bool:
        """Take back that a turn's answer is right. False where no mark stands.

        Raises:
            AssistantError: what was kept was edited by hand meanwhile, or cannot be removed; nothing changed.
        """
        async with self._turn(), self._alone():
            return await self._verifying.revoke(turn)

    async def present(self, turn: int, look: Appearance) -> None:
        """Show a turn's answer so from now on: its chart, order and format. Nothing runs for it."""
        async with self._gate:
            await self._presenting.present(turn, look)

    async def present_in_words(self, text: str) -> bool:
        """Show the last answer as the words say, if they say nothing else; False where they are a question."""
        if self.state != "idle":
            return False
        async with self._gate:
            return await self._presenting.present_in_words(text)

    async def dispute(self, turn: int, note: str = "", *, stands: bool = True) -> None:
        """Say that a turn's answer is wrong, and why; or, with `stands` False, take that back."""
        async with self._turn(), self._alone():
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
        turn = self._last_turn + 1
        said = await self._presenting.under(execution, row, turn)
        async with self._turn():
            await self._start(said)

    async def allow(self, approve: Collection[Approvable]) -> None:
        """Let the policy approve these by itself from now on, in this session; nothing where it does already."""
        async with self._gate:
            if frozenset(approve) != Policy.of(self._log.events, turn=0).approve:
                await self._log.append(PolicyChanged(approve=tuple(sorted(set(approve)))))

    async def picture(self, specification: Mapping[str, JsonValue], kind: Literal["png", "svg"]) -> bytes:
        """A chart as a picture.

        Raises:
            SessionError: it is not safe to draw, or cannot be drawn.
        """
        from assistant.notebook.drawing import picture_of

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
        await asyncio.to_thread(self._policies.keep, self._displays(), level)

    def _displays(self) -> list[str]:
        return [event.display for event in self._log.events if isinstance(event, SourceAdded)]

    async def _take_policy(self) -> None:
        """Let go ahead what was let go ahead before on these sources."""
        level = await asyncio.to_thread(self._policies.of, self._displays())
        if frozenset(POLICIES[level]) != Policy.of(self._log.events, turn=0).approve:
            await self._log.append(PolicyChanged(approve=POLICIES[level]))

    async def rename(self, title: str) -> None:
        """Give the session a name."""
        await self._log.append(SessionRenamed(title=title))

    async def add_package(self, event: PackageAdded) -> None:
        """Let the kernel import a package that the person approved. The next cell finds it.

        Raises:
            SessionError: the session is at work in another program.
        """
        async with self._turn(), self._alone():
            await self._log.append(event)

    async def begin(self, event: SessionOpened) -> None:
        """Write the first event of a new session."""
        await self._log.append(event)

    async def has_source(self, given: str) -> bool:
        """Whether the session has a source already: `name=address`, a URL, or a path.

        Raises:
            AssistantError: it cannot be understood, or nothing readable is there.
        """
        return await self._shelf.holds(given)

    async def add_source(self, given: str) -> tuple[SourceAdded, ...]:
        """Connect a source: `name=address`, a URL, or a path. A folder may hold several.

        Raises:
            AssistantError: it cannot be opened; the text says why and what to do. Nothing changed.
        """
        self._require_whole()
        opened = await self._shelf.add(given)
        catalogs = {catalog.source: catalog for catalog in await self._shelf.catalogs()}
        files = {address.name: address.files for address in self._shelf.addresses}
        added = tuple(told(source, catalogs[source.name], files=files[source.name]) for source in opened)
        for event in added:
            await self._log.append(event)
        await self._take_policy()
        return added

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[SourceAdded, ...]:
        """Keep uploaded files and connect each as a source; `FILE.tandem.toml` says how `FILE` is read.

        Raises:
            AssistantError: one cannot be read as data, or is no companion of another; those before it are connected.
        """
        added: list[SourceAdded] = []
        for upload in uploads(files):
            path = await asyncio.to_thread(keep, upload, self._folder / "uploads")
            try:
                added += await self.add_source(str(path))
            except BaseException:  # a stop as well: nothing of it stays
                await asyncio.to_thread(discard, path)
                raise
        return tuple(added)

    async def rerun(self, execution: str, *, rows_max: int) -> TableView:
        """Run the query of an execution again, as it was approved: its table as the data is now.

        Raises:
            AssistantError: there is no such execution that ran, or its query cannot run any more.
        """
        return await rerun(execution_of(self._log.events, execution), await self._shelf.sources(), rows_max=rows_max)

    async def export(self) -> bytes:
        """The session as a notebook that runs without Tandem, as bytes of an `.ipynb` file.

        That takes a while, and the person can go on; what was withheld meanwhile is not in it.

        Raises:
            AssistantError: it cannot be written, or another program is at work on what must be withheld.
        """
        while True:
            async with self._turn():
                addresses = await asyncio.to_thread(lambda: self._shelf.addresses)
                entries = self._log.entries
            told = await self._presenting.with_charts(entries, self.table)
            made = await asyncio.to_thread(self._notebook, told, addresses)
            async with self._turn():
                if self._log.entries[: len(entries)] == entries:
                    return made

    async def cage(self) -> str:
        """The level of the cage that holds, or would hold, the session's code."""
        return await self._bench.cage()

    async def settled(self) -> None:
        """Wait until no run is under way."""
        if self._running is not None:
            await asyncio.wait([self._running])

    # --- its life -------------------------------------------------------------------------------------------

    async def recover(self) -> None:
        """Read the log, and close what a program that ended in the middle of a run left open.

        Raises:
            SessionError: another program is at work on it, and columns were masked that it has shown.
        """
        await self.heed_masks()
        if self.state != "working":
            return
        try:
            with self._lock():
                await self._log.refresh()
                await self._close_left_open("The program ended while this ran.")
        except SessionError:
            return  # another program is at work on it: it is not ours to close

    async def _close_left_open(self, why: str) -> None:
        """End a turn whose run ended without a word in the log."""
        turn = current_turn(self._log.events)
        started = next((e for e in reversed(turn) if isinstance(e, ExecutionStarted)), None)
        if started is not None and not any(isinstance(e, Execution) and e.id == started.id for e in turn):
            await self._log.append(interrupted(started, why))
        if next_speaker(self._log.events) is not None:
            await self._log.append(Stopped(turn=turn[-1].turn, by="restart"))

    async def heed_masks(self) -> int:
        """Withhold what was said and shown of columns that were masked since; what runs with them is stopped.

        When this returns, neither log nor kernel, desk or results tell their values. Gives how many turns that took.

        Raises:
            AssistantError: another program is at work on it, or it cannot be written.
        """
        async with self._gate:
            return await self._heed(self.stop)

    async def close(self) -> None:
        """Stop what runs and let the kernel and the sources go. The log stays."""
        await self.stop()
        await self._release()
        await self._bench.close()
        await self._shelf.close()

    # --- runs -----------------------------------------------------------------------------------------------

    @asynccontextmanager
    async def _turn(self) -> AsyncGenerator[None]:
        """One thing that the person does at a time, on the log as it is, with the masks as they are."""
        async with self._gate:
            with at(self._place):
                await self._log.refresh()
                self._place.turn = self._last_turn
                await self._heed(self.stop)
                yield

    @asynccontextmanager
    async def _alone(self) -> AsyncGenerator[None]:
        """No other program writes to the log meanwhile; a run of ours may go on."""
        with ExitStack() as stack:
            if self._running is None or self._running.done():
                stack.enter_context(self._lock())
                await self._log.refresh()
            self._require_whole()
            yield

    @property
    def _last_turn(self) -> int:
        return max((event.turn for event in self._log.events), default=0)

    def _require_whole(self) -> None:
        if self.damage:
            raise StoreError(self.damage)

    async def _start(self, said: Sequence[AnyEvent]) -> None:
        """Make what the person said durable, then run the group chat in the background."""
        if self._running is not None and not self._running.done():
            raise SessionError("The session is still at work on the last question. Wait for it, or stop it first.")
        with ExitStack() as stack:
            stack.enter_context(self._lock())
            await self._log.refresh()
            if self._fault:
                await self._close_left_open("The session store could not be written while this ran.")
                self._fault = ""
            if any(isinstance(event, Question) for event in said):
                said = [*await self._shelf.read_anew(), *said]
            for event in said:
                await self._log.append(event)
            self._running = asyncio.create_task(self._run(said[-1], stack.pop_all()))
            self._running.add_done_callback(lambda _task: self._log.touch())

    async def _run(self, said: Event, held: ExitStack) -> None:
        self._place.turn = said.turn
        with held, at(self._place):
            try:
                await self._converse(said)
            except asyncio.CancelledError:
                await asyncio.shield(self._end(Stopped(turn=said.turn)))
            except Exception as error:  # noqa: BLE001 - the top of a session: what went wrong becomes an event
                _LOG.exception("a run failed")
                await self._end(Failed(turn=said.turn, message=in_words(error), next_action=way_on(error)))
            finally:
                self._log.hush()

    async def _end(self, event: AnyEvent) -> None:
        """Write the end of a run; where nothing can be written, that is told all the same."""
        try:
            await self._log.append(event)
        except StoreError as error:
            self._fault = str(error)

    def _lock(self) -> SessionLock:
        return SessionLock(self._folder / "lock")
