"""Learns the analyst's weights from judged questions: the order of readings, and how sure the first one is.

Everything is cross-fitted over databases: confidence is learned on readings in an order whose weights never saw their
database, and the threshold is taken where neither order nor confidence did. The final weights are of all questions.
"""

from __future__ import annotations

import hashlib
from collections.abc import Callable, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor
from dataclasses import replace
from datetime import UTC, datetime
from typing import TYPE_CHECKING, Any

from analyst_cases import PROCESSES, Judged

from assistant.analyst.confidence import RUN_MAX, trust_features
from assistant.analyst.ranking import Features, Weights, probability, weighed
from assistant.analyst.reading import told_first

if TYPE_CHECKING:
    import numpy as np
    from numpy.typing import NDArray

FOLDS = 5
WRONG_MAX = 0.04
"""The part of all questions that may be answered wrong; the threshold of answering follows from it."""
COMPOSED_WRONG_MAX = 0.01
"""The part of composed questions that may be: they are what the algebra itself says, so nothing excuses them."""
ASK_LEAST = 0.05
"""Readings less likely than this are not worth a person's time."""
RANK_L2 = 10.0
"""How much large weights of readings cost: features that say the same must share it."""
KNOWN_L2 = 10_000.0
"""How much it costs to leave a weight that was learned before: it stands for more questions than are learned on anew."""
TRUST_C = 0.003
"""Small: confidence must hold on databases that are unlike those it was learned on. Of 0.003 to 0.1, and of boosted
trees, the least loss and the most right answers at 5 and 7 % wrong were at 0.003 to 0.02; trees were no better."""
NEWCOMERS_SUITES = ("newcomer", "learn", "sample")
NEWCOMERS = 4.0
"""How much more a question counts that was typed by a newcomer than one made up for a suite."""


# --- order ---


def fit_rank(data: Sequence[Judged], prior: Mapping[str, float]) -> dict[str, float]:
    """Weights under which right readings come first: a log-linear model over the readings of each question."""
    import numpy as np
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
    names = vectorizer.get_feature_names_out()

    def loss(w):  # type: ignore[no-untyped-def]
        z = x @ w
        z = z - np.repeat(np.maximum.reduceat(z, starts), sizes)
        e = np.exp(z)
        total, good = np.add.reduceat(e, starts), np.add.reduceat(e * right, starts) + 1e-12
        p = e / np.repeat(total, sizes) - e * right / np.repeat(good, sizes)
        return np.sum(weight * (np.log(total) - np.log(good))), x.T @ (p * np.repeat(weight, sizes))

    start = np.array([prior.get(str(n), 0.0) for n in names]) * scale
    known = np.array([str(n) in prior for n in names])
    found = _drawn_to(start, loss, np.where(known, KNOWN_L2, RANK_L2)) / scale
    learned = {str(n): round(float(w), 4) for n, w in zip(names, found, strict=True) if abs(w) > 1e-4}
    return {name: weight for name, weight in prior.items() if name not in set(names)} | learned


def _drawn_to(
    start: NDArray[np.float64], loss: Callable[..., Any], l2: float | NDArray[np.float64]
) -> NDArray[np.float64]:
    """Where a loss is least to which the distance from where one starts is added."""
    import numpy as np
    from scipy.optimize import minimize

    def whole(w):  # type: ignore[no-untyped-def]
        value, slope = loss(w)
        return value + 0.5 * np.sum(l2 * (w - start) ** 2), slope + l2 * (w - start)

    return minimize(whole, start, jac=True, method="L-BFGS-B", options={"maxiter": 300}).x


def _weight(case: Judged) -> float:
    return NEWCOMERS if case.case.suite in NEWCOMERS_SUITES else 1.0


def ranked(case: Judged, rank: dict[str, float]) -> Judged:
    """A question with its readings in the order that they would be read in by some weights."""
    scored = [replace(option, score=weighed(option.features, rank)) for option in case.options]
    in_order = sorted(scored, key=lambda option: -option.score)
    return replace(case, options=tuple(told_first(in_order) if in_order else ()))


# --- confidence ---


def fold(case: Judged) -> int:
    """The part of the data that a question's database is in; no two of the few composed databases are in one."""
    from composed.domains import LEARNT

    if case.case.dataset in LEARNT:
        return LEARNT.index(case.case.dataset) % FOLDS
    return hashlib.sha256(str(case.case.source).encode()).digest()[1] % FOLDS


def trusted(case: Judged, *, ran: bool) -> Features:
    """The features of confidence of a question whose readings are in order."""
    if not ran:
        return trust_features([(option.score, option.features) for option in case.options])
    kept = [option for option in case.options[:RUN_MAX] if option.result is not None] or case.options[:1]
    return trust_features([(o.score, o.features) for o in kept], [o.result for o in kept if o.result is not None])


