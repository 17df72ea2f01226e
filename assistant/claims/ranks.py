"""Claims that compare: larger and smaller, the first and the last, an order, the same. Pure."""

from __future__ import annotations

import re
from dataclasses import replace
from itertools import combinations, pairwise

from assistant.claims.claim import Claim, ClaimAmount
from assistant.claims.facts import Measure, TableFacts
from assistant.claims.outcomes import Outcome, Outcomes, describe_groups, name_rows
from assistant.claims.selection import Rows, Selection, is_better_low, measure_changes, select
from assistant.claims.trends import find_changes
from assistant.claims.words import load_words, match_stems, stem_words, tokenize

_ENDS_IN_AND = re.compile(r"\band$", re.IGNORECASE)
_COUNTED = re.compile(r"\b(?:more|fewer|most|fewest)\b(?!\s+than\b)", re.IGNORECASE)


def compare(claim: Claim, facts: TableFacts) -> Outcomes:
    """Larger or smaller: than what is named, than all others, or than a figure."""
    chosen = _select_measured(claim, facts)
    if chosen is None:
        return
    table, selection = chosen
    sign = -1 if claim.relation == "smaller" else 1
    if (pair := _find_measure_pair(claim, table, selection)) is not None:
        groups = (*selection.subjects, *selection.counterparts)
        rows = frozenset().union(*groups) if groups else selection.scope
        first, second = (measure.combine([*rows]) for measure in pair)
        if first is not None and second is not None:
            reason = f"{pair[0].column.label}: {first:,.6g}, {pair[1].column.label}: {second:,.6g}"
            yield _is_so_much_larger(claim, pair[0], first, second, sign), reason
        return
    if claim.change == "fall":
        sign = -sign
    measures = selection.measures
    texts = (claim.sentence,) if selection.is_measured else (claim.sentence, *claim.context)
    tokens = {token.text for text in texts for token in tokenize(text)}
    if tokens & set(load_words().lists["judging"].split()) and not _COUNTED.search(claim.sentence):
        # What is better is rated, not counted.
        measures = tuple(m for m in measures if not m.column.additive) or measures
    if claim.amount is not None and claim.amount.kind == "value" and "%" in claim.sentence:
        # None: it is a part of what no column tells.
        measures = tuple(m for m in (measures if selection.is_measured else table.measures) if m.is_percentage)
    if any(load_words().is_p_value(token.text) for token in tokenize(claim.sentence)):
        measures = table.p_values
    for measure in measures:
        if claim.amount is not None and claim.amount.kind == "value":
            yield _compare_with_figure(claim, table, selection, measure)
        else:
            yield from _compare_rows(claim, table, selection, measure, _turn(claim, measure, sign))


def _find_measure_pair(claim: Claim, facts: TableFacts, selection: Selection) -> tuple[Measure, Measure] | None:
    """The two figures that are compared with each other: "more loans than members"."""
    if selection.subjects and selection.counterparts:
        return None
    first, second = (facts.find_exact_measures(tokenize(side)) for side in claim.sides)
    if len(first) != 1 or len(second) != 1 or first == second or first[0].column.unit != second[0].column.unit:
        return None
    return first[0], second[0]


def _turn(claim: Claim, measure: Measure, sign: int) -> int:
    """Better is less where less is better, faster is less time, and a larger loss is a smaller figure."""
    words = {token.text for token in tokenize(claim.sentence)}
    lists = load_words().lists
    if load_words().patterns["below_zero"].search(claim.sentence.lower()) and any(
        (f or 0) < 0 for f in measure.figures
    ):
        return -sign
    if words & set(lists["improving"].split()) and is_better_low(measure.column):
        return -sign
    is_ratio = claim.amount is not None and claim.amount.kind == "ratio"
    if is_ratio and words & set(lists["as_fast"].split()) and is_better_low(measure.column):
        return -sign
    if words & set(lists["judging"].split()) and is_better_low(measure.column):
        return -sign
    if words & set(lists["speed"].split()) and not is_better_low(measure.column):
        return -sign
    return sign


