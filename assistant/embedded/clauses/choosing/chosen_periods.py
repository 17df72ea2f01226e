"""Periods asked for by a figure of theirs: "months in which costs were above 900", "weeks with over 8 orders"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.figuring.totals import total_of
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable
from assistant.embedded.meaning import Grain, Operator
from assistant.embedded.words.lexicon import singular
from assistant.embedded.words.vocabulary import word_set

_UNITS = frozenset(("day", "week", "month", "quarter", "year"))
_LEADING = word_set("in which when where with that all list show the what")
_BEFORE_MAX = 3


def chosen_periods(draft: Draft) -> None:
    """Group by the period that is asked for, and keep those whose figure is above or below the number."""
    bounds = [(i, cue) for i, cue in draft.cues("compare") if cue.argument in ("<", "<=", ">", ">=")]
    asked = _asked(draft)
    if asked is None or len(bounds) != 1 or draft.grains or draft.groups or draft.wanted:
        return
    (at, cue), (place, grain) = bounds[0], asked
    number = draft.after(at, plain_max=1)
    value = draft.open(number)
    if number is None or not isinstance(value, ToNumber) or at < place or cue.hints:
        return
    figure = _behind(draft, number) or _before(draft, at, place)
    if figure is None:
        return
    unit = draft.open(number + 1)
    if isinstance(unit, ToColumn) and unit.attribute == figure.attribute:
        draft.use(number + 1)  # "above 30 minutes", where the column says so in its name
    draft.use(place, at, number)
    figure.context = True
    draft.grains.append(grain)
    draft.having.append((figure, cast(Operator, cue.argument), value.number))


def _asked(draft: Draft) -> tuple[int, Grain] | None:
    """The place of "which months" or, at the head of a question, of "months in which"."""
    for i, cue in draft.cues("asked_grain"):
        return i, cast(Grain, cue.argument)
    for i, piece in enumerate(draft.pieces[:_BEFORE_MAX]):
        word = piece.span.text.lower()
        if singular(word) in _UNITS and word.endswith("s") and not isinstance(piece.option, ToColumn | ToTable):
            led = draft.word(i + 1).split()[:1]
            return (i, cast(Grain, singular(word))) if led and led[0] in _LEADING else None
        if not set(word.split()) <= _LEADING:
            return None
    return None


def _behind(draft: Draft, number: int) -> Wanted | None:
    """ "more than 8 flights": what is counted stands behind the number."""
    place = draft.after(number, plain_max=0)
    option = draft.open(place)
    if place is None or not isinstance(option, ToTable):
        return None
    draft.use(place)
    return Wanted(aggregate="count", entity=option.entity)


def _before(draft: Draft, at: int, asked: int) -> Wanted | None:
    """ "the average delay was above", "project costs were higher than": the figure stands before the comparison."""
    place = draft.before(at, plain_max=2)
    option = draft.open(place)
    if place is None or place <= asked:
        return None
    start = draft.before(place, plain_max=1)
    if start is not None and start > asked and draft.cue_at(start, "average", "sum", "count", "maximum", "minimum"):
        found = measure_at(draft, start)
        return found[0] if len(found) == 1 else None
    draft.use(place)
    match option:
        case ToMetric(metric=metric):
            return Wanted(metric=metric)
        case ToTable(entity=entity):
            return total_of(draft, entity)
        case ToColumn(attribute=attribute) if attribute.is_number:
            return Wanted(aggregate="sum" if attribute.adds_up else "average", attribute=attribute)
        case _:
            return None
