"""The knowledge bases of a program, and the folder of a session's verified queries.

Knowledge comes from a folder `knowledge/` next to a source, or from the folder in the settings, and from documents made
of the sources' schemas. It is indexed at the first search, in a folder shared by all sessions on the same data, and
read again when a file changes: a change applies from the next question on.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Sequence
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

from assistant.core.catalog import Catalog, make_names_unique
from assistant.errors import SessionError
from assistant.semantics.definitions import faults_of
from knowledge.documents import Document, VerifiedQuery
from knowledge.errors import KnowledgeError

if TYPE_CHECKING:
    from knowledge.base import KnowledgeBase
    from knowledge.embedding import EmbedderChoice
    from knowledge.files.background_reader import ReadFile
    from knowledge.index import Index
    from knowledge.sources.results import KeptResult

Stamp = tuple[tuple[str, int, int], ...]
"""The files of a knowledge folder, each with when it was written and its size."""


class KnowledgeBases:
    """The knowledge bases of a program: one for all sessions on the same data. Calls block.

    Args:
        folder: The knowledge folder of the settings; None for the one that lies beside the data.
        index: Where the indexes are kept.
        embedder: Chooses the embedder, when one is needed.
        is_searched: Says whether somebody searches what is opened, so that it is embedded at once. The embedded analyst
            reads all documents and searches none.
        read_file: Reads a document file; without it they are left out.
        is_data_file: Says which files only stand for data without a folder of its own (`data_folders`): the knowledge
            beside them is read as well.
        is_sample: Says which files are the sample company's: its knowledge gives way where there is other data.
    """

    def __init__(
        self,
        folder: Path | None,
        *,
        index: Path,
        embedder: Callable[[], EmbedderChoice],
        is_searched: Callable[[], bool] = lambda: True,
        read_file: ReadFile | None = None,
        is_data_file: Callable[[Path], bool] = lambda _: False,
        is_sample: Callable[[Path], bool] = lambda _: False,
    ) -> None:
        self._folder = folder
        self._is_sample = is_sample
        self._is_data_file = is_data_file
        self._read_file = read_file
        self._index = index
        self._embedder = embedder
        self._is_searched = is_searched
        self._open: dict[tuple[str, ...], KnowledgeBase] = {}

    def folder(self, files: Sequence[Path]) -> Path | None:
        """The knowledge folder that belongs to what came from these files, if there is one."""
        files = self._exclude_sample(files)
        own = [file for file in files if not self._is_data_file(file)]
        return self._folder or knowledge_beside(own) or knowledge_beside(files)

    def folders(self, files: Sequence[Path]) -> tuple[Path, ...]:
        """All folders that are read: the one that belongs to these files, then those of data without one."""
        further = [file for file in files if self._is_data_file(file) or self._is_sample(file)]
        beside = [folder for file in further if (folder := knowledge_beside([file]))]
        return tuple(dict.fromkeys(filter(None, (self.folder(files), *beside))))

    def _exclude_sample(self, files: Sequence[Path]) -> Sequence[Path]:
        """The files without the sample company's, where there are others."""
        return [file for file in files if not self._is_sample(file)] or files

    def place(self, files: Sequence[Path]) -> Path:
        """The folder to write to: the one there is, else one beside the first of these files.

        Raises:
            KnowledgeError: There is none, and no file beside which to make one.
        """
        files = self._exclude_sample(files)
        folder = self.folder(files)
        if folder is None and not files:
            raise KnowledgeError(
                "This source is no file, so there is no folder beside it to keep this in. Name a folder in the "
                "setting `knowledge` (TANDEM_KNOWLEDGE), and try again."
            )
        return folder or files[0].parent / "knowledge"

    def written(self, files: Sequence[Path]) -> Sequence[Document]:
        """What the knowledge folder of these files holds, read without opening a knowledge base."""
        from knowledge.sources.folder import read_folder

        return [document for folder in self.folders(files) for document in read_folder(folder).documents]

    def stamp(self, files: Sequence[Path]) -> Stamp:
        """What changes when anything in the knowledge folder of these files does."""
        from knowledge.sources.folder import knowledge_files

        return tuple(_state(file) for folder in self.folders(files) for file in knowledge_files(folder))

    def of(self, catalogs: Sequence[Catalog], files: Sequence[Path]) -> KnowledgeBase:
        """The knowledge that belongs to these catalogs and the files they came from, as it is now."""
        from knowledge.base import KnowledgeBase
        from knowledge.sources.folder import read_folder
        from knowledge.sources.schema import schema_documents

        folder = self.folder(files)
        key = (str(folder), *(f"{c.source}:{','.join(t.name for t in c.tables)}" for c in catalogs))
        if key not in self._open:
            self._open[key] = KnowledgeBase(
                folder,
                open_index=partial(self._index_of, key),
                read_file=self._read_file,
                extracts=self._index / "files",
            )
        base = self._open[key]
        described: list[Document] = [
            document for data_folder in self.folders(files)[1:] for document in read_folder(data_folder).documents
        ]
        for catalog in catalogs:
            described += schema_documents(catalog.source, make_names_unique(catalog).tables)
        base.read(described, examine=lambda documents: [fault.problem for fault in faults_of(documents, catalogs)])
        if self._is_searched():
            base.index()
        return base

    def close(self) -> None:
        """Let go of every base: its index holds files and tens of megabytes for as long as it is open."""
        while self._open:
            self._open.popitem()[1].close()

    def _index_of(self, parts: tuple[str, ...]) -> Index:
        from knowledge.index import Index

        embedder = self._embedder().embedder
        folder, *sources = parts
        key = hashlib.sha256("\n".join((folder, embedder.name, *sources)).encode()).hexdigest()[:16]
        return Index(self._index / key, embedder=embedder, cache=self._index)


