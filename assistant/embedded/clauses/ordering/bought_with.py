"""What is bought together with something: "which products are bought together with tea", "what sells with it".

Counted are the orders that hold both: those of which one line is of the thing and another of what is told.
"""

from __future__ import annotations

from assistant.embedded.clauses.draft import Draft, Group
from assistant.embedded.clauses.ordering.untold import TOP_DEFAULT
from assistant.embedded.clauses.wanted import FilterWanted, RelatedWanted, Wanted
from assistant.embedded.linking.options import ToColumn, ToTable, ToValue
from assistant.embedded.source.dating import happens
from assistant.embedded.source.numbered import numbering
from assistant.embedded.source.schema import Attribute, Entity
from assistant.embedded.words.vocabulary import word_set

_DEALS = word_set("buy buys bought purchase purchased sell sells sold order ordered rent rented go goes")
_DO = word_set("do does did")
_BETWEEN = word_set("together along often usually frequently commonly most mostly also")


def bought_with(draft: Draft) -> None:
    """The first things by how many orders hold them and the one that is named."""
    for i, _ in draft.cues("with"):
        value = draft.open(i + 1)
        deal = _deal_before(draft, i)
        if not isinstance(value, ToValue) or value.attribute.role != "text" or deal is None:
            continue
        lines, order = _lines_of(draft, value.attribute)
        things = _things(draft, value.attribute, deal)
        if lines is None or order is None or things is None:
            continue
        draft.use(*range(deal, i + 2))
        draft.use(*(n for n in range(deal) if draft.open(n) is not None and not draft.cue_at(n, "which")))
        counted = Wanted(aggregate="distinct", attribute=order)
        same = FilterWanted(value.attribute, "=", (value.value,), value.known)
        draft.related.append(RelatedWanted(lines, ">=", 1, i, [same], shared=order, owner=lines))
        draft.filters.append(FilterWanted(value.attribute, "!=", (value.value,), value.known))
        draft.groups.append(things)
        draft.wanted.append(counted)
        draft.order.append((counted, True))
        draft.limit = TOP_DEFAULT
        draft.assumptions.append(f"what goes together with {value.value} is told by the {order.things} that hold both")


def _deal_before(draft: Draft, at: int) -> int | None:
    """Where it says that something is bought, right before the "with"; None where nothing is."""
    for place in range(at - 1, -1, -1):
        words = draft.word(place).split()
        if set(words) & _DEALS:
            return place
        if not set(words) <= _BETWEEN:
            return None
    return None


def _things(draft: Draft, named: Attribute, deal: int) -> Group | None:
    """What is asked for: things of the kind that is named, whether by their word or by "what"; else nothing."""
    entity = draft.entity_of(named)
    own: Group = named if named.name not in entity.label or not entity.key else entity
    asked = [p.option for p in draft.pieces[:deal] if isinstance(p.option, ToTable | ToColumn)]
    if draft.word(0).split()[0] == "what" and (not asked or draft.word(1) in _DO):
        return own  # "what do customers buy with tea"
    if not asked:
        return None
    first = asked[0]
    kind: Group = first.entity if isinstance(first, ToTable) else first.attribute
    return own if len(asked) == 1 and kind in (own, named) else None


def _lines_of(draft: Draft, named: Attribute) -> tuple[Entity | None, Attribute | None]:
    """The lines that say what an order holds, and their column that says which order."""
    own = draft.entity_of(named)
    if draft.schema.is_one_table:
        return own, numbering(own)
    found = [
        (lines, lines.attributes[edge.left_columns[0]])
        for lines in draft.schema.children(own)
        for edge in draft.schema.edges.get(lines.name, ())
        if not edge.many and edge.right != own.name and len(edge.left_columns) == 1
        if happens(draft.schema.entities[edge.right])
    ]
    return found[0] if len(found) == 1 else (None, None)
