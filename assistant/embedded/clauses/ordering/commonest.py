"""Clauses about what there is most of: "the most common genre", "the payment method that is used most often"."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group, Misfit
from assistant.embedded.clauses.wanted import FilterWanted, Wanted
from assistant.embedded.linking.naming import ROW_WORDS
from assistant.embedded.linking.options import Option, ToColumn, ToTable
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.lexicon import is_past

_AMONG = frozenset(("among", "amongst", "in", "for", "of", "at", "on", "from", "within", "across", "with", "by"))
OFTEN = ("times", "time", "often", "frequently")


def rank_by(draft: Draft, group: Group, wanted: Wanted, descending: bool) -> None:
    """Rank groups by a figure and keep the first, with all that share its place."""
    draft.ranked = group
    draft.order.append((wanted, descending))
    draft.keep_extreme()


def commonest(draft: Draft, at: int, descending: bool) -> None:
    """ "the most common genre", "the genre that is most common among tracks": counted by what there is of it."""
    if done_to(draft, at, draft.after(at), descending):
        return
    target = named_after(draft, at)
    option = draft.open(target)
    if target is None or not isinstance(option, ToTable | ToColumn):
        _said_before(draft, at, descending)
        return
    draft.use(at, target)
    if isinstance(option, ToTable) and (name := _shared_name(draft, option.entity)) is not None:
        option = ToColumn(attribute=name, strength=option.strength)
    counted = _own_rows(draft, option, target) or _other_entity(draft, _table(option), target)
    _rank_by_events(draft, at, option, [counted] if counted else _events(draft, option), descending)
    _of_those_known(draft)


def _of_those_known(draft: Draft) -> None:
    """ "the most common comment": that most rows have none is no answer."""
    kind = draft.ranked
    profile = kind.column.profile if isinstance(kind, Attribute) else None
    if isinstance(kind, Attribute) and profile is not None and profile.nulls:
        draft.filters.append(FilterWanted(kind, "present", ()))


def commonest_members(draft: Draft, at: int, descending: bool) -> bool:
    """ "the rank that has the most members", "which club has the fewest people": the rows, by whatever name."""
    word = draft.word(at + 1)
    return word in ("members", "people", *ROW_WORDS) and _kind_ranked(draft, at, descending)


def often(draft: Draft, at: int, descending: bool) -> bool:
    """ "the movie that is rated most times", "the colour used the most often": how many rows there are of it."""
    text = draft.word(at + 1)
    if text not in OFTEN and draft.after(at, plain_max=9) is None and at:  # "that has been rated the most"
        deed = draft.pieces[at - 1]
        done = is_past(deed.span.text.lower()) and isinstance(draft.open(at - 1), ToTable)
        if done:
            return _done_before(draft, at, descending)
        passive = at > 1 and draft.pieces[at - 2].span.text.lower() in _BEING and is_past(deed.span.text.lower())
        return (
            passive and deed.option is None and _kind_ranked(draft, at, descending)
        )  # "which colour is used the most"
    return text in OFTEN and (_done_before(draft, at, descending) or _kind_ranked(draft, at, descending))


def _kind_ranked(draft: Draft, at: int, descending: bool) -> bool:
    """Rank the values of the column before a place by how many rows share them."""
    kind = kind_before(draft, at)
    option = draft.open(kind)
    if kind is None or not isinstance(option, ToColumn) or draft.groups:
        return False
    draft.use(at, kind)
    counted = Wanted(aggregate="count", entity=draft.entity_of(option.attribute), context=True)
    rank_by(draft, option.attribute, counted, descending)
    return True


def kind_before(draft: Draft, at: int) -> int | None:
    """The last column before a place that many rows may share a value of."""
    kinds = [i for i, p in enumerate(draft.pieces[:at]) if not p.used and _is_kind(draft, p.option)]
    return kinds[-1] if kinds else None


def done_to(draft: Draft, at: int, target: int | None, descending: bool) -> bool:
    """ "the most rented film", "most frequently ordered products": what was done to it is counted."""
    events = draft.open(target)
    place = draft.after(target, plain_max=0) if target is not None else None
    head = draft.open(place)
    if target is None or place is None or not isinstance(events, ToTable):
        return False
    done: Group | None = None
    if isinstance(head, ToTable):
        done = head.entity
    elif isinstance(head, ToColumn) and head.attribute.role == "text" and head.attribute.table != events.entity.name:
        done = draft.entity_of(head.attribute) if names_row(draft, head.attribute) else head.attribute
    if done is None or not is_past(draft.pieces[target].span.text.lower()) or events.entity == done:
        return False
    draft.use(at, target, place)
    rank_by(draft, done, Wanted(aggregate="count", entity=events.entity, context=True), descending)
    return True


def names_of(draft: Draft, at: int) -> bool:
    """ "the name of the customer with": the table is accounted for by the listing clause."""
    before = draft.before(at, plain_max=2)
    return before is not None and isinstance(draft.open(before), ToColumn)


def _shared_name(draft: Draft, entity: Entity) -> Attribute | None:
    """ "the most popular hobby", where a row tells that somebody has it and many rows tell of the same."""
    name = entity.attributes[entity.label[0]]
    shared = len(entity.label) == 1 and name.role == "text" and not names_row(draft, name)
    return name if shared and not draft.schema.children(entity) else None


def named_after(draft: Draft, at: int) -> int | None:
    """The place of what is common; none where what follows only says among what."""
    target = draft.after(at)
    option = draft.open(target)
    if target is None or draft.pieces[at + 1].span.text.lower() in _AMONG:
        return None  # but "the most common kind of road"
    following = draft.after(target, plain_max=0)
    beyond = draft.open(following)
    if isinstance(option, ToTable) and following is not None and draft.touches(target, following):
        column = beyond.attribute if isinstance(beyond, ToColumn) else None
        if column is not None and column.table == option.entity.name and not column.is_number:
            draft.use(target)  # "the most common room type"
            return following
    if isinstance(option, ToTable) or (isinstance(option, ToColumn) and not option.attribute.adds_up):
        return target  # "the most common age" as well
    return None


def _said_before(draft: Draft, at: int, descending: bool) -> None:
    """ "which genre is the most common", "the genre that appears most frequently in the tracks"."""
    named = [i for i, p in enumerate(draft.pieces[:at]) if not p.used and isinstance(p.option, ToTable | ToColumn)]
    done = bool(named) and _is_passive(draft, named[-1])
    if done and isinstance(draft.open(named[-1]), ToTable) and _done_before(draft, at, descending):
        return
    places = [i for i in named if _is_kind(draft, draft.open(i))]
    places = places or [i for i in named if isinstance(draft.open(i), ToTable)] or named
    if not places:
        raise Misfit("The most common what? I found no column for it.", weight=3)
    option = draft.open(places[-1])
    assert isinstance(option, ToTable | ToColumn), "found by its kind"
    draft.use(at)
    if not (isinstance(option, ToTable) and names_of(draft, places[-1])):
        draft.use(places[-1])
    counted = _own_rows(draft, option, at) or _other_entity(draft, _table(option), places[-1], after=at)
    _rank_by_events(draft, at, option, [counted] if counted else _events(draft, option), descending)


def _is_passive(draft: Draft, at: int) -> bool:
    """ "was ordered", "is broadcast": what is done to something, though a table is called alike."""
    before = draft.word(at - 1)
    return is_past(draft.pieces[at].span.text.lower()) or before in _BEING


_BEING = frozenset(("is", "are", "was", "were", "be", "been", "being", "gets", "get", "got"))


def _is_kind(draft: Draft, option: Option | None) -> bool:
    """Whether it is a column that many rows may share a value of."""
    if not isinstance(option, ToColumn) or option.attribute.is_number or option.attribute.is_time:
        return False
    return not names_row(draft, option.attribute)


def _table(option: ToTable | ToColumn) -> str:
    return option.entity.name if isinstance(option, ToTable) else option.attribute.table


def _rank_by_events(draft: Draft, at: int, option: ToTable | ToColumn, events: list[Entity], descending: bool) -> None:
    if not events:
        raise Misfit(
            f"“{draft.pieces[at].span.text}” counted by what? Say, for instance, “with the most orders”.", weight=4
        )
    chosen = draft.choose("counted rows", len(events)) if len(events) > 1 else 0
    group: Group = option.entity if isinstance(option, ToTable) else option.attribute
    if isinstance(group, Attribute) and names_row(draft, group):
        if group.name not in draft.entity_of(group).label:
            draft.shown.append(group)
        group = draft.entity_of(group)
    if not any(isinstance(p.option, ToTable) and p.option.entity == events[chosen] for p in draft.pieces):
        draft.assumptions.append(f"“{draft.pieces[at].span.text}” goes by the number of {events[chosen].many}")
    draft.mention(events[chosen].name)
    rank_by(draft, group, Wanted(aggregate="count", entity=events[chosen], context=True), descending)


def _events(draft: Draft, option: ToTable | ToColumn) -> list[Entity]:
    """The tables whose rows can be counted for a kind: its own, or those that belong to what is named."""
    if isinstance(option, ToTable):
        return _children(draft, option.entity)
    entity = draft.entity_of(option.attribute)
    return _children(draft, entity) if names_row(draft, option.attribute) else [entity]


def names_row(draft: Draft, attribute: Attribute) -> bool:
    """Whether about every row has a value of its own, so that something else must be counted."""
    entity = draft.entity_of(attribute)
    profile, rows = attribute.column.profile, entity.table.rows
    own = profile is not None and bool(rows) and profile.distinct >= _ALL_BUT * (rows or 0)
    return own and (attribute.name in entity.label or entity.key == (attribute.name,))


def _children(draft: Draft, entity: Entity) -> list[Entity]:
    """The tables whose rows belong to rows of another; what only ties two others together comes last."""
    found = draft.schema.children(entity)
    return ([child for child in found if not child.bridge] or found)[:_CHILDREN_MAX]


_CHILDREN_MAX = 3
_ALL_BUT = 0.9
"""The part of a table's rows from which on a name stands for one row, though some may share theirs."""


