"""What the roles may look up: catalogs, knowledge, results so far. Reading only; nothing here runs code.

Knowledge is found beside a source (a folder `knowledge/` next to it) or where the settings say; documents made from
the sources' schemas join it. It is indexed when first searched, in a folder shared by all sessions on the same data,
and read again when a file of it changes: what a person marks right, or writes, holds from the next question on.
"""

from __future__ import annotations

import asyncio
import hashlib
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.cells.tables import TableView, execution_of, table_of, view_of
from assistant.data.values import Budget
from assistant.errors import DataError, SessionError
from assistant.semantics.definitions import Fault, faults_of, usable
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from assistant.data.catalog import Catalog
    from assistant.data.sources import Source
    from assistant.events import Event, Execution
    from assistant.memory.tiers import Digest
    from assistant.session.sources import SessionSources
    from knowledge.base import KnowledgeBase
    from knowledge.documents import Document, VerifiedQuery
    from knowledge.embedding import Choice
    from knowledge.files.background_reader import ReadFile
    from knowledge.index import Index
    from knowledge.retrieval import Hit
    from knowledge.semantic.model import SemanticModel
    from knowledge.sources.results import KeptResult

_LOOK_SECONDS_MAX = 10.0
_LOOK_BYTES_MAX = 32 * 1024**2
_TRIED_ROWS_MAX = 10_000
_ROWS_CHECKED_MAX = 200_000
_TEXT_FILES = (".csv", ".tsv", ".txt", ".json", ".jsonl", ".ndjson")
_HEAD_BYTES = 16_384
_HEAD_LINES = 20


class Library(Protocol):
    """A knowledge base, as a session uses it. Calls block."""

    def documents(self) -> Sequence[Document]:
        """All documents."""
        ...

    def search(self, query: str, *, k: int) -> Sequence[Hit]:
        """The nearest documents, best first."""
        ...

    @property
    def models(self) -> Sequence[SemanticModel]:
        """The semantic models."""
        ...


OpenLibrary = Callable[[Sequence["Catalog"], Sequence[Path]], Library]
"""Opens the knowledge that belongs to these catalogs and the files they came from. Blocks."""

Stamp = tuple[tuple[str, int, int], ...]
"""The files of a knowledge folder, each with when it was written and its size."""


