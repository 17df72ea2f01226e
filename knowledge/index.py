"""The vector index: Chroma, persistent, with our own embeddings and cosine distance.

It holds ids, vectors and the few fields that searches filter by; documents stay with whoever holds them. It is a
cache: whatever is wrong with it, `rebuild` makes it anew from the manifest, and no knowledge is lost.

What Chroma 1.5 needs from its surroundings, and gets here:
- A client keeps the vectors it first loaded and misses what another process writes afterwards; so every change gets a
  number in the manifest, a client is opened anew when the number or a file has changed, and calls exclude each other
  through the manifest's lock. Opening one on 50,000 vectors takes a second, a search on an open one milliseconds.
- A store that failed to open stays broken for the whole process under that path; so a rebuilt store gets a new path.
- A damaged vector file may end the process with a segmentation fault; so the files are compared with what was
  written before Chroma sees them.
- Its graph is approximate. It missed none of 300 column descriptions among 1,200 by MiniLM's vectors; by hashing's,
  which put near-alike texts into one dense cloud, from 5% to over half, run by run. Names and words are looked up
  beside it for that reason.
- It reads `./.env` when it is imported, which may have come with data, and fails on what does not fit it; so it is
  imported without.
- Its default embedding function downloads a model; so none is ever set.
"""

from __future__ import annotations

import importlib
import json
import shutil
import sys
import threading
import zlib
from collections.abc import Collection, Generator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass, replace
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from knowledge.documents import Kind
from knowledge.embedding import Embedder
from knowledge.errors import IndexBusy, IndexDamaged
from knowledge.manifest import IndexEntry, Manifest, ManifestTransaction
from knowledge.vector_cache import VectorCache

if TYPE_CHECKING:
    from chromadb import Collection as ChromaCollection
    from chromadb.api.client import Client as ChromaClient
    from chromadb.api.types import Where

    from knowledge.embedding import Vectors
    from knowledge.manifest import Vector

_BATCH = 1_000
_SEARCH_WAIT_S = 0.5
"""So long a search waits for a piece of new knowledge to be written; then names and words must do."""

# Chroma shares one engine between the clients of a path and is not thread-safe in opening and closing it.
_ONE_AT_A_TIME = threading.RLock()


@dataclass(frozen=True, slots=True, kw_only=True)
class Neighbour:
    """A document near a vector.

    Attributes:
        id: The document's id.
        similarity: Cosine, -1 to 1.
    """

    id: str
    similarity: float


@dataclass(frozen=True, slots=True, kw_only=True)
class _Open:
    """A store that is open, and by what it can be told whether it is still what was opened."""

    client: ChromaClient
    collection: ChromaCollection
    store: Path
    change: str | None
    files: tuple[tuple[str, int, int], ...]


