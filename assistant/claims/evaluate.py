"""Whether results bear a claim out, on all of their rows. Pure.

Where a sentence leaves open what it means (which figure, which table), it holds if it holds in one reading, and is
false where every reading that can be looked up is: a wrong alarm costs a call and trust.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from assistant.claims.claim import UNTOLD, Claim, ClaimVerdict, Relation, list_bounds
from assistant.claims.facts import TableFacts
from assistant.claims.outcomes import Outcomes
from assistant.claims.ranks import check_order, compare, compare_equal, rank
from assistant.claims.reader import read_claims
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
    if claim.relation == "quantity":
        return _evaluate_quantity(claim, tables, p_values)
    if claim.relation == "significance":
        return _evaluate_significance(claim, tables, p_values)
    if tables and not any(facts.rows for facts in tables):
        return _evaluate_of_nothing(claim)
    outcomes = [outcome for facts in tables if facts.is_whole for outcome in _EVALUATORS[claim.relation](claim, facts)]
    verdicts = [holds for holds, _ in outcomes if holds is not None]
    if not verdicts:
        return UNTOLD
    holds = any(verdicts) if not claim.negated else not any(verdicts)
    reason = next((reason for outcome, reason in outcomes if outcome is not None and reason), "")
    bounds = list_bounds(claim) if holds else frozenset[float]()
    return ClaimVerdict(holds=holds, reason="" if holds else reason, bounds=bounds)


def _evaluate_of_nothing(claim: Claim) -> ClaimVerdict:
    """Of a result without rows: nothing is first, larger or there."""
    is_denial = claim.negated or claim.rows == "none"
    if is_denial or claim.relation not in ("most", "least", "ranking", "larger", "smaller", "share", "existence"):
        return ClaimVerdict(holds=True if is_denial else None, bounds=list_bounds(claim))
    return ClaimVerdict(holds=False, reason="the result has no rows")


def _evaluate_quantity(claim: Claim, tables: Sequence[TableFacts], p_values: Sequence[float]) -> ClaimVerdict:
    """Of how many rows it is true, by reading what is said of each."""
    verdicts: list[ClaimVerdict] = []
    for facts, quantified in zip(tables, claim.quantified, strict=True):
        if quantified is None or not facts.is_whole:
            continue
        claims = {
            value: [c for c in read_claims(text, (facts,), question=claim.context[-1]) if c.relation != "quantity"]
            for value, text in quantified.statements
        }
        truths = {value: _judge_all(own, facts, p_values) for value, own in claims.items()}
        if None in truths.values():
            continue
        true_rows = frozenset(value for value, is_true in truths.items() if is_true)
        names = ", ".join(sorted(true_rows)[:4])
        reason = f"true of {len(true_rows)} of {len(truths)}" + (f": {names}" if names else "")
        bounds = frozenset(bound for own in claims.values() for c in own for bound in list_bounds(c))
        holds = quantified.holds(true_rows) != claim.negated
        verdicts.append(
            ClaimVerdict(holds=holds, reason="" if holds else reason, bounds=bounds if holds else frozenset())
        )
    if not verdicts:
        verdicts = [
            v
            for alternative in claim.otherwise
            if (v := evaluate(alternative, tables, p_values=p_values)).holds is not None
        ]
        return min(verdicts, key=lambda verdict: verdict.holds is True, default=UNTOLD)
    return max(verdicts, key=lambda verdict: verdict.holds is True)


def _judge_all(claims: Sequence[Claim], facts: TableFacts, p_values: Sequence[float]) -> bool | None:
    """Whether all claims about one row hold; None where one cannot be evaluated, or there is none."""
    outcomes = [evaluate(claim, (facts,), p_values=p_values).holds for claim in claims]
    return None if not outcomes or None in outcomes else all(outcomes)


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
