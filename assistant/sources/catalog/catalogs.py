"""The catalogs of files, shared by all sessions of a program. Servers keep their own."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Sequence
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.sources.catalog.corrections import Roles, corrected

if TYPE_CHECKING:
    from assistant.core.catalog import Catalog
    from assistant.query.masks import MasksNow
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.sources import Source


class Catalogs:
    """Read once, and anew when a file has changed or a column was masked.

    Args:
        masks: What is masked at this moment.
        roles: What persons said of the roles of columns.
        time_zone: The zone whose days those of instants are.
        choices: Gives the names of what a person chose for a source, by its display and files.
    """

    def __init__(
        self,
        masks: MasksNow = tuple,
        roles: Callable[[], Roles] = dict,
        time_zone: str = "UTC",
        choices: Callable[[str, Sequence[Path]], tuple[str, ...]] = lambda display, files: (),
    ) -> None:
        self._masks = masks
        self._roles = roles
        self._time_zone = time_zone
        self._choices = choices
        self.generation = 0
        """Rises when what sessions keep of catalogs no longer holds."""
        self._reading = asyncio.Lock()
        self._known: dict[tuple[object, ...], Catalog] = {}

    async def of(self, address: SourceAddress, source: Source) -> Catalog:
        """The catalog of a source. A server's is its source's own affair: nothing tells that it changed."""
        catalog = corrected(await self._found(address, source), await asyncio.to_thread(self._roles))
        choices = await asyncio.to_thread(self._choices, address.display, address.all_files)
        return replace(catalog, time_zone=self._time_zone, choices=choices)

    async def _found(self, address: SourceAddress, source: Source) -> Catalog:
        if "server" in (address.kind, *(part.kind for part in address.parts)):
            return await source.catalog()
        key = (address.name, tuple(self._masks()), *await asyncio.to_thread(state_of, address.files))
        async with self._reading:  # who asks meanwhile waits, and need not read it again
            if key not in self._known:
                self._known[key] = await source.catalog()
            return self._known[key]

    def forget(self) -> None:
        """Forget all catalogs; some may hold values of what is masked now, or roles that were corrected."""
        self._known.clear()
        self.generation += 1


def state_of(files: Sequence[Path]) -> tuple[object, ...]:
    """What tells whether files have changed; a SQLite database's newest rows may lie in the file beside it."""
    facts: list[object] = []
    for file in files:
        for path in (file, file.with_name(f"{file.name}-wal")):
            try:
                stat = path.stat()
            except OSError:
                continue
            facts += [str(path), stat.st_size, stat.st_mtime_ns]
    return tuple(facts)
