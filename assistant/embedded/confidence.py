"""Confidence: how likely a reading is right, learned from questions whose right answers are known.

A logistic function of the evidence. The weights in `weights.json` were fitted on the tuning databases alone
(`benchmarks/embedded.py` says which those are) and hold no data of theirs; `benchmarks/fit_confidence.py` fits them.
"""

from __future__ import annotations

import json
import math
from functools import lru_cache
from importlib.resources import files

from assistant.embedded.evidence import NAMES

ANSWERED = 0.6
"""From this confidence on a reading is proposed."""
OFFERED = 0.12
"""From this confidence on a reading is offered to choose from."""


def confidence(evidence: tuple[float, ...]) -> float:
    """The probability, 0 to 1, that the reading with this evidence is right."""
    weights, bias = _weights()
    total = bias + sum(weight * value for weight, value in zip(weights, evidence, strict=True))
    return 1.0 / (1.0 + math.exp(-max(-30.0, min(30.0, total))))


@lru_cache(maxsize=1)
def _weights() -> tuple[tuple[float, ...], float]:
    held = json.loads(files("assistant.embedded").joinpath("weights.json").read_text(encoding="utf-8"))
    return tuple(float(held["weights"].get(name, 0.0)) for name in NAMES), float(held["bias"])
