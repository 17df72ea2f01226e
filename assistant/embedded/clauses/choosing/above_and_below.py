"""Rows on both sides of a bound: "how many clients have a size above 30, and how many below?"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import compares, in_its_unit
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted
from assistant.embedded.linking.options import ToColumn, ToNumber
from assistant.embedded.meaning import Operator

_SIDES = ("<", "<=", ">", ">=")


def above_and_below(draft: Draft) -> None:
    """Count what lies on the one side and what lies on the other; the second names no number, or one of its own."""
    counts = [i for i, _ in draft.cues("count")]
    compared = [(i, cue) for i, cue in draft.cues("compare") if cue.argument in _SIDES and not cue.hints]
    if len(counts) != _BOTH or len(compared) != _BOTH or not draft.cue_at(counts[1] - 1, "and"):
        return
    (one, first), (other, second) = compared
    column, number = draft.before(one, plain_max=2), draft.after(one, plain_max=1)
    of, bound = draft.open(column), draft.open(number)
    beyond = draft.after(other, plain_max=1)
    again = draft.open(beyond) if beyond is not None else bound
    if not counts[0] < one < counts[1] < other or draft.before(other, plain_max=2) != counts[1]:
        return
    if column is None or number is None or not isinstance(of, ToColumn) or not compares(draft, of):
        return
    if isinstance(bound, ToNumber) and isinstance(again, ToNumber):
        used = [one, column, number, counts[1] - 1, counts[1], other, *([beyond] if beyond is not None else [])]
        draft.use(*used)
        values = [(first, bound, number), (second, again, beyond or number)]
        draft.kinds[counts[0]] = [
            [
                FilterWanted(
                    of.attribute, _operator(c.argument), (in_its_unit(draft, of.attribute, n.number, at),), piece=at
                )
            ]
            for c, n, at in values
        ]


def _operator(argument: str) -> Operator:
    return cast(Operator, argument)


_BOTH = 2
