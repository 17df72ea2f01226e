"""Fits the trees by which the embedded analyst's confidence follows from the evidence on a reading.

    python benchmarks/fit_confidence.py SUITE.jsonl... [--limit N] [--seed N] [--mean OLDER.json] [--out TREES.json]

Every reading of every question is run and compared with the gold result; boosted trees then learn which readings are
right. Beside the suites' questions, two dozen short ones are made up for each source of the first suite
(`businesslike`): people at work ask so, and suites do not. Only the first hundred sources of a suite, in order of name,
are used: the others are for measuring. What is written are the trees alone, scaled to be true on the databases of
`made_up` for measuring, which no rule of the analyst was made on; with `--mean`, the mean of these and of trees that were
fitted before. Prints, by cross-validation over sources, how many answers would be right and wrong at several thresholds,
and the expected calibration error.
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
from concurrent.futures import ProcessPoolExecutor
from dataclasses import dataclass
from datetime import date
from functools import partial
from pathlib import Path
from typing import TYPE_CHECKING

import businesslike
import made_up
import numpy as np
from boosting import Model, Tree, boosted, scale

from assistant.data.addresses import addresses
from assistant.data.errors import QueryError
from assistant.data.opening import open_source
from assistant.data.sources import Source
from assistant.data.values import Budget
from assistant.embedded.analyst import Analyst
from assistant.embedded.reading.evidence import NAMES, evidence
from assistant.embedded.source.understanding import understand
from assistant.evaluation.asking import Rows, rows_of
from assistant.evaluation.judging import Judge
from assistant.evaluation.suite import Case, Suite, read_suite
from knowledge.embedding import choose_embedder

if TYPE_CHECKING:
    from numpy.typing import NDArray

    Floats = NDArray[np.float64]

_TUNING = 100
_READINGS_MAX = 16
_MADE = 24
_FOLDS = 5
_TODAY = date(2026, 11, 22)
_BUDGET = Budget(rows_max=20_000, limit_bytes=256 * 1024**2, timeout_s=2.0)


@dataclass(frozen=True, slots=True, kw_only=True)
class Question:
    """The readings of a question: `n x len(NAMES)` evidence, and which of them are right."""

    source: str
    found: Floats
    right: NDArray[np.bool_]


def main(argv: Sequence[str] | None = None) -> int:
    """Collect, fit, print and write."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("suites", type=Path, nargs="+", metavar="SUITE.jsonl")
    parser.add_argument("--limit", type=int, default=0, help="how many questions of each suite to draw; 0 for all")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--mean", type=Path, help="trees fitted before, whose log odds are averaged with the new ones")
    parser.add_argument("--out", type=Path, default=Path("assistant/embedded/reading/trees.json"))
    options = parser.parse_args(argv)
    questions: list[Question] = []
    for n, path in enumerate(options.suites):
        made = 0 if n else _MADE
        questions += _collect(read_suite(path), options.limit, options.seed, made)
    _print_cross_validated(questions)
    model = fitted(questions)
    with tempfile.TemporaryDirectory() as folder:
        unseen = _collect(read_suite(made_up.build(Path(folder), "measuring")), 0, options.seed, 0)
    model = model.scaled(*_scale(model, unseen))
    if options.mean:
        model = model.mean(_held(options.mean))
    options.out.write_text(_written(model), encoding="utf-8")
    return 0


def _collect(suite: Suite, limit: int, seed: int, made_up: int) -> list[Question]:
    """The judged questions of a suite's first sources, which are read side by side."""
    names = sorted({case.source for case in suite.cases})[:_TUNING]
    cases = [case for case in suite.cases if case.source in set(names)]
    if limit:
        cases = random.Random(seed).sample(cases, min(limit, len(cases)))
    by_source: dict[str, list[Case]] = defaultdict(list)
    for case in cases:
        by_source[case.source].append(case)
    found: list[Question] = []
    with ProcessPoolExecutor() as pool:
        ask = partial(_of_source, suite=suite, made_up=made_up, seed=seed)
        for questions in pool.map(ask, names, [by_source[name] for name in names]):
            found += questions
            print(f"\r{len(found):>6} questions", end="", file=sys.stderr)
    print(file=sys.stderr)
    return found