def _done_before(draft: Draft, at: int, descending: bool) -> bool:
    """ "the product that was ordered most frequently": what was done to it is counted."""
    named = [
        (i, p.option.entity) for i, p in enumerate(draft.pieces[:at]) if isinstance(p.option, ToTable) and not p.used
    ]
    if isinstance(draft.ranked, Entity) and named:  # "which 3 products were returned most often"
        draft.use(at, named[-1][0])
        rank_by(draft, draft.ranked, Wanted(aggregate="count", entity=named[-1][1], context=True), descending)
        return True
    if not named:
        return False
    place, subject = named[0]
    only = _children(draft, subject)
    events = [(i, e) for i, e in named[1:] if e is not subject] or [(place, e) for e in only if len(only) == 1]
    if not events:
        return _done_by(draft, at, place, subject, descending)
    draft.use(at, events[-1][0])
    if not names_of(draft, place):
        draft.use(place)
    rank_by(draft, subject, Wanted(aggregate="count", entity=events[-1][1], context=True), descending)
    return True


def _done_by(draft: Draft, at: int, place: int, events: Entity, descending: bool) -> bool:
    """ "the e-mail address that has ordered the most times": by a column of whoever did it."""
    columns = [(i, p.option.attribute) for i, p in enumerate(draft.pieces[:place]) if isinstance(p.option, ToColumn)]
    others = [(i, a) for i, a in columns if a.table != events.name and not draft.pieces[i].used]
    if len(others) != 1:
        return False
    draft.use(at, place, others[0][0])
    rank_by(draft, others[0][1], Wanted(aggregate="count", entity=events, context=True), descending)
    return True


def _own_rows(draft: Draft, option: ToTable | ToColumn, at: int) -> Entity | None:
    """ "the most common role among members of clubs": the rows that have the role, of whatever these are."""
    following = draft.after(at, plain_max=2)
    rows = draft.open(following)
    words = {p.span.text.lower() for p in draft.pieces[at + 1 : following]}
    if following is None or not isinstance(option, ToColumn) or not isinstance(rows, ToTable) or not words & _AMONG:
        return None
    if rows.entity.name != option.attribute.table:
        return None
    draft.use(following)
    return rows.entity


def _other_entity(draft: Draft, table: str, at: int, *, after: int = -1) -> Entity | None:
    for i, piece in enumerate(draft.pieces):
        option = piece.option
        if i not in (at, after) and i >= after and isinstance(option, ToTable) and not piece.used:
            if option.entity.name == table:
                continue
            draft.use(i)
            return option.entity
    return None