class Libraries:
    """The knowledge bases of a program: one for all sessions on the same data. Calls block.

    Args:
        folder: The knowledge folder of the settings; None for the one that lies beside the data.
        index: Where the indexes are kept.
        embedder: Chooses the embedder, when one is needed.
        is_searched: Whether somebody searches what is opened, so that it is embedded at once. The embedded analyst
            reads all documents and searches none.
        read_file: Reads a document file; without it they are left out.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        index: Path,
        embedder: Callable[[], Choice],
        is_searched: bool = True,
        read_file: ReadFile | None = None,
    ) -> None:
        self._folder = folder
        self._read_file = read_file
        self._index = index
        self._embedder = embedder
        self._is_searched = is_searched
        self._open: dict[tuple[str, ...], KnowledgeBase] = {}

    def folder(self, files: Sequence[Path]) -> Path | None:
        """The knowledge folder that belongs to what came from these files, if there is one."""
        return self._folder or knowledge_beside(files)

    def place(self, files: Sequence[Path]) -> Path:
        """The folder to write to: the one there is, else one beside the first of these files.

        Raises:
            KnowledgeError: There is none, and no file beside which to make one.
        """
        found = self.folder(files)
        if found is None and not files:
            raise KnowledgeError(
                "This source is no file, so there is no folder beside it to keep this in. Name a folder in the "
                "setting `knowledge` (TANDEM_KNOWLEDGE), and try again."
            )
        return found or files[0].parent / "knowledge"

    def stamp(self, files: Sequence[Path]) -> Stamp:
        """What changes when anything in the knowledge folder of these files does."""
        from knowledge.sources.folder import knowledge_files

        folder = self.folder(files)
        return tuple(_state(file) for file in (knowledge_files(folder) if folder is not None else ()))

    def of(self, catalogs: Sequence[Catalog], files: Sequence[Path]) -> KnowledgeBase:
        """The knowledge that belongs to these catalogs and the files they came from, as it is now."""
        from knowledge.base import KnowledgeBase
        from knowledge.sources.schema import schema_documents

        folder = self.folder(files)
        named = (str(folder), *(f"{c.source}:{','.join(t.name for t in c.tables)}" for c in catalogs))
        if named not in self._open:
            self._open[named] = KnowledgeBase(
                folder,
                open_index=partial(self._index_of, named),
                read_file=self._read_file,
                kept=self._index / "files",
            )
        base = self._open[named]
        described: list[Document] = []
        for catalog in catalogs:
            described += schema_documents(catalog.source, catalog.tables)
        base.read(described, examine=lambda found: [fault.problem for fault in faults_of(found, catalogs)])
        if self._is_searched:
            base.index()
        return base

    def _index_of(self, named: tuple[str, ...]) -> Index:
        from knowledge.index import Index

        embedder = self._embedder().embedder
        folder, *sources = named
        key = hashlib.sha256("\n".join((folder, embedder.name, *sources)).encode()).hexdigest()[:16]
        return Index(self._index / key, embedder=embedder, cache=self._index)


class KeptQueries:
    """Where a session's verified queries are kept: the knowledge folder of its sources. Calls block.

    Args:
        libraries: Knows the folder.
        files: Gives the files that the session's sources came from.
    """

    def __init__(self, libraries: Libraries, *, files: Callable[[], Sequence[Path]]) -> None:
        self._libraries = libraries
        self._files = files

    def keep(self, query: VerifiedQuery, result: KeptResult) -> Path:
        """Keep a query, in the file that is given back, and what it gave.

        Raises:
            KnowledgeError: There is no place for it, or it cannot be written there.
        """
        from knowledge.sources.queries import keep_query
        from knowledge.sources.results import keep_results

        folder = self._libraries.place(self._files())
        kept = keep_query(folder, query)
        keep_results(folder, {query.id: result})
        return kept

    def revoke(self, id_: str, sql: str) -> None:
        """Keep a query no more. Where it is gone already nothing happens.

        Raises:
            KnowledgeError: Its file was edited by hand, or holds other SQL by now, or cannot be removed.
        """
        from knowledge.sources.queries import find_query, revoke_query

        folder = self._libraries.folder(self._files())
        query = find_query(folder, id_) if folder is not None else None
        if folder is None or query is None:
            return
        if query.sql.split() != sql.split():
            raise KnowledgeError(
                f"{query.origin!r} in {str(folder)!r} holds other SQL by now; look at it, and edit it there."
            )
        revoke_query(folder, query)


def revoked_from(folder: Path | None, id_: str) -> str:
    """Keep a verified query of a folder no more. Gives the file in which it stood.

    Raises:
        SessionError: It is gone, was written or edited by hand, or cannot be removed.
    """
    from knowledge.sources.queries import find_query, revoke_query

    query = find_query(folder, id_) if folder is not None else None
    if folder is None or query is None:
        raise SessionError("It is not there any more: somebody took it back, or deleted its file.")
    try:
        revoke_query(folder, query)
    except KnowledgeError as error:
        raise SessionError(str(error)) from error
    return str(folder / query.origin)


def _state(file: Path) -> tuple[str, int, int]:
    try:
        found = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), found.st_mtime_ns, found.st_size


def knowledge_beside(files: Sequence[Path]) -> Path | None:
    """The knowledge folder that lies beside a source's file; None where there is none with anything to read in it."""
    from knowledge.sources.folder import knowledge_files

    folders = (file.parent / "knowledge" for file in files)
    return next((folder for folder in folders if knowledge_files(folder)), None)


def _head(path: Path) -> tuple[str, ...]:
    """The first lines of a file of text, as they stand there; what is no UTF-8 is replaced."""
    try:
        with path.open("rb") as file:
            start = file.read(_HEAD_BYTES)
    except OSError as error:
        raise DataError(f"The file {path.name!r} cannot be read ({error.strerror}). Add it again.") from error
    return tuple(start.decode("utf-8-sig", errors="replace").splitlines()[:_HEAD_LINES])


