"""The runs of a session: one at a time, in the background, under the session's lease; each ends with an event.

An input is durable before its run starts. A run that is stopped, fails, or whose program ends is closed by an event,
so the next one starts from a complete log. Which inputs are allowed is decided by `session`.
"""

from __future__ import annotations

import asyncio
import logging
from collections.abc import AsyncGenerator, Awaitable, Callable, Sequence
from contextlib import AsyncExitStack, asynccontextmanager
from typing import TYPE_CHECKING

from assistant.core.events import (
    AnyEvent,
    Event,
    Failed,
    SourceAdded,
    Stopped,
)
from assistant.core.flow import State, find_last_turn, find_state, next_speaker
from assistant.core.turns import fold_turn
from assistant.errors import SessionError, StoreError, in_words, way_on
from assistant.log_lines import Place, at
from assistant.record.store.log import EventLog, describe_damage
from assistant.runtime.failed_executions import make_interrupted

if TYPE_CHECKING:
    from assistant.record.store.leases import SessionLease

_LOG = logging.getLogger(__name__)

_INTERRUPTED = "The program ended while this ran."
_STOP_WAIT_S = 10.0
_STOP_LOOKS = 40

Say = Callable[[Sequence[Event]], Sequence[AnyEvent] | None]
"""Gives the events that an input comes to on a log; None where the log does not wait for it (any more)."""


