"""Clauses that compare with a number: "price over 50", "more than 5 orders", "older than 30", "between 1 and 2"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import age_among, compares, in_its_unit, whole
from assistant.embedded.clauses.choosing.compared_with import compare, told_by_rows
from assistant.embedded.clauses.choosing.comparing_figures import of_groups, on_average
from assistant.embedded.clauses.choosing.quantities import between
from assistant.embedded.clauses.choosing.yardsticks import IN_TIME
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import hinted_beyond, tables_in_question
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToNumber, ToTable, ToText, ToValue
from assistant.embedded.linking.persons import is_person
from assistant.embedded.meaning import OPPOSITE, Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import is_past, stem
from assistant.embedded.words.vocabulary import LESS, MORE


def comparisons(draft: Draft) -> None:
    """ "price over 50", "more than 5 orders", "5 or more items", "older than 30", "between 10 and 20"."""
    for i, _ in draft.cues("between"):
        if not between(draft, i):
            known = len(draft.filters)
            _between(draft, i)
            deny(draft, i, draft.filters[known:], [])
    for i, cue in draft.cues("compare"):
        if cue.argument in IN_TIME:
            continue
        number = draft.after(i, plain_max=1)
        option = draft.open(number)
        if isinstance(option, ToNumber) and of_groups(draft, i) is not None:
            continue  # of the figures, which are read later
        if isinstance(option, ToTable | ToValue | ToText) and draft.pieces[i].span.text.lower() in _PLACES:
            draft.use(i)  # "customers under the policy X"
        if number is not None and isinstance(option, ToNumber) and _done_to_so_many(draft, i, number, option.number):
            continue
        if number is not None and _compared_to_its(draft, i, number, cue.argument):
            continue
        if number is not None and isinstance(option, ToNumber):
            known, counted, bound = len(draft.filters), len(draft.related), len(draft.having)
            hints, aged = cue.hints, draft.cue_at(number + 1, "or_more")
            if not hints and aged is not None and aged.hints:
                draft.use(number + 1)  # "over 30 years old"
                hints = aged.hints
            compare(draft, [i, number], cue.argument, hints, option.number)
            deny(draft, i, draft.filters[known:], draft.related[counted:], bound)
    _higher(draft)
    for i, cue in draft.cues("or_more"):
        number = draft.before(i, plain_max=0)
        option = draft.open(number)
        if number is not None and isinstance(option, ToNumber):
            known, counted, bound = len(draft.filters), len(draft.related), len(draft.having)
            compare(draft, [number, i], cue.argument, cue.hints, option.number)
            deny(draft, number, draft.filters[known:], draft.related[counted:], bound)
        elif number is not None and isinstance(option, ToColumn) and isinstance(draft.open(number - 1), ToNumber):
            _at_least(draft, i, number, option.attribute, cast(Operator, cue.argument))
    _per_unit(draft)
    on_average(draft)


def _per_unit(draft: Draft) -> None:
    """ "more than 350 a ton", where a column holds the price per ton: the unit is the column's own."""
    for i, piece in enumerate(draft.pieces[:-2]):
        link, unit = draft.pieces[i + 1 : i + 3]
        if not (piece.used and isinstance(piece.option, ToNumber)) or link.span.text.lower() not in _PER:
            continue
        if any(stem(unit.span.text.lower()) in f.attribute.stems for f in draft.filters):
            draft.use(i + 1, i + 2)


_PER = frozenset(("a", "an", "per", "each"))


def _at_least(draft: Draft, at: int, column: int, attribute: Attribute, operator: Operator) -> None:
    """ "with 4 stars or more": the column stands between the number and how it is compared."""
    number = draft.pieces[column - 1].option
    if isinstance(number, ToNumber) and attribute.is_number and operator != "=":
        draft.use(at, column, column - 1)
        draft.filters.append(FilterWanted(attribute, operator, (whole(number.number),), piece=column - 1))


def _higher(draft: Draft) -> None:
    """ "with a higher price than 50": the number stands between the word and what it is compared with."""
    for i, piece in enumerate(draft.pieces[:-3]):
        word, than = piece.span.text.lower(), draft.pieces[i + 2].span.text.lower()
        column, number = draft.open(i + 1), draft.open(i + 3)
        if word not in MORE | LESS or than != "than" or not isinstance(number, ToNumber):
            continue
        if isinstance(column, ToColumn) and compares(draft, column):
            known = len(draft.filters)
            draft.use(*range(i, i + 4))
            value = in_its_unit(draft, column.attribute, number.number, i + 3)
            draft.filters.append(FilterWanted(column.attribute, ">" if word in MORE else "<", (value,), piece=i + 1))
            deny(draft, i, draft.filters[known:], [])


def _done_to_so_many(draft: Draft, at: int, place: int, number: float) -> bool:
    """ "crashes that injured over 50 people", where each has a number of injured: they are no rows of a table."""
    verb, cue = draft.open(at - 1), draft.cue_at(at, "compare")
    behind = draft.open(place + 1)
    if cue is None or cue.argument not in OPPOSITE or not isinstance(verb, ToColumn) or not isinstance(behind, ToTable):
        return False
    number_done = verb.attribute.is_number and is_past(draft.word(at - 1)) and draft.word(at - 2) in _WHO
    if not number_done or not is_person(behind.entity) or draft.word(place + 1) not in _ANYBODY:
        return False
    draft.use(at - 1, at, place, place + 1)
    known = len(draft.filters)
    draft.filters.append(FilterWanted(verb.attribute, cue.argument, (whole(number),), piece=at - 1))
    deny(draft, at, draft.filters[known:], [])
    return True


