"""The vector index: Chroma, persistent, with our own embeddings and cosine distance.

It holds ids, vectors and the few fields that searches filter by; documents stay with whoever holds them. It is a
cache: whatever is wrong with it, `rebuild` makes it anew from the manifest, and no knowledge is lost.

What Chroma 1.5 needs from its surroundings, and gets here:
- A client keeps the vectors it first loaded and misses what another process writes afterwards; so a client lives
  only as long as one call (7 ms to open), and calls exclude each other through the manifest's lock.
- A store that failed to open stays broken for the whole process under that path; so a rebuilt store gets a new path.
- A damaged vector file may end the process with a segmentation fault; so the files are compared with what was
  written before Chroma sees them.
- Its graph is approximate. It missed none of 300 column descriptions among 1,200 by MiniLM's vectors; by hashing's,
  which put near-alike texts into one dense cloud, from 5% to over half, run by run. Names and words are looked up
  beside it for that reason.
- Its default embedding function downloads a model; so none is ever set.
"""

from __future__ import annotations

import json
import shutil
import threading
import zlib
from collections.abc import Collection, Generator, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING
from uuid import uuid4

from knowledge.documents import Kind
from knowledge.embedding import Embedder
from knowledge.errors import IndexDamaged
from knowledge.manifest import Entry, Held, Manifest

if TYPE_CHECKING:
    from chromadb import Collection as ChromaCollection
    from chromadb.api.types import Where

    from knowledge.embedding import Vectors
    from knowledge.manifest import Vector

_BATCH = 1_000

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


class Index:
    """The vectors of one embedder under a folder. Making one touches nothing on disk."""

    def __init__(self, folder: Path, *, embedder: Embedder) -> None:
        self._folder = folder / embedder.name
        self._manifest = Manifest(self._folder / "manifest.sqlite")
        self._collection_name = f"documents-{embedder.name}"
        self.embedder = embedder

    def entries(self, scopes: Collection[str] | None = None) -> dict[str, Entry]:
        """Return what the index holds, by id, without opening Chroma.

        Raises:
            IndexUnusable: The manifest cannot be read.
        """
        with self._manifest.reading() as held:
            return held.entries(scopes)

    def known_vectors(self, text_hashes: Collection[str]) -> dict[str, Vector]:
        """Return the vectors of texts that were embedded before, by text hash."""
        with self._manifest.reading() as held:
            return held.vectors(text_hashes)

    def ids(self) -> frozenset[str]:
        """Return the ids that Chroma itself holds.

        Raises:
            IndexUnusable: The store or its manifest cannot be read.
        """
        with _ONE_AT_A_TIME, self._manifest.exclusive() as held, self._collection(held) as collection:
            return frozenset(collection.get(include=[])["ids"])

    def upsert(self, entries: Sequence[Entry], vectors: Vectors) -> None:
        """Add entries with their vectors (`len(entries) x dim`, unit norm), or replace those of the same id."""
        self.apply(entries=entries, vectors=vectors, delete=())

    def delete(self, ids: Collection[str]) -> None:
        """Remove entries; ids that are not there are no fault."""
        self.apply(entries=(), vectors=self.embedder.embed([]), delete=ids)

    def apply(self, *, entries: Sequence[Entry], vectors: Vectors, delete: Collection[str]) -> None:
        """Make all changes of one synchronisation, in store and manifest, as one.

        Raises:
            IndexUnusable: The store or its manifest cannot be written.
        """
        with _ONE_AT_A_TIME, self._manifest.exclusive() as held:
            with self._collection(held) as collection:
                gone = sorted(delete)
                for at in range(0, len(gone), _BATCH):
                    collection.delete(ids=gone[at : at + _BATCH])
                _write(collection, entries, vectors)
            held.put(entries)
            held.put_vectors({entry.text_hash: vectors[row] for row, entry in enumerate(entries)})
            held.drop(gone)
            self._seal(held)

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
            IndexUnusable: The store or its manifest cannot be read.
        """
        where = _where(kind=kinds, source=sources, scope=scopes)
        with _ONE_AT_A_TIME, self._manifest.exclusive() as held, self._collection(held) as collection:
            found = collection.query(query_embeddings=[vector], n_results=k, where=where, include=["distances"])
        ids, distances = found["ids"][0], (found["distances"] or [[]])[0]
        nearest = [Neighbour(id=id_, similarity=1.0 - float(d)) for id_, d in zip(ids, distances, strict=True)]
        return tuple(sorted(nearest, key=lambda near: (-near.similarity, near.id)))

    def rebuild(self) -> None:
        """Make the store anew from the manifest, or empty where the manifest is damaged too.

        Raises:
            IndexUnusable: The folder cannot be written.
        """
        with _ONE_AT_A_TIME:
            try:
                with self._manifest.exclusive() as held:
                    entries = list(held.entries().values())
                    vectors = held.vectors(entry.text_hash for entry in entries)
                    self._renew(held, entries, vectors)
            except IndexDamaged:
                shutil.rmtree(self._folder, ignore_errors=True)
                with self._manifest.exclusive() as held:
                    self._renew(held, [], {})

    def _renew(self, held: Held, entries: Sequence[Entry], vectors: dict[str, Vector]) -> None:
        import numpy as np

        self._begin_store(held)
        kept = [entry for entry in entries if entry.text_hash in vectors]
        with self._collection(held) as collection:
            matrix = np.array([vectors[entry.text_hash] for entry in kept], dtype=np.float32)
            _write(collection, kept, matrix)
        held.drop({entry.id for entry in entries} - {entry.id for entry in kept})
        self._seal(held)

    def _store(self, held: Held) -> Path:
        return self._folder / (held.fact("store") or self._begin_store(held))

    def _begin_store(self, held: Held) -> str:
        """Turn to a store under a path that this process never used, and clear the others away."""
        old = list(self._folder.glob("chroma-*"))
        name = f"chroma-{uuid4().hex[:8]}"
        held.put_fact("store", name)
        held.put_fact("seal", "{}")
        for path in old:
            shutil.rmtree(path, ignore_errors=True)
        return name

    def _seal(self, held: Held) -> None:
        held.put_fact("seal", json.dumps(_fingerprints(self._store(held)), sort_keys=True))

    @contextmanager
    def _collection(self, held: Held) -> Generator[ChromaCollection]:
        """Open the store for one call and close it again.

        Raises:
            IndexDamaged: What lies there is not what was written.
        """
        store = self._store(held)
        if json.loads(held.fact("seal") or "{}") != _fingerprints(store):
            raise IndexDamaged(_damage(store, "its vector files are not what was written"))
        from chromadb.api.client import Client
        from chromadb.config import Settings
        from chromadb.errors import ChromaError

        settings = Settings(
            _env_file=None,  # pyright: ignore[reportCallIssue]  # known to pydantic; else `./.env` would be read
            is_persistent=True,
            persist_directory=str(store),
            anonymized_telemetry=False,
        )
        try:
            with Client(settings=settings) as client:
                yield client.get_or_create_collection(
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
        except ChromaError as error:
            raise IndexDamaged(_damage(store, str(error))) from error


def _damage(store: Path, why: str) -> str:
    return f"The index in {str(store)!r} cannot be read: {why}. It is a cache: refreshing the base rebuilds it."


def _write(collection: ChromaCollection, entries: Sequence[Entry], vectors: Vectors) -> None:
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
