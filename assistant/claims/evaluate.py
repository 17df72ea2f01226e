"""Whether results bear a claim out, on all of their rows. Pure.

Where a sentence leaves open what it means (which figure, which table), it holds if it holds in one reading, and is
false where every reading that can be looked up is: a wrong alarm costs a call and trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assistant.claims.claim import UNTOLD, Claim, ClaimVerdict, Relation
from assistant.claims.facts import TableFacts
from assistant.claims.outcomes import Outcomes
from assistant.claims.ranks import check_order, compare, compare_equal, rank
from assistant.claims.shares import evaluate_share, exists
from assistant.claims.trends import associate, evaluate_trend
from assistant.claims.words import tokenize

_CAUSE = "The results show no causes. Word it as a possibility, or leave it out"


def evaluate(claim: Claim, tables: Sequence[TableFacts], *, p_values: Sequence[float] = ()) -> ClaimVerdict:
    """Whether the results bear a claim out.

    Args:
        claim: The claim.
        tables: The results.
        p_values: Probabilities of tests that were printed and stand in no table.
    """
    if claim.relation == "cause":
        return ClaimVerdict(holds=False, reason=_CAUSE)
    if claim.relation == "significance":
        return _evaluate_significance(claim, tables, p_values)
    outcomes = [outcome for facts in tables if facts.is_whole for outcome in _EVALUATORS[claim.relation](claim, facts)]
    verdicts = [holds for holds, _ in outcomes if holds is not None]
    if not verdicts:
        return UNTOLD
    holds = any(verdicts) if not claim.negated else not any(verdicts)
    reason = next((reason for outcome, reason in outcomes if outcome is not None and reason), "")
    return ClaimVerdict(holds=holds, reason="" if holds else reason)


def _evaluate_significance(claim: Claim, tables: Sequence[TableFacts], printed: Sequence[float]) -> ClaimVerdict:
    figures = list[float]()
    for facts in tables:
        mentions = facts.find_mentions(tokenize(claim.subject))
        rows = frozenset().union(*(mention.rows for mention in mentions)) or frozenset(range(facts.rows))
        for p in facts.p_values:
            figures += [figure for row in rows if (figure := p.figures[row]) is not None]
    figures = figures or list(printed)
    if not figures:
        return UNTOLD
    holds = any((figure < claim.level) != claim.negated for figure in figures)
    return ClaimVerdict(
        holds=holds, reason="" if holds else f"p is {', '.join(f'{figure:.3g}' for figure in figures[:3])}"
    )


_EVALUATORS: Mapping[Relation, Callable[[Claim, TableFacts], Outcomes]] = {
    "larger": compare,
    "smaller": compare,
    "most": rank,
    "least": rank,
    "ranking": check_order,
    "share": evaluate_share,
    "rise": evaluate_trend,
    "fall": evaluate_trend,
    "steady": evaluate_trend,
    "equal": compare_equal,
    "difference": compare_equal,
    "existence": exists,
    "association": associate,
}
