"""What a number is compared with: "price over 50", "more than 5 orders", "a stock of 0 or more than 280".

The words before and behind the number say it: a column, a figure, rows that are counted, or what another number of the
question was compared with. Where none of them does, it is the one column that the number fits.
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.comparable import age_among, compares, in_its_unit, may_hold, whole
from assistant.embedded.clauses.choosing.comparing_figures import (
    HOW_OFTEN,
    is_counted_beyond,
    place_of_count,
    rows_of_kind,
    totalled,
)
from assistant.embedded.clauses.choosing.quantities import counted_behind, past_counting, stands_near
from assistant.embedded.clauses.draft import Draft, Misfit
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.naming.adjectives import hinted_beyond, tables_in_question
from assistant.embedded.clauses.ordering.commonest import names_row
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted, Wanted
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToNumber, ToTable, ToTerm, ToValue
from assistant.embedded.linking.units import is_unit
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.source.worth import WORTH
from assistant.embedded.words.lexicon import stem
from assistant.embedded.words.vocabulary import CURRENCIES

_PERCENT = ("percent", "%")


def compare(draft: Draft, places: list[int], argument: str, hints: tuple[str, ...], number: float) -> None:
    """Compare a number with what the words before or behind it name."""
    left, right = min(places), max(places)
    operator = cast(Operator, {"older": ">", "younger": "<"}.get(argument, argument))
    before, after = _over_values(draft, left, draft.before(left, plain_max=3)), draft.after(right, plain_max=2)
    after = past_counting(draft, places, after)
    verb = bool(hints) and _is_verb(draft.pieces[left].span.text)
    said = draft.open(left - 1) if left else None
    if hints and not verb and isinstance(said, ToColumn) and said.attribute.is_number and compares(draft, said):
        hints = ()  # "a runtime longer than 150": the column is named
    counts = verb and isinstance(draft.open(after), ToTable) and "capacity" not in hints  # "made more than 5 orders"
    attribute = hinted_beyond(draft, hints, tables_in_question(draft)) if not counts else None
    if hints and (attribute is None or not attribute.is_number) and not verb:
        raise Misfit(f"No column fits “{draft.pieces[left].span.text}”.")
    if attribute is not None and attribute.is_number:
        draft.use(*places)
        named = draft.open(after)
        same = isinstance(named, ToColumn) and named.attribute == attribute
        if after is not None and (same or ("capacity" in hints and isinstance(named, ToTable))):
            draft.use(after)  # "can hold more than 20 guests"
        draft.assumptions.append(f"“{draft.pieces[left].span.text}” goes by {attribute.words}")
        value = in_its_unit(draft, attribute, number, right)
        draft.filters.append(FilterWanted(attribute, operator, (value,), piece=left))
        return
    following = draft.open(after)
    right = max(places)
    if after is not None and after == right + 1 and _is_unit_of(draft, after, draft.open(before)):
        draft.pieces[after].used, draft.pieces[after].option = True, None
        following = after = None
    if isinstance(following, ToValue) and after is not None:
        behind = draft.after(after, plain_max=0)
        rows = draft.open(behind)
        if behind is not None and isinstance(rows, ToTable) and draft.content_before(left):
            draft.use(*places, behind)  # "customers with more than 2 cancelled orders"
            draft.related.append(RelatedWanted(rows.entity, operator, int(number), behind))
            return
        if (operator, number) == (">=", 1):
            draft.use(*places)  # "with at least one B grade"
            return
    touches = after is not None and after == right + 1
    if isinstance(following, ToColumn) and following.attribute.is_number and after is not None and touches:
        said = draft.open(before)
        if before is not None and isinstance(said, ToColumn) and said.attribute.own[0] == following.attribute.own[0]:
            draft.use(before)  # "a price above 700 dollars", where the price stands there in several currencies
        draft.use(*places, after)
        draft.filters.append(FilterWanted(following.attribute, operator, (whole(number),), piece=after))
        return
    counted = draft.open(before) if isinstance(draft.open(before), ToTable) else None
    times = draft.word(right + 1)
    if (
        isinstance(counted, ToTable)
        and before is not None
        and (times in ("times", "time") or draft.pieces[right].span.text.lower() in HOW_OFTEN)
        and draft.content_before(before)
    ):
        draft.use(*places, before)
        draft.related.append(RelatedWanted(counted.entity, operator, int(number), before))
        return
    near = after is not None and stands_near(draft, right, after)
    if isinstance(following, ToTable) and after is not None and near and draft.content_before(left):
        draft.use(*places, after)
        draft.related.append(RelatedWanted(following.entity, operator, int(number), after))
        return
    behind = counted_behind(draft, right)
    if behind is not None and isinstance(following, ToValue) and draft.content_before(left):
        draft.use(*places, behind[0])  # "at least 3 night tours"
        draft.related.append(RelatedWanted(behind[1], operator, int(number), behind[0]))
        return
    if isinstance(following, ToValue) and touches and draft.content_before(left) and _is_plural(draft, after):
        draft.use(*places)  # "at least 10 professors", where a row says that somebody is one
        draft.related.append(RelatedWanted(draft.entity_of(following.attribute), operator, int(number), right))
        return
    child = following.attribute if isinstance(following, ToColumn) and not following.attribute.is_number else None
    named = tables_in_question(draft)
    if child is not None and after is not None and near and named and child.table != named[0]:
        draft.use(*places, after)  # "counties with at least two delegates", where a delegate is a row's column
        values = None if names_row(draft, child) or child.role == "key" else child
        draft.related.append(RelatedWanted(draft.entity_of(child), operator, int(number), after, values=values))
        return
    option = draft.open(before)
    if child is not None and near and _is_kind(option) and rows_of_kind(draft, places, operator, number):
        return  # "orders have more than 5 products", "which countries have exactly 2 customers"
    if operator == "=" and isinstance(option, ToColumn) and before is not None and not option.attribute.is_number:
        draft.use(*places, before)
        value = str(draft.pieces[right].span.text) if option.attribute.column.kind == "text" else whole(number)
        draft.filters.append(FilterWanted(option.attribute, "=", (value,), piece=before))
        return
    again = _compared_before(draft, before)
    if again is not None:
        draft.use(*places)
        value = in_its_unit(draft, again, number, right)
        draft.filters.append(FilterWanted(again, operator, (value,), piece=right))
        return
    if isinstance(option, ToMetric) and before is not None:
        if draft.word(right + 1) in _PERCENT and option.metric.unit == "currency":
            raise Misfit(
                f"“{option.metric.name}” is an amount of money, no percentage: name a rate or an amount.", weight=6
            )
        draft.use(*places, before)
        draft.having.append((Wanted(metric=option.metric), operator, number))
    elif isinstance(option, ToColumn) and before is not None and compares(draft, option):
        draft.use(*places)
        start = draft.before(before, plain_max=1)
        if start is not None and draft.cue_at(start, "average", "sum", "minimum", "maximum"):
            found = measure_at(draft, start)
            for wanted in found:
                draft.having.append((wanted, operator, number))
        else:
            draft.use(before)
            value = in_its_unit(draft, option.attribute, number, right)
            draft.filters.append(FilterWanted(option.attribute, operator, (value,), piece=before))
    elif isinstance(option, ToTable) and before is not None and (totals := totalled(draft, before)):
        draft.use(*places)  # "customers whose total payments exceed 200"
        for wanted in totals:
            draft.having.append((wanted, operator, number))
    elif left and _of_others(draft, left - 1) and (told := told_by_rows(draft, left - 1, number)) is not None:
        draft.use(*places, left - 1)  # "accounts with deals over 20000": what each of them is worth
        draft.penalty += _GUESSED
        draft.assumptions.append(f"{number:g} is compared with {told.words} of {draft.entity_of(told).many}")
        draft.filters.append(FilterWanted(told, operator, (whole(number),), piece=right))
    elif isinstance(option, ToTable) and before is not None and named[0] != option.entity.name and left == before + 1:
        draft.use(*places, before)  # "courses with enrolment bigger than 2"
        draft.related.append(RelatedWanted(option.entity, operator, int(number), before))
    elif isinstance(option, ToTable) and before is not None and is_counted_beyond(draft, before):
        draft.use(*places, cast(int, place_of_count(draft, before)), before)
        draft.related.append(RelatedWanted(option.entity, operator, int(number), before))
    elif rows_of_kind(draft, places, operator, number):
        pass
    elif (age := age_among(draft, left, number)) is not None:
        draft.use(*places)
        draft.assumptions.append(f"{number:g} is compared with {age.words}")
        draft.filters.append(FilterWanted(age, operator, (whole(number),), piece=right))
    elif draft.fragment:
        draft.use(*places)
        draft.bounds.append((operator, number))  # "only those over 1000": of what was shown before
    elif draft.word(right) in HOW_OFTEN:
        raise Misfit(f"“{draft.word(right)}”: how often did what happen? Please name it.", weight=4)
    else:
        attribute = _only_fitting(draft, left, right, number)
        draft.use(*places)
        draft.penalty += _GUESSED
        draft.assumptions.append(f"{number:g} is compared with {attribute.words}, the only one that it fits")
        for n in range(right + 1, len(draft.pieces)):
            behind = draft.open(n)
            if draft.pieces[n].span.parted:
                break
            if isinstance(behind, ToColumn) and behind.attribute == attribute:
                draft.use(n)  # "cities with over 5000 people in the region", where that is a region's population
        draft.filters.append(FilterWanted(attribute, operator, (whole(number),), piece=right))


def _is_kind(option: Option | None) -> bool:
    return isinstance(option, ToColumn) and option.attribute.role in ("key", "text")


def _over_values(draft: Draft, left: int, before: int | None) -> int | None:
    """ "the highest temperature in the city Bonn was above 30": over what only says where, to what is compared."""
    if draft.pieces[left - 1].span.text.lower() not in _BEING:
        return before
    place = before
    while place is not None and isinstance(value := draft.open(place), ToValue):
        place = draft.before(place, plain_max=2)
        column = draft.open(place)
        if place is not None and isinstance(column, ToColumn) and column.attribute == value.attribute:
            place = draft.before(place, plain_max=2)
    option = draft.open(place)
    return place if isinstance(option, ToColumn) and option.attribute.is_number else before


_BEING = frozenset(("is", "are", "was", "were"))


def _is_unit_of(draft: Draft, at: int, said: Option | None) -> bool:
    """ "a time over 90 minutes": the unit of the number before, though another column is called so."""
    measured = isinstance(said, ToColumn) and said.attribute.is_number and compares(draft, said)
    return measured and is_unit(draft.pieces[at].span.text)


_GUESSED = 0.05
"""What it costs that no word names the column of a comparison."""


def _is_plural(draft: Draft, at: int | None) -> bool:
    return at is not None and draft.pieces[at].span.text.lower().endswith("s")


def _is_verb(text: str) -> bool:
    """Whether a comparison by what is measured is one by a verb ("earn more than") rather than an adjective."""
    words = text.lower().split()
    return words[-1] != "than" or words[-2] in ("more", "less", "greater", "higher", "lower")


def _compared_before(draft: Draft, link: int | None) -> Attribute | None:
    """ "height above 200 or below 190": the column of the comparison before the "or"."""
    if link is None or not draft.cue_at(link, "or", "and"):
        return None
    place = draft.before(link, plain_max=1)
    number = draft.pieces[place].option if place is not None else None
    if place is None or not isinstance(number, ToNumber):
        return None
    if not draft.pieces[place].used:  # "a stock of 0 or more than 280"
        named = draft.before(place, plain_max=1)
        option = draft.open(named)
        if named is None or not draft.cue_at(link, "or") or not isinstance(option, ToColumn):
            return None
        if not option.attribute.is_number or not compares(draft, option):
            return None
        draft.use(named, place)
        draft.filters.append(FilterWanted(option.attribute, "=", (whole(number.number),), piece=place))
        return option.attribute
    earlier = [f for f in draft.filters if 0 <= f.piece <= place and f.operator in ("<", "<=", ">", ">=")]
    return max(earlier, key=lambda f: f.piece).attribute if earlier else None


def _of_others(draft: Draft, at: int) -> bool:
    """Whether other rows than those asked for stand there."""
    option, first = draft.pieces[at].option, draft.first_table(before=at)
    return isinstance(option, ToTable) and first is not None and first != option.entity


def told_by_rows(draft: Draft, at: int, *numbers: float) -> Attribute | None:
    """The one number of the rows at a place, right before a comparison, among whose values those numbers may lie."""
    option = draft.pieces[at].option
    if not isinstance(option, ToTable):
        return None
    held = [a for a in option.entity.attributes.values() if a.is_number]
    return held[0] if len(held) == 1 and all(may_hold(held[0], number) for number in numbers) else None


def _only_fitting(draft: Draft, at: int, right: int, number: float) -> Attribute:
    """The one number of the rows in question among whose values a number may lie; of money, the one that is a price.

    Raises:
        Misfit: there is none, or more than one.
    """
    tables = [p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)]
    terms = [p.option.term.table for p in draft.pieces[:at] if isinstance(p.option, ToTerm)]
    tables += [e for table in terms if table and (e := draft.schema.find_entity(table)) is not None]
    numbers = [a for a in tables[0].attributes.values() if a.is_number] if tables else []
    fitting = [a for a in numbers if may_hold(a, number)]
    if len(fitting) > 1 and stem(draft.word(right + 1)) in CURRENCIES:
        fitting = [a for a in fitting if (WORTH | {stem("price")}) & set(a.own)]
    if len(fitting) != 1:
        raise Misfit(f"It is not clear what should be compared with {number:g}.", weight=3)
    return fitting[0]
