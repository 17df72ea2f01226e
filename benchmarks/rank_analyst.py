"""Learns the new analyst's weights, or prints how its readings fare: right, wrong, asked, declined.

    python benchmarks/rank_analyst.py learn SUITE.jsonl[:N[:SOURCE,...]] ...
    python benchmarks/rank_analyst.py measure SUITE.jsonl[:N[:SOURCE,...]] ...

`N` is how many questions to draw (0: all). Sources whose name hashes to the held-out fifth (`is_held_out`) are never
learned from and alone measured, unless sources are listed. A reading is right when its result equals a gold's.
"""

from __future__ import annotations

import asyncio
import hashlib
import json
import random
import sqlite3
import sys
import time
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path
from tempfile import TemporaryDirectory

from assistant.analyst.ranking import Features, Weights, probability, trust_features, weighed, weights
from assistant.analyst.reading import Reader, Reading
from assistant.data.addresses import addresses
from assistant.data.opening import open_source
from assistant.data.sources import Budget
from assistant.errors import AssistantError
from assistant.evaluation.asking import rows_of
from assistant.evaluation.comparison import holds, is_ordered

WEIGHTS = Path(__file__).parents[1] / "assistant" / "analyst" / "weights.json"
START = Weights(rank={"chart": 1.0, "unread": -0.6}, trust={}, answer=0.7, ask=0.3)
PER_SOURCE = 15
BUDGET = Budget(rows_max=20_000, limit_bytes=2**27, timeout_s=3)


@dataclass(frozen=True)
class Case:
    question: str
    source: Path
    gold: tuple[str, ...]
    answers: tuple[list[list[object]] | None, ...]


@dataclass(frozen=True)
class Judged:
    source: str
    answerable: bool
    readings: list[Reading]
    right: list[bool]
    seconds: float


def is_held_out(source: str) -> bool:
    """Whether a database is kept for figures: one of five, by its name."""
    return hashlib.sha256(Path(source).stem.encode()).digest()[0] % 5 == 0


def cases(argument: str, *, held_out: bool) -> list[Case]:
    path, _, rest = argument.partition(":")
    number, _, listed = rest.partition(":")
    found: list[Case] = []
    for line in Path(path).read_text(encoding="utf-8").splitlines():
        row = json.loads(line)
        name = row.get("dataset") or row["source"]
        if name in listed.split(",") if listed else is_held_out(row["source"]) == held_out:
            answers = tuple(row.get("answers") or ())
            found.append(Case(row["question"], Path(path).parent / row["source"], tuple(row["sql"]), answers))
    return _drawn(found, int(number or 0))


def _drawn(found: list[Case], number: int) -> list[Case]:
    """So many questions, up to `PER_SOURCE` of each source: opening a source takes longer than a question."""
    draw = random.Random(7)
    draw.shuffle(found)
    if not number:
        return found
    names = sorted({case.source for case in found})
    draw.shuffle(names)
    few = [case for name in names for case in [c for c in found if c.source == name][:PER_SOURCE]]
    return few[:number]


async def judged(found: Sequence[Case], learned: Weights) -> list[Judged]:
    """All questions read and their readings run."""
    result: list[Judged] = []
    with TemporaryDirectory(prefix="tandem-rank-") as folder:
        for source in sorted({case.source for case in found}):
            here = [case for case in found if case.source == source]
            try:
                opened = await open_source(addresses(str(source))[0], folder=Path(folder))
                reader = Reader(await opened.catalog(), learned)
            except (AssistantError, sqlite3.Error) as error:
                print(f"{source.name}: {error}", file=sys.stderr)
                continue
            for case in here:
                started = time.monotonic()
                readings = reader.read(case.question)
                seconds = time.monotonic() - started
                golds = [g async for g in _golds(opened, case)]
                right = [bool(golds) and await _is_right(opened, r.sql, golds) for r in readings]
                result.append(Judged(str(source), bool(case.gold), readings, right, seconds))
            await opened.close()
    return result


async def _rows(opened, sql: str):  # type: ignore[no-untyped-def]
    try:
        return rows_of((await opened.run(sql, None, BUDGET)).table)
    except AssistantError:
        return None


async def _golds(opened, case: Case):  # type: ignore[no-untyped-def]
    for i, sql in enumerate(case.gold):
        given = case.answers[i] if i < len(case.answers) else None
        rows = tuple(map(tuple, given)) if given is not None else await _rows(opened, sql)
        if rows is not None:
            yield rows, is_ordered(sql, dialect="sqlite") and not case.answers


async def _is_right(opened, sql: str, golds) -> bool:  # type: ignore[no-untyped-def]
    rows = await _rows(opened, sql)
    return rows is not None and any(holds(rows, gold, ordered=ordered) for gold, ordered in golds)


