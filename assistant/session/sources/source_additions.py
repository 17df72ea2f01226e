"""Adds sources to a session: opens them, appends the event, and applies the policy kept for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.events import POLICIES, PolicyLevel, SourceAdded
from assistant.session.runs.inputs import allow_in_session
from assistant.session.sources.sources import SessionSources
from assistant.sources.reading.uploads import connect_uploads

if TYPE_CHECKING:
    from assistant.record.store.log import EventLog
    from assistant.trust.rights import Rights


class Policies(Protocol):
    """What people let go ahead without asking, by source. Calls block."""

    def of(self, sources: Sequence[str]) -> PolicyLevel:
        """The policy of a session on these sources."""
        ...

    def keep(self, names: Sequence[str], level: PolicyLevel) -> None:
        """Keep a policy for sources of these names."""
        ...

    def name(self, display: str, files: Sequence[Path]) -> str:
        """The key under which the policy of a source is stored."""
        ...


class SourceAdder:
    """Adds sources to one session.

    Args:
        log: The session's events.
        sources: Its sources.
        folder: Where uploaded files are kept.
        policies: What was let go ahead, by source.
        rights: What the session's person may name. Blocks.
        require_undamaged: Raises where the log is damaged.
        write: Held while the log is written: no other program writes meanwhile.
    """

    def __init__(
        self,
        *,
        log: EventLog,
        sources: SessionSources,
        folder: Path,
        policies: Policies,
        rights: Callable[[], Rights],
        require_undamaged: Callable[[], None],
        write: Callable[[], AbstractAsyncContextManager[None]],
    ) -> None:
        self._log = log
        self._sources = sources
        self._folder = folder
        self._policies = policies
        self._rights = rights
        self._require_whole = require_undamaged
        self._write = write

    async def add(self, text: str) -> tuple[SourceAdded, ...]:
        """Connect a source that the person names: `name=address`, a URL, or a path. A folder may hold several.

        Callers: The owner.

        Raises:
            AssistantError: it cannot be opened, or is not theirs to name; nothing changed.
        """
        return await self._add(text, await asyncio.to_thread(self._rights))

    async def add_granted(self, text: str) -> tuple[SourceAdded, ...]:
        """Connect a source that the settings or the data page connect for everybody.

        Callers: The program.

        Raises:
            AssistantError: it cannot be opened; nothing changed.
        """
        return await self._add(text, (await asyncio.to_thread(self._rights)).granted())

    async def has(self, text: str) -> bool:
        """Whether the session has what its person names already.

        Callers: The owner.

        Raises:
            AssistantError: it cannot be understood, nothing readable is there, or it is not theirs to name.
        """
        return await self._sources.holds(text, await asyncio.to_thread(self._rights))

    async def _add(self, text: str, rights: Rights) -> tuple[SourceAdded, ...]:
        self._require_whole()
        opened = await self._sources.add(text, rights)
        catalogs = {catalog.source: catalog for catalog in await self._sources.catalogs()}
        addresses = {address.name: address for address in self._sources.addresses}
        added = [await self._sources.describe(s, catalogs[s.name], addresses[s.name]) for s in opened]
        async with self._write():
            for event in added:
                await self._log.append(event)
            await self._take_policy()
        return tuple(added)

    async def add_files(self, files: Sequence[tuple[str, bytes]]) -> tuple[SourceAdded, ...]:
        """Keep uploaded files and connect them: tables that come together are one source, a database is one alone.

        `FILE.tandem.toml` says how `FILE` is read.

        Callers: The owner.

        Raises:
            AssistantError: one cannot be read as data, and is named; all others are connected. Or one is no companion
                of another; then none is.
        """
        folder = self._folder / "uploads"
        rights = (await asyncio.to_thread(self._rights)).within(folder)
        return await connect_uploads(
            files,
            new_folder=lambda: folder,
            connect=lambda path: self._add(str(path), rights),
            check=lambda path: self._sources.check(str(path), rights),
            name_of=lambda source: source.display,
        )

    async def keep_policy(self, level: PolicyLevel) -> None:
        """Let so much go ahead in later sessions on the same sources.

        Callers: The program.

        Raises:
            AssistantError: it cannot be kept.
        """
        await asyncio.to_thread(lambda: self._policies.keep(self._list_policy_names(), level))

    async def _take_policy(self) -> None:
        """Let go ahead what was let go ahead before on these sources."""
        level = await asyncio.to_thread(self._read_policy)
        for event in allow_in_session(self._log.events, POLICIES[level]):
            await self._log.append(event)

    def _read_policy(self) -> PolicyLevel:
        return self._policies.of(self._list_policy_names())

    def _list_policy_names(self) -> list[str]:
        return [self._policies.name(address.display, address.all_files) for address in self._sources.addresses]
