"""What comes of a question: a meaning sure enough to propose, a few to choose from, words alone, or an honest no."""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import TYPE_CHECKING, TypeAlias

from assistant.analyst.lexicon.files import section
from assistant.analyst.meaning import Meaning
from assistant.core.events.base import Trust

if TYPE_CHECKING:
    from assistant.analyst.interpretation.chips import Chip
    from assistant.analyst.interpretation.interpretation import Interpretation


@dataclass(frozen=True, slots=True, kw_only=True)
class Understood:
    """One meaning. `restated` says it in a sentence; `confidence` is 0 to 1."""

    meaning: Meaning
    restated: str
    trust: Trust = "new"
    confidence: float = 1.0


@dataclass(frozen=True, slots=True, kw_only=True)
class Ambiguous:
    """Two to four meanings with different results, the likeliest first, each with how it is offered."""

    text: str
    options: tuple[tuple[str, Meaning], ...]


@dataclass(frozen=True, slots=True, kw_only=True)
class Message:
    """An answer that needs no query: what the data holds, a greeting."""

    text: str
    follow_ups: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class Declined:
    """Why there is no answer, and what could be asked instead. `partial` is what was understood, to be gone on from."""

    reason: str
    hint: str = ""
    partial: Interpretation | None = field(default=None, compare=False, repr=False)


def declined(why: str, *of: str, hint: str = "") -> Declined:
    """A refusal of the lexicon; `hint` where it has none."""
    entry = section("refusals", why)
    return Declined(reason=str(entry["reason"]).format(*of), hint=str(entry.get("hint", hint)))


@dataclass(frozen=True, slots=True, kw_only=True)
class Explanation:
    """How a question was read: what will be computed in chips, and the words that were not used."""

    sentence: str
    confidence: float
    chips: tuple[Chip, ...]
    unread: tuple[str, ...]
    sql: str


Outcome: TypeAlias = Understood | Ambiguous | Message | Declined
