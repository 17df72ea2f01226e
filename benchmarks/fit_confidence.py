"""Fits the weights by which the embedded analyst's confidence follows from the evidence on a reading.

    python benchmarks/fit_confidence.py SUITE.jsonl... [--limit N] [--seed N] [--out assistant/embedded/weights.json]

Every reading of every question is run and compared with the gold result; a logistic regression then learns which
readings are right. Only the first hundred sources of a suite, in order of name, are used: the others are for measuring.
What is written are the weights alone. Prints, by cross-validation over sources, how many answers would be right and
wrong at several thresholds, and the expected calibration error.
"""

from __future__ import annotations

import argparse
import asyncio
import json
import random
import sys
import tempfile
from collections import defaultdict
from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import TYPE_CHECKING

import numpy as np

from assistant.data.addresses import addresses
from assistant.data.errors import QueryError
from assistant.data.opening import open_source
from assistant.data.sources import Budget, Source
from assistant.embedded.analyst import Analyst
from assistant.embedded.evidence import NAMES, evidence
from assistant.evaluation.asking import Rows, rows_of
from assistant.evaluation.judging import Judge
from assistant.evaluation.suite import Case, Suite, read_suite
from knowledge.embedding import choose_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_TUNING = 100
_READINGS_MAX = 16
_FOLDS = 5
_ROUNDS = 1200
_STEP = 1.0
_DECAY = 2e-3
_TODAY = date(2026, 11, 21)
_BUDGET = Budget(rows_max=20_000, limit_bytes=256 * 1024**2, timeout_s=2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The readings of a question: `n x len(NAMES)` evidence, and which of them are right."""

    source: str
    found: Floats
    right: NDArray[np.bool_]


@dataclass(frozen=True, slots=True, kw_only=True)
class Fit:
    """A logistic function: `weights` of the plain evidence, and `bias`."""

    weights: Floats
    bias: float

    def of(self, found: Floats) -> Floats:
        """The probability of each row."""
        return 1.0 / (1.0 + np.exp(-np.clip(found @ self.weights + self.bias, -30, 30)))


def main(argv: Sequence[str] | None = None) -> int:
    """Collect, fit, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", type=Path, nargs="+", metavar="SUITE.jsonl")
    parser.add_argument("--limit", type=int, default=0, help="how many questions of each suite to draw; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--out", type=Path, default=Path("assistant/embedded/weights.json"))
    options = parser.parse_args(argv)
    questions: list[Question] = []
    for path in options.suites:
        questions += asyncio.run(_collect(read_suite(path), options.limit, options.seed))
    _print_cross_validated(questions)
    fit = fitted(questions)
    held = {name: round(float(weight), 4) for name, weight in zip(NAMES, fit.weights, strict=True)}
    text = json.dumps({"weights": held, "bias": round(fit.bias, 4)}, indent=1)
    options.out.write_text(text + "\n", encoding="utf-8")
    return 0


async def _collect(suite: Suite, limit: int, seed: int) -> list[Question]:
    names = sorted({case.source for case in suite.cases})[:_TUNING]
    cases = [case for case in suite.cases if case.source in set(names)]
    if limit:
        cases = random.Random(seed).sample(cases, min(limit, len(cases)))
    by_source: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_source[case.source].append(case)
    found: list[Question] = []
    embed = choose_embedder().by_meaning
    with tempfile.TemporaryDirectory() as folder:
        for source in names:
            opened = await open_source(addresses(suite.address(source))[0], folder=Path(folder))
            try:
                analyst = Analyst([await opened.catalog()], (), _TODAY, embed)
                judge = Judge(opened, budget=_BUDGET)
                for case in by_source[source]:
                    found += await _judged(case, analyst, judge, opened)
            finally:
                await opened.close()
            print(f"\r{len(found):>6} of {len(cases)} questions", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


async def _judged(case: Case, analyst: Analyst, judge: Judge, source: Source) -> list[Question]:
    candidates = sorted(analyst.candidates(case.question), key=lambda c: -c.score)[:_READINGS_MAX]
    if not candidates:
        return []
    results = [await _run(source, analyst.sql(c.meaning, context=False)) for c in candidates]
    right = await judge.equals_gold(case, results)
    if right is None:
        return []
    rows = [evidence(case.question, candidates, n) for n in range(len(candidates))]
    return [Question(source=case.source, found=np.array(rows), right=np.array(right))]


async def _run(source: Source, sql: str) -> Rows | None:
    try:
        return rows_of((await source.run(sql, None, _BUDGET)).table)
    except QueryError:
        return None


def fitted(questions: Sequence[Question]) -> Fit:
    """Logistic regression by gradient descent on standardised evidence, with weight decay."""
    found = np.concatenate([q.found for q in questions])
    right = np.concatenate([q.right for q in questions]).astype(float)
    mean, spread = found.mean(axis=0), found.std(axis=0) + 1e-6
    scaled = np.clip((found - mean) / spread, -5, 5)
    weights, bias = np.zeros(scaled.shape[1]), 0.0
    for _ in range(_ROUNDS):
        gap = 1.0 / (1.0 + np.exp(-(scaled @ weights + bias))) - right
        weights -= _STEP * (scaled.T @ gap / len(right) + _DECAY * weights)
        bias -= _STEP * float(gap.mean())
    plain = weights / spread
    return Fit(weights=plain, bias=bias - float(plain @ mean))


def _print_cross_validated(questions: Sequence[Question]) -> None:
    sources = sorted({q.source for q in questions})
    random.Random(0).shuffle(sources)
    best: list[tuple[float, bool]] = []
    for n in range(_FOLDS):
        held = set(sources[n::_FOLDS])
        fit = fitted([q for q in questions if q.source not in held])
        for question in (q for q in questions if q.source in held):
            sure = fit.of(question.found)
            place = int(np.argmax(sure))
            best.append((float(sure[place]), bool(question.right[place])))
    count = len(best)
    print(f"{count} questions with a reading; the likeliest is right for {sum(r for _, r in best) / count:.1%}")
    for threshold in (0.5, 0.55, 0.6, 0.65, 0.7, 0.75):
        kept = [right for sure, right in best if sure >= threshold]
        print(f"from {threshold:.2f}: right {sum(kept) / count:.1%}, wrong {(len(kept) - sum(kept)) / count:.1%}")
    error = 0.0
    for low in range(10):
        part = [(sure, right) for sure, right in best if low <= min(sure * 10, 9.999) < low + 1]
        if part:
            error += abs(sum(sure for sure, _ in part) - sum(right for _, right in part)) / count
    print(f"expected calibration error {error:.3f}")


if __name__ == "__main__":
    sys.exit(main())
