"""How alike texts are in meaning, for whoever looks for a name: the vectors of names are made once and kept.

Nothing is loaded before two texts are compared.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from hashlib import sha256
from pathlib import Path
from typing import TYPE_CHECKING

from knowledge.vector_cache import VectorCache

if TYPE_CHECKING:
    from knowledge.embedding import Choice, Vectors
    from knowledge.manifest import Vector

_KEPT = 20_000
"""Vectors in memory: 30 MB."""


class Similarity:
    """Compares texts by meaning. Several threads may share one.

    Args:
        choose: Gives the embedder; called when texts are first compared, and again only if that failed.
        folder: Where the vectors of names are kept; in memory alone where there is none.
    """

    def __init__(self, choose: Callable[[], Choice], folder: Path | None = None) -> None:
        self._choose = choose
        self._folder = folder
        self._known: dict[str, Vector] = {}
        self._choice: Choice | None = None

    def __call__(self, said: Sequence[str], names: Sequence[str]) -> Vectors | None:
        """The cosines of each text with each name: `len(said) x len(names)`, float32.

        None where the embedder knows spelling alone, or is not there after all.
        """
        from knowledge.errors import EmbedderUnavailable

        try:
            choice = self._choice = self._choice or self._choose()
            if choice.by_meaning is None:
                return None
            return self._vectors(choice, said, keep=False) @ self._vectors(choice, names, keep=True).T
        except EmbedderUnavailable:
            return None

    def _vectors(self, choice: Choice, texts: Sequence[str], *, keep: bool) -> Vectors:
        import numpy as np

        known = self._known
        found = {text: known[text] for text in texts if text in known}
        missing = [text for text in dict.fromkeys(texts) if text not in found]
        if missing:
            made = self._made(choice, missing, keep=keep)
            found |= made
            self._known = {**(known if len(known) < _KEPT else {}), **made}
        return np.array([found[text] for text in texts], dtype=np.float32)

    def _made(self, choice: Choice, texts: Sequence[str], *, keep: bool) -> dict[str, Vector]:
        cache = VectorCache(self._folder / f"vectors-{choice.embedder.name}.sqlite") if self._folder and keep else None
        hashes = {text: sha256(text.encode()).hexdigest() for text in texts}
        kept = cache.get(hashes.values()) if cache else {}
        found = {text: kept[hash_] for text, hash_ in hashes.items() if hash_ in kept}
        missing = [text for text in texts if text not in found]
        if missing:
            made = dict(zip(missing, choice.embedder.embed(missing), strict=True))
            if cache:
                cache.put({hashes[text]: vector for text, vector in made.items()})
            found |= made
        return found
