"""Clauses that compare with what the source holds itself: its average, its extreme, or another column of the row."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.adjectives import extent, hinted, tables_in_question
from assistant.embedded.clauses.wanted import ComparedWanted, FilterWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.dating import likeliest_date
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.vocabulary import LESS, MORE


def averages(draft: Draft) -> None:
    """ "above the average price", "price above average", "more seats than the average"."""
    _more_than_average(draft)
    for i, cue in draft.cues("above_average"):
        following, preceding = draft.after(i, plain_max=0), draft.before(i, plain_max=3)
        if cue.hints and (attribute := hinted(draft, cue.hints, tables_in_question(draft))):
            draft.use(i)
            draft.compared.append(ComparedWanted(attribute, cast(Operator, cue.argument)))
            continue
        if _group_average(draft, i, preceding, following, cast(Operator, cue.argument)):
            continue
        for place in (following, preceding):
            option = draft.open(place)
            if place is not None and isinstance(option, ToColumn) and option.attribute.is_number:
                draft.use(i, place)
                draft.compared.append(ComparedWanted(option.attribute, cast(Operator, cue.argument)))
                again = draft.open(preceding)
                if preceding is not None and isinstance(again, ToColumn) and again.attribute == option.attribute:
                    draft.use(preceding)  # "whose freight is above the average freight"
                break
        size = (
            None
            if draft.pieces[i].used
            else extent(draft, draft.pieces[i].span.text.lower().split(), tables_in_question(draft)[:1])
        )
        if size is not None:
            draft.use(i)
            draft.compared.append(ComparedWanted(size, cast(Operator, cue.argument)))


def _more_than_average(draft: Draft) -> None:
    """ "more seats than the average hall", "a higher price than the average of all": the number stands in between."""
    for i in range(len(draft.pieces) - 3):
        word, than = draft.pieces[i].span.text.lower(), draft.pieces[i + 2].span.text.lower()
        option, average = draft.open(i + 1), draft.after(i + 2, plain_max=1)
        if word not in MORE | LESS or than != "than" or not isinstance(option, ToColumn) or average is None:
            continue
        if not option.attribute.is_number or not draft.cue_at(average, "average"):
            continue
        draft.use(i, i + 1, average)
        draft.compared.append(ComparedWanted(option.attribute, ">" if word in MORE else "<"))
        behind = draft.after(average, plain_max=2)
        again = draft.open(behind)
        table = isinstance(again, ToTable) and again.entity.name == option.attribute.table
        if behind is not None and (table or (isinstance(again, ToColumn) and again.attribute == option.attribute)):
            draft.use(behind)


def extremes(draft: Draft) -> None:
    """ "prices lower than the highest price": compared with the extreme of all."""
    for i, cue in draft.cues("compare"):
        end = draft.after(i, plain_max=1)
        extreme = draft.cue_at(end, "best", "maximum", "minimum")
        column = draft.after(end, plain_max=1) if end is not None else None
        option = draft.open(column)
        if extreme is None or end is None or column is None or cue.argument not in ("<", "<=", ">", ">="):
            continue
        if extreme.hints or not isinstance(option, ToColumn) or not option.attribute.is_number:
            continue
        if any(isinstance(p.option, ToValue | ToNumber) for p in draft.pieces[column:]):
            continue  # of which rows it is the extreme is more than this clause reads
        draft.use(i, end, column)
        before = draft.before(i, plain_max=3)
        again = draft.open(before)
        if before is not None and isinstance(again, ToColumn) and again.attribute == option.attribute:
            draft.use(before)
        high = extreme.kind == "maximum" or extreme.argument == "desc"
        operator = cast(Operator, cue.argument)
        draft.compared.append(ComparedWanted(option.attribute, operator, "maximum" if high else "minimum"))


def _group_average(draft: Draft, at: int, before: int | None, after: int | None, operator: Operator) -> bool:
    """ "departments whose average salary is above the overall average": each group's average against that of all."""
    column = draft.open(before)
    average = draft.before(before, plain_max=1) if before is not None else None
    if not isinstance(column, ToColumn) or not column.attribute.is_number or before is None or average is None:
        return False
    if not draft.cue_at(average, "average"):
        return False
    draft.use(at, before, average)
    again = draft.open(after)
    if after is not None and isinstance(again, ToColumn) and again.attribute.own == column.attribute.own:
        draft.use(after)
    draft.having.append((Wanted(aggregate="average", attribute=column.attribute), operator, None))
    return True


