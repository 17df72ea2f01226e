"""Look-ups of the roles: catalogs, knowledge, earlier results. Read-only; nothing here runs code."""

from __future__ import annotations

import asyncio
from collections.abc import Callable, Mapping, Sequence
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING, Protocol

from assistant.agents.period_notes import describe_partial_periods
from assistant.cells.tables import TableView, find_execution, make_view, read_table
from assistant.core.catalog import Catalog
from assistant.core.data_errors import QueryRefused, SourceError
from assistant.core.events import Answer, Event, Execution
from assistant.core.values import Budget
from assistant.errors import DataError
from assistant.query.guard import check
from assistant.semantics.definitions import Fault, faults_of, filter_usable
from knowledge.documents import Document
from knowledge.semantic.model import SemanticModel
from knowledge.sources.folder import is_document_file
from knowledge.sources.problems import Problem

if TYPE_CHECKING:
    from assistant.record.memory.tiers import Digest
    from assistant.session.knowledge.knowledge_bases import Stamp
    from assistant.session.sources.sources import SessionSources
    from assistant.sources.addresses import SourceAddress
    from assistant.sources.sources import Source
    from knowledge.retrieval import Hit

_LOOK_SECONDS_MAX = 10.0
_LOOK_BYTES_MAX = 32 * 1024**2
_TRIED_ROWS_MAX = 10_000
_PERIODS_MAX = 2_000
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

    @property
    def problems(self) -> Sequence[Problem]:
        """What could not be read or used of the folder."""
        ...


OpenLibrary = Callable[[Sequence["Catalog"], Sequence[Path]], Library]
"""Opens the knowledge that belongs to these catalogs and the files they came from. Blocks."""


def _is_of_definitions(problem: Problem) -> bool:
    file = Path(problem.origin)
    return bool(file.suffix) and not is_document_file(file)


def _head(path: Path) -> tuple[str, ...]:
    """The first lines of a file of text, as they stand there; what is no UTF-8 is replaced."""
    try:
        with path.open("rb") as file:
            start = file.read(_HEAD_BYTES)
    except OSError as error:
        raise DataError(f"The file {path.name!r} cannot be read ({error.strerror}). Add it again.") from error
    return tuple(start.decode("utf-8-sig", errors="replace").splitlines()[:_HEAD_LINES])