class Runs:
    """Starts and ends the runs of one session. The coroutines belong to one event loop.

    Args:
        session_id: The session.
        log: Its events.
        lease: Gives its lease, with what is called where the run must end; who holds it may write to the log.
        converse: Runs the group chat on what was said, until the person is needed again.
        apply_masks: Withholds what was masked since; it is given what stops the run. Gives how many turns that took.
        read_anew: Reads sources anew whose files have changed.
    """

    def __init__(
        self,
        session_id: str,
        *,
        log: EventLog,
        lease: Callable[[Callable[[], Awaitable[object]]], SessionLease],
        converse: Callable[[Event], Awaitable[None]],
        apply_masks: Callable[[Callable[[], Awaitable[object]]], Awaitable[int]],
        read_anew: Callable[[], Awaitable[Sequence[SourceAdded]]],
    ) -> None:
        self._id = session_id
        self._log = log
        self._lease = lease
        self._converse = converse
        self._apply_masks = apply_masks
        self._read_anew = read_anew
        self._place = Place(session=session_id)
        self._running: asyncio.Task[None] | None = None
        self._fault = ""
        self._gate = asyncio.Lock()

    @property
    def state(self) -> State:
        """Whether the session is idle, at work, or waiting for the person."""
        if self._under_way:
            return "working"
        return "idle" if self._log.damage is not None or self._fault else find_state(fold_turn(self._log.events))

    @property
    def damage(self) -> str:
        """That the log is damaged and where, in words; empty where it is whole."""
        return "" if self._log.damage is None else describe_damage(self._id, self._log.damage)

    @property
    def fault(self) -> str:
        """Why the end of the last run could not be written (a full disk), in words; empty where it could."""
        return self._fault

    @property
    def _under_way(self) -> bool:
        return self._running is not None and not self._running.done()

    # --- one thing at a time --------------------------------------------------------------------------------

    @asynccontextmanager
    async def write(self) -> AsyncGenerator[None]:
        """One thing that the person does at a time, on the log as it is; what is masked since may still be shown."""
        async with self._gate, self.alone():
            yield

    @asynccontextmanager
    async def turn(self) -> AsyncGenerator[None]:
        """One thing that the person does at a time, on the log as it is, with the masks as they are."""
        async with self._gate:
            with at(self._place):
                await self._log.refresh()
                self._place.turn = find_last_turn(self._log.events)
                await self._apply_masks(self.stop)
                yield

    @asynccontextmanager
    async def alone(self) -> AsyncGenerator[None]:
        """No other program writes to the log meanwhile; a run of ours may go on."""
        async with AsyncExitStack() as stack:
            if not self._under_way:
                await stack.enter_async_context(self.hold())
                await self._log.refresh()
            self.require_whole()
            yield

    def hold(self) -> SessionLease:
        """The session's lease, to be held (`async with`) while its log is written."""
        return self._lease(self.stop)

    def require_whole(self) -> None:
        """Go on only where the log is whole.

        Raises:
            StoreError: it is damaged.
        """
        if self.damage:
            raise StoreError(self.damage)

    async def apply_masks(self) -> int:
        """Withhold what was masked since; gives how many turns that took."""
        async with self._gate:
            return await self._apply_masks(self.stop)

    # --- a run ----------------------------------------------------------------------------------------------

    async def start(self, say: Say) -> bool:
        """Make what the person said durable, then run the group chat in the background.

        Args:
            say: Gives the events of it, and is asked once no other program can write: a number of a turn, or what
                waits, that was read before may not hold any more.

        Returns:
            Whether the log waited for it.

        Raises:
            SessionError: the session is at work, here or in another program.
        """
        if self._under_way:
            raise SessionError("The session is still at work on the last question. Wait for it, or stop it first.")
        async with AsyncExitStack() as stack:
            await stack.enter_async_context(self.hold())
            await self._log.refresh()
            await self._close_left_open(
                "The session store could not be written while this ran." if self._fault else _INTERRUPTED
            )
            self._fault = ""
            events = say(self._log.events)
            if events is None:
                return False
            if events[-1].turn > find_last_turn(self._log.events):  # a question: its answer reads files as they are now
                events = [*await self._read_anew(), *events]
            for event in events:
                await self._log.append(event)
            # The lock passes to the task: it is held until the run ends, not until `start` returns.
            self._running = asyncio.create_task(self._run(events[-1], stack.pop_all()))
            self._running.add_done_callback(lambda _task: self._log.touch())
            await asyncio.sleep(0)  # it begins: a task that is cancelled before would never give the lease back
            return True

    async def stop(self) -> bool:
        """Stop the run. A running cell is interrupted; everything in the log stays. False where nothing runs."""
        running = self._running
        if running is None or running.done():
            return False
        # Cancelling is enough: `_run` writes the event that closes the turn.
        running.cancel()
        await asyncio.wait([running])
        return True

    async def stop_turn(self) -> bool:
        """Stop the run. Where it has just come to a question to the person, or the person's last word has yet to begin
        one, the turn is stopped there. False where nothing of the turn is left to stop.

        A run of another program, on this server or another, is stopped there.

        Raises:
            SessionError: the other program does not answer.
        """
        if await self.stop():
            return True
        async with self.turn():
            if await self.stop():
                return True
            try:
                async with self.hold():
                    await self._log.refresh()
                    if find_state(fold_turn(self._log.events)) == "idle":
                        return False
                    await self._log.append(Stopped(turn=find_last_turn(self._log.events)))
                    return True
            except SessionError:
                return await self._stop_elsewhere()

    async def _stop_elsewhere(self) -> bool:
        """Have another program stop its run of this session.

        Raises:
            SessionError: it does not answer.
        """
        await self.hold().request_stop()
        for _ in range(_STOP_LOOKS):
            await asyncio.sleep(_STOP_WAIT_S / _STOP_LOOKS)
            await self._log.refresh()
            if find_state(fold_turn(self._log.events)) == "idle":
                return True
        raise SessionError("The other window or program was asked to stop and is still at work. Try again soon.")

    async def settled(self) -> None:
        """Wait until no run is under way."""
        if self._running is not None:
            await asyncio.wait([self._running])

    async def recover(self) -> None:
        """Close what a program that ended in the middle of a run left open."""
        await self.apply_masks()
        await self._close_ended_run()

    async def follow(self) -> None:
        """Read what another program wrote meanwhile, and close its run where that program has ended.

        Raises:
            StoreError: the store cannot be read or written.
        """
        await self._log.refresh()
        await self._close_ended_run()

    async def _close_ended_run(self) -> None:
        """Close a run of another program that has ended; one that goes on holds the lease, and is not ours to close."""
        if self._under_way or self.state != "working":
            return
        try:
            async with self.hold():
                await self._log.refresh()
                await self._close_left_open(_INTERRUPTED)
        except SessionError:
            return

    async def _run(self, event: Event, lease: AsyncExitStack) -> None:
        self._place.turn = event.turn
        async with lease:
            with at(self._place):
                await self._converse_to_end(event)

    async def _converse_to_end(self, event: Event) -> None:
        try:
            await self._converse(event)
        except asyncio.CancelledError:
            if find_state(fold_turn(self._log.events)) != "idle":  # the stop came before the last word of the turn
                await asyncio.shield(self._end(Stopped(turn=event.turn)))
        except Exception as error:  # noqa: BLE001 - the top of a session: what went wrong becomes an event
            _LOG.exception("a run failed")
            await self._end(Failed(turn=event.turn, message=in_words(error), next_action=way_on(error)))
        finally:
            self._log.clear_partial()

    async def _close_left_open(self, why: str) -> None:
        """End a turn whose run ended without a word in the log."""
        turn = fold_turn(self._log.events)
        if turn is None:
            return
        item = next((item for item in reversed(turn.proposals) if item.started is not None), None)
        if item is not None and item.started is not None and item.execution is None:
            await self._log.append(make_interrupted(item.started, why))
        if next_speaker(fold_turn(self._log.events)) is not None:
            await self._log.append(Stopped(turn=turn.number, by="restart"))

    async def _end(self, event: AnyEvent) -> None:
        """Write the end of a run; where nothing can be written, that is told all the same."""
        try:
            await self._log.append(event)
        except StoreError as error:
            self._fault = str(error)