def _compare_rows(claim: Claim, facts: TableFacts, selection: Selection, measure: Measure, sign: int) -> Outcomes:
    if selection.subjects and selection.counterparts:
        pairs = [(s, o) for s in selection.subjects for o in selection.counterparts if s != o]
        if pairs:
            holds = [_is_larger(claim, measure, s, o, sign) for s, o in pairs]
            verdicts = [h for h in holds if h is not None]
            figures = describe_groups(facts, selection.column, measure, (*selection.subjects, *selection.counterparts))
            joint = (
                [
                    _is_larger(claim, measure, frozenset().union(*selection.subjects), o, sign)
                    for o in selection.counterparts
                ]
                if len(selection.subjects) > 1
                else []
            )
            yield (all(verdicts) if verdicts else None), figures
            yield (all(j for j in joint) if joint else None), figures
        return
    if selection.subjects:
        groups = selection.list_groups(facts)
        own = frozenset().union(*selection.subjects)
        remaining = [rows for rows in groups if not rows & own]
        if not remaining:
            return
        reason = describe_groups(facts, selection.column, measure, groups[:4])
        joint = load_words().patterns["combined"].search(claim.sentence.lower()) is not None
        if not measure.column.additive or joint or len(remaining) == 1:
            yield _is_larger(claim, measure, own, frozenset().union(*remaining), sign), reason
        outcomes = [h for o in remaining if (h := _is_larger(claim, measure, own, o, sign)) is not None]
        is_told = load_words().patterns["than"].search(claim.sentence.lower()) is not None
        # "Ulm brings 3.50 less" leaves open than what: than one of them will do.
        yield ((all(outcomes) if is_told else any(outcomes)) if outcomes else None), reason
        return
    if claim.amount is not None:
        for groups in facts.groups:
            rows = [rows for _, rows in groups]
            if 1 < len(rows) <= 60:
                count = [
                    _is_larger(claim, measure, a, b, 1) or _is_larger(claim, measure, b, a, 1)
                    for a, b in combinations(rows, 2)
                ]
                yield any(count), describe_groups(facts, facts.groups.index(groups), measure, tuple(rows[:4]))


def _is_larger(claim: Claim, measure: Measure, subject: Rows, counterpart: Rows, sign: int) -> bool | None:
    first, second = measure.combine([*subject]), measure.combine([*counterpart])
    if first is None or second is None:
        return None
    return _is_so_much_larger(claim, measure, first, second, sign)


def _is_so_much_larger(claim: Claim, measure: Measure, first: float, second: float, sign: int) -> bool:
    """Whether the first is larger by the amount of a claim, or smaller where the sign is negative."""
    if first < 0 and second < 0 and load_words().patterns["below_zero"].search(claim.sentence.lower()):
        first, second, sign = -first, -second, -sign  # losses are compared by their size
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


def _compare_with_figure(claim: Claim, facts: TableFacts, selection: Selection, measure: Measure) -> Outcome:
    amount = claim.amount
    assert amount is not None, "it is a comparison with a figure"
    rows = [*frozenset().union(*selection.subjects)] if selection.subjects else [*selection.scope]
    if not selection.subjects and claim.rows is None:  # "overall, a loss was made"
        total = measure.combine(rows) if measure.column.additive else None
        return (None if total is None else amount.holds(total)), f"{measure.column.label}: {total or 0:,.6g}"
    figures = [figure for row in rows if (figure := measure.figures[row]) is not None]
    if not figures:
        return None, ""
    factor = 100 if measure.column.unit == "share" and "%" in claim.sentence else 1
    count = sum(amount.holds(figure * factor) for figure in figures)
    reason = f"{measure.column.label}: {min(figures):,.6g} to {max(figures):,.6g}"
    return _is_quantity(claim, count, len(figures)), reason


def _is_quantity(claim: Claim, count: int, total: int) -> bool:
    """Whether so many of all rows are as many as the claim says."""
    match claim.rows:
        case "none":
            return count == 0
        case "every" | None:
            return count == total
        case ClaimAmount(kind="share"):
            return claim.rows.holds(count / total)
        case ClaimAmount():
            return claim.rows.holds(count)


def _select_measured(claim: Claim, facts: TableFacts) -> tuple[TableFacts, Selection] | None:
    """The table that a claim is about and what of it; of changes where it speaks of them, None where there are none."""
    selection = select(claim, facts)
    if not claim.change:
        return facts, selection
    if (changes := measure_changes(facts, selection.column)) is not None:
        return changes, select(claim, changes)
    measures = find_changes(facts)
    return (facts, replace(selection, measures=measures)) if measures else None


def rank(claim: Claim, facts: TableFacts) -> Outcomes:
    """The most or the least: the rows named are before all others."""
    chosen = _select_measured(_with_whole_subject(claim), facts)
    if chosen is None:
        return
    table, selection = chosen
    if claim.sides[0]:
        yield from _rank_measures(claim, table, selection)
        return
    if not selection.subjects or selection.column is None:
        return
    sign = 1 if (claim.relation == "most") != (claim.change == "fall") else -1
    groups = selection.list_groups(table)
    own = frozenset().union(*selection.subjects)
    is_alone = load_words().patterns["alone"].search(claim.sentence.lower()) is not None
    for measure in selection.measures:
        turned = _turn(claim, measure, sign)
        figures = [(measure.combine([*rows]), rows) for rows in groups]
        ranking = sorted(((f * turned, rows) for f, rows in figures if f is not None), key=lambda p: -p[0])
        inside = [f for f, rows in ranking if rows <= own]
        outside = [f for f, rows in ranking if not rows & own]
        if not inside and outside and len(outside) < len(groups):
            yield False, f"{measure.column.label} of it is empty"
        if not inside or not outside:
            continue
        first, rows = ranking[0]
        reason = f"{measure.column.label}: {name_rows(table, selection.column, rows)} {first * turned:,.6g} comes first"
        if claim.place > 1:
            yield sum(f > max(inside) for f in outside) == claim.place - 1, reason
        else:
            is_margin = claim.amount is None or _is_so_much_larger(claim, measure, min(inside), max(outside), 1)
            is_tied = is_alone and min(inside) == max(outside)
            yield min(inside) >= max(outside) and is_margin and not is_tied, reason
            if len(inside) > 1 and re.search(r"\b(?:each|every) year\b", claim.sentence):
                yield _is_first_of_each_year(table, selection.column, measure, own, turned), reason


