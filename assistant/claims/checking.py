"""The claims of a text that the results do not bear out. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass

from assistant.claims.claim import Claim
from assistant.claims.evaluate import evaluate
from assistant.claims.facts import TableFacts
from assistant.claims.parts import split_sentences
from assistant.claims.reader import read_claims
from assistant.claims.references_to_rows import resolve_reference

_P_PRINTED = re.compile(r"\bp(?:[ _-]?val(?:ue)?)?\s*[:=]\s*(\d*\.?\d+(?:e-?\d+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseClaim:
    """A sentence with a claim that the results do not bear out, and why."""

    sentence: str
    claim: Claim
    reason: str

    def __str__(self) -> str:
        return f"“{self.sentence}”" + (f" ({self.reason})" if self.reason else "")


_FIGURES = re.compile(r"\d[\d.,]*")


@dataclass(frozen=True, slots=True, kw_only=True)
class ClaimsReport:
    """What came of the claims of a text.

    Attributes:
        false_claims: Those that the results do not bear out, one of each sentence.
        unproved: Sentences with a claim of which nothing in the results tells whether it holds. Those that show figures
            for it are not among them: figures are looked up one by one.
        bounds: Figures that something is rightly said to be above or below; they stand in no result.
    """

    false_claims: tuple[FalseClaim, ...] = ()
    unproved: tuple[str, ...] = ()
    bounds: frozenset[float] = frozenset()


def check_claims(
    text: str,
    *,
    facts: Sequence[TableFacts],
    question: str = "",
    printed: str = "",
    typed: Sequence[Claim] = (),
) -> ClaimsReport:
    """Evaluate what a text claims on the results.

    Args:
        text: An answer.
        facts: The results.
        question: What was asked.
        printed: What cells printed: probabilities of tests stand there.
        typed: Claims that whoever wrote the text gave with it. A sentence must hold by these and by its own words.
    """
    p_values = [float(match[1]) for match in _P_PRINTED.finditer(printed)]
    sentences = split_sentences(text)
    claims = [
        (sentence, claim)
        for sentence, previous in zip(sentences, ("", *sentences), strict=False)
        for claim in read_claims(resolve_reference(sentence, previous, facts), facts, question=question)
    ]
    claims += [(claim.sentence, claim) for claim in typed]
    wrong: dict[str, FalseClaim] = {}
    proved, bounds = set[str](), set[float]()
    for sentence, claim in claims:
        verdict = evaluate(claim, facts, p_values=p_values)
        if verdict.holds is False:
            wrong.setdefault(sentence, FalseClaim(sentence=sentence, claim=claim, reason=verdict.reason))
        if verdict.holds is not None:
            proved.add(sentence)
        bounds |= verdict.bounds
    unproved = dict.fromkeys(s for s in sentences if s not in proved and s in dict(claims) and not _shows_figures(s))
    return ClaimsReport(false_claims=tuple(wrong.values()), unproved=tuple(unproved), bounds=frozenset(bounds))


def _shows_figures(sentence: str) -> bool:
    return len(_FIGURES.findall(sentence)) > 1
