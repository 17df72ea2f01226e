"""Clauses about how often a value is there: "which towns appear only once", "names that occur at least 3 times"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable
from assistant.embedded.meaning import Operator

_BEING_THERE = frozenset(("appear", "appears", "appearing", "appeared", "occur", "occurs", "occurring", "occurred"))
_TIMES = frozenset(("times", "time"))
_OFTEN = frozenset(("once", "twice", "thrice"))
_JUST = frozenset(("only", "just", "exactly"))


def repeated(draft: Draft) -> None:
    """Keep the values that so many rows have."""
    for i in range(1, len(draft.pieces) - 1):
        column = draft.before(i, plain_max=2)
        while column is not None and draft.cue_at(column, "with", "which"):
            column = draft.before(column, plain_max=1)
        of = draft.open(column)
        if draft.word(i) not in _BEING_THERE or column is None or not isinstance(of, ToColumn) or draft.cues("count"):
            continue
        at = i + 1
        while draft.word(at) in _JUST:
            at += 1
        bound = draft.cue_at(at, "compare")
        at += bound is not None
        number = draft.open(at)
        ends = at if draft.word(at) in _OFTEN else at + 1 if draft.word(at + 1) in _TIMES else None
        if ends is None or not isinstance(number, ToNumber):
            continue
        among = draft.after(ends, plain_max=3)
        rows = draft.open(among)
        counted = rows.entity if isinstance(rows, ToTable) else draft.entity_of(of.attribute)
        if among is not None and isinstance(rows, ToTable):
            draft.use(among)
        draft.use(*range(i, ends + 1), column)
        draft.mention(counted.name)
        figure = Wanted(aggregate="count", entity=counted, context=True)
        draft.groups.append(of.attribute)
        draft.having.append((figure, cast(Operator, bound.argument if bound is not None else "="), number.number))
        return
