"""The knowledge base: a folder and other documents, indexed and searched. The entry point of this package.

Calls block (files, vectors, SQLite): on an event loop, run them in a thread. A base is safe to use from several
threads, and several processes may share an index folder.
"""

from __future__ import annotations

import logging
import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from contextlib import suppress
from dataclasses import dataclass, replace
from functools import cached_property
from pathlib import Path

from knowledge.background_embedding import BackgroundEmbedding, EmbeddingProgress
from knowledge.documents import Document, Kind
from knowledge.embedding import Embedder
from knowledge.errors import IndexDamaged, KnowledgeError, NotRefreshed
from knowledge.files.background_reader import BackgroundReader, ReadFile
from knowledge.index import Index
from knowledge.ingest import SyncReport, apply_change, change_of
from knowledge.retrieval import Hit, Retriever
from knowledge.semantic.model import SemanticModel
from knowledge.sources.folder import FolderReading, drop_duplicates, read_folder, read_models
from knowledge.sources.problems import FileReading, Problem

_LOG = logging.getLogger(__name__)

_AT_ONCE_MAX = 200
"""So many new documents are embedded at once; a person does not notice the second that takes."""

Examine = Callable[[Sequence[Document]], Sequence[Problem]]
"""Holds documents against what they speak of, and says what does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What one reading saw."""

    documents: tuple[Document, ...]
    models: tuple[SemanticModel, ...]
    problems: tuple[Problem, ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class _Given:
    """What a base was read with, but for its document files."""

    documents: tuple[Document, ...] = ()
    extra: tuple[Document, ...] = ()
    problems: tuple[Problem, ...] = ()
    models: tuple[SemanticModel, ...] = ()
    examine: Examine | None = None


class KnowledgeBase:
    """What the organisation means by its data, ready to be searched."""

    def __init__(
        self,
        folder: Path | None,
        *,
        open_index: Callable[[], Index],
        read_file: ReadFile | None = None,
        extracts: Path | None = None,
    ) -> None:
        self._folder = folder
        self._open_index = open_index
        self._files = (
            BackgroundReader(read_file, extracts=extracts, on_change=self._renew) if read_file and extracts else None
        )
        self._given = _Given()
        self._view: _View | None = None
        self._retriever: Retriever | None = None
        self._scopes: frozenset[str] = frozenset()
        self._refreshing = threading.Lock()
        self._embedding_job: BackgroundEmbedding | None = None
        self._is_closed = False

    @classmethod
    def open(
        cls,
        folder: Path | None,
        *,
        index_folder: Path,
        embedder: Embedder,
        cache: Path | None = None,
        read_file: ReadFile | None = None,
    ) -> KnowledgeBase:
        """Take a knowledge folder (or none) and a folder for the index; nothing is read until `read` or `refresh`.

        Args:
            folder: The knowledge folder.
            index_folder: Where the index is kept.
            embedder: Makes vectors of texts.
            cache: Where the vectors and the texts of document files lie that several bases share, so that none of them
                embeds a text or reads a file again.
            read_file: Reads a document file; without it they are left out.
        """
        return cls(
            folder,
            open_index=lambda: Index(index_folder, embedder=embedder, cache=cache),
            read_file=read_file,
            extracts=(cache or index_folder) / "files",
        )

    @cached_property
    def _index(self) -> Index:
        return self._open_index()

    @property
    def folder(self) -> Path | None:
        """The knowledge folder, if there is one."""
        return self._folder

    @property
    def problems(self) -> tuple[Problem, ...]:
        """What could not be read at the last refresh.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        return self._seen().problems

    @property
    def progress(self) -> EmbeddingProgress:
        """How far the embedding of what is new has come."""
        return self._embedding_job.progress if self._embedding_job is not None else EmbeddingProgress(done=0, total=0)

    @property
    def reading(self) -> EmbeddingProgress:
        """How far the reading of document files has come."""
        return self._files.progress if self._files is not None else EmbeddingProgress(done=0, total=0)

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait until all is read and embedded; False where the time was too short.

        Raises:
            KnowledgeError: What ended the embedding early.
        """
        if self._files is not None and not self._files.settle(timeout_s):
            return False
        return self._embedding_job is None or self._embedding_job.settle(timeout_s)

    def close(self) -> None:
        """Stop reading and embedding; what is done stays. The index is let go of."""
        if self._files is not None:
            self._files.stop()
        with self._refreshing:
            self._is_closed = True
            if self._embedding_job is not None:
                self._embedding_job.stop()
            if "_index" in vars(self):
                self._index.close()

    @property
    def models(self) -> tuple[SemanticModel, ...]:
        """The semantic models that could be read at the last refresh.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        return self._seen().models

    def read(self, extra: Iterable[Document] = (), *, examine: Examine | None = None) -> None:
        """Read the folder again. The index is brought up to date by the next search, or by `index`.

        Document files are read in the background (`reading`); until then they are not found.

        Args:
            extra: All documents that come from elsewhere, such as the sources' schemas. Those of an earlier
                reading that are not given again are gone.
            examine: Finds what else is wrong with the folder's documents, such as a metric of a table that no source
                has; it joins the problems.
        """
        with self._refreshing:
            self._take(extra, examine)
            documents, problems = self._gathered()
            self._view = _View(documents=documents, models=self._given.models, problems=problems)
            if self._retriever is not None and tuple(self._retriever.documents.values()) != documents:
                self._retriever = None

    def refresh(self, extra: Iterable[Document] = (), *, examine: Examine | None = None) -> SyncReport:
        """Read the folder again and bring the index up to date; quick when nothing changed.

        Much that is new is embedded in the background (`progress`); until then names and words find it. See `read` for
        the arguments.

        Raises:
            IndexUnusable: The index folder cannot be used at all.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        with self._refreshing:
            self._take(extra, examine)
            documents, problems = self._gathered()
            report = self._synced(documents, at_once_max=_AT_ONCE_MAX)
            self._show(documents, problems)
            return report

    def index(self) -> None:
        """Bring the index up to date with what was read last, unless it is.

        Raises:
            NotRefreshed: The base was never read.
            IndexUnusable: The index folder cannot be used at all.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        self._indexed()

    def _indexed(self) -> Retriever:
        retriever = self._retriever
        if retriever is not None:
            return retriever  # no search waits for a refresh that goes on meanwhile
        with self._refreshing:
            retriever = self._retriever
            if retriever is None:
                documents = self._seen().documents
                self._synced(documents, at_once_max=_AT_ONCE_MAX)
                retriever = self._retriever = Retriever(documents, self._index)
            return retriever

    def _take(self, extra: Iterable[Document], examine: Examine | None) -> None:
        reading = read_folder(self._folder) if self._folder is not None else FolderReading()
        self._given = _Given(
            documents=reading.documents,
            extra=tuple(extra),
            problems=reading.problems,
            models=read_models(self._folder) if self._folder is not None else (),
            examine=examine,
        )

    def _gathered(self) -> tuple[tuple[Document, ...], tuple[Problem, ...]]:
        """All documents there are by now."""
        options = self._given
        files = (
            self._files.take(self._folder) if self._files is not None and self._folder is not None else FileReading()
        )
        documents, doubles = drop_duplicates((*options.documents, *files.documents, *options.extra))
        findings = options.examine(documents) if options.examine is not None else ()
        return documents, (*options.problems, *files.problems, *doubles, *findings)

    def _show(self, documents: tuple[Document, ...], problems: tuple[Problem, ...]) -> None:
        self._view = _View(documents=documents, models=self._given.models, problems=problems)
        self._retriever = Retriever(documents, self._index)

    def _renew(self, is_whole: bool) -> None:
        """More document files are read: they are found by their words now, and by their meaning once all are read."""
        if is_whole and (job := self._embedding_job) is not None:
            with suppress(KnowledgeError):  # whoever settles is told
                job.settle()
        with self._refreshing:
            if self._is_closed:
                return
            documents, problems = self._gathered()
            if self._retriever is None:  # nobody has searched yet: whoever does has them indexed
                self._view = _View(documents=documents, models=self._given.models, problems=problems)
                return
            self._show(documents, problems)
            if is_whole:
                try:
                    self._synced(documents, at_once_max=0)
                except KnowledgeError as error:  # searches go on by names and words; the next refresh tries again
                    _LOG.warning("document files were read but not indexed: %s", error)

    def search(
        self, query: str, *, k: int = 5, kinds: Collection[Kind] | None = None, source: str | None = None
    ) -> tuple[Hit, ...]:
        """Return the best `k` documents for a query, the best first; see `Retriever.search`.

        Raises:
            NotRefreshed: The base was never refreshed.
            IndexUnusable: The index cannot be used, and making it anew did not help.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        retriever = self._indexed()
        try:
            return retriever.search(query, k=k, kinds=kinds, source=source)
        except IndexDamaged:
            with self._refreshing:
                self._index.rebuild()
                self._synced(tuple(retriever.documents.values()), at_once_max=_AT_ONCE_MAX)
            return retriever.search(query, k=k, kinds=kinds, source=source)

    def documents(self, kind: Kind | None = None) -> tuple[Document, ...]:
        """Return the documents of one kind, or all, in the order they were read.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        documents = self._seen().documents
        return tuple(document for document in documents if kind is None or document.kind == kind)

    def document(self, id_: str) -> Document | None:
        """Return the document that a citation names, if it is still there.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        return next((document for document in self._seen().documents if document.id == id_), None)

    def _seen(self) -> _View:
        if self._view is None:
            raise NotRefreshed(f"The knowledge base {str(self._folder)!r} has not been read; call refresh() first.")
        return self._view

    def _synced(self, documents: tuple[Document, ...], *, at_once_max: int) -> SyncReport:
        if self._embedding_job is not None:
            self._embedding_job.stop()
        try:
            report = self._filled(documents, at_once_max=at_once_max)
        except IndexDamaged as error:
            self._index.rebuild()
            report = replace(self._filled(documents, at_once_max=at_once_max), rebuilt=str(error))
        self._scopes = frozenset(document.scope for document in documents)
        return report

    def _filled(self, documents: tuple[Document, ...], *, at_once_max: int) -> SyncReport:
        change = change_of(documents, self._index, scopes=self._scopes)
        if len(change.documents) <= at_once_max:
            self._embedding_job = None
            apply_change(change, self._index)
        else:
            self._embedding_job = BackgroundEmbedding(change, self._index)
        return change.report
