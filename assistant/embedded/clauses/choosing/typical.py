"""Groups whose count or total is above what they have on average, or what one of them has: "customers with more orders
than average", "with more orders than Ada".
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.multiples import bounds_of, times_said
from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Entity
from assistant.embedded.sql.measuring import adds_up
from assistant.embedded.words.vocabulary import LESS, MORE


def typical(draft: Draft) -> None:
    """Compare the figure of each group with its average over all groups."""
    for i in range(1, len(draft.pieces) - 1):
        _more_than_average(draft, i)
        _more_than_one(draft, i)
    for i, _ in draft.cues("average"):
        _times_the_average(draft, i)
    for i, cue in draft.cues("above_average"):
        operator = cast(Operator, cue.argument)
        if not _number_of(draft, i, operator):
            _total(draft, i, operator)


def _more_than_average(draft: Draft, at: int) -> None:
    """ "more orders than average", "fewer orders than the average customer"."""
    word, counted, than = draft.word(at), draft.open(at + 1), at + 2
    average = draft.after(than, plain_max=1) if draft.word(than) == "than" else None
    if word not in MORE | LESS or not isinstance(counted, ToTable) or not draft.cue_at(average, "average"):
        return
    rows = draft.first_table(before=at)
    if average is None or rows is None or rows == counted.entity:
        return
    again = draft.after(average, plain_max=1)
    same = draft.open(again)
    owners = [again] if again is not None and isinstance(same, ToTable) and same.entity == rows else []
    figure = Wanted(aggregate="count", entity=counted.entity, context=True)
    _bind(draft, rows, figure, ">" if word in MORE else "<", [at, at + 1, average, *owners])


def _times_the_average(draft: Draft, at: int) -> None:
    """ "customers with more than twice the average number of orders", "with over 3 times the average revenue"."""
    part = times_said(draft, at)
    if part is None or part.around or draft.typical:
        return
    before = draft.cue_at(part.start - 1, "compare")
    bounds = bounds_of(part, part.operator or (before.argument if before is not None else ""), None)
    rows = draft.first_table(before=part.start)
    figure, places = _averaged(draft, at, rows)
    if rows is None or figure is None or len(bounds) != 1:
        return
    operator, draft.part_of_all = bounds[0]
    _bind(draft, rows, figure, operator, [*range(part.start - (before is not None), at + 1), *places])


def _averaged(draft: Draft, at: int, rows: Entity | None) -> tuple[Wanted | None, list[int]]:
    """The figure of each of the rows that an average is of, and the places that tell it."""
    place = draft.after(at, plain_max=1)
    count = place if place is not None and draft.cue_at(place, "count") else None
    place = draft.after(count, plain_max=1) if count is not None else place
    option = draft.open(place)
    if place is None:
        return None, []
    if isinstance(option, ToTable) and count is not None and option.entity != rows:
        return Wanted(aggregate="count", entity=option.entity, context=True), [count, place]
    if isinstance(option, ToMetric) and adds_up(option.metric.expression):
        return Wanted(metric=option.metric, context=True), [place]
    return None, []


def _more_than_one(draft: Draft, at: int) -> None:
    """ "more orders than Ada", "fewer orders than the customer Ada": than the one that is named has."""
    word, counted, than = draft.word(at), draft.open(at + 1), at + 2
    place = draft.after(than, plain_max=1) if draft.word(than) == "than" else None
    rows, owners = draft.first_table(before=at), list[int]()
    if word not in MORE | LESS or not isinstance(counted, ToTable) or rows is None or rows == counted.entity:
        return
    again = draft.open(place)
    if place is not None and isinstance(again, ToTable) and again.entity == rows:
        owners, place = [place], draft.after(place, plain_max=0)
    one = draft.open(place)
    if place is None or not isinstance(one, ToValue) or one.attribute.table != rows.name:
        return
    if one.attribute.name not in (*rows.label, *rows.key) or draft.after(place) is not None:
        return  # of a kind of them, or under conditions of its own
    figure = Wanted(aggregate="count", entity=counted.entity, context=True)
    draft.rival = FilterWanted(one.attribute, "=", (one.value,), one.known, place)
    _group(draft, rows, figure, ">" if word in MORE else "<", [at, at + 1, place, *owners])
    if word in LESS:
        draft.assumptions.append(f"{rows.many} without any are left out")


def _number_of(draft: Draft, at: int, operator: Operator) -> bool:
    """ "with an above average number of orders"."""
    count = draft.after(at, plain_max=0)
    place = draft.after(count, plain_max=1) if count is not None and draft.cue_at(count, "count") else None
    counted, rows = draft.open(place), draft.first_table(before=at)
    if count is None or place is None or not isinstance(counted, ToTable) or rows is None or rows == counted.entity:
        return False
    figure = Wanted(aggregate="count", entity=counted.entity, context=True)
    _bind(draft, rows, figure, operator, [at, count, place])
    return True


def _total(draft: Draft, at: int, operator: Operator) -> None:
    """ "whose total freight is above the average", "with total freight above the average total"."""
    place = draft.before(at, plain_max=2)
    total = draft.before(place, plain_max=1) if place is not None else None
    column, rows = draft.open(place), draft.first_table(before=at)
    if place is None or total is None or not draft.cue_at(total, "sum") or rows is None:
        return
    if not isinstance(column, ToColumn) or not column.attribute.is_number or column.attribute.table == rows.name:
        return
    again = draft.after(at, plain_max=0)
    repeated = [again] if again is not None and draft.cue_at(again, "sum") else []
    figure = Wanted(aggregate="sum", attribute=column.attribute, context=True)
    _bind(draft, rows, figure, operator, [at, place, total, *repeated])


def _bind(draft: Draft, rows: Entity, figure: Wanted, operator: Operator, places: list[int]) -> None:
    draft.assumptions.append(f"the average is that of the {rows.many} that have any")
    draft.typical = True
    _group(draft, rows, figure, operator, places)


def _group(draft: Draft, rows: Entity, figure: Wanted, operator: Operator, places: list[int]) -> None:
    draft.use(*places)
    owner = next(i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToTable) and p.option.entity == rows)
    draft.use(owner)
    if rows not in draft.groups:
        draft.groups.append(rows)
    draft.having.append((figure, operator, None))