_WHO = frozenset(("that", "who", "which"))
_ANYBODY = frozenset(("people", "persons"))


def _compared_to_its(draft: Draft, at: int, column: int, argument: str) -> bool:
    """ "under age 30", "above a price of 20": the column stands between the comparison and the number."""
    option, place = draft.open(column), draft.after(column, plain_max=1)
    number = draft.open(place)
    if not isinstance(option, ToColumn) or place is None or not isinstance(number, ToNumber):
        return False
    if not option.attribute.is_number or argument not in OPPOSITE or draft.pieces[place - 1].used:
        return False
    if place != column + 1 and draft.pieces[place - 1].span.text.lower() != "of":
        return False
    draft.use(at, column, place)
    value = in_its_unit(draft, option.attribute, number.number, place)
    known = len(draft.filters)
    draft.filters.append(FilterWanted(option.attribute, argument, (value,), piece=column))
    deny(draft, at, draft.filters[known:], [])
    return True


def deny(
    draft: Draft, at: int, filters: list[FilterWanted], related: list[RelatedWanted], bound: int | None = None
) -> None:
    """ "never had more than 10 bikes", "without totals over 20": the opposite, or no row for which it holds.

    So it is of the figures of groups from the place `bound` on: "that do not have an average over 20".
    """
    having = draft.having[bound:] if bound is not None else []
    place = at - 1
    while place >= 0 and draft.cue_at(place, "without", "not") is None:
        piece = draft.pieces[place]
        figure = bool(having) and piece.used and isinstance(piece.option, Cue) and piece.option.kind in _FIGURES
        says_else = isinstance(piece.option, Cue) or not piece.used
        if at - place > _DENIED_MAX or (piece.option is not None and says_else and not figure):
            return
        place -= 1
    if place < 0 or not (filters or related or having):
        return
    draft.use(place)
    if bound is not None:
        draft.having[bound:] = [(wanted, OPPOSITE[operator], value) for wanted, operator, value in having]
    for condition in filters:
        condition.operator, condition.denied = OPPOSITE[condition.operator], True
    for counted in related:
        counted.operator = OPPOSITE[counted.operator]


_DENIED_MAX = 4
_FIGURES = ("average", "sum", "minimum", "maximum", "count")
_PLACES = frozenset(("under", "over", "above", "below"))


def _between(draft: Draft, at: int) -> None:
    low = draft.after(at, plain_max=1)
    link = draft.after(low, plain_max=0) if low is not None else None
    high = draft.after(link, plain_max=0) if link is not None else None
    first, second = draft.open(low), draft.open(high)
    if low is None or link is None or high is None or not draft.cue_at(link, "and"):
        return
    if not isinstance(first, ToNumber) or not isinstance(second, ToNumber):
        return
    aged = draft.cue_at(high + 1, "or_more")
    if aged is not None and aged.hints and aged.argument == "=":
        draft.use(high + 1)  # "between 30 and 45 years old"
    cue = draft.cue_at(at, "between")
    measured = hinted_beyond(draft, cue.hints, tables_in_question(draft)) if cue is not None and cue.hints else None
    if measured is not None and measured.is_number:
        draft.use(at, low, link, high)  # "that cost between 10 and 20"
        values = tuple(in_its_unit(draft, measured, n, high) for n in (first.number, second.number))
        draft.filters.append(FilterWanted(measured, "between", values, piece=at))
        return
    before = draft.before(at, plain_max=3)
    if before is not None and draft.cue_at(before, "without", "not"):
        before = draft.before(before, plain_max=2)  # "whose price is not between 10 and 20"
    for place in (before, draft.after(high, plain_max=1)):
        option = draft.open(place)
        if place is not None and isinstance(option, ToColumn) and compares(draft, option):
            draft.use(at, low, link, high, place)
            values = tuple(in_its_unit(draft, option.attribute, n, high) for n in (first.number, second.number))
            draft.filters.append(FilterWanted(option.attribute, "between", values, piece=place))
            return
    told = told_by_rows(draft, at - 1, first.number, second.number) if at else None
    if told is not None:  # "deals between 1000 and 5000", which have but one number
        draft.use(at, low, link, high)
        draft.assumptions.append(f"{first.number:g} and {second.number:g} are compared with {told.words}")
        draft.filters.append(FilterWanted(told, "between", (whole(first.number), whole(second.number)), piece=high))
        return
    age = age_among(draft, at, first.number)
    if age is not None and not isinstance(draft.open(high + 1), ToColumn | ToTable | ToMetric):
        draft.use(at, low, link, high)
        draft.assumptions.append(f"{first.number:g} and {second.number:g} are compared with {age.words}")
        draft.filters.append(FilterWanted(age, "between", (whole(first.number), whole(second.number)), piece=high))
