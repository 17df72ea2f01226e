"""What the roles may look up: catalogs, knowledge, results so far. Reading only; nothing here runs code.

Knowledge is found beside a source (a folder `knowledge/` next to it) or where the settings say; documents made from
the sources' schemas join it. It is indexed when first searched, in a folder shared by all sessions on the same data.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.tables import TableView, execution_of, table_of

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog
    from assistant.events import Event
    from assistant.shelf import Shelf
    from knowledge.base import KnowledgeBase
    from knowledge.documents import Document
    from knowledge.embedding import Choice
    from knowledge.retrieval import Hit


class Library(Protocol):
    """A knowledge base, as the desk uses it. Calls block."""

    def documents(self) -> Sequence[Document]:
        """All documents."""
        ...

    def search(self, query: str, *, k: int) -> Sequence[Hit]:
        """The nearest documents, best first."""
        ...


OpenLibrary = Callable[[Sequence["Catalog"], Sequence[Path]], Library]
"""Opens the knowledge that belongs to these catalogs and the files they came from. Blocks."""


class Libraries:
    """The knowledge bases of a program: one for all sessions on the same data. Calls block.

    Args:
        folder: The knowledge folder of the settings; None for the one that lies beside the data.
        index: Where the indexes are kept.
        embedder: Chooses the embedder, when one is needed.
    """

    def __init__(self, folder: Path | None, *, index: Path, embedder: Callable[[], Choice]) -> None:
        self._folder = folder
        self._index = index
        self._embedder = embedder
        self._open: dict[str, KnowledgeBase] = {}

    def of(self, catalogs: Sequence[Catalog], files: Sequence[Path]) -> KnowledgeBase:
        """The knowledge that belongs to these catalogs and the files they came from, as it is now."""
        from knowledge.base import KnowledgeBase
        from knowledge.sources.schema import schema_documents

        folder = self._folder or knowledge_beside(files)
        embedder = self._embedder().embedder
        named = [str(folder), embedder.name, *(f"{c.source}:{','.join(t.name for t in c.tables)}" for c in catalogs)]
        key = hashlib.sha256("\n".join(named).encode()).hexdigest()[:16]
        if key not in self._open:
            self._open[key] = KnowledgeBase.open(folder, index_folder=self._index / key, embedder=embedder)
        described: list[Document] = []
        for catalog in catalogs:
            described += schema_documents(catalog.source, catalog.tables)
        self._open[key].refresh(described)
        return self._open[key]


def knowledge_beside(files: Sequence[Path]) -> Path | None:
    """The knowledge folder that lies beside a source's file; None where there is none with anything to read in it."""
    from knowledge.sources.folder import knowledge_files

    folders = (file.parent / "knowledge" for file in files)
    return next((folder for folder in folders if knowledge_files(folder)), None)


class SessionDesk:
    """The look-ups of one session."""

    def __init__(
        self,
        *,
        shelf: Shelf,
        open_library: OpenLibrary,
        events: Callable[[], Sequence[Event]],
        data: Path,
        clock: Callable[[], date],
    ) -> None:
        self._shelf = shelf
        self._open_library = open_library
        self._events = events
        self._data = data
        self._clock = clock
        self._library: tuple[tuple[str, ...], Library] | None = None
        self._opening = asyncio.Lock()

    @property
    def today(self) -> date:
        """The injected clock's day."""
        return self._clock()

    async def catalogs(self) -> tuple[Catalog, ...]:
        """The catalog of every source of the session."""
        return await self._shelf.catalogs()

    async def documents(self) -> tuple[Document, ...]:
        """All documents of the knowledge base."""
        library = await self._knowledge()
        return tuple(await asyncio.to_thread(library.documents))

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """The documents nearest to the query, best first."""
        library = await self._knowledge()
        return tuple(await asyncio.to_thread(lambda: library.search(query, k=k)))

    async def rows(self, execution: str, *, rows_max: int = 200) -> TableView | None:
        """The table that an execution gave."""
        found = execution_of(self._events(), execution)
        if found is None:
            return None
        return await asyncio.to_thread(lambda: table_of(found, folder=self._data, rows_max=rows_max))

    async def _knowledge(self) -> Library:
        async with self._opening:
            addresses = await asyncio.to_thread(lambda: self._shelf.addresses)
            names = tuple(address.name for address in addresses)
            if self._library is None or self._library[0] != names:
                catalogs = await self._shelf.catalogs()
                files = tuple(file for address in addresses for file in address.files)
                self._library = (names, await asyncio.to_thread(self._open_library, catalogs, files))
            return self._library[1]