def _of_source(name: str, cases: Sequence[Case], *, suite: Suite, made_up: int, seed: int) -> list[Question]:
    with tempfile.TemporaryDirectory() as folder:
        return asyncio.run(_read(name, cases, suite, made_up, seed, Path(folder)))


async def _read(
    name: str, cases: Sequence[Case], suite: Suite, made_up: int, seed: int, folder: Path
) -> list[Question]:
    """A source's questions, and those made up for it."""
    opened = await open_source(addresses(suite.address(name))[0], folder=folder)
    try:
        catalog = await opened.catalog()
        analyst = Analyst([catalog], (), _TODAY, choose_embedder().by_meaning)
        judge = Judge(opened, budget=_BUDGET)
        made = businesslike.questions(understand(catalog), name, made_up, seed)
        return [question for case in (*cases, *made) for question in await _judged(case, analyst, judge, opened)]
    finally:
        await opened.close()


async def _judged(case: Case, analyst: Analyst, judge: Judge, source: Source) -> list[Question]:
    candidates = sorted(analyst.candidates(case.question), key=lambda c: -c.score)[:_READINGS_MAX]
    results = [await _run(source, analyst.sql(c.meaning, context=False)) for c in candidates]
    right = await judge.equals_gold(case, results)
    if right is None:
        return []
    rows = [evidence(case.question, candidates, n) for n in range(len(candidates))]
    found = np.array(rows, dtype=float).reshape(len(rows), len(NAMES))
    return [Question(source=case.source, found=found, right=np.array(right, dtype=bool))]


async def _run(source: Source, sql: str) -> Rows | None:
    try:
        return rows_of((await source.run(sql, None, _BUDGET)).table)
    except QueryError:
        return None


def fitted(questions: Sequence[Question]) -> Model:
    """Trees that tell right readings from wrong ones."""
    found = np.concatenate([q.found for q in questions])
    return boosted(found, np.concatenate([q.right for q in questions]).astype(float))


def _scale(model: Model, unseen: Sequence[Question]) -> tuple[float, float]:
    """How far to trust what was fitted on sources that the analyst's rules were made on, for sources they were not."""
    asked = [question for question in unseen if len(question.right)]
    found = [model.logits(question.found) for question in asked]
    likeliest = [int(np.argmax(logits)) for logits in found]
    right = [float(question.right[at]) for question, at in zip(asked, likeliest, strict=True)]
    return scale(np.array([logits[at] for logits, at in zip(found, likeliest, strict=True)]), np.array(right))


def _held(path: Path) -> Model:
    """The model that a file of trees holds."""
    held = json.loads(path.read_text(encoding="utf-8"))
    trees = [
        Tree(splits=tuple((NAMES.index(name), above) for name, above in splits), leaves=np.array(leaves))
        for splits, leaves in held["trees"]
    ]
    return Model(trees=tuple(trees), bias=held["bias"])


def _written(model: Model) -> str:
    """The JSON that `assistant/embedded/confidence.py` reads, a tree to a line."""
    lines = [
        json.dumps([[[NAMES[n], round(above, 4)] for n, above in t.splits], [round(float(x), 4) for x in t.leaves]])
        for t in model.trees
    ]
    return '{"bias": ' + f"{model.bias:.4f}" + ', "trees": [\n' + ",\n".join(lines) + "\n]}\n"


def _print_cross_validated(questions: Sequence[Question]) -> None:
    sources = sorted({q.source for q in questions})
    random.Random(0).shuffle(sources)
    best: list[tuple[float, bool]] = []
    for n in range(_FOLDS):
        held = set(sources[n::_FOLDS])
        fit = fitted([q for q in questions if q.source not in held])
        for question in (q for q in questions if q.source in held):
            sure = fit.of(question.found)
            place = int(np.argmax(sure)) if len(sure) else None
            best.append((0.0, False) if place is None else (float(sure[place]), bool(question.right[place])))
    count = len(best)
    print(f"{count} questions; the likeliest reading is right for {sum(r for _, r in best) / count:.1%}")
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
