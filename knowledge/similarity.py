"""Similarity of texts by their embeddings. The vectors of names are computed once and cached.

No model is loaded before the first comparison.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.vector_cache import VectorCache

if TYPE_CHECKING:
    from knowledge.embedding import EmbedderChoice, Vectors
    from knowledge.manifest import Vector

_CACHED_MAX = 20_000
"""Vectors in memory: 30 MB."""


class Similarity:
    """Compares texts by meaning. Several threads may share one.

    Args:
        choose: Gives the embedder; called when texts are first compared, and again only if that failed.
        folder: Where the vectors of names are kept; in memory alone where there is none.
    """

    def __init__(self, choose: Callable[[], EmbedderChoice], folder: Path | None = None) -> None:
        self._choose = choose
        self._folder = folder
        self._known: dict[str, Vector] = {}
        self._choice: EmbedderChoice | None = None

    def __call__(self, texts: Sequence[str], names: Sequence[str]) -> Vectors | None:
        """The cosines of each text with each name: `len(said) x len(names)`, float32.

        None where the embedder knows spelling alone, or is not there after all.
        """
        from knowledge.errors import EmbedderUnavailable

        try:
            choice = self._choice = self._choice or self._choose()
            if choice.by_meaning is None:
                return None
            return self._vectors(choice, texts, keep=False) @ self._vectors(choice, names, keep=True).T
        except EmbedderUnavailable:
            return None

    def _vectors(self, choice: EmbedderChoice, texts: Sequence[str], *, keep: bool) -> Vectors:
        import numpy as np

        cached = self._known
        vectors = {text: cached[text] for text in texts if text in cached}
        unknown = [text for text in dict.fromkeys(texts) if text not in vectors]
        if unknown:
            embedded = self._made(choice, unknown, keep=keep)
            vectors |= embedded
            self._known = {**(cached if len(cached) < _CACHED_MAX else {}), **embedded}
        return np.array([vectors[text] for text in texts], dtype=np.float32)

    def _made(self, choice: EmbedderChoice, texts: Sequence[str], *, keep: bool) -> dict[str, Vector]:
        cache = VectorCache(self._folder / f"vectors-{choice.embedder.name}.sqlite") if self._folder and keep else None
        hashes = {text: sha256(text.encode()).hexdigest() for text in texts}
        cached = cache.get(hashes.values()) if cache else {}
        vectors = {text: cached[hash_] for text, hash_ in hashes.items() if hash_ in cached}
        unknown = [text for text in texts if text not in vectors]
        if unknown:
            embedded = dict(zip(unknown, choice.embedder.embed(unknown), strict=True))
            if cache:
                cache.put({hashes[text]: vector for text, vector in embedded.items()})
            vectors |= embedded
        return vectors
