"""Embedders: text to vectors, so that texts of similar meaning have similar vectors.

`MiniLM` is the published all-MiniLM-L6-v2, run here with numpy; `Hashing` needs no model. Neither uses the network. A
hosted endpoint can be another `Embedder`; none is built in.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from hashlib import blake2b
from typing import TYPE_CHECKING, Literal, Protocol

from knowledge.errors import EmbedderUnavailable
from knowledge.lexical import tokens

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

    Vectors = NDArray[np.float32]

EmbedderName = Literal["auto", "minilm", "hashing"]


class Embedder(Protocol):
    """Turns texts into vectors whose dot product is their similarity."""

    @property
    def name(self) -> str:
        """What tells its vectors from another embedder's: lower-case letters, digits and hyphens."""
        ...

    @property
    def dim(self) -> int:
        """The length of a vector."""
        ...

    @property
    def similarity_min(self) -> float:
        """The cosine below which two texts have nothing to do with each other."""
        ...

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: `n_docs x dim`, float32, unit norm, each row independent of the others.

        Safe to call from several threads.

        Raises:
            EmbedderUnavailable: The embedder's files cannot be loaded.
        """
        ...


class Hashing:
    """Signed feature hashing of stemmed words and of their trigrams: likeness of spelling, not of meaning.

    Source: Weinberger et al., Feature Hashing for Large Scale Multitask Learning, ICML 2009.
    """

    name = "hashing-512"
    dim = 512
    similarity_min = 0.2

    def embed(self, texts: Sequence[str]) -> Vectors:
        """Embed texts: `n_docs x 512`, float32, unit norm; the same everywhere and always."""
        import numpy as np

        vectors = np.zeros((len(texts), self.dim), dtype=np.float32)
        for row, text in enumerate(texts):
            for feature, weight in _features(text):
                digest = int.from_bytes(blake2b(feature.encode(), digest_size=8).digest(), "little")
                vectors[row, digest % self.dim] += weight if digest >> 63 else -weight
            norm = float(np.linalg.norm(vectors[row]))
            if (
                norm == 0.0
            ):  # nothing but stop words in it: any fixed direction will do, and keeps the promise of unit norm
                vectors[row, 0] = norm = 1.0
            vectors[row] /= norm
        return vectors


def _features(text: str) -> list[tuple[str, float]]:
    # A whole word says more than each of its trigrams; together the trigrams of a word weigh about as much.
    features: list[tuple[str, float]] = []
    for word in tokens(text):
        features.append((word, 1.0))
        padded = f"<{word}>"
        grams = [padded[at : at + 3] for at in range(len(padded) - 2)]
        features += [(gram, 1.0 / len(grams) ** 0.5) for gram in grams]
    return features


@dataclass(frozen=True, slots=True, kw_only=True)
class EmbedderChoice:
    """The embedder that was chosen, and why, for people to read."""

    embedder: Embedder
    reason: str

    @property
    def by_meaning(self) -> Callable[[Sequence[str]], Vectors] | None:
        """Embeds by meaning; None where the embedder knows spelling alone."""
        return None if isinstance(self.embedder, Hashing) else self.embedder.embed


def choose_embedder(requested: EmbedderName = "auto") -> EmbedderChoice:
    """Choose MiniLM where its published weights are installed, and hashing where they are not.

    Raises:
        EmbedderUnavailable: `minilm` was asked for by name, and it is absent or not the published one.
    """
    from knowledge.minilm import MiniLM

    if requested == "hashing":
        return EmbedderChoice(embedder=Hashing(), reason="hashing was asked for: likeness of spelling, not of meaning")
    try:
        return EmbedderChoice(
            embedder=MiniLM.installed(), reason="all-MiniLM-L6-v2 is installed and is the published one"
        )
    except EmbedderUnavailable as error:
        if requested == "minilm":
            raise
        return EmbedderChoice(
            embedder=Hashing(), reason=f"{error} Until then likeness of spelling is used, not of meaning."
        )
