"""The sources of one session: opened at first use; only the owner may read their addresses.

The event log knows a source by its name and a display without password. What is needed to open it again is in the
session's `sources.json` (`assistant.sources.address_file`), with passwords outside of the folder.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import datetime
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.catalog import Catalog
from assistant.core.events import SourceAdded, TableSummary
from assistant.errors import DataError
from assistant.query.functions import NO_FUNCTIONS, AllowedFunctions
from assistant.sources.address_file import AddressFile, entry_of
from assistant.sources.addresses import SourceAddress, parse_addresses
from assistant.sources.catalog.catalogs import Catalogs, state_of
from assistant.sources.catalog.doubts import list_doubts, list_notes
from assistant.sources.opening import open_source
from assistant.sources.reading.sidecar import beside

if TYPE_CHECKING:
    from assistant.query.masks import MasksNow
    from assistant.settings.credentials import Credentials
    from assistant.sources.sources import Source
    from assistant.trust.rights import Rights


class SessionSources:
    """The open sources of a session, in the order they were added.

    Files are loaded into databases of ours. Those of the person's own files are kept in `loaded` and shared by all
    sessions on the same files; those of uploads lie with the session, and go with it.

    Args:
        folder: The session's folder.
        catalogs: The catalogs that all sessions share.
        loaded: Where databases of the person's own files are kept.
        credentials: Where passwords are kept.
        rights: What may be opened of what was added before.
        mask: Columns that are masked, or what gives them.
    """

    def __init__(
        self,
        folder: Path,
        *,
        catalogs: Catalogs,
        loaded: Path,
        credentials: Credentials,
        rights: Callable[[], Rights],
        mask: Sequence[str] | MasksNow = (),
        functions: AllowedFunctions = NO_FUNCTIONS,
    ) -> None:
        self._functions = functions
        self._folder = folder
        self._file = AddressFile(folder, credentials)
        self._rights = rights
        self._mask = mask
        self._loaded = loaded
        self._shared = catalogs
        self._open: dict[str, Source] = {}
        self._catalogs: dict[str, Catalog] = {}
        self._generation = catalogs.generation
        self._states: dict[str, tuple[object, ...]] = {}
        self._listed: tuple[tuple[int, ...] | None, tuple[SourceAddress, ...]] | None = None
        self._busy = asyncio.Lock()

    @property
    def addresses(self) -> tuple[SourceAddress, ...]:
        """What was added, in order. An address holds a secret: never log it.

        Raises:
            DataError: the session's list of sources cannot be read.
            ConfigError: a password is not kept any more.
        """
        try:
            return self._file.addresses(self._rights())
        except (OSError, ValueError) as error:
            raise DataError(
                f"The list of this session's sources cannot be read ({type(error).__name__}). Add the sources again."
            ) from error

    @property
    def opened(self) -> Mapping[str, Source]:
        """The sources that are open now, by name; the same mapping for the life of the session."""
        return self._open

    def loaded_in(self, address: SourceAddress) -> Path:
        """Where the database of a file source is kept."""
        own = all(file.is_relative_to(self._folder) for file in address.files)
        return self._folder / "loaded" if own else self._loaded

    async def add(self, text: str, rights: Rights) -> tuple[Source, ...]:
        """Open what somebody gave and remember it. A folder may hold several sources; all open, or none is added.

        Args:
            text: As one would type it.
            rights: What they may name.

        Raises:
            DataError: one cannot be opened, or another source of the session has its name.
            NotAllowed: it is not theirs to name.
        """
        matches = await asyncio.to_thread(parse_addresses, text, rights)
        async with self._busy:
            existing = self.addresses
            duplicates = {address.name for address in existing} & {address.name for address in matches}
            if duplicates:
                name = min(duplicates)
                raise DataError(
                    f"This session already has a source named {name!r}. Give the new one another name: NAME=ADDRESS."
                )
            opened: list[Source] = []
            try:
                for address in matches:
                    opened.append(await self._opened(address))
                await asyncio.to_thread(self._remember, (*existing, *matches))
            except BaseException:
                for source in opened:
                    await source.close()
                raise
            self._open.update({source.name: source for source in opened})
            return tuple(opened)

    async def check(self, text: str, rights: Rights) -> None:
        """Open what somebody gave and close it again: the session does not change.

        Raises:
            DataError: it cannot be opened.
            NotAllowed: it is not theirs to name.
        """
        for address in await asyncio.to_thread(parse_addresses, text, rights):
            source = await open_source(address, folder=self.loaded_in(address), functions=self._functions)
            await source.close()

    async def holds(self, text: str, rights: Rights) -> bool:
        """Whether all that somebody gave is among the sources of the session already, under whatever name.

        Raises:
            DataError: it cannot be understood, or nothing readable is there.
            NotAllowed: it is not theirs to name.
        """
        matches = await asyncio.to_thread(parse_addresses, text, rights)
        places = [_place(address) for address in await asyncio.to_thread(lambda: self.addresses)]
        return all(_place(address) in places for address in matches)

    async def sources(self) -> tuple[Source, ...]:
        """All sources, opening those that are not open yet.

        Raises:
            DataError: one cannot be opened any more; the text says which and what to do.
        """
        async with self._busy:
            opened = await self._known()
            for address in opened:
                if address.name not in self._open:
                    self._open[address.name] = await self._opened(address)
            return tuple(self._open[address.name] for address in opened)

    async def _known(self) -> tuple[SourceAddress, ...]:
        """The addresses, read again only where the list has changed: every look at a source comes by here."""
        state = _mark_of(self._file.path)
        if state is None or self._listed is None or self._listed[0] != state:
            self._listed = (state, await asyncio.to_thread(lambda: self.addresses))
        return self._listed[1]

    async def read_anew(self) -> tuple[SourceAdded, ...]:
        """Read the files anew that changed since they were read, and say so; between turns only.

        A file that is gone or can no longer be read stays as it was read, and that is said, once.
        """
        changed: list[SourceAdded] = []
        for address in await asyncio.to_thread(lambda: self.addresses):
            state = await asyncio.to_thread(_state_of, address)
            if address.name not in self._open or state == self._states.get(address.name):
                continue
            note = f"{address.display}: it changed and was read anew"
            async with self._busy:
                before = self._open[address.name]
                try:
                    self._open[address.name] = await self._opened(address)
                    await before.close()
                except DataError as error:
                    self._states[address.name] = state
                    is_gone = not all(file.exists() for file in address.files)
                    why = "it is gone, and" if is_gone else f"it changed and cannot be read ({str(error).rstrip('.')}):"
                    note = f"{address.display}: {why} is used as it was read before"
            self._catalogs.pop(address.name, None)
            catalogs = {catalog.source: catalog for catalog in await self.catalogs()}
            source = self._open[address.name]
            event = await self.describe(source, catalogs[source.name], address)
            changed.append(event.model_copy(update={"notes": (note, *event.notes)}))
        return tuple(changed)

    async def describe(self, source: Source, catalog: Catalog, address: SourceAddress) -> SourceAdded:
        """A source as the log tells of it, with the time of its newest file and the file of each table."""
        file_of_table = await asyncio.to_thread(_find_files_of_tables, address, self.loaded_in(address))
        return SourceAdded(
            name=source.name,
            dialect=source.dialect,
            display=source.display,
            notes=list_notes(source, catalog),
            doubts=list_doubts(source, catalog),
            as_of=_changed_at(address.files),
            tables=tuple(
                TableSummary(
                    name=table.name,
                    rows=table.rows,
                    columns=tuple(column.name for column in table.columns),
                    part_of=table.part_of,
                    at=table.at,
                    file=file_of_table.get(table.name, ""),
                )
                for table in catalog.tables
            ),
        )

    async def _opened(self, address: SourceAddress) -> Source:
        """Open a source, and remember the state of its files; one whose reading is stopped is read when next needed."""
        state = await asyncio.to_thread(_state_of, address)
        opened = await open_source(address, folder=self.loaded_in(address), mask=self._mask, functions=self._functions)
        self._states[address.name] = await asyncio.to_thread(_state_of, address) if address.url else state
        return opened

    async def catalogs(self) -> tuple[Catalog, ...]:
        """The catalogs of all sources, in the same order."""
        sources = await self.sources()
        if self._generation != self._shared.generation:
            self._catalogs.clear()
            self._generation = self._shared.generation
        for address, source in zip(await self._known(), sources, strict=True):
            if source.name not in self._catalogs:
                self._catalogs[source.name] = await self._shared.of(address, source)
        return tuple(self._catalogs[source.name] for source in sources)

    async def dialect(self, name: str) -> str:
        """The SQL dialect of the source of that name; empty where there is none."""
        return next((source.dialect for source in await self.sources() if source.name == name), "")

    async def keys(self, name: str) -> frozenset[str]:
        """The columns of a source that tell rows apart or refer to another table, as `table.column` in lower case."""
        catalog = next((candidate for candidate in await self.catalogs() if candidate.source == name), None)
        return frozenset(
            f"{table.name}.{column}".lower()
            for table in (catalog.tables if catalog is not None else ())
            for columns in (table.primary_key, *(key.columns for key in table.usable_keys))
            for column in columns
        )

    def forget_catalogs(self) -> None:
        """Read the catalogs anew when they are next needed: a column was masked."""
        self._catalogs.clear()

    async def close(self) -> None:
        """Close every open source."""
        async with self._busy:
            for source in self._open.values():
                await source.close()
            self._open.clear()
            self._catalogs.clear()

    def _remember(self, addresses: Sequence[SourceAddress]) -> None:
        self._file.write(map(entry_of, addresses))


def _state_of(address: SourceAddress) -> tuple[object, ...]:
    """What tells whether a source must be read anew; nothing tells it of a server."""
    files = [file for part in (address, *address.parts) if part.kind == "files" for file in part.files]
    return state_of((*address.files, *map(beside, files)))


def _find_files_of_tables(address: SourceAddress, loaded: Path) -> dict[str, str]:
    """The file of each table of a source that was read from files; empty for databases."""
    if address.kind != "files" or address.parts:
        return {}
    from assistant.sources.reading.loading import load_files, made_of

    if not made_of(address, loaded).exists():  # its files changed since; reading them again is not for here
        return {}
    return {table.name: table.file for table in load_files(address, loaded).tables}


def _changed_at(files: Sequence[Path]) -> str:
    times = [file.stat().st_mtime for file in files if file.exists()]
    return datetime.fromtimestamp(max(times)).astimezone().strftime("%Y-%m-%d %H:%M") if times else ""


def _mark_of(path: Path) -> tuple[int, ...] | None:
    """What changes whenever a file is replaced; None where it is not there."""
    try:
        status = path.stat()
    except OSError:
        return None
    return status.st_ino, status.st_mtime_ns, status.st_size


def _place(address: SourceAddress) -> tuple[object, ...]:
    """Where a source is, without what the session calls it."""
    return address.kind, tuple(file.resolve() for file in address.files), address.secret
