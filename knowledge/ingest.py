"""Updates an index from documents, by content hash: unchanged documents cost nothing."""

from __future__ import annotations

from collections.abc import Callable, Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from knowledge.documents import Document
from knowledge.index import Index
from knowledge.manifest import IndexEntry

if TYPE_CHECKING:
    from knowledge.embedding import Vectors


_PIECE = 500
"""So many documents are embedded and written at a time."""


@dataclass(frozen=True, slots=True, kw_only=True)
class SyncReport:
    """What a synchronisation changed, as ids in order.

    Attributes:
        added: Documents the index did not hold.
        updated: Documents that say something else than before.
        removed: Documents that vanished.
        unchanged: How many were left alone.
        rebuilt: Why the index had to be made anew first; None when it was sound.
    """

    added: tuple[str, ...] = ()
    updated: tuple[str, ...] = ()
    removed: tuple[str, ...] = ()
    unchanged: int = 0
    rebuilt: str | None = None

    @property
    def is_change(self) -> bool:
        """Whether anything was written."""
        return bool(self.added or self.updated or self.removed)


@dataclass(frozen=True, slots=True, kw_only=True)
class IndexChange:
    """What an index must do to hold some documents.

    Attributes:
        report: What that changes.
        documents: The documents that are new or say something else.
        removed: Ids that go.
    """

    report: SyncReport
    documents: tuple[Document, ...]
    removed: tuple[str, ...]


def change_of(documents: Iterable[Document], index: Index, *, scopes: Collection[str] = ()) -> IndexChange:
    """What must change for an index to hold these documents and, within their scopes, no others. Writes nothing.

    Documents of scopes that are not touched stay: another process may be looking at other sources through the same
    index.

    Args:
        documents: All documents of their scopes, each id once.
        index: What to bring up to date.
        scopes: Further scopes of which nothing is left.

    Raises:
        IndexUnusable: The index cannot be read.
    """
    target = {entry.id: (entry, document) for document in documents for entry in [entry_of(document)]}
    indexed = index.entries({"knowledge", *scopes, *(entry.scope for entry, _ in target.values())})
    removed = tuple(sorted(indexed.keys() - target.keys()))
    changed = [
        (entry, doc) for id_, (entry, doc) in sorted(target.items()) if id_ not in indexed or indexed[id_] != entry
    ]
    report = SyncReport(
        added=tuple(entry.id for entry, _ in changed if entry.id not in indexed),
        updated=tuple(entry.id for entry, _ in changed if entry.id in indexed),
        removed=removed,
        unchanged=len(target) - len(changed),
    )
    return IndexChange(report=report, documents=tuple(document for _, document in changed), removed=removed)


def apply_change(
    change: IndexChange,
    index: Index,
    *,
    on_progress: Callable[[int], None] | None = None,
    stop: Callable[[], bool] | None = None,
) -> None:
    """Make an index hold what a change says, piece by piece: what is done stays done if this ends early.

    Args:
        change: From `change_of`; carried out once.
        index: The same index.
        on_progress: Called with how many of the change's documents are in the index, after each piece.
        stop: Asked before each piece whether to leave the rest.

    Raises:
        IndexUnusable: The index cannot be written.
        EmbedderUnavailable: The embedder cannot be loaded.
    """
    if change.removed:
        index.delete(change.removed)
    # Texts of like length together: little is padded, and a piece is as quick as it can be.
    ordered = sorted(change.documents, key=lambda document: len(document.text))
    for at in range(0, len(ordered), _PIECE):
        if stop is not None and stop():
            return
        piece = [(entry_of(document), document) for document in ordered[at : at + _PIECE]]
        index.upsert([entry for entry, _ in piece], _vectors(piece, index))
        if on_progress is not None:
            on_progress(at + len(piece))


def sync(documents: Iterable[Document], index: Index, *, scopes: Collection[str] = ()) -> SyncReport:
    """Make the index hold these documents and, within their scopes, no others; see `change_of`.

    Running it twice changes nothing the second time.

    Raises:
        IndexUnusable: The index cannot be read or written.
        EmbedderUnavailable: The embedder cannot be loaded.
    """
    change = change_of(documents, index, scopes=scopes)
    apply_change(change, index)
    return change.report


def entry_of(document: Document) -> IndexEntry:
    """Describe a document as an index keeps it."""
    text_hash = _hash(document.text)
    return IndexEntry(
        id=document.id,
        scope=document.scope,
        kind=document.kind,
        source=document.source or "",
        content_hash=_hash(f"{document!r}\n{text_hash}"),  # a dataclass's repr holds every field
        text_hash=text_hash,
    )


def _vectors(changed: Sequence[tuple[IndexEntry, Document]], index: Index) -> Vectors:
    """One row for each changed document; a text that was embedded before, for any index, is not embedded again."""
    import numpy as np

    vectors = index.known_vectors({entry.text_hash for entry, _ in changed})
    unknown = {e.text_hash: document.text for e, document in changed if e.text_hash not in vectors}
    if unknown:
        fresh = dict(zip(unknown, index.embedder.embed(list(unknown.values())), strict=True))
        index.remember(fresh)
        vectors |= fresh
    rows = [vectors[entry.text_hash] for entry, _ in changed]
    return np.array(rows, dtype=np.float32).reshape(len(rows), index.embedder.dim)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
