"""Clauses that compare with a number: "price over 50", "more than 5 orders", "older than 30", "between 1 and 2"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.choosing.quantities import between, counted_behind, past_counting, stands_near
from assistant.embedded.clauses.choosing.yardsticks import IN_TIME
from assistant.embedded.clauses.draft import Draft, FilterWanted, Misfit, RelatedWanted, Wanted
from assistant.embedded.clauses.figuring.figures import measure_at
from assistant.embedded.clauses.naming.adjectives import hinted_beyond, tables_in_question
from assistant.embedded.clauses.ordering.commonest import OFTEN, kind_before, names_row
from assistant.embedded.linking.naming import ROW_WORDS
from assistant.embedded.linking.options import Option, ToColumn, ToMetric, ToNumber, ToTable, ToText, ToValue
from assistant.embedded.linking.units import UnitError, in_unit_of, is_unit
from assistant.embedded.meaning import OPPOSITE, Operator
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import name_words, singular, stem
from assistant.embedded.words.vocabulary import LESS, MORE, PEOPLE


def comparisons(draft: Draft) -> None:
    """ "price over 50", "more than 5 orders", "5 or more items", "older than 30", "between 10 and 20"."""
    for i, _ in draft.cues("between"):
        if not between(draft, i):
            _between(draft, i)
    for i, cue in draft.cues("compare"):
        if cue.argument in IN_TIME:
            continue
        number = draft.after(i, plain_max=1)
        option = draft.open(number)
        if isinstance(option, ToTable | ToValue | ToText) and draft.pieces[i].span.text.lower() in _PLACES:
            draft.use(i)  # "customers under the policy X"
        if number is not None and _compared_to_its(draft, i, number, cue.argument):
            continue
        if number is not None and isinstance(option, ToNumber):
            known, counted, bound = len(draft.filters), len(draft.related), len(draft.having)
            hints, aged = cue.hints, draft.cue_at(number + 1, "or_more")
            if not hints and aged is not None and aged.hints:
                draft.use(number + 1)  # "over 30 years old"
                hints = aged.hints
            _compared(draft, [i, number], cue.argument, hints, option.number)
            deny(draft, i, draft.filters[known:], draft.related[counted:], bound)
    _higher(draft)
    for i, cue in draft.cues("or_more"):
        number = draft.before(i, plain_max=0)
        option = draft.open(number)
        if number is not None and isinstance(option, ToNumber):
            known, counted, bound = len(draft.filters), len(draft.related), len(draft.having)
            _compared(draft, [number, i], cue.argument, cue.hints, option.number)
            deny(draft, number, draft.filters[known:], draft.related[counted:], bound)
        elif number is not None and isinstance(option, ToColumn) and isinstance(draft.open(number - 1), ToNumber):
            _at_least(draft, i, number, option.attribute, cast(Operator, cue.argument))
    _per_unit(draft)
    _on_average(draft)


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


def _on_average(draft: Draft) -> None:
    """ "which departments pay more than 4000 on average": it is the average of each of them that is compared.

    So is what the rows of a kind come to: "cities with stations with more than 20 docks in total".
    """
    for i, cue in draft.cues("average", "sum"):
        said = [f for f in draft.filters if f.operator in ("<", "<=", ">", ">=") and 0 <= i - f.piece <= _NEAR_AVERAGE]
        named, words = tables_in_question(draft), " ".join(p.span.text.lower() for p in draft.pieces[i - 1 : i + 1])
        if not words.endswith(("on average", "in total")) or len(said) != 1 or not named or draft.groups:
            continue
        condition = said[0]
        value = condition.values[0] if condition.values else None
        if isinstance(value, str) or value is None:
            continue
        kind = kind_before(draft, condition.piece) if condition.attribute.table == named[0] else None
        option = draft.open(kind)
        if kind is not None and isinstance(option, ToColumn):
            draft.use(kind)
            draft.groups.append(option.attribute)
        elif condition.attribute.table == named[0]:
            continue
        draft.use(i)
        draft.filters.remove(condition)
        aggregate = "average" if cue.kind == "average" else "sum"
        wanted = Wanted(aggregate=aggregate, attribute=condition.attribute, context=True)
        draft.having.append((wanted, condition.operator, float(value)))


_NEAR_AVERAGE = 4


def _higher(draft: Draft) -> None:
    """ "with a higher price than 50": the number stands between the word and what it is compared with."""
    for i, piece in enumerate(draft.pieces[:-3]):
        word, than = piece.span.text.lower(), draft.pieces[i + 2].span.text.lower()
        column, number = draft.open(i + 1), draft.open(i + 3)
        if word not in MORE | LESS or than != "than" or not isinstance(number, ToNumber):
            continue
        if isinstance(column, ToColumn) and _compares(draft, column):
            known = len(draft.filters)
            draft.use(*range(i, i + 4))
            value = _measured(draft, column.attribute, number.number, i + 3)
            draft.filters.append(FilterWanted(column.attribute, ">" if word in MORE else "<", (value,), piece=i + 1))
            deny(draft, i, draft.filters[known:], [])


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
    value = _measured(draft, option.attribute, number.number, place)
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
        values = tuple(_measured(draft, measured, n, high) for n in (first.number, second.number))
        draft.filters.append(FilterWanted(measured, "between", values, piece=at))
        return
    for place in (draft.before(at, plain_max=3), draft.after(high, plain_max=1)):
        option = draft.open(place)
        if place is not None and isinstance(option, ToColumn) and _compares(draft, option):
            draft.use(at, low, link, high, place)
            values = tuple(_measured(draft, option.attribute, n, high) for n in (first.number, second.number))
            draft.filters.append(FilterWanted(option.attribute, "between", values, piece=place))
            return
    age = _age(draft, at, first.number)
    if age is not None and not isinstance(draft.open(high + 1), ToColumn | ToTable | ToMetric):
        draft.use(at, low, link, high)
        draft.assumptions.append(f"{first.number:g} and {second.number:g} are compared with {age.words}")
        draft.filters.append(FilterWanted(age, "between", (whole(first.number), whole(second.number)), piece=high))


def _compared(draft: Draft, places: list[int], argument: str, hints: tuple[str, ...], number: float) -> None:
    left, right = min(places), max(places)
    operator = cast(Operator, {"older": ">", "younger": "<"}.get(argument, argument))
    before, after = _over_values(draft, left, draft.before(left, plain_max=3)), draft.after(right, plain_max=2)
    after = past_counting(draft, places, after)
    verb = bool(hints) and _is_verb(draft.pieces[left].span.text)
    said = draft.open(left - 1) if left else None
    if hints and not verb and isinstance(said, ToColumn) and said.attribute.is_number and _compares(draft, said):
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
        value = _measured(draft, attribute, number, right)
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
    times = draft.pieces[right + 1].span.text.lower() if right + 1 < len(draft.pieces) else ""
    if (
        isinstance(counted, ToTable)
        and before is not None
        and (times in ("times", "time") or draft.pieces[right].span.text.lower() in _TIMES)
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
        draft.related.append(RelatedWanted(draft.entity_of(child), operator, int(number), after))
        return
    option = draft.open(before)
    if operator == "=" and isinstance(option, ToColumn) and before is not None and not option.attribute.is_number:
        draft.use(*places, before)
        value = str(draft.pieces[right].span.text) if option.attribute.column.kind == "text" else whole(number)
        draft.filters.append(FilterWanted(option.attribute, "=", (value,), piece=before))
        return
    again = _compared_before(draft, before)
    if again is not None:
        draft.use(*places)
        value = _measured(draft, again, number, right)
        draft.filters.append(FilterWanted(again, operator, (value,), piece=right))
        return
    if isinstance(option, ToMetric) and before is not None:
        draft.use(*places, before)
        draft.having.append((Wanted(metric=option.metric), operator, number))
    elif isinstance(option, ToColumn) and before is not None and _compares(draft, option):
        draft.use(*places)
        start = draft.before(before, plain_max=1)
        if start is not None and draft.cue_at(start, "average", "sum", "minimum", "maximum"):
            found = measure_at(draft, start)
            for wanted in found:
                draft.having.append((wanted, operator, number))
        else:
            draft.use(before)
            value = _measured(draft, option.attribute, number, right)
            draft.filters.append(FilterWanted(option.attribute, operator, (value,), piece=before))
    elif isinstance(option, ToTable) and before is not None and (totals := _totalled(draft, before)):
        draft.use(*places)  # "customers whose total payments exceed 200"
        for wanted in totals:
            draft.having.append((wanted, operator, number))
    elif isinstance(option, ToTable) and before is not None and named[0] != option.entity.name and left == before + 1:
        draft.use(*places, before)  # "courses with enrolment bigger than 2"
        draft.related.append(RelatedWanted(option.entity, operator, int(number), before))
    elif isinstance(option, ToTable) and before is not None and _is_counted_beyond(draft, before):
        draft.use(*places, cast(int, _counted(draft, before)), before)
        draft.related.append(RelatedWanted(option.entity, operator, int(number), before))
    elif _rows_of_kind(draft, places, operator, number):
        pass
    elif (age := _age(draft, left, number)) is not None:
        draft.use(*places)
        draft.assumptions.append(f"{number:g} is compared with {age.words}")
        draft.filters.append(FilterWanted(age, operator, (whole(number),), piece=right))
    elif draft.fragment:
        draft.use(*places)
        draft.bounds.append((operator, number))  # "only those over 1000": of what was shown before
    else:
        attribute = _only_fitting(draft, left, number)
        draft.use(*places)
        draft.penalty += _GUESSED
        draft.assumptions.append(f"{number:g} is compared with {attribute.words}, the only column it fits")
        draft.filters.append(FilterWanted(attribute, operator, (whole(number),), piece=right))


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
    measured = isinstance(said, ToColumn) and said.attribute.is_number and _compares(draft, said)
    return measured and is_unit(draft.pieces[at].span.text)


def _rows_of_kind(draft: Draft, places: list[int], operator: Operator, number: float) -> bool:
    """ "codes that were used less than 5 times", "colours with more than 3 records": how many rows share the value."""
    right = max(places)
    text = draft.pieces[right].span.text.lower()
    behind = draft.pieces[right + 1].span.text.lower() if right + 1 < len(draft.pieces) else ""
    kind = kind_before(draft, min(places))
    option = draft.open(kind)
    count = draft.before(min(places), plain_max=1)
    count = count if draft.cue_at(count, "count") else None  # "colours with a count over 3"
    often = behind in (*OFTEN, *ROW_WORDS) or text in _TIMES or count is not None
    following = draft.after(right, plain_max=0)
    rows = draft.open(following)
    named = isinstance(rows, ToColumn) and names_row(draft, rows.attribute)  # "more than one car model"
    if not (often or named) or kind is None or not isinstance(option, ToColumn) or draft.groups:
        return False
    if named and following is not None and isinstance(rows, ToColumn):
        if rows.attribute.table != option.attribute.table:
            return False
        draft.use(following)
    draft.use(*places, kind, *([count] if count is not None else []))
    draft.groups.append(option.attribute)
    counted = Wanted(aggregate="count", entity=draft.entity_of(option.attribute), context=True)
    draft.having.append((counted, operator, number))
    return True


_GUESSED = 0.05
"""What it costs that no word names the column of a comparison."""


def _is_plural(draft: Draft, at: int | None) -> bool:
    return at is not None and draft.pieces[at].span.text.lower().endswith("s")


def _is_verb(text: str) -> bool:
    """Whether a comparison by what is measured is one by a verb ("earn more than") rather than an adjective."""
    words = text.lower().split()
    return words[-1] != "than" or words[-2] in ("more", "less", "greater", "higher", "lower")


def _compares(draft: Draft, option: ToColumn) -> bool:
    """Whether a column can be compared: a key only where it is said, "with a level number above 5"."""
    attribute = option.attribute
    said = option.strength >= _SAID or draft.says_key(attribute)
    said = said or attribute.own[-1] == "number"  # "a level between 5 and 10", where a level has a number
    counted = attribute.role in ("key", "reference") and attribute.column.kind == "integer" and said
    return attribute.is_number or attribute.role == "year" or counted


_SAID = 0.9
"""From which strength on the words are the name of a key itself."""


def _age(draft: Draft, at: int, number: float) -> Attribute | None:
    """ "customers over 50", "people between 20 and 30": the age of the people, where their rows hold one."""
    said = [name_words(piece.span.text)[-1:] for piece in draft.pieces[max(at - 2, 0) : at] if piece.span.text]
    if not any(words and singular(words[0]) in PEOPLE | {"people"} for words in said):
        return None
    tables = tables_in_question(draft) or list(draft.schema.entities)[:1]
    return next((a for t in tables for a in draft.schema.entities[t].attributes.values() if _is_age(a, number)), None)


def _is_age(attribute: Attribute, number: float) -> bool:
    return attribute.own[-1:] == ("age",) and attribute.is_number and _holds(attribute, number)


def _totalled(draft: Draft, at: int) -> list[Wanted]:
    """The figure of a "total" before a table."""
    start = draft.before(at, plain_max=1)
    return measure_at(draft, start) if start is not None and draft.cue_at(start, "sum") else []


def _counted(draft: Draft, at: int) -> int | None:
    """The place of the "number of" before a table."""
    start = draft.before(at, plain_max=1)
    return start if start is not None and draft.cue_at(start, "count") else None


def _is_counted_beyond(draft: Draft, at: int) -> bool:
    """ "depots with a number of drivers over 40"; "how many drivers over 40" speaks of the drivers themselves."""
    start = _counted(draft, at)
    return start is not None and draft.content_before(start)


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
        if not option.attribute.is_number or not _compares(draft, option):
            return None
        draft.use(named, place)
        draft.filters.append(FilterWanted(option.attribute, "=", (whole(number.number),), piece=place))
        return option.attribute
    earlier = [f for f in draft.filters if 0 <= f.piece <= place and f.operator in ("<", "<=", ">", ">=")]
    return max(earlier, key=lambda f: f.piece).attribute if earlier else None


def _only_fitting(draft: Draft, at: int, number: float) -> Attribute:
    """The one number of the rows in question among whose values a number may lie.

    Raises:
        Misfit: there is none, or more than one.
    """
    tables = [p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)]
    numbers = [a for a in tables[0].attributes.values() if a.is_number] if tables else []
    fitting = [a for a in numbers if _holds(a, number)]
    if len(fitting) != 1:
        raise Misfit(f"It is not clear what should be compared with {number:g}.", weight=3)
    return fitting[0]


def _holds(attribute: Attribute, number: float) -> bool:
    profile = attribute.column.profile
    if attribute.as_text:
        return True  # the lowest and the highest of texts say nothing
    if profile is None or profile.low is None or profile.high is None:
        return False
    try:
        return float(str(profile.low)) <= number <= float(str(profile.high))
    except ValueError:
        return False


_TIMES = ("once", "twice", "thrice")


def _measured(draft: Draft, attribute: Attribute, number: float, at: int) -> int | float:
    """The number in the unit of the column, where a unit stands behind it."""
    beside = draft.pieces[at + 1] if at + 1 < len(draft.pieces) else None
    if beside is None or not attribute.is_number:
        return whole(number)
    try:
        value, note = in_unit_of(attribute, number, beside.span.text)
    except UnitError as problem:
        raise Misfit(str(problem), weight=8) from None
    if note:
        draft.assumptions.append(note)
    return whole(value)


def whole(value: float) -> int | float:
    """A number without a needless fraction."""
    return int(value) if value == int(value) else value
