"""Learns the new analyst's weights, or prints how its readings fare: right, wrong, asked, declined, first, among ten.

    python benchmarks/rank_analyst.py learn SUITE.jsonl[:N[:DATASET,...]] ... [--composed N] [--misplaced N] [--sample]
    python benchmarks/rank_analyst.py measure SUITE.jsonl[:N[:DATASET,...]] ... [--failures]

`N` is how many questions to draw (0: all). Sources whose name hashes to the held-out fifth are never learned from and
alone measured, unless datasets are listed. `--composed` adds questions made from the algebra, on the databases that
may be learned on; `--misplaced` adds questions asked of the wrong database, so that confidence knows what cannot be
answered. `--failures` lists what was not answered right: only for databases that may be learned from.
"""

from __future__ import annotations

import argparse
import hashlib
import json
import sys
from collections.abc import Iterator, Sequence
from dataclasses import replace
from datetime import UTC, datetime
from pathlib import Path

ROOT = Path(__file__).parents[1]
sys.path[:0] = [str(ROOT / "tests" / "support"), str(ROOT / "benchmarks")]

from analyst_cases import Judged, Option, composed, drawn, judged, misplaced, sampled  # noqa: E402

from assistant.analyst.ranking import RUN_MAX, Features, Weights, probability, trust_features, weighed, weights  # noqa: E402

WEIGHTS = ROOT / "assistant" / "analyst" / "weights.json"
START = Weights(rank={"chart": 1.0, "unread": -0.6}, trust={}, answer=0.7, ask=0.3)
WRONG_MAX = 0.055
"""The part of all questions that may be answered wrong; the threshold of answering follows from it."""
RANK_L2 = 10.0
"""How much large weights of readings cost: features that say the same must share it."""
TRUST_C = 0.02
"""Small: confidence must hold on databases that are unlike those it was learned on."""
NEWCOMERS = 4.0
"""How much more a question counts that was typed by a newcomer than one made up for a suite."""


# --- order ---


def fit_rank(data: Sequence[Judged]) -> dict[str, float]:
    """Weights under which right readings come first: a log-linear model over the readings of each question."""
    import numpy as np
    from scipy.optimize import minimize
    from sklearn.feature_extraction import DictVectorizer

    kept = [case for case in data if any(o.right for o in case.options) and not all(o.right for o in case.options)]
    vectorizer = DictVectorizer(sparse=False)
    x = vectorizer.fit_transform([option.features for case in kept for option in case.options])
    scale = np.maximum(x.std(axis=0), 0.05)
    x = x / scale
    ends = np.cumsum([len(case.options) for case in kept])[:-1]
    right = np.array([option.right for case in kept for option in case.options])
    weight = np.array([_weight(case) for case in kept])
    starts = np.concatenate([[0], ends])
    sizes = np.diff([*starts, len(right)])

    def loss(w):  # type: ignore[no-untyped-def]
        z = x @ w
        z = z - np.repeat(np.maximum.reduceat(z, starts), sizes)
        e = np.exp(z)
        total, good = np.add.reduceat(e, starts), np.add.reduceat(e * right, starts) + 1e-12
        value = np.sum(weight * (np.log(total) - np.log(good))) + 0.5 * RANK_L2 * np.sum(w * w)
        p = e / np.repeat(total, sizes) - e * right / np.repeat(good, sizes)
        return value, x.T @ (p * np.repeat(weight, sizes)) + RANK_L2 * w

    found = minimize(loss, np.zeros(x.shape[1]), jac=True, method="L-BFGS-B", options={"maxiter": 300})
    names = vectorizer.get_feature_names_out()
    return {str(n): round(float(w), 4) for n, w in zip(names, found.x / scale, strict=True) if abs(w) > 1e-4}


def _weight(case: Judged) -> float:
    return NEWCOMERS if case.case.suite in ("newcomer", "sample") else 1.0


def ranked(case: Judged, rank: dict[str, float]) -> Judged:
    """A question with its readings in the order of some weights."""
    scored = (replace(option, score=weighed(option.features, rank)) for option in case.options)
    return replace(case, options=tuple(sorted(scored, key=lambda option: -option.score)))


# --- confidence ---


def _half(case: Judged) -> int:
    return hashlib.sha256(str(case.case.source).encode()).digest()[1] % 2


def trusted(case: Judged) -> Features:
    """The features of confidence of a question whose readings are in order."""
    ran = [option for option in case.options[:RUN_MAX] if option.result is not None] or case.options[:1]
    return trust_features([(o.score, o.features) for o in ran], [o.result for o in ran if o.result is not None])


