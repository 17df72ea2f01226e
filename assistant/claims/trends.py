"""Claims about time: what rose, fell or stayed, between which moments, and by how much. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from itertools import pairwise

from assistant.claims.claim import Claim, ClaimAmount, Relation
from assistant.claims.facts import Measure, TableFacts
from assistant.claims.outcomes import Outcomes
from assistant.claims.selection import is_better_low, is_change, select
from assistant.claims.words import Token, load_words, tokenize

_CHANGE_MIN = 1e-9
_FLAT = 0.15
_CORRELATION_MIN = 0.1
_YEAR = re.compile(r"(?<!\d)(?:19|20)\d\d(?!\d)")
_FROM_TO = re.compile(r"\bfrom\b.*\bto\b|\bbetween\b", re.IGNORECASE)


def evaluate_trend(claim: Claim, facts: TableFacts) -> Outcomes:
    """Up, down or flat: between the moments that are mentions, into the one that is mentions, or from first to last."""
    if not facts.periods:
        yield from _trend_of_changes(claim, facts)
        return
    selection = select(claim, facts)
    mentions = facts.find_mentions(tokenize(claim.sentence))
    later = set(load_words().lists["afterwards"].split()) & {token.text for token in tokenize(claim.sentence)}
    if later and len(claim.context) > 1:
        mentions = facts.find_mentions(tokenize(claim.context[1]))[-1:]
    moments = sorted(
        {
            n
            for m in mentions
            if facts.keys[m.column].role == "time"
            for n, rows in enumerate(facts.periods)
            if rows & m.rows
        }
    )
    moments = moments[-1:] if later else moments
    if not moments and any(facts.keys[m.column].role == "time" for m in facts.find_mentions(_read_context(claim))):
        return  # "after the peak in May, ...": from when on is said elsewhere
    entities = [
        rows
        for m in mentions or facts.find_mentions(tokenize(claim.subject))
        if facts.keys[m.column].role != "time"
        for rows in [m.rows]
    ]
    everything = frozenset(range(facts.rows))
    scopes = entities or [everything]
    if not entities and claim.rows == "every":
        place = next((n for n, key in enumerate(facts.keys) if key.role != "time"), None)
        scopes = [rows for _, rows in facts.groups[place]] if place is not None else scopes
    for measure in selection.measures:
        verdicts = list[bool]()
        reason = ""
        for scope in scopes:
            series = [measure.combine([*(rows & scope)]) for rows in facts.periods]
            values = [v for v in series if v is not None]
            if len(values) == len(series):
                if turned := _is_turned(claim, measure):
                    values = [-value for value in values]
                sums = [v for rows in facts.list_years() if (v := measure.combine([*(rows & scope)])) is not None]
                is_by_year = len(_YEAR.findall(claim.sentence)) > 1 and len(sums) > 1
                verdicts.append(
                    _has_trend(claim, values, moments, is_several=len(scopes) > 1)
                    or (not turned and is_by_year and _goes(claim.relation, sums[0], sums[-1], claim.amount))
                )
                reason = f"{measure.column.label}: {', '.join(f'{v:,.6g}' for v in values[:8])}"
        if verdicts:
            yield all(verdicts), reason


def _is_turned(claim: Claim, measure: Measure) -> bool:
    """Whether figures improve that fall."""
    improving = set(load_words().lists["improving"].split())
    return is_better_low(measure.column) and bool(improving & {token.text for token in tokenize(claim.sentence)})


def _read_context(claim: Claim) -> Sequence[Token]:
    return tokenize(claim.context[1] if len(claim.context) > 1 else "")


def _has_trend(claim: Claim, values: Sequence[float], moments: Sequence[int], *, is_several: bool) -> bool:
    text = claim.sentence
    if claim.negated and re.search(r"\bany\b", text):  # "no decline in any year"
        return any(_goes(claim.relation, a, b, None) for a, b in pairwise(values))
    start, end = _find_ends(text, moments, len(values))
    span = values[start : end + 1]
    if claim.rows == "every" and not is_several:
        return all(_goes(claim.relation, a, b, None) for a, b in pairwise(span))
    return _goes(claim.relation, values[start], values[end], claim.amount)


def _find_ends(text: str, moments: Sequence[int], count: int) -> tuple[int, int]:
    """From which moment to which a trend is said to go."""
    if len(moments) >= 2:
        return moments[0], moments[-1]
    if len(moments) == 1:
        at = moments[0]
        if any(
            re.search(rf"\b{word}\b", text, re.IGNORECASE)
            for word in (*load_words().lists["from_then"].split(), *load_words().lists["afterwards"].split())
        ):
            return at, count - 1
        return max(at - 1, 0), at if at else min(1, count - 1)
    return 0, count - 1


def _goes(relation: Relation, first: float, last: float, amount: ClaimAmount | None) -> bool:
    change = (last - first) / abs(first) if first else (0.0 if last == first else float("inf") * (last - first))
    if relation == "steady":
        return abs(change) <= _FLAT
    if (change if relation == "rise" else -change) <= _CHANGE_MIN:
        return False
    if amount is None:
        return True
    if amount.kind == "ratio":
        return first != 0 and amount.holds(last / first)
    return amount.holds(abs(change)) or amount.holds(abs(last - first) / 100)


def _trend_of_changes(claim: Claim, facts: TableFacts) -> Outcomes:
    """Where a column tells changes, their signs."""
    selection = select(claim, facts)
    if _FROM_TO.search(claim.sentence):  # over several rows no change is added up
        return
    for measure in find_changes(facts):
        rows = frozenset().union(*selection.subjects) if selection.subjects else selection.scope
        figures = [figure for row in rows if (figure := measure.figures[row]) is not None]
        if figures and (selection.subjects or claim.rows == "every"):
            sign = {"rise": 1, "fall": -1}.get(claim.relation, 0)
            parts = [figure / (100 if measure.column.unit == "percent" else 1) for figure in figures]
            yield (
                all(figure * sign > 0 and _is_so_much(claim.amount, figure) for figure in parts),
                f"{measure.column.label}: {figures[0]:,.6g}",
            )


def _is_so_much(amount: ClaimAmount | None, change: float) -> bool:
    return amount is None or amount.holds(1 + change if amount.kind == "ratio" else abs(change))


def find_changes(facts: TableFacts) -> tuple[Measure, ...]:
    """The columns whose figures are changes."""
    return tuple(measure for measure in facts.measures if is_change(measure))


def associate(claim: Claim, facts: TableFacts) -> Outcomes:
    """Whether two figures rise together over the rows, by ranks."""
    firsts, seconds = facts.find_measures(tokenize(claim.subject)), facts.find_measures(tokenize(claim.counterpart))
    for first in firsts:
        for second in seconds:
            pairs = [
                (a, b) for a, b in zip(first.figures, second.figures, strict=True) if a is not None and b is not None
            ]
            if first is second or len(pairs) < 4:
                continue
            value = _correlate([a for a, _ in pairs], [b for _, b in pairs])
            yield (
                (value > _CORRELATION_MIN) != claim.negated if False else value > _CORRELATION_MIN,
                f"the rank correlation is {value:.2f}",
            )


def _correlate(first: Sequence[float], second: Sequence[float]) -> float:
    ranks = [_rank_values(first), _rank_values(second)]
    mean = (len(first) + 1) / 2
    covariance = sum((a - mean) * (b - mean) for a, b in zip(*ranks, strict=True))
    spread = [sum((a - mean) ** 2 for a in values) for values in ranks]
    return covariance / (spread[0] * spread[1]) ** 0.5 if all(spread) else 0.0


def _rank_values(values: Sequence[float]) -> list[float]:
    ordered = sorted(values)
    return [(ordered.index(v) + 1 + len(ordered) - ordered[::-1].index(v)) / 2 for v in values]
