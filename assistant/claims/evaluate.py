"""Whether results bear a claim out, on all of their rows. Pure.

Where a sentence leaves open what it means (which figure, which table), it holds if it holds in one reading, and is false
where every reading that can be looked up is: a wrong alarm costs a call and trust.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import replace
from itertools import combinations, pairwise

from assistant.claims.claim import UNTOLD, Amount, Claim, Relation, Verdict
from assistant.claims.facts import Facts, Measure
from assistant.claims.selection import Rows, Selection, is_better_low, measure_changes, select
from assistant.claims.words import load_words, match_stems, tokenize

_CHANGE_MIN = 1e-9
_FLAT = 0.15
_FROM_TO = re.compile(r"\bfrom\b.*\bto\b|\bbetween\b", re.IGNORECASE)
_CORRELATION_MIN = 0.1
_CAUSE = "The results show no causes. Word it as a possibility, or leave it out"


def evaluate(claim: Claim, tables: Sequence[Facts], *, p_values: Sequence[float] = ()) -> Verdict:
    """Whether the results bear a claim out.

    Args:
        claim: The claim.
        tables: The results.
        p_values: Probabilities of tests that were printed and stand in no table.
    """
    if claim.relation == "cause":
        return Verdict(holds=False, reason=_CAUSE)
    if claim.relation == "significance":
        return _evaluate_significance(claim, tables, p_values)
    outcomes = [outcome for facts in tables if facts.is_whole for outcome in _EVALUATORS[claim.relation](claim, facts)]
    told = [holds for holds, _ in outcomes if holds is not None]
    if not told:
        return UNTOLD
    holds = any(told) if not claim.negated else not any(told)
    reason = next((reason for held, reason in outcomes if held is not None and reason), "")
    return Verdict(holds=holds, reason="" if holds else reason)


Outcome = tuple[bool | None, str]
Outcomes = Iterator[Outcome]


def _evaluate_significance(claim: Claim, tables: Sequence[Facts], printed: Sequence[float]) -> Verdict:
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
    return Verdict(holds=holds, reason="" if holds else f"p is {', '.join(f'{figure:.3g}' for figure in figures[:3])}")


def _compare(claim: Claim, facts: Facts) -> Outcomes:
    """Larger or smaller: than what is named, than all others, or than a figure."""
    chosen = select(claim, facts)
    table = facts
    if claim.change:
        if (changes := measure_changes(facts, chosen.column)) is not None:
            table, chosen = changes, select(claim, changes)
        elif not (measures := _find_changes(facts)):
            return
        else:
            chosen = replace(chosen, measures=measures)
    sign = -1 if claim.relation == "smaller" else 1
    if claim.change == "fall":
        sign = -sign
    measures = chosen.measures
    if {token.text for token in tokenize(claim.sentence)} & set(load_words().lists["judging"].split()):
        # What is better is rated, not counted.
        measures = tuple(m for m in measures if not m.column.additive) or measures
    if claim.amount is not None and claim.amount.kind == "value" and "%" in claim.sentence:
        measures = tuple(m for m in table.measures if m.is_percentage) or measures
    for measure in measures:
        if claim.amount is not None and claim.amount.kind == "value":
            yield _compare_with_figure(claim, table, chosen, measure)
        else:
            yield from _compare_rows(claim, table, chosen, measure, _turn(claim, measure, sign))


def _turn(claim: Claim, measure: Measure, sign: int) -> int:
    """Better is less where less is better, and faster is less time."""
    words = {token.text for token in tokenize(claim.sentence)}
    lists = load_words().lists
    is_ratio = claim.amount is not None and claim.amount.kind == "ratio"
    if is_ratio and words & set(lists["as_fast"].split()) and is_better_low(measure.column):
        return -sign
    if words & set(lists["judging"].split()) and is_better_low(measure.column):
        return -sign
    if words & set(lists["speed"].split()) and not is_better_low(measure.column):
        return -sign
    return sign


def _compare_rows(claim: Claim, facts: Facts, chosen: Selection, measure: Measure, sign: int) -> Outcomes:
    if chosen.subjects and chosen.others:
        pairs = [(s, o) for s in chosen.subjects for o in chosen.others if s != o]
        if pairs:
            holds = [_is_larger(claim, measure, s, o, sign) for s, o in pairs]
            told = [h for h in holds if h is not None]
            both = _describe(facts, chosen.column, measure, (*chosen.subjects, *chosen.others))
            joint = (
                [_is_larger(claim, measure, frozenset().union(*chosen.subjects), o, sign) for o in chosen.others]
                if len(chosen.subjects) > 1
                else []
            )
            yield (all(told) if told else None), both
            yield (all(j for j in joint) if joint else None), both
        return
    if chosen.subjects:
        groups = chosen.list_groups(facts)
        own = frozenset().union(*chosen.subjects)
        rest = [rows for rows in groups if not rows & own]
        if not rest:
            return
        reason = _describe(facts, chosen.column, measure, groups[:4])
        joint = load_words().patterns["combined"].search(claim.sentence.lower()) is not None
        if not measure.column.additive or joint or len(rest) == 1:
            yield _is_larger(claim, measure, own, frozenset().union(*rest), sign), reason
        each = [h for o in rest if (h := _is_larger(claim, measure, own, o, sign)) is not None]
        yield (all(each) if each else None), reason
        return
    if claim.amount is not None:
        for groups in facts.groups:
            rows = [rows for _, rows in groups]
            if 1 < len(rows) <= 60:
                held = [
                    _is_larger(claim, measure, a, b, 1) or _is_larger(claim, measure, b, a, 1)
                    for a, b in combinations(rows, 2)
                ]
                yield any(held), _describe(facts, facts.groups.index(groups), measure, tuple(rows[:4]))


def _is_larger(claim: Claim, measure: Measure, subject: Rows, other: Rows, sign: int) -> bool | None:
    first, second = measure.combine([*subject]), measure.combine([*other])
    if first is None or second is None:
        return None
    if (first - second) * sign <= 0 and not (claim.amount is not None and claim.amount.kind == "ratio"):
        return False
    amount = claim.amount
    if amount is None or amount.kind == "count":
        return (first - second) * sign > 0
    if amount.kind == "ratio":
        if sign < 0 and amount.low >= 1:
            first, second = second, first
        return second != 0 and amount.holds(first / second)
    relative = abs(first - second) / abs(second) if second else float("inf")
    points = abs(first - second) / 100 if measure.is_percentage else relative
    return amount.holds(relative) or amount.holds(points)


def _compare_with_figure(claim: Claim, facts: Facts, chosen: Selection, measure: Measure) -> Outcome:
    amount = claim.amount
    assert amount is not None, "it is a comparison with a figure"
    rows = [*frozenset().union(*chosen.subjects)] if chosen.subjects else [*chosen.scope]
    figures = [figure for row in rows if (figure := measure.figures[row]) is not None]
    if not figures:
        return None, ""
    factor = 100 if measure.column.unit == "share" and "%" in claim.sentence else 1
    held = sum(amount.holds(figure * factor) for figure in figures)
    reason = f"{measure.column.label}: {min(figures):,.6g} to {max(figures):,.6g}"
    return _is_quantity(claim, held, len(figures)), reason


def _is_quantity(claim: Claim, held: int, total: int) -> bool:
    """Whether so many of all rows are as many as the claim says."""
    match claim.rows:
        case "none":
            return held == 0
        case "every" | None:
            return held == total
        case Amount(kind="share"):
            return claim.rows.holds(held / total)
        case Amount():
            return claim.rows.holds(held)


def _rank(claim: Claim, facts: Facts) -> Outcomes:
    """The most or the least: the rows named are before all others."""
    chosen = select(claim, facts)
    table = facts
    if claim.change:
        if (changes := measure_changes(facts, chosen.column)) is not None:
            table, chosen = changes, select(claim, changes)
        elif not (measures := _find_changes(facts)):
            return
        else:
            chosen = replace(chosen, measures=measures)
    if not chosen.subjects or chosen.column is None:
        return
    sign = 1 if (claim.relation == "most") != (claim.change == "fall") else -1
    groups = chosen.list_groups(table)
    own = frozenset().union(*chosen.subjects)
    for measure in chosen.measures:
        turned = _turn(claim, measure, sign)
        figures = [(measure.combine([*rows]), rows) for rows in groups]
        known = sorted(((f * turned, rows) for f, rows in figures if f is not None), key=lambda p: -p[0])
        inside = [f for f, rows in known if rows <= own]
        outside = [f for f, rows in known if not rows & own]
        if not inside or not outside:
            continue
        reason = f"{measure.column.label}: {_name(table, chosen.column, known[0][1])} {known[0][0] * turned:,.6g} comes first"
        if claim.place > 1:
            yield sum(f > max(inside) for f in outside) == claim.place - 1, reason
        else:
            yield min(inside) >= max(outside), reason
            if len(inside) > 1 and re.search(r"\b(?:each|every) year\b", claim.sentence):
                yield _is_first_of_each_year(table, chosen.column, measure, own, turned), reason


def _is_first_of_each_year(facts: Facts, column: int, measure: Measure, own: Rows, sign: int) -> bool:
    """Whether of each year that is named the rows named come first."""
    years: dict[str, list[tuple[float, bool]]] = {}
    for value, rows in facts.groups[column]:
        if (figure := measure.combine([*rows])) is not None:
            years.setdefault(value[:4], []).append((figure * sign, rows <= own))
    named = [figures for figures in years.values() if any(is_own for _, is_own in figures)]
    return all(max(figures)[1] for figures in named)


def _order(claim: Claim, facts: Facts) -> Outcomes:
    """A ranking: the rows named stand in the order of their figures. Denied, it is one from the bottom."""
    chosen = select(claim, facts)
    for measure in chosen.measures:
        figures = [f for rows in chosen.subjects if (f := measure.combine([*rows])) is not None]
        if len(figures) > 1:
            falls = all(a >= b for a, b in pairwise(figures))
            rises = all(a <= b for a, b in pairwise(figures))
            yield (not rises if claim.negated else falls), _describe(facts, chosen.column, measure, chosen.subjects)


def _share(claim: Claim, facts: Facts) -> Outcomes:
    """Which part of the whole something is."""
    amount = claim.amount
    if amount is None:
        return
    chosen = select(claim, facts)
    own = frozenset().union(*chosen.subjects) if chosen.subjects else chosen.scope
    if claim.negated and len(chosen.subjects) > 1:  # "neither A nor B has a majority": each by itself
        for rows in chosen.subjects:
            yield from _share_of_rows(claim, facts, amount, chosen, rows)
        return
    if amount.kind == "count":
        for measure in chosen.measures:
            if (figure := measure.combine([*own])) is not None:
                yield amount.holds(figure), f"{measure.column.label}: {figure:,.6g}"
        return
    named = facts.find_measures(tokenize(claim.measure))
    additive = [m for m in facts.measures if m.column.additive]
    own_words = {form for token in tokenize(claim.sentence) for form in token.forms}
    percentages = [m for m in facts.measures if m.is_percentage and _is_hit(m, own_words)]
    if percentages and chosen.subjects:  # "on Sundays most orders are online" is no share of Sunday
        yield from _share_told(claim, amount, percentages, own)
        return
    if chosen.subjects:
        yield from _share_of_rows(claim, facts, amount, chosen, own)
    yield from _share_between(claim, amount, additive, [m for m in named if m.column.additive], [*own], chosen)
    stems = {stem for token in tokenize(claim.sentence) for stem in token.meanings}
    told = [m for m in facts.measures if m.is_percentage and (m in chosen.measures or m.stems & stems)]
    yield from _share_told(claim, amount, told, own)


def _is_hit(measure: Measure, words: Iterable[str]) -> bool:
    return any(match_stems(stem, word) for stem in measure.stems - {"share"} for word in words)


def _share_told(claim: Claim, amount: Amount, measures: Sequence[Measure], rows: Rows) -> Outcomes:
    """The parts that columns tell: each row must hold."""
    for measure in measures:
        factor = 100 if measure.column.unit == "percent" else 1
        figures = [figure / factor for row in rows if (figure := measure.figures[row]) is not None]
        shares = [1 - figure for figure in figures] if claim.denies != measure.is_denied else figures
        if shares:
            yield all(amount.holds(share) for share in shares), f"{measure.column.label}: {figures[0]:.1%}"


def _share_of_rows(claim: Claim, facts: Facts, amount: Amount, chosen: Selection, own: Rows) -> Outcomes:
    """Some rows as a part of all."""
    groups = chosen.list_groups(facts)
    every = frozenset().union(*groups) if groups else chosen.scope
    if own == every:
        return
    additive = [m for m in facts.measures if m.column.additive]
    for measure in [m for m in chosen.measures if m.column.additive] or additive:
        part, whole = measure.combine([*own]), measure.combine([*every])
        if part is not None and whole:
            yield amount.holds(part / whole), f"it is {part / whole:.1%} of {measure.column.label}"


def _share_between(
    claim: Claim,
    amount: Amount,
    additive: Sequence[Measure],
    named: Sequence[Measure],
    rows: Sequence[int],
    chosen: Selection,
) -> Outcomes:
    """One column as a part of another: returned items of items."""
    for part in named or additive:
        for whole in additive:
            first, second = part.combine(rows), whole.combine(rows)
            if part is whole or first is None or not second or first > second:
                continue
            share = first / second if claim.denies == part.is_denied else 1 - first / second
            if chosen.subjects or named:
                yield amount.holds(share), f"{part.column.label} are {first / second:.1%} of {whole.column.label}"


def _trend(claim: Claim, facts: Facts) -> Outcomes:
    """Up, down or flat: between the moments that are named, into the one that is named, or from first to last."""
    if not facts.periods:
        yield from _trend_of_changes(claim, facts)
        return
    chosen = select(claim, facts)
    named = facts.find_mentions(tokenize(claim.sentence))
    later = set(load_words().lists["afterwards"].split()) & {token.text for token in tokenize(claim.sentence)}
    if later and len(claim.context) > 1:
        named = facts.find_mentions(tokenize(claim.context[1]))[-1:]
    moments = sorted(
        {
            n
            for m in named
            if facts.keys[m.column].role == "time"
            for n, rows in enumerate(facts.periods)
            if rows & m.rows
        }
    )
    moments = moments[-1:] if later else moments
    entities = [
        rows
        for m in named or facts.find_mentions(tokenize(claim.subject))
        if facts.keys[m.column].role != "time"
        for rows in [m.rows]
    ]
    everything = frozenset(range(facts.rows))
    scopes = entities or [everything]
    if not entities and claim.rows == "every":
        place = next((n for n, key in enumerate(facts.keys) if key.role != "time"), None)
        scopes = [rows for _, rows in facts.groups[place]] if place is not None else scopes
    for measure in chosen.measures:
        held = list[bool]()
        reason = ""
        for scope in scopes:
            series = [measure.combine([*(rows & scope)]) for rows in facts.periods]
            values = [v for v in series if v is not None]
            if len(values) == len(series):
                held.append(_has_trend(claim, values, moments, is_several=len(scopes) > 1))
                reason = f"{measure.column.label}: {', '.join(f'{v:,.6g}' for v in values[:8])}"
        if held:
            yield all(held), reason


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


def _goes(relation: Relation, first: float, last: float, amount: Amount | None) -> bool:
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


def _trend_of_changes(claim: Claim, facts: Facts) -> Outcomes:
    """Where a column tells changes, their signs."""
    chosen = select(claim, facts)
    if _FROM_TO.search(claim.sentence):  # over several rows no change is added up
        return
    for measure in _find_changes(facts):
        rows = frozenset().union(*chosen.subjects) if chosen.subjects else chosen.scope
        figures = [figure for row in rows if (figure := measure.figures[row]) is not None]
        if figures and (chosen.subjects or claim.rows == "every"):
            sign = {"rise": 1, "fall": -1}.get(claim.relation, 0)
            parts = [figure / (100 if measure.column.unit == "percent" else 1) for figure in figures]
            yield (
                all(figure * sign > 0 and _is_so_much(claim.amount, figure) for figure in parts),
                f"{measure.column.label}: {figures[0]:,.6g}",
            )


def _is_so_much(amount: Amount | None, change: float) -> bool:
    return amount is None or amount.holds(1 + change if amount.kind == "ratio" else abs(change))


def _find_changes(facts: Facts) -> tuple[Measure, ...]:
    """The columns whose figures are changes."""
    names = load_words().lists["changes"].split()
    return tuple(m for m in facts.measures if any(name in m.column.name.casefold() for name in names))


def _equal(claim: Claim, facts: Facts) -> Outcomes:
    chosen, amount = select(claim, facts), claim.amount
    if amount is None:
        return
    groups = list(chosen.subjects)
    if len(groups) < 2:
        column = chosen.column if chosen.column is not None else 0 if facts.groups else None
        if column is None:
            return
        every = [rows for _, rows in facts.groups[column]]
        groups = [chosen.subjects[0], *(r for r in every if not r & chosen.subjects[0])] if chosen.subjects else every
    for measure in chosen.measures:
        figures = [f for rows in groups if (f := measure.combine([*rows])) is not None]
        if len(figures) > 1:
            low, high = min(figures), max(figures)
            spread = (high - low) / abs(high) if high else 0.0
            yield amount.holds(spread), f"{measure.column.label}: {low:,.6g} to {high:,.6g}"


def _exists(claim: Claim, facts: Facts) -> Outcomes:
    """Whether there is something: of the rows named, of every row, of none."""
    chosen = select(claim, facts)
    measures = chosen.measures if chosen.is_measured or chosen.subjects else facts.measures
    if chosen.is_measured:  # "discontinued products" are those of the two that are fewer
        measures = sorted(measures, key=lambda measure: measure.combine([*chosen.scope]) or 0)[:1]
    for measure in measures:
        rows = [*frozenset().union(*chosen.subjects)] if chosen.subjects else [*chosen.scope]
        figures = [measure.figures[row] or 0 for row in rows]
        if not figures:
            continue
        reason = f"{measure.column.label}: {sum(figures):,.6g}"
        present = sum(figure != 0 for figure in figures)
        if not claim.negated:
            yield (present == len(figures) if claim.rows == "every" else present > 0), reason
        elif isinstance(claim.rows, Amount):
            # Negated is turned at the end; "several had none" holds where so many rows are empty.
            empty = len(figures) - present
            holds = claim.rows.holds(empty / len(figures) if claim.rows.kind == "share" else empty)
            yield not holds, reason
        else:
            yield present > 0, reason


def _associate(claim: Claim, facts: Facts) -> Outcomes:
    """Whether two figures rise together over the rows, by ranks."""
    firsts, seconds = facts.find_measures(tokenize(claim.subject)), facts.find_measures(tokenize(claim.other))
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


def _name(facts: Facts, column: int, rows: Rows) -> str:
    return next((value for value, own in facts.groups[column] if rows <= own), "")


def _describe(facts: Facts, column: int | None, measure: Measure, groups: Iterable[Rows]) -> str:
    if column is None:
        return ""
    figures = [(_name(facts, column, rows), measure.combine([*rows])) for rows in groups]
    return f"{measure.column.label}: " + ", ".join(f"{name} {f:,.6g}".strip() for name, f in figures if f is not None)


_EVALUATORS: Mapping[Relation, Callable[[Claim, Facts], Outcomes]] = {
    "larger": _compare,
    "smaller": _compare,
    "most": _rank,
    "least": _rank,
    "ranking": _order,
    "share": _share,
    "rise": _trend,
    "fall": _trend,
    "steady": _trend,
    "equal": _equal,
    "difference": _equal,
    "existence": _exists,
    "association": _associate,
}
