"""Which rows and figures of a result a claim speaks of. Pure."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace

from assistant.claims.amounts import find_numbers
from assistant.claims.claim import Claim
from assistant.claims.facts import Measure, Mention, TableFacts
from assistant.claims.words import Token, load_words, match_stems, stem_words, tokenize
from assistant.output.presentation.columns import Column

Rows = frozenset[int]
_SMALL = 10
_COUNTED = re.compile(r"\b(?:more|fewer|less|most|fewest|least)\s+\w+", re.IGNORECASE)


@dataclass(frozen=True, slots=True, kw_only=True)
class Selection:
    """What a claim speaks of in one table.

    Attributes:
        column: Which of the columns that name rows is compared by; None where the claim names no rows.
        subjects: The rows of each subject.
        counterparts: The rows of each thing that they are compared with, as far as these are subject_rows.
        scope: The rows that the rest of the sentence leaves: "in 2025".
        measures: The figures that are meant; all of them where none is subject_rows.
        is_measured: Whether the sentence names a figure.
    """

    column: int | None
    subjects: tuple[Rows, ...]
    counterparts: tuple[Rows, ...]
    scope: Rows
    measures: tuple[Measure, ...]
    is_measured: bool

    def list_groups(self, facts: TableFacts) -> tuple[Rows, ...]:
        """The rows of each value of the column that is compared by."""
        if self.column is None:
            return ()
        groups = (rows & self.scope for _, rows in facts.groups[self.column])
        return tuple(rows for rows in groups if rows)


def select(claim: Claim, facts: TableFacts) -> Selection:
    """What a claim speaks of."""
    own, _, fallback = claim.counterpart.partition("||")
    mentions = facts.find_mentions(tokenize(claim.sentence))
    subjects, counterparts = facts.find_mentions(tokenize(claim.subject)), facts.find_mentions(tokenize(own))
    column = _choose_column(facts, subjects, counterparts)
    if not counterparts and fallback and column is not None:
        counterparts = [m for m in facts.find_mentions(tokenize(fallback)) if m.column == column]
    scope = frozenset(range(facts.rows))
    for place in {mention.column for mention in mentions} - {column}:
        rows = frozenset().union(*(mention.rows for mention in mentions if mention.column == place))
        scope = scope & rows or scope
    tokens = tokenize(claim.measure)
    # What stands right behind a name is what the rows are, not what is measured: "urgent tickets are closed fastest".
    ends = {mention.end for mention in facts.find_mentions(tokens)}
    nouns = {token.start for token in tokens if token.start - 1 in ends}
    own_texts = [token for token in tokens if token.start not in nouns], tokens, tokenize(claim.sentence)
    named_measures = facts.find_measures(*own_texts)
    if not named_measures and (elsewhere := facts.find_measures(*(tokenize(text) for text in claim.context[1:2]))):
        # Another part of the sentence names one: this part may speak of it, or of another.
        named_measures = (*elsewhere, *(m for m in facts.measures if m not in elsewhere))
    durations = _find_durations(tokens, facts)
    named_measures = tuple(m for m in named_measures if m in durations) or durations or named_measures
    named_measures = _weigh_each(claim, facts, named_measures)
    subject_rows = _list_rows(subjects, column, scope)
    compared = tuple(rows for rows in _list_rows(counterparts, column, scope) if rows not in subject_rows)
    cited_measures = _find_told_measures(claim, facts, subject_rows, compared)
    measures = cited_measures or named_measures
    if not measures:
        # "More tickets": what is counted is a noun that no column is called by, whatever was question_measures.
        question = () if _COUNTED.search(claim.sentence) else tokenize(" ".join(claim.context[2:]))
        # Who speaks of a part of something names it.
        plain = tuple(m for m in facts.measures if not (m.is_percentage or m.is_base))
        question_measures = facts.find_all_measures(question)
        # Of several that were asked for, the first is spoken of where none is named, if it is the table's first.
        measures = tuple(measure for measure in plain[:1] if measure in question_measures)
        measures = measures or plain or question_measures or facts.measures
    return Selection(
        column=column,
        subjects=subject_rows,
        counterparts=compared,
        scope=scope,
        measures=measures,
        is_measured=bool(cited_measures or named_measures),
    )


def _find_durations(tokens: Sequence[Token], facts: TableFacts) -> tuple[Measure, ...]:
    """The times of a table, where words compare times: "were kept longer"."""
    lists = load_words().lists
    if not {token.text for token in tokens} & set(lists["durations"].split()):
        return ()
    units = set(lists["time_units"].split())
    return tuple(m for m in facts.measures if units & {*stem_words(m.column.name)})


def _weigh_each(claim: Claim, facts: TableFacts, named: tuple[Measure, ...]) -> tuple[Measure, ...]:
    """Of the figures named, those in all where the sentence counts; with those for each unit where it may tell them."""
    words = {token.text for token in tokenize(claim.sentence)}
    each = tuple(m for m in facts.measures if not m.column.additive and not m.is_percentage)
    if named and each and "average" in words:
        return each
    if named and words & set(load_words().lists["for_each"].split()):
        return (*named, *(m for m in facts.measures if not m.column.additive and m not in named))
    is_counted = re.search(r"\bthere (?:are|were) (?:more|fewer)\b", claim.sentence.lower()) is not None
    return (is_counted and tuple(m for m in named if m.column.additive)) or named


def _find_told_measures(
    claim: Claim, facts: TableFacts, subjects: Sequence[Rows], counterparts: Sequence[Rows]
) -> tuple[Measure, ...]:
    """The figures that the sentence tells of the rows: "M-4 uses the most, 25.66, ahead of M-3 with 23.59"."""
    if not subjects or (claim.relation not in ("most", "least") and not counterparts):
        return ()
    numbers = [value for _, _, value, _ in find_numbers(claim.sentence) if value > _SMALL or value % 1]
    if not numbers:
        return ()

    def is_told(measure: Measure, rows: Rows) -> bool:
        figure = measure.combine([*rows])
        return figure is not None and any(abs(abs(figure) - number) <= 0.5 * _ulp(number) for number in numbers)

    needed = (*subjects, *counterparts) if claim.relation not in ("most", "least") else subjects[:1]
    return tuple(measure for measure in facts.measures if all(is_told(measure, rows) for rows in needed))


def _ulp(number: float) -> float:
    """One of the last digit that a number is written with."""
    return 10.0 ** -len(f"{number:.10f}".rstrip("0").partition(".")[2])


def _choose_column(facts: TableFacts, subjects: Sequence[Mention], counterparts: Sequence[Mention]) -> int | None:
    """The column that both sides name; else one that the subject names: what has names before what is a time."""
    shared = [m.column for m in subjects if any(m.column == counterpart.column for counterpart in counterparts)]
    columns = shared or [mention.column for mention in (*subjects, *counterparts)]
    several = [c for c in columns if columns.count(c) > 1 and not shared]
    columns = several or columns
    return min(columns, key=lambda c: (facts.keys[c].role == "time", columns.index(c)), default=None)


def _list_rows(mentions: Sequence[Mention], column: int | None, scope: Rows) -> tuple[Rows, ...]:
    items = (mention.rows & scope for mention in mentions if mention.column == column)
    return tuple(dict.fromkeys(rows for rows in items if rows))


def measure_changes(facts: TableFacts, column: int | None) -> TableFacts | None:
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


def is_change(measure: Measure) -> bool:
    """Whether figures are changes."""
    return any(name in measure.column.name.casefold() for name in load_words().lists["changes"].split())


def is_better_low(column: Column) -> bool:
    """Whether less of a figure is better: days, cost, returns."""
    stems, lists = stem_words(column.name), load_words().lists
    if set(stems) & set(lists["associations"].split()):
        return False
    return any(match_stems(stem, word) for stem in stems for word in lists["lower_is_better"].split())