class Index:
    """The vectors of one embedder under a folder. Making one touches nothing on disk.

    Args:
        folder: Where they are kept.
        embedder: Makes them.
        cache: The folder of the vectors that all indexes share; `folder` where none is given.
    """

    def __init__(self, folder: Path, *, embedder: Embedder, cache: Path | None = None) -> None:
        self._folder = folder / embedder.name
        self._manifest = Manifest(self._folder / "manifest.sqlite")
        self._cache = VectorCache((cache or folder) / f"vectors-{embedder.name}.sqlite")
        self._collection_name = f"documents-{embedder.name}"
        self._open: _Open | None = None
        self.embedder = embedder

    def close(self) -> None:
        """Let go of the store; the next call opens it again."""
        with _ONE_AT_A_TIME:
            opened, self._open = self._open, None
            if opened is not None:
                opened.client.__exit__(None, None, None)

    def scopes(self) -> frozenset[str]:
        """Return the parts that the index holds.

        Raises:
            IndexUnusable: The manifest cannot be read.
        """
        with self._manifest.reading() as transaction:
            return transaction.scopes()

    def entries(self, scopes: Collection[str] | None = None) -> dict[str, IndexEntry]:
        """Return what the index holds, by id, without opening Chroma.

        Raises:
            IndexUnusable: The manifest cannot be read.
        """
        with self._manifest.reading() as transaction:
            return transaction.entries(scopes)

    def known_vectors(self, text_hashes: Collection[str]) -> dict[str, Vector]:
        """Return the vectors of texts that were embedded before, for this index or another one, by text hash."""
        with self._manifest.reading() as transaction:
            vectors = transaction.vectors(text_hashes)
        unknown = set(text_hashes) - vectors.keys()
        return vectors | self._cache.get(unknown) if unknown else vectors

    def remember(self, vectors: Mapping[str, Vector]) -> None:
        """Keep vectors for every index of this embedder, by text hash."""
        self._cache.put(vectors)

    def ids(self) -> frozenset[str]:
        """Return the ids that Chroma itself holds.

        Raises:
            IndexUnusable: The store or its manifest cannot be read.
        """
        with _ONE_AT_A_TIME, self._manifest.exclusive() as transaction, self._collection(transaction) as collection:
            return frozenset(collection.get(include=[])["ids"])

    def upsert(self, entries: Sequence[IndexEntry], vectors: Vectors) -> None:
        """Add entries with their vectors (`len(entries) x dim`, unit norm), or replace those of the same id."""
        self.apply(entries=entries, vectors=vectors, delete=())

    def delete(self, ids: Collection[str]) -> None:
        """Remove entries; ids that are not there are no fault."""
        self.apply(entries=(), vectors=self.embedder.embed([]), delete=ids)

    def apply(self, *, entries: Sequence[IndexEntry], vectors: Vectors, delete: Collection[str]) -> None:
        """Make all changes of one synchronisation, in store and manifest, as one.

        Raises:
            IndexUnusable: The store or its manifest cannot be written.
        """
        with _ONE_AT_A_TIME, self._manifest.exclusive() as transaction:
            with self._collection(transaction) as collection:
                removed = sorted(delete)
                for at in range(0, len(removed), _BATCH):
                    collection.delete(ids=removed[at : at + _BATCH])
                _write(collection, entries, vectors)
            transaction.put(entries)
            transaction.put_vectors({entry.text_hash: vectors[row] for row, entry in enumerate(entries)})
            transaction.drop(removed)
            self._seal(transaction)

    def query(
        self,
        vector: Vector,
        k: int,
        *,
        kinds: Collection[Kind] | None = None,
        sources: Collection[str] | None = None,
        scopes: Collection[str] | None = None,
    ) -> tuple[Neighbour, ...]:
        """Return the `k` nearest entries, the nearest first.

        Args:
            vector: What to look near to, `dim`, unit norm.
            k: At least 1.
            kinds: Only documents of these kinds.
            sources: Only documents of these data sources; `""` stands for those of none in particular.
            scopes: Only these parts of the index.

        Raises:
            IndexBusy: It is being written, here for longer than a search may wait, or by another process.
            IndexUnusable: The store or its manifest cannot be read.
        """
        where = _where(kind=kinds, source=sources, scope=scopes)
        if not _ONE_AT_A_TIME.acquire(timeout=_SEARCH_WAIT_S):
            raise IndexBusy(f"The index {str(self._folder)!r} is being written; search again in a moment.")
        try:
            with self._manifest.exclusive() as transaction, self._collection(transaction) as collection:
                neighbours = collection.query(
                    query_embeddings=[vector], n_results=k, where=where, include=["distances"]
                )
        finally:
            _ONE_AT_A_TIME.release()
        ids, distances = neighbours["ids"][0], (neighbours["distances"] or [[]])[0]
        nearest = [Neighbour(id=id_, similarity=1.0 - float(d)) for id_, d in zip(ids, distances, strict=True)]
        return tuple(sorted(nearest, key=lambda near: (-near.similarity, near.id)))

    def rebuild(self) -> None:
        """Make the store anew from the manifest, or empty where the manifest is damaged too.

        Raises:
            IndexUnusable: The folder cannot be written.
        """
        with _ONE_AT_A_TIME:
            try:
                with self._manifest.exclusive() as transaction:
                    entries = list(transaction.entries().values())
                    vectors = transaction.vectors(entry.text_hash for entry in entries)
                    self._renew(transaction, entries, vectors)
            except IndexDamaged:
                shutil.rmtree(self._folder, ignore_errors=True)
                with self._manifest.exclusive() as transaction:
                    self._renew(transaction, [], {})

    def _renew(
        self, transaction: ManifestTransaction, entries: Sequence[IndexEntry], vectors: dict[str, Vector]
    ) -> None:
        import numpy as np

        self._begin_store(transaction)
        embedded = [entry for entry in entries if entry.text_hash in vectors]
        with self._collection(transaction) as collection:
            matrix = np.array([vectors[entry.text_hash] for entry in embedded], dtype=np.float32)
            _write(collection, embedded, matrix)
        transaction.drop({entry.id for entry in entries} - {entry.id for entry in embedded})
        self._seal(transaction)

    def _store(self, transaction: ManifestTransaction) -> Path:
        return self._folder / (transaction.fact("store") or self._begin_store(transaction))

    def _begin_store(self, transaction: ManifestTransaction) -> str:
        """Turn to a store under a path that this process never used, and clear the others away."""
        self.close()
        old = list(self._folder.glob("chroma-*"))
        name = f"chroma-{uuid4().hex[:8]}"
        transaction.put_fact("store", name)
        transaction.put_fact("seal", "{}")
        for path in old:
            shutil.rmtree(path, ignore_errors=True)
        return name

    def _seal(self, transaction: ManifestTransaction) -> None:
        """Write down what the store holds now, for whoever opens it next; this client knows it already."""
        store = self._store(transaction)
        transaction.put_fact("seal", json.dumps(_fingerprints(store), sort_keys=True))
        transaction.put_fact("change", uuid4().hex)
        if self._open is not None:
            self._open = replace(self._open, change=transaction.fact("change"), files=_files(store))

    @contextmanager
    def _collection(self, transaction: ManifestTransaction) -> Generator[ChromaCollection]:
        """The store, as it is now; opened if it is not, or if somebody else has changed it.

        Raises:
            IndexDamaged: What lies there is not what was written.
        """
        _import_chroma()
        from chromadb.errors import ChromaError

        store = self._store(transaction)
        opened = self._open
        if opened is None or (opened.store, opened.change, opened.files) != (
            store,
            transaction.fact("change"),
            _files(store),
        ):
            self.close()
            if json.loads(transaction.fact("seal") or "{}") != _fingerprints(store):
                raise IndexDamaged(_damage(store, "its vector files are not what was written"))
            try:
                opened = self._open = self._opened(store, transaction)
            except ChromaError as error:
                raise IndexDamaged(_damage(store, str(error))) from error
        try:
            yield opened.collection
        except ChromaError as error:
            self.close()
            raise IndexDamaged(_damage(store, str(error))) from error
        except BaseException:
            self.close()
            raise

    def _opened(self, store: Path, transaction: ManifestTransaction) -> _Open:
        from chromadb.api.client import Client
        from chromadb.config import Settings

        settings = Settings(
            _env_file=None,  # pyright: ignore[reportCallIssue]  # known to pydantic; else `./.env` would be read
            is_persistent=True,
            persist_directory=str(store),
            anonymized_telemetry=False,
        )
        client = Client(settings=settings)
        collection = client.get_or_create_collection(
            self._collection_name,
            embedding_function=None,
            configuration={
                "hnsw": {
                    "space": "cosine",
                    # Denser than the default, for the graph is approximate: on 3,000 evenly scattered texts
                    # the default missed the very text searched for 3 times in 100, these values never.
                    "ef_construction": 200,
                    "max_neighbors": 48,
                    "ef_search": 400,
                }
            },
        )
        return _Open(
            client=client, collection=collection, store=store, change=transaction.fact("change"), files=_files(store)
        )


