"""Clauses about conditions that hold together and stand beside others: "in spring 2024 or autumn 2025", "red and small
or blue and large". Each side is a choice of rows by itself.
"""

from __future__ import annotations

from itertools import pairwise

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, PairWanted
from assistant.embedded.linking.options import ToColumn, ToNumber, ToPeriod, ToTable, ToValue
from assistant.embedded.source.schema import Attribute, Entity


def pairs(draft: Draft) -> None:
    """ "in spring 2024 or autumn 2025", "in Bonn, Kent but not in Bath, Kent": two values each, of the same columns."""
    for i, cue in draft.cues("or", "and", "not"):
        first, second = _pair_before(draft, i), _pair_at(draft, draft.after(i, plain_max=2))
        if first is None or second is None or _columns(first) != _columns(second) or first == second:
            continue
        both = next((at for at, _ in draft.cues("both") if at < first[0].piece), None)
        draft.use(i, *(f.piece for f in (*first, *second)), *([both] if both is not None else []))
        draft.pairs.append(PairWanted(first, second, cue.kind, sure=both is not None))
        return


def both_years(draft: Draft) -> None:
    """ "publishers with guides in both 2021 and 2022", where the rows know their year as a number."""
    for i, _ in draft.cues("both"):
        one = draft.after(i, plain_max=1)
        link = draft.after(one, plain_max=0) if one is not None else None
        other = draft.after(link, plain_max=1) if link is not None and draft.cue_at(link, "and") else None
        first, second = _year(draft.open(one)), _year(draft.open(other))
        before = [p.option for p in reversed(draft.pieces[:i])]
        tables = [o.entity for o in before if isinstance(o, ToTable)]
        tables += [draft.entity_of(o.attribute) for o in before if isinstance(o, ToColumn)]
        column = next((c for entity in tables if (c := _year_of(entity)) is not None), None)
        if one is None or link is None or other is None or column is None or first is None or second is None:
            continue
        draft.use(i, one, link, other)
        draft.both = True
        draft.filters += [_in_year(column, first, one), _in_year(column, second, other)]


def _pair_before(draft: Draft, at: int) -> list[FilterWanted] | None:
    """The pair that ends right before a link."""
    second = draft.before(at, plain_max=0)
    first = draft.before(second, plain_max=1) if second is not None else None
    found = _pair_at(draft, first)
    return found if found and found[1].piece == second else None


def _pair_at(draft: Draft, at: int | None) -> list[FilterWanted] | None:
    """A value and, beside it, a value of another column of the same table, or a year."""
    following = draft.after(at, plain_max=1) if at is not None else None
    one, other = draft.open(at), draft.open(following)
    if at is None or following is None or not isinstance(one, ToValue):
        return None
    first = FilterWanted(one.attribute, "=", (one.value,), one.known, at)
    if isinstance(other, ToValue) and other.attribute.table == one.attribute.table:
        second = FilterWanted(other.attribute, "=", (other.value,), other.known, following)
        return [first, second] if other.attribute != one.attribute else None
    year, number = _year_of(draft.entity_of(one.attribute)), _year(other)
    if year is None or number is None:
        return None
    return [first, _in_year(year, number, following)]


def _in_year(column: Attribute, year: int, piece: int) -> FilterWanted:
    return FilterWanted(column, "=", (str(year) if column.column.kind == "text" else year,), piece=piece)


def _year(option: object) -> int | None:
    """The year that a number or a period is."""
    if isinstance(option, ToNumber):
        return int(option.number) if option.number == int(option.number) else None
    start, end = (option.period.start, option.period.end) if isinstance(option, ToPeriod) else (None, None)
    whole = start is not None and end is not None and start == start.replace(month=1, day=1)
    return start.year if start is not None and whole and end == start.replace(year=start.year + 1) else None


def _year_of(entity: Entity) -> Attribute | None:
    """The one column of a table that is a year."""
    years = [a for a in entity.attributes.values() if a.role == "year"]
    return years[0] if len(years) == 1 else None


def _columns(pair: list[FilterWanted]) -> list[tuple[str, str]]:
    return [(f.attribute.table, f.attribute.name) for f in pair]


def sides(draft: Draft, at: int) -> bool:
    """ "female and from Bonn or male and under 20": on each side of the one "or" all conditions hold together."""
    filters = sorted(draft.filters, key=lambda f: f.piece)
    if draft.related or draft.periods or draft.having or draft.terms or len(draft.cues("or")) != 1:
        return False
    if not filters or filters[0].piece < 0 or any(f.operator in ("!=", "not in", "missing") for f in filters):
        return False
    left, right = [f for f in filters if f.piece < at], [f for f in filters if f.piece > at]
    whole = noun_again(draft, at) or ({*_columns(left)} == {*_columns(right)} and len(left) == len(right) > 1)
    if not left or not right or not (whole or all(_joined(draft, side) for side in (left, right))):
        return False
    draft.use(at)
    aside(draft, left, right)
    return True


def _joined(draft: Draft, side: list[FilterWanted]) -> bool:
    """Whether an "and" stands between each two of the conditions, none of which is but said again."""
    ands = [i for i, p in enumerate(draft.pieces) if p.span.text.lower().split()[0] == "and"]
    return all(
        any(one.piece < i < other.piece for i in ands)
        for one, other in pairwise(side)
        if (one.attribute, one.values) != (other.attribute, other.values)
    )


def noun_again(draft: Draft, at: int) -> bool:
    """ "women from Bonn or men under 20", "clients from Bonn or clients from Ulm": the noun begins both sides."""
    left = [p.option.entity for p in draft.pieces[:at] if isinstance(p.option, ToTable)]
    right = [p.option.entity for p in draft.pieces[at:] if isinstance(p.option, ToTable)]
    return len(right) == 1 and right == left[-1:] and len({e.name for e in left}) == 1


def aside(draft: Draft, *alternatives: list[FilterWanted]) -> None:
    """Make alternatives of conditions; those of one side hold together."""
    draft.either = True
    for n, side in enumerate(alternatives):
        for condition in side:
            condition.side = n
