"""What a sentence claims, what of it is measured, and what came of looking it up."""

from __future__ import annotations

from dataclasses import dataclass
from math import isfinite
from typing import TYPE_CHECKING, Literal

if TYPE_CHECKING:
    from assistant.claims.quantifiers import QuantifiedStatement

Relation = Literal[
    "larger",
    "smaller",
    "equal",
    "difference",
    "most",
    "least",
    "ranking",
    "share",
    "rise",
    "fall",
    "steady",
    "significance",
    "existence",
    "association",
    "cause",
    "quantity",
]
"""How the subject stands to what it is compared with, to all rows, or to time.

`difference` says that things are not equal, `ranking` that the rows named stand in the order of their figures,
`existence` that there is something, `association` that two figures go together, `quantity` of how many rows it is true.
"""

AmountKind = Literal["ratio", "change", "share", "value", "count"]
"""What an amount is: times as much, a part more or less, a part of the whole, a figure, or so many rows."""


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimAmount:
    """A range that the words of an amount stand for; `low` and `high` belong to it unless it is open there."""

    kind: AmountKind
    low: float
    high: float
    is_open: bool = False

    def holds(self, value: float) -> bool:
        """Whether a value is meant."""
        slack = 0.0 if self.is_open else 1e-9 * max(1.0, abs(value))
        if self.is_open:
            return self.low < value < self.high
        return self.low - slack <= value <= self.high + slack


@dataclass(frozen=True, slots=True, kw_only=True)
class Claim:
    """One thing that a sentence says of the results.

    Attributes:
        relation: What it says.
        sentence: The sentence or part of one, as it is written.
        subject: Words that name rows of which it speaks; empty for all rows.
        counterpart: Words that name the rows they are compared with; empty for all others.
        measure: Words that name figures.
        context: Where figures are named if not there: the whole sentence, then the question.
        amount: By how much, or which part.
        change: Where it speaks of how much figures rose or fell, and not of the figures.
        place: For a rank, which it is from the top or the bottom.
        rows: What quantity of the rows it speaks of: every, none, or so many.
        negated: Whether it denies the relation.
        denies: Whether a part of the whole is told of what did not happen: "few never bought".
        level: The level of significance.
        sides: What stands before the word that compares, and behind it.
        quantified: For each result, what is said of a number of its rows; None where it has no such rows.
        otherwise: What the sentence claims if the quantified statement cannot be evaluated.
    """

    relation: Relation
    sentence: str
    subject: str = ""
    counterpart: str = ""
    measure: str = ""
    context: tuple[str, ...] = ()
    amount: ClaimAmount | None = None
    change: Literal["rise", "fall", ""] = ""
    place: int = 1
    rows: ClaimAmount | Literal["every", "none"] | None = None
    negated: bool = False
    denies: bool = False
    level: float = 0.05
    sides: tuple[str, str] = ("", "")
    quantified: tuple[QuantifiedStatement | None, ...] = ()
    otherwise: tuple[Claim, ...] = ()


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimVerdict:
    """Whether the results bear a claim out; `holds` is None where they do not tell.

    `bounds` are figures that something is rightly said to be above or below; they stand in no result.
    """

    holds: bool | None
    reason: str = ""
    bounds: frozenset[float] = frozenset()


UNTOLD = ClaimVerdict(holds=None)


def list_bounds(claim: Claim) -> frozenset[float]:
    """The figures that something is said to be above or below."""
    amount = claim.amount
    if amount is None or amount.kind != "value":
        return frozenset()
    return frozenset(bound for bound in (amount.low, amount.high) if isfinite(bound))
