"""Claims about parts of a total, and about what there is. Pure."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from itertools import product

from assistant.claims.claim import Claim, ClaimAmount
from assistant.claims.facts import Measure, TableFacts
from assistant.claims.outcomes import Outcomes
from assistant.claims.selection import Rows, Selection, select
from assistant.claims.words import load_words, match_stems, tokenize


def evaluate_share(claim: Claim, facts: TableFacts) -> Outcomes:
    """Which part of the total something is."""
    amount = claim.amount
    if amount is None:
        return
    selection = select(claim, facts)
    own = frozenset().union(*selection.subjects) if selection.subjects else selection.scope
    if claim.negated and len(selection.subjects) > 1:  # "neither A nor B has a majority": each by itself
        for rows in selection.subjects:
            yield from _share_of_rows(claim, facts, amount, selection, rows)
        return
    if amount.kind == "count":
        for measure in selection.measures:
            if (figure := measure.combine([*own])) is not None:
                yield amount.holds(figure), f"{measure.column.label}: {figure:,.6g}"
        return
    measured = facts.find_measures(tokenize(claim.measure))
    additive = [m for m in facts.measures if m.column.additive]
    own_words = {form for token in tokenize(claim.sentence) for form in token.forms}
    percentages = [m for m in facts.measures if m.is_percentage and _is_hit(m, own_words)]
    if percentages and selection.subjects:  # "on Sundays most orders are online" is no share of Sunday
        yield from _share_told(claim, amount, percentages, own)
        return
    if selection.subjects:
        yield from _share_of_rows(claim, facts, amount, selection, own)
        yield from _share_of_crossing(claim, facts, amount, selection)
    parts = [m for m in measured if m.column.additive] or (additive if selection.subjects else [])
    yield from _share_between(claim, amount, product(parts, additive), [*own])
    stems = {stem for token in tokenize(claim.sentence) for stem in token.meanings}
    percentages_of_text = [
        m
        for m in facts.measures
        if m.is_percentage and (m in selection.measures or m in percentages or m.stems & stems)
    ]
    yield from _share_told(claim, amount, percentages_of_text, own)


def _share_of_rows(claim: Claim, facts: TableFacts, amount: ClaimAmount, selection: Selection, own: Rows) -> Outcomes:
    """Some rows as a part of all."""
    groups = selection.list_groups(facts)
    every = frozenset().union(*groups) if groups else selection.scope
    if own == every:
        return
    additive = [m for m in facts.measures if m.column.additive]
    for measure in [m for m in selection.measures if m.column.additive] or additive:
        if measure.is_base:
            continue
        part, total = measure.combine([*own]), measure.combine([*every])
        if part is not None and total:
            yield amount.holds(part / total), f"it is {part / total:.1%} of {measure.column.label}"


def _share_of_crossing(claim: Claim, facts: TableFacts, amount: ClaimAmount, selection: Selection) -> Outcomes:
    """Of the rows named by two columns, of both in one: "a third of urgent tickets are deliveries"."""
    columns: dict[int, Rows] = {}
    for mention in facts.find_mentions(tokenize(claim.sentence)):
        columns[mention.column] = columns.get(mention.column, frozenset()) | mention.rows
    if len(columns) < 2:
        return
    both = [*frozenset(range(facts.rows)).intersection(*columns.values())]
    for measure in selection.measures:
        for rows in columns.values():
            part, total = measure.combine(both), measure.combine([*rows])
            if measure.column.additive and part is not None and total:
                yield amount.holds(part / total), f"it is {part / total:.1%} of {measure.column.label}"


def _share_between(
    claim: Claim, amount: ClaimAmount, pairs: Iterable[tuple[Measure, Measure]], rows: Sequence[int]
) -> Outcomes:
    """One column as a part of another: returned items of items."""
    for part, total in pairs:
        first, second = part.combine(rows), total.combine(rows)
        if part is total or part.column.unit != total.column.unit or first is None or not second or first > second:
            continue
        share = first / second if claim.denies == part.is_denied else 1 - first / second
        yield amount.holds(share), f"{part.column.label} are {first / second:.1%} of {total.column.label}"


def _is_hit(measure: Measure, words: Iterable[str]) -> bool:
    return any(match_stems(stem, word) for stem in measure.stems - {"share"} for word in words)


def _share_told(claim: Claim, amount: ClaimAmount, measures: Sequence[Measure], rows: Rows) -> Outcomes:
    """The parts that columns tell: each row must hold."""
    for measure in measures:
        factor = 100 if measure.column.unit == "percent" else 1
        figures = [figure / factor for row in rows if (figure := measure.figures[row]) is not None]
        shares = [1 - figure for figure in figures] if claim.denies != measure.is_denied else figures
        if shares:
            yield all(amount.holds(share) for share in shares), f"{measure.column.label}: {figures[0]:.1%}"


def exists(claim: Claim, facts: TableFacts) -> Outcomes:
    """Whether there is something: of the rows measured, of every row, of none."""
    selection = select(claim, facts)
    measures = selection.measures if selection.is_measured or selection.subjects else facts.measures
    if selection.is_measured:  # "discontinued products" are those of the two that are fewer
        measures = sorted(measures, key=lambda measure: measure.combine([*selection.scope]) or 0)[:1]
    for measure in measures:
        rows = [*frozenset().union(*selection.subjects)] if selection.subjects else [*selection.scope]
        figures = [measure.figures[row] or 0 for row in rows]
        low = claim.sentence.lower()
        is_available = load_words().patterns["available"].search(low) is not None
        if is_available or (load_words().patterns["has"].search(low) and not measure.column.additive):  # 0 is a value
            figures = [0 if measure.figures[row] is None else 1 for row in rows]
        elif not measure.column.additive:
            continue  # that no region stands out by its rate says nothing of rates that are 0
        if not figures:
            continue
        reason = f"{measure.column.label}: {sum(figures):,.6g}"
        present = sum(figure != 0 for figure in figures)
        if not claim.negated:
            yield (present == len(figures) if claim.rows == "every" else present > 0), reason
        elif isinstance(claim.rows, ClaimAmount):
            # Negated is turned at the end; "several had none" holds where so many rows are empty.
            empty = len(figures) - present
            holds = claim.rows.holds(empty / len(figures) if claim.rows.kind == "share" else empty)
            yield not holds, reason
        else:
            yield present > 0, reason
