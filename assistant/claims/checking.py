"""The claims of a text that the results do not bear out. Pure."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING

from assistant.claims.claim import Claim
from assistant.claims.evaluate import evaluate
from assistant.claims.facts import read_facts
from assistant.claims.reader import read_claims, split_sentences

if TYPE_CHECKING:
    from assistant.cells.tables import TableView

_P_PRINTED = re.compile(r"\bp(?:[ _-]?val(?:ue)?)?\s*[:=]\s*(\d*\.?\d+(?:e-?\d+)?)", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class FalseClaim:
    """A sentence with a claim that the results do not bear out, and why."""

    sentence: str
    claim: Claim
    reason: str

    def __str__(self) -> str:
        return f"“{self.sentence}”" + (f" ({self.reason})" if self.reason else "")


def find_false_claims(
    text: str,
    *,
    tables: Sequence[TableView],
    question: str = "",
    printed: Iterable[str] = (),
    typed: Sequence[Claim] = (),
) -> tuple[FalseClaim, ...]:
    """The sentences of a text that claim what the results do not bear out, each once.

    Args:
        text: An answer.
        tables: The results.
        question: What was asked.
        printed: What cells printed: probabilities of tests stand there.
        typed: Claims that whoever wrote the text gave with it.
    """
    return tuple({claim.sentence: claim for claim in _find(text, tables, question, "\n".join(printed), typed)}.values())


def _find(
    text: str, tables: Sequence[TableView], question: str, printed: str, typed: Sequence[Claim]
) -> Iterator[FalseClaim]:
    facts = read_facts(tables)
    p_values = [float(match[1]) for match in _P_PRINTED.finditer(printed)]
    for sentence in split_sentences(text):
        for claim in read_claims(sentence, facts, question=question):
            verdict = evaluate(claim, facts, p_values=p_values)
            if verdict.holds is False:
                yield FalseClaim(sentence=sentence, claim=claim, reason=verdict.reason)
    for claim in typed:
        verdict = evaluate(claim, facts, p_values=p_values)
        if verdict.holds is False:
            yield FalseClaim(sentence=claim.sentence, claim=claim, reason=verdict.reason)
