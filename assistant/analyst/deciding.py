"""Whether to answer, to ask or to decline. Pure: the caller runs the queries."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.analyst.ranking import Weights
from assistant.analyst.reading import Reading

OPTIONS_MAX = 4
_NEAR = 2.5
"""Readings whose score is further below the first one's are not offered."""

Rows = tuple[tuple[object, ...], ...]


def likely(readings: Sequence[Reading], by: Weights) -> tuple[Reading, ...]:
    """The readings to run: the first alone where it is sure, some where a person has to choose, else none."""
    if not readings or readings[0].confidence < by.ask:
        return ()
    if readings[0].confidence >= by.answer:
        return (readings[0],)
    near = [reading for reading in readings if readings[0].score - reading.score <= _NEAR]
    return tuple(near[: 2 * OPTIONS_MAX]) if len(near) > 1 else tuple(readings[:2])


def different(readings: Sequence[Reading], results: Sequence[Rows | None]) -> tuple[tuple[Reading, Rows], ...]:
    """The readings that ran, one for each result, at most four: an option more that gives the same is none."""
    kept: dict[Rows, Reading] = {}
    for reading, rows in zip(readings, results, strict=True):
        if rows is not None and content(rows) not in map(content, kept):
            kept[rows] = reading
    return tuple((reading, rows) for rows, reading in kept.items())[:OPTIONS_MAX]


def content(rows: Rows) -> tuple[str, ...]:
    """What a result says, whatever the order of its rows."""
    return tuple(sorted(map(repr, rows)))
