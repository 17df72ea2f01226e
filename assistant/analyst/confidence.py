"""How sure the first of some ranked readings is: by what it leaves out, how it ranks, and how their results agree.

`benchmarks/rank_analyst.py` learns the weights: one set for readings that were run, one for those that were not.
"""

from __future__ import annotations

import hashlib
import math
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from decimal import Decimal

from assistant.analyst.ranking import Features, Weights, dropped, probability, weighed
from assistant.analyst.unread import LITTLE

RUN_MAX = 6
"""How many readings are run before it is decided."""
ROWS_MAX = 2_000
"""How many rows of a reading are compared with those of the others."""
_OWN = frozenset(
    (
        *("unknown", "unread", "weak", "covered", "joins", "chart", "related", "phrases", "text", "outputs"),
        *("hops", "far hops", "only there", "home unnamed", "conditions far", "shown unsaid"),
        *("weakest link", "mean link", "columns known", "words", "asked thing lost", "keys", "figures"),
    )
)
_OWN_STARTS = ("shape ", "dropped ", "unread ")
_OWN_ENDS = ("unheard", "unsaid")
_MARGIN_MAX = 4.0
_LONG = 200
Ranked = Sequence[tuple[float, Features]]


@dataclass(frozen=True, slots=True, kw_only=True)
class ResultSummary:
    """What confidence looks at in a result.

    Attributes:
        content: Equal where two results hold the same rows, in whatever order of rows and columns.
        rows: How many rows there are, at most `ROWS_MAX`.
        columns: How many columns there are; 0 without rows.
        blank: Whether the first row, or no row, holds nothing but NULL and zero.
        missing: Which part of the cells are NULL, 0 to 1.
        sides: One for each column; equal where two columns hold the same values, in whatever order.
        kinds: Equal where two results hold the same rows but for repetition.
    """

    content: str
    rows: int
    columns: int
    blank: bool
    missing: float
    sides: frozenset[str] = frozenset()
    kinds: str = ""

    @classmethod
    def of(cls, rows: Sequence[Sequence[object]]) -> ResultSummary:
        """Summarize rows."""
        compared = rows[:ROWS_MAX]
        plain = [[_plain(cell) for cell in row] for row in compared]
        texts = ["\t".join(sorted(row)) for row in plain]
        cells = sum(map(len, compared))
        return cls(
            content=_told(texts),
            sides=frozenset(map(_told, zip(*plain, strict=True))),
            kinds=_told(set(texts)),
            rows=len(compared),
            columns=len(rows[0]) if rows else 0,
            blank=all(cell is None or cell == 0 for row in rows[:1] for cell in row),
            missing=sum(cell is None for row in compared for cell in row) / cells if cells else 0.0,
        )


def _told(lines: Iterable[str]) -> str:
    return hashlib.sha256("\n".join(sorted(lines)).encode()).hexdigest()[:16]


def _plain(cell: object) -> str:
    if isinstance(cell, int | float | Decimal) and not isinstance(cell, bool):
        return f"{float(cell):.9g}"
    return str(cell)


def trust_features(ranked: Ranked, results: Sequence[ResultSummary] = ()) -> Features:
    """What speaks for the first of some ranked readings being right; `results` of the first of them, if they ran."""
    first = ranked[:RUN_MAX]
    best, own = first[0]
    shares = [math.exp(score - best) for score, _ in first]
    features: Features = {
        "bias": 1.0,
        "part": 1 / sum(shares),
        "margin": min(_MARGIN_MAX, best - first[1][0]) if len(first) > 1 else _MARGIN_MAX / 2,
        "score": max(-2.0, min(2.0, best / 10)),
        "readings": len(first) / RUN_MAX,
        "dropped": dropped(own),
        **{name: min(4.0, value) for name, value in own.items() if name in _OWN},
        **{n: v for n, v in own.items() if n.startswith(_OWN_STARTS) or n.endswith(_OWN_ENDS)},
        "defined": float(any(name.startswith("rule knows ") for name in own)),
        "some unknown": float(own.get("unknown", 0.0) > 0),
        "read all": float(own.get("unread", 0.0) < LITTLE),
        "less unread": max(0.0, own.get("unread", 0.0) - min(rival.get("unread", 0.0) for _, rival in first)),
    }
    return features | (_agreement(first, shares, results[:RUN_MAX]) if results else {})


def _agreement(first: Ranked, shares: Sequence[float], results: Sequence[ResultSummary]) -> Features:
    """What the results of the readings say: whether they agree, and whether the first is one to expect."""
    own, total = results[0], sum(shares[: len(results)])
    expected = not first[0][1].get("out of time")  # nothing is found of a period that the data does not reach
    by_content: dict[str, float] = {}
    for share, result in zip(shares, results, strict=False):
        by_content[result.content] = by_content.get(result.content, 0.0) + share / total
    rivals = [place for place, result in enumerate(results) if result.content != own.content]
    pooled = min(0.98, max(0.02, by_content[own.content]))
    near = first[rivals[0]][1] if rivals else {}
    rival = results[rivals[0]] if rivals else own
    pairs = zip(shares, results, strict=False)
    loosely = min(
        0.98, max(0.02, sum(share for share, alternative in pairs if _says_the_same(own, alternative)) / total)
    )
    return {
        "pooled": pooled,
        "pooled odds": math.log(pooled / (1 - pooled)),
        "pooled margin": min(_MARGIN_MAX, first[0][0] - first[rivals[0]][0]) if rivals else _MARGIN_MAX,
        "pooled loosely": loosely,
        "pooled loosely odds": math.log(loosely / (1 - loosely)),
        "rival shows less": float(rival.sides < own.sides),
        "rival repeats": float(bool(rivals) and rival.kinds == own.kinds),
        "entropy": -sum(share * math.log(share) for share in by_content.values() if share > 0),
        "different results": len(by_content) / RUN_MAX,
        "rival reads more": float(near.get("unread", math.inf) < first[0][1].get("unread", 0.0) - 0.04),
        "blank": float(own.blank and expected),
        "empty": float(own.rows == 0 and expected),
        "missing": own.missing,
        "single": float(own.rows == 1),
        "figure": float(own.rows == 1 and own.columns == 1),
        "columns": min(4.0, float(own.columns)),
        "long": float(own.rows > _LONG),
    }


def _says_the_same(first: ResultSummary, second: ResultSummary) -> bool:
    """Whether two results differ in nothing but further columns or the repetition of rows."""
    return first.sides <= second.sides or second.sides <= first.sides or first.kinds == second.kinds


def confidence(ranked: Ranked, results: Sequence[ResultSummary], by: Weights) -> float:
    """How likely the first of some readings is right, 0 to 1; `results` of the first of them, none if not run."""
    learned = by.ran if results else by.unrun
    return probability(weighed(trust_features(ranked, results), learned.weights))
