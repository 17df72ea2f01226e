"""Totals of wholes where their parts are meant: what was spent on tea is not what orders with some tea came to."""

from __future__ import annotations

from collections.abc import Sequence

from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.meaning import Meaning

_WHOLE_FOR_PART = 0.25


def whole_for_part(meaning: Meaning, figures: Sequence[Wanted]) -> float:
    """What it costs that a total nobody defined is of whole rows, of which a condition names a part."""
    summed = any(w.metric is not None and not w.metric.origin for w in figures)
    parts = [f for f in meaning.filters if f.operator in ("=", "in") and f.column.multiplies and f.side is None]
    return _WHOLE_FOR_PART if summed and parts else 0.0