def columns_compared(draft: Draft) -> None:
    """ "shipped after the required date", "stock below the reorder level": two columns of one row."""
    for i, cue in draft.cues("compare"):
        left, right = draft.before(i, plain_max=3), draft.after(i, plain_max=2)
        other = draft.open(right)
        if left is None or right is None or not isinstance(other, ToColumn):
            continue
        left = _comparable(draft, left, other.attribute)
        one = draft.open(left)
        if isinstance(one, ToTable) and cue.argument in IN_TIME and other.attribute.table == one.entity.name:
            _made_late(draft, i, right, one.entity, other.attribute)
        if not isinstance(one, ToColumn):
            continue
        alike = (one.attribute.is_number and other.attribute.is_number) or (
            one.attribute.role == "date" and other.attribute.role == "date"
        )
        if not alike or one.attribute == other.attribute or cue.hints:
            continue
        following = draft.after(right, plain_max=0)
        if isinstance(draft.open(following), ToNumber):
            continue
        draft.use(i, left, right)
        operator = cast(Operator, IN_TIME.get(cue.argument, cue.argument))
        draft.filters.append(FilterWanted(one.attribute, operator, (), piece=left, other=other.attribute))
    _higher_than_other(draft)


def _higher_than_other(draft: Draft) -> None:
    """ "with a higher list price than cost", "that have more wins than losses": two numbers of one row."""
    for i in range(len(draft.pieces) - _THAN - 1):
        word, one = draft.word(i), draft.open(i + 1)
        place = draft.after(i + _THAN, plain_max=1) if draft.word(i + _THAN) == "than" else None
        other = draft.open(place)
        if word not in MORE | LESS or not isinstance(one, ToColumn) or not isinstance(other, ToColumn):
            continue
        numbers = one.attribute.is_number and other.attribute.is_number and one.attribute != other.attribute
        if numbers and one.attribute.table == other.attribute.table and place is not None:
            draft.use(i, i + 1, i + _THAN, place)
            operator: Operator = ">" if word in MORE else "<"
            draft.filters.append(FilterWanted(one.attribute, operator, (), piece=i + 1, other=other.attribute))


_THAN = 2


def _comparable(draft: Draft, at: int, other: Attribute) -> int:
    """The place of what is compared, over what only says whose it is: "the close price of AQUA", "bills to firms"."""
    place: int | None = at
    for _ in range(_WHOSE_MAX):
        option = draft.open(place)
        if not isinstance(option, ToValue) and not (isinstance(option, ToColumn) and option.attribute.role == "text"):
            break
        place = draft.before(place, plain_max=3) if place is not None else None
    option = draft.open(place)
    of_rows = isinstance(option, ToTable) and option.entity.name == other.table and other.is_time
    column = isinstance(option, ToColumn) and option.attribute.table == other.table
    return place if place is not None and (of_rows or column) else at


_WHOSE_MAX = 3


def _made_late(draft: Draft, at: int, right: int, entity: Entity, limit: Attribute) -> None:
    """ "payments made after the due date": the day that the rows are about, against another of theirs."""
    day = likeliest_date(entity)
    if day is None or day == limit or day.role != "date" or limit.role != "date":
        return
    cue = draft.cue_at(at, "compare")
    assert cue is not None, "only called at one"
    draft.use(at, right)
    operator = cast(Operator, IN_TIME[cue.argument])
    draft.filters.append(FilterWanted(day, operator, (), piece=right, other=limit))


def columns_alike(draft: Draft) -> None:
    """ "whose billing city is the same as the shipping city", "is different from": two columns of one row."""
    for i, cue in draft.cues("same", "distinct", "compare"):
        link = draft.word(i + 1)
        beyond = draft.word(i + 2)
        same_of = i + 1 if cue.kind == "same" and beyond == "as" and isinstance(draft.open(i + 1), ToColumn) else None
        link = beyond if same_of is not None else link
        joined = link == "as" if cue.kind == "same" else link in ("from", "than") if cue.kind == "distinct" else True
        if not joined or (cue.kind == "compare" and cue.argument != "="):
            continue
        denied = draft.before(i, plain_max=1)
        denied = denied if draft.cue_at(denied, "without", "not") else None
        left, right = draft.before(i if denied is None else denied, plain_max=3), draft.after(same_of or i, plain_max=3)
        left = _past_owner(draft, left)
        if same_of is not None:
            left = same_of
        one, other = draft.open(left), draft.open(right)
        if left is None or right is None or not isinstance(one, ToColumn) or not isinstance(other, ToColumn):
            continue
        if one.attribute == other.attribute or one.attribute.column.kind != other.attribute.column.kind:
            continue
        draft.use(i, left, right, *([denied] if denied is not None else []))
        same = (cue.kind != "distinct") == (denied is None)
        draft.filters.append(FilterWanted(one.attribute, "=" if same else "!=", (), piece=left, other=other.attribute))


def _past_owner(draft: Draft, at: int | None) -> int | None:
    """ "the name of the reviewer is": the column before its table."""
    option = draft.open(at)
    before = draft.before(at, plain_max=2) if at is not None and isinstance(option, ToTable) else None
    return before if isinstance(draft.open(before), ToColumn) else at


IN_TIME = {"later": ">", "earlier": "<"}
