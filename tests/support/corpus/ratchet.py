"""The figures that reading may not fall behind, as `benchmarks/reading.py --write` stores them."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path

from corpus.scoring import OUTCOMES, Outcome

FIGURES = Path(__file__).parents[2] / "assistant" / "sources" / "reading" / "corpus.json"


def figures_of(counts: Mapping[Outcome, int]) -> dict[str, int]:
    """All outcomes, those that did not occur as well."""
    return {outcome: counts.get(outcome, 0) for outcome in OUTCOMES}


def losses(counts: Mapping[Outcome, int], kept: Mapping[str, int]) -> list[str]:
    """What is worse than it was: fewer exact, fewer right, fewer exact or doubted, more silent, more failed."""
    now = figures_of(counts)
    measures: dict[str, tuple[tuple[Outcome, ...], int]] = {
        "exact": (("exact",), 1),
        "right": (("exact", "untold"), 1),
        "exact or doubted": (("exact", "doubted"), 1),
        "silent": (("silent",), -1),
        "refused or failed": (("refused", "failed"), -1),
    }
    lost: list[str] = []
    for name, (outcomes, sign) in measures.items():
        before, after = (sum(figures[outcome] for outcome in outcomes) for figures in (kept, now))
        if sign * after < sign * before:
            lost.append(f"{name}: {after}, {before} before")
    return lost
