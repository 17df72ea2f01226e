"""What rows are counted by where no cue says so: a column of their own, or what names a row whole."""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Misfit, Piece
from assistant.embedded.clauses.wanted import Wanted
from assistant.embedded.linking.options import ToColumn, ToMetric, ToTable
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.cues import Cue


def parent_of(draft: Draft, tables: set[str], entity: Entity) -> bool:
    """Whether each row of one of the tables belongs to one row of the entity."""
    edges = (edge for t in tables for edge in draft.schema.edges.get(t, ()))
    return any(edge.right == entity.name and not edge.many and not edge.optional for edge in edges)


def ancestor_of(draft: Draft, tables: set[str], entity: Entity) -> bool:
    """Whether each row of one of the tables leads to one row of the entity, over some keys."""
    reached = set(tables)
    for _ in range(_KEYS_MAX):
        edges = (edge for table in reached for edge in draft.schema.edges.get(table, ()))
        reached |= {edge.right for edge in edges if not edge.many}
    return entity.name in reached - tables


_KEYS_MAX = 3


def count_per_column(draft: Draft) -> None:
    """ "countries that have more than one mountain": the rows of a table, counted by one of its own columns."""
    if len(draft.shown) != 1:
        return
    attribute = draft.shown[0]
    own = {related.entity.name for related in draft.related} == {attribute.table}
    if not _repeats(draft, attribute, own=own):
        return
    for related in [r for r in draft.related if r.shared is None]:
        if related.count == 0:  # "cities without customers"
            related.shared = attribute
            draft.distinct = True
            continue
        near = {attribute.table, *_parents(draft, attribute.table)}
        own = related.entity.name in near or attribute.table in _parents(draft, related.entity.name)
        if not own or related.filters:
            raise Misfit(f"It is not clear how {attribute.words} and {related.entity.many} belong together.", weight=3)
        counted = Wanted(aggregate="count", entity=related.entity, context=True)
        draft.having.append((counted, related.operator, float(related.count)))
        draft.related.remove(related)
    if draft.having:
        draft.shown, draft.subject = [], None
        draft.groups.append(attribute)


def _parents(draft: Draft, table: str) -> set[str]:
    """The tables of which a row of the table has one at most."""
    return {edge.right for edge in draft.schema.edges.get(table, ()) if not edge.many}


def has_one_each(draft: Draft) -> bool:
    """ "types of policy chosen by several customers": a policy has one customer, so they are counted by the type."""
    subject = draft.subject
    if subject is None or len(draft.shown) != 1 or draft.shown[0].table != subject.name:
        return False
    each = all(r.count > 0 and parent_of(draft, {subject.name}, r.entity) for r in draft.related)
    return each and draft.shown[0].role in ("text", "reference", "flag") and _repeats(draft, draft.shown[0])


def only_qualifies(draft: Draft) -> bool:
    """ "product categories with more than 10 returns": the table only says whose categories these are."""
    if draft.subject is None or len(draft.shown) != 1 or draft.shown[0].table != draft.subject.name:
        return False
    places = [
        i for i, p in enumerate(draft.pieces) if isinstance(p.option, ToTable) and p.option.entity == draft.subject
    ]
    kind = draft.shown[0]
    before = [i for i in places if i + 1 < len(draft.pieces) and _is_of(draft.pieces[i + 1], kind)]
    one = all(not draft.pieces[i].span.text.lower().endswith("s") for i in places)
    return bool(places) and before == places and one and kind.role in ("text", "reference") and _repeats(draft, kind)


def _is_of(piece: Piece, attribute: Attribute) -> bool:
    return isinstance(piece.option, ToColumn) and piece.option.attribute == attribute


def _repeats(draft: Draft, attribute: Attribute, *, own: bool = False) -> bool:
    """Whether several rows may hold the same: what names a row or is its key does not, as far as is known.

    Where its `own` rows are counted, "months with more than 2 meetings", a name that several of them share does.
    """
    entity, profile = draft.entity_of(attribute), attribute.column.profile
    if (attribute.name,) == entity.key:
        return False
    if attribute.name not in entity.label:
        return True
    if (attribute.role != "reference" and not own) or profile is None or profile.sampled or entity.table.rows is None:
        return False
    return profile.distinct < entity.table.rows


def heads_list(draft: Draft, at: int) -> bool:
    """ "show the depots and the number of drivers", "depots sorted by number of drivers": a figure for each of them."""
    before = [piece.span.text.lower() for piece in draft.pieces[:at]]
    if any(piece.option is not None for piece in draft.pieces[:at]) or set(before) & _LEADING:
        return False
    figure = next((i for i in range(at + 1, len(draft.pieces)) if _is_figure(draft.pieces[i])), None)
    if figure is None:
        return False
    if figure == at + 1:
        return draft.pieces[figure].span.text.lower().startswith(("the ", "how "))
    between = [piece.option for piece in draft.pieces[at + 1 : figure]]
    return any(isinstance(option, Cue) and option.kind in ("and", "with", "sort") for option in between)


_LEADING = frozenset(("of", "in", "for", "from", "at", "by", "on", "do", "does", "did", "have", "has", "is", "was"))
"""Words that lead to something else than what is listed."""


def _is_figure(piece: Piece) -> bool:
    option = piece.option
    if isinstance(option, ToMetric):
        return True
    return isinstance(option, Cue) and option.kind in ("count", "average", "sum", "minimum", "maximum")


def shares_noun(draft: Draft, at: int, attribute: Attribute) -> bool:
    """ "first and last names", "start and end dates": the noun of the second is that of the first as well."""
    link = draft.after(at, plain_max=0)
    beyond = draft.after(link, plain_max=0) if link is not None else None
    if link is None or beyond is None:
        return False
    joins, other = draft.pieces[link].option, draft.pieces[beyond].option
    if not isinstance(joins, Cue) or joins.kind != "and" or not isinstance(other, ToColumn):
        return False
    return other.attribute.table == attribute.table and other.attribute.stems[-1] == attribute.stems[-1]


def group_by_whole_names(draft: Draft) -> None:
    """Rows with a first and a last name are told apart by more than these."""
    for table in dict.fromkeys(g.table for g in draft.groups if isinstance(g, Attribute)):
        entity = draft.schema.entities[table]
        label = [entity.attributes[name] for name in entity.label]
        if len(label) > 1 and all(a in draft.groups for a in label):
            others = [g for g in draft.groups if isinstance(g, Attribute) and g.table == entity.name and g not in label]
            draft.shown += [*label, *others] if others else []
            place = draft.groups.index(label[0])
            draft.groups = [g for g in draft.groups if g not in (*label, *others)]
            draft.groups.insert(place, entity)