def fit_trust(data: Sequence[Judged], prior: Mapping[str, float], *, ran: bool) -> dict[str, float]:
    """Weights of confidence: a logistic regression on whether the first reading is right."""
    import numpy as np
    from scipy.special import expit
    from sklearn.feature_extraction import DictVectorizer

    kept = [case for case in data if case.options]
    vectorizer = DictVectorizer(sparse=False)
    x = vectorizer.fit_transform([trusted(case, ran=ran) for case in kept])
    names = [str(name) for name in vectorizer.get_feature_names_out()]
    mean, scale = x.mean(axis=0), x.std(axis=0)
    free = names.index("bias")  # the intercept, which may be whatever it is
    mean[free], scale[free] = 0.0, 1.0
    scale[scale == 0] = 1.0
    x = (x - mean) / scale
    right = np.array([case.options[0].right for case in kept], dtype=float)
    weight = np.array([_weight(case) for case in kept])
    start = np.array([prior.get(name, 0.0) for name in names]) * scale
    start[free] += start @ (mean / scale)

    def loss(w):  # type: ignore[no-untyped-def]
        z = x @ w
        off = weight * (expit(z) - right)
        return np.sum(weight * (np.logaddexp(0.0, z) - right * z)), x.T @ off

    l2 = np.full(len(names), 1 / TRUST_C)
    l2[free] = 0.0
    found = _drawn_to(start, loss, l2) / scale
    found[free] -= sum(w * m for i, (w, m) in enumerate(zip(found, mean, strict=True)) if i != free)
    learned = {name: round(float(w), 4) for name, w in zip(names, found, strict=True)}
    return {name: weight for name, weight in prior.items() if name not in names} | learned


def sure(case: Judged, trust: dict[str, float], *, ran: bool) -> float:
    """How sure the first reading is; 0 where what it leaves unread keeps it from being answered."""
    if case.options and case.options[0].features.get("untold"):
        return 0.0
    return probability(weighed(trusted(case, ran=ran), trust)) if case.options else 0.0


def threshold(found: Sequence[tuple[float, bool, float]], *, wrong_max: float) -> float:
    """The least confidence at which at most this part of all questions, by weight, is answered wrong."""
    total, wrong, last = sum(weight for *_, weight in found), 0.0, 0.99
    for confidence, ok, weight in sorted(found, reverse=True):
        wrong += weight * (not ok)
        if wrong > wrong_max * total:
            break
        last = confidence
    return round(last, 3)


def _confidence(unseen: Sequence[Judged], prior: Mapping[str, float], *, ran: bool) -> dict[str, object]:
    """The weights of confidence, and the threshold by the risk of questions that no weight had seen."""
    trusts = [fit_trust([case for case in unseen if fold(case) != part], prior, ran=ran) for part in range(FOLDS)]
    found = [
        (sure(case, trusts[fold(case)], ran=ran), _is_right(case), _weight(case), case.case.suite) for case in unseen
    ]
    composed = [one[:3] for one in found if one[3] == "composed"]
    answer = threshold([one[:3] for one in found], wrong_max=WRONG_MAX)
    if composed:
        answer = max(answer, threshold(composed, wrong_max=COMPOSED_WRONG_MAX))
    return {"weights": fit_trust(unseen, prior, ran=ran), "answer": answer, "ask": ASK_LEAST}


def _is_right(case: Judged) -> bool:
    return bool(case.options) and case.options[0].right


def learn(data: list[Judged], names: Sequence[str], prior: Weights | None = None) -> dict[str, object]:
    """All weights. Confidence is learned on readings that are ranked by weights that never saw their database.

    Args:
        data: Questions with their readings, judged.
        names: What they are.
        prior: Weights that were learned before. What is learned is drawn to them, not to nothing, so that fewer
            questions are enough after a change of the rules; what is then said of a question may rest on its own
            database, as far as they do.
    """
    rank_prior: Mapping[str, float] = prior.rank if prior else {}
    kept = [[case for case in data if fold(case) != part] for part in range(FOLDS)]
    with ProcessPoolExecutor(PROCESSES) as pool:
        *folds, rank = pool.map(fit_rank, [*kept, data], [rank_prior] * (FOLDS + 1))
    unseen = [ranked(case, folds[fold(case)]) for case in data]
    return {
        "learned": datetime.now(UTC).isoformat(timespec="minutes"),
        "data": list(names),
        "questions": len(data),
        "first reading right, weights of other databases": round(sum(map(_is_right, unseen)) / len(unseen), 3),
        "rank": rank,
        "ran": _confidence(unseen, prior.ran.weights if prior else {}, ran=True),
        "unrun": _confidence(unseen, prior.unrun.weights if prior else {}, ran=False),
    }
