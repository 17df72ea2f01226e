"""A session's event log in memory, over the database that stores it.

Reading is free and safe from any thread (a tuple that only ever grows, and in which an event may be withheld later);
appending goes to the database first, in a thread, and becomes visible only then. Subscribers are notified of a change,
not of its content.
"""

from __future__ import annotations

import asyncio
import threading
from collections.abc import Callable, Mapping, Sequence
from types import MappingProxyType
from typing import TYPE_CHECKING

from assistant.core.events import AnyEvent, Entry, Event, SessionRenamed, Withheld
from assistant.core.turns import Transcript, fold_session
from assistant.errors import StoreError
from assistant.record.store.withholding import hide_withheld

if TYPE_CHECKING:
    from assistant.record.store.chain import Damage
    from assistant.record.store.database import Database


def describe_damage(session: str, damage: Damage) -> str:
    """That a session is damaged, and what can be done."""
    if damage.foreign:
        return (
            f"Session {session!r} is read up to a point only: {damage.reason}. It can be read and exported up to there."
        )
    return (
        f"Session {session!r} is damaged: {damage.reason}. What stands before it can be read and exported, and nothing "
        "can be added. `tandem doctor --repair` saves what can be saved."
    )


class EventLog:
    """The events of one session, oldest first."""

    def __init__(self, database: Database, session: str) -> None:
        self._database = database
        self._session = session
        self._entries: tuple[Entry, ...] = ()
        self._events: tuple[tuple[Entry, ...], tuple[Event, ...]] = (), ()
        self._transcript: tuple[tuple[Entry, ...], Transcript] = (), Transcript()
        self._partial: Mapping[str, str] = MappingProxyType({})
        self._damage: Damage | None = None
        self._withheld_here: tuple[Withheld, ...] = ()
        self._version = 0
        self.epoch: int | None = None
        """The epoch of the lease under which is written; None where nobody holds one here."""
        self._subscribers: dict[int, Callable[[], None]] = {}
        self._next_key = 0
        self._mutex = threading.Lock()
        self._writing = asyncio.Lock()

    @property
    def session(self) -> str:
        """The id of the session."""
        return self._session

    @property
    def entries(self) -> tuple[Entry, ...]:
        """All entries, oldest first."""
        return self._entries

    @property
    def events(self) -> tuple[Event, ...]:
        """All events, oldest first."""
        entries = self._entries
        cached_entries, events = self._events  # asked for many times between two changes
        if cached_entries is not entries:
            events = tuple(entry.event for entry in entries)
            self._events = entries, events
        return events

    @property
    def transcript(self) -> Transcript:
        """The turns, folded once between two changes of the entries. To be read, not changed."""
        entries = self._entries
        cached_entries, transcript = self._transcript
        if cached_entries is not entries:
            transcript = fold_session(entries)
            self._transcript = entries, transcript
        return transcript

    @property
    def damage(self) -> Damage | None:
        """Where the log is damaged in the database; then it ends before that, and nothing can be appended."""
        return self._damage

    @property
    def version(self) -> int:
        """A number that grows with every visible change, text still being written included."""
        return self._version

    @property
    def partial(self) -> Mapping[str, str]:
        """Text that participants are still writing, by participant. Never kept."""
        return self._partial

    async def refresh(self) -> None:
        """Read what another program appended meanwhile."""
        async with self._writing:
            after = self._entries[-1].seq if self._entries else 0
            addition = await asyncio.to_thread(self._database.read, self._session, after=after)
            if addition.entries or addition.damage != self._damage:
                self._damage = addition.damage
                self._entries = hide_withheld((*self._entries, *addition.entries), also=self._withheld_here)
                self._notify()

    async def append(self, event: AnyEvent) -> Entry:
        """Make an event durable, then visible.

        Raises:
            StoreError: it could not be written, or the log is damaged; nothing changed.
        """
        async with self._writing:
            if self._damage is not None:
                raise StoreError(describe_damage(self._session, self._damage))
            # A second writer with the same number fails on the primary key, and so loses nothing silently.
            seq = self._entries[-1].seq + 1 if self._entries else 1
            # Shielded: a stop must not leave an event in the database that this log does not show.
            writing = asyncio.ensure_future(
                asyncio.to_thread(self._database.append, self._session, seq, event, epoch=self.epoch)
            )
            try:
                entry = await asyncio.shield(writing)
            except asyncio.CancelledError:
                self._add(await writing)
                raise
            self._add(entry)
            return entry

    async def withhold(self, events_to_add: Sequence[AnyEvent]) -> None:
        """Take in what is said where columns are masked: `Withheld` turns first.

        To a damaged log nothing is added: there the turns are withheld from whoever reads it here, and its title in
        the database is changed where it was a question that is withheld.

        Raises:
            StoreError: it could not be written.
        """
        if self._damage is None:
            for event in sorted(events_to_add, key=lambda event: not isinstance(event, Withheld)):
                await self.append(event)
            return
        async with self._writing:
            self._withheld_here += tuple(event for event in events_to_add if isinstance(event, Withheld))
            self._entries = hide_withheld(self._entries, also=self._withheld_here)
            self._notify()
            for event in events_to_add:
                if isinstance(event, SessionRenamed):
                    await asyncio.to_thread(self._database.retitle, self._session, event.title)

    def say(self, participant: str, text: str | None) -> None:
        """Show text that a participant is writing; None when it has become an event."""
        with self._mutex:
            partial = {name: written_text for name, written_text in self._partial.items() if name != participant}
            if text is not None:
                partial[participant] = text
            self._partial = MappingProxyType(partial)
        self._notify()

    def clear_partial(self) -> None:
        """Drop all text still being written: the run has ended."""
        if self._partial:
            self._partial = MappingProxyType({})
            self._notify()

    def touch(self) -> None:
        """Tell subscribers that something visible changed that is not an event (the session's state)."""
        self._notify()

    def subscribe(self, callback: Callable[[], None]) -> Callable[[], None]:
        """Call `callback` after each change, from whatever thread made it; the result unsubscribes."""
        with self._mutex:
            key = self._next_key
            self._next_key += 1
            self._subscribers[key] = callback

        def unsubscribe() -> None:
            with self._mutex:
                self._subscribers.pop(key, None)

        return unsubscribe

    def _add(self, entry: Entry) -> None:
        entries = (*self._entries, entry)
        self._entries = hide_withheld(entries) if isinstance(entry.event, Withheld) else entries
        self._notify()

    def _notify(self) -> None:
        with self._mutex:
            self._version += 1
            callbacks = tuple(self._subscribers.values())
        # Outside the mutex: a callback may subscribe or unsubscribe.
        for callback in callbacks:
            callback()
