"""Clauses about rows there are none of: "without orders", "neither tours nor lectures", "without a credit card"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted
from assistant.embedded.linking.options import ToTable, ToValue
from assistant.embedded.source.schema import Entity


def has_none_of(draft: Draft, at: int, target: int, option: ToValue) -> bool:
    """ "without a credit card", where cards have a type: there should be no such row."""
    behind = draft.after(target, plain_max=0)
    rows = draft.open(behind)
    has = _POSSESSING & set(draft.pieces[at].span.text.lower().split())
    if behind is None or not has or not isinstance(rows, ToTable) or rows.entity.name != option.attribute.table:
        return False
    if any(isinstance(p.option, ToTable) and p.option.entity == rows.entity for p in draft.pieces[:at]):
        return False
    if not draft.content_before(at):
        return False
    draft.use(at, target, behind)
    draft.mention(rows.entity.name)
    condition = FilterWanted(option.attribute, "=", (option.value,), option.known, target)
    draft.related.append(RelatedWanted(rows.entity, "=", 0, behind, [condition]))
    return True


_POSSESSING = frozenset(("without", "no", "zero", "lacking", "have", "has", "had", "having"))


def none_there(draft: Draft, at: int, target: int, entity: Entity) -> None:
    """What there is none of. In "not enrolled in any course" and "no devices in stock" several tables name it."""
    subject = draft.first_table(before=at)
    chain = [(target, entity)]
    while (place := _past_by(draft, draft.after(chain[-1][0], plain_max=2))) is not None:
        option = draft.open(place)
        between = {p.span.text.lower() for p in draft.pieces[chain[-1][0] + 1 : place]}
        if not isinstance(option, ToTable) or not (between <= _LEADING or option.entity == chain[-1][1]):
            break
        chain.append((place, option.entity))
    draft.use(at, *(place for place, _ in chain))
    draft.mention(*(e.name for _, e in chain))
    place, absent = next(((n, e) for n, e in chain if e != subject), chain[0])
    for n, further in chain:
        owned = any(e.right == further.name and not e.many for e in draft.schema.edges.get(absent.name, ()))
        if further not in (subject, absent) and not owned:
            place, absent = n, further
    draft.related.append(RelatedWanted(entity=absent, operator="=", count=0, at=place))
    _absent_too(draft, chain[-1][0], subject)


def _absent_too(draft: Draft, at: int, subject: Entity | None) -> None:
    """ "neither tours nor lectures", "without tours or lectures": there is none of the further rows as well."""
    link = draft.after(at, plain_max=0)
    place = draft.after(link, plain_max=3) if link is not None and draft.cue_at(link, "or") else None
    option = draft.open(place)
    if link is None or place is None or not isinstance(option, ToTable) or option.entity == subject:
        return
    draft.use(link, place)
    draft.mention(option.entity.name)
    draft.related.append(RelatedWanted(entity=option.entity, operator="=", count=0, at=place))
    _absent_too(draft, place, subject)


def _past_by(draft: Draft, at: int | None) -> int | None:
    """ "not employed by any company": the table behind the "by", which groups nothing here."""
    if at is None or not draft.cue_at(at, "group") or draft.pieces[at].span.text.lower() != "by":
        return at
    following = draft.after(at, plain_max=1)
    if not isinstance(draft.open(following), ToTable):
        return at
    draft.use(at)
    return following


_LEADING = frozenset(("in", "any", "a", "an", "the", "of", "for", "from", "to", "at", "with", "all", "on", "by"))
"""Small words between two tables of which the second says more of the first: "enrolled in a course"."""
