"""Which rows and figures of a result a claim speaks of. Pure."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.claims.claim import Claim
from assistant.claims.facts import Facts, Measure, Mention
from assistant.claims.words import load_words, tokenize
from assistant.output.presentation.columns import Column

Rows = frozenset[int]


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a claim speaks of in one table.

    Attributes:
        column: Which of the columns that name rows is compared by; None where the claim names no rows.
        subjects: The rows of each subject.
        others: The rows of each thing that they are compared with, as far as these are named.
        scope: The rows that the rest of the sentence leaves: "in 2025".
        measures: The figures that are meant; all of them where none is named.
        is_measured: Whether the sentence names a figure.
    """

    column: int | None
    subjects: tuple[Rows, ...]
    others: tuple[Rows, ...]
    scope: Rows
    measures: tuple[Measure, ...]
    is_measured: bool

    def list_groups(self, facts: Facts) -> tuple[Rows, ...]:
        """The rows of each value of the column that is compared by."""
        if self.column is None:
            return ()
        groups = (rows & self.scope for _, rows in facts.groups[self.column])
        return tuple(rows for rows in groups if rows)


def select(claim: Claim, facts: Facts) -> Selection:
    """What a claim speaks of."""
    own, _, fallback = claim.other.partition("||")
    mentions = facts.find_mentions(tokenize(claim.sentence))
    subjects, others = facts.find_mentions(tokenize(claim.subject)), facts.find_mentions(tokenize(own))
    column = _choose_column(facts, subjects, others)
    if not others and fallback and column is not None:
        others = [m for m in facts.find_mentions(tokenize(fallback)) if m.column == column]
    scope = frozenset(range(facts.rows))
    for place in {mention.column for mention in mentions} - {column}:
        rows = frozenset().union(*(mention.rows for mention in mentions if mention.column == place))
        scope = scope & rows or scope
    found = facts.find_measures(tokenize(claim.measure))
    measures = found or facts.measures
    named = _list_rows(subjects, column, scope)
    return Selection(
        column=column,
        subjects=named,
        others=tuple(rows for rows in _list_rows(others, column, scope) if rows not in named),
        scope=scope,
        measures=measures,
        is_measured=bool(found),
    )


def _choose_column(facts: Facts, subjects: Sequence[Mention], others: Sequence[Mention]) -> int | None:
    """The column that both sides name; else one that the subject names: what has names before what is a time."""
    shared = [m.column for m in subjects if any(m.column == other.column for other in others)]
    columns = shared or [mention.column for mention in (*subjects, *others)]
    several = [c for c in columns if columns.count(c) > 1 and not shared]
    columns = several or columns
    return min(columns, key=lambda c: (facts.keys[c].role == "time", columns.index(c)), default=None)


def _list_rows(mentions: Sequence[Mention], column: int | None, scope: Rows) -> tuple[Rows, ...]:
    items = (mention.rows & scope for mention in mentions if mention.column == column)
    return tuple(dict.fromkeys(rows for rows in items if rows))


def measure_changes(facts: Facts, column: int | None) -> Facts | None:
    """How much the figures of each group changed from the first moment to the last, absolutely and in parts."""
    if len(facts.periods) < 2 or column is None or facts.keys[column].role == "time":
        return None
    first, last = facts.periods[0], facts.periods[-1]
    groups = [rows for _, rows in facts.groups[column]]
    measures: list[Measure] = []
    for measure in facts.measures:
        pairs = [(measure.combine([*(rows & first)]), measure.combine([*(rows & last)])) for rows in groups]
        absolute = tuple(None if a is None or b is None else b - a for a, b in pairs)
        relative = tuple(None if not a or b is None else b / a - 1 for a, b in pairs)
        measures += [replace(measure, figures=figures) for figures in (absolute, relative)]
    place = {row: n for n, rows in enumerate(groups) for row in rows}
    names = tuple(
        replace(name, column=0, rows=frozenset(place[row] for row in name.rows))
        for name in facts.names
        if name.column == column
    )
    values = tuple((value, frozenset({n})) for n, (value, _) in enumerate(facts.groups[column]))
    return replace(
        facts,
        keys=(facts.keys[column],),
        groups=(values,),
        names=names,
        measures=tuple(measures),
        periods=(),
        rows=len(groups),
    )


def is_better_low(column: Column) -> bool:
    """Whether less of a figure is better: days, cost, returns."""
    from assistant.claims.words import match_stems, stem_words

    listed = load_words().lists["lower_is_better"].split()
    return any(match_stems(stem, word) for stem in stem_words(column.name) for word in listed)