class VerifiedQueries:
    """Where a session's verified queries are kept: the knowledge folder of its sources. Calls block.

    Args:
        knowledge_bases: Knows the folder.
        files: Gives the files that the session's sources came from.
        data_files: Gives those that stand for a source, by its name, where it has no folder of its own.
    """

    def __init__(
        self,
        knowledge_bases: KnowledgeBases,
        *,
        files: Callable[[], Sequence[Path]],
        data_files: Callable[[str], Sequence[Path]] = lambda _: (),
    ) -> None:
        self._knowledge_bases = knowledge_bases
        self._files = files
        self._data_files = data_files

    def keep(self, query: VerifiedQuery, result: KeptResult | None) -> Path:
        """Keep a query, in the file that is given back, and what it gave.

        Raises:
            KnowledgeError: There is no place for it, or it cannot be written there.
        """
        from knowledge.sources.queries import keep_query
        from knowledge.sources.results import keep_results

        data_files = self._data_files(query.source or "")
        folder = self._knowledge_bases.place(data_files or self._files())
        stored = keep_query(folder, query)
        if result is not None:
            keep_results(folder, {query.id: result})
        return stored

    def revoke(self, id_: str, code: str) -> None:
        """Keep a query no more. Where it is gone already nothing happens.

        Raises:
            KnowledgeError: Its file was edited by hand, or holds other code by now, or cannot be removed.
        """
        from knowledge.sources.queries import find_query, revoke_query

        folders = self._knowledge_bases.folders(self._files())
        matches = [(folder, query) for folder in folders if (query := find_query(folder, id_)) is not None]
        if not matches:
            return
        folder, query = matches[0]
        if query.code.split() != code.split():
            raise KnowledgeError(
                f"{query.origin!r} in {str(folder)!r} holds other code by now; look at it, and edit it there."
            )
        revoke_query(folder, query)


def revoked_from(folders: Sequence[Path], id_: str) -> str:
    """Keep a verified query of some folders no more. Gives the file in which it stood.

    Raises:
        SessionError: It is gone, was written or edited by hand, or cannot be removed.
    """
    from knowledge.sources.queries import find_query, revoke_query

    matches = [(folder, query) for folder in folders if (query := find_query(folder, id_)) is not None]
    if not matches:
        raise SessionError("It is not there any more: somebody took it back, or deleted its file.")
    folder, query = matches[0]
    try:
        revoke_query(folder, query)
    except KnowledgeError as error:
        raise SessionError(str(error)) from error
    return str(folder / query.origin)


def _state(file: Path) -> tuple[str, int, int]:
    try:
        status = file.stat()
    except OSError:
        return str(file), 0, 0
    return str(file), status.st_mtime_ns, status.st_size


def knowledge_beside(files: Sequence[Path]) -> Path | None:
    """The knowledge folder that lies beside a source's file; None where there is none with anything to read in it."""
    from knowledge.sources.folder import knowledge_files

    folders = (file.parent / "knowledge" for file in files)
    return next((folder for folder in folders if knowledge_files(folder)), None)
