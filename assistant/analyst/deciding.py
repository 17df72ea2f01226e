"""Whether to answer, to ask or to decline, once the likely readings were run. Pure: the caller runs the queries."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Literal

from assistant.analyst.ranking import RUN_MAX, Weights, confidence
from assistant.analyst.reading import Reading

OPTIONS_MAX = 4
_NEAR = 3.0
"""Readings whose score is further below the first one's are not offered."""

Rows = tuple[tuple[object, ...], ...]
Option = tuple[Reading, Rows]


@dataclass(frozen=True, slots=True, kw_only=True)
class Decision:
    """What to do: to answer by the only option, to ask which of the options is meant, or to decline.

    `confidence` is how likely the first option is right, 0 to 1.
    """

    kind: Literal["answer", "ask", "decline"]
    options: tuple[Option, ...] = ()
    confidence: float = 0.0


def likely(readings: Sequence[Reading]) -> tuple[Reading, ...]:
    """The readings to run: that others give the same, or something else, tells how sure the first is."""
    return tuple(readings[:RUN_MAX])


def decide(readings: Sequence[Reading], results: Sequence[Rows | None], by: Weights) -> Decision:
    """What to do by some readings and their results, None for those that did not run."""
    ran = [(reading, rows) for reading, rows in zip(readings, results, strict=True) if rows is not None]
    if not ran:
        return Decision(kind="decline")
    sure = confidence([(r.score, r.features) for r, _ in ran], [rows for _, rows in ran], by)
    if sure >= by.answer:
        return Decision(kind="answer", options=(ran[0],), confidence=sure)
    if sure < by.ask:
        return Decision(kind="decline", confidence=sure)
    near = [(r, rows) for r, rows in ran if ran[0][0].score - r.score <= _NEAR]
    options = different([r for r, _ in near], [rows for _, rows in near])
    if len(options) < 2:
        return Decision(kind="decline", options=options, confidence=sure)
    return Decision(kind="ask", options=options, confidence=sure)


def different(readings: Sequence[Reading], results: Sequence[Rows | None]) -> tuple[Option, ...]:
    """The readings that ran, one for each result, at most four: an option more that gives the same is none."""
    kept: dict[Rows, Reading] = {}
    for reading, rows in zip(readings, results, strict=True):
        if rows is not None and content(rows) not in map(content, kept):
            kept[rows] = reading
    return tuple((reading, rows) for rows, reading in kept.items())[:OPTIONS_MAX]


def content(rows: Rows) -> tuple[str, ...]:
    """What a result says, whatever the order of its rows."""
    return tuple(sorted(map(repr, rows)))
