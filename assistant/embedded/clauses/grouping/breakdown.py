"""Clauses about what a figure is broken down by: "by region", "per store and category", "for each customer"."""

from __future__ import annotations

from typing import cast

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.grouping.by_whom import by_whom
from assistant.embedded.clauses.naming.counting import ancestor_of
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue, is_flag
from assistant.embedded.source.schema import Attribute
from assistant.embedded.words.cues import Cue
from assistant.embedded.words.lexicon import singular
from assistant.embedded.words.vocabulary import ASKING


def groups(draft: Draft) -> None:
    """ "by region", "per store and category", "for each customer"."""
    for i, cue in draft.cues("group"):
        at = draft.after(i)
        if cue.argument == "by" and at == i + 1 and draft.cue_at(at, "group"):
            draft.use(i)  # "by each"
            continue
        if cue.argument == "each" and at is not None and at == i + 1 and isinstance(draft.open(at), ToValue):
            draft.use(i)  # "every engineer"
            _each_of_kind(draft, i, at)
            continue
        if draft.pieces[i].span.text.lower() == "every" and at == i + 1 and is_flag(draft.open(at)):
            draft.use(i)  # "the names of every manager", where a column says who is one
            continue
        if cue.argument == "each" and at is not None and at == i + 1 and _lists_each(draft, at):
            draft.use(i)  # "list each order with its customer"
            continue
        if _is_over_all(draft, i):
            draft.use(i)  # "the average age across all customers": of all together
            continue
        if cue.argument == "by" and at is not None and _by_number(draft, i, at):
            continue
        if used := by_whom(draft, i, at, by=cue.argument == "by"):
            draft.use(*used)
            continue
        if cue.argument == "each" and (owner := _said_before(draft, i)) is not None:
            draft.use(i)
            add_group(draft, owner)
            continue
        if at is not None and _says_different(draft.pieces[at].option):
            draft.use(at)
            at = draft.after(at)
        found: list[int] = []
        while at is not None:
            if cue.argument == "each" and _is_adjective(draft, at):
                at = draft.after(at, plain_max=0)
                continue
            group = groupable(draft, at, each=cue.argument == "each")
            if group is None:
                break
            found.append(at)
            follow = draft.after(at, plain_max=0)
            beyond = draft.open(follow)
            touching = draft.touches(at, follow)
            owner = draft.schema.referred(group) if isinstance(group, Attribute) else group
            if touching and isinstance(beyond, ToColumn) and owner and beyond.attribute.table == owner.name:
                if isinstance(group, Attribute):
                    draft.via.append(group)  # "by the coach's town", where each player has a coach
                at = follow  # "by product type": the column, not the table
                continue
            add_group(draft, group)
            if cue.argument == "by" and draft.pieces[at].span.text.lower().endswith("s"):
                draft.agents.append(group)  # "requested by customers": who does it, if it is about customers anyway
            owner = _owner_of(draft, at, group)
            follow = draft.after(at if owner is None else owner, plain_max=1)
            if follow is None:
                break
            if draft.cue_at(follow, "and"):
                after_and = draft.after(follow, plain_max=1)
                if draft.cue_at(after_and, "group"):
                    after_and = draft.after(cast(int, after_and), plain_max=1)
                if after_and is None or groupable(draft, after_and, each=False) is None:
                    break
                found.append(follow)
                if draft.cue_at(after_and - 1, "group"):
                    found.append(after_and - 1)
                at = after_and
            elif draft.touches(at, follow) and is_flag(draft.open(follow)):
                break  # "how many prizes did each film win", where a column says whether
            elif draft.touches(at, follow) and groupable(draft, follow, each=False):
                if cue.argument == "each" and isinstance(beyond, ToTable) and _is_apart(draft, follow):
                    break  # "each maker's lamps", "each clerk trained in first aid"
                at = follow
            else:
                break
        if found or _asks_on(draft, i):
            draft.use(i, *found)
    _for_all(draft)


def _lists_each(draft: Draft, at: int) -> bool:
    """Whether each row is listed with the one that it belongs to: it has one, and nothing is counted."""
    rows, link = draft.open(at), draft.after(at, plain_max=1)
    owner = draft.open(draft.after(link, plain_max=2)) if link is not None and draft.cue_at(link, "with") else None
    if not isinstance(rows, ToTable) or not isinstance(owner, ToTable) or draft.wanted or draft.cues(*_FIGURES):
        return False
    return ancestor_of(draft, {rows.entity.name}, owner.entity)


_FIGURES = ("count", "average", "sum", "minimum", "maximum", "most", "best", "how_much", "compare")


def _by_number(draft: Draft, by: int, at: int) -> bool:
    """ "average rent by number of rooms", where each flat has such a number: a group for each number."""
    place = draft.after(at, plain_max=1)
    option = draft.open(place)
    figures = bool(draft.wanted) or any(n < by for n, _ in draft.cues("average", "sum", "count", "minimum", "maximum"))
    if not draft.cue_at(at, "count") or place is None or not isinstance(option, ToColumn) or not figures:
        return False
    profile = option.attribute.column.profile
    if not option.attribute.is_number or profile is None or profile.distinct > _NUMBERS:
        return False
    draft.use(by, at, place)
    add_group(draft, option.attribute)
    return True


