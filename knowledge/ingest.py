"""Bringing an index up to date with documents: by content hash, so that what did not change costs nothing."""

from __future__ import annotations

from collections.abc import Collection, Iterable, Sequence
from dataclasses import dataclass
from hashlib import sha256
from typing import TYPE_CHECKING

from knowledge.documents import Document
from knowledge.index import Index
from knowledge.manifest import Entry

if TYPE_CHECKING:
    from knowledge.embedding import Vectors


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


def sync(documents: Iterable[Document], index: Index, *, scopes: Collection[str] = ()) -> SyncReport:
    """Make the index hold these documents and, within their scopes, no others.

    Running it twice changes nothing the second time. Documents of scopes that are not touched stay: another
    process may be looking at other sources through the same index.

    Args:
        documents: All documents of their scopes, each id once.
        index: What to bring up to date.
        scopes: Further scopes of which nothing is left.

    Raises:
        IndexUnusable: The index cannot be read or written.
        EmbedderUnavailable: The embedder cannot be loaded.
    """
    wanted = {entry.id: (entry, document) for document in documents for entry in [entry_of(document)]}
    held = index.entries({"knowledge", *scopes, *(entry.scope for entry, _ in wanted.values())})
    removed = sorted(held.keys() - wanted.keys())
    changed = [
        (entry, document) for id_, (entry, document) in sorted(wanted.items()) if id_ not in held or held[id_] != entry
    ]
    if changed or removed:
        index.apply(entries=[entry for entry, _ in changed], vectors=_vectors(changed, index), delete=removed)
    return SyncReport(
        added=tuple(entry.id for entry, _ in changed if entry.id not in held),
        updated=tuple(entry.id for entry, _ in changed if entry.id in held),
        removed=tuple(removed),
        unchanged=len(wanted) - len(changed),
    )


def entry_of(document: Document) -> Entry:
    """Describe a document as an index keeps it."""
    text_hash = _hash(document.text)
    return Entry(
        id=document.id,
        scope=document.scope,
        kind=document.kind,
        source=document.source or "",
        content_hash=_hash(f"{document!r}\n{text_hash}"),  # a dataclass's repr holds every field
        text_hash=text_hash,
    )


def _vectors(changed: Sequence[tuple[Entry, Document]], index: Index) -> Vectors:
    """One row for each changed document; a text that was embedded before is not embedded again."""
    import numpy as np

    known = index.known_vectors({entry.text_hash for entry, _ in changed})
    unknown = {e.text_hash: document.text for e, document in changed if e.text_hash not in known}
    fresh = index.embedder.embed(list(unknown.values()))
    known |= dict(zip(unknown, fresh, strict=True))
    rows = [known[entry.text_hash] for entry, _ in changed]
    return np.array(rows, dtype=np.float32).reshape(len(rows), index.embedder.dim)


def _hash(text: str) -> str:
    return sha256(text.encode("utf-8", "surrogatepass")).hexdigest()