def _with_whole_subject(claim: Claim) -> Claim:
    """The claim of all that stands before the word that ranks: "January and April rose most" is of both months."""
    start = claim.sentence.find(claim.subject) if claim.subject else -1
    before = claim.sentence[:start].rstrip()
    return (
        replace(claim, subject=claim.sentence[: start + len(claim.subject)]) if _ENDS_IN_AND.search(before) else claim
    )


def _rank_measures(claim: Claim, facts: TableFacts, selection: Selection) -> Outcomes:
    """Of columns of one unit, which is the largest: "Enterprise is the largest plan in Germany"."""
    own = facts.find_exact_measures(tokenize(claim.sides[0]))
    rivals = [m for m in facts.measures if own and m.column.unit == own[0].column.unit and m.column.additive]
    rows = [row for rows in selection.subjects for row in rows] or [*selection.scope]
    figures = {measure.column.label: measure.combine(rows) for measure in rivals}
    if len(own) == 1 and len(figures) > 1 and None not in figures.values():
        choose = max if claim.relation == "most" else min
        best = choose(figures, key=lambda label: figures[label] or 0.0)
        yield figures[own[0].column.label] == figures[best], f"{best} {figures[best] or 0:,.6g} comes first"


def _is_first_of_each_year(facts: TableFacts, column: int, measure: Measure, own: Rows, sign: int) -> bool:
    """Whether of each year that is named the rows named come first."""
    years: dict[str, list[tuple[float, bool]]] = {}
    for value, rows in facts.groups[column]:
        if (figure := measure.combine([*rows])) is not None:
            years.setdefault(value[:4], []).append((figure * sign, rows <= own))
    contested = [figures for figures in years.values() if any(is_own for _, is_own in figures)]
    return all(max(figures)[1] for figures in contested)


def _names_rows(claim: Claim, facts: TableFacts) -> bool:
    """Whether a sentence speaks of what the rows are: "all channels", "both groups"."""
    forms = {form for token in tokenize(claim.sentence) for form in token.forms}
    stems = {stem for key in facts.keys for stem in stem_words(key.name)} | {"group"}
    return any(match_stems(stem, form) for stem in stems for form in forms)


def check_order(claim: Claim, facts: TableFacts) -> Outcomes:
    """A ranking: the rows named stand in the order of their figures. Denied, it is one from the bottom."""
    selection = select(claim, facts)
    adjacent = load_words().patterns["adjacent"].search(claim.sentence.lower()) is not None
    own = frozenset().union(*selection.subjects)

    def rivals(measure: Measure) -> list[float]:
        groups = (rows for rows in selection.list_groups(facts) if not rows & own)
        return [f for rows in groups if (f := measure.combine([*rows])) is not None]

    for measure in selection.measures:
        figures = [f for rows in selection.subjects if (f := measure.combine([*rows])) is not None]
        if len(figures) > 1:
            falls = all(a >= b for a, b in pairwise(figures))
            rises = all(a <= b for a, b in pairwise(figures))
            if adjacent and any(min(figures) < f < max(figures) for f in rivals(measure)):
                yield False, describe_groups(facts, selection.column, measure, selection.list_groups(facts)[:4])
                continue
            yield (
                (not rises if claim.negated else falls),
                describe_groups(facts, selection.column, measure, selection.subjects),
            )


def _choose_named_column(claim: Claim, facts: TableFacts) -> int:
    """The column of what a sentence speaks of: "both teams"; the first where it is called by none."""
    forms = {form for token in tokenize(claim.sentence) for form in token.forms}
    stems = (stem_words(key.name) for key in facts.keys)
    columns = (n for n, words in enumerate(stems) if any(match_stems(word, form) for word in words for form in forms))
    return next(columns, 0)


def compare_equal(claim: Claim, facts: TableFacts) -> Outcomes:
    selection, amount = select(claim, facts), claim.amount
    if amount is None:
        return
    groups = [*selection.subjects, *selection.counterparts]
    if not groups and not selection.is_measured and not _names_rows(claim, facts):
        return  # "the working days differ little": of what no column tells
    if len(groups) < 2:
        if not facts.groups:
            return
        column = selection.column if selection.column is not None else _choose_named_column(claim, facts)
        every = [rows for _, rows in facts.groups[column]]
        groups = (
            [selection.subjects[0], *(r for r in every if not r & selection.subjects[0])]
            if selection.subjects
            else every
        )
    for measure in selection.measures:
        figures = [f for rows in groups if (f := measure.combine([*rows])) is not None]
        if len(figures) > 1:
            low, high = min(figures), max(figures)
            spread = (high - low) / abs(high) if high else 0.0
            yield amount.holds(spread), f"{measure.column.label}: {low:,.6g} to {high:,.6g}"