_NUMBERS = 60
"""Of how many different numbers a figure is told at most."""


def _owner_of(draft: Draft, at: int, group: Group) -> int | None:
    """The table in "by segment of the client and type of the trade", which only says whose column it is."""
    place = draft.after(at, plain_max=2)
    option = draft.open(place)
    if place is None or not isinstance(group, Attribute) or draft.pieces[at + 1].span.text.lower() != "of":
        return None
    return place if isinstance(option, ToTable) and option.entity.name == group.table else None


def _is_adjective(draft: Draft, at: int) -> bool:
    """ "of every active customer": what says yes or no of the rows behind it chooses among them."""
    option, following = draft.open(at), draft.after(at, plain_max=0)
    rows = draft.open(following)
    own = isinstance(option, ToColumn) and isinstance(rows, ToTable) and option.attribute.table == rows.entity.name
    return own and isinstance(option, ToColumn) and option.attribute.role == "flag" and draft.touches(at, following)


def _for_all(draft: Draft) -> None:
    """ "the number of shops for all the towns", where a shop has a town: of each of them."""
    counts = [i for i, _ in draft.cues("count")]
    for i, piece in enumerate(draft.pieces[:-2]):
        words = [p.span.text.lower() for p in draft.pieces[i : i + 3]]
        at = i + 3 if words[2:] == ["the"] else i + 2
        option = draft.open(at)
        if words[:2] != ["for", "all"] or piece.used or not isinstance(option, ToColumn) or not counts:
            continue
        entity, kind = draft.entity_of(option.attribute), option.attribute
        if counts[0] < i and kind.role == "text" and kind.name not in entity.label and not draft.groups:
            draft.use(at)
            add_group(draft, kind)


def _is_apart(draft: Draft, at: int) -> bool:
    """Whether a word behind a noun is a plural or a verb, so that the two are no compound."""
    text = draft.pieces[at].span.text.lower()
    return singular(text) != text or text.endswith("ed")


def _said_before(draft: Draft, each: int) -> Group | None:
    """ "the names of all customers, and how many orders does each have": each of what was named before the count."""
    behind = [piece for piece in draft.pieces[each + 1 : each + 2] if not piece.aside]
    counts = [i for i, _ in draft.cues("count") if i < each]
    if not counts or (behind and behind[0].span.text.lower() not in _VERBS):
        return None
    place = draft.before(counts[-1], plain_max=0)
    if place is None or not draft.cue_at(place, "and"):
        return None
    named = draft.before(place, plain_max=0)
    group = groupable(draft, named, each=True) if named is not None else None
    if named is None or group is None:
        return None
    draft.use(place, named)
    if behind and behind[0].span.text.lower() == "one":
        draft.use(each + 1)
    return group


_VERBS = frozenset(("one", "have", "has", "had", "do", "does", "did", "made", "is", "are", "was", "were", "of"))


def _each_of_kind(draft: Draft, at: int, place: int) -> None:
    """ "how many points did each forward score": a figure for each of the rows that are so."""
    option, before = draft.pieces[place].option, draft.word(at - 1)
    if not isinstance(option, ToValue) or before not in _DOES or not draft.cues("count", "how_much", "average", "sum"):
        return
    entity = draft.entity_of(option.attribute)
    if option.attribute.name not in entity.label and set(entity.label) - set(entity.key):
        add_group(draft, entity)


_DOES = frozenset(("did", "does", "do", "has", "have"))


def _says_different(option: object) -> bool:
    """ "for each of the different grades": says no more than each."""
    return isinstance(option, Cue) and option.kind == "distinct"


def _asks_on(draft: Draft, at: int) -> bool:
    """ "For each, tell me ...", "for each of them": of each of what was spoken of."""
    text = draft.pieces[at].span.text.lower()
    following = [piece.span.text.lower() for piece in draft.pieces[at + 1 : at + 3]]
    return text.startswith("for each") and at > 0 and bool(_AGAIN & set(following))


_AGAIN = ASKING | {"them", "those", "these", "also"}


def _is_over_all(draft: Draft, at: int) -> bool:
    words = [piece.span.text.lower() for piece in draft.pieces[at : at + 2]]
    return words == ["across", "all"]


def groupable(draft: Draft, at: int, *, each: bool) -> Group | None:
    """What a figure may be broken down by at a place: a table, or a column of few enough values."""
    option = draft.open(at)
    if isinstance(option, ToTable):
        return option.entity
    if isinstance(option, ToColumn):
        attribute = option.attribute
        if not attribute.is_number or attribute in draft.ranged:
            return attribute
        distinct = attribute.column.profile.distinct if attribute.column.profile else None
        if (not attribute.adds_up and (distinct is None or distinct <= 60)) or (each and distinct and distinct <= 200):
            return attribute
    return None


def add_group(draft: Draft, group: Group) -> None:
    """Break the figures down by it, once."""
    if isinstance(group, Attribute):
        draft.mention(group.table)
    if group not in draft.groups:
        draft.groups.append(group)