def fit_trust(data: Sequence[Judged]) -> dict[str, float]:
    """Weights of confidence: a logistic regression on whether the first reading is right."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.preprocessing import StandardScaler

    kept = [case for case in data if case.options]
    vectorizer = DictVectorizer(sparse=False)
    x = vectorizer.fit_transform([trusted(case) for case in kept])
    names = list(vectorizer.get_feature_names_out())
    scaler = StandardScaler().fit(x)
    model = LogisticRegression(C=TRUST_C, max_iter=5000)
    right = [case.options[0].right for case in kept]
    model.fit(scaler.transform(x), right, sample_weight=[_weight(case) for case in kept])
    plain = model.coef_[0] / scaler.scale_
    found = {str(n): float(w) for n, w in zip(names, plain, strict=True)}
    found["bias"] = float(model.intercept_[0] - plain @ scaler.mean_)
    return {name: round(weight, 4) for name, weight in found.items()}


def sure(case: Judged, trust: dict[str, float]) -> float:
    """How sure the first reading is."""
    return probability(weighed(trusted(case), trust)) if case.options else 0.0


def threshold(found: Sequence[tuple[float, bool, float]], *, wrong_max: float) -> float:
    """The least confidence at which at most this part of all questions, by weight, is answered wrong."""
    total, wrong, last = sum(weight for *_, weight in found), 0.0, 0.99
    for confidence, ok, weight in sorted(found, reverse=True):
        wrong += weight * (not ok)
        if wrong > wrong_max * total:
            break
        last = confidence
    return round(last, 3)


def learn(data: list[Judged], names: Sequence[str]) -> dict[str, object]:
    """All weights. Confidence is learned on readings that are ranked by weights that never saw their database."""
    rank = fit_rank(data)
    halves = [fit_rank([case for case in data if _half(case) != half]) for half in (0, 1)]
    unseen = [ranked(case, halves[_half(case)]) for case in data]
    trusts = [fit_trust([case for case in unseen if _half(case) != half]) for half in (0, 1)]
    found = [
        (sure(case, trusts[_half(case)]), bool(case.options) and case.options[0].right, _weight(case))
        for case in unseen
    ]
    return {
        "learned": datetime.now(UTC).date().isoformat(),
        "data": list(names),
        "questions": len(data),
        "first reading right, other half's weights": round(sum(ok for _, ok, _ in found) / len(found), 3),
        "answer": threshold(found, wrong_max=WRONG_MAX),
        "ask": threshold(found, wrong_max=0.35),
        "rank": rank,
        "trust": fit_trust(unseen),
    }


# --- figures ---


def outcome(case: Judged, by: Weights) -> str:
    """What the analyst does with a question."""
    first = sure(case, dict(by.trust))
    if first >= by.answer:
        return "right" if case.options[0].right else "wrong"
    if not case.answerable:
        return "right"
    return "asked" if first >= by.ask else "declined"


def figures(data: Sequence[Judged], by: Weights) -> str:
    """A line of the table."""
    if not data:
        return "n 0"
    n = len(data)
    tally = dict.fromkeys(("right", "wrong", "asked", "declined", "first", "among"), 0)
    for case in data:
        tally[outcome(case, by)] += 1
        tally["first"] += bool(case.options) and case.options[0].right
        tally["among"] += any(option.right for option in case.options[:10])
    times = sorted(case.seconds for case in data)
    shares = "  ".join(f"{name} {100 * count / n:.1f}" for name, count in tally.items())
    return f"n {len(data)}  {shares}  median {1000 * times[len(times) // 2]:.0f} ms"


def failures(data: Sequence[Judged], by: Weights) -> None:
    """What was not answered right, with the first reading and the gold."""
    for case in data:
        at = next((i for i, option in enumerate(case.options) if option.right), None)
        if at == 0 and outcome(case, by) == "right":
            continue
        print(f"\n{outcome(case, by)} right at {at}: {case.case.question}  [{case.case.source.stem}]")
        for option in _told(case.options, at):
            print(
                f"  {option.score:.1f} {option.confidence:.2f} unread {option.unread} {option.rules}\n    {_flat(option.sql)}"
            )
        print(f"  gold {_flat(case.case.gold[0]) if case.case.gold else 'none'}")


def _told(options: Sequence[Option], at: int | None) -> Iterator[Option]:
    yield from options[:1]
    if at:
        yield options[at]


def _flat(sql: str) -> str:
    return " ".join(sql.split())[:400]


def main() -> None:
    """The command line."""
    parser = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    parser.add_argument("command", choices=("learn", "measure"))
    parser.add_argument("suites", nargs="*")
    parser.add_argument("--composed", type=int, default=0)
    parser.add_argument("--misplaced", type=int, default=0)
    parser.add_argument("--sample", action="store_true", help="learn from the sample company's suite too")
    parser.add_argument("--start", action="store_true", help="read with the starting weights, not the learned ones")
    parser.add_argument("--failures", action="store_true")
    given = parser.parse_args()
    by = START if given.start else weights()
    if given.command == "measure":
        for suite in given.suites:
            data = judged(drawn(suite, held_out=True), by)
            if given.failures:
                failures(data, by)
            print(suite.split("/")[-2], figures(data, by), flush=True)
        return
    groups = [judged(drawn(suite, held_out=False), by) for suite in given.suites]
    for suite, data in zip(given.suites, groups, strict=True):
        print(suite.split("/")[-2], figures(data, by), flush=True)
    made = composed(given.composed, by)
    if made:
        print("composed", figures(made, by), flush=True)
    elsewhere = [case for suite in given.suites for case in drawn(suite, held_out=False)]
    groups.append(judged(misplaced(elsewhere, given.misplaced), by))
    print("misplaced", figures(groups[-1], by), flush=True)
    if given.sample:
        groups.append(sampled())
        print("sample", figures(groups[-1], by), flush=True)
    everything = [case for data in groups for case in data] + made
    learned = learn(everything, [Path(suite.split(":")[0]).parent.name for suite in given.suites])
    WEIGHTS.write_text(json.dumps(learned, indent=1, sort_keys=True) + "\n", encoding="utf-8")
    print({k: v for k, v in learned.items() if k not in ("rank", "trust")})


if __name__ == "__main__":
    main()
