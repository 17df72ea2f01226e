"""Clauses that speak of other rows by a value they share: "in the same department as Ada", "from Kiel to Ulm", "last
names used by both customers and staff".
"""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, FilterWanted, RelatedWanted
from assistant.embedded.clauses.naming.ends import end_key, keys_to
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.meaning import Operator
from assistant.embedded.source.schema import Attribute, Entity


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
        draft.use(i, *range(what, place + 1))
        condition = FilterWanted(value.attribute, "=", (value.value,), value.known, place)
        draft.related.append(RelatedWanted(entity, ">=", 1, place, [condition], shared=shared))


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
    """ "last names used by both customers and staff", "cities with customers but no suppliers": in two tables."""
    tables = [
        (i, p.option.entity)
        for i, p in enumerate(draft.pieces)
        if isinstance(draft.open(i), ToTable) and isinstance(p.option, ToTable)
    ]
    if len(tables) != 2 or tables[0][1] == tables[1][1] or draft.cues("count", "sum", "average", "most", "best"):
        return
    (first, one), (second, other) = tables
    asked = draft.before(first, plain_max=3)
    while asked is not None and draft.cue_at(asked, "both", "group", "with", "without"):
        asked = draft.before(asked, plain_max=3)
    option = draft.open(asked)
    if asked is None or not isinstance(option, ToColumn) or draft.content_before(asked):
        return
    denied = [i for i, _ in draft.cues("without", "not") if first < i < second]
    both = [i for i, _ in draft.cues("both") if i < second]
    joined = [i for i, _ in draft.cues("and") if first < i < second]
    by = [i for i, _ in draft.cues("group") if asked < i < second]
    between = {p.span.text.lower() for i, p in enumerate(draft.pieces) if first < i < second and i not in denied}
    owned = "of" in {p.span.text.lower() for p in draft.pieces[asked:first]} and not both
    if owned or not (denied or (joined and (both or by))) or not between <= _BETWEEN:
        return
    columns = [next((a for a in e.attributes.values() if a.own == option.attribute.own), None) for e in (one, other)]
    shared, like = columns
    if shared is None or like is None or shared.role in ("key", "reference"):
        return
    draft.use(asked, first, second, *denied, *both, *joined, *by)
    draft.mention(one.name, other.name)
    draft.shown.append(shared)
    draft.distinct = True
    operator, count = ("=", 0) if denied else (">=", 1)
    draft.related.append(RelatedWanted(other, cast(Operator, operator), count, second, shared=shared, other=like))


_BETWEEN = frozenset(("and", "by", "the", "some", "any", "a", "but", "also", "but also"))