def _import_chroma() -> None:
    """Import Chroma, and have no file of the working folder read meanwhile."""
    if "chromadb" in sys.modules:
        return
    from pydantic_settings import DotEnvSettingsSource

    name = "_load_env_vars"  # it has no public switch
    method = getattr(DotEnvSettingsSource, name)
    setattr(DotEnvSettingsSource, name, _read_nothing)
    try:
        importlib.import_module("chromadb")
    finally:
        setattr(DotEnvSettingsSource, name, method)


def _read_nothing(_source: object) -> dict[str, str]:
    return {}


def _damage(store: Path, why: str) -> str:
    return f"The index in {str(store)!r} cannot be read: {why}. It is a cache: refreshing the base rebuilds it."


def _write(collection: ChromaCollection, entries: Sequence[IndexEntry], vectors: Vectors) -> None:
    for at in range(0, len(entries), _BATCH):
        batch = entries[at : at + _BATCH]
        collection.upsert(
            ids=[entry.id for entry in batch],
            embeddings=vectors[at : at + _BATCH],
            metadatas=[
                {"kind": entry.kind, "source": entry.source, "scope": entry.scope, "hash": entry.content_hash}
                for entry in batch
            ],
        )


def _where(**fields: Collection[str] | None) -> Where | None:
    clauses: list[Where] = [{name: {"$in": sorted(allowed)}} for name, allowed in fields.items() if allowed is not None]
    if len(clauses) > 1:
        return {"$and": clauses}
    return clauses[0] if clauses else None


def _fingerprints(store: Path) -> dict[str, list[int]]:
    """Size and checksum of each vector file that a query leaves alone.

    Chroma writes a segment's files for good with its `index_metadata.pickle`; until then (fewer than a thousand
    changes) it keeps them in its own SQLite file and makes them anew whenever it opens.
    """
    prints: dict[str, list[int]] = {}
    for metadata in sorted(store.glob("*/index_metadata.pickle")):
        for file in sorted(metadata.parent.iterdir()):
            content = file.read_bytes()
            prints[f"{metadata.parent.name}/{file.name}"] = [len(content), zlib.crc32(content)]
    return prints


def _files(store: Path) -> tuple[tuple[str, int, int], ...]:
    """The files of a store, each with its size and when it was written."""
    fingerprints: list[tuple[str, int, int]] = []
    for file in sorted((*store.glob("chroma.sqlite3"), *store.glob("*/*"))):
        stat = file.stat()
        fingerprints.append((str(file), stat.st_size, stat.st_mtime_ns))
    return tuple(fingerprints)
