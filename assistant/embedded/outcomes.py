"""What comes of a question: one meaning that is sure enough, a few to choose from, or an honest no."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Literal

from assistant.embedded.meaning import Meaning

Trust = Literal["verified", "adapted", "new"]


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """One meaning, sure enough to propose. `cited` are ids of the documents it rests on; `confidence` is 0 to 1."""

    meaning: Meaning
    restated: str
    tables: tuple[str, ...]
    assumptions: tuple[str, ...] = ()
    cited: tuple[str, ...] = ()
    confidence: float = 1.0
    trust: Trust = "new"


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """Two to four readings that are equally likely, each with its meaning. Labels differ."""

    text: str
    options: tuple[tuple[str, Meaning], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class NotUnderstood:
    """Why there is no answer: the words that were not understood, the reason, and what could be asked instead."""

    words: tuple[str, ...]
    reason: str
    hint: str


Outcome = Understood | Ambiguous | NotUnderstood