def _list_files(addresses: Sequence[SourceAddress]) -> tuple[Path, ...]:
    return tuple(file for address in addresses for file in address.files)


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
        knowledge_files: Callable[[Sequence[SourceAddress]], Sequence[Path]] = _list_files,
        elsewhere: Callable[[Sequence[Event], Sequence[Catalog]], tuple[Digest, ...]] = lambda _events, _catalogs: (),
    ) -> None:
        self._sources = sources
        self._elsewhere = elsewhere
        self._open_library = open_library
        self._stamp = stamp
        self._events = events
        self._data = data
        self._clock = clock
        self._knowledge_files = knowledge_files
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
        cached = self._usable
        if cached is None or cached[0] != documents or cached[1] != catalogs:
            # Every definition's SQL is parsed for this, so it is kept while nothing changes.
            faults = await asyncio.to_thread(faults_of, documents, catalogs)
            cached = (documents, catalogs, filter_usable(documents, faults))
            self._usable = cached
        return cached[2]

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
        documents = await asyncio.to_thread(library.documents)
        return await asyncio.to_thread(faults_of, documents, await self._sources.catalogs())

    async def unread(self) -> tuple[str, ...]:
        """What of the definitions in the knowledge folder cannot be read, and so is not used, in words."""
        problems = [problem for problem in (await self._knowledge()).problems if _is_of_definitions(problem)]
        if not problems:
            return ()
        faults = {fault.problem for fault in await self.faults()}  # of them an answer speaks where they are asked for
        return tuple(str(problem) for problem in problems if problem not in faults)

    async def partial_periods(self, answer: Answer) -> tuple[str, ...]:
        """Which periods of an answer's table the data hold only in part, in words."""
        ran = find_execution(self._events(), answer.table) if answer.table else None
        if ran is None or ran.language != "sql" or not ran.queries:
            return ()
        table = await self.rows(ran.id, rows_max=_PERIODS_MAX)
        if table is None:
            return ()
        catalogs = await self._sources.catalogs()
        return await asyncio.to_thread(describe_partial_periods, ran.queries[-1], table, catalogs)

    async def search(self, query: str, *, k: int = 5) -> tuple[Hit, ...]:
        """The documents nearest to the query, best first."""
        library = await self._knowledge()
        return tuple(await asyncio.to_thread(lambda: library.search(query, k=k)))

    async def elsewhere(self) -> tuple[Digest, ...]:
        """The turns of the same person's other sessions on the same data."""
        return await asyncio.to_thread(self._elsewhere, self._events(), await self._sources.catalogs())

    async def rows(self, execution: str, *, rows_max: int = 200) -> TableView | None:
        """The table that an execution gave."""
        execution_event = find_execution(self._events(), execution)
        if execution_event is None:
            return None
        return await asyncio.to_thread(lambda: read_table(execution_event, folder=self._data, rows_max=rows_max))

    async def table(self, execution: Execution) -> TableView | None:
        """The table of an execution, which need not be in the log yet."""
        return await asyncio.to_thread(lambda: read_table(execution, folder=self._data, rows_max=_ROWS_CHECKED_MAX))

    async def ask_source(self, sql: str, *, source: str, rows_max: int) -> TableView:
        """The result of a query that the program itself wrote."""
        opened = next((candidate for candidate in await self._sources.sources() if candidate.name == source), None)
        if opened is None:
            raise DataError(f"The session has no source named {source!r}.")
        return await self._looked(opened, sql, rows_max=rows_max, timeout_s=_LOOK_SECONDS_MAX)

    async def _looked(self, opened: Source, sql: str, *, rows_max: int, timeout_s: float) -> TableView:
        budget = Budget(rows_max=rows_max, limit_bytes=_LOOK_BYTES_MAX, timeout_s=timeout_s)
        result = await opened.run(sql, None, budget)
        return await asyncio.to_thread(make_view, result.table, rows_max=rows_max)

    async def try_query(self, sql: str, *, source: str | None) -> TableView | str:
        """The result of a read-only query that the person's policy approves, under small caps; or why there is none."""
        opened = await self._sources.sources()
        target = next((candidate for candidate in opened if source in (None, candidate.name)), None)
        if target is None:
            return f"The session has no source named {source!r}."
        refusal = await asyncio.to_thread(check, sql, dialect=target.dialect, functions=target.functions)
        if refusal is not None:
            return refusal.message
        try:
            return await self.ask_source(sql, source=target.name, rows_max=_TRIED_ROWS_MAX)
        except DataError as error:
            return str(error)

    async def try_reading(self, sql: str, *, source: str, rows_max: int, timeout_s: float) -> TableView:
        """The first rows of a query that the program itself wrote, behind the guard.

        Raises:
            QueryFailed: The engine cannot run it.
            QueryRefused: The guard refuses it, or it takes more than it may.
            SourceError: The source cannot be reached, or the session has none of that name.
        """
        opened = next((candidate for candidate in await self._sources.sources() if candidate.name == source), None)
        if opened is None:
            raise SourceError(f"The session has no source named {source!r}.")
        refusal = await asyncio.to_thread(check, sql, dialect=opened.dialect, functions=opened.functions)
        if refusal is not None:
            raise QueryRefused(refusal.message)
        head = f"SELECT * FROM ({sql}) AS reading LIMIT {rows_max}"
        return await self._looked(opened, head, rows_max=rows_max, timeout_s=timeout_s)

    async def files(self) -> Mapping[str, tuple[str, ...]]:
        """The names of the files that each source of files was read from, by source."""
        addresses = await asyncio.to_thread(lambda: self._sources.addresses)
        return {address.name: tuple(path.name for path in address.files) for address in addresses if address.files}

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
            files = tuple(await asyncio.to_thread(self._knowledge_files, addresses))
            stamp = await asyncio.to_thread(self._stamp, files)
            if self._library is None or self._library[:2] != (names, stamp):
                catalogs = await self._sources.catalogs()
                self._library = (names, stamp, await asyncio.to_thread(self._open_library, catalogs, files))
            return self._library[2]
