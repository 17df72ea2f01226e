"""The sources that a new session starts with: the configured ones, or the sample company."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.data_errors import SourceError
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.opening import open_source

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.core.values import Budget, Result
    from assistant.query.masks import MasksNow
    from assistant.sources.catalog.catalogs import Catalogs
    from assistant.trust.rights import Rights


class DefaultSources:
    """What a new session is connected to.

    Args:
        configured: Gives the configured and kept sources, as one would type them; none for the sample company. Blocks.
        sample: Gives the sample company's database, written if it is not there. Blocks.
        sample_text: What the sample company is, for people.
        loaded: Where the databases of file sources are kept.
        catalogs: The catalogs that all sessions share.
        mask: What is masked at this moment.
        rights: What whoever connected them may name.
    """

    def __init__(
        self,
        configured: Callable[[], Sequence[str]],
        *,
        sample: Callable[[], Path],
        sample_text: Callable[[], str],
        loaded: Path,
        catalogs: Catalogs,
        mask: MasksNow,
        rights: Callable[[], Rights],
    ) -> None:
        self._configured = configured
        self._sample = sample
        self._sample_text = sample_text
        self._loaded = loaded
        self._catalogs = catalogs
        self._mask = mask
        self._rights = rights

    async def load_entries(self) -> Sequence[str]:
        """As one would type them."""
        return await asyncio.to_thread(self.read_entries)

    @property
    def text(self) -> str:
        """What they are, for people.

        Raises:
            AddressError: A configured source cannot be understood, or nothing is there.
        """
        if typed := self._configured():
            return ", ".join(address.display for entry in typed for address in parse_addresses(entry, self._rights()))
        return self._sample_text()

    async def catalogs(self) -> tuple[tuple[str, Catalog], ...]:
        """The sources as they are shown, with their catalogs; opened for this and closed again.

        Raises:
            DataError: One cannot be opened or read.
        """
        catalogs: list[tuple[str, Catalog]] = []
        for entry in await self.load_entries():
            for address in await asyncio.to_thread(parse_addresses, entry, self._rights()):
                source = await open_source(address, folder=self._loaded, mask=self._mask)
                try:
                    catalogs.append((source.display, await self._catalogs.of(address, source)))
                finally:
                    await source.close()
        return tuple(catalogs)

    async def run(self, name: str, sql: str, budget: Budget) -> Result:
        """Run a query on the source of that name; it is opened for this and closed again.

        Raises:
            DataError: There is no such source, or the query cannot be run.
        """
        for entry in await self.load_entries():
            for address in await asyncio.to_thread(parse_addresses, entry, self._rights()):
                if address.name != name:
                    continue
                source = await open_source(address, folder=self._loaded, mask=self._mask)
                try:
                    return await source.run(sql, None, budget)
                finally:
                    await source.close()
        raise SourceError(f"There is no source {name!r} any more. It may have been disconnected in another tab.")

    async def addresses(self) -> tuple[SourceAddress, ...]:
        """Where they are.

        Raises:
            AddressError: As `text`.
        """
        return await asyncio.to_thread(
            lambda: tuple(
                address for entry in self.read_entries() for address in parse_addresses(entry, self._rights())
            )
        )

    def read_entries(self) -> Sequence[str]:
        """As one would type them. Blocks.

        Raises:
            ConfigError: What is kept cannot be read, or a password is not where it is kept.
        """
        return self._configured() or (f"company={self._sample()}",)
