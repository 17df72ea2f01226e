"""Words that nothing links, by the words of names that lie near them in meaning: "payroll" of salaries.

What lies near is told by whoever makes the analyst; where nobody can tell, nothing is near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from assistant.analyst.linking.tokens import Word
from assistant.analyst.parts import Part

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

Cosines: TypeAlias = "NDArray[np.float32]"
Alike: TypeAlias = "Callable[[Sequence[str], Sequence[str]], Cosines | None]"
"""Gives the likeness in meaning of each of some texts to each of some names, -1 to 1; None where it cannot be told."""
Near = Mapping[str, Mapping[str, float]]
"""Words of a question to the words of names near them, and how near, 0 to 1."""
UNKNOWN: Near = {}
"""Where no word is near another, or nobody tells."""

NEAREST = 0.5
"""How near a word must be: below, words of the learning databases were as often near by chance."""
_AS_NEAR = 0.1
_POOR = 0.6
"""A word whose best link is less sure than this may mean something else."""
_CHARS_MIN = 4


def unlinked(words: Sequence[Word], costs: Sequence[float], found: Iterable[Part]) -> frozenset[int]:
    """Where the words of content are that nothing stands for but poorly."""
    best = [0.0] * len(words)
    for part in found:
        for at in range(part.start, part.end) if part.category != "string" else ():
            best[at] = max(best[at], part.score)
    return frozenset(
        at
        for at, word in enumerate(words)
        if costs[at] >= 1
        and best[at] < _POOR
        and not word.quoted
        and word.lower.isalpha()
        and len(word.lower) >= _CHARS_MIN
    )


def near(said: Sequence[str], names: Sequence[str], alike: Alike) -> Near:
    """For each word the words of names that are nearest to it."""
    cosines = alike(said, names) if said and names else None
    if cosines is None:
        return {}
    found: dict[str, dict[str, float]] = {}
    for word, row in zip(said, cosines.tolist(), strict=True):
        least = max(NEAREST, max(row) - _AS_NEAR)
        found[word] = {name: score for name, score in zip(names, row, strict=True) if score >= least}
    return found
