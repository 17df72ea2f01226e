"""How a question was read, for a person who asks."""

from __future__ import annotations

from dataclasses import dataclass

from assistant.analyst.interpretation.chips import Chip


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a question was read: what will be computed in chips, and the words that were not used."""

    sentence: str
    confidence: float
    chips: tuple[Chip, ...]
    unread: tuple[str, ...]
    sql: str
