"""Confidence: how likely a reading is right, learned from questions whose right answers are known.

Some hundred small trees look at the evidence, and what they say is added up. A tree is symmetric: it asks each reading
the same few questions ("is this piece of evidence above that number?"), and the answers, read as binary digits, are a
place in its table. The trees in `trees.json` were fitted on the tuning databases alone (`benchmarks/embedded.py` says
which those are) and hold no data of theirs; `benchmarks/fit_confidence.py` fits them.
"""

from __future__ import annotations

import json
from dataclasses import dataclass
from functools import lru_cache
from importlib.resources import files
from typing import TYPE_CHECKING

import numpy as np

from assistant.embedded.reading.evidence import NAMES

if TYPE_CHECKING:
    from collections.abc import Sequence

    from numpy.typing import NDArray

ANSWERED = 0.68
"""From this confidence on a reading is proposed."""
OFFERED = 0.12
"""From this confidence on a reading is offered to choose from."""


@dataclass(frozen=True, slots=True)
class _Trees:
    """`n` trees of one depth `d`: which evidence each split looks at (`n x d`), above what (`n x d`), and the tables.

    `leaves` is `n x 2**d`; `bias` is the logit that the trees add to.
    """

    asked: NDArray[np.int64]
    thresholds: NDArray[np.float64]
    leaves: NDArray[np.float64]
    bias: float


def confidences(evidence: Sequence[Sequence[float]]) -> list[float]:
    """The probability, 0 to 1, that each reading is right, from the evidence on each."""
    if not evidence:
        return []
    trees = _trees()
    count, depth = trees.asked.shape
    answers = np.asarray(evidence, dtype=float)[:, trees.asked] > trees.thresholds
    places = answers @ (1 << np.arange(depth)[::-1])
    total = trees.bias + trees.leaves[np.arange(count), places].sum(axis=1)
    return [float(sure) for sure in 1.0 / (1.0 + np.exp(-total))]


@lru_cache(maxsize=1)
def _trees() -> _Trees:
    held = json.loads(files("assistant.embedded.reading").joinpath("trees.json").read_text(encoding="utf-8"))
    at = {name: place for place, name in enumerate(NAMES)}
    return _Trees(
        asked=np.array([[at[name] for name, _ in splits] for splits, _ in held["trees"]]),
        thresholds=np.array([[above for _, above in splits] for splits, _ in held["trees"]]),
        leaves=np.array([leaves for _, leaves in held["trees"]]),
        bias=float(held["bias"]),
    )