def learn(data: list[Judged]) -> tuple[dict[str, float], list[Judged]]:
    """Weights by which right readings come before wrong ones: a logistic regression on their differences."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    pairs = [pair for case in data for pair in _pairs(case)]
    vectorizer = DictVectorizer(sparse=False)
    x = vectorizer.fit_transform([difference for difference, _ in pairs])
    y = [1, 0] * (len(pairs) // 2)
    model = LogisticRegression(C=0.3, fit_intercept=False, max_iter=400)
    model.fit(x, y, sample_weight=[weight for _, weight in pairs])
    names = vectorizer.get_feature_names_out()
    rank = {str(n): round(float(w), 4) for n, w in zip(names, model.coef_[0], strict=True)}
    return rank, [_ranked(case, rank) for case in data]


def _pairs(case: Judged) -> Iterator[tuple[Features, float]]:
    right = [r for r, ok in zip(case.readings, case.right, strict=True) if ok][:4]
    wrong = [r for r, ok in zip(case.readings, case.right, strict=True) if not ok][:12]
    for good in right:
        for bad in wrong:
            names = good.features.keys() | bad.features.keys()
            difference = {n: good.features.get(n, 0.0) - bad.features.get(n, 0.0) for n in names}
            weight = 1 / (len(right) * len(wrong))
            yield difference, weight
            yield {n: -v for n, v in difference.items()}, weight


def _ranked(case: Judged, rank: dict[str, float]) -> Judged:
    order = sorted(range(len(case.readings)), key=lambda i: -weighed(case.readings[i].features, rank))
    return Judged(
        case.source, case.answerable, [case.readings[i] for i in order], [case.right[i] for i in order], case.seconds
    )


def trusted(data: list[Judged], rank: dict[str, float]) -> Features:
    return trust_features([(weighed(r.features, rank), r.features) for r in data[0].readings])


def calibrate(
    data: list[Judged], halves: Sequence[dict[str, float]]
) -> tuple[dict[str, float], list[tuple[float, bool]]]:
    """Weights of confidence, from readings ranked by weights that never saw their database."""
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression

    found: list[tuple[Features, bool]] = []
    for case in data:
        if case.readings:
            rank = halves[1 - _half(case)]
            ranked = _ranked(case, rank)
            found.append((trusted([ranked], rank), ranked.right[0]))
    vectorizer = DictVectorizer(sparse=False)
    x = vectorizer.fit_transform([f for f, _ in found])
    model = LogisticRegression(C=0.3, fit_intercept=False, max_iter=2000)
    model.fit(x, [ok for _, ok in found])
    names = vectorizer.get_feature_names_out()
    trust = {str(n): round(float(w), 4) for n, w in zip(names, model.coef_[0], strict=True)}
    return trust, [(probability(weighed(f, trust)), ok) for f, ok in found]


def _half(case: Judged) -> int:
    return hashlib.sha256(case.source.encode()).digest()[1] % 2


def threshold(sure: list[tuple[float, bool]], *, wrong_max: float, total: int) -> float:
    """The least confidence at which at most this part of all questions is answered wrong."""
    wrong = 0
    last = 0.99
    for confidence, ok in sorted(sure, reverse=True):
        wrong += not ok
        if wrong > wrong_max * total:
            return round(last, 3)
        last = confidence
    return round(last, 3)


def figures(data: list[Judged], by: Weights) -> str:
    """The table's line."""
    n = max(1, len(data))
    tally = dict.fromkeys(("right", "wrong", "asked", "declined", "first", "among"), 0)
    for case in data:
        sure = case.readings[0].confidence if case.readings else 0.0
        first, among = bool(case.right) and case.right[0], any(case.right[:10])
        tally["first"] += first
        tally["among"] += among
        if sure >= by.answer:
            tally["right" if first else "wrong"] += 1
        elif not case.answerable:
            tally["right"] += 1
        else:
            tally["asked" if sure >= by.ask else "declined"] += 1
    times = sorted(case.seconds for case in data)
    shares = "  ".join(f"{name} {100 * count / n:.1f}" for name, count in tally.items())
    return f"n {len(data)}  {shares}  median {1000 * times[len(times) // 2]:.0f} ms"


async def main(command: str, arguments: Sequence[str]) -> None:
    if command == "measure":
        for argument in arguments:
            print(
                Path(argument.split(":")[0]).parent.name,
                figures(await judged(cases(argument, held_out=True), weights()), weights()),
            )
        return
    found = [case for argument in arguments for case in cases(argument, held_out=False)]
    by = START if command == "learn" else weights()
    data = await judged(found, by)
    print(figures(data, by))
    rank, _ = learn(data)
    halves = [learn([case for case in data if _half(case) == half])[0] for half in (0, 1)]
    trust, sure = calibrate(data, halves)
    learned = {
        "learned": datetime.now(UTC).date().isoformat(),
        "data": [f"{Path(a.split(':')[0]).parent.name}" for a in arguments],
        "questions": len(data),
        "first reading right, other half's weights": round(sum(ok for _, ok in sure) / len(data), 3),
        "answer": threshold(sure, wrong_max=0.055, total=len(data)),
        "ask": threshold(sure, wrong_max=0.3, total=len(data)),
        "rank": rank,
        "trust": trust,
    }
    WEIGHTS.write_text(json.dumps(learned, indent=1) + "\n", encoding="utf-8")
    print({k: v for k, v in learned.items() if k not in ("rank", "trust")})


if __name__ == "__main__":
    asyncio.run(main(sys.argv[1], sys.argv[2:]))
