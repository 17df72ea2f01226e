"""Clauses that speak of other rows by a value they share: "in the same department as Ada", "from Kiel to Ulm", "last
names used by both customers and staff".
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.naming.ends import end_key, keys_to
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted, Wanted, kind_said
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.vocabulary import HAVING


def same_as(draft: Draft) -> None:
    """ "employees in the same department as Ada": rows that share a value with the row that is named."""
    for i, _ in draft.cues("same"):
        what = draft.after(i, plain_max=0)
        place, value = _value_behind(draft, what)
        if what is None or value is None or place is None:
            continue
        entity = draft.entity_of(value.attribute)
        shared = _held(draft, draft.open(what), entity)
        if shared is None or shared == value.attribute:
            continue
        last = _whole_name(draft, place)
        draft.use(i, *range(what, last + 1))
        draft.related.append(RelatedWanted(entity, ">=", 1, place, _named(draft, place, last), shared=shared))


def with_whom(draft: Draft) -> None:
    """ "employees in Ada Korn's department": they share it with her, whose department it is."""
    subject = next((p.option.entity for p in draft.pieces if isinstance(p.option, ToTable)), None)
    for i in range(1, len(draft.pieces)) if subject is not None else ():
        value = draft.open(i)
        if not isinstance(value, ToValue) or draft.word(i - 1) not in _INSIDE or not draft.content_before(i - 1):
            continue
        entity, last = draft.entity_of(value.attribute), _whole_name(draft, i)
        shared = _held(draft, draft.open(last + 1), entity) if draft.touches(last, draft.after(last)) else None
        if entity != subject or value.attribute.name not in entity.label or shared is None:
            continue
        if shared.name in entity.label:
            continue
        draft.use(*range(i, last + 2))
        draft.related.append(RelatedWanted(entity, ">=", 1, i, _named(draft, i, last), shared=shared))


_INSIDE = frozenset(("in", "from", "at", "on", "of", "within"))


def _whole_name(draft: Draft, at: int) -> int:
    """The place of the last of the values that name one row: the last name behind the first."""
    first, second = draft.open(at), draft.open(at + 1)
    if not isinstance(first, ToValue) or not isinstance(second, ToValue) or not draft.touches(at, at + 1):
        return at
    label = draft.entity_of(first.attribute).label
    named = first.attribute.table == second.attribute.table and {first.attribute.name, second.attribute.name}
    return at + 1 if named == set(label) else at


def _named(draft: Draft, first: int, last: int) -> list[FilterWanted]:
    """The conditions that the values from one place to another say."""
    said = [(n, draft.pieces[n].option) for n in range(first, last + 1)]
    return [FilterWanted(o.attribute, "=", (o.value,), o.known, n) for n, o in said if isinstance(o, ToValue)]


def same_as_theirs(draft: Draft) -> None:
    """ "clerks who live in the same town as their manager", "in another town than": two rows that share a column."""
    for i, cue in draft.cues("same", "distinct"):
        what = draft.after(i, plain_max=0)
        option = draft.open(what)
        if what is None or not isinstance(option, ToColumn):
            continue
        if draft.word(what + 1) not in (("as",) if cue.kind == "same" else ("from", "than", "to", "as")):
            continue
        place = next((n for n in range(what + 2, what + _THEIR_REACH) if draft.open(n) is not None), None)
        whose = {draft.word(n) for n in range(what + 2, place or 0)}
        one = next((e for e in _tables_before(draft, i) if _called(e, option.attribute) is not None), None)
        other = _other_row(draft, place)
        if place is None or one is None or other is None or other == one or not whose <= _THEIR:
            continue
        first, second = _called(one, option.attribute), _called(other, option.attribute)
        if first is None or second is None:
            continue
        draft.use(i, what, place)
        draft.mention(one.name, other.name)
        operator: Operator = "=" if cue.kind == "same" else "!="
        draft.filters.append(FilterWanted(first, operator, (), piece=what, other=second))


_THEIR = frozenset(("their", "its", "his", "her", "the", "own"))
_THEIR_REACH = 5


def _tables_before(draft: Draft, at: int) -> list[Entity]:
    """The tables named before a place, the nearest first."""
    return [p.option.entity for p in reversed(draft.pieces[:at]) if isinstance(p.option, ToTable)]


def _called(entity: Entity, attribute: Attribute) -> Attribute | None:
    """The column of a table that is called like another."""
    return next((a for a in entity.attributes.values() if a.own == attribute.own), None)


def _other_row(draft: Draft, at: int | None) -> Entity | None:
    """The table that words name, or that a key refers to, which is then the way there."""
    option = draft.open(at)
    if isinstance(option, ToTable):
        return option.entity
    referred = draft.schema.referred(option.attribute) if isinstance(option, ToColumn) else None
    if referred is not None and isinstance(option, ToColumn):
        draft.via.append(option.attribute)
    return referred


def _value_behind(draft: Draft, at: int | None) -> tuple[int | None, ToValue | None]:
    """The value behind "as", with whatever says of what it is."""
    link = next((n for n in range((at or 0) + 1, len(draft.pieces)) if draft.pieces[n].span.text.lower() == "as"), None)
    if at is None or link is None or link > at + 2:
        return None, None
    for n in range(link + 1, min(link + _REACH, len(draft.pieces))):
        option = draft.open(n)
        if isinstance(option, ToValue):
            return n, option
        if option is not None and not isinstance(option, ToTable | ToColumn) and not draft.cue_at(n, "with", "which"):
            break
    return None, None


_REACH = 8


def _held(draft: Draft, option: object, entity: Entity) -> Attribute | None:
    """The column of a table that the words name: its own, or its key to the table that they name."""
    if isinstance(option, ToColumn) and option.attribute.table == entity.name:
        return option.attribute
    other = option.entity if isinstance(option, ToTable) else None
    if isinstance(option, ToColumn):
        other = draft.entity_of(option.attribute)
    if other is None or other == entity:
        return None
    keys = keys_to(draft, entity, other.name)
    return keys[0] if len(keys) == 1 else None


def share(draft: Draft) -> None:
    """ "which towns do Ada and Bo share?": what both have, and no part of a whole."""
    for i, _ in draft.cues("share"):
        values = [n for n, p in enumerate(draft.pieces[:i]) if isinstance(p.option, ToValue)]
        before = {draft.word(n) for n in range(values[0])} if values else set[str]()
        if draft.word(i) == "share" and i == len(draft.pieces) - 1 and len(values) > 1 and before & {"do", "did"}:
            draft.use(i)
            draft.both = True


def from_to(draft: Draft) -> None:
    """ "shipments from Kiel to Ulm", where a shipment refers to two places: each by the key that is named so."""
    subject = next((p.option.entity for p in draft.pieces if isinstance(p.option, ToTable)), None)
    if subject is None:
        return
    for i, piece in enumerate(draft.pieces):
        option = draft.open(i)
        words = [p.span.text.lower() for p in draft.pieces[max(0, i - 2) : i]]
        words = words[:-1] if words[-1:] == ["the"] else words
        if not isinstance(option, ToValue) or words[-1:] not in (["from"], ["to"]):
            continue
        ends = [end_key(draft, subject, option.attribute.table, at_start=at_start) for at_start in (True, False)]
        key = ends[words[-1] == "to"]
        place = draft.entity_of(option.attribute)
        if None in ends or key is None or len(place.key) != 1:
            continue
        piece.used = True
        condition = FilterWanted(option.attribute, "=", (option.value,), option.known, i)
        other = place.attributes[place.key[0]]
        draft.related.append(RelatedWanted(place, ">=", 1, i, [condition], shared=key, other=other))


def held_by_two(draft: Draft) -> None:
    """ "last names used by both customers and staff", "how many cities have customers but no suppliers": in two tables.

    A value right before a table says which of its rows are meant.
    """
    tables = [
        (i, p.option.entity)
        for i, p in enumerate(draft.pieces)
        if isinstance(draft.open(i), ToTable) and isinstance(p.option, ToTable) and not _is_home(draft, i)
    ]
    if len(tables) != 2 or tables[0][1] == tables[1][1] or draft.cues("sum", "average", "most", "best"):
        return
    (first, one), (second, other) = tables
    kinds = {n: said for n in (first - 1, second - 1) if (said := kind_said(draft.open(n), n)) is not None}
    if any(said.attribute.table != (one if n < first else other).name for n, said in kinds.items()):
        return
    asked = draft.before(first, plain_max=3)
    while asked is not None and (
        asked in kinds or draft.cue_at(asked, "both", "group", "with", "without") or _is_home(draft, asked)
    ):
        asked = draft.before(asked, plain_max=3)
    option = draft.open(asked)
    if asked is None or not isinstance(option, ToColumn) or draft.content_before(asked):
        return
    counted = [i for i, _ in draft.cues("count")]
    denied = [i for i, _ in draft.cues("without", "not") if first < i < second]
    both = [i for i, _ in draft.cues("both") if i < second]
    joined = [i for i, _ in draft.cues("and") if first < i < second]
    by = [i for i, _ in draft.cues("group") if asked < i < second]
    between = {draft.word(i) for i in range(first + 1, second) if i not in (*denied, *kinds)}
    owned = "of" in {draft.word(i) for i in range(asked, first)} and not both
    told = bool(denied) and draft.word(first - 1 - (first - 1 in kinds)) in HAVING  # "have clerks hired in 2020 but no"
    if counted not in ([], [asked - 1]) or owned or not (denied or (joined and (both or by))):
        return
    if not (told or between <= _BETWEEN):
        return
    shared, like = _called(one, option.attribute), _called(other, option.attribute)
    if shared is None or like is None or shared.role in ("key", "reference"):
        return
    home = [i for i in range(asked, first) if _is_home(draft, i)]
    draft.use(asked, first, second, *denied, *both, *joined, *by, *kinds, *counted, *home)
    draft.mention(one.name, other.name)
    if counted:
        draft.wanted.append(Wanted(aggregate="distinct", attribute=shared))
    else:
        draft.shown.append(shared)
        draft.distinct = True
    draft.filters += [said for n, said in kinds.items() if n < first]
    filters = [said for n, said in kinds.items() if n > first]
    operator, count = ("=", 0) if denied else (">=", 1)
    draft.related.append(
        RelatedWanted(other, cast(Operator, operator), count, second, filters, shared=shared, other=like)
    )


def _is_home(draft: Draft, at: int) -> bool:
    """ "towns that are home to singers": it says no more than that they have them."""
    return draft.word(at) == "home" and draft.word(at + 1) == "to"


_BETWEEN = frozenset(("and", "by", "the", "some", "any", "a", "to", "but", "also", "but also"))
