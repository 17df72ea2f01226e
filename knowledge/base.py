"""The knowledge base: a folder and other documents, indexed and searched. The front door of this package.

Calls block (files, vectors, SQLite): on an event loop, run them in a thread. A base is safe to use from several
threads, and several processes may share an index folder.
"""

from __future__ import annotations

import threading
from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from knowledge.documents import Document, Kind
from knowledge.embedding import Embedder
from knowledge.errors import IndexDamaged, NotRefreshed
from knowledge.filling import Filling, Progress
from knowledge.index import Index
from knowledge.ingest import SyncReport, carry_out, change_of
from knowledge.retrieval import Hit, Retriever
from knowledge.semantic.files import read_models
from knowledge.semantic.model import SemanticModel
from knowledge.sources.folder import read_folder, without_doubles
from knowledge.sources.problems import Problem

_AT_ONCE_MAX = 200
"""So many new documents are embedded at once; a person does not notice the second that takes."""

Examine = Callable[[Sequence[Document]], Sequence[Problem]]
"""Holds documents against what they speak of, and says what does not fit."""


@dataclass(frozen=True, slots=True, kw_only=True)
class _View:
    """What one refresh saw."""

    retriever: Retriever
    models: tuple[SemanticModel, ...]
    problems: tuple[Problem, ...]


class KnowledgeBase:
    """What the organisation means by its data, ready to be searched."""

    def __init__(self, folder: Path | None, *, index: Index) -> None:
        self._folder = folder
        self._index = index
        self._view: _View | None = None
        self._scopes: frozenset[str] = frozenset()
        self._refreshing = threading.Lock()
        self._filling: Filling | None = None

    @classmethod
    def open(
        cls, folder: Path | None, *, index_folder: Path, embedder: Embedder, cache: Path | None = None
    ) -> KnowledgeBase:
        """Take a knowledge folder (or none) and a folder for the index; nothing is read until `refresh`.

        `cache` is where the vectors lie that several bases share, so that none of them embeds a text again.
        """
        return cls(folder, index=Index(index_folder, embedder=embedder, cache=cache))

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
    def progress(self) -> Progress:
        """How far the embedding of what is new has come."""
        return self._filling.progress if self._filling is not None else Progress(done=0, total=0)

    def settle(self, timeout_s: float | None = None) -> bool:
        """Wait until all is embedded; False where the time was too short.

        Raises:
            KnowledgeError: What ended the embedding early.
        """
        return self._filling is None or self._filling.settle(timeout_s)

    def close(self) -> None:
        """Stop embedding; what is done stays. The index is let go of."""
        if self._filling is not None:
            self._filling.stop()
        self._index.close()

    @property
    def models(self) -> tuple[SemanticModel, ...]:
        """The semantic models that could be read at the last refresh.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        return self._seen().models

    def refresh(self, extra: Iterable[Document] = (), *, examine: Examine | None = None) -> SyncReport:
        """Read the folder again and bring the index up to date; quick when nothing changed.

        Much that is new is embedded in the background (`progress`); until then names and words find it.

        Args:
            extra: All documents that come from elsewhere, such as the sources' schemas. Those of an earlier
                refresh that are not given again are gone.
            examine: Finds what else is wrong with the folder's documents, such as a metric of a table that no source
                has; it joins the problems.

        Raises:
            IndexUnusable: The index folder cannot be used at all.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        with self._refreshing:
            documents: tuple[Document, ...] = ()
            problems: tuple[Problem, ...] = ()
            if self._folder is not None:
                reading = read_folder(self._folder)
                documents, problems = reading.documents, reading.problems
            documents, doubles = without_doubles((*documents, *extra))
            report = self._synced(documents)
            found = examine(documents) if examine is not None else ()
            models = read_models(self._folder) if self._folder is not None else ()
            self._view = _View(
                retriever=Retriever(documents, self._index), models=models, problems=(*problems, *doubles, *found)
            )
            return report

    def search(
        self, query: str, *, k: int = 5, kinds: Collection[Kind] | None = None, source: str | None = None
    ) -> tuple[Hit, ...]:
        """Return the best `k` documents for a query, the best first; see `Retriever.search`.

        Raises:
            NotRefreshed: The base was never refreshed.
            IndexUnusable: The index cannot be used, and making it anew did not help.
            EmbedderUnavailable: The embedder cannot be loaded.
        """
        retriever = self._seen().retriever
        try:
            return retriever.search(query, k=k, kinds=kinds, source=source)
        except IndexDamaged:
            with self._refreshing:
                self._index.rebuild()
                self._synced(tuple(retriever.documents.values()))
            return retriever.search(query, k=k, kinds=kinds, source=source)

    def documents(self, kind: Kind | None = None) -> tuple[Document, ...]:
        """Return the documents of one kind, or all, in the order they were read.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        found = self._seen().retriever.documents.values()
        return tuple(document for document in found if kind is None or document.kind == kind)

    def document(self, id_: str) -> Document | None:
        """Return the document that a citation names, if it is still there.

        Raises:
            NotRefreshed: The base was never refreshed.
        """
        return self._seen().retriever.documents.get(id_)

    def _seen(self) -> _View:
        if self._view is None:
            raise NotRefreshed(f"The knowledge base {str(self._folder)!r} has not been read; call refresh() first.")
        return self._view

    def _synced(self, documents: tuple[Document, ...]) -> SyncReport:
        if self._filling is not None:
            self._filling.stop()
        try:
            report = self._filled(documents)
        except IndexDamaged as error:
            self._index.rebuild()
            report = replace(self._filled(documents), rebuilt=str(error))
        self._scopes = frozenset(document.scope for document in documents)
        return report

    def _filled(self, documents: tuple[Document, ...]) -> SyncReport:
        change = change_of(documents, self._index, scopes=self._scopes)
        if len(change.documents) <= _AT_ONCE_MAX:
            self._filling = None
            carry_out(change, self._index)
        else:
            self._filling = Filling(change, self._index)
        return change.report
