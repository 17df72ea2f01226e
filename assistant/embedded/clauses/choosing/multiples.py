"""Clauses that compare with a multiple of the average: "more than twice the average price", "over 20 % above average",
"within 10 % of the average".
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import cast

from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.ordering.portions import part_said
from assistant.embedded.clauses.wanted import ComparedWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute

_TIMES = {"twice": 2.0, "double": 2.0, "triple": 3.0, "half": 0.5}
_BOUNDS = ("<", "<=", ">", ">=")
_PERCENT = ("percent", "percent of", "%")


@dataclass(frozen=True, slots=True)
class Part:
    """How many times the average is meant, or how far around it, and from which place on it is told, with its bound."""

    number: float
    start: int
    around: bool = False
    operator: str = ""


def multiples(draft: Draft) -> None:
    """Bind a number to so many times its average over all rows.

    Raises:
        Misfit: which rows the average is of stands behind it.
    """
    for i, cue in draft.cues("average", "above_average"):
        beyond = cast(Operator, cue.argument) if cue.kind == "above_average" and not cue.hints else None
        part = _beyond(draft, i, beyond) if beyond else times_said(draft, i) if cue.kind == "average" else None
        column = _column(draft, part.start, i) if part is not None else None
        if part is None or column is None:
            continue
        behind = max(column[0], i) + 1
        before, after = draft.cue_at(part.start - 1, "compare"), draft.cue_at(behind, "or_more")
        if any(isinstance(p.option, ToValue) for p in draft.pieces[i:]):
            raise Misfit("So many times the average of certain rows is more than I can read.", weight=5)
        said = before or after
        bounds = bounds_of(part, part.operator or (said.argument if said is not None else ""), beyond)
        if not bounds:
            continue
        draft.use(*range(part.start - (before is not None), i + 1), column[0], *([behind] if after else []))
        _use_again(draft, part.start, column[1])
        draft.compared += [ComparedWanted(column[1], operator, factor=round(number, 4)) for operator, number in bounds]


def bounds_of(part: Part, said: str, beyond: Operator | None) -> list[tuple[Operator, float]]:
    """What the number must be: "twice the average" is at least that, and "at least 20 % below it" at most 0.8 of it."""
    if part.around:
        return [(">=", 1 - part.number), ("<=", 1 + part.number)]
    if beyond is not None:
        closed: Operator = ">=" if ">" in beyond else "<="
        return [(closed if said == ">=" else beyond, part.number)] if said in ("", ">", ">=") else []
    if said in _BOUNDS:
        return [(cast(Operator, said), part.number)]
    return [(">=", part.number)] if not said and part.number > 1 else []


def times_said(draft: Draft, at: int) -> Part | None:
    """ "twice", "3 times", "half of", "150 % of", "within 10 % of" right before the average."""
    end = at - 1 if draft.word(at - 1) not in ("of", "the") else at - 2
    if (bound := draft.cue_at(at - 1, "part_of")) is not None:
        return Part(part_said(bound), at - 1, operator=bound.argument)
    if draft.word(end) in _TIMES:
        return Part(_TIMES[draft.word(end)], end)
    if draft.word(end) == "times" and isinstance(number := draft.open(end - 1), ToNumber):
        return Part(number.number, end - 1)
    if draft.word(end) in _PERCENT and isinstance(number := draft.open(end - 1), ToNumber):
        around = draft.word(end - 2) == "within"
        return Part(number.number / 100, end - 1 - around, around)
    return None


def _beyond(draft: Draft, at: int, operator: Operator) -> Part | None:
    """ "20 % above average", "10 % below the average"."""
    number = draft.open(at - 2)
    if draft.word(at - 1) not in _PERCENT or not isinstance(number, ToNumber):
        return None
    share = number.number / 100
    return Part(1 + share if ">" in operator else 1 - share, at - 2)


def _column(draft: Draft, start: int, at: int) -> tuple[int, Attribute] | None:
    """The number that the average is of: right behind it, or before all that is said of it."""
    before = start - 1 if draft.cue_at(start - 1, "compare") else start
    for place in (draft.after(at, plain_max=0), draft.before(before, plain_max=3)):
        option = draft.open(place)
        if place is not None and isinstance(option, ToColumn) and option.attribute.is_number:
            return place, option.attribute
    return None


def _use_again(draft: Draft, start: int, attribute: Attribute) -> None:
    """ "whose price is over twice the average price": the number is named again."""
    before = draft.before(start - 1 if draft.pieces[start - 1].used else start, plain_max=3)
    again = draft.open(before)
    if before is not None and isinstance(again, ToColumn) and again.attribute == attribute:
        draft.use(before)
