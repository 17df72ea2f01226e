"""Adds sources to a session: opens them, appends the event, and applies the policy kept for them."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from contextlib import AbstractAsyncContextManager
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.core.events import POLICIES, PolicyLevel, SourceAdded
from assistant.errors import AssistantError, DataError
from assistant.plain_english import joined
from assistant.session.runs.inputs import let_in_session
from assistant.session.sources.sources import SessionSources
from assistant.sources.reading.uploads import Upload, discard_group, group_uploads, keep_group, uploads

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
        added: list[SourceAdded] = []
        failures: list[AssistantError] = []
        folder = self._folder / "uploads"
        rights = (await asyncio.to_thread(self._rights)).within(folder)
        for group in group_uploads(uploads(files)):
            try:
                added += await self._add_group(group, folder, rights)
            except AssistantError as error:
                readable, broken = await self._find_broken(group, folder, rights)
                failures += broken or [error]
                if broken and readable:
                    added += await self._add_group(readable, folder, rights)
        if not failures:
            return tuple(added)
        if len(failures) == 1 and not added:
            raise failures[0]
        names = joined([source.display for source in added])
        raise DataError(" ".join((*map(str, failures), f"Added: {names}." if names else "")).strip())

    async def _add_group(self, group: Sequence[Upload], folder: Path, rights: Rights) -> tuple[SourceAdded, ...]:
        path = await asyncio.to_thread(keep_group, group, folder)
        try:
            return await self._add(str(path), rights)
        except BaseException:  # a stop as well: nothing of it stays
            await asyncio.to_thread(discard_group, path)
            raise

    async def _find_broken(
        self, group: Sequence[Upload], folder: Path, rights: Rights
    ) -> tuple[tuple[Upload, ...], list[AssistantError]]:
        """The files of a group that can be read alone, and why each other one cannot; both empty for a single file."""
        readable: list[Upload] = []
        broken: list[AssistantError] = []
        for upload in group if len(group) > 1 else ():
            path = await asyncio.to_thread(keep_group, (upload,), folder)
            try:
                await self._sources.check(str(path), rights)
            except AssistantError as error:
                broken.append(error)
            else:
                readable.append(upload)
            finally:
                await asyncio.to_thread(discard_group, path)
        return tuple(readable), broken

    async def keep_policy(self, level: PolicyLevel) -> None:
        """Let so much go ahead in later sessions on the same sources.

        Callers: The program.

        Raises:
            AssistantError: it cannot be kept.
        """
        await asyncio.to_thread(self._policies.keep, self._displays(), level)

    async def _take_policy(self) -> None:
        """Let go ahead what was let go ahead before on these sources."""
        level = await asyncio.to_thread(self._policies.of, self._displays())
        for event in let_in_session(self._log.events, POLICIES[level]):
            await self._log.append(event)

    def _displays(self) -> list[str]:
        return [source.display for source in self._log.transcript.sources]
