"""Words that nothing links, by names and values that lie near them in meaning: "payroll" of salaries, "swiss" of lands.

What lies near is told by whoever makes the analyst; where nobody can tell, nothing is near.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from typing import TYPE_CHECKING, TypeAlias

from assistant.analyst.algebra import Column
from assistant.analyst.linking.tokens import Word
from assistant.analyst.names import lemma, words_of
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
_VALUE_NEAREST = 0.6
"""How near a value must be: "japanese" lies 0.72 from "Japan", "company" 0.41 from the next country."""
_VALUE_AHEAD = 0.1
"""How much nearer than the other values of its column: a word as near to two of them tells nothing."""


def unlinked(words: Sequence[Word], costs: Sequence[float], parts: Iterable[Part]) -> frozenset[int]:
    """Where the words of content are that nothing stands for but poorly."""
    best = [0.0] * len(words)
    for part in parts:
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


def near(texts: Sequence[str], names: Sequence[str], alike: Alike) -> Near:
    """For each word the words of names that are nearest to it."""
    cosines = alike(texts, names) if texts and names else None
    if cosines is None:
        return {}
    neighbours: dict[str, dict[str, float]] = {}
    for word, row in zip(texts, cosines.tolist(), strict=True):
        least = max(NEAREST, max(row) - _AS_NEAR)
        neighbours[word] = {name: score for name, score in zip(names, row, strict=True) if score >= least}
    return neighbours


def values_near(
    texts: Sequence[str], values_of: Mapping[Column, Sequence[str]], alike: Alike
) -> Iterator[tuple[str, Column, str, float]]:
    """Each word with the value of each column that it lies near to, and how near."""
    every = list(dict.fromkeys(value for values in values_of.values() for value in values))
    cosines = alike(texts, [value.lower() for value in every]) if texts and every else None
    if cosines is None:
        return
    for word, row in zip(texts, cosines.tolist(), strict=True):
        nearness = dict(zip(every, row, strict=True))
        for column, values in values_of.items():
            first, *runners_up = sorted(values, key=lambda value: -nearness[value])
            lead = nearness[first] - max((nearness[value] for value in runners_up), default=0.0)
            is_part = lemma(word) in words_of(first)[1:]  # "companies" are no "Trading companies"
            if nearness[first] >= _VALUE_NEAREST and lead >= _VALUE_AHEAD and not is_part:
                yield word, column, first, nearness[first]
