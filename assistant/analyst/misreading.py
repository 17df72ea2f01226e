"""Queries that use each word and compute something else: of all rows instead of one, of the whole instead of a part."""

from __future__ import annotations

from assistant.analyst import algebra as al
from assistant.analyst.grammar.chart import Derivation
from assistant.analyst.parts import PERIODS, Flag, GroupKey, MeasuredFigure, Top

_VALUES = frozenset(("one_value", "more_values", "among", "values_column", "flag", "unflag", "sign"))
"""Rules of conditions that say a value and not whose it is."""


def is_misread(derivation: Derivation, query: al.Query) -> bool:
    """Whether a query computes at another level than the one that is asked for, or of no row at all."""
    return (
        _groups_periods(derivation)
        or _adds_single(derivation, query)
        or _excludes_itself(query)
        or _shares_of_all(derivation, query)
    )


def _groups_periods(derivation: Derivation) -> bool:
    """Whether "monthly" makes groups inside of a figure that adds up: "average monthly revenue" is of months."""
    means = [p for p in derivation.parts if isinstance(p.meaning, MeasuredFigure) and "function" in p.rules]
    spans = [(p.start, p.end) for p in means if _is_mean(p.meaning)]
    keys = [p.start for p in derivation.parts if isinstance(p.meaning, GroupKey) and p.meaning.grain in PERIODS]
    return any(start < at < end for start, end in spans for at in keys)


def _is_mean(measured: object) -> bool:
    figure = measured.figure if isinstance(measured, MeasuredFigure) else None
    return isinstance(figure, al.Aggregate) and figure.function in ("mean", "median")


def _adds_single(derivation: Derivation, query: al.Query) -> bool:
    """Whether groups are ranked by what all rows come to, where the greatest single row is asked for."""
    tops = [(part.meaning, part.rules) for part in derivation.parts if isinstance(part.meaning, Top)]
    sizes = {top.by for top, rules in tops if "top_things" in rules}
    ranked = [f for f in query.figures if isinstance(f, al.Aggregate)] if isinstance(query, al.Grouped) else []
    return any(figure.function in ("sum", "mean") and figure.term in sizes for figure in ranked)


def _excludes_itself(query: al.Query) -> bool:
    """Whether a time told by today lies outside a month that is said too: "the last 7 days of August"."""
    inside = list(al.parts(query))
    months = {p.right for p in inside if isinstance(p, al.Compare) and _is_month(p.left)}
    spans = [part for part in inside if isinstance(part, al.Within) and part.start and part.start[:7] == part.end[:7]]
    return bool(months) and any(al.Constant(int(span.start[5:7])) not in months for span in spans)


def _is_month(term: al.Term) -> bool:
    return isinstance(term, al.Grain) and term.grain == "month of year"


def _shares_of_all(derivation: Derivation, query: al.Query) -> bool:
    """Whether a value stands between a share and its groups: "share of females by species" is one of each species."""
    if not isinstance(query, al.Grouped) or al.Share(al.Count()) not in query.figures:
        return False
    shares = [p.start for p in derivation.parts if isinstance(p.meaning, Flag) and p.meaning == Flag("share", "share")]
    keys = [part.start for part in derivation.parts if part.category in ("key", "column", "thing")]
    tests = [p.start for p in derivation.parts if p.category == "condition" and _VALUES.issuperset(p.rules)]
    return bool(shares and keys) and any(shares[0] < at < max(keys) for at in tests)