class OpenSessionContext:
    """The look-ups of one session."""

    def __init__(
        self,
        *,
        sources: SessionSources,
        open_library: OpenLibrary,
        stamp: Callable[[Sequence[Path]], Stamp],
        events: Callable[[], Sequence[Event]],
        data: Path,
        clock: Callable[[], date],
        elsewhere: Callable[[Sequence[Event]], tuple[Digest, ...]] = lambda _: (),
    ) -> None:
        self._sources = sources
        self._elsewhere = elsewhere
        self._open_library = open_library
        self._stamp = stamp
        self._events = events
        self._data = data
        self._clock = clock
        self._library: tuple[tuple[str, ...], Stamp, Library] | None = None
        self._usable: tuple[tuple[Document, ...], tuple[Catalog, ...], tuple[Document, ...]] | None = None
        self._opening = asyncio.Lock()

    @property
    def today(self) -> date:
        """The injected clock's day."""
        return self._clock()

    async def catalogs(self) -> tuple[Catalog, ...]:
        """The catalog of every source of the session."""
        return await self._sources.catalogs()

    async def documents(self) -> tuple[Document, ...]:
        """All documents of the knowledge base that can be used on these sources; `faults` says why others cannot."""
        library = await self._knowledge()
        documents = tuple(await asyncio.to_thread(library.documents))
        catalogs = await self._sources.catalogs()
        known = self._usable
        if known is None or known[0] != documents or known[1] != catalogs:
            # Every definition's SQL is parsed for this, so it is kept while nothing changes.
            known = (documents, catalogs, usable(documents, faults_of(documents, catalogs)))
            self._usable = known
        return known[2]

    @property
    def metric_names(self) -> tuple[str, ...]:
        """The governed metrics of the semantic models that were last read; those that wait for a person are none."""
        models = self._library[2].models if self._library is not None else ()
        return tuple(metric.name for model in models for metric in model.metrics if not metric.more.inferred)

    async def models(self) -> tuple[SemanticModel, ...]:
        """The semantic models of the knowledge base."""
        return tuple((await self._knowledge()).models)

    async def faults(self) -> tuple[Fault, ...]:
        """What is wrong with the definitions of the knowledge base, given the session's sources."""
        library = await self._knowledge()
        return faults_of(await asyncio.to_thread(library.documents), await self._sources.catalogs())

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """The documents nearest to the query, best first."""
        library = await self._knowledge()
        return tuple(await asyncio.to_thread(lambda: library.search(query, k=k)))

    async def elsewhere(self) -> tuple[Digest, ...]:
        """The turns of the same person's other sessions on the same data."""
        return await asyncio.to_thread(self._elsewhere, self._events())

    async def rows(self, execution: str, *, rows_max: int = 200) -> TableView | None:
        """The table that an execution gave."""
        found = execution_of(self._events(), execution)
        if found is None:
            return None
        return await asyncio.to_thread(lambda: table_of(found, folder=self._data, rows_max=rows_max))

    async def table(self, execution: Execution) -> TableView | None:
        """The table of an execution, which need not be in the log yet."""
        return await asyncio.to_thread(lambda: table_of(execution, folder=self._data, rows_max=_ROWS_CHECKED_MAX))

    async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
        """The result of a query that the program itself wrote."""
        opened = next((one for one in await self._sources.sources() if one.name == source), None)
        if opened is None:
            raise DataError(f"The session has no source named {source!r}.")
        return await self._looked(opened, sql, rows_max=rows_max, timeout_s=_LOOK_SECONDS_MAX)

    async def _looked(self, opened: Source, sql: str, *, rows_max: int, timeout_s: float) -> TableView:
        budget = Budget(rows_max=rows_max, limit_bytes=_LOOK_BYTES_MAX, timeout_s=timeout_s)
        result = await opened.run(sql, None, budget)
        return await asyncio.to_thread(view_of, result.table, rows_max=rows_max)

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        """The result of a read-only query that the person's policy approves, under small caps; or why there is none."""
        from assistant.data.guard import check

        opened = await self._sources.sources()
        asked = next((one for one in opened if source in (None, one.name)), None)
        if asked is None:
            return f"The session has no source named {source!r}."
        refusal = await asyncio.to_thread(check, sql, dialect=asked.dialect)
        if refusal is not None:
            return refusal.message
        try:
            return await self.ask_source(sql, source=asked.name, rows_max=_TRIED_ROWS_MAX)
        except DataError as error:
            return str(error)

    async def try_reading(self, sql: str, *, source: str, rows_max: int, timeout_s: float) -> TableView | None:
        """The first rows of a query that the program itself wrote, behind the guard; None where it gives none."""
        from assistant.data.guard import check

        opened = next((one for one in await self._sources.sources() if one.name == source), None)
        if opened is None or await asyncio.to_thread(check, sql, dialect=opened.dialect) is not None:
            return None
        head = f"SELECT * FROM ({sql}) AS reading LIMIT {rows_max}"
        try:
            return await self._looked(opened, head, rows_max=rows_max, timeout_s=timeout_s)
        except DataError:
            return None

    async def files(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the files that each source of files was read from, by source."""
        found = await asyncio.to_thread(lambda: self._sources.addresses)
        return {address.name: tuple(path.name for path in address.files) for address in found if address.files}

    async def first_lines(self, file: str) -> tuple[str, tuple[str, ...]] | None:
        """The source that a file of text belongs to, and its first lines; None where there is no such file."""
        for address in await asyncio.to_thread(lambda: self._sources.addresses):
            for path in address.files:
                if file in (path.name, address.name) and path.suffix.casefold() in _TEXT_FILES:
                    return address.name, await asyncio.to_thread(_head, path)
        return None

    async def _knowledge(self) -> Library:
        async with self._opening:
            addresses = await asyncio.to_thread(lambda: self._sources.addresses)
            names = tuple(address.name for address in addresses)
            files = tuple(file for address in addresses for file in address.files)
            stamp = await asyncio.to_thread(self._stamp, files)
            if self._library is None or self._library[:2] != (names, stamp):
                catalogs = await self._sources.catalogs()
                self._library = (names, stamp, await asyncio.to_thread(self._open_library, catalogs, files))
            return self._library[2]
